/* recorder.h - the intervals of a load test while it runs: each sender records its own, the run adds them up.
 *
 *     sender    | open | open | open |  ring: from the oldest interval with queries in flight to the newest
 *                  |  complete: its end has passed, nothing of it is in flight or still to come
 *                  v
 *     recorder_sink   adds up the senders' parts; with the last one an interval is finished
 *
 * An interval's latency has buckets of 1.6 %: three digits for each second would be a quarter of a megabyte each.
 *
 * memory  allocated by recorder_init(), but for some 250 octets an interval that is finished
 * thread  a recorder has one owner; of the sink those functions that say so may be called by any
 */
#ifndef SAKER_LOADGEN_RECORDER_H
#define SAKER_LOADGEN_RECORDER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "loadgen/interval.h"
#include "loadgen/schedule.h"

#define RECORDER_HALF    64u /* buckets a doubling */
#define RECORDER_BUCKETS ((HISTOGRAM_BITS - 5u) * RECORDER_HALF)

/* What is counted of one interval. */
struct recorder_part {
	uint64_t sent;
	uint64_t answered;
	uint64_t lost;
	uint64_t late;
	uint64_t interrupted;
	uint64_t odd;
	uint64_t rcodes[TALLY_RCODES];
	uint64_t latency_sum_ns;
	uint64_t latency_max_ns;
	uint64_t lateness_max_ns;
	uint32_t buckets[RECORDER_BUCKETS]; /* latencies of what is answered */
};

struct recorder_sink {
	pthread_mutex_t lock;
	struct schedule schedule;    /* [ro] */
	uint64_t limit;              /* [ro] queries that the schedule has in all */
	uint64_t length_ns;          /* [ro] of an interval */
	uint64_t timeout_ns;         /* [ro] what a lost query of an open loop counts as */
	uint32_t recorder_count;     /* [ro] */
	uint32_t cap;                /* [ro] of parts */
	struct recorder_part *parts; /* [mu] owns: a ring, by the interval's number */
	uint32_t *missing;           /* [mu] owns: recorders that have not told of it yet */
	uint64_t first;              /* [mu] the interval that is finished next */
	struct interval *intervals;  /* [mu] owns: [0..count) are finished */
	size_t intervals_cap;
	uint32_t count;
	bool is_full; /* [mu] no memory for more */
};

struct recorder {
	struct recorder_sink *sink;  /* borrows: the run's */
	struct recorder_part *parts; /* owns: a ring of sink->cap */
	uint64_t start_ns;
	uint64_t first;  /* number of the oldest open interval */
	uint64_t newest; /* and of the newest */
	uint64_t hot_ns; /* start of the interval asked for last, and its part */
	struct recorder_part *hot;
};

/* recorder_sink_init - limit: queries that the schedule has; UINT64_MAX: without end. errors: STATUS_MEMORY */
MUST_USE enum status recorder_sink_init(struct recorder_sink *sink, const struct schedule *schedule,
	uint64_t limit, uint64_t length_ns, uint64_t timeout_ns, uint32_t recorder_count);
void recorder_sink_fini(struct recorder_sink *sink);

/* recorder_sink_copy - up to max finished intervals from number from on; returns how many. Any thread. */
uint32_t recorder_sink_copy(
	struct recorder_sink *sink, uint64_t from, struct interval *out, uint32_t max);

/* recorder_sink_end - the run was over at end_ns after its start: cuts the last interval there.
 *
 * effect  every recorder has been finished; the intervals are the caller's, who frees them
 */
struct interval *recorder_sink_end(
	struct recorder_sink *sink, uint64_t end_ns, uint32_t *count_out);

/* recorder_init - errors: STATUS_MEMORY. */
MUST_USE enum status recorder_init(struct recorder *recorder, struct recorder_sink *sink);
void recorder_fini(struct recorder *recorder);

/* recorder_start - the first interval begins at start_ns, the same for all. */
void recorder_start(struct recorder *recorder, uint64_t start_ns);

/* recorder_sent, _answered, _lost, _interrupted - what becomes of a query that was due at due_ns.
 *
 * effect  each query sent must become one of the others once
 */
void recorder_sent(struct recorder *recorder, uint64_t due_ns, uint64_t lateness_ns);
void recorder_answered(
	struct recorder *recorder, uint64_t due_ns, uint64_t latency_ns, uint32_t rcode);
void recorder_lost(struct recorder *recorder, uint64_t due_ns);
void recorder_interrupted(struct recorder *recorder, uint64_t due_ns);

/* recorder_late, recorder_odd - an answer came at at_ns to a query that was given up, or to none. */
void recorder_late(struct recorder *recorder, uint64_t at_ns);
void recorder_odd(struct recorder *recorder, uint64_t at_ns);

/* recorder_advance - hands over what is complete: nothing that was due before floor_ns will be sent any more. */
void recorder_advance(struct recorder *recorder, uint64_t floor_ns);

/* recorder_finish - hands over all the rest: nothing is in flight. */
void recorder_finish(struct recorder *recorder, uint64_t end_ns);

#endif
