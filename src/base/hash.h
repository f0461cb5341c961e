/* hash.h - a keyed hash of labels, folded from the root downwards, so that one pass over a name gives
 * the hash of every suffix.
 *
 * Each step folds a 128-bit product. The key is random for each installation, so that nobody can
 * choose names that collide; it is no cryptographic hash and protects nothing else.
 */
#ifndef SAKER_BASE_HASH_H
#define SAKER_BASE_HASH_H

#include <stdint.h>
#include <string.h>

struct hash_key {
	uint64_t words[2];
};

static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 product = (unsigned __int128)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* hash_root - the hash of the root name, where every name starts. */
static inline uint64_t hash_root(const struct hash_key *key)
{
	return key->words[0];
}

/* hash_octets - folds octets[0..len) into state.
 *
 * cost  one multiplication for 16 octets
 */
uint64_t hash_octets(
	const struct hash_key *key, uint64_t state, const uint8_t *octets, uint32_t len);

#define HASH_PADDING 16u /* octets that hash_padded() may read behind what it hashes */

/* The first len octets of a word, the others zero; len 1..8. */
static inline uint64_t hash_mask(uint64_t word, uint32_t len)
{
	return word & (UINT64_MAX >> (64 - 8 * len));
}

/* hash_padded - the same where HASH_PADDING more octets can be read: no branches on the length of a usual label.
 *
 * shape  len 1..63
 */
static inline uint64_t hash_padded(
	const struct hash_key *key, uint64_t state, const uint8_t *octets, uint32_t len)
{
	uint64_t a, b;

	if (len > 16) {
		return hash_octets(key, state, octets, len);
	}
	memcpy(&a, octets, 8);
	memcpy(&b, octets + 8, 8);
	if (len <= 8) {
		a = hash_mask(a, len);
		b = 0;
	} else {
		b = hash_mask(b, len - 8);
	}
	return hash_fold(a ^ state ^ len, b ^ key->words[1]);
}

#endif
