/* gather.c - the records of one owner out of its runs, sorted and each once. */
#include "zone/gather.h"

#include <stdlib.h>
#include <string.h>

#include "wire/rdata.h"
#include "zone/collect_log.h"
#include "zone/order.h"

#define FETCH_AHEAD                                                                                \
	12u /* runs: what memory brings while that many are worked on; bench: saker check zone of tld.zone */
#define ITEMS_FIRST 64u

enum status gather_init(struct gather *gather)
{
	*gather = (struct gather){.cap = ITEMS_FIRST};
	gather->items = malloc(ITEMS_FIRST * sizeof(*gather->items));
	gather->canonical[0] = malloc(RDATA_LEN_MAX);
	gather->canonical[1] = malloc(RDATA_LEN_MAX);
	if (gather->items == NULL || gather->canonical[0] == NULL || gather->canonical[1] == NULL) {
		gather_fini(gather);
		return STATUS_MEMORY;
	}
	return STATUS_OK;
}

void gather_fini(struct gather *gather)
{
	free(gather->items);
	free(gather->canonical[0]);
	free(gather->canonical[1]);
	*gather = (struct gather){.items = NULL};
}

static bool has_capital(const uint8_t *octets, uint32_t len)
{
	uint64_t capitals = 0;

	for (; len >= sizeof(uint64_t); len -= (uint32_t)sizeof(uint64_t)) {
		uint64_t word;
		memcpy(&word, octets, sizeof(word));
		capitals |= name_word_capitals(word);
		octets += sizeof(word);
	}
	for (uint32_t i = 0; i < len; i++) {
		capitals |= name_word_capitals(octets[i]);
	}
	return capitals != 0;
}

/* What has no capitals is canonical as it stands; most has none. */
static const uint8_t *canonical_form(
	struct gather *gather, uint32_t which, const struct collect_item *item)
{
	if (!has_capital(item->rdata, item->rdata_len)) {
		return item->rdata;
	}
	memcpy(gather->canonical[which], item->rdata, item->rdata_len);
	rdata_canonical(item->type, gather->canonical[which], item->rdata_len);
	return gather->canonical[which];
}

static bool is_capital(uint8_t octet)
{
	return octet - 0u - 'A' < 26u;
}

/* Where the first octets differ; len: nowhere. */
static uint32_t first_difference(const uint8_t *a, const uint8_t *b, uint32_t len)
{
	uint32_t at = 0;

	for (; len - at >= sizeof(uint64_t); at += (uint32_t)sizeof(uint64_t)) {
		uint64_t left, right;
		memcpy(&left, a + at, sizeof(left));
		memcpy(&right, b + at, sizeof(right));
		if (left != right) {
			break;
		}
	}
	while (at < len && a[at] == b[at]) {
		at++;
	}
	return at;
}

/* RFC 4034 sec 6.3. What stands before the first difference is equal in canonical form, too; and where no capital is
 * met there, the canonical form of both is what stands there.
 */
static int compare_rdata(
	struct gather *gather, const struct collect_item *a, const struct collect_item *b)
{
	uint32_t len = a->rdata_len < b->rdata_len ? a->rdata_len : b->rdata_len;
	uint32_t at = first_difference(a->rdata, b->rdata, len);

	if (at == len) {
		return a->rdata_len - b->rdata_len;
	}
	if (LIKELY(!is_capital(a->rdata[at]) && !is_capital(b->rdata[at]))) {
		return a->rdata[at] - b->rdata[at];
	}
	return rdata_compare(canonical_form(gather, 0, a), a->rdata_len,
		canonical_form(gather, 1, b), b->rdata_len);
}

/* Type, then canonical RDATA; 0: the same record. */
static int compare_records(
	struct gather *gather, const struct collect_item *a, const struct collect_item *b)
{
	if (a->type != b->type) {
		return a->type < b->type ? -1 : 1;
	}
	return compare_rdata(gather, a, b);
}

static int compare_items(const void *a, const void *b, void *context)
{
	const struct collect_item *left = a, *right = b;
	int diff = compare_records(context, left, right);

	if (diff != 0) {
		return diff;
	}
	return left->order < right->order ? -1 : 1; /* of equal records the first one read leads */
}

static void drop_duplicates(struct gather *gather)
{
	struct collect_item *items = gather->items;
	uint32_t kept = 0;

	for (uint32_t i = 1; i < gather->count; i++) {
		if (compare_records(gather, &items[kept], &items[i]) != 0) {
			items[++kept] = items[i];
		}
	}
	gather->duplicates += gather->count - (kept + 1);
	gather->count = kept + 1;
}

/* Mostly an owner has few records, sorted already or two that change places, and no duplicates. */
static void sort_items(struct gather *gather)
{
	struct collect_item *items = gather->items;
	bool sorted = true, unique = true;

	for (uint32_t i = 1; i < gather->count && sorted; i++) {
		int diff = compare_records(gather, &items[i - 1], &items[i]);
		sorted = diff <= 0;
		unique &= diff != 0;
	}
	if (!sorted && gather->count == 2) {
		struct collect_item swap = items[0];
		items[0] = items[1];
		items[1] = swap;
	} else if (!sorted) {
		qsort_r(items, gather->count, sizeof(*items), compare_items, gather);
		unique = false; /* not known */
	}
	if (!unique) {
		drop_duplicates(gather);
	}
}

static enum status gather_run(
	const struct collect *collect, struct gather *gather, const struct collect_run *run)
{
	struct collect_run_head head = collect_log_head(collect, run);
	const uint8_t *at = collect_log_name(collect, run) +
			    (size_t)head.name_len * (head.spelled != 0 ? 2 : 1);

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
		gather->items[gather->count] = (struct collect_item){.rdata = at + sizeof(record),
			.order = gather->count,
			.ttl = record.ttl,
			.line = record.line,
			.file = record.file,
			.type = record.type,
			.rdata_len = record.rdata_len};
		gather->count++;
		at += sizeof(record) + record.rdata_len;
	}
	return STATUS_OK;
}

static bool same_owner(
	const struct collect *collect, const struct collect_run *a, const struct collect_run *b)
{
	if (collect_log_cannot_equal(a, b)) {
		return false;
	}
	uint8_t len = collect_log_head(collect, a).name_len;
	return len == collect_log_head(collect, b).name_len &&
	       memcmp(collect_log_name(collect, a), collect_log_name(collect, b), len) == 0;
}

enum status gather_next(const struct collect *collect, struct gather *gather, uint64_t *at,
	struct collect_owner *out)
{
	const struct collect_run *runs = collect->sorted;
	const struct collect_run *first = &runs[*at];
	struct collect_run_head head = collect_log_head(collect, first);

	if (*at + FETCH_AHEAD < collect->run_count) {
		const uint8_t *ahead = collect->log + runs[*at + FETCH_AHEAD].log;
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
	uint64_t low_types = 0;
	for (uint32_t i = 0; i < gather->count; i++) {
		low_types |= gather->items[i].type < 64 ? (uint64_t)1 << gather->items[i].type : 0;
	}
	const uint8_t *name = collect_log_name(collect, first);
	*out = (struct collect_owner){.name = name,
		.spelling = head.spelled != 0 ? name + head.name_len : NULL,
		.prefix = first->prefix,
		.items = gather->items,
		.count = gather->count,
		.low_types = low_types,
		.name_len = head.name_len,
		.labels = head.labels};
	return STATUS_OK;
}

/* Is the name behind that of a run, or the same? */
static bool reaches(
	const struct collect *collect, uint64_t run, const uint8_t *labels, uint32_t len)
{
	const struct collect_run *at = &collect->sorted[run];

	return order_compare(collect_log_name(collect, at), collect_log_head(collect, at).name_len,
		       labels, len) >= 0;
}

uint64_t gather_ahead(
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
	bool same = collect_log_head(collect, found).name_len == len &&
		    memcmp(collect_log_name(collect, found), labels, len) == 0;
	return same ? low : COLLECT_NONE;
}

/* The label directly below the apex; NULL: the apex itself. */
static const uint8_t *top_label(const struct collect *collect, uint64_t run)
{
	const uint8_t *name = collect_log_name(collect, &collect->sorted[run]);
	uint32_t len = collect_log_head(collect, &collect->sorted[run]).name_len;
	uint32_t at = 0;

	if (len == 0) {
		return NULL;
	}
	while (at + name[at] + 1u < len) {
		at += name[at] + 1u;
	}
	return name + at;
}

uint64_t gather_border(const struct collect *collect, uint64_t run)
{
	ASSERT(run > 0);
	for (; run < collect->run_count; run++) {
		const uint8_t *before = top_label(collect, run - 1);
		const uint8_t *here = top_label(collect, run);
		if (here != NULL &&
			(before == NULL || memcmp(before, here, here[0] + (size_t)1) != 0)) {
			break;
		}
	}
	return run;
}
