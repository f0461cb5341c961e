/* zonefile.h - zone files (master format) to records.
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

struct zonefile_record {
	const struct name *owner; /* as written; borrows until the call returns */
	const uint8_t
		*rdata; /* checked, uncompressed, case as written; borrows until the call returns */
	uint32_t ttl;   /* seconds */
	uint16_t type;
	uint16_t rdata_len;
	bool owner_is_same; /* the record before had this very owner */
	const char *file;   /* where the record starts, for complaints of the caller */
	uint32_t line;
	uint32_t column;
};

struct zonefile_sink {
	/* A record; anything but STATUS_OK stops the reading and is returned by zonefile_read(). */
	enum status (*record)(void *context, const struct zonefile_record *record);
	void *context;
	struct diag_sink diag; /* at most DIAG_ERRORS_MAX errors; then one that counts the others */
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
