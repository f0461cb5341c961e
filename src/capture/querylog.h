/* querylog.h - the queries in BIND's query log.
 *
 *     30-Nov-2026 18:55:34.123 queries: info: client @0x7f0c 192.0.2.1#1234 (a.test): view v: query: a.test IN A +E(0)DC (...)
 *     time, any print-time or none    ...            client, a key's name or not             name class type flags
 *
 * Lines that tell of no query are passed over. A time without a zone counts as UTC: what a replay needs is how
 * far two queries are apart. The query is made anew: header bits and OPT as the flags say, without its options.
 *
 * source  BIND 9 Administrator Reference Manual, "logging" and "querylog" (print-time: local, iso8601, iso8601-utc, no)
 */
#ifndef SAKER_CAPTURE_QUERYLOG_H
#define SAKER_CAPTURE_QUERYLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/check.h"
#include "base/status.h"

#define QUERYLOG_LINE_MAX 8191u /* octets: two names, all of it escaped, and the rest */

struct offer;

/* querylog_is - is there a line of a query log in this text, the start of a file? */
bool querylog_is(const char *text, size_t len);

/* querylog_read - reads the whole file and offers its queries. errors: what the sink returned */
MUST_USE enum status querylog_read(struct offer *offer);

#endif
