/* zipf.h - draws ranks whose frequency falls with a power of the rank: how popular names are.
 *
 *     P(rank k) ~ 1 / (k + 1)^s         s = 0: all alike; near 1: what resolvers and servers see
 *
 * memory  eight octets a rank, none where s is 0
 * thread  read-only once made; the random numbers are the caller's
 * source  Jung, Sit, Balakrishnan, Morris: DNS Performance and the Effectiveness of Caching, 2002, sec 4.3
 */
#ifndef SAKER_LOADGEN_ZIPF_H
#define SAKER_LOADGEN_ZIPF_H

#include <stdint.h>

#include "base/check.h"
#include "base/random.h"
#include "base/status.h"

#define ZIPF_EXPONENT_MAX 10.0 /* above, all is the first rank */

struct zipf {
	double *sums; /* owns: of the weights up to each rank; NULL: all alike */
	uint32_t count;
};

/* zipf_init - ranks 0..count - 1, count > 0; 0 <= exponent <= ZIPF_EXPONENT_MAX. errors: STATUS_MEMORY */
MUST_USE enum status zipf_init(struct zipf *zipf, uint32_t count, double exponent);
void zipf_fini(struct zipf *zipf);

/* zipf_draw - a rank. cost: O(log count) */
uint32_t zipf_draw(const struct zipf *zipf, struct random *random);

/* zipf_unit - a number in [0, 1) with 53 random bits. */
double zipf_unit(struct random *random);

#endif
