/* siphash.c - rounds over words of eight octets. */
#include "base/siphash.h"

#include <string.h>

struct state {
	uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotate(uint64_t word, unsigned bits)
{
	return word << bits | word >> (64 - bits);
}

static inline void mix(struct state *s)
{
	s->v0 += s->v1;
	s->v1 = rotate(s->v1, 13) ^ s->v0;
	s->v0 = rotate(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = rotate(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = rotate(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = rotate(s->v1, 17) ^ s->v2;
	s->v2 = rotate(s->v2, 32);
}

static inline uint64_t load(const uint8_t *at, size_t len)
{
	uint64_t word = 0;

	memcpy(&word, at, len);
	return word;
}

static inline uint64_t hash(
	const uint8_t *key, const uint8_t *at, size_t len, unsigned rounds, unsigned final)
{
	uint64_t k0 = load(key, 8), k1 = load(key + 8, 8);
	struct state s = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du,
		k0 ^ 0x6c7967656e657261u, k1 ^ 0x7465646279746573u};
	uint64_t last = (uint64_t)len << 56;

	for (; len >= 8; at += 8, len -= 8) {
		uint64_t word = load(at, 8);
		s.v3 ^= word;
		for (unsigned i = 0; i < rounds; i++) {
			mix(&s);
		}
		s.v0 ^= word;
	}
	last |= len == 0 ? 0 : load(at, len);
	s.v3 ^= last;
	for (unsigned i = 0; i < rounds; i++) {
		mix(&s);
	}
	s.v0 ^= last;
	s.v2 ^= 0xff;
	for (unsigned i = 0; i < final; i++) {
		mix(&s);
	}
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

uint64_t siphash_13(const uint8_t key[SIPHASH_KEY_LEN], const void *octets, size_t len)
{
	return hash(key, octets, len, 1, 3);
}

uint64_t siphash_24(const uint8_t key[SIPHASH_KEY_LEN], const void *octets, size_t len)
{
	return hash(key, octets, len, 2, 4);
}
