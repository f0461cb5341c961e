/* test_rate_search.c - the strategy against servers that are made up: a rate below their capacity holds. */
#include "loadgen/rate_search.h"

#include <math.h>

#include "kit/kit.h"
#include "loadgen/ramp.h"

static const struct rate_search_config usual = {
	.from = 1000, .to = 1e8, .resolution = 0.05, .confirmations = 3};

/* Searches a server that answers up to capacity; one of so many trials fails by chance, 0: none. */
static uint32_t search_server(struct rate_search *search, const struct rate_search_config *config,
	double capacity, uint32_t chance)
{
	struct rate_search_next next = rate_search_begin(search, config);
	uint32_t trial_count = 0;

	while (!search->is_done) {
		bool is_unlucky = chance != 0 && kit_random(chance) == 0;
		CHECK(next.rate > 0 && next.rate <= config->to);
		next = rate_search_step(search, next,
			next.rate <= capacity && !is_unlucky ? RATE_SEARCH_HELD
							     : RATE_SEARCH_FAILED);
		CHECK(++trial_count < 200);
	}
	return trial_count;
}

TEST(a_capacity_is_found_to_the_resolution)
{
	for (uint32_t i = 0; i < 500; i++) {
		double capacity = exp(kit_random(1000) / 1000.0 * log(1e7));
		struct rate_search search;

		search_server(&search, &usual, capacity, 0);
		CHECK_U(search.held_count, 3);
		CHECK(search.held <= capacity);
		CHECK(search.failed > capacity);
		CHECK(search.failed <= search.held * 1.0501);
	}
}

TEST(a_server_that_always_holds_ends_at_the_highest_rate)
{
	struct rate_search_config config = usual;
	struct rate_search search;

	config.to = 50000;
	search_server(&search, &config, 1e12, 0);
	CHECK(search.held == 50000);
	CHECK(search.failed == 0);
	CHECK_U(search.held_count, 3);
}

TEST(a_server_that_never_holds_ends_the_search_without_a_rate)
{
	struct rate_search search;

	search_server(&search, &usual, 0, 0);
	CHECK(search.held == 0);
	CHECK_U(search.held_count, 0);
}

TEST(one_short_trial_that_fails_by_chance_changes_nothing)
{
	struct rate_search search;
	struct rate_search_next next = rate_search_begin(&search, &usual);

	next = rate_search_step(&search, next, RATE_SEARCH_HELD);
	CHECK(next.rate == 2000);
	next = rate_search_step(&search, next, RATE_SEARCH_FAILED);
	CHECK(next.rate == 2000 && !next.is_long);
	next = rate_search_step(&search, next, RATE_SEARCH_HELD);
	CHECK(next.rate == 4000);
	CHECK(search.failed == 0);
}

TEST(a_confirmation_that_fails_lowers_the_rate)
{
	struct rate_search_config config = usual;
	struct rate_search search;

	config.to = 1000;
	struct rate_search_next next =
		rate_search_step(&search, rate_search_begin(&search, &config), RATE_SEARCH_HELD);
	CHECK(next.is_long && next.rate == 1000);
	next = rate_search_step(&search, next, RATE_SEARCH_HELD);
	next = rate_search_step(&search, next, RATE_SEARCH_FAILED);
	CHECK(next.is_long && next.rate < 1000 && next.rate > 950);
	CHECK(search.failed == 1000);
	CHECK_U(search.held_count, 0);
	for (uint32_t i = 0; i < 3; i++) {
		CHECK(!search.is_done);
		next = rate_search_step(&search, next, RATE_SEARCH_HELD);
	}
	CHECK(search.is_done);
	CHECK_U(search.held_count, 3);
}

TEST(chance_never_makes_it_claim_more_than_the_capacity)
{
	for (uint32_t i = 0; i < 300; i++) {
		double capacity = 1 + kit_random(1000000);
		struct rate_search search;

		search_server(&search, &usual, capacity, 10);
		CHECK(search.held <= capacity);
		CHECK(search.held == 0 || search.failed == 0 || search.failed > search.held);
	}
}

TEST(a_late_tool_gets_more_chances_and_then_counts_as_a_failure)
{
	struct rate_search search;
	struct rate_search_next first = rate_search_begin(&search, &usual);
	struct rate_search_next next = first;

	for (uint32_t i = 0; i < 3; i++) {
		next = rate_search_step(&search, next, RATE_SEARCH_UNCLEAR);
		CHECK(next.rate == first.rate);
	}
	next = rate_search_step(&search, next, RATE_SEARCH_UNCLEAR);
	CHECK(next.rate < first.rate);
	CHECK(search.failed == first.rate);
}

TEST(goals_are_limits)
{
	const struct rate_search_goals goals = {.loss = 0.001, .p50_ns = 1000, .p99_ns = 5000};
	const struct run_point good = {.due = 1000,
		.sent = 1000,
		.answered = 999,
		.lost = 1,
		.latency_p50_ns = 1000,
		.latency_p99_ns = 5000,
		.latency_p99_9_ns = 1000000};
	struct run_point point = good;

	CHECK(rate_search_reaches(&goals, &good));
	point.lost = 2;
	CHECK(!rate_search_reaches(&goals, &point));
	point = good;
	point.latency_p50_ns = 1001;
	CHECK(!rate_search_reaches(&goals, &point));
	point = good;
	point.latency_p99_ns = 5001;
	CHECK(!rate_search_reaches(&goals, &point));
	point = good;
	point.is_tool_bound = true; /* late, and yet in time */
	CHECK(rate_search_reaches(&goals, &point));
	point.due = 1010; /* not all were sent: it was another rate */
	CHECK(!rate_search_reaches(&goals, &point));
	point = (struct run_point){0};
	CHECK(!rate_search_reaches(&goals, &point));
}

TEST(a_ramp_finds_the_highest_rate_before_too_much_is_lost)
{
	static const uint64_t answered[] = {100, 198, 300, 390, 450, 300};
	static struct run_result result;

	for (uint32_t round = 0; round < 2; round++) {
		run_result_init(&result);
		struct interval intervals[6] = {{0}};
		for (uint32_t i = 0; i < 6; i++) {
			intervals[i] = (struct interval){.length_ns = 500000000,
				.due = 100 + i * 100ull,
				.sent = 100 + i * 100ull,
				.answered = answered[i]};
			intervals[i].lost = intervals[i].sent - answered[i];
		}
		result.intervals = intervals;
		result.interval_count = 6;
		CHECK_U(ramp_points(&result, round == 0 ? 1.0 : 0.02), STATUS_OK);
		CHECK_U(result.point_count, 6);
		CHECK_U(result.point_best, round == 0 ? 4 : 2);
		CHECK(result.points[4].rate == 900.0);
		CHECK(result.points[4].offered == 1000.0);
		result.intervals = NULL;
		run_result_fini(&result);
	}
}

TEST(the_rest_of_an_interval_at_the_end_of_a_ramp_tells_of_no_rate)
{
	static struct run_result result;
	struct interval intervals[] = {
		{.length_ns = 500000000, .due = 50, .sent = 50, .answered = 50},
		{.length_ns = 1000, .due = 1, .sent = 1, .answered = 1}};

	run_result_init(&result);
	result.intervals = intervals;
	result.interval_count = 2;
	CHECK_U(ramp_points(&result, 1.0), STATUS_OK);
	CHECK_U(result.point_best, 0);
	result.intervals = NULL;
	run_result_fini(&result);
}
