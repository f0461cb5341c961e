/* histogram.c - log-linear buckets. */
#include "loadgen/histogram.h"

#include <string.h>

#define HALF_BITS 10u /* HISTOGRAM_HALF is 2^HALF_BITS */

_Static_assert(HISTOGRAM_HALF == 1u << HALF_BITS, "buckets are found by shifting");

/* The value is shifted until its HALF_BITS + 1 leading bits are left: their number is the place in its
 * doubling, the shift is the doubling.
 */
static uint32_t bucket_of(uint64_t value)
{
	if (value >= 1ull << HISTOGRAM_BITS) {
		value = (1ull << HISTOGRAM_BITS) - 1;
	}
	if (value < 2 * HISTOGRAM_HALF) {
		return (uint32_t)value;
	}
	uint32_t shift = 63u - (uint32_t)__builtin_clzll(value) - HALF_BITS;

	return shift * HISTOGRAM_HALF + (uint32_t)(value >> shift);
}

/* The largest value that a bucket holds. */
static uint64_t top_of(uint32_t bucket)
{
	if (bucket < 2 * HISTOGRAM_HALF) {
		return bucket;
	}
	uint32_t shift = bucket / HISTOGRAM_HALF - 1;
	uint64_t head = bucket - shift * HISTOGRAM_HALF;

	return ((head + 1) << shift) - 1;
}

void histogram_init(struct histogram *histogram)
{
	memset(histogram, 0, sizeof(*histogram));
	histogram->min = UINT64_MAX;
}

void histogram_add_count(struct histogram *histogram, uint64_t value, uint64_t count)
{
	if (count > 0) {
		histogram_add(histogram, value);
		histogram->count += count - 1;
		histogram->sum += value * (count - 1);
		histogram->buckets[bucket_of(value)] += count - 1;
	}
}

HOT void histogram_add(struct histogram *histogram, uint64_t value)
{
	histogram->count++;
	histogram->sum += value;
	if (value < histogram->min) {
		histogram->min = value;
	}
	if (value > histogram->max) {
		histogram->max = value;
	}
	histogram->buckets[bucket_of(value)]++;
}

void histogram_add_all(struct histogram *histogram, const struct histogram *from)
{
	histogram->count += from->count;
	histogram->sum += from->sum;
	if (from->min < histogram->min) {
		histogram->min = from->min;
	}
	if (from->max > histogram->max) {
		histogram->max = from->max;
	}
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		histogram->buckets[i] += from->buckets[i];
	}
}

uint64_t histogram_percentile(const struct histogram *histogram, uint32_t permille)
{
	ASSERT(permille <= 1000);

	/* Whole thousands first: count * permille might not fit. */
	uint64_t want = histogram->count / 1000 * permille +
			(histogram->count % 1000 * permille + 999) / 1000;
	uint64_t seen = 0;

	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		seen += histogram->buckets[i];
		if (histogram->buckets[i] != 0 && seen >= want) {
			uint64_t top = top_of(i);
			return top < histogram->max && i + 1 < HISTOGRAM_BUCKETS ? top
										 : histogram->max;
		}
	}
	return 0;
}

bool histogram_next(const struct histogram *histogram, uint32_t *cursor, uint64_t *value_out,
	uint64_t *count_out)
{
	uint32_t bucket = *cursor;

	while (bucket < HISTOGRAM_BUCKETS && histogram->buckets[bucket] == 0) {
		bucket++;
	}
	*cursor = bucket + 1;
	if (bucket >= HISTOGRAM_BUCKETS) {
		return false;
	}
	uint64_t top = top_of(bucket);
	*value_out = top < histogram->max && bucket + 1 < HISTOGRAM_BUCKETS ? top : histogram->max;
	*count_out = histogram->buckets[bucket];
	return true;
}

uint64_t histogram_mean(const struct histogram *histogram)
{
	return histogram->count == 0 ? 0 : histogram->sum / histogram->count;
}
