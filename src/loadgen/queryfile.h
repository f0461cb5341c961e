/* queryfile.h - a file of queries, each made ready to be sent.
 *
 * One query a line, `NAME TYPE`, as dnsperf reads them; `;` begins a comment, and so does a `#` that a blank
 * follows (`#` is a good first octet of a name). Empty lines are nothing. Names are absolute with or
 * without a final dot; escapes as in RFC 1035 sec 5.1.
 *
 *     octets  |flags counts question [OPT]|flags counts question [OPT]|...     everything behind the message ID
 *     items    off, len, question_len      off, len, question_len
 *
 * Queries of a capture are added as whole messages (queryfile_add()).
 *
 * memory  what stands on the wire, eight octets a query, and up to as much again while it grows
 * thread  read-only once read
 */
#ifndef SAKER_LOADGEN_QUERYFILE_H
#define SAKER_LOADGEN_QUERYFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "wire/name.h"
#include "wire/rrtype.h"

#define QUERYFILE_OPT_LEN 11u /* octets of an OPT record without options, RFC 6891 sec 6.1.2 */
#define QUERYFILE_OPTIONS_MAX                                                                      \
	1024u /* octets of options in each query: what a datagram has room for */
/* What an OPT offers: fits every path unfragmented, RFC 9715 sec 3.2. */
#define QUERYFILE_UDP_LEN 1232u
/* Octets of a line: the longest name takes 1015, all of it escaped. */
#define QUERYFILE_LINE_MAX 2047u
#define QUERYFILE_ID_LEN   2u /* octets of a message that are not kept: its ID */

struct queryfile_options {
	bool edns;   /* an OPT record in each query */
	bool dnssec; /* and the DO bit in it */
	bool open; /* the OPT record ends before its length: who sends adds that and options (ednsopt.h) */
	const uint8_t *
		edns_options; /* borrows until it is read: as they stand in each OPT record; or NULL */
	uint32_t edns_options_len; /* at most QUERYFILE_OPTIONS_MAX; 0 where open */
	bool strict;               /* a bad line is an error; otherwise a warning, and left out */
};

struct queryfile_item {
	uint32_t off; /* of the octets behind the ID */
	uint16_t len; /* of them */
	uint16_t
		question_len; /* octets of the question, which begins WIRE_HEADER_LEN - 2 octets on */
};

struct queryfile {
	uint8_t *octets;              /* owns */
	struct queryfile_item *items; /* owns */
	uint32_t count;
	uint32_t bad_count; /* lines left out */
	bool is_open;       /* as asked for in the options */
	size_t octets_len;
	size_t octets_cap;
	size_t items_cap;
};

/* queryfile_init - empty; queryfile_read() does it itself. errors: STATUS_MEMORY: nothing is left to be undone */
MUST_USE enum status queryfile_init(struct queryfile *queries);

/* queryfile_add - a query by its whole message; its ID is not kept.
 *
 * effect  only header and question were looked at: what is behind is sent as it is
 * errors  STATUS_REFUSED  longer than 65535 octets, a response, or not with one whole question; nothing was added
 *         STATUS_MEMORY
 */
MUST_USE enum status queryfile_add(struct queryfile *queries, const uint8_t *octets, uint32_t len);

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

/* queryfile_rest - what follows the message ID of query idx, idx < count. */
static inline const uint8_t *queryfile_rest(
	const struct queryfile *queries, uint32_t idx, uint32_t *len_out)
{
	*len_out = queries->items[idx].len;
	return queries->octets + queries->items[idx].off;
}

#define QUERYFILE_TEXT_MAX                                                                         \
	(NAME_TEXT_MAX + RRTYPE_TEXT_MAX) /* octets of `NAME TYPE` with its zero */

/* queryfile_text - the question of query idx as `NAME TYPE` into text[QUERYFILE_TEXT_MAX]; returns text. */
const char *queryfile_text(const struct queryfile *queries, uint32_t idx, char *text);

/* queryfile_flags - octets 2 and 3 of query idx: opcode and flags, in host order. */
uint16_t queryfile_flags(const struct queryfile *queries, uint32_t idx);

/* queryfile_is_question - is this the question of query idx? Letters' case is ignored (RFC 4343 sec 3).
 *
 * shape  octets: what follows the header of an answer
 */
bool queryfile_is_question(
	const struct queryfile *queries, uint32_t idx, const uint8_t *octets, uint32_t len);

#endif
