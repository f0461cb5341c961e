/* hmac.h - keyed hashes, through libcrypto: for TSIG.
 *
 * memory  libcrypto allocates: not for the packet path
 * thread  a struct hmac has one owner
 * source  RFC 2104
 */
#ifndef SAKER_CRYPTO_HMAC_H
#define SAKER_CRYPTO_HMAC_H

#include <stddef.h>
#include <stdint.h>

#include "base/check.h"

#define HMAC_LEN_MAX 64u /* octets: SHA-512 */

struct hmac;

/* hmac_new - a key, ready to be used many times. digest: libcrypto's name, as in `SHA256`
 *
 * errors  NULL: no memory, or no such digest here
 */
MUST_USE struct hmac *hmac_new(const char *digest, const uint8_t *key, size_t key_len);
void hmac_free(struct hmac *hmac);

/* hmac_begin, hmac_add, hmac_end - the keyed hash of all that is added after one another; returns its length.
 *
 * cost    some two microseconds for a query (guess)
 */
void hmac_begin(struct hmac *hmac);
void hmac_add(struct hmac *hmac, const uint8_t *octets, size_t len);
uint32_t hmac_end(struct hmac *hmac, uint8_t out[HMAC_LEN_MAX]);

#endif
