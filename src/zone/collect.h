/* collect.h - the records of a zone while it is being read: by owner, in whatever order they come.
 *
 * Owners are found by hash; records are kept in one array, RDATA and names in one pool. When all are read,
 * collect_sort() brings the owners into canonical order, with the empty non-terminals between them, and each
 * owner's records into rising type and canonical RDATA, without duplicates.
 *
 * memory  about 28 octets a record and 48 an owner beside the RDATA; given back by collect_fini()
 * thread  one owner
 */
#ifndef SAKER_ZONE_COLLECT_H
#define SAKER_ZONE_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/status.h"
#include "wire/name.h"
#include "zonefile/zonefile.h"

#define COLLECT_NONE UINT32_MAX

struct collect_record {
	uint64_t rdata : 40; /* offset in the pool */
	uint64_t file : 24;  /* index of the file it came from, for complaints */
	uint32_t owner;      /* index */
	uint32_t ttl;
	uint16_t type;
	uint16_t rdata_len;
	uint32_t line;
};

enum collect_flag {
	COLLECT_EMPTY = 1 << 0, /* an empty non-terminal */
	COLLECT_SPELLED =
		1 << 1, /* written with capitals; the spelling stands behind the name in the pool */
	COLLECT_CUT = 1 << 2,
	COLLECT_DNAME = 1 << 3,
	COLLECT_OCCLUDED = 1 << 4, /* below a cut or a DNAME */
	COLLECT_WILD = 1 << 5,     /* has a child named `*` that is not occluded */
	COLLECT_HASHED = 1 << 6,   /* holds nothing but NSEC3 records and their signatures */
	COLLECT_CHILDREN = 1 << 7, /* has names below it */
	COLLECT_CNAME = 1 << 8
};

struct collect_owner {
	uint64_t hash;   /* of the whole name */
	uint64_t prefix; /* order_prefix() */
	uint64_t name;   /* offset in the pool: labels below the apex, lower case, no root label */
	uint32_t first;  /* index of its first record, after collect_sort() */
	uint32_t count;  /* of its records */
	uint32_t node;   /* reference in the image, once placed */
	uint16_t flags;  /* enum collect_flag */
	uint8_t name_len;
	uint8_t labels;    /* below the apex */
	uint8_t cut_depth; /* as struct image_node has it */
};

struct collect {
	struct hash_key key;
	struct name origin; /* lower case */
	uint64_t origin_hash;
	uint8_t *pool; /* owns */
	uint64_t pool_len, pool_cap;
	struct collect_record *records; /* owns */
	uint32_t record_count, record_cap;
	struct collect_owner *owners; /* owns */
	uint32_t owner_count, owner_cap;
	uint32_t *table; /* owns: owner indexes by hash, COLLECT_NONE where free */
	uint32_t table_mask;
	uint32_t *order;     /* owns: owner indexes in canonical order, after collect_sort() */
	uint32_t last_owner; /* of the record before */
	uint64_t duplicates; /* records that were there already */
	uint64_t *files;     /* owns: offsets of file names in the pool */
	uint32_t file_count, file_cap;
	uint8_t *scratch; /* owns: two RDATA in canonical form, while they are compared */
};

/* collect_init - an empty collection. errors: STATUS_MEMORY */
MUST_USE enum status collect_init(
	struct collect *collect, const struct name *origin, const struct hash_key *key);
void collect_fini(struct collect *collect);

/* collect_add - one record whose owner is at or below the origin.
 *
 * errors  STATUS_MEMORY; STATUS_LIMIT: more than 2^32 - 2 records or owners
 */
MUST_USE enum status collect_add(struct collect *collect, const struct zonefile_record *record);

/* collect_sort - order, empty non-terminals, cuts; afterwards nothing may be added. errors: STATUS_MEMORY, STATUS_LIMIT */
MUST_USE enum status collect_sort(struct collect *collect);

/* collect_find - the owner of a relative lower-case name; COLLECT_NONE where there is none. */
uint32_t collect_find(const struct collect *collect, const uint8_t *labels, uint32_t len);

static inline const uint8_t *collect_name(
	const struct collect *collect, const struct collect_owner *owner)
{
	return collect->pool + owner->name;
}

static inline const uint8_t *collect_rdata(
	const struct collect *collect, const struct collect_record *record)
{
	return collect->pool + record->rdata;
}

/* collect_type - the records of a type at an owner, sorted; returns how many and the first's index. */
uint32_t collect_type(const struct collect *collect, const struct collect_owner *owner,
	uint16_t type, uint32_t *first_out);

/* collect_file - the file that a record came from. */
const char *collect_file(const struct collect *collect, const struct collect_record *record);

/* collect_owner_text - the owner's full name in presentation form into text[NAME_TEXT_MAX]; returns text. */
const char *collect_owner_text(
	const struct collect *collect, const struct collect_owner *owner, char *text);

#endif
