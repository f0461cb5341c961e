/* test_zipf.c - frequencies of ranks against the formula, counted over many draws of one seed. */
#include "loadgen/zipf.h"

#include <math.h>

#include "kit/kit.h"

#define RANKS 50u
#define DRAWS 2000000u

TEST(ranks_are_as_frequent_as_the_formula_says)
{
	const double exponents[] = {0, 0.5, 1, 2};

	for (size_t e = 0; e < sizeof(exponents) / sizeof(exponents[0]); e++) {
		static uint32_t counts[RANKS];
		struct random random;
		struct zipf zipf;
		double sum = 0;

		random_init(&random, 7);
		CHECK_U(zipf_init(&zipf, RANKS, exponents[e]), STATUS_OK);
		for (uint32_t i = 0; i < RANKS; i++) {
			counts[i] = 0;
			sum += pow(i + 1.0, -exponents[e]);
		}
		for (uint32_t i = 0; i < DRAWS; i++) {
			uint32_t rank = zipf_draw(&zipf, &random);
			CHECK(rank < RANKS);
			counts[rank]++;
		}
		for (uint32_t i = 0; i < RANKS; i++) {
			double p = pow(i + 1.0, -exponents[e]) / sum;
			double sigma = sqrt(DRAWS * p * (1 - p));
			CHECK(fabs(counts[i] - DRAWS * p) <
				5 * sigma); /* five: fails once in a million */
		}
		zipf_fini(&zipf);
	}
}

TEST(one_rank_is_always_drawn)
{
	struct random random;
	struct zipf zipf;

	random_init(&random, 1);
	CHECK_U(zipf_init(&zipf, 1, 1.5), STATUS_OK);
	for (uint32_t i = 0; i < 1000; i++) {
		CHECK_U(zipf_draw(&zipf, &random), 0);
	}
	zipf_fini(&zipf);
}
