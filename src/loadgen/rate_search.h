/* rate_search.h - the highest rate at which a server still reaches its goals, and how sure that is.
 *
 *     1. short trials double the rate until one fails, then halve the gap (by the geometric mean)
 *     2. long trials confirm the highest rate that held; where one fails, the next lower rate is confirmed
 *
 * A short trial that fails is made once more, so that a hiccup of the machine does not hide half of the range; three
 * times more where the tool was late, so that it may be to blame. Goals that were reached although the tool was late
 * were reached: what it was late is in the latency.
 *
 * The strategy (rate_search_step()) knows neither sockets nor clocks, so its tests make servers up.
 *
 * thread  as run_load()
 */
#ifndef SAKER_LOADGEN_RATE_SEARCH_H
#define SAKER_LOADGEN_RATE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "loadgen/run.h"

/* What a rate must reach. */
struct rate_search_goals {
	double loss; /* part of what was sent that may be lost; negative: any */
	uint64_t
		p50_ns; /* latency that so many must not exceed; 0: no goal. The lost count with the time-out */
	uint64_t p99_ns;
	uint64_t p99_9_ns;
};

struct rate_search_config {
	struct rate_search_goals goals;
	double from; /* queries a second, 0 < from <= to */
	double to;
	double resolution; /* 0.05: the rate that failed is at most 5 % above the one that held */
	uint64_t trial_ns;
	uint64_t confirm_ns;
	uint32_t confirmations;
	void (*trial)(void *context, const struct run_point *point); /* after each; or NULL */
	void *context;                                               /* borrows: the caller's */
};

/* Where a search is. Zero but for config at the start. */
struct rate_search {
	const struct rate_search_config *config; /* borrows */
	double held;                             /* the highest rate that held; 0: none yet */
	double failed;                           /* the lowest that failed; 0: none yet */
	bool is_confirming;
	uint32_t repeat_count; /* trials at the last rate that failed */
	uint32_t held_count;   /* confirmations at held */
	uint32_t round;        /* rates that could not be confirmed */
	bool is_done;
};

/* What to try next. */
struct rate_search_next {
	double rate;
	bool is_long;
};

/* How a trial went. */
enum rate_search_outcome {
	RATE_SEARCH_HELD,
	RATE_SEARCH_FAILED,
	RATE_SEARCH_UNCLEAR /* failed, and the tool was late: it may be to blame */
};

/* rate_search_reaches - does a point reach the goals? */
bool rate_search_reaches(const struct rate_search_goals *goals, const struct run_point *point);

/* rate_search_begin - the first trial. */
struct rate_search_next rate_search_begin(
	struct rate_search *search, const struct rate_search_config *config);

/* rate_search_step - the trial that was asked for last is made; returns the next, unless search->is_done then. */
struct rate_search_next rate_search_step(
	struct rate_search *search, struct rate_search_next last, enum rate_search_outcome outcome);

/* rate_search_run - makes the trials; out->points are all of them, point_best the last confirmation that held at the rate
 * found, point_above the lowest rate that failed.
 *
 * errors  as run_load(); run_result_fini() undoes either
 */
MUST_USE enum status rate_search_run(const struct run_config *base,
	const struct rate_search_config *config, struct run_result *out);

#endif
