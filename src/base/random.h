/* random.h - a small fast generator (xoshiro256**) for what needs no secrecy, seeded by the caller.
 *
 * Not for IDs, ports or keys: those come from os/seed.h.
 * source  Blackman, Vigna: Scrambled Linear Pseudorandom Number Generators, 2021
 */
#ifndef SAKER_BASE_RANDOM_H
#define SAKER_BASE_RANDOM_H

#include <stdint.h>

struct random {
	uint64_t state[4];
};

/* random_init - the same seed gives the same numbers. */
void random_init(struct random *random, uint64_t seed);

uint64_t random_u64(struct random *random);

/* random_below - evenly spread over [0, bound); bound > 0. */
uint32_t random_below(struct random *random, uint32_t bound);

#endif
