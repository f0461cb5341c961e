/* reading.h - one reading of a zone file, from its first entry to its last.
 *
 * In order it goes entry by entry until the stack of files is empty. pieces.h reads a large file with several threads, and
 * in order only what has to be.
 *
 * thread  the caller's of zonefile_read()
 */
#ifndef SAKER_ZONEFILE_READING_H
#define SAKER_ZONEFILE_READING_H

#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "os/textsource.h"
#include "zonefile/zonefile.h"

struct parser;

/* What zonefile.h leaves to others; tests have other sizes, and the outcome is the same. */
struct reading {
	const char *path;
	const struct name *origin;
	const struct zonefile_sink *sink;
	const struct zonefile_parts *parts; /* NULL: in order */
	size_t window_len;                  /* octets read at a time, in order */
	size_t piece_len;                   /* octets of a piece */
};

/* reading_run - all of the text, which it closes. errors: as zonefile_read() */
MUST_USE enum status reading_run(const struct reading *reading, const struct textsource *text);

/* reading_parser - a parser with nothing to read yet; NULL: no memory. free() gives it back. */
MUST_USE struct parser *reading_parser(
	const struct name *origin, const struct zonefile_sink *sink, size_t window_len);

/* reading_in_order - entry by entry until the first that begins at octet stop of the zone file, or behind it; and the
 * stack is empty where there is none.
 */
void reading_in_order(struct parser *parser, uint64_t stop);

#endif
