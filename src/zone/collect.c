/* collect.c - records of a zone by owner, and their order. */
#include "zone/collect.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zone/order.h"

#define POOL_LEN_FIRST (1u << 16) /* octets: a zone of a few records needs no more */
#define COUNT_FIRST    256u
#define COUNT_MOST     (UINT32_MAX - 1)    /* COLLECT_NONE is no index */
#define POOL_MOST      ((uint64_t)1 << 40) /* what 40 bits can name */
#define FILES_MOST     (1u << 24)
#define RADIX_BITS     11u
#define RADIX_SIZE     (1u << RADIX_BITS)
#define RADIX_PASSES   6u /* of 11 bits: 64 and a little */

/* Doubles an array so that index count fits. */
static enum status reserve(void **array, uint32_t count, uint32_t *cap, size_t item_len)
{
	if (count < *cap) {
		return STATUS_OK;
	}
	if (count >= COUNT_MOST) {
		return STATUS_LIMIT;
	}
	uint64_t want = *cap == 0 ? COUNT_FIRST : (uint64_t)*cap * 2;
	want = want > COUNT_MOST ? COUNT_MOST : want;
	void *grown = realloc(*array, (size_t)want * item_len);
	if (grown == NULL) {
		return STATUS_MEMORY;
	}
	*array = grown;
	*cap = (uint32_t)want;
	return STATUS_OK;
}

/* Room for len more octets in the pool. */
static enum status pool_reserve(struct collect *collect, uint32_t len)
{
	if (len <= collect->pool_cap - collect->pool_len) {
		return STATUS_OK;
	}
	uint64_t want = collect->pool_cap == 0 ? POOL_LEN_FIRST : collect->pool_cap * 2;
	while (want - collect->pool_len < len) {
		want *= 2;
	}
	if (want > POOL_MOST) {
		return STATUS_LIMIT;
	}
	uint8_t *grown = realloc(collect->pool, want);
	if (grown == NULL) {
		return STATUS_MEMORY;
	}
	collect->pool = grown;
	collect->pool_cap = want;
	return STATUS_OK;
}

static uint64_t pool_put(struct collect *collect, const void *octets, uint32_t len)
{
	uint64_t at = collect->pool_len;

	DASSERT(len <= collect->pool_cap - collect->pool_len);
	if (len != 0) {
		memcpy(collect->pool + at, octets, len);
	}
	collect->pool_len += len;
	return at;
}

enum status collect_init(
	struct collect *collect, const struct name *origin, const struct hash_key *key)
{
	*collect = (struct collect){.key = *key, .last_owner = COLLECT_NONE};
	memcpy(&collect->origin, origin, offsetof(struct name, octets) + origin->len);
	name_lower(&collect->origin);
	collect->origin_hash = hash_root(key);
	for (uint32_t k = 1; k <= origin->label_count; k++) {
		const uint8_t *label = name_suffix(&collect->origin, k);
		collect->origin_hash = hash_octets(key, collect->origin_hash, label + 1, label[0]);
	}
	collect->table_mask = COUNT_FIRST * 2 - 1;
	collect->table = malloc((size_t)(collect->table_mask + 1) * sizeof(*collect->table));
	collect->scratch = malloc(2 * RDATA_LEN_MAX);
	if (collect->table == NULL || collect->scratch == NULL) {
		collect_fini(collect);
		return STATUS_MEMORY;
	}
	memset(collect->table, 0xff, (size_t)(collect->table_mask + 1) * sizeof(*collect->table));
	return STATUS_OK;
}

void collect_fini(struct collect *collect)
{
	free(collect->pool);
	free(collect->records);
	free(collect->owners);
	free(collect->table);
	free(collect->order);
	free(collect->files);
	free(collect->scratch);
	*collect = (struct collect){0};
}

static uint64_t hash_relative(const struct collect *collect, const uint8_t *labels, uint32_t len,
	uint32_t *label_count_out)
{
	uint8_t label_at[NAME_LABELS_MAX + 1];
	uint64_t hash = collect->origin_hash;
	uint32_t count = 0;

	for (uint32_t at = 0; at < len; at += labels[at] + 1u) {
		label_at[count++] = (uint8_t)at;
	}
	*label_count_out = count;
	while (count > 0) {
		const uint8_t *label = labels + label_at[--count];
		hash = hash_octets(&collect->key, hash, label + 1, label[0]);
	}
	return hash;
}

static uint32_t find_hashed(
	const struct collect *collect, uint64_t hash, const uint8_t *labels, uint32_t len)
{
	for (uint32_t slot = (uint32_t)hash & collect->table_mask;;
		slot = (slot + 1) & collect->table_mask) {
		uint32_t idx = collect->table[slot];
		if (idx == COLLECT_NONE) {
			return COLLECT_NONE;
		}
		const struct collect_owner *owner = &collect->owners[idx];
		if (owner->hash == hash && owner->name_len == len &&
			memcmp(collect_name(collect, owner), labels, len) == 0) {
			return idx;
		}
	}
}

uint32_t collect_find(const struct collect *collect, const uint8_t *labels, uint32_t len)
{
	uint32_t label_count;
	uint64_t hash = hash_relative(collect, labels, len, &label_count);

	return find_hashed(collect, hash, labels, len);
}

static void table_insert(struct collect *collect, uint32_t idx)
{
	uint32_t slot = (uint32_t)collect->owners[idx].hash & collect->table_mask;

	while (collect->table[slot] != COLLECT_NONE) {
		slot = (slot + 1) & collect->table_mask;
	}
	collect->table[slot] = idx;
}

/* Keeps the table at most half full. */
static enum status table_grow(struct collect *collect)
{
	if (collect->owner_count < collect->table_mask / 2) {
		return STATUS_OK;
	}
	size_t size = ((size_t)collect->table_mask + 1) * 4;
	if (size > (size_t)1 << 32) {
		return STATUS_LIMIT;
	}
	uint32_t *table = malloc(size * sizeof(*table));
	if (table == NULL) {
		return STATUS_MEMORY;
	}
	memset(table, 0xff, size * sizeof(*table));
	free(collect->table);
	collect->table = table;
	collect->table_mask = (uint32_t)(size - 1);
	for (uint32_t i = 0; i < collect->owner_count; i++) {
		table_insert(collect, i);
	}
	return STATUS_OK;
}

/* A new owner; name: its octets in the pool already. */
static enum status owner_add(struct collect *collect, uint64_t hash, uint64_t name, uint32_t len,
	uint32_t labels, uint32_t flags)
{
	enum status status = reserve((void **)&collect->owners, collect->owner_count,
		&collect->owner_cap, sizeof(*collect->owners));

	if (status == STATUS_OK) {
		status = table_grow(collect);
	}
	if (status != STATUS_OK) {
		return status;
	}
	collect->owners[collect->owner_count] = (struct collect_owner){.hash = hash,
		.name = name,
		.name_len = (uint8_t)len,
		.labels = (uint8_t)labels,
		.flags = (uint16_t)flags};
	table_insert(collect, collect->owner_count++);
	return STATUS_OK;
}

/* The owner of a record, made where it is new. */
static enum status find_or_add(struct collect *collect, const struct name *owner, uint32_t *idx_out)
{
	uint8_t lower[NAME_LEN_MAX];
	uint32_t len = (uint32_t)(owner->len - collect->origin.len);
	uint32_t label_count;

	DASSERT(owner->len >= collect->origin.len);
	name_octets_lower(lower, owner->octets, len);
	uint64_t hash = hash_relative(collect, lower, len, &label_count);
	*idx_out = find_hashed(collect, hash, lower, len);
	if (*idx_out != COLLECT_NONE) {
		return STATUS_OK;
	}
	bool spelled = memcmp(lower, owner->octets, len) != 0;
	enum status status = pool_reserve(collect, 2 * len);
	if (status != STATUS_OK) {
		return status;
	}
	uint64_t name = pool_put(collect, lower, len);
	if (spelled) {
		pool_put(collect, owner->octets, len);
	}
	*idx_out = collect->owner_count;
	return owner_add(collect, hash, name, len, label_count, spelled ? COLLECT_SPELLED : 0u);
}

/* Notes the file of a record; files change seldom. */
static enum status note_file(struct collect *collect, const char *file)
{
	if (collect->file_count > 0 &&
		strcmp((const char *)collect->pool + collect->files[collect->file_count - 1],
			file) == 0) {
		return STATUS_OK;
	}
	uint32_t len = (uint32_t)strlen(file) + 1;
	enum status status = reserve((void **)&collect->files, collect->file_count,
		&collect->file_cap, sizeof(*collect->files));
	if (status == STATUS_OK) {
		status = collect->file_count < FILES_MOST ? pool_reserve(collect, len)
							  : STATUS_LIMIT;
	}
	if (status == STATUS_OK) {
		collect->files[collect->file_count++] = pool_put(collect, file, len);
	}
	return status;
}

enum status collect_add(struct collect *collect, const struct zonefile_record *record)
{
	enum status status = reserve((void **)&collect->records, collect->record_count,
		&collect->record_cap, sizeof(*collect->records));
	uint32_t owner = collect->last_owner;

	if (status == STATUS_OK && (!record->owner_is_same || owner == COLLECT_NONE)) {
		status = find_or_add(collect, record->owner, &owner);
	}
	if (status == STATUS_OK) {
		status = note_file(collect, record->file);
	}
	if (status == STATUS_OK) {
		status = pool_reserve(collect, record->rdata_len);
	}
	if (status != STATUS_OK) {
		return status;
	}
	collect->last_owner = owner;
	collect->owners[owner].count++;
	uint64_t rdata = pool_put(collect, record->rdata, record->rdata_len);
	collect->records[collect->record_count++] =
		(struct collect_record){.rdata = rdata & (POOL_MOST - 1),
			.file = (collect->file_count - 1) & (FILES_MOST - 1),
			.owner = owner,
			.ttl = record->ttl,
			.type = record->type,
			.rdata_len = record->rdata_len,
			.line = record->line};
	return STATUS_OK;
}

/* Every name between an owner and the apex exists (RFC 4592 sec 2.2.2): those without records become owners.
 * The names of empty non-terminals are tails of their owners' names, so the pool holds them already.
 */
static enum status add_empty_non_terminals(struct collect *collect)
{
	for (uint32_t i = 0; i < collect->owner_count; i++) {
		struct collect_owner owner = collect->owners[i];
		if ((owner.flags & COLLECT_HASHED) != 0 || owner.labels == 0) {
			continue;
		}
		uint32_t skip = collect->pool[owner.name] + 1u;
		const uint8_t *labels = collect->pool + owner.name + skip;
		uint32_t len = owner.name_len - skip;
		uint32_t label_count;
		uint64_t hash = hash_relative(collect, labels, len, &label_count);
		uint32_t parent = find_hashed(collect, hash, labels, len);
		if (parent == COLLECT_NONE) {
			parent = collect->owner_count;
			enum status status = owner_add(
				collect, hash, owner.name + skip, len, label_count, COLLECT_EMPTY);
			if (status != STATUS_OK) {
				return status;
			}
		}
		/* The parent may hold NSEC3 records only, and exist all the same since something is below. */
		if ((collect->owners[parent].flags & COLLECT_HASHED) != 0) {
			collect->owners[parent].flags &= (uint16_t)~COLLECT_HASHED;
		}
		collect->owners[parent].flags |= COLLECT_CHILDREN;
	}
	return STATUS_OK;
}

/* Owners that hold nothing but NSEC3 records are no names of the zone's tree (RFC 5155 sec 7.2.8). */
static enum status mark_hashed(struct collect *collect)
{
	uint8_t *other = calloc(collect->owner_count, 1);

	if (other == NULL) {
		return STATUS_MEMORY;
	}
	bool any = false;
	for (uint32_t i = 0; i < collect->record_count; i++) {
		const struct collect_record *record = &collect->records[i];
		const uint8_t *rdata = collect_rdata(collect, record);
		bool nsec3 = record->type == RRTYPE_NSEC3 ||
			     (record->type == RRTYPE_RRSIG && record->rdata_len > 2 &&
				     (rdata[0] << 8 | rdata[1]) == RRTYPE_NSEC3);
		any |= record->type == RRTYPE_NSEC3;
		other[record->owner] |= !nsec3;
	}
	for (uint32_t i = 0; any && i < collect->owner_count; i++) {
		if (other[i] == 0) {
			collect->owners[i].flags |= COLLECT_HASHED;
		}
	}
	free(other);
	return STATUS_OK;
}

struct sort_item {
	uint64_t prefix;
	uint32_t owner;
};

static int compare_owners(const struct collect *collect, uint32_t a, uint32_t b)
{
	const struct collect_owner *left = &collect->owners[a], *right = &collect->owners[b];

	return order_compare(collect_name(collect, left), left->name_len,
		collect_name(collect, right), right->name_len);
}

static int compare_items(const void *a, const void *b, void *context)
{
	const struct sort_item *left = a, *right = b;

	return compare_owners(context, left->owner, right->owner);
}

/* Sorts by prefix: least significant digit first; a digit that all items share costs no pass. */
static struct sort_item *radix_sort(
	struct sort_item *items, struct sort_item *spare, uint32_t count)
{
	for (uint32_t pass = 0; pass < RADIX_PASSES; pass++) {
		uint32_t shift = pass * RADIX_BITS;
		uint32_t starts[RADIX_SIZE] = {0};
		for (uint32_t i = 0; i < count; i++) {
			starts[items[i].prefix >> shift & (RADIX_SIZE - 1)]++;
		}
		if (count == 0 || starts[items[0].prefix >> shift & (RADIX_SIZE - 1)] == count) {
			continue;
		}
		uint32_t sum = 0;
		for (uint32_t digit = 0; digit < RADIX_SIZE; digit++) {
			uint32_t here = starts[digit];
			starts[digit] = sum;
			sum += here;
		}
		for (uint32_t i = 0; i < count; i++) {
			spare[starts[items[i].prefix >> shift & (RADIX_SIZE - 1)]++] = items[i];
		}
		struct sort_item *swap = items;
		items = spare;
		spare = swap;
	}
	return items;
}

static enum status sort_owners(struct collect *collect)
{
	uint32_t count = collect->owner_count;
	struct sort_item *memory = malloc((size_t)count * 2 * sizeof(*memory));

	collect->order = malloc((size_t)count * sizeof(*collect->order));
	if (memory == NULL || collect->order == NULL) {
		free(memory);
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < count; i++) {
		struct collect_owner *owner = &collect->owners[i];
		owner->prefix = order_prefix(collect_name(collect, owner), owner->name_len);
		memory[i] = (struct sort_item){.prefix = owner->prefix, .owner = i};
	}
	struct sort_item *items = radix_sort(memory, memory + count, count);
	for (uint32_t start = 0, end; start < count; start = end) {
		for (end = start + 1; end < count && items[end].prefix == items[start].prefix;
			end++) {
		}
		if (end - start == 2) { /* the usual case: a delegation and its glue */
			if (compare_owners(collect, items[start].owner, items[start + 1].owner) >
				0) {
				struct sort_item swap = items[start];
				items[start] = items[start + 1];
				items[start + 1] = swap;
			}
		} else if (end - start > 2) {
			qsort_r(items + start, end - start, sizeof(*items), compare_items, collect);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		collect->order[i] = items[i].owner;
	}
	free(memory);
	return STATUS_OK;
}

/* Order of the canonical forms, RFC 4034 sec 6.3. Letters count only in types whose names have no canonical case. */
static int compare_rdata(const struct collect *collect, const struct collect_record *a,
	const struct collect_record *b)
{
	const uint8_t *left = collect_rdata(collect, a), *right = collect_rdata(collect, b);
	struct rdata_name names[RDATA_NAMES_MAX];

	if (rdata_names(a->type, left, a->rdata_len, names) > 0) {
		uint8_t *canonical = collect->scratch;
		memcpy(canonical, left, a->rdata_len);
		rdata_canonical(a->type, canonical, a->rdata_len);
		left = canonical;
		canonical += RDATA_LEN_MAX;
		memcpy(canonical, right, b->rdata_len);
		rdata_canonical(b->type, canonical, b->rdata_len);
		right = canonical;
	}
	return rdata_compare(left, a->rdata_len, right, b->rdata_len);
}

static int compare_records(const void *a, const void *b, void *context)
{
	const struct collect_record *left = a, *right = b;

	if (left->type != right->type) {
		return left->type < right->type ? -1 : 1;
	}
	int diff = compare_rdata(context, left, right);
	if (diff != 0) {
		return diff;
	}
	/* Equal records: the one that was read first stays (its TTL, its spelling). */
	return left->rdata < right->rdata ? -1 : left->rdata > right->rdata;
}

/* Rising type, then RDATA; drops records that are there twice. */
static void sort_records(struct collect *collect, struct collect_owner *owner)
{
	struct collect_record *records = collect->records + owner->first;
	uint32_t kept = 0;

	if (owner->count < 2) {
		return;
	}
	if (owner->count == 2) {
		if (compare_records(&records[0], &records[1], collect) > 0) {
			struct collect_record swap = records[0];
			records[0] = records[1];
			records[1] = swap;
		}
	} else {
		qsort_r(records, owner->count, sizeof(*records), compare_records, collect);
	}
	for (uint32_t i = 1; i < owner->count; i++) {
		if (records[kept].type == records[i].type &&
			compare_rdata(collect, &records[kept], &records[i]) == 0) {
			collect->duplicates++;
		} else {
			records[++kept] = records[i];
		}
	}
	owner->count = kept + 1;
}

/* Brings the records into the order of their owners. */
static enum status group_records(struct collect *collect)
{
	struct collect_record *grouped =
		malloc((size_t)(collect->record_count + 1) * sizeof(*grouped));
	uint32_t at = 0;

	if (grouped == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < collect->owner_count; i++) {
		struct collect_owner *owner = &collect->owners[collect->order[i]];
		owner->first = at;
		at += owner->count;
		owner->count = 0;
	}
	for (uint32_t i = 0; i < collect->record_count; i++) {
		struct collect_owner *owner = &collect->owners[collect->records[i].owner];
		grouped[owner->first + owner->count++] = collect->records[i];
	}
	free(collect->records);
	collect->records = grouped;
	for (uint32_t i = 0; i < collect->owner_count; i++) {
		sort_records(collect, &collect->owners[collect->order[i]]);
	}
	return STATUS_OK;
}

uint32_t collect_type(const struct collect *collect, const struct collect_owner *owner,
	uint16_t type, uint32_t *first_out)
{
	uint32_t count = 0;

	for (uint32_t i = owner->first; i < owner->first + owner->count; i++) {
		if (collect->records[i].type == type) {
			*first_out = count == 0 ? i : *first_out;
			count++;
		} else if (count > 0) {
			break;
		}
	}
	return count;
}

static bool is_below(const struct collect *collect, const struct collect_owner *owner,
	const struct collect_owner *ancestor)
{
	uint32_t skip = (uint32_t)owner->name_len - ancestor->name_len;

	/* Equal octets at the end are whole labels only where label borders fall there; the order forms made the
	 * caller's list such that what follows an ancestor and ends like it stands below it, but a label that
	 * merely ends like it may stand between, so the labels are counted, too.
	 */
	if (owner->name_len <= ancestor->name_len || owner->labels <= ancestor->labels) {
		return false;
	}
	const uint8_t *at = collect_name(collect, owner);
	for (uint32_t i = owner->labels; i > ancestor->labels; i--) {
		at += *at + 1u;
	}
	return at == collect_name(collect, owner) + skip &&
	       memcmp(at, collect_name(collect, ancestor), ancestor->name_len) == 0;
}

/* Cuts and DNAMEs, and what stands below them. In canonical order descendants follow their ancestor. */
static void mark_cuts(struct collect *collect)
{
	const struct collect_owner *cut = NULL;
	uint32_t first;

	for (uint32_t i = 0; i < collect->owner_count; i++) {
		struct collect_owner *owner = &collect->owners[collect->order[i]];
		if ((owner->flags & COLLECT_HASHED) != 0) {
			continue;
		}
		if (cut != NULL && is_below(collect, owner, cut)) {
			owner->cut_depth = cut->cut_depth;
			owner->flags |= COLLECT_OCCLUDED;
			continue;
		}
		cut = NULL;
		uint32_t depth = 1u + collect->origin.label_count + owner->labels;
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
			owner->cut_depth = (uint8_t)depth;
			cut = owner;
		}
		const uint8_t *name = collect_name(collect, owner);
		if (owner->labels != 0 && name[0] == 1 && name[1] == '*') {
			uint32_t parent = collect_find(collect, name + 2, owner->name_len - 2u);
			collect->owners[parent].flags |= COLLECT_WILD;
		}
	}
}

enum status collect_sort(struct collect *collect)
{
	enum status status;

	/* The apex first, so that it exists in a file without a record for it. */
	if (collect_find(collect, NULL, 0) == COLLECT_NONE) {
		status = owner_add(collect, collect->origin_hash, 0, 0, 0, COLLECT_EMPTY);
		if (status != STATUS_OK) {
			return status;
		}
	}
	status = mark_hashed(collect);
	if (status == STATUS_OK) {
		status = add_empty_non_terminals(collect);
	}
	if (status == STATUS_OK) {
		status = sort_owners(collect);
	}
	if (status == STATUS_OK) {
		status = group_records(collect);
	}
	if (status == STATUS_OK) {
		mark_cuts(collect);
	}
	return status;
}

const char *collect_file(const struct collect *collect, const struct collect_record *record)
{
	return (const char *)collect->pool + collect->files[record->file];
}

const char *collect_owner_text(
	const struct collect *collect, const struct collect_owner *owner, char *text)
{
	struct name name;

	if (name_join(collect_name(collect, owner), owner->name_len, owner->labels,
		    &collect->origin, &name) != WIRE_OK) {
		text[0] = '\0'; /* cannot be: names at the origin were whole names */
		return text;
	}
	return name_to_text(&name, text);
}
