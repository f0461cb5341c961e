/* signer.c - libcrypto signs. */
#include "replay/signer.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/octets.h"
#include "dnssec/keyset.h"
#include "wire/rrset.h"
#include "wire/wire.h"

#define POINT_LEN 65u
#define HALF_LEN  32u
#define FLAGS     257u
#define PROTOCOL  3u
#define REVOKE    0x80u /* of the second octet of the flags, RFC 5011 sec 7 */
#define ALGORITHM 13u
#define SCALAR_BASE                                                                                \
	0x5a4b3c2d1e0fULL /* private keys are this and the next ones: nobody trusts them */

static struct key {
	EVP_PKEY *pair;
	uint8_t dnskey[SIGNER_DNSKEY_LEN];
	uint16_t tag;
} keys[SIGNER_KEYS];

static void make_key(uint32_t number)
{
	struct key *key = &keys[number];
	uint8_t point[POINT_LEN];
	char curve[] = "P-256";
	EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
	EC_POINT *public = EC_POINT_new(group);
	BIGNUM *scalar = BN_new();
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();

	ASSERT(BN_set_word(scalar, SCALAR_BASE + number) == 1);
	ASSERT(EC_POINT_mul(group, public, scalar, NULL, NULL, NULL) == 1);
	ASSERT(EC_POINT_point2oct(group, public, POINT_CONVERSION_UNCOMPRESSED, point,
		       sizeof(point), NULL) == POINT_LEN);
	ASSERT(OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, curve, 0) == 1);
	ASSERT(OSSL_PARAM_BLD_push_octet_string(
		       build, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point)) == 1);
	ASSERT(OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1);
	OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
	EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
	ASSERT(params != NULL && context != NULL && EVP_PKEY_fromdata_init(context) == 1);
	ASSERT(EVP_PKEY_fromdata(context, &key->pair, EVP_PKEY_KEYPAIR, params) == 1);
	EVP_PKEY_CTX_free(context);
	OSSL_PARAM_free(params);
	OSSL_PARAM_BLD_free(build);
	BN_free(scalar);
	EC_POINT_free(public);
	EC_GROUP_free(group);
	octets_put_u16(key->dnskey, FLAGS);
	key->dnskey[2] = PROTOCOL;
	key->dnskey[3] = ALGORITHM;
	memcpy(key->dnskey + 4, point + 1, POINT_LEN - 1);
	key->tag =
		keyset_tag(&(struct rrset_rdata){.octets = key->dnskey, .len = SIGNER_DNSKEY_LEN});
}

static struct key *key_of(uint32_t number)
{
	ASSERT(number < SIGNER_KEYS);
	if (keys[number].pair == NULL) {
		make_key(number);
	}
	return &keys[number];
}

void signer_dnskey(uint32_t key, uint8_t out[SIGNER_DNSKEY_LEN])
{
	memcpy(out, key_of(key)->dnskey, SIGNER_DNSKEY_LEN);
}

static void sign_octets(
	EVP_PKEY *pair, const uint8_t *octets, size_t len, uint8_t out[2 * HALF_LEN])
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	uint8_t der[128];
	const uint8_t *at = der;
	size_t der_len = sizeof(der);

	ASSERT(EVP_DigestSignInit_ex(context, NULL, "SHA256", NULL, NULL, pair, NULL) == 1);
	ASSERT(EVP_DigestSign(context, der, &der_len, octets, len) == 1);
	ECDSA_SIG *both = d2i_ECDSA_SIG(NULL, &at, (long)der_len);
	ASSERT(both != NULL);
	ASSERT(BN_bn2binpad(ECDSA_SIG_get0_r(both), out, HALF_LEN) == HALF_LEN);
	ASSERT(BN_bn2binpad(ECDSA_SIG_get0_s(both), out + HALF_LEN, HALF_LEN) == HALF_LEN);
	ECDSA_SIG_free(both);
	EVP_MD_CTX_free(context);
}

static uint16_t revoked_tag(const struct key *key)
{
	uint8_t dnskey[SIGNER_DNSKEY_LEN];

	memcpy(dnskey, key->dnskey, sizeof(dnskey));
	dnskey[1] |= REVOKE;
	return keyset_tag(&(struct rrset_rdata){.octets = dnskey, .len = sizeof(dnskey)});
}

uint32_t signer_sign(const struct signer_terms *terms, const struct name *owner, uint16_t type,
	const struct signer_rdata *records, uint32_t count, uint8_t out[SIGNER_SIG_MAX])
{
	const struct key *key = key_of(terms->key);
	bool wild = owner->len > 2 && owner->octets[0] == 1 && owner->octets[1] == '*';
	uint32_t head_len = RRSIG_FIXED_LEN + terms->zone->len;
	size_t len = head_len;

	octets_put_u16(out, type);
	out[2] = ALGORITHM;
	out[3] = (uint8_t)(owner->label_count - wild);
	octets_put_u32(out + 4, terms->ttl);
	octets_put_u32(out + 8, terms->expiration);
	octets_put_u32(out + 12, terms->inception);
	octets_put_u16(out + 16, terms->revoked ? revoked_tag(key) : key->tag);
	memcpy(out + RRSIG_FIXED_LEN, terms->zone->octets, terms->zone->len);
	for (uint32_t i = 0; i < count; i++) {
		len += owner->len + 10u + records[i].len;
	}
	uint8_t *octets = malloc(len);
	ASSERT(octets != NULL);
	memcpy(octets, out, head_len);
	uint8_t *at = octets + head_len;
	for (uint32_t i = 0; i < count; i++) {
		memcpy(at, owner->octets, owner->len);
		at += owner->len;
		octets_put_u16(at, type);
		octets_put_u16(at + 2, CLASS_IN);
		octets_put_u32(at + 4, terms->ttl);
		octets_put_u16(at + 8, (uint16_t)records[i].len);
		memcpy(at + 10, records[i].octets, records[i].len);
		at += 10 + records[i].len;
	}
	sign_octets(key->pair, octets, len, out + head_len);
	free(octets);
	return head_len + 2 * HALF_LEN;
}

void signer_fini(void)
{
	for (uint32_t i = 0; i < SIGNER_KEYS; i++) {
		EVP_PKEY_free(keys[i].pair);
		keys[i].pair = NULL;
	}
}
