/* signature.c - keys and signatures from DNS form to libcrypto's. */
#include "crypto/signature.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/params.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

#define EC_POINT_MAX (1u + 2 * 48)
#define EC_DER_MAX   128u
#define POINT_PLAIN  4u /* a point follows with both coordinates, SEC 1 sec 2.3.3 */

enum family { FAMILY_NONE, FAMILY_RSA, FAMILY_EC, FAMILY_ED };

static const struct algorithm {
	enum family family;
	size_t digest_len; /* octets; 0: the algorithm has its own */
	const char *group;
	size_t half_len; /* EC: of a coordinate, and of r and s; ED: of the key */
	int raw_type;
} algorithms[] = {
	[SIGNATURE_RSASHA1] = {FAMILY_RSA, SHA_DIGEST_LENGTH, NULL, 0, 0},
	[SIGNATURE_RSASHA1_NSEC3] = {FAMILY_RSA, SHA_DIGEST_LENGTH, NULL, 0, 0},
	[SIGNATURE_RSASHA256] = {FAMILY_RSA, SHA256_DIGEST_LENGTH, NULL, 0, 0},
	[SIGNATURE_RSASHA512] = {FAMILY_RSA, SHA512_DIGEST_LENGTH, NULL, 0, 0},
	[SIGNATURE_ECDSAP256] = {FAMILY_EC, SHA256_DIGEST_LENGTH, "P-256", 32, 0},
	[SIGNATURE_ECDSAP384] = {FAMILY_EC, SHA384_DIGEST_LENGTH, "P-384", 48, 0},
	[SIGNATURE_ED25519] = {FAMILY_ED, 0, NULL, 32, EVP_PKEY_ED25519},
	[SIGNATURE_ED448] = {FAMILY_ED, 0, NULL, 57, EVP_PKEY_ED448},
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

/* A key, and for RSA and ECDSA a context that is ready to verify with it. */
struct ready_key {
	EVP_PKEY *key;
	EVP_PKEY_CTX *context;
	uint8_t algorithm;
	size_t len;
	uint8_t *octets; /* owns: as in the DNSKEY */
};

struct signature_keys {
	struct ready_key items[SIGNATURE_KEYS_MAX];
};

static void clear(struct ready_key *ready)
{
	EVP_PKEY_CTX_free(ready->context);
	EVP_PKEY_free(ready->key);
	free(ready->octets);
	*ready = (struct ready_key){.len = 0};
}

struct signature_keys *signature_keys_new(void)
{
	return calloc(1, sizeof(struct signature_keys));
}

void signature_keys_free(struct signature_keys *keys)
{
	for (uint32_t i = 0; keys != NULL && i < SIGNATURE_KEYS_MAX; i++) {
		clear(&keys->items[i]);
	}
	free(keys);
}

static const EVP_MD *digest_md(const struct algorithm *algorithm)
{
	return algorithm->digest_len == SHA_DIGEST_LENGTH      ? EVP_sha1()
	       : algorithm->digest_len == SHA256_DIGEST_LENGTH ? EVP_sha256()
	       : algorithm->digest_len == SHA384_DIGEST_LENGTH ? EVP_sha384()
							       : EVP_sha512();
}

static bool make_ready(
	struct ready_key *ready, const struct algorithm *algorithm, const uint8_t *key, size_t len)
{
	ready->key = make_key(algorithm, key, len);
	if (ready->key == NULL || algorithm->family == FAMILY_ED) {
		return ready->key != NULL;
	}
	ready->context = EVP_PKEY_CTX_new(ready->key, NULL);
	if (ready->context == NULL || EVP_PKEY_verify_init(ready->context) != 1) {
		return false;
	}
	if (algorithm->family == FAMILY_RSA &&
		EVP_PKEY_CTX_set_rsa_padding(ready->context, RSA_PKCS1_PADDING) != 1) {
		return false;
	}
	return EVP_PKEY_CTX_set_signature_md(ready->context, digest_md(algorithm)) == 1;
}

static uint32_t place_of(const uint8_t *key, size_t len)
{
	uint32_t hash = 2166136261u;

	/* The end of a key is as random as any part of it. */
	for (size_t i = len > 16 ? len - 16 : 0; i < len; i++) {
		hash = (hash ^ key[i]) * 16777619u;
	}
	return hash % SIGNATURE_KEYS_MAX;
}

/* The key out of the list, where it is put if it is not there; NULL: it is none. */
static struct ready_key *find_key(struct signature_keys *keys, const struct algorithm *algorithm,
	uint8_t number, const uint8_t *key, size_t len)
{
	struct ready_key *ready = &keys->items[place_of(key, len)];

	if (ready->key != NULL && ready->algorithm == number && ready->len == len &&
		memcmp(ready->octets, key, len) == 0) {
		return ready;
	}
	clear(ready);
	ready->octets = malloc(len == 0 ? 1 : len);
	if (ready->octets == NULL || !make_ready(ready, algorithm, key, len)) {
		clear(ready);
		return NULL;
	}
	memcpy(ready->octets, key, len);
	ready->algorithm = number;
	ready->len = len;
	return ready;
}

static void digest(const struct algorithm *algorithm, const uint8_t *data, size_t len, uint8_t *out)
{
	switch (algorithm->digest_len) {
	case SHA_DIGEST_LENGTH:
		SHA1(data, len, out);
		break;
	case SHA256_DIGEST_LENGTH:
		SHA256(data, len, out);
		break;
	case SHA384_DIGEST_LENGTH:
		SHA384(data, len, out);
		break;
	default:
		SHA512(data, len, out);
		break;
	}
}

static bool check_ed(EVP_PKEY *key, const uint8_t *data, size_t data_len, const uint8_t *signature,
	size_t signature_len)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	bool good = context != NULL &&
		    EVP_DigestVerifyInit_ex(context, NULL, NULL, NULL, NULL, key, NULL) == 1 &&
		    EVP_DigestVerify(context, signature, signature_len, data, data_len) == 1;

	EVP_MD_CTX_free(context);
	return good;
}

bool signature_check(struct signature_keys *keys, uint8_t number, const uint8_t *key_octets,
	size_t key_len, const uint8_t *data, size_t data_len, const uint8_t *signature,
	size_t signature_len)
{
	const struct algorithm *algorithm = find(number);
	struct ready_key own = {.len = 0};
	struct ready_key *ready = &own;
	uint8_t der[EC_DER_MAX], hash[SHA512_DIGEST_LENGTH];
	bool good = false;

	if (algorithm == NULL) {
		return false;
	}
	if (algorithm->family == FAMILY_EC) {
		signature_len = ec_signature(algorithm, signature, signature_len, der);
		signature = der;
	}
	if (signature_len == 0) {
		return false;
	}
	if (keys != NULL) {
		ready = find_key(keys, algorithm, number, key_octets, key_len);
	} else if (!make_ready(&own, algorithm, key_octets, key_len)) {
		ready = NULL;
	}
	if (ready != NULL && algorithm->family == FAMILY_ED) {
		good = check_ed(ready->key, data, data_len, signature, signature_len);
	} else if (ready != NULL) {
		digest(algorithm, data, data_len, hash);
		good = EVP_PKEY_verify(ready->context, signature, signature_len, hash,
			       algorithm->digest_len) == 1;
	}
	clear(&own);
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
