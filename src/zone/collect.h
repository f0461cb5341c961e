/* collect.h - the records of a zone while it is being read, then in canonical order.
 *
 * Reading appends. Records that follow each other with one owner make a run, and a run lies in one piece:
 *
 *     runs  [order prefix | offset]...        log  [owner name | record, record, ...][owner name | ...]...
 *
 * collect_sort() sorts the runs: by radix, since a zone has millions. gather.h then
 * goes over the owners in canonical order. Nothing is copied on the way: what it gives points into the log.
 *
 * memory  about 16 octets a run and 20 a record beside names and RDATA; given back by collect_fini()
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

#define COLLECT_NONE UINT64_MAX

struct collect_run;

struct collect {
	struct name origin;  /* lower case */
	struct region log;   /* runs as they were read */
	struct region runs;  /* struct collect_run, one for each run */
	struct region spare; /* what the sort needs beside it */
	struct region files; /* names, each with its zero */
	uint64_t open_run;   /* offset in the log of the run that still grows; COLLECT_NONE: none */
	const char *last_file;      /* borrows: as the reader gave it */
	uint32_t file_at;           /* offset of its name in files */
	struct collect_run *sorted; /* in runs or spare, after collect_sort() */
	uint64_t run_count;
};

/* A record of an owner. */
struct collect_item {
	const uint8_t *rdata; /* in the log; names with the case they were written in */
	uint32_t ttl;
	uint32_t line;
	uint32_t file; /* for collect_file() */
	uint16_t type;
	uint16_t rdata_len;
};

/* An owner with its records: rising type, then canonical RDATA, each once. */
struct collect_owner {
	const uint8_t *name;              /* labels below the apex, lower case, no root label */
	const uint8_t *spelling;          /* the same as written; NULL: in lower case */
	uint64_t prefix;                  /* order_prefix() */
	const struct collect_item *items; /* until the gather is used again */
	uint32_t count;
	uint64_t
		low_types; /* bit n: a record of type n is there, n < 64; most that a builder asks for is not */
	uint8_t name_len;
	uint8_t labels; /* below the apex */
};

/* collect_init - an empty collection. errors: STATUS_MEMORY */
MUST_USE enum status collect_init(struct collect *collect);

/* collect_begin - empties it for a zone of this name. */
void collect_begin(struct collect *collect, const struct name *origin);
void collect_fini(struct collect *collect);

/* collect_add - one record whose owner is at or below the origin. errors: STATUS_LIMIT: the reservation ends */
MUST_USE enum status collect_add(struct collect *collect, const struct zonefile_record *record);

/* collect_break - the next record belongs to no open run, whatever it says of its owner. */
void collect_break(struct collect *collect);

/* collect_has_run - whether a run is open, so that the next record may say that its owner is the same. */
bool collect_has_run(const struct collect *collect);

/* collect_sort - canonical order; afterwards nothing may be added. errors: STATUS_MEMORY */
MUST_USE enum status collect_sort(struct collect *collect);

/* collect_file - the file that a record came from. */
const char *collect_file(const struct collect *collect, const struct collect_item *item);

/* collect_owner_type - the records of a type at an owner; returns how many and the first's index.
 *
 * cost  O(1) for types below 64 that are not there, else O(records of the owner)
 */
uint32_t collect_owner_type(const struct collect_owner *owner, uint16_t type, uint32_t *first_out);

#endif
