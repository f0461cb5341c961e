/* sha1.c - NSEC3 hashes by libcrypto. */
#include "crypto/sha1.h"

#include <openssl/evp.h>
#include <stdlib.h>

struct sha1 {
	EVP_MD *digest;      /* owns */
	EVP_MD_CTX *context; /* owns */
};

struct sha1 *sha1_new(void)
{
	struct sha1 *sha1 = calloc(1, sizeof(*sha1));

	if (sha1 == NULL) {
		return NULL;
	}
	sha1->digest = EVP_MD_fetch(NULL, "SHA1", NULL);
	sha1->context = EVP_MD_CTX_new();
	/* The first initialisation allocates the digest's state; later ones reuse it. */
	if (sha1->digest == NULL || sha1->context == NULL ||
		EVP_DigestInit_ex2(sha1->context, sha1->digest, NULL) != 1) {
		sha1_free(sha1);
		return NULL;
	}
	return sha1;
}

void sha1_free(struct sha1 *sha1)
{
	if (sha1 != NULL) {
		EVP_MD_CTX_free(sha1->context);
		EVP_MD_free(sha1->digest);
		free(sha1);
	}
}

void sha1_nsec3(struct sha1 *sha1, const uint8_t *name, uint32_t name_len, const uint8_t *salt,
	uint32_t salt_len, uint32_t iterations, uint8_t out[SHA1_LEN])
{
	const uint8_t *input = name;
	size_t input_len = name_len;

	for (uint32_t round = 0; round <= iterations; round++) {
		int ok = EVP_DigestInit_ex2(sha1->context, NULL, NULL);
		ok &= EVP_DigestUpdate(sha1->context, input, input_len);
		ok &= EVP_DigestUpdate(sha1->context, salt, salt_len);
		ok &= EVP_DigestFinal_ex(sha1->context, out, NULL);
		ASSERT(ok == 1); /* a digest of memory fails only where it was not set up */
		input = out;
		input_len = SHA1_LEN;
	}
}
