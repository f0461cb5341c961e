/* octetset.c - a hash table of numbers. */
#include "loadgen/octetset.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define OCTETS_CAP (1u << 16) /* to begin with */
#define STARTS_CAP (1u << 10)
#define TABLE_CAP  (1u << 11)
#define COUNT_MAX  (1u << 30)

/* What is in the set comes from files of the user: who chooses strings that collide waits for himself. */
static const struct hash_key key = {{0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u}};

enum status octetset_init(struct octetset *set)
{
	*set = (struct octetset){
		.octets_cap = OCTETS_CAP, .starts_cap = STARTS_CAP, .table_cap = TABLE_CAP};
	set->octets = malloc(set->octets_cap);
	set->starts = malloc(set->starts_cap * sizeof(*set->starts));
	set->table = malloc(set->table_cap * sizeof(*set->table));
	if (set->octets == NULL || set->starts == NULL || set->table == NULL) {
		return STATUS_MEMORY;
	}
	set->starts[0] = 0;
	memset(set->table, 0xff, set->table_cap * sizeof(*set->table));
	return STATUS_OK;
}

void octetset_fini(struct octetset *set)
{
	free(set->octets);
	free(set->starts);
	free(set->table);
	*set = (struct octetset){.count = 0};
}

static uint32_t hash_of(const uint8_t *octets, uint32_t len)
{
	return (uint32_t)hash_octets(&key, hash_root(&key), octets, len);
}

static uint32_t number_of(uint64_t entry)
{
	return (uint32_t)entry;
}

/* Where the string is in the table, or could be put. Only where the whole hash agrees is a string looked at. */
static uint32_t probe(
	const struct octetset *set, uint32_t hash, const uint8_t *octets, uint32_t len)
{
	uint32_t mask = set->table_cap - 1;
	uint32_t at = hash & mask;

	while (number_of(set->table[at]) != OCTETSET_NONE) {
		if (set->table[at] >> 32 == hash) {
			uint32_t other_len;
			const uint8_t *other =
				octetset_get(set, number_of(set->table[at]), &other_len);
			if (other_len == len && memcmp(other, octets, len) == 0) {
				break;
			}
		}
		at = (at + 1) & mask;
	}
	return at;
}

static enum status grow_table(struct octetset *set)
{
	uint32_t cap = set->table_cap * 2;
	uint64_t *table = malloc(cap * sizeof(*table));

	if (table == NULL) {
		return STATUS_MEMORY;
	}
	memset(table, 0xff, cap * sizeof(*table));
	for (uint32_t i = 0; i < set->table_cap; i++) {
		uint64_t entry = set->table[i];
		uint32_t at = (uint32_t)(entry >> 32) & (cap - 1);
		if (number_of(entry) == OCTETSET_NONE) {
			continue;
		}
		while (number_of(table[at]) != OCTETSET_NONE) {
			at = (at + 1) & (cap - 1);
		}
		table[at] = entry;
	}
	free(set->table);
	set->table = table;
	set->table_cap = cap;
	return STATUS_OK;
}

/* Room for one more string of len octets. */
static enum status make_room(struct octetset *set, uint32_t len)
{
	size_t used = set->starts[set->count];

	if (set->octets_cap - used < len) {
		size_t cap = set->octets_cap * 2 + len;
		uint8_t *octets = realloc(set->octets, cap);
		if (octets == NULL) {
			return STATUS_MEMORY;
		}
		set->octets = octets;
		set->octets_cap = cap;
	}
	if (set->count + 2ull > set->starts_cap) {
		size_t cap = set->starts_cap * 2;
		uint64_t *starts = realloc(set->starts, cap * sizeof(*starts));
		if (starts == NULL) {
			return STATUS_MEMORY;
		}
		set->starts = starts;
		set->starts_cap = cap;
	}
	return set->count < set->table_cap / 2 ? STATUS_OK : grow_table(set);
}

enum status octetset_add(
	struct octetset *set, const uint8_t *octets, uint32_t len, uint32_t *number_out)
{
	uint32_t hash = hash_of(octets, len);
	uint32_t at = probe(set, hash, octets, len);

	if (number_of(set->table[at]) != OCTETSET_NONE) {
		*number_out = number_of(set->table[at]);
		return STATUS_OK;
	}
	if (set->count == COUNT_MAX) {
		return STATUS_LIMIT;
	}
	uint32_t cap = set->table_cap;
	enum status status = make_room(set, len);
	if (status != STATUS_OK) {
		return status;
	}
	at = cap == set->table_cap ? at : probe(set, hash, octets, len);
	memcpy(set->octets + set->starts[set->count], octets, len);
	set->starts[set->count + 1] = set->starts[set->count] + len;
	set->table[at] = (uint64_t)hash << 32 | set->count;
	*number_out = set->count++;
	return STATUS_OK;
}

uint32_t octetset_find(const struct octetset *set, const uint8_t *octets, uint32_t len)
{
	return number_of(set->table[probe(set, hash_of(octets, len), octets, len)]);
}
