/* verifier.h - a validator behind the resolver: does what a client with DO got hold by itself?
 *
 * It has the keys of all zones, and nothing but the octets of the answer: each set of it that should be signed has to be,
 * and each denial and each name made from a wildcard proven, wherever the resolver took the proofs from.
 *
 * source  RFC 4035 sec 5.3 and 5.4, RFC 5155 sec 8, RFC 8198
 */
#ifndef SAKER_TESTS_VERIFIER_H
#define SAKER_TESTS_VERIFIER_H

#include <stdint.h>

#include "replay/truth.h"
#include "replay/world.h"

/* verifier_check - NULL, or what does not hold.
 *
 * shape   octets: an answer with DO that truth_compare() found right, and that is whole; wall_s: when it came
 */
const char *verifier_check(struct world *world, const struct truth *truth, uint16_t type,
	const uint8_t *octets, uint32_t len, int64_t wall_s);

#endif
