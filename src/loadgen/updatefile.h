/* updatefile.h - a file of dynamic updates, as dnsperf -u reads it, to UPDATE messages.
 *
 *     example.com                    the zone
 *     require a                      prerequisites: a name, an RRset, or an RRset with this record exists
 *     require a A
 *     require a A 192.0.2.1
 *     prohibit x                     or not
 *     prohibit x A
 *     add x 3600 A 192.0.2.2         changes: add a record; delete a record, an RRset, or all of a name
 *     delete y A 192.0.2.2
 *     delete z A
 *     delete w
 *     send                           ends the message
 *
 * Names that are not absolute belong to the zone. Lines that begin with `;` or `#` are comments.
 *
 * thread  no shared state
 * source  dnsperf(1) "Constructing a dynamic update input file", RFC 2136 sec 2
 */
#ifndef SAKER_LOADGEN_UPDATEFILE_H
#define SAKER_LOADGEN_UPDATEFILE_H

#include <stdbool.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "loadgen/queryfile.h"

/* updatefile_read - reads a file; `-` is standard input.
 *
 * effect  a message with a bad line is left out with a warning; where strict it is an error
 * errors  STATUS_REFUSED  complaints went to the sink: unreadable, no update at all, a bad line where strict
 *         STATUS_MEMORY; nothing is left to be undone after either
 */
MUST_USE enum status updatefile_read(
	const char *path, bool strict, const struct diag_sink *sink, struct queryfile *out);

#endif
