/* signature.c - keys and signatures from DNS form to libcrypto's. */
#include "crypto/signature.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <string.h>

#define EC_POINT_MAX (1u + 2 * 48)
#define EC_DER_MAX   128u
#define POINT_PLAIN  4u /* a point follows with both coordinates, SEC 1 sec 2.3.3 */

enum family { FAMILY_NONE, FAMILY_RSA, FAMILY_EC, FAMILY_ED };

static const struct algorithm {
	enum family family;
	const char *digest; /* NULL: the algorithm has its own */
	const char *group;
	size_t half_len; /* EC: of a coordinate, and of r and s; ED: of the key */
	int raw_type;
} algorithms[] = {
	[SIGNATURE_RSASHA1] = {FAMILY_RSA, "SHA1", NULL, 0, 0},
	[SIGNATURE_RSASHA1_NSEC3] = {FAMILY_RSA, "SHA1", NULL, 0, 0},
	[SIGNATURE_RSASHA256] = {FAMILY_RSA, "SHA256", NULL, 0, 0},
	[SIGNATURE_RSASHA512] = {FAMILY_RSA, "SHA512", NULL, 0, 0},
	[SIGNATURE_ECDSAP256] = {FAMILY_EC, "SHA256", "P-256", 32, 0},
	[SIGNATURE_ECDSAP384] = {FAMILY_EC, "SHA384", "P-384", 48, 0},
	[SIGNATURE_ED25519] = {FAMILY_ED, NULL, NULL, 32, EVP_PKEY_ED25519},
	[SIGNATURE_ED448] = {FAMILY_ED, NULL, NULL, 57, EVP_PKEY_ED448},
};

static const struct algorithm *find(uint8_t number)
{
	if (number >= sizeof(algorithms) / sizeof(algorithms[0]) ||
		algorithms[number].family == FAMILY_NONE) {
		return NULL;
	}
	return &algorithms[number];
}

bool signature_is_known(uint8_t algorithm)
{
	return find(algorithm) != NULL;
}

static EVP_PKEY *key_from_params(const char *type, OSSL_PARAM *params)
{
	EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
	EVP_PKEY *key = NULL;

	if (context != NULL && EVP_PKEY_fromdata_init(context) == 1 &&
		EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, params) != 1) {
		key = NULL;
	}
	EVP_PKEY_CTX_free(context);
	return key;
}

/* RFC 3110 sec 2: length of the exponent in one octet, or in two behind a zero; exponent; modulus. */
static EVP_PKEY *rsa_key(const uint8_t *key, size_t len)
{
	size_t at = 1;
	size_t exponent_len = len > 0 ? key[0] : 0;

	if (exponent_len == 0 && len > 3) {
		exponent_len = (size_t)key[1] << 8 | key[2];
		at = 3;
	}
	if (exponent_len == 0 || exponent_len > SIGNATURE_RSA_EXPONENT_MAX ||
		exponent_len >= len - at || len - at - exponent_len > SIGNATURE_RSA_LEN_MAX) {
		return NULL;
	}
	BIGNUM *e = BN_bin2bn(key + at, (int)exponent_len, NULL);
	BIGNUM *n = BN_bin2bn(key + at + exponent_len, (int)(len - at - exponent_len), NULL);
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	OSSL_PARAM *params = NULL;
	EVP_PKEY *out = NULL;
	if (e != NULL && n != NULL && build != NULL &&
		OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
		OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e) == 1) {
		params = OSSL_PARAM_BLD_to_param(build);
		out = params != NULL ? key_from_params("RSA", params) : NULL;
	}
	OSSL_PARAM_free(params);
	OSSL_PARAM_BLD_free(build);
	BN_free(e);
	BN_free(n);
	return out;
}

static EVP_PKEY *ec_key(const struct algorithm *algorithm, const uint8_t *key, size_t len)
{
	uint8_t point[EC_POINT_MAX];
	char group[8];

	if (len != 2 * algorithm->half_len) {
		return NULL;
	}
	point[0] = POINT_PLAIN;
	memcpy(point + 1, key, len);
	strcpy(group, algorithm->group);
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, group, 0),
		OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, point, len + 1),
		OSSL_PARAM_construct_end()};
	return key_from_params("EC", params);
}

static EVP_PKEY *make_key(const struct algorithm *algorithm, const uint8_t *key, size_t len)
{
	switch (algorithm->family) {
	case FAMILY_RSA:
		return rsa_key(key, len);
	case FAMILY_EC:
		return ec_key(algorithm, key, len);
	case FAMILY_ED:
		return len == algorithm->half_len
			       ? EVP_PKEY_new_raw_public_key(algorithm->raw_type, NULL, key, len)
			       : NULL;
	case FAMILY_NONE:
		break;
	}
	return NULL;
}

/* r and s one behind the other (RFC 6605 sec 4) to the form that libcrypto reads; its length, 0: none. */
static size_t ec_signature(
	const struct algorithm *algorithm, const uint8_t *signature, size_t len, uint8_t *out)
{
	size_t half = algorithm->half_len;

	if (len != 2 * half) {
		return 0;
	}
	BIGNUM *r = BN_bin2bn(signature, (int)half, NULL);
	BIGNUM *s = BN_bin2bn(signature + half, (int)half, NULL);
	ECDSA_SIG *both = ECDSA_SIG_new();
	int written = 0;
	if (r != NULL && s != NULL && both != NULL && ECDSA_SIG_set0(both, r, s) == 1) {
		r = s = NULL; /* they are its own now */
		if (i2d_ECDSA_SIG(both, NULL) <= (int)EC_DER_MAX) {
			written = i2d_ECDSA_SIG(both, &out);
		}
	}
	BN_free(r);
	BN_free(s);
	ECDSA_SIG_free(both);
	return written > 0 ? (size_t)written : 0;
}

bool signature_check(uint8_t number, const uint8_t *key_octets, size_t key_len, const uint8_t *data,
	size_t data_len, const uint8_t *signature, size_t signature_len)
{
	const struct algorithm *algorithm = find(number);
	uint8_t der[EC_DER_MAX];
	bool good = false;

	if (algorithm == NULL) {
		return false;
	}
	if (algorithm->family == FAMILY_EC) {
		signature_len = ec_signature(algorithm, signature, signature_len, der);
		signature = der;
	}
	EVP_PKEY *key = signature_len == 0 ? NULL : make_key(algorithm, key_octets, key_len);
	EVP_MD_CTX *context = key == NULL ? NULL : EVP_MD_CTX_new();
	if (context != NULL && EVP_DigestVerifyInit_ex(context, NULL, algorithm->digest, NULL, NULL,
				       key, NULL) == 1) {
		good = EVP_DigestVerify(context, signature, signature_len, data, data_len) == 1;
	}
	EVP_MD_CTX_free(context);
	EVP_PKEY_free(key);
	return good;
}

size_t signature_digest(
	uint8_t digest_type, const uint8_t *data, size_t len, uint8_t out[SIGNATURE_DIGEST_MAX])
{
	const EVP_MD *digest = digest_type == 1   ? EVP_sha1()
			       : digest_type == 2 ? EVP_sha256()
			       : digest_type == 4 ? EVP_sha384()
						  : NULL;
	unsigned written = 0;

	if (digest == NULL || EVP_Digest(data, len, out, &written, digest, NULL) != 1) {
		return 0;
	}
	return written;
}
