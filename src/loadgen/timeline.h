/* timeline.h - queries with the times at which they are to be sent: what a replay plays.
 *
 * A reader of a capture calls timeline_add() for each query, in any order, and timeline_finish() at the end.
 *
 *     queries   | message | message | message | ...      as recorded; each gets a message ID of its own
 *     times_ns       0       1200      1200              since the first
 */
#ifndef SAKER_LOADGEN_TIMELINE_H
#define SAKER_LOADGEN_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "loadgen/queryfile.h"

struct timeline {
	struct queryfile queries;
	uint64_t *times_ns; /* owns: queries.count of them */
	size_t times_cap;
};

/* timeline_init - empty. errors: STATUS_MEMORY: nothing is left to be undone */
MUST_USE enum status timeline_init(struct timeline *timeline);
void timeline_fini(struct timeline *timeline);

/* timeline_add - one query, a whole message in wire form, seen at time_ns by any clock.
 *
 * errors  STATUS_REFUSED  not a query that can be sent (queryfile_add()); the caller counts it
 *         STATUS_MEMORY
 */
MUST_USE enum status timeline_add(
	struct timeline *timeline, uint64_t time_ns, const uint8_t *octets, uint32_t len);

/* timeline_finish - orders by time and lets the first be at 0. At least one was added.
 *
 * effect  queries of the same time stay in the order in which they were added
 * errors  STATUS_MEMORY
 * cost    nothing to speak of where they came in order, else a sort
 */
MUST_USE enum status timeline_finish(struct timeline *timeline);

#endif
