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
/* Octets of one file; no zone comes near. Memory ends sooner. */
#define ZONEFILE_LEN_MAX (1ull << 40)
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
	struct diag_sink
		diag; /* at most DIAG_ERRORS_MAX errors, and warnings; then one that counts the others */
};

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

/* zonefile_read_octets - the same of text in memory; name stands for the path in complaints. */
MUST_USE enum status zonefile_read_octets(const char *name, const char *text, size_t len,
	const struct name *origin, const struct zonefile_sink *sink);

#endif
