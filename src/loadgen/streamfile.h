/* streamfile.h - queries as they stand on a TCP stream: what dnsperf -B reads.
 *
 *     len | message | len | message | ...     len: two octets, network order
 *
 * Messages are sent as they are, but for their IDs. One that no answer could be told of (shorter than a header, a
 * response, not exactly one question) is a bad one: it is named by its place, and left out.
 *
 * source  RFC 1035 sec 4.2.2
 */
#ifndef SAKER_LOADGEN_STREAMFILE_H
#define SAKER_LOADGEN_STREAMFILE_H

#include <stdbool.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "loadgen/queryfile.h"

/* streamfile_read - reads a file; `-` is standard input. strict: a bad message is an error
 *
 * errors  STATUS_REFUSED  complaints went to the sink: unreadable, cut short, no query at all, a bad one where strict
 *         STATUS_MEMORY; nothing is left to be undone after either
 */
MUST_USE enum status streamfile_read(
	const char *path, bool strict, const struct diag_sink *sink, struct queryfile *out);

#endif
