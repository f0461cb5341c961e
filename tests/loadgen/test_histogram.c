/* test_histogram.c - percentiles against a sorted array, and the edges. */
#include "loadgen/histogram.h"

#include <stdlib.h>

#include "kit/kit.h"

#define VALUES 5000u

static struct histogram histogram;

TEST(an_empty_one_answers_zero)
{
	histogram_init(&histogram);
	CHECK_U(histogram_percentile(&histogram, 500), 0);
	CHECK_U(histogram_percentile(&histogram, 1000), 0);
	CHECK_U(histogram_mean(&histogram), 0);
}

TEST(one_value_is_every_percentile)
{
	histogram_init(&histogram);
	histogram_add(&histogram, 123456789);
	CHECK_U(histogram_percentile(&histogram, 0), 123456789);
	CHECK_U(histogram_percentile(&histogram, 500), 123456789);
	CHECK_U(histogram_percentile(&histogram, 1000), 123456789);
	CHECK_U(histogram_mean(&histogram), 123456789);
	CHECK_U(histogram.min, 123456789);
}

TEST(small_values_are_exact)
{
	histogram_init(&histogram);
	for (uint64_t value = 1; value <= 1000; value++) {
		histogram_add(&histogram, value);
	}
	CHECK_U(histogram_percentile(&histogram, 500), 500);
	CHECK_U(histogram_percentile(&histogram, 999), 999);
	CHECK_U(histogram_percentile(&histogram, 1), 1);
	CHECK_U(histogram_mean(&histogram), 500);
}

TEST(values_beyond_the_range_count_and_the_largest_is_exact)
{
	histogram_init(&histogram);
	histogram_add(&histogram, 7);
	histogram_add(&histogram, 1ull << 60);
	CHECK_U(histogram.count, 2);
	CHECK_U(histogram_percentile(&histogram, 500), 7);
	CHECK_U(histogram_percentile(&histogram, 1000), 1ull << 60);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

TEST(percentiles_are_right_to_a_thousandth)
{
	static uint64_t values[VALUES];
	static const uint32_t permilles[] = {1, 10, 500, 900, 990, 999, 1000};

	for (uint32_t round = 0; round < 20; round++) {
		histogram_init(&histogram);
		for (uint32_t i = 0; i < VALUES; i++) {
			values[i] = ((uint64_t)kit_random(1u << 31) << 10) >> kit_random(41);
			histogram_add(&histogram, values[i]);
		}
		qsort(values, VALUES, sizeof(values[0]), compare);
		for (size_t i = 0; i < sizeof(permilles) / sizeof(permilles[0]); i++) {
			uint64_t want = values[VALUES * permilles[i] / 1000 - 1];
			uint64_t got = histogram_percentile(&histogram, permilles[i]);
			CHECK(got >= want);
			CHECK(got - want <= want / 1000);
		}
	}
}

TEST(summed_up_they_are_as_one)
{
	static struct histogram parts[2];
	static struct histogram whole;

	histogram_init(&parts[0]);
	histogram_init(&parts[1]);
	histogram_init(&whole);
	for (uint32_t i = 0; i < VALUES; i++) {
		uint64_t value = kit_random(1u << 30);
		histogram_add(&parts[i % 2], value);
		histogram_add(&whole, value);
	}
	histogram_add_all(&parts[0], &parts[1]);
	CHECK_OCTETS(&parts[0], sizeof(whole), &whole, sizeof(whole));
}

TEST(buckets_are_gone_over_from_below)
{
	uint64_t value, count, last = 0, sum = 0, above = 0;
	uint32_t cursor = 0;

	histogram_init(&histogram);
	CHECK(!histogram_next(&histogram, &cursor, &value, &count));
	for (uint32_t i = 0; i < 100000; i++) {
		histogram_add(&histogram, (uint64_t)kit_random(1u << kit_random(31)));
	}
	histogram_add(&histogram, UINT64_MAX);
	for (cursor = 0; histogram_next(&histogram, &cursor, &value, &count);) {
		CHECK(sum == 0 || value > last);
		CHECK(count != 0);
		last = value;
		sum += count;
		above += value > 1u << 31 ? count : 0;
	}
	CHECK_U(sum, histogram.count);
	CHECK_U(last, UINT64_MAX);
	CHECK_U(above, 1);
}
