/* interval.h - what became of the queries that were due in one second of a load test.
 *
 * A query and its answer count where the query was due (in a closed loop: sent), so that the loss of an interval
 * is a share of what that interval offered, as resperf plots it. What has no query, such as an unmatched
 * answer, counts where it came.
 *
 *     sent  =  answered  +  lost  +  interrupted          late is the part of lost that was answered after all
 */
#ifndef SAKER_LOADGEN_INTERVAL_H
#define SAKER_LOADGEN_INTERVAL_H

#include <stdint.h>

#include "loadgen/tally.h"

struct interval {
	uint64_t start_ns; /* since the start of the run */
	uint64_t length_ns;
	uint64_t due;  /* queries that the schedule had for it; in a closed loop: sent */
	uint64_t sent; /* of those; the others the tool did not get out */
	uint64_t answered;
	uint64_t lost;
	uint64_t late;
	uint64_t interrupted;
	uint64_t odd; /* answers that are none: duplicate, mismatched, unmatched, malformed */
	uint64_t rcodes[TALLY_RCODES];
	/* Of timely answers; of an open loop also of the lost, each with the time-out. All 0 where there are none. */
	uint64_t latency_mean_ns;
	uint64_t latency_p50_ns;
	uint64_t latency_p99_ns;
	uint64_t latency_max_ns;
	uint64_t answered_mean_ns; /* of timely answers alone */
	uint64_t lateness_max_ns;  /* sent after it was due */
};

#endif
