/* hmac.c - one EVP_MAC_CTX, begun again and again: without a key, libcrypto takes the one that it has. */
#include "crypto/hmac.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>

struct hmac {
	EVP_MAC_CTX *context;
};

struct hmac *hmac_new(const char *digest, const uint8_t *key, size_t key_len)
{
	struct hmac *hmac = calloc(1, sizeof(*hmac));
	EVP_MAC *mac = EVP_MAC_fetch(NULL, OSSL_MAC_NAME_HMAC, NULL);
	char name[16];
	OSSL_PARAM parameters[2] = {OSSL_PARAM_END, OSSL_PARAM_END};

	snprintf(name, sizeof(name), "%s", digest); /* which libcrypto wants to be writable */
	parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0);
	if (hmac != NULL && mac != NULL) {
		hmac->context = EVP_MAC_CTX_new(mac);
	}
	EVP_MAC_free(mac); /* the context has its own reference */
	if (hmac == NULL || hmac->context == NULL ||
		EVP_MAC_init(hmac->context, key, key_len, parameters) != 1) {
		hmac_free(hmac);
		return NULL;
	}
	return hmac;
}

void hmac_free(struct hmac *hmac)
{
	if (hmac != NULL) {
		EVP_MAC_CTX_free(hmac->context);
		free(hmac);
	}
}

void hmac_begin(struct hmac *hmac)
{
	bool is_begun = EVP_MAC_init(hmac->context, NULL, 0, NULL) == 1;

	ASSERT(is_begun); /* it was with the same key */
}

void hmac_add(struct hmac *hmac, const uint8_t *octets, size_t len)
{
	bool is_added = EVP_MAC_update(hmac->context, octets, len) == 1;

	ASSERT(is_added);
}

uint32_t hmac_end(struct hmac *hmac, uint8_t out[HMAC_LEN_MAX])
{
	size_t len = 0;
	bool is_made = EVP_MAC_final(hmac->context, out, &len, HMAC_LEN_MAX) == 1;

	ASSERT(is_made);
	return (uint32_t)len;
}
