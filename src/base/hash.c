/* hash.c - the folding hash over runs of octets. */
#include "base/hash.h"

#include "base/check.h"

HOT uint64_t hash_octets(
	const struct hash_key *key, uint64_t state, const uint8_t *octets, uint32_t len)
{
	uint64_t a = 0, b = 0;

	state ^= len;
	while (len > 16) {
		memcpy(&a, octets, 8);
		memcpy(&b, octets + 8, 8);
		state = hash_fold(a ^ state, b ^ key->words[1]);
		octets += 16;
		len -= 16;
	}
	if (len >= 8) {
		memcpy(&a, octets, 8);
		memcpy(&b, octets + len - 8, 8);
	} else if (len >= 4) {
		uint32_t low, high;
		memcpy(&low, octets, 4);
		memcpy(&high, octets + len - 4, 4);
		a = low;
		b = high;
	} else if (len > 0) {
		a = (uint64_t)octets[0] << 16 | (uint64_t)octets[len >> 1] << 8 | octets[len - 1];
		b = 0;
	}
	return hash_fold(a ^ state, b ^ key->words[1]);
}
