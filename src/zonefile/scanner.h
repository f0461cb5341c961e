/* scanner.h - zone text to tokens: words, quoted strings, ends of entries.
 *
 * Parentheses, comments and line ends inside parentheses are swallowed here (RFC 1035 sec 5.1). Escapes
 * are skipped, not undone: names and strings undo them differently.
 *
 * The text may be a window that slides over a longer one (os/textwindow.h). It ends behind a line feed, so only a
 * parenthesis or a quoted string goes on behind its end; then it is made to grow, and nothing that points into it moves.
 *
 * invariant  line_at <= at <= end; *end is zero, SCAN_PADDING - 1 octets behind it may be loaded
 * thread     the owner's
 */
#ifndef SAKER_ZONEFILE_SCANNER_H
#define SAKER_ZONEFILE_SCANNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "zonefile/scan.h"

struct textwindow;

/* Octets of one token: the longest field is 65,535 octets as \DDD (URI), or as hexadecimal. */
#define SCANNER_TOKEN_MAX (4u * 65535u)
/* RFC 1035 says nothing of nested parentheses; they are counted, so that they cost nothing. A guess. */
#define SCANNER_PARENS_MAX 100u

enum token_kind {
	TOKEN_WORD,   /* without quotes */
	TOKEN_QUOTED, /* what stood between the quotes */
	TOKEN_END,    /* the entry ends: line feed outside of parentheses, or the text's end */
	TOKEN_BAD     /* scanner->why tells; reading may go on */
};

struct token {
	const uint8_t *text; /* borrows the scanner's text; not ended by a zero */
	uint32_t len;
	uint32_t line;
	uint32_t column;
	uint8_t kind; /* enum token_kind */
	bool escaped; /* a backslash stands in it */
};

struct scanner {
	const uint8_t *at;         /* the next octet */
	const uint8_t *end;        /* the zero octet behind the text, or behind its window */
	struct textwindow *window; /* borrows; NULL: all of the text is there */
	const uint8_t *line_at;    /* where the line begins */
	uint32_t line;             /* from 1 */
	uint32_t paren_depth;
	uint32_t paren_line; /* where the outermost open parenthesis stands */
	uint32_t paren_column;
	const char *why; /* what the last TOKEN_BAD is about */
};

/* scanner_init - at the start of text[0..len), which has SCAN_PADDING zero octets behind it.
 *
 * effect  a UTF-8 byte-order mark is skipped: it says nothing, and is never part of the first owner
 */
void scanner_init(struct scanner *scanner, const uint8_t *text, size_t len);

/* scanner_init_window - at the start of a window that was just opened. */
void scanner_init_window(struct scanner *scanner, struct textwindow *window);

/* scanner_slide - between entries, at the end: to what stands behind the window; false: nothing does. */
MUST_USE bool scanner_slide(struct scanner *scanner);

/* scanner_return - back to where it was when before was copied from it, in the same entry. */
static inline void scanner_return(struct scanner *scanner, const struct scanner *before)
{
	const uint8_t *end = scanner->end; /* the window may have grown */

	*scanner = *before;
	scanner->end = end;
}

/* scanner_next_slow - what scanner_next() leaves over. */
enum token_kind scanner_next_slow(struct scanner *scanner, struct token *out);

/* scanner_skip_entry - to the start of the next entry; complaints are dropped but one.
 *
 * effect  false: there is no next entry, for a parenthesis or a quote stayed open and took all of the text;
 *         open_out: where it stands, scanner->why: which it is
 */
MUST_USE bool scanner_skip_entry(struct scanner *scanner, struct token *open_out);

static inline uint32_t scanner_column(const struct scanner *scanner, const uint8_t *at)
{
	return (uint32_t)(at - scanner->line_at) + 1;
}

/* scanner_next - the next token; its kind is returned, too. */
static inline enum token_kind scanner_next(struct scanner *scanner, struct token *out)
{
	const uint8_t *text = scan_skip(scanner->at, SCAN_BLANK);
	const uint8_t *end = scan_skip(text, SCAN_WORD);

	scanner->at = text;
	if (*text == '\n' && scanner->paren_depth == 0) {
		out->text = text;
		out->len = 0;
		out->line = scanner->line;
		out->column = scanner_column(scanner, text);
		out->kind = TOKEN_END;
		scanner->at++;
		scanner->line++;
		scanner->line_at = scanner->at;
		return TOKEN_END;
	}
	if (UNLIKELY(end == text || !scan_is(*end, SCAN_STOP) || end - text > SCANNER_TOKEN_MAX)) {
		return scanner_next_slow(scanner, out);
	}
	out->text = text;
	out->len = (uint32_t)(end - text);
	out->line = scanner->line;
	out->column = scanner_column(scanner, text);
	out->kind = TOKEN_WORD;
	out->escaped = false;
	scanner->at = end;
	return TOKEN_WORD;
}

#endif
