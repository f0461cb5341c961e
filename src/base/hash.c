/* hash.c - the folding hash over runs of octets. */
#include "base/hash.h"

#include <string.h>

#include "base/check.h"

/* Up to 8 octets as a word, zero behind them. */
static inline uint64_t load(const uint8_t *octets, uint32_t len)
{
	uint64_t word = 0;

	memcpy(&word, octets, len < 8 ? len : 8);
	return word;
}

HOT uint64_t hash_octets(
	const struct hash_key *key, uint64_t state, const uint8_t *octets, uint32_t len)
{
	state ^= len;
	while (len > 16) {
		state = hash_fold(load(octets, 8) ^ state, load(octets + 8, 8) ^ key->words[1]);
		octets += 16;
		len -= 16;
	}
	return hash_fold(load(octets, len) ^ state,
		(len > 8 ? load(octets + 8, len - 8) : 0) ^ key->words[1]);
}
