/* bootstrap.h - is a difference between two runs more than noise? Told from how their intervals differ among themselves.
 *
 * A figure is a ratio of sums over intervals: answers over seconds, lost over sent. It is computed again and again
 * from intervals drawn at random, with replacement; the middle 95 % of what comes out is the interval of confidence.
 * Neighbours are drawn together, in blocks of the cube root of their number: what slows one second down slows the next.
 *
 *     intervals   1 2 3 4 5 6 7 8        a draw   4 5 | 8 1 | 4 5 | 2 3         blocks wrap around
 *
 * Where a side has several runs, runs are drawn first and intervals from each: how runs differ among themselves, from a
 * restart or a neighbour on the machine, is noise as well, and usually the larger part of it.
 *
 * The draws come from a fixed seed: the same reports give the same words.
 *
 * thread  no shared state
 * source  Efron, Tibshirani: An Introduction to the Bootstrap, 1993, ch. 13; Politis, Romano: A Circular Block-Resampling
 *         Procedure for Stationary Data, 1992
 */
#ifndef SAKER_LOADGEN_BOOTSTRAP_H
#define SAKER_LOADGEN_BOOTSTRAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

#define BOOTSTRAP_DRAWS                                                                            \
	2000u /* the ends of 95 % are then known to a tenth of their distance or so */
#define BOOTSTRAP_INTERVALS_MIN 5u /* below, there is nothing to draw from; a guess */

/* What one interval adds to the two sums. */
struct bootstrap_part {
	double above;
	double below;
};

struct bootstrap_run {
	const struct bootstrap_part *parts; /* borrows until the call returns */
	uint32_t count;                     /* of intervals */
};

struct bootstrap_side {
	const struct bootstrap_run *runs; /* borrows until the call returns */
	uint32_t run_count;
};

struct bootstrap_result {
	double value; /* from all intervals, as they are */
	double low;
	double high;
	bool is_known; /* false: too few intervals, or a figure of 0 to divide by; low and high mean nothing */
};

/* bootstrap_ratio - b's figure divided by a's; bootstrap_difference - b's less a's.
 *
 * errors  STATUS_MEMORY
 * cost    BOOTSTRAP_DRAWS passes over both
 */
MUST_USE enum status bootstrap_ratio(const struct bootstrap_side *a, const struct bootstrap_side *b,
	struct bootstrap_result *out);
MUST_USE enum status bootstrap_difference(const struct bootstrap_side *a,
	const struct bootstrap_side *b, struct bootstrap_result *out);

/* bootstrap_figure - one side's figure; 0 where it divides by nothing. */
double bootstrap_figure(const struct bootstrap_side *side);

#endif
