/* test_bootstrap.c - how often the interval of confidence holds the truth, on runs made up at random. */
#include "loadgen/bootstrap.h"

#include <math.h>
#include <string.h>

#include "kit/kit.h"

#define INTERVALS 60u
#define RUNS      8u
#define PAIRS     200u

static struct bootstrap_part parts[2][RUNS][INTERVALS];
static struct bootstrap_run runs[2][RUNS];

/* About normal: the sum of twelve. */
static double normal(void)
{
	double sum = -6;

	for (uint32_t i = 0; i < 12; i++) {
		sum += kit_random(1u << 30) / (double)(1u << 30);
	}
	return sum;
}

/* Rates around mean; each run is off by run_sigma of it, each interval by sigma, and leans on the one before. */
static struct bootstrap_side make(
	uint32_t side, uint32_t run_count, double mean, double run_sigma, double sigma, double lean)
{
	for (uint32_t r = 0; r < run_count; r++) {
		double of_run = mean * (1 + run_sigma * normal()), last = 0;
		for (uint32_t i = 0; i < INTERVALS; i++) {
			last = lean * last + sqrt(1 - lean * lean) * normal();
			parts[side][r][i] = (struct bootstrap_part){of_run * (1 + sigma * last), 1};
		}
		runs[side][r] = (struct bootstrap_run){.parts = parts[side][r], .count = INTERVALS};
	}
	return (struct bootstrap_side){.runs = runs[side], .run_count = run_count};
}

/* Of PAIRS comparisons, in how many the interval holds the truth. */
static uint32_t holds(uint32_t run_count, double ratio, double run_sigma, double sigma, double lean)
{
	uint32_t held = 0;

	for (uint32_t i = 0; i < PAIRS; i++) {
		struct bootstrap_side a = make(0, run_count, 1000, run_sigma, sigma, lean);
		struct bootstrap_side b = make(1, run_count, 1000 * ratio, run_sigma, sigma, lean);
		struct bootstrap_result result;

		CHECK_U(bootstrap_ratio(&a, &b, &result), STATUS_OK);
		CHECK(result.is_known);
		CHECK(result.low <= result.value && result.value <= result.high);
		held += result.low <= ratio && ratio <= result.high;
	}
	return held;
}

TEST(the_interval_holds_the_truth_as_often_as_it_says)
{
	CHECK(holds(1, 1.0, 0, 0.05, 0) >= PAIRS * 89 / 100);
	CHECK(holds(1, 1.2, 0, 0.05, 0) >= PAIRS * 89 / 100);
	/* Neighbours lean on each other: without blocks it would be three quarters. */
	CHECK(holds(1, 1.0, 0, 0.05, 0.5) >= PAIRS * 80 / 100);
}

TEST(runs_that_differ_are_noise_where_there_are_several)
{
	CHECK(holds(1, 1.0, 0.05, 0.01, 0) <= PAIRS / 2); /* one run each cannot know */
	CHECK(holds(RUNS, 1.0, 0.05, 0.01, 0) >= PAIRS * 85 / 100);
}

TEST(a_difference_is_seen)
{
	struct bootstrap_side a = make(0, 1, 1000, 0, 0.05, 0);
	struct bootstrap_side b = make(1, 1, 1050, 0, 0.05, 0);
	struct bootstrap_result result, again;

	CHECK_U(bootstrap_ratio(&a, &b, &result), STATUS_OK);
	CHECK(result.low > 1 && result.high < 1.1);
	CHECK_U(bootstrap_ratio(&a, &b, &again), STATUS_OK);
	CHECK_OCTETS(&again, sizeof(again), &result, sizeof(result));
	CHECK_U(bootstrap_difference(&a, &b, &result), STATUS_OK);
	CHECK(result.low > 0 && result.high < 100);
}

TEST(what_cannot_be_known_is_not_said)
{
	struct bootstrap_side a = make(0, 2, 1000, 0, 0.05, 0);
	struct bootstrap_side b = make(1, 1, 1000, 0, 0.05, 0);
	struct bootstrap_side none = {.runs = runs[1], .run_count = 0};
	struct bootstrap_result result;

	runs[0][1].count = BOOTSTRAP_INTERVALS_MIN - 1;
	CHECK_U(bootstrap_ratio(&a, &b, &result), STATUS_OK);
	CHECK(!result.is_known && result.value > 0.9 && result.value < 1.1);
	runs[0][1].count = BOOTSTRAP_INTERVALS_MIN;
	CHECK_U(bootstrap_ratio(&a, &b, &result), STATUS_OK);
	CHECK(result.is_known);
	CHECK_U(bootstrap_ratio(&a, &none, &result), STATUS_OK);
	CHECK(!result.is_known);

	/* Nothing lost in a: no ratio, but a difference. */
	for (uint32_t i = 0; i < INTERVALS; i++) {
		parts[0][0][i].above = 0;
	}
	a.run_count = 1;
	CHECK_U(bootstrap_ratio(&a, &b, &result), STATUS_OK);
	CHECK(!result.is_known);
	CHECK_U(bootstrap_difference(&a, &b, &result), STATUS_OK);
	CHECK(result.is_known && result.low > 900);
}
