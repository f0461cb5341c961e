/* collect.h - the records of a zone while it is being read, then in canonical order.
 *
 * Reading appends. Records that follow each other with one owner make a run, and a run lies in one piece:
 *
 *     runs  [order prefix | offset]...        log  [owner name | record, record, ...][owner name | ...]...
 *
 * Several threads may read, each into a part with a log and runs of its own. The logs of all parts lie in one reservation,
 * so that an offset says which log, too. collect_join() tells which runs of which part come next in the order of the
 * file; the others do not count.
 *
 * collect_sort() sorts the runs: by radix, since a zone has millions. gather.h then
 * goes over the owners in canonical order. Nothing is copied on the way: what it gives points into the log.
 *
 * memory  about 16 octets a run and 20 a record beside names and RDATA; given back by collect_fini()
 * thread  one owner; a part has one of its own while it is added to
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

#define COLLECT_NONE      UINT64_MAX
#define COLLECT_PARTS_MAX ZONEFILE_PARTS_MAX

struct collect_run;

/* What one thread adds to. */
struct collect_part {
	struct region log;  /* runs as they were read */
	struct region runs; /* struct collect_run, one for each run */
	uint64_t open_run;  /* offset in its log of the run that still grows; COLLECT_NONE: none */
	const char *last_file; /* borrows: as the reader gave it */
	uint32_t file_at;      /* offset of its name in files */
	uint8_t spare[2 *
		      CACHE_LINE]; /* parts are written to at the same time, and share no line */
};

/* Runs that were joined, in the order of reading. */
struct collect_piece {
	uint64_t log; /* offset of the first run */
	uint32_t part;
	uint32_t order;       /* in which it was joined */
	uint32_t line_before; /* to be added to the lines of its records */
	uint64_t from, count; /* its runs among those of the part */
};

struct collect {
	struct name origin; /* lower case */
	const uint8_t *log; /* where the logs begin; offsets are from here */
	struct collect_part parts[COLLECT_PARTS_MAX];
	uint32_t part_count;
	struct collect_piece
		*pieces; /* owns: in the order of reading; after collect_sort() by log */
	uint32_t piece_count, piece_cap;
	struct region spare; /* what the sort needs beside the runs */
	struct region
		files; /* names, each with its zero; of part 0, which alone meets more than one */
	struct collect_run *sorted; /* in runs or spare, after collect_sort() */
	uint64_t run_count;
};

/* A record of an owner. */
struct collect_item {
	const uint8_t *rdata; /* in the log; names with the case they were written in */
	uint32_t ttl;
	uint32_t line;  /* for collect_line() */
	uint32_t file;  /* for collect_file() */
	uint32_t order; /* rising as the records of the owner were read */
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

/* collect_begin - empties it for a zone of this name, whose file is file, which borrows until collect_sort().
 *
 * shape   parts: at least 1; part_count tells how many there are, which may be fewer where addresses are rationed
 * errors  STATUS_MEMORY, STATUS_LIMIT
 */
MUST_USE enum status collect_begin(
	struct collect *collect, const struct name *origin, const char *file, uint32_t parts);
void collect_fini(struct collect *collect);

/* collect_add - one record whose owner is at or below the origin. errors: STATUS_LIMIT: the reservation ends */
MUST_USE enum status collect_add(
	struct collect *collect, uint32_t part, const struct zonefile_record *record);

/* collect_break - the next record belongs to no open run, whatever it says of its owner. */
void collect_break(struct collect *collect, uint32_t part);

/* collect_has_run - whether a run is open, so that the next record may say that its owner is the same. */
bool collect_has_run(const struct collect *collect, uint32_t part);

/* collect_mark - how many runs a part has; the next record begins another. */
uint64_t collect_mark(struct collect *collect, uint32_t part);

/* collect_join - the runs between two marks of a part are the next of the file. errors: STATUS_MEMORY */
MUST_USE enum status collect_join(struct collect *collect, const struct zonefile_piece *piece);

/* collect_sort - what was joined in canonical order; afterwards nothing may be added. errors: STATUS_MEMORY */
MUST_USE enum status collect_sort(struct collect *collect);

/* collect_file, collect_line - where a record came from. After collect_sort(). */
const char *collect_file(const struct collect *collect, const struct collect_item *item);
uint32_t collect_line(const struct collect *collect, const struct collect_item *item);

/* collect_is_before - was what lies at one offset of the logs read before what lies at another? After collect_sort(). */
bool collect_is_before(const struct collect *collect, uint64_t log, uint64_t other);

/* collect_owner_type_slow - what collect_owner_type() leaves over. */
uint32_t collect_owner_type_slow(
	const struct collect_owner *owner, uint16_t type, uint32_t *first_out);

/* collect_owner_type - the records of a type at an owner; returns how many and the first's index.
 *
 * cost  O(1) for types below 64 that are not there, else O(records of the owner)
 */
static inline uint32_t collect_owner_type(
	const struct collect_owner *owner, uint16_t type, uint32_t *first_out)
{
	if (type < 64 && (owner->low_types >> type & 1) == 0) {
		return 0;
	}
	return collect_owner_type_slow(owner, type, first_out);
}

#endif
