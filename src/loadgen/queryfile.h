/* queryfile.h - a file of queries, each made ready to be sent.
 *
 * One query a line, `NAME TYPE`, as dnsperf reads them; `;` begins a comment, and so does a `#` that a blank
 * follows (`#` is a good first octet of a name). Empty lines are nothing. Names are absolute with or
 * without a final dot; escapes as in RFC 1035 sec 5.1.
 *
 *     tails    |qname qtype qclass [OPT]|qname qtype qclass [OPT]|...     everything behind the header
 *     offsets  0                        n1                       n2 ...   one more than there are queries
 *
 * memory  what stands on the wire, four octets a query, and up to as much again while it grows
 * thread  read-only once read
 */
#ifndef SAKER_LOADGEN_QUERYFILE_H
#define SAKER_LOADGEN_QUERYFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"

#define QUERYFILE_OPT_LEN 11u /* octets of an OPT record without options, RFC 6891 sec 6.1.2 */
/* What an OPT offers: fits every path unfragmented, RFC 9715 sec 3.2. */
#define QUERYFILE_UDP_LEN 1232u
/* Octets of a line: the longest name takes 1015, all of it escaped. */
#define QUERYFILE_LINE_MAX 2047u

struct queryfile_options {
	bool edns;   /* an OPT record in each query */
	bool dnssec; /* and the DO bit in it */
	bool strict; /* a bad line is an error; otherwise a warning, and left out */
};

struct queryfile {
	uint8_t *tails;    /* owns */
	uint32_t *offsets; /* owns: count + 1 of them */
	uint32_t count;
	uint32_t bad_count; /* lines left out */
	uint32_t
		opt_len; /* octets of the OPT record at the end of each tail: QUERYFILE_OPT_LEN or 0 */
	size_t tails_cap;
	size_t offsets_cap;
};

/* queryfile_read - reads a file; `-` is standard input.
 *
 * effect  at most DIAG_ERRORS_MAX bad lines are named, then one complaint counts the others
 * errors  STATUS_REFUSED  complaints went to the sink: unreadable, no query at all, a bad line where strict
 *         STATUS_MEMORY; nothing is left to be undone after either
 * cost    a million lines in 0.2 s (2026-11, 2 GHz-class virtual processor)
 */
MUST_USE enum status queryfile_read(const char *path, const struct queryfile_options *options,
	const struct diag_sink *sink, struct queryfile *out);

/* queryfile_read_stream - the same from an open stream, which stays open; name stands for the path in complaints. */
MUST_USE enum status queryfile_read_stream(FILE *file, const char *name,
	const struct queryfile_options *options, const struct diag_sink *sink,
	struct queryfile *out);

void queryfile_fini(struct queryfile *queries);

/* queryfile_tail - what follows the header of query idx, idx < count. */
static inline const uint8_t *queryfile_tail(
	const struct queryfile *queries, uint32_t idx, uint32_t *len_out)
{
	*len_out = queries->offsets[idx + 1] - queries->offsets[idx];
	return queries->tails + queries->offsets[idx];
}

/* queryfile_head - writes the header of any of the queries: message ID, RD as dnsperf sets it, counts. */
void queryfile_head(const struct queryfile *queries, uint16_t id, uint8_t head[12]);

/* queryfile_is_question - is this the question of query idx? Letters' case is ignored (RFC 4343 sec 3).
 *
 * shape  octets: what follows the header of an answer
 */
bool queryfile_is_question(
	const struct queryfile *queries, uint32_t idx, const uint8_t *octets, uint32_t len);

#endif
