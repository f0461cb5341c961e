/* parser_priv.h - the state of one reading, shared by zonefile.c, entry.c and directive.c.
 *
 * thread  the caller's of zonefile_read()
 */
#ifndef SAKER_ZONEFILE_PARSER_PRIV_H
#define SAKER_ZONEFILE_PARSER_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "os/textsource.h"
#include "os/textwindow.h"
#include "wire/name.h"
#include "zonefile/field.h"
#include "zonefile/scanner.h"
#include "zonefile/zonefile.h"

#define PARSER_MEMO_BITS 6  /* 64 classes and types met lately */
#define PARSER_WORD_MAX  8u /* octets of a word that fits a memo */

/* One file on the stack of includes. */
struct parser_source {
	struct scanner scanner;
	struct textsource text; /* owns; not open where the text is in memory */
	struct textwindow window;
	const char *path;
	/* What the file above had, and gets back. */
	struct name origin_before;
	struct name owner_before;
	bool has_owner_before;
};

/* A mnemonic as it was written, and what it is: saves most records the hash. */
struct parser_memo {
	uint64_t word;
	const char *fields;
	uint16_t type;
};

struct parser {
	const struct zonefile_sink *sink;
	size_t window_len;
	uint32_t depth; /* sources in use */
	uint32_t include_count;
	uint32_t generated_count;
	uint32_t error_count;
	uint32_t warning_count;
	enum status status; /* what the sink said */
	struct name origin;
	struct name owner;
	bool has_owner;
	bool owner_is_new; /* no record was delivered of it yet */
	/* The owner as it was written last; of length 0 where it has to be read anew. */
	const uint8_t *owner_text;
	uint32_t owner_text_len;
	uint8_t owner_kept[NAME_LEN_MAX]; /* owner_text, when the window has left it behind */
	bool has_ttl_default;
	bool has_ttl_last;
	uint32_t ttl_default;
	uint32_t ttl_last;
	/* A part of a file that is read before what comes before it: whatever is not plain is a complaint, which
	 * nobody sees, and the part is read again in order.
	 */
	bool is_piece;
	/* While $GENERATE runs, complaints point at its line. */
	bool is_generating;
	uint32_t generate_line;
	uint32_t generate_number;
	struct parser_memo memos[1u << PARSER_MEMO_BITS];
	uint64_t ttl_word; /* the TTL as it was written last, and what it is; 0: none yet */
	uint32_t ttl_of_word;
	struct arena paths;
	struct parser_source sources[ZONEFILE_DEPTH_MAX];
	struct field_reader field;
};

static inline struct parser_source *parser_top(struct parser *parser)
{
	return &parser->sources[parser->depth - 1];
}

/* parser_complain, parser_warn - an error, a warning about that place of the file being read.
 *
 * effect  the first DIAG_ERRORS_MAX of each are told, the others counted
 */
void parser_complain(struct parser *parser, uint32_t line, uint32_t column, const char *format, ...)
	PRINTF(4, 5) COLD;
void parser_warn(struct parser *parser, uint32_t line, uint32_t column, const char *format, ...)
	PRINTF(4, 5) COLD;

/* parser_give_up - makes the complaint that parser->field holds and skips what is left of the entry.
 *
 * effect  returns false, so that a caller may return it
 */
bool parser_give_up(struct parser *parser) COLD;

/* parser_set_name - name from wire octets that are known to be good. */
void parser_set_name(struct name *name, const uint8_t *octets, uint32_t len);

/* parser_word_is - is the token that word (in upper case), whatever its case? */
bool parser_word_is(const struct token *token, const char *word);

/* parser_clamp_ttl - a TTL above 2^31 - 1 becomes 0, with a warning (RFC 2181 sec 8). */
void parser_clamp_ttl(struct parser *parser, uint32_t *ttl, uint32_t line, uint32_t column);

/* parser_read_end - the entry's end, or false: something else stood there, and was complained of. */
MUST_USE bool parser_read_end(struct parser *parser);

/* parser_tell_source - a path that the zone is read from, to whoever asks; identity NULL: nothing is there.
 *
 * errors  what sink->source returned
 */
MUST_USE enum status parser_tell_source(
	struct parser *parser, const char *path, const struct file_identity *identity);

/* parser_push - puts a file on the stack, whose text is the parser's from here on, whatever comes of it.
 *
 * errors  STATUS_IO (errno): it cannot be read; STATUS_MEMORY
 */
MUST_USE enum status parser_push(
	struct parser *parser, const char *path, const struct textsource *text);

/* parser_pop - takes it off. */
void parser_pop(struct parser *parser);

/* parser_slide - between entries, at the end of what is there of the text: more of it.
 *
 * effect  false: there is no more; where it could not be read, that was complained of
 */
MUST_USE bool parser_slide(struct parser *parser);

#endif
