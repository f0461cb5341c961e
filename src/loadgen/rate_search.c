/* rate_search.c - doubling, halving, confirming. */
#include "loadgen/rate_search.h"

#include <math.h>
#include <stddef.h>

#include "loadgen/schedule.h"
#include "loadgen/trial.h"

/* Rates that failed their confirmation before the search gives up; each was a step lower. A guess. */
#define ROUNDS_MAX 12u
/* Times that a short trial is made again, and any trial in which the tool was late. */
#define FAILED_MAX  1u
#define UNCLEAR_MAX 3u
/* A trial that got less than this of its queries out tried another rate. */
#define SENT_LIMIT 0.999

bool rate_search_reaches(const struct rate_search_goals *goals, const struct run_point *point)
{
	if (point->answered == 0 || (double)point->sent < SENT_LIMIT * (double)point->due) {
		return false;
	}
	return (goals->loss < 0 || (double)point->lost <= goals->loss * (double)point->sent) &&
	       (goals->p50_ns == 0 || point->latency_p50_ns <= goals->p50_ns) &&
	       (goals->p99_ns == 0 || point->latency_p99_ns <= goals->p99_ns) &&
	       (goals->p99_9_ns == 0 || point->latency_p99_9_ns <= goals->p99_9_ns);
}

static struct rate_search_next confirm(struct rate_search *search)
{
	search->is_confirming = true;
	search->held_count = 0;
	return (struct rate_search_next){.rate = search->held, .is_long = true};
}

static struct rate_search_next give_up(struct rate_search *search)
{
	search->is_done = true;
	search->held = search->is_confirming && search->held_count == 0 ? 0 : search->held;
	return (struct rate_search_next){0};
}

/* The next short trial, or the first confirmation where the gap is small enough. */
static struct rate_search_next narrow(struct rate_search *search)
{
	const struct rate_search_config *config = search->config;
	double rate;

	if (search->failed == 0) {
		if (search->held >= config->to) {
			return confirm(search);
		}
		rate = search->held * 2;
		return (struct rate_search_next){.rate = rate < config->to ? rate : config->to};
	}
	if (search->held == 0) {
		rate = search->failed / 2;
		return rate < SCHEDULE_RATE_MIN ? give_up(search)
						: (struct rate_search_next){.rate = rate};
	}
	if (search->failed <= search->held * (1 + config->resolution)) {
		return confirm(search);
	}
	return (struct rate_search_next){.rate = sqrt(search->held * search->failed)};
}

struct rate_search_next rate_search_begin(
	struct rate_search *search, const struct rate_search_config *config)
{
	*search = (struct rate_search){.config = config};
	return (struct rate_search_next){.rate = config->from};
}

/* A confirmation was made. */
static struct rate_search_next step_long(struct rate_search *search, bool is_held)
{
	const struct rate_search_config *config = search->config;

	if (is_held) {
		search->held_count++;
		search->is_done = search->held_count == config->confirmations;
		return (struct rate_search_next){.rate = search->held, .is_long = true};
	}
	search->held_count = 0;
	search->failed = search->held;
	search->held /= 1 + config->resolution;
	if (++search->round == ROUNDS_MAX || search->held < SCHEDULE_RATE_MIN) {
		return give_up(search);
	}
	return confirm(search);
}

struct rate_search_next rate_search_step(
	struct rate_search *search, struct rate_search_next last, enum rate_search_outcome outcome)
{
	uint32_t repeats = outcome == RATE_SEARCH_UNCLEAR ? UNCLEAR_MAX
			   : last.is_long                 ? 0
							  : FAILED_MAX;

	ASSERT(!search->is_done);
	if (outcome != RATE_SEARCH_HELD && search->repeat_count < repeats) {
		search->repeat_count++;
		return last;
	}
	search->repeat_count = 0;
	if (last.is_long) {
		return step_long(search, outcome == RATE_SEARCH_HELD);
	}
	if (outcome == RATE_SEARCH_HELD) {
		search->held = last.rate;
	} else {
		search->failed = last.rate;
	}
	return narrow(search);
}

/* The answer, as places in the list of points. */
static void conclude(const struct rate_search *search, struct run_result *out)
{
	out->point_best = out->point_above = out->point_count;
	for (uint32_t i = 0; i < out->point_count; i++) {
		const struct run_point *point = &out->points[i];
		if (point->is_long && point->offered == search->held) {
			out->confirm_count++;
			out->held_count += point->is_held ? 1 : 0;
			out->point_best = point->is_held ? i : out->point_best;
		}
		if (!point->is_held && point->offered == search->failed) {
			out->point_above = i;
		}
	}
}

static enum rate_search_outcome outcome_of(const struct run_point *point)
{
	if (point->is_held) {
		return RATE_SEARCH_HELD;
	}
	return point->is_tool_bound ? RATE_SEARCH_UNCLEAR : RATE_SEARCH_FAILED;
}

enum status rate_search_run(const struct run_config *base, const struct rate_search_config *config,
	struct run_result *out)
{
	struct rate_search search;
	struct rate_search_next next = rate_search_begin(&search, config);

	run_result_init(out);
	out->mode = base->mode;
	while (!search.is_done) {
		struct run_point point;
		enum status status = trial_run(base, next.rate,
			next.is_long ? config->confirm_ns : config->trial_ns, out, &point);
		point.is_long = next.is_long;
		if (status == STATUS_OK && out->end != RUN_DONE) {
			break; /* half a trial is no point */
		}
		if (status == STATUS_OK) {
			point.is_held = rate_search_reaches(&config->goals, &point);
			status = run_result_add_point(out, &point);
		}
		if (status != STATUS_OK) {
			return status;
		}
		if (config->trial != NULL) {
			config->trial(config->context, &point);
		}
		next = rate_search_step(&search, next, outcome_of(&point));
	}
	conclude(&search, out);
	return STATUS_OK;
}
