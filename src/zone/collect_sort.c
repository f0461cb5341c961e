/* collect_sort.c - from runs in the order of reading to owners in canonical order. */
#include <stdlib.h>
#include <string.h>

#include "zone/collect.h"
#include "zone/collect_log.h"
#include "zone/order.h"

#define RADIX_BITS   11u
#define RADIX_SIZE   (1u << RADIX_BITS)
#define RADIX_PASSES 6u   /* of 11 bits: 64 and a little */
#define RADIX_MIN    256u /* below, counting costs more than comparing */
#define FETCH_AHEAD  12u  /* runs: what memory brings while that many are compared */

static int compare_runs(const void *a, const void *b, void *context)
{
	const struct collect_run *left = a, *right = b;
	const struct collect *collect = context;

	if (left->prefix != right->prefix) {
		return left->prefix < right->prefix ? -1 : 1;
	}
	int diff = order_compare(collect_log_name(collect, left),
		collect_log_head(collect, left).name_len, collect_log_name(collect, right),
		collect_log_head(collect, right).name_len);
	if (diff != 0) {
		return diff;
	}
	return left->log < right->log ? -1 : 1; /* in the order of reading */
}

/* By prefix, least significant digit first; a digit that all share costs no pass. The result is in either array. */
static struct collect_run *radix_sort(
	struct collect_run *runs, struct collect_run *spare, uint64_t count)
{
	for (uint32_t pass = 0; pass < RADIX_PASSES; pass++) {
		uint32_t shift = pass * RADIX_BITS;
		uint64_t starts[RADIX_SIZE] = {0};
		for (uint64_t i = 0; i < count; i++) {
			starts[runs[i].prefix >> shift & (RADIX_SIZE - 1)]++;
		}
		if (starts[runs[0].prefix >> shift & (RADIX_SIZE - 1)] == count) {
			continue;
		}
		uint64_t sum = 0;
		for (uint32_t digit = 0; digit < RADIX_SIZE; digit++) {
			uint64_t here = starts[digit];
			starts[digit] = sum;
			sum += here;
		}
		for (uint64_t i = 0; i < count; i++) {
			spare[starts[runs[i].prefix >> shift & (RADIX_SIZE - 1)]++] = runs[i];
		}
		struct collect_run *swap = runs;
		runs = spare;
		spare = swap;
	}
	return runs;
}

/* Sorts the spans of equal prefixes by their whole names, which are fetched ahead. */
static void settle_ties(struct collect *collect, struct collect_run *runs, uint64_t count)
{
	for (uint64_t start = 0, end; start < count; start = end) {
		for (end = start + 1; end < count && runs[end].prefix == runs[start].prefix;
			end++) {
		}
		if (end + FETCH_AHEAD < count) {
			__builtin_prefetch(collect->log.start + runs[end + FETCH_AHEAD].log);
		}
		bool sorted = true;
		for (uint64_t i = start + 1; i < end && sorted; i++) {
			sorted = compare_runs(&runs[i - 1], &runs[i], collect) < 0;
		}
		if (!sorted) {
			qsort_r(runs + start, end - start, sizeof(*runs), compare_runs, collect);
		}
	}
}

static bool is_sorted(const struct collect_run *runs, uint64_t count)
{
	for (uint64_t i = 1; i < count; i++) {
		if (runs[i - 1].prefix > runs[i].prefix) {
			return false;
		}
	}
	return true;
}

enum status collect_sort(struct collect *collect)
{
	struct collect_run *runs = (struct collect_run *)(void *)collect->runs.start;
	uint64_t count = collect->runs.len / sizeof(*runs);

	collect->run_count = count;
	collect->sorted = runs;
	if (is_sorted(runs, count)) {
		settle_ties(collect, runs, count);
	} else if (count < RADIX_MIN) {
		qsort_r(runs, count, sizeof(*runs), compare_runs, collect);
	} else {
		if (region_add(&collect->spare, count * sizeof(*runs)) == NULL) {
			return STATUS_MEMORY;
		}
		collect->sorted =
			radix_sort(runs, (struct collect_run *)(void *)collect->spare.start, count);
		settle_ties(collect, collect->sorted, count);
	}
	return STATUS_OK;
}
