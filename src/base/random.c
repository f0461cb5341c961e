/* random.c - xoshiro256**, seeded through splitmix64. */
#include "base/random.h"

#include "base/check.h"

static uint64_t rotl(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

void random_init(struct random *random, uint64_t seed)
{
	for (int i = 0; i < 4; i++) {
		seed += 0x9e3779b97f4a7c15u;
		uint64_t z = seed;
		z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
		z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
		random->state[i] = z ^ (z >> 31);
	}
}

uint64_t random_u64(struct random *random)
{
	uint64_t *s = random->state;
	uint64_t out = rotl(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotl(s[3], 45);
	return out;
}

uint32_t random_below(struct random *random, uint32_t bound)
{
	DASSERT(bound > 0);
	return (uint32_t)(((random_u64(random) >> 32) * bound) >> 32);
}
