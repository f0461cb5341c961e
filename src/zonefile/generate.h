/* generate.h - $GENERATE: one line for each number of a range.
 *
 *   $GENERATE start-stop[/step] OWNER [TTL] [CLASS] TYPE RDATA
 *
 * In the text behind the range `$` is the number, `${offset[,width[,base]]}` the number plus offset,
 * padded with zeros to width, in base d, o, x, X, n or N; `\$` and `$$` are a dollar sign. Where the
 * RDATA is one quoted string, its content is the RDATA, as BIND has it.
 *
 * source  BIND 9 Administrator Reference Manual, "The $GENERATE Directive"; no RFC
 */
#ifndef SAKER_ZONEFILE_GENERATE_H
#define SAKER_ZONEFILE_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define GENERATE_NUMBER_MAX INT32_MAX /* of start, stop, step and offset: BIND's limits */
/* Lines of one zone: all of 10.0.0.0/10 in reverse. A small file may not fill the memory; a guess. */
#define GENERATE_LINES_MAX (1u << 22)
/* Digits of one number: more than the longest label with its dots (n) can hold. */
#define GENERATE_WIDTH_MAX 255u
/* Octets of one generated line: a name, and the longest RDATA anybody has generated. A guess. */
#define GENERATE_LINE_MAX 4096u

struct generate_range {
	uint32_t start;
	uint32_t stop;
	uint32_t step;
};

/* generate_range_from_text - start-stop[/step].
 *
 * effect  NULL: out is the range. Else what is wrong with it, and out is undefined.
 */
MUST_USE const char *generate_range_from_text(
	const uint8_t *text, uint32_t len, struct generate_range *out);

/* generate_line - the pattern with the number put in, into line[GENERATE_LINE_MAX].
 *
 * effect  NULL: *len_out octets. Else what is wrong with the pattern.
 */
MUST_USE const char *generate_line(
	const uint8_t *pattern, uint32_t len, uint32_t number, uint8_t *line, uint32_t *len_out);

#endif
