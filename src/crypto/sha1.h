/* sha1.h - SHA-1 for the hashed owner names of NSEC3, through libcrypto.
 *
 * thread  no shared state
 */
#ifndef SAKER_CRYPTO_SHA1_H
#define SAKER_CRYPTO_SHA1_H

#include <stdint.h>

#include "base/check.h"

#define SHA1_LEN 20u

/* sha1_nsec3 - the hash of an owner name.
 *
 * shape   name: wire form, lower case, with its root label; salt_len 0..255
 * cost    iterations + 1 rounds of SHA-1 by the processor's own instructions where it has them; no allocation
 * source  RFC 5155 sec 5
 */
void sha1_nsec3(const uint8_t *name, uint32_t name_len, const uint8_t *salt, uint32_t salt_len,
	uint32_t iterations, uint8_t out[SHA1_LEN]);

#endif
