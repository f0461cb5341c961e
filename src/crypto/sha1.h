/* sha1.h - SHA-1 for the hashed owner names of NSEC3, through libcrypto.
 *
 * thread  a struct sha1 has one owner
 */
#ifndef SAKER_CRYPTO_SHA1_H
#define SAKER_CRYPTO_SHA1_H

#include <stdint.h>

#include "base/check.h"

#define SHA1_LEN 20u

struct sha1;

/* sha1_new - a context to be reused; NULL where there is no memory. */
MUST_USE struct sha1 *sha1_new(void);
void sha1_free(struct sha1 *sha1);

/* sha1_nsec3 - the hash of an owner name.
 *
 * shape   name: wire form, lower case, with its root label; salt_len 0..255
 * cost    iterations + 1 rounds of SHA-1, no allocation
 * source  RFC 5155 sec 5
 */
void sha1_nsec3(struct sha1 *sha1, const uint8_t *name, uint32_t name_len, const uint8_t *salt,
	uint32_t salt_len, uint32_t iterations, uint8_t out[SHA1_LEN]);

#endif
