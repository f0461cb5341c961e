/* collect_sort.c - from runs in the order of reading to owners in canonical order. */
#include <stdlib.h>
#include <string.h>

#include "wire/rdata.h"
#include "zone/collect.h"
#include "zone/collect_log.h"
#include "zone/order.h"

#define RADIX_BITS   11u
#define RADIX_SIZE   (1u << RADIX_BITS)
#define RADIX_PASSES 6u   /* of 11 bits: 64 and a little */
#define RADIX_MIN    256u /* below, counting costs more than comparing */
#define FETCH_AHEAD                                                                                \
	12u /* runs: what memory brings while that many are worked on; bench: saker check zone of tld.zone */
#define ITEMS_FIRST 64u

static const uint8_t *run_name(const struct collect *collect, const struct collect_run *run)
{
	return collect->log.start + run->log + sizeof(struct collect_run_head);
}

static struct collect_run_head run_head(
	const struct collect *collect, const struct collect_run *run)
{
	struct collect_run_head head;

	memcpy(&head, collect->log.start + run->log, sizeof(head));
	return head;
}

static int compare_runs(const void *a, const void *b, void *context)
{
	const struct collect_run *left = a, *right = b;
	const struct collect *collect = context;

	if (left->prefix != right->prefix) {
		return left->prefix < right->prefix ? -1 : 1;
	}
	int diff = order_compare(run_name(collect, left), run_head(collect, left).name_len,
		run_name(collect, right), run_head(collect, right).name_len);
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

enum status collect_gather_init(struct collect_gather *gather)
{
	*gather = (struct collect_gather){.cap = ITEMS_FIRST};
	gather->items = malloc(ITEMS_FIRST * sizeof(*gather->items));
	gather->canonical[0] = malloc(RDATA_LEN_MAX);
	gather->canonical[1] = malloc(RDATA_LEN_MAX);
	if (gather->items == NULL || gather->canonical[0] == NULL || gather->canonical[1] == NULL) {
		collect_gather_fini(gather);
		return STATUS_MEMORY;
	}
	return STATUS_OK;
}

void collect_gather_fini(struct collect_gather *gather)
{
	free(gather->items);
	free(gather->canonical[0]);
	free(gather->canonical[1]);
	*gather = (struct collect_gather){.items = NULL};
}

static bool has_capital(const uint8_t *octets, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		if (octets[i] - 0u - 'A' < 26u) {
			return true;
		}
	}
	return false;
}

/* What has no capitals is canonical as it stands; most has none. */
static const uint8_t *canonical_form(
	struct collect_gather *gather, uint32_t which, const struct collect_item *item)
{
	if (!has_capital(item->rdata, item->rdata_len)) {
		return item->rdata;
	}
	memcpy(gather->canonical[which], item->rdata, item->rdata_len);
	rdata_canonical(item->type, gather->canonical[which], item->rdata_len);
	return gather->canonical[which];
}

/* RFC 4034 sec 6.3. */
static int compare_rdata(
	struct collect_gather *gather, const struct collect_item *a, const struct collect_item *b)
{
	return rdata_compare(canonical_form(gather, 0, a), a->rdata_len,
		canonical_form(gather, 1, b), b->rdata_len);
}

static int compare_items(const void *a, const void *b, void *context)
{
	const struct collect_item *left = a, *right = b;

	if (left->type != right->type) {
		return left->type < right->type ? -1 : 1;
	}
	int diff = compare_rdata(context, left, right);
	if (diff != 0) {
		return diff;
	}
	return left->rdata < right->rdata ? -1 : 1; /* of equal records the first one read leads */
}

static void sort_items(struct collect_gather *gather)
{
	struct collect_item *items = gather->items;
	uint32_t kept = 0;
	bool sorted = true;

	for (uint32_t i = 1; i < gather->count && sorted; i++) {
		sorted = compare_items(&items[i - 1], &items[i], gather) < 0;
	}
	if (!sorted && gather->count == 2) {
		struct collect_item swap = items[0];
		items[0] = items[1];
		items[1] = swap;
	} else if (!sorted) {
		qsort_r(items, gather->count, sizeof(*items), compare_items, gather);
	}
	for (uint32_t i = 1; i < gather->count; i++) {
		if (items[kept].type != items[i].type ||
			compare_rdata(gather, &items[kept], &items[i]) != 0) {
			items[++kept] = items[i];
		}
	}
	if (gather->count > 0) {
		gather->duplicates += gather->count - (kept + 1);
		gather->count = kept + 1;
	}
}

static enum status gather_run(
	const struct collect *collect, struct collect_gather *gather, const struct collect_run *run)
{
	struct collect_run_head head = run_head(collect, run);
	const uint8_t *at =
		run_name(collect, run) + (size_t)head.name_len * (head.spelled != 0 ? 2 : 1);

	if (head.record_count > gather->cap - gather->count) {
		uint64_t want = ((uint64_t)gather->count + head.record_count) * 2;
		struct collect_item *grown =
			want > UINT32_MAX ? NULL : realloc(gather->items, want * sizeof(*grown));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		gather->items = grown;
		gather->cap = (uint32_t)want;
	}
	for (uint32_t i = 0; i < head.record_count; i++) {
		struct collect_log_record record;
		memcpy(&record, at, sizeof(record));
		gather->items[gather->count++] = (struct collect_item){.rdata = at + sizeof(record),
			.ttl = record.ttl,
			.line = record.line,
			.file = record.file,
			.type = record.type,
			.rdata_len = record.rdata_len};
		at += sizeof(record) + record.rdata_len;
	}
	return STATUS_OK;
}

static bool same_owner(
	const struct collect *collect, const struct collect_run *a, const struct collect_run *b)
{
	if (a->prefix != b->prefix) {
		return false;
	}
	uint8_t len = run_head(collect, a).name_len;
	return len == run_head(collect, b).name_len &&
	       memcmp(run_name(collect, a), run_name(collect, b), len) == 0;
}

enum status collect_next(const struct collect *collect, struct collect_gather *gather, uint64_t *at,
	struct collect_owner *out)
{
	const struct collect_run *runs = collect->sorted;
	const struct collect_run *first = &runs[*at];
	struct collect_run_head head = run_head(collect, first);

	if (*at + FETCH_AHEAD < collect->run_count) {
		const uint8_t *ahead = collect->log.start + runs[*at + FETCH_AHEAD].log;
		__builtin_prefetch(ahead);
		__builtin_prefetch(ahead + CACHE_LINE);
	}
	gather->count = 0;
	do {
		enum status status = gather_run(collect, gather, &runs[*at]);
		if (status != STATUS_OK) {
			return status;
		}
		++*at;
	} while (*at < collect->run_count && same_owner(collect, first, &runs[*at]));
	sort_items(gather);
	const uint8_t *name = run_name(collect, first);
	*out = (struct collect_owner){.name = name,
		.spelling = head.spelled != 0 ? name + head.name_len : NULL,
		.prefix = first->prefix,
		.items = gather->items,
		.count = gather->count,
		.name_len = head.name_len,
		.labels = head.labels};
	return STATUS_OK;
}

/* Is the name behind that of a run, or the same? */
static bool reaches(
	const struct collect *collect, uint64_t run, const uint8_t *labels, uint32_t len)
{
	const struct collect_run *at = &collect->sorted[run];

	return order_compare(run_name(collect, at), run_head(collect, at).name_len, labels, len) >=
	       0;
}

uint64_t collect_ahead(
	const struct collect *collect, uint64_t from, const uint8_t *labels, uint32_t len)
{
	uint64_t low = from, high = from, step = 1; /* all before low stand before the name */

	while (high < collect->run_count && !reaches(collect, high, labels, len)) {
		low = high + 1;
		high += step;
		step *= 2;
	}
	high = high < collect->run_count ? high : collect->run_count;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (reaches(collect, middle, labels, len)) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	if (low == collect->run_count) {
		return COLLECT_NONE;
	}
	const struct collect_run *found = &collect->sorted[low];
	bool same = run_head(collect, found).name_len == len &&
		    memcmp(run_name(collect, found), labels, len) == 0;
	return same ? low : COLLECT_NONE;
}
