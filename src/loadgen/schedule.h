/* schedule.h - when each query of a load test is to be sent.
 *
 * A closed loop has no times: the next query is due when another was answered. In an open loop the time of
 * the k-th query is fixed from the start, whoever sends it and however the server answers. So a server that stops
 * for a moment is asked meanwhile, and what waited then counts with all of its waiting.
 *
 *     rate    k / rate                    rate |________        ramp    rate |     ____
 *     ramp    rate grows in proportion         |                             |   /
 *             to time, then stays              |________ time                | /_______ time
 *     times   those of a recording, at a multiple of its speed
 *
 * thread  read-only once made
 * source  the term coordinated omission: Gil Tene, How NOT to Measure Latency, 2013
 */
#ifndef SAKER_LOADGEN_SCHEDULE_H
#define SAKER_LOADGEN_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define SCHEDULE_RATE_MIN 0.001 /* queries a second: one in a quarter of an hour */
#define SCHEDULE_RATE_MAX 1e8   /* ten ns a query: more than a machine can send */

enum schedule_kind {
	SCHEDULE_CLOSED, /* the zero value: a fixed number in flight */
	SCHEDULE_RATE,
	SCHEDULE_RAMP,
	SCHEDULE_TIMES
};

struct schedule {
	enum schedule_kind kind;
	double rate;              /* queries a second; of a ramp: at its end */
	uint64_t ramp_ns;         /* how long a ramp grows */
	const uint64_t *times_ns; /* borrows: ascending, the first is 0 */
	uint64_t time_count;
	double speed; /* of a recording: 2 halves every pause */
};

/* schedule_closed, schedule_rate, schedule_ramp, schedule_times - each kind.
 *
 * shape   rate, rate_end: SCHEDULE_RATE_MIN..SCHEDULE_RATE_MAX; times_ns: at least one; speed > 0
 */
struct schedule schedule_closed(void);
struct schedule schedule_rate(double rate);
struct schedule schedule_ramp(double rate_end, uint64_t ramp_ns);
struct schedule schedule_times(const uint64_t *times_ns, uint64_t time_count, double speed);

/* schedule_is_open - are there times? */
static inline bool schedule_is_open(const struct schedule *schedule)
{
	return schedule->kind != SCHEDULE_CLOSED;
}

/* schedule_due_ns - when query k (from 0) is due, counted from the start of the run.
 *
 * shape   an open schedule
 * effect  never falls as k grows. A recording that is gone through again begins anew one mean gap after its end
 */
uint64_t schedule_due_ns(const struct schedule *schedule, uint64_t k);

/* schedule_count - how many of the queries from, from + 1, ... are due by at_ns; at most limit.
 *
 * cost    a step a query counted
 */
uint32_t schedule_count(
	const struct schedule *schedule, uint64_t from, uint64_t at_ns, uint32_t limit);

/* schedule_first - the first query that is due at at_ns or later. */
uint64_t schedule_first(const struct schedule *schedule, uint64_t at_ns);

/* schedule_rate_at - queries a second that are offered at a time after the start; of a recording: its mean. */
double schedule_rate_at(const struct schedule *schedule, uint64_t at_ns);

#endif
