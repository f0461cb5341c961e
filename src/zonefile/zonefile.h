/* zonefile.h - zone files (master format) to records.
 *
 * What peers do differently, and what saker does:
 *   - a relative $INCLUDE is looked for in the folder of the file that includes, then as it is written;
 *   - after $INCLUDE the origin and the last owner are what they were before, $TTL is not;
 *   - without $TTL a record takes the last TTL that was written (RFC 1035 sec 5.1, RFC 2308 sec 4); a
 *     SOA record that has none before it takes its own minimum, which is then the default, as BIND does;
 *   - a TTL above 2^31 - 1 counts as 0 (RFC 2181 sec 8), with a warning;
 *   - only class IN is read; a UTF-8 byte-order mark is skipped; other octets above 127 are data.
 *
 * source  RFC 1035 sec 5, RFC 2308 sec 4 ($TTL), RFC 3597, RFC 9460 (SVCB), BIND's $GENERATE
 */
#ifndef SAKER_ZONEFILE_ZONEFILE_H
#define SAKER_ZONEFILE_ZONEFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "wire/name.h"

struct file_identity;

/* Files open at the same time, the first one too. BIND has no limit, nobody needs this many. A guess. */
#define ZONEFILE_DEPTH_MAX 16u
/* $INCLUDE lines of one zone: a few small files that include each other may not keep us for ever. */
#define ZONEFILE_INCLUDES_MAX 65536u
/* Octets of the path of an included file. */
#define ZONEFILE_PATH_MAX 1024u

struct zonefile_record {
	const struct name *owner; /* as written; borrows until the call returns */
	const uint8_t
		*rdata; /* checked, uncompressed, case as written; borrows until the call returns */
	uint32_t ttl;   /* seconds */
	uint16_t type;
	uint16_t rdata_len;
	bool owner_is_same; /* the record before had this very owner */
	const char *file;   /* where the record starts, for complaints of the caller; borrows until
			       zonefile_read() returns */
	uint32_t line;
	uint32_t column;
};

struct zonefile_sink {
	/* A record; anything but STATUS_OK stops the reading and is returned by zonefile_read(). */
	enum status (*record)(void *context, const struct zonefile_record *record);
	/* NULL, or told each file that is read, as it was before it was read; identity NULL: a path where an included
	 * file was looked for and was not. Anything but STATUS_OK stops the reading, too.
	 */
	enum status (*source)(
		void *context, const char *path, const struct file_identity *identity);
	void *context;
	uint32_t
		ttl; /* seconds of records that say none, where nothing before them does; 0: such a record is an error */
	struct diag_sink
		diag; /* at most DIAG_ERRORS_MAX errors, and warnings; then one that counts the others */
};

/* Records that were read together, by one of several threads. */
struct zonefile_piece {
	uint32_t part;     /* the thread that has them */
	uint64_t from, to; /* what zonefile_parts.mark told before the first and behind the last */
	uint32_t lines_before; /* to be added to zonefile_record.line */
};

/* Who takes records of a large file from several threads, each its own, and puts them in order afterwards. What cannot be
 * read but in order is given to zonefile_sink.record, and belongs to part 0.
 */
struct zonefile_parts {
	uint32_t
		count; /* threads that may read, at most ZONEFILE_PARTS_MAX; the caller's is part 0 */
	/* On any thread, one a part; anything but STATUS_OK: this piece is to be read again in order. */
	enum status (*record)(void *context, uint32_t part, const struct zonefile_record *record);
	/* Where the next record of a part will be, which has nothing to do with those before. */
	uint64_t (*mark)(void *context, uint32_t part);
	/* On the caller's thread: these are the next of the file. What was given and is not joined does not count. */
	enum status (*join)(void *context, const struct zonefile_piece *piece);
	void *context;
};

/* Threads that read one file: more do not fit behind one reader of the disk. A guess. */
#define ZONEFILE_PARTS_MAX 8u

/* zonefile_read - read a file and all that it includes, record by record.
 *
 * effect  goes on after an error so that all are listed; records are then still delivered, and the caller
 *         throws them away when STATUS_REFUSED comes back
 * errors  STATUS_REFUSED  complaints went to the sink (an unreadable file is one)
 *         STATUS_MEMORY; what sink->record returned
 * cost    one pass; memory for the include stack only
 * thread  any; no shared state
 */
MUST_USE enum status zonefile_read(
	const char *path, const struct name *origin, const struct zonefile_sink *sink);

/* zonefile_read_parts - the same by several threads where the file is large; parts NULL: by none but the caller's.
 *
 * effect  records, complaints and their order are those of zonefile_read()
 * thread  starts and ends threads of its own, which give way to those that answer
 */
MUST_USE enum status zonefile_read_parts(const char *path, const struct name *origin,
	const struct zonefile_sink *sink, const struct zonefile_parts *parts);

/* zonefile_read_octets - the same of text in memory; name stands for the path in complaints. */
MUST_USE enum status zonefile_read_octets(const char *name, const char *text, size_t len,
	const struct name *origin, const struct zonefile_sink *sink);

#endif
