/* siphash.h - SipHash-1-3 and SipHash-2-4: a keyed hash that nobody without the key can foresee.
 *
 * thread  no shared state
 * source  Aumasson, Bernstein: SipHash, 2012; RFC 9018 sec 4.4 uses 2-4 for cookies
 */
#ifndef SAKER_BASE_SIPHASH_H
#define SAKER_BASE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

#define SIPHASH_KEY_LEN 16u

/* siphash_13 - for tables. siphash_24 - where the result goes out. cost: about a ns for 8 octets */
uint64_t siphash_13(const uint8_t key[SIPHASH_KEY_LEN], const void *octets, size_t len);
uint64_t siphash_24(const uint8_t key[SIPHASH_KEY_LEN], const void *octets, size_t len);

#endif
