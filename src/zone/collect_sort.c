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
	if (left->more != right->more) {
		return left->more < right->more ? -1 : 1;
	}
	int diff = order_compare(collect_log_name(collect, left),
		collect_log_head(collect, left).name_len, collect_log_name(collect, right),
		collect_log_head(collect, right).name_len);
	if (diff != 0) {
		return diff;
	}
	return collect_is_before(collect, left->log, right->log) ? -1 : 1;
}

/* Runs that stand one behind the other. */
struct span {
	const struct collect_run *runs;
	uint64_t count;
};

static struct span span_of(const struct collect *collect, const struct collect_piece *piece)
{
	return (struct span){
		.runs = (const struct collect_run *)(const void *)collect->parts[piece->part]
				.runs.start +
			piece->from,
		.count = piece->count};
}

static bool is_sorted(const struct collect *collect)
{
	uint64_t last = 0;

	for (uint32_t i = 0; i < collect->piece_count; i++) {
		struct span span = span_of(collect, &collect->pieces[i]);
		for (uint64_t at = 0; at < span.count; at++) {
			if (span.runs[at].prefix < last) {
				return false;
			}
			last = span.runs[at].prefix;
		}
	}
	return true;
}

/* How often each digit is there. */
static void count_digits(struct span span, uint64_t counts[RADIX_PASSES][RADIX_SIZE])
{
	for (uint64_t i = 0; i < span.count; i++) {
		uint64_t prefix = span.runs[i].prefix;
		for (uint32_t pass = 0; pass < RADIX_PASSES; pass++) {
			counts[pass][prefix >> pass * RADIX_BITS & (RADIX_SIZE - 1)]++;
		}
	}
}

/* From the number of each digit to where its first run goes; false where all runs share one. */
static bool place_digits(uint64_t starts[RADIX_SIZE], uint64_t count)
{
	uint64_t sum = 0;

	for (uint32_t digit = 0; digit < RADIX_SIZE; digit++) {
		uint64_t here = starts[digit];
		if (here == count) {
			return false;
		}
		starts[digit] = sum;
		sum += here;
	}
	return true;
}

static void scatter(
	struct span span, uint32_t pass, uint64_t starts[RADIX_SIZE], struct collect_run *out)
{
	for (uint64_t i = 0; i < span.count; i++) {
		uint64_t digit = span.runs[i].prefix >> pass * RADIX_BITS & (RADIX_SIZE - 1);
		out[starts[digit]++] = span.runs[i];
	}
}

/* The runs of all pieces to out, one behind the other or by a digit. */
static void bring_together(
	struct collect *collect, uint32_t pass, uint64_t *starts, struct collect_run *out)
{
	for (uint32_t i = 0; i < collect->piece_count; i++) {
		struct span span = span_of(collect, &collect->pieces[i]);
		if (starts != NULL) {
			scatter(span, pass, starts, out);
		} else {
			memcpy(out, span.runs, span.count * sizeof(*out));
			out += span.count;
		}
	}
}

/* What the parts had is in spare now; their memory serves part 0 as the other array. NULL: no memory. */
static struct collect_run *other_array(struct collect *collect)
{
	struct region *runs = &collect->parts[0].runs;
	uint64_t len = collect->run_count * sizeof(struct collect_run);

	for (uint32_t i = 1; i < collect->part_count; i++) {
		region_reset(&collect->parts[i].runs);
	}
	if (runs->len < len && region_add(runs, len - runs->len) == NULL) {
		return NULL;
	}
	return (struct collect_run *)(void *)runs->start;
}

/* By prefix, least significant digit first; a digit that all share costs no pass. errors: STATUS_MEMORY */
static enum status radix_sort(struct collect *collect)
{
	uint64_t counts[RADIX_PASSES][RADIX_SIZE] = {{0}};
	uint64_t count = collect->run_count;
	struct collect_run *from = NULL, *to = collect->sorted;

	for (uint32_t i = 0; i < collect->piece_count; i++) {
		count_digits(span_of(collect, &collect->pieces[i]), counts);
	}
	for (uint32_t pass = 0; pass < RADIX_PASSES; pass++) {
		if (!place_digits(counts[pass], count)) {
			continue;
		}
		if (from == NULL) { /* the first: out of the pieces */
			bring_together(collect, pass, counts[pass], to);
			from = to;
			to = other_array(collect);
			if (to == NULL) {
				return STATUS_MEMORY;
			}
			continue;
		}
		scatter((struct span){from, count}, pass, counts[pass], to);
		struct collect_run *swap = from;
		from = to;
		to = swap;
	}
	ASSERT(from != NULL); /* or all prefixes are equal, and so in order */
	collect->sorted = from;
	return STATUS_OK;
}

/* Sorts the spans of equal prefixes by their whole names, which are fetched ahead. */
static void settle_ties(struct collect *collect, struct collect_run *runs, uint64_t count)
{
	for (uint64_t start = 0, end; start < count; start = end) {
		for (end = start + 1; end < count && runs[end].prefix == runs[start].prefix;
			end++) {
		}
		const struct collect_run *ahead = &runs[end + FETCH_AHEAD];
		if (end + FETCH_AHEAD < count && !collect_log_cannot_equal(ahead - 1, ahead)) {
			__builtin_prefetch(collect->log + ahead->log);
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

/* The array that the sort has left is not needed any more. */
static void give_back(struct collect *collect)
{
	bool in_spare =
		(const uint8_t *)collect->sorted == collect->spare.start && collect->spare.len != 0;

	if (!in_spare) { /* the runs of part 0 have it, and no other part has any by now */
		region_reset(&collect->spare);
	}
	for (uint32_t i = 0; i < collect->part_count && in_spare; i++) {
		region_reset(&collect->parts[i].runs);
	}
}

static int compare_logs(const void *a, const void *b)
{
	const struct collect_piece *left = a, *right = b;

	return left->log < right->log ? -1 : 1;
}

enum status collect_sort(struct collect *collect)
{
	bool sorted = is_sorted(collect);
	enum status status = STATUS_OK;

	collect->run_count = 0;
	for (uint32_t i = 0; i < collect->piece_count; i++) {
		collect->run_count += collect->pieces[i].count;
	}
	if (sorted && collect->piece_count == 1) { /* where they are */
		collect->sorted =
			(struct collect_run *)(uintptr_t)span_of(collect, collect->pieces).runs;
	} else {
		collect->sorted = (struct collect_run *)(void *)region_add(
			&collect->spare, collect->run_count * sizeof(struct collect_run));
		if (collect->sorted == NULL) {
			return STATUS_MEMORY;
		}
		if (sorted || collect->run_count < RADIX_MIN) {
			bring_together(collect, 0, NULL, collect->sorted);
		} else {
			status = radix_sort(collect);
		}
	}
	give_back(collect);
	if (collect->piece_count > 1) {
		qsort(collect->pieces, collect->piece_count, sizeof(collect->pieces[0]),
			compare_logs);
	}
	if (status != STATUS_OK) {
		return status;
	}
	if (!sorted && collect->run_count < RADIX_MIN) {
		qsort_r(collect->sorted, collect->run_count, sizeof(struct collect_run),
			compare_runs, collect);
	} else {
		settle_ties(collect, collect->sorted, collect->run_count);
	}
	return STATUS_OK;
}
