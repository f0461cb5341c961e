/* histogram.h - counts of durations in buckets that keep three digits, in constant memory.
 *
 *     value    0 ... 2047 | 2048 ... 4095 | 4096 ... 8191 | ...
 *     bucket   1 wide       2 wide          4 wide          ...    1024 of them for each doubling
 *
 * A bucket is never wider than a 1024th of what it holds, so a percentile is right to 0.1 %. Smallest,
 * largest and mean are exact.
 *
 * thread  one owner; histogram_add_all() sums those of several threads
 * source  the log-linear form of Gil Tene's HdrHistogram
 */
#ifndef SAKER_LOADGEN_HISTOGRAM_H
#define SAKER_LOADGEN_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define HISTOGRAM_HALF 1024u /* buckets a doubling: 0.1 % is three digits */
/* Values up to 2^42 ns, 73 minutes; larger ones count in the last bucket. */
#define HISTOGRAM_BITS    42u
#define HISTOGRAM_BUCKETS ((HISTOGRAM_BITS - 9u) * HISTOGRAM_HALF)

struct histogram {
	uint64_t count;
	uint64_t sum;
	uint64_t min; /* UINT64_MAX while empty */
	uint64_t max;
	uint64_t buckets[HISTOGRAM_BUCKETS];
};

/* histogram_init - empty. */
void histogram_init(struct histogram *histogram);

/* histogram_add - counts one value. */
void histogram_add(struct histogram *histogram, uint64_t value);

/* histogram_add_count - counts one value so many times. */
void histogram_add_count(struct histogram *histogram, uint64_t value, uint64_t count);

/* histogram_add_all - counts everything that from has counted. */
void histogram_add_all(struct histogram *histogram, const struct histogram *from);

/* histogram_percentile - the smallest value that at least permille/1000 of all values do not exceed; 0 while empty.
 *
 * effect  never above the largest value counted
 * cost    one pass over the buckets
 */
uint64_t histogram_percentile(const struct histogram *histogram, uint32_t permille);

/* histogram_next - goes over the buckets that are not empty, from below; false behind the last.
 *
 * shape   cursor: 0 to begin with
 * effect  *value_out: the largest value that the bucket can hold, but none above histogram->max
 */
MUST_USE bool histogram_next(const struct histogram *histogram, uint32_t *cursor,
	uint64_t *value_out, uint64_t *count_out);

/* histogram_mean - rounded down; 0 while empty. */
uint64_t histogram_mean(const struct histogram *histogram);

#endif
