/* collect_sort.c - from runs in the order of reading to owners in canonical order. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zone/collect.h"
#include "zone/collect_log.h"
#include "zone/order.h"

#define RADIX_BITS   11u
#define RADIX_SIZE   (1u << RADIX_BITS)
#define RADIX_PASSES 6u   /* of 11 bits: 64 and a little */
#define RADIX_MIN    256u /* below, counting costs more than comparing */
#define FETCH_AHEAD                                                                                \
	12u /* runs: what memory brings while that many are copied; bench: loading tld.zone */

/* One owner's records while they are sorted. */
struct gather {
	struct collect_log_record head;
	const uint8_t *rdata; /* in the log */
};

struct sorter {
	struct collect *collect;
	struct gather *gathered; /* owns */
	uint32_t gather_count, gather_cap;
	uint8_t *canonical[2]; /* own: RDATA in canonical form, while compared */
	uint32_t path[NAME_LABELS_MAX +
		      1]; /* owner indexes from the apex to the last owner, by depth */
	uint32_t path_len;
	uint32_t cut; /* owner index of the cut or DNAME that we are below; COLLECT_NONE */
};

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

/* Sorts the spans of equal prefixes by their whole names. */
static void settle_ties(struct collect *collect, struct collect_run *runs, uint64_t count)
{
	for (uint64_t start = 0, end; start < count; start = end) {
		for (end = start + 1; end < count && runs[end].prefix == runs[start].prefix;
			end++) {
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

static bool has_capital(const uint8_t *octets, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		if (octets[i] - 0u - 'A' < 26u) {
			return true;
		}
	}
	return false;
}

static const uint8_t *canonical_form(
	struct sorter *sorter, uint32_t which, const struct gather *record)
{
	if (!has_capital(record->rdata, record->head.rdata_len)) {
		return record->rdata;
	}
	if (record->head.rdata_len > 0) {
		memcpy(sorter->canonical[which], record->rdata, record->head.rdata_len);
	}
	rdata_canonical(record->head.type, sorter->canonical[which], record->head.rdata_len);
	return sorter->canonical[which];
}

/* Canonical RDATA, RFC 4034 sec 6.3. */
static int compare_rdata(struct sorter *sorter, const struct gather *a, const struct gather *b)
{
	return rdata_compare(canonical_form(sorter, 0, a), a->head.rdata_len,
		canonical_form(sorter, 1, b), b->head.rdata_len);
}

static int compare_gathered(const void *a, const void *b, void *context)
{
	const struct gather *left = a, *right = b;

	if (left->head.type != right->head.type) {
		return left->head.type < right->head.type ? -1 : 1;
	}
	int diff = compare_rdata(context, left, right);
	if (diff != 0) {
		return diff;
	}
	return left->rdata < right->rdata ? -1 : 1; /* of equal records the first one read stays */
}

static void sort_gathered(struct sorter *sorter)
{
	struct gather *records = sorter->gathered;
	bool sorted = true;

	for (uint32_t i = 1; i < sorter->gather_count && sorted; i++) {
		sorted = compare_gathered(&records[i - 1], &records[i], sorter) < 0;
	}
	if (sorter->gather_count == 2 && !sorted) {
		struct gather swap = records[0];
		records[0] = records[1];
		records[1] = swap;
	} else if (!sorted) {
		qsort_r(records, sorter->gather_count, sizeof(*records), compare_gathered, sorter);
	}
}

static enum status gather_run(struct sorter *sorter, const struct collect_run *run)
{
	struct collect_run_head head = run_head(sorter->collect, run);
	const uint8_t *at = run_name(sorter->collect, run) +
			    (size_t)head.name_len * (head.spelled != 0 ? 2 : 1);

	if (head.record_count > sorter->gather_cap - sorter->gather_count) {
		uint64_t want = ((uint64_t)sorter->gather_count + head.record_count) * 2;
		struct gather *grown = realloc(sorter->gathered, want * sizeof(*grown));
		if (grown == NULL || want > UINT32_MAX) {
			sorter->gathered = grown != NULL ? grown : sorter->gathered;
			return STATUS_MEMORY;
		}
		sorter->gathered = grown;
		sorter->gather_cap = (uint32_t)want;
	}
	for (uint32_t i = 0; i < head.record_count; i++) {
		struct gather *record = &sorter->gathered[sorter->gather_count++];
		memcpy(&record->head, at, sizeof(record->head));
		record->rdata = at + sizeof(record->head);
		at = record->rdata + record->head.rdata_len;
	}
	return STATUS_OK;
}

/* Copies the gathered records behind those that are there, each once. */
static enum status keep_records(struct sorter *sorter, struct collect_owner *owner)
{
	struct collect *collect = sorter->collect;

	sort_gathered(sorter);
	owner->first = (uint32_t)(collect->record_memory.len / sizeof(struct collect_record));
	for (uint32_t i = 0; i < sorter->gather_count; i++) {
		const struct gather *record = &sorter->gathered[i];
		if (i > 0 && record[-1].head.type == record->head.type &&
			compare_rdata(sorter, record - 1, record) == 0) {
			collect->duplicates++;
			continue;
		}
		struct collect_record *out = (struct collect_record *)(void *)region_add(
			&collect->record_memory, sizeof(*out));
		uint8_t *rdata = region_add(&collect->pool, record->head.rdata_len);
		if (out == NULL || rdata == NULL ||
			out - collect->records >= (ptrdiff_t)COLLECT_NONE) {
			return STATUS_LIMIT;
		}
		*out = (struct collect_record){.rdata = (uint64_t)(rdata - collect->pool.start),
			.ttl = record->head.ttl,
			.line = record->head.line,
			.type = record->head.type,
			.rdata_len = record->head.rdata_len,
			.file = record->head.file};
		memcpy(rdata, record->rdata, record->head.rdata_len);
		owner->count++;
	}
	return STATUS_OK;
}

/* Owners that hold nothing but NSEC3 records are no names of the zone's tree (RFC 5155 sec 7.2.8). */
static bool is_hashed(const struct sorter *sorter)
{
	bool any = false;

	for (uint32_t i = 0; i < sorter->gather_count; i++) {
		const struct gather *record = &sorter->gathered[i];
		bool nsec3 = record->head.type == RRTYPE_NSEC3;
		any |= nsec3;
		if (!nsec3 && !(record->head.type == RRTYPE_RRSIG && record->head.rdata_len >= 2 &&
				      octets_get_u16(record->rdata) == RRTYPE_NSEC3)) {
			return false;
		}
	}
	return any;
}

static struct collect_owner *owner_add(struct collect *collect)
{
	struct collect_owner *owner =
		(struct collect_owner *)(void *)region_add(&collect->owner_memory, sizeof(*owner));

	if (owner == NULL || collect->owner_count == COLLECT_NONE - 1) {
		return NULL;
	}
	collect->owners = (struct collect_owner *)(void *)collect->owner_memory.start;
	collect->owner_count++;
	return owner;
}

/* How many labels, counted from the apex, two relative names share. */
static uint32_t shared_labels(const uint8_t *a, uint32_t a_labels, uint32_t a_len, const uint8_t *b,
	uint32_t b_labels, uint32_t b_len)
{
	uint8_t a_at[NAME_LABELS_MAX + 1], b_at[NAME_LABELS_MAX + 1];
	uint32_t shared = 0;

	for (uint32_t i = 0, at = 0; at < a_len; at += a[at] + 1u) {
		a_at[i++] = (uint8_t)at;
	}
	for (uint32_t i = 0, at = 0; at < b_len; at += b[at] + 1u) {
		b_at[i++] = (uint8_t)at;
	}
	while (shared < a_labels && shared < b_labels) {
		const uint8_t *left = a + a_at[a_labels - shared - 1];
		const uint8_t *right = b + b_at[b_labels - shared - 1];
		if (memcmp(left, right, left[0] + 1u) != 0) {
			break;
		}
		shared++;
	}
	return shared;
}

/* Where an owner stands: below a cut or DNAME, at one, or free. */
static void place_owner(struct sorter *sorter, uint32_t idx)
{
	struct collect *collect = sorter->collect;
	struct collect_owner *owner = &collect->owners[idx];
	uint32_t first;

	if (owner->labels > 0) {
		collect->owners[sorter->path[owner->labels - 1]].flags |= COLLECT_CHILDREN;
	}
	if (sorter->cut != COLLECT_NONE) {
		const struct collect_owner *cut = &collect->owners[sorter->cut];
		/* The path holds our ancestors, so we are below the cut exactly where it is one of them. */
		if (owner->labels > cut->labels && sorter->path[cut->labels] == sorter->cut) {
			owner->cut_depth = cut->cut_depth;
			owner->flags |= COLLECT_OCCLUDED;
			return;
		}
		sorter->cut = COLLECT_NONE;
	}
	if (owner->labels != 0 && collect_type(collect, owner, RRTYPE_NS, &first) > 0) {
		owner->flags |= COLLECT_CUT;
	}
	if (collect_type(collect, owner, RRTYPE_DNAME, &first) > 0) {
		owner->flags |= COLLECT_DNAME;
	}
	if (collect_type(collect, owner, RRTYPE_CNAME, &first) > 0) {
		owner->flags |= COLLECT_CNAME;
	}
	if ((owner->flags & (COLLECT_CUT | COLLECT_DNAME)) != 0) {
		owner->cut_depth = (uint8_t)(1u + collect->origin.label_count + owner->labels);
		sorter->cut = idx;
	}
	const uint8_t *name = collect_name(collect, owner);
	if (owner->labels != 0 && name[0] == 1 && name[1] == '*') {
		collect->owners[sorter->path[owner->labels - 1]].flags |= COLLECT_WILD;
	}
}

/* Every name between an owner and the apex exists (RFC 4592 sec 2.2.2). In canonical order what exists of them has
 * been passed just before and is on the path; the others become empty non-terminals, their names the tails of ours.
 */
static enum status add_empty_non_terminals(struct sorter *sorter, const uint8_t *name,
	uint64_t pool, uint32_t name_len, uint32_t labels, uint32_t shared)
{
	struct collect *collect = sorter->collect;

	for (uint32_t depth = 1; depth < labels; depth++) {
		if (depth <= shared) {
			collect->owners[sorter->path[depth]].flags &= (uint16_t)~COLLECT_HASHED;
			continue;
		}
		uint32_t skip = 0;
		for (uint32_t i = labels; i > depth; i--) {
			skip += name[skip] + 1u;
		}
		struct collect_owner *owner = owner_add(collect);
		if (owner == NULL) {
			return STATUS_LIMIT;
		}
		uint32_t idx = collect->owner_count - 1;
		*owner =
			(struct collect_owner){.prefix = order_prefix(name + skip, name_len - skip),
				.name = pool + skip,
				.name_len = (uint8_t)(name_len - skip),
				.labels = (uint8_t)depth,
				.flags = COLLECT_EMPTY};
		sorter->path[depth] = idx;
		place_owner(sorter, idx);
	}
	return STATUS_OK;
}

/* One owner with the records of all its runs. */
static enum status take_owner(struct sorter *sorter, const struct collect_run *runs, uint64_t count)
{
	struct collect *collect = sorter->collect;
	struct collect_run_head head = run_head(collect, &runs[0]);
	const uint8_t *name = run_name(collect, &runs[0]);
	uint32_t name_len = (uint32_t)head.name_len * (head.spelled != 0 ? 2 : 1);
	uint32_t shared = 0;

	sorter->gather_count = 0;
	for (uint64_t i = 0; i < count; i++) {
		enum status status = gather_run(sorter, &runs[i]);
		if (status != STATUS_OK) {
			return status;
		}
	}
	uint8_t *kept = region_add(&collect->pool, name_len);
	if (kept == NULL) {
		return STATUS_LIMIT;
	}
	if (name_len != 0) {
		memcpy(kept, name, name_len);
	}
	uint64_t pool = (uint64_t)(kept - collect->pool.start);
	if (collect->owner_count > 0) {
		const struct collect_owner *last = &collect->owners[collect->owner_count - 1];
		shared = shared_labels(collect_name(collect, last), last->labels, last->name_len,
			kept, head.labels, head.name_len);
	}
	enum status status =
		add_empty_non_terminals(sorter, kept, pool, head.name_len, head.labels, shared);
	struct collect_owner *owner = status == STATUS_OK ? owner_add(collect) : NULL;
	if (owner == NULL) {
		return STATUS_LIMIT;
	}
	*owner = (struct collect_owner){.prefix = runs[0].prefix,
		.name = pool,
		.name_len = head.name_len,
		.labels = head.labels,
		.flags = (uint16_t)((head.spelled != 0 ? COLLECT_SPELLED : 0) |
				    (is_hashed(sorter) ? COLLECT_HASHED : 0))};
	uint32_t idx = collect->owner_count - 1;
	sorter->path[head.labels] = idx;
	status = keep_records(sorter, owner);
	place_owner(sorter, idx);
	return status;
}

static bool same_owner(
	const struct collect *collect, const struct collect_run *a, const struct collect_run *b)
{
	uint8_t len = run_head(collect, a).name_len;

	return a->prefix == b->prefix && len == run_head(collect, b).name_len &&
	       memcmp(run_name(collect, a), run_name(collect, b), len) == 0;
}

static enum status take_all(struct sorter *sorter, const struct collect_run *runs, uint64_t count)
{
	const uint8_t *log = sorter->collect->log.start;
	enum status status = STATUS_OK;

	for (uint64_t start = 0, end; start < count && status == STATUS_OK; start = end) {
		for (end = start + 1;
			end < count && same_owner(sorter->collect, &runs[start], &runs[end]);
			end++) {
		}
		if (end + FETCH_AHEAD < count) {
			const uint8_t *ahead = log + runs[end + FETCH_AHEAD].log;
			__builtin_prefetch(ahead);
			__builtin_prefetch(ahead + CACHE_LINE);
		}
		status = take_owner(sorter, runs + start, end - start);
	}
	return status;
}

/* An apex without records is an owner all the same: the complaint about its SOA needs a place. */
static enum status add_bare_apex(struct sorter *sorter)
{
	struct collect_owner *apex = owner_add(sorter->collect);

	if (apex == NULL) {
		return STATUS_LIMIT;
	}
	*apex = (struct collect_owner){.flags = COLLECT_EMPTY};
	sorter->path[0] = 0;
	return STATUS_OK;
}

static enum status sort_all(struct sorter *sorter)
{
	struct collect *collect = sorter->collect;
	struct collect_run *runs = (struct collect_run *)(void *)collect->runs.start;
	uint64_t count = collect->runs.len / sizeof(*runs);
	struct region spare = {.start = NULL};
	enum status status = STATUS_OK;

	if (is_sorted(runs, count)) {
		settle_ties(collect, runs, count);
	} else if (count < RADIX_MIN) {
		qsort_r(runs, count, sizeof(*runs), compare_runs, collect);
	} else {
		status = region_init(&spare);
		if (status != STATUS_OK || region_add(&spare, count * sizeof(*runs)) == NULL) {
			region_fini(&spare);
			return STATUS_MEMORY;
		}
		runs = radix_sort(runs, (struct collect_run *)(void *)spare.start, count);
		settle_ties(collect, runs, count);
	}
	if (count == 0 || run_head(collect, &runs[0]).name_len != 0) {
		status = add_bare_apex(sorter);
	}
	if (status == STATUS_OK) {
		status = take_all(sorter, runs, count);
	}
	region_fini(&spare);
	return status;
}

enum status collect_sort(struct collect *collect)
{
	struct sorter sorter = {.collect = collect, .cut = COLLECT_NONE};
	enum status status = STATUS_MEMORY;

	sorter.canonical[0] = malloc(RDATA_LEN_MAX);
	sorter.canonical[1] = malloc(RDATA_LEN_MAX);
	if (sorter.canonical[0] != NULL && sorter.canonical[1] != NULL &&
		region_init(&collect->pool) == STATUS_OK &&
		region_init(&collect->owner_memory) == STATUS_OK &&
		region_init(&collect->record_memory) == STATUS_OK) {
		/* Regions do not move, so what is in them can be pointed to while they grow. */
		collect->records = (struct collect_record *)(void *)collect->record_memory.start;
		status = sort_all(&sorter);
	}
	collect->record_count = collect->record_memory.len / sizeof(struct collect_record);
	region_fini(&collect->log);
	region_fini(&collect->runs);
	free(sorter.canonical[0]);
	free(sorter.canonical[1]);
	free(sorter.gathered);
	return status;
}
