/* collect.h - the records of a zone while it is being read, and their order.
 *
 * Reading appends. Records that follow each other with one owner make a run, and a run lies in one piece:
 *
 *     runs  [order prefix | offset]...        log  [owner name | record, record, ...][owner name | ...]...
 *
 * collect_sort() sorts the runs (by radix, since a zone has millions) and copies what they hold, in canonical order,
 * to where the builder reads it from front to back: one random access a run, fetched ahead. On the way runs of one
 * owner are joined, records sorted by type and RDATA, duplicates dropped, empty non-terminals put in their places,
 * and cuts and what they occlude marked: in canonical order all that is below a name follows it.
 *
 * memory  about 16 octets a run, 24 a record and 48 an owner beside names and RDATA; given back by collect_fini()
 * thread  one owner
 */
#ifndef SAKER_ZONE_COLLECT_H
#define SAKER_ZONE_COLLECT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "os/region.h"
#include "wire/name.h"
#include "zonefile/zonefile.h"

#define COLLECT_NONE UINT32_MAX

struct collect_record {
	uint64_t rdata; /* offset in the pool */
	uint32_t ttl;
	uint32_t line;
	uint16_t type;
	uint16_t rdata_len;
	uint32_t file; /* index, for complaints */
};

enum collect_flag {
	COLLECT_EMPTY = 1 << 0, /* an empty non-terminal */
	COLLECT_SPELLED =
		1 << 1, /* written with capitals; the spelling stands behind the name in the pool */
	COLLECT_CUT = 1 << 2,
	COLLECT_DNAME = 1 << 3,
	COLLECT_OCCLUDED = 1 << 4, /* below a cut or a DNAME */
	COLLECT_WILD = 1 << 5,     /* has a child named `*` that is not occluded */
	COLLECT_HASHED =
		1
		<< 6, /* holds nothing but NSEC3 records and their signatures, and has nothing below */
	COLLECT_CHILDREN = 1 << 7, /* has names below it */
	COLLECT_CNAME = 1 << 8
};

struct collect_owner {
	uint64_t prefix; /* order_prefix() */
	uint64_t name;   /* offset in the pool: labels below the apex, lower case, no root label */
	uint32_t first;  /* index of its first record */
	uint32_t count;  /* of its records */
	uint32_t node;   /* reference in the image, once placed */
	uint16_t flags;  /* enum collect_flag */
	uint8_t name_len;
	uint8_t labels;    /* below the apex */
	uint8_t cut_depth; /* as struct image_node has it */
};

struct collect {
	struct name origin;    /* lower case */
	struct region log;     /* runs as they were read */
	struct region runs;    /* struct collect_run, one for each run */
	uint64_t record_count; /* read; after collect_sort(): kept */
	uint64_t duplicates;   /* records that were there already */
	uint64_t open_run;     /* offset in the log of the run that still grows; UINT64_MAX: none */
	struct region files;   /* names, each with its zero */
	uint32_t file_at;      /* offset of the last one */

	/* After collect_sort(), in canonical order; the apex is the first owner. */
	struct region pool; /* names and RDATA */
	struct region owner_memory, record_memory;
	struct collect_owner *owners;   /* in owner_memory */
	struct collect_record *records; /* in record_memory */
	uint32_t owner_count;
};

/* collect_init - an empty collection. errors: STATUS_MEMORY */
MUST_USE enum status collect_init(struct collect *collect, const struct name *origin);
void collect_fini(struct collect *collect);

/* collect_add - one record whose owner is at or below the origin.
 *
 * errors  STATUS_LIMIT: the reservation ends
 */
MUST_USE enum status collect_add(struct collect *collect, const struct zonefile_record *record);

/* collect_break - the next record belongs to no open run, whatever it says of its owner. */
void collect_break(struct collect *collect);

/* collect_has_run - whether a run is open, so that the next record may say that its owner is the same. */
bool collect_has_run(const struct collect *collect);

/* collect_sort - all of the above; afterwards nothing may be added. errors: STATUS_MEMORY, STATUS_LIMIT */
MUST_USE enum status collect_sort(struct collect *collect);

static inline const uint8_t *collect_name(
	const struct collect *collect, const struct collect_owner *owner)
{
	return collect->pool.start + owner->name;
}

static inline const uint8_t *collect_rdata(
	const struct collect *collect, const struct collect_record *record)
{
	return collect->pool.start + record->rdata;
}

/* collect_type - the records of a type at an owner, sorted; returns how many and the first's index. */
uint32_t collect_type(const struct collect *collect, const struct collect_owner *owner,
	uint16_t type, uint32_t *first_out);

/* collect_below - the owner with a relative lower-case name among those at and below an owner; COLLECT_NONE: none.
 *
 * cost  O(log names below)
 */
uint32_t collect_below(const struct collect *collect, const struct collect_owner *ancestor,
	const uint8_t *labels, uint32_t len);

/* collect_file - the file that a record came from. */
const char *collect_file(const struct collect *collect, const struct collect_record *record);

/* collect_owner_text - the owner's full name in presentation form into text[NAME_TEXT_MAX]; returns text. */
const char *collect_owner_text(
	const struct collect *collect, const struct collect_owner *owner, char *text);

#endif
