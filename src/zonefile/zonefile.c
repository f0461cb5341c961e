/* zonefile.c - entries and directives: owner, TTL, class and type of each record, and where files end. */
#include "zonefile/zonefile.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/octets.h"
#include "os/textfile.h"
#include "wire/rrtype.h"
#include "zonefile/duration.h"
#include "zonefile/field.h"
#include "zonefile/generate.h"
#include "zonefile/rdata_read.h"
#include "zonefile/scanner.h"

#define SOA_MINIMUM_LEN 4u /* the last field of a SOA record */
#define MEMO_BITS       6  /* 64 classes and types met lately */
#define MEMO_WORD_MAX   8u /* octets of a word that fits a memo */

_Static_assert(TEXTFILE_PADDING >= SCAN_PADDING, "the scanner may look ahead in a file");

/* One file on the stack of includes. */
struct source {
	struct scanner scanner;
	struct textfile file;
	const char *path;
	/* What the file above had, and gets back. */
	struct name origin_before;
	struct name owner_before;
	bool has_owner_before;
};

/* A mnemonic as it was written, and what it is: saves most records the hash. */
struct memo {
	uint64_t word;
	const char *fields;
	uint16_t type;
};

struct parser {
	const struct zonefile_sink *sink;
	uint32_t depth; /* sources in use */
	uint32_t include_count;
	uint32_t generated_count;
	uint32_t error_count;
	enum status status; /* what the sink said */
	struct name origin;
	struct name owner;
	bool has_owner;
	bool owner_is_new; /* no record was delivered of it yet */
	/* The owner as it was written last; of length 0 where it has to be read anew. */
	const uint8_t *owner_text;
	uint32_t owner_text_len;
	bool has_ttl_default;
	bool has_ttl_last;
	uint32_t ttl_default;
	uint32_t ttl_last;
	/* While $GENERATE runs, complaints point at its line. */
	bool is_generating;
	uint32_t generate_line;
	uint32_t generate_number;
	struct memo memos[1u << MEMO_BITS];
	uint64_t ttl_word; /* the TTL as it was written last, and what it is; 0: none yet */
	uint32_t ttl_of_word;
	struct arena paths;
	struct source sources[ZONEFILE_DEPTH_MAX];
	struct field_reader field;
};

/* What stands before the RDATA. */
struct head {
	uint32_t line;
	uint32_t column;
	uint32_t ttl;
	bool has_ttl;
	bool has_class;
	uint16_t type;
	const char *fields;
};

static struct source *top(struct parser *parser)
{
	return &parser->sources[parser->depth - 1];
}

static void report(struct parser *parser, enum diag_level level, uint32_t line, uint32_t column,
	const char *format, va_list args) __attribute__((format(printf, 5, 0)));

static void report(struct parser *parser, enum diag_level level, uint32_t line, uint32_t column,
	const char *format, va_list args)
{
	char text[DIAG_TEXT_MAX];
	int len = 0;

	if (parser->is_generating) {
		len = snprintf(text, sizeof(text), "in the line for %u: ", parser->generate_number);
		line = parser->generate_line;
		column = 1;
	}
	vsnprintf(text + len, sizeof(text) - (size_t)len, format, args);
	diag_report(&parser->sink->diag, level, top(parser)->path, line, column, "%s", text);
}

PRINTF(4, 5)
static void complain(
	struct parser *parser, uint32_t line, uint32_t column, const char *format, ...) COLD;

static void complain(struct parser *parser, uint32_t line, uint32_t column, const char *format, ...)
{
	va_list args;

	if (parser->error_count++ >= DIAG_ERRORS_MAX) {
		return;
	}
	va_start(args, format);
	report(parser, DIAG_ERROR, line, column, format, args);
	va_end(args);
}

PRINTF(4, 5)
static void warn(
	struct parser *parser, uint32_t line, uint32_t column, const char *format, ...) COLD;

static void warn(struct parser *parser, uint32_t line, uint32_t column, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	report(parser, DIAG_WARNING, line, column, format, args);
	va_end(args);
}

/* The complaint that parser->field holds; then the rest of the entry is skipped. Returns false. */
COLD static bool give_up(struct parser *parser)
{
	const struct token *token = &parser->field.token;

	complain(parser, token->line, token->column, "%s", parser->field.why);
	if (token->kind != TOKEN_END && !parser->field.ended) {
		scanner_skip_entry(parser->field.scanner);
	}
	return false;
}

/* Sets name to wire octets that are known to be good. */
static void set_name(struct name *name, const uint8_t *octets, uint32_t len)
{
	uint32_t label_count = 0;

	for (uint32_t at = 0; octets[at] != 0; at += octets[at] + 1u) {
		label_count++;
	}
	memcpy(name->octets, octets, len);
	name->len = (uint8_t)len;
	name->label_count = (uint8_t)label_count;
}

/* The owner at the scanner, which does not stand at a blank. */
static bool read_owner(struct parser *parser)
{
	struct scanner *scanner = parser->field.scanner;
	const uint8_t *text = scanner->at;
	uint32_t len = parser->owner_text_len;

	/* The very text of the record before: zones are full of it. */
	if (len > 0 && (size_t)(scanner->end - text) > len &&
		memcmp(text, parser->owner_text, len) == 0 && scan_is(text[len], SCAN_STOP)) {
		scanner->at = text + len;
		return true;
	}
	struct scan_name found;
	const uint8_t *end = scan_name(text, parser->owner.octets, NAME_LEN_MAX, &found);
	parser->owner_is_new = true;
	parser->has_owner = true;
	if (LIKELY(end != NULL && found.absolute && found.len < NAME_LEN_MAX)) {
		parser->owner.octets[found.len] = 0;
		parser->owner.len = (uint8_t)(found.len + 1);
		parser->owner.label_count = (uint8_t)found.label_count;
	} else if (end != NULL && !found.absolute &&
		   parser->origin.len <= NAME_LEN_MAX - found.len) {
		memcpy(parser->owner.octets + found.len, parser->origin.octets, parser->origin.len);
		parser->owner.len = (uint8_t)(found.len + parser->origin.len);
		parser->owner.label_count =
			(uint8_t)(found.label_count + parser->origin.label_count);
	} else {
		parser->owner_text_len = 0;
		parser->field.len = 0;
		parser->has_owner = field_name(&parser->field);
		if (!parser->has_owner) {
			return give_up(parser);
		}
		set_name(&parser->owner, parser->field.octets, parser->field.len);
		return true;
	}
	parser->owner_text = text;
	parser->owner_text_len = (uint32_t)(end - text);
	scanner->at = end;
	return true;
}

static uint8_t upper(uint8_t octet)
{
	return (uint8_t)(octet - 0u - 'a' < 26u ? octet - 32u : octet);
}

static bool equals(const struct token *token, const char *word)
{
	for (uint32_t i = 0; i < token->len; i++) {
		if (word[i] == '\0' || upper(token->text[i]) != (uint8_t)word[i]) {
			return false;
		}
	}
	return word[token->len] == '\0';
}

/* Is the word a class? CLASSnnn is RFC 3597 sec 5. */
static bool is_class(const struct token *token, uint64_t *out)
{
	static const struct {
		const char *word;
		uint16_t class;
	} classes[] = {{"IN", CLASS_IN}, {"CH", CLASS_CH}, {"HS", CLASS_HS}, {"CS", 2},
		{"CHAOS", CLASS_CH}, {"HESIOD", CLASS_HS}};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (equals(token, classes[i].word)) {
			*out = classes[i].class;
			return true;
		}
	}
	struct token prefix = *token;
	prefix.len = 5;
	return token->len > 5 && equals(&prefix, "CLASS") &&
	       field_decimal(token->text + 5, token->len - 5, UINT16_MAX, out);
}

/* One word before the type: TTL or class. */
static bool read_modifier(struct parser *parser, struct head *head, uint64_t class)
{
	const struct token *token = &parser->field.token;

	if (token->text[0] - 0u - '0' < 10u) {
		if (head->has_ttl || !duration_from_text(token->text, token->len, &head->ttl)) {
			return field_fail_token(&parser->field,
				head->has_ttl ? "a class or type (a TTL stands before it)"
					      : "a TTL (expected seconds, or units as in 1h30m)");
		}
		head->has_ttl = true;
		return true;
	}
	if (head->has_class) {
		return field_fail_token(&parser->field, "a type (a class stands before it)");
	}
	if (class != CLASS_IN) {
		return field_fail_token(&parser->field, "a class of this zone (expected IN)");
	}
	head->has_class = true;
	return true;
}

static bool check_type(struct parser *parser, struct head *head)
{
	const struct token *token = &parser->field.token;
	const struct rrtype_info *info;

	if (!rrtype_from_text((const char *)token->text, token->len, &head->type)) {
		return field_fail_token(&parser->field, "a TTL, a class or an RR type");
	}
	if (rrtype_is_meta(head->type)) {
		return field_fail_token(&parser->field, "a type that a zone can hold");
	}
	info = rrtype_info(head->type);
	head->fields = info != NULL ? info->fields : NULL;
	return true;
}

/* The octets of a short word as a number; the text is padded, so eight can always be loaded. */
static uint64_t word_of(const struct token *token)
{
	uint64_t word;

	memcpy(&word, token->text, sizeof(word));
	return token->len >= MEMO_WORD_MAX ? word : word & ((1ull << (8 * token->len)) - 1);
}

/* The factor keeps the types that zones are made of apart, in either case (found by trying). */
static struct memo *memo_of(struct parser *parser, uint64_t word)
{
	return &parser->memos[(word * 0x66cf9529c2ffd6f5ull) >> (64 - MEMO_BITS)];
}

/* A class or type that no memo knows; *is_type_out tells which. */
COLD static bool read_new_word(struct parser *parser, struct head *head, bool *is_type_out)
{
	const struct token *token = &parser->field.token;
	uint64_t word = word_of(token);
	struct memo memo = {.word = word};
	uint64_t class;

	*is_type_out = !is_class(token, &class);
	if (*is_type_out) {
		if (!check_type(parser, head)) {
			return false;
		}
		memo.type = head->type;
		memo.fields = head->fields;
	} else if (!read_modifier(parser, head, class)) {
		return false;
	}
	if (token->len <= MEMO_WORD_MAX) {
		*memo_of(parser, word) = memo;
	}
	return true;
}

/* [TTL] [class] type, or class and TTL the other way round (RFC 1035 sec 5.1). */
HOT static bool read_head(struct parser *parser, struct head *head)
{
	const struct token *token = &parser->field.token;
	bool is_type = false;

	while (!is_type) {
		if (!field_next(&parser->field, "a TTL, a class or an RR type")) {
			return give_up(parser);
		}
		if (UNLIKELY(token->kind == TOKEN_QUOTED)) {
			field_fail_token(&parser->field, "a TTL, a class or an RR type");
			return give_up(parser);
		}
		uint64_t word = word_of(token);
		const struct memo *memo = memo_of(parser, word);
		bool good = true;
		if (word == parser->ttl_word && token->len <= MEMO_WORD_MAX && !head->has_ttl) {
			head->ttl = parser->ttl_of_word;
			head->has_ttl = true;
		} else if (token->text[0] - 0u - '0' < 10u) { /* no class, no type begins so */
			good = read_modifier(parser, head, CLASS_IN);
			parser->ttl_word = token->len <= MEMO_WORD_MAX && good ? word : 0;
			parser->ttl_of_word = head->ttl;
		} else if (UNLIKELY(memo->word != word || token->len > MEMO_WORD_MAX)) {
			good = read_new_word(parser, head, &is_type);
		} else if (memo->type == 0) {
			good = read_modifier(parser, head, CLASS_IN);
		} else {
			head->type = memo->type;
			head->fields = memo->fields;
			is_type = true;
		}
		if (UNLIKELY(!good)) {
			return give_up(parser);
		}
	}
	return true;
}

/* The TTL of a record that says none; false where there is nothing to take. */
COLD static bool find_ttl(struct parser *parser, struct head *head)
{
	if (parser->has_ttl_default) {
		head->ttl = parser->ttl_default;
	} else if (parser->has_ttl_last) {
		head->ttl = parser->ttl_last;
	} else if (head->type == RRTYPE_SOA) {
		head->ttl =
			octets_get_u32(parser->field.octets + parser->field.len - SOA_MINIMUM_LEN);
		warn(parser, head->line, head->column,
			"no TTL, so it is the minimum of the SOA record, %u", head->ttl);
		head->ttl = head->ttl > WIRE_TTL_MAX ? 0 : head->ttl;
		parser->ttl_default = head->ttl;
		parser->has_ttl_default = true;
	} else {
		complain(parser, head->line, head->column,
			"a record without a TTL (expected one here, on a record before, or $TTL)");
		return false;
	}
	return true;
}

static void clamp_ttl(struct parser *parser, uint32_t *ttl, uint32_t line, uint32_t column)
{
	if (UNLIKELY(*ttl > WIRE_TTL_MAX)) {
		warn(parser, line, column, "TTL %u counts as 0 (expected at most %u)", *ttl,
			WIRE_TTL_MAX);
		*ttl = 0;
	}
}

/* A record from its TTL on; the owner is known. */
HOT static void read_record(struct parser *parser, struct head *head)
{
	struct field_reader *field = &parser->field;

	if (!read_head(parser, head)) {
		return;
	}
	if (UNLIKELY(!rdata_read(field, head->type, head->fields))) {
		give_up(parser);
		return;
	}
	if (head->has_ttl) {
		clamp_ttl(parser, &head->ttl, head->line, head->column);
		parser->ttl_last = head->ttl;
		parser->has_ttl_last = true;
	} else if (LIKELY(parser->has_ttl_default)) {
		head->ttl = parser->ttl_default;
	} else if (!find_ttl(parser, head)) {
		return;
	}
	const struct zonefile_record record = {
		.owner = &parser->owner,
		.rdata = field->octets,
		.ttl = head->ttl,
		.type = head->type,
		.rdata_len = (uint16_t)field->len,
		.owner_is_same = !parser->owner_is_new,
		.file = top(parser)->path,
		.line = head->line,
		.column = head->column,
	};
	parser->owner_is_new = false;
	parser->status = parser->sink->record(parser->sink->context, &record);
}

/* Nothing but the end may follow. */
static bool read_end(struct parser *parser)
{
	bool end;

	if (!field_peek_end(&parser->field, &end)) {
		return give_up(parser);
	}
	if (!end) {
		field_fail_token(&parser->field, "expected here: the line is complete");
		return give_up(parser);
	}
	return true;
}

static void read_origin(struct parser *parser)
{
	parser->field.len = 0;
	if (!field_name(&parser->field)) {
		give_up(parser);
		return;
	}
	if (read_end(parser)) {
		set_name(&parser->origin, parser->field.octets, parser->field.len);
		parser->owner_text_len = 0;
	}
}

static void read_ttl(struct parser *parser)
{
	uint32_t ttl;

	if (!field_next(&parser->field, "a TTL")) {
		give_up(parser);
		return;
	}
	struct token token = parser->field.token;
	if (!duration_from_text(token.text, token.len, &ttl)) {
		field_fail_token(&parser->field, "a TTL (expected seconds, or units as in 1h30m)");
		give_up(parser);
		return;
	}
	if (read_end(parser)) {
		clamp_ttl(parser, &ttl, token.line, token.column);
		parser->ttl_default = ttl;
		parser->has_ttl_default = true;
	}
}

/* The path beside the file that includes, or the bare name where that is absolute. NULL: no memory. */
static const char *beside(struct parser *parser, const char *name)
{
	const char *path = top(parser)->path;
	const char *slash = name[0] == '/' ? NULL : strrchr(path, '/');
	size_t folder_len = slash != NULL ? (size_t)(slash - path) + 1 : 0;
	size_t name_len = strlen(name);
	char *joined = arena_alloc(&parser->paths, folder_len + name_len + 1);

	if (joined != NULL) {
		memcpy(joined, path, folder_len);
		memcpy(joined + folder_len, name, name_len + 1);
	}
	return joined;
}

static bool is_open(const struct parser *parser, const struct textfile *file)
{
	for (uint32_t i = 0; i < parser->depth; i++) {
		const struct textfile *other = &parser->sources[i].file;
		if (other->device == file->device && other->inode == file->inode &&
			other->inode != 0) {
			return true;
		}
	}
	return false;
}

/* Puts a file on the stack; it is the parser's from here on. */
static void push(struct parser *parser, const char *path, const struct textfile *file)
{
	struct source *source = &parser->sources[parser->depth++];

	source->file = *file;
	source->path = path;
	source->origin_before = parser->origin;
	source->owner_before = parser->owner;
	source->has_owner_before = parser->has_owner;
	scanner_init(&source->scanner, file->octets, file->len);
	parser->has_owner = false;
	parser->owner_is_new = true;
	parser->owner_text_len = 0;
	parser->field.scanner = &source->scanner;
}

static void pop(struct parser *parser)
{
	struct source *source = top(parser);

	parser->origin = source->origin_before;
	parser->owner = source->owner_before;
	parser->has_owner = source->has_owner_before;
	parser->owner_is_new = true;
	parser->owner_text_len = 0;
	textfile_free(&source->file);
	parser->depth--;
	parser->field.scanner = parser->depth > 0 ? &top(parser)->scanner : NULL;
}

static enum status read_included(
	struct parser *parser, const char *name, const char **path_out, struct textfile *out)
{
	*path_out = beside(parser, name);
	if (*path_out == NULL) {
		return STATUS_MEMORY;
	}
	enum status status = textfile_read(*path_out, true, ZONEFILE_LEN_MAX, out);
	if (status == STATUS_IO && errno == ENOENT && strcmp(*path_out, name) != 0) {
		*path_out = arena_copy(&parser->paths, name, strlen(name) + 1);
		if (*path_out == NULL) {
			return STATUS_MEMORY;
		}
		status = textfile_read(*path_out, true, ZONEFILE_LEN_MAX, out);
	}
	return status;
}

static void include(struct parser *parser, const struct token *token, const char *name,
	const struct name *origin)
{
	struct textfile file = {0};
	const char *path;

	if (parser->depth == ZONEFILE_DEPTH_MAX) {
		complain(parser, token->line, token->column,
			"files that include each other more than %u deep", ZONEFILE_DEPTH_MAX);
		return;
	}
	if (parser->include_count++ == ZONEFILE_INCLUDES_MAX) {
		complain(parser, token->line, token->column, "more than %u $INCLUDE lines",
			ZONEFILE_INCLUDES_MAX);
		return;
	}
	enum status status = read_included(parser, name, &path, &file);
	if (status == STATUS_MEMORY) {
		parser->status = status;
		return;
	}
	if (status != STATUS_OK) {
		complain(parser, token->line, token->column, "%s cannot be read: %s", name,
			status == STATUS_IO ? strerror(errno) : "it is too long");
		return;
	}
	if (is_open(parser, &file)) {
		complain(parser, token->line, token->column, "%s includes itself", name);
		textfile_free(&file);
		return;
	}
	push(parser, path, &file);
	parser->origin = *origin;
}

static void read_include(struct parser *parser)
{
	char name[ZONEFILE_PATH_MAX];
	struct name origin = parser->origin;
	uint32_t len;
	bool end;

	if (!field_next(&parser->field, "a file name") ||
		!field_unescape(&parser->field, (uint8_t *)name, sizeof(name) - 1, &len)) {
		give_up(parser);
		return;
	}
	struct token token = parser->field.token;
	name[len] = '\0';
	if (len == 0 || memchr(name, '\0', len) != NULL) {
		field_fail_token(&parser->field, "a file name");
		give_up(parser);
		return;
	}
	struct scanner before = *parser->field.scanner;
	if (!field_peek_end(&parser->field, &end)) {
		give_up(parser);
		return;
	}
	if (!end) {
		*parser->field.scanner = before;
		parser->field.len = 0;
		if (!field_name(&parser->field)) {
			give_up(parser);
			return;
		}
		set_name(&origin, parser->field.octets, parser->field.len);
		if (!read_end(parser)) {
			return;
		}
	}
	include(parser, &token, name, &origin);
}

static void read_entry(struct parser *parser);

/* The lines of one $GENERATE, each read as if it stood in the file. */
static void run_generate(struct parser *parser, const struct generate_range *range,
	const uint8_t *pattern, uint32_t len)
{
	static const uint8_t padding[SCAN_PADDING];
	uint8_t line[GENERATE_LINE_MAX + SCAN_PADDING];
	struct scanner *outer = parser->field.scanner;
	uint32_t errors_before = parser->error_count;

	for (uint64_t number = range->start; number <= range->stop; number += range->step) {
		struct scanner scanner;
		uint32_t line_len;
		parser->generate_number = (uint32_t)number;
		const char *why = generate_line(pattern, len, (uint32_t)number, line, &line_len);
		if (why != NULL) {
			complain(parser, parser->generate_line, 1, "%s", why);
			break;
		}
		memcpy(line + line_len, padding, sizeof(padding));
		scanner_init(&scanner, line, line_len);
		parser->field.scanner = &scanner;
		parser->owner_text_len = 0;
		read_entry(parser);
		/* One bad line says enough: the others are most likely bad in the same way. */
		if (parser->status != STATUS_OK || parser->error_count != errors_before) {
			break;
		}
	}
	parser->field.scanner = outer;
	parser->owner_text_len = 0;
}

/* The pattern under way: tokens joined by one blank each. */
struct pattern {
	uint8_t octets[GENERATE_LINE_MAX];
	uint32_t len;
	uint32_t token_count;
	bool has_type; /* the type was met, */
	bool is_rdata; /* and this is the token behind it */
};

static bool is_last_token(const struct scanner *scanner)
{
	const uint8_t *rest = scan_skip(scanner->at, SCAN_BLANK);

	return *rest == '\n' || *rest == '\r' || *rest == ';' || *rest == '\0';
}

static void put_pattern(struct pattern *pattern, uint8_t octet)
{
	if (pattern->len < GENERATE_LINE_MAX) {
		pattern->octets[pattern->len] = octet;
	}
	pattern->len++;
}

/* The content of a quoted RDATA: `\"` is a quote of the RDATA then, and a line end a blank. */
static void put_unquoted(struct pattern *pattern, const struct token *token)
{
	for (uint32_t i = 0; i < token->len; i++) {
		uint8_t octet = token->text[i];
		bool quote = octet == '\\' && i + 1 < token->len && token->text[i + 1] == '"';
		if (!quote) {
			put_pattern(pattern, octet == '\n' ? ' ' : octet);
		}
	}
}

static void put_token(
	struct pattern *pattern, const struct scanner *scanner, const struct token *token)
{
	uint16_t type;
	bool quoted = token->kind == TOKEN_QUOTED;

	pattern->is_rdata = pattern->has_type && !pattern->is_rdata;
	if (quoted && pattern->is_rdata && is_last_token(scanner)) {
		put_unquoted(pattern, token);
	} else {
		for (uint32_t i = 0; i < token->len + (quoted ? 2 : 0); i++) {
			bool mark = quoted && (i == 0 || i == token->len + 1);
			put_pattern(pattern, mark ? '"' : token->text[i - (quoted ? 1 : 0)]);
		}
	}
	put_pattern(pattern, ' ');
	/* Behind the owner and before the type only TTL and class stand, which are no types. */
	if (pattern->token_count++ > 0 && !pattern->has_type) {
		pattern->has_type = rrtype_from_text((const char *)token->text, token->len, &type);
	}
}

/* To the end of the line; false: it was complained of. */
static bool take_pattern(struct parser *parser, struct pattern *pattern)
{
	for (;;) {
		bool end;
		if (!field_peek_end(&parser->field, &end)) {
			return give_up(parser);
		}
		if (end) {
			return true;
		}
		put_token(pattern, parser->field.scanner, &parser->field.token);
		if (pattern->len > GENERATE_LINE_MAX) {
			field_fail(&parser->field, "more than %u octets to generate from",
				GENERATE_LINE_MAX);
			return give_up(parser);
		}
	}
}

static void read_generate(struct parser *parser)
{
	struct pattern pattern = {.len = 0};
	struct generate_range range;

	if (!field_next(&parser->field, "a range")) {
		give_up(parser);
		return;
	}
	struct token token = parser->field.token;
	const char *why = generate_range_from_text(token.text, token.len, &range);
	if (why == NULL && (range.stop - range.start) / range.step >=
				   GENERATE_LINES_MAX - parser->generated_count) {
		why = "a range that makes too many records (expected at most 4194304 in a zone)";
	}
	if (why != NULL) {
		field_fail(&parser->field, "%s", why);
		give_up(parser);
		return;
	}
	if (!take_pattern(parser, &pattern)) {
		return;
	}
	parser->generated_count += (range.stop - range.start) / range.step + 1;
	parser->is_generating = true;
	parser->generate_line = token.line;
	run_generate(parser, &range, pattern.octets, pattern.len);
	parser->is_generating = false;
}

/* A line that begins with a dollar sign. */
static void read_directive(struct parser *parser)
{
	const struct token *token = &parser->field.token;

	parser->field.ended = false;
	if (!field_next(&parser->field, "a directive")) {
		give_up(parser);
	} else if (equals(token, "$ORIGIN")) {
		read_origin(parser);
	} else if (equals(token, "$TTL")) {
		read_ttl(parser);
	} else if (equals(token, "$INCLUDE")) {
		read_include(parser);
	} else if (equals(token, "$GENERATE") && !parser->is_generating) {
		read_generate(parser);
	} else {
		field_fail_token(&parser->field,
			"a directive (expected $ORIGIN, $TTL, $INCLUDE or $GENERATE)");
		give_up(parser);
	}
}

/* A line that begins with a blank, or with what is no word: nothing, or a record of the last owner. */
static void read_blank_entry(struct parser *parser)
{
	struct scanner *scanner = parser->field.scanner;
	bool is_blank = scan_is(*scanner->at, SCAN_BLANK);
	struct scanner before = *scanner;
	bool end;

	parser->field.ended = false;
	if (!field_peek_end(&parser->field, &end)) {
		give_up(parser);
		return;
	}
	if (end) {
		return;
	}
	struct head head = {.line = parser->field.token.line, .column = parser->field.token.column};
	if (!is_blank) { /* `( owner ...`: the owner is what the parenthesis holds first */
		if (parser->field.token.kind == TOKEN_QUOTED) {
			field_fail(&parser->field, "an owner in quotes (expected one without)");
			give_up(parser);
			return;
		}
		scanner->at = parser->field.token.text;
		if (read_owner(parser)) {
			read_record(parser, &head);
		}
		return;
	}
	if (!parser->has_owner) {
		field_fail(&parser->field, "no owner, and there is no good one before to take");
		give_up(parser);
		return;
	}
	*scanner = before;
	read_record(parser, &head);
}

HOT static void read_entry(struct parser *parser)
{
	struct scanner *scanner = parser->field.scanner;

	if (UNLIKELY(*scanner->at == '$')) {
		read_directive(parser);
		return;
	}
	if (!scan_is(*scanner->at, SCAN_WORD) && *scanner->at != '\\') {
		read_blank_entry(parser);
		return;
	}
	struct head head = {.line = scanner->line, .column = scanner_column(scanner, scanner->at)};
	if (LIKELY(read_owner(parser))) {
		read_record(parser, &head);
	}
}

static enum status run(struct parser *parser)
{
	while (parser->depth > 0 && parser->status == STATUS_OK) {
		const struct scanner *scanner = &top(parser)->scanner;
		if (scanner->at == scanner->end) {
			pop(parser);
		} else {
			read_entry(parser);
		}
	}
	return parser->status;
}

static struct parser *new_parser(const struct name *origin, const struct zonefile_sink *sink)
{
	struct parser *parser = malloc(sizeof(*parser));

	if (parser != NULL) {
		/* Half a megabyte of it is room that most zones never touch, and small zones are
		 * many, so only what must be zero is made so.
		 */
		memset(parser, 0, offsetof(struct parser, field.octets));
		memset(parser->field.types, 0, sizeof(parser->field.types));
		parser->sink = sink;
		parser->origin = *origin;
		parser->field.origin = &parser->origin;
		arena_init(&parser->paths, 0);
	}
	return parser;
}

static enum status finish(struct parser *parser, const char *path)
{
	enum status status = parser->status;

	while (parser->depth > 0) {
		pop(parser);
	}
	if (parser->error_count > DIAG_ERRORS_MAX) {
		diag_report(&parser->sink->diag, DIAG_ERROR, path, 0, 0, "%u more errors",
			parser->error_count - DIAG_ERRORS_MAX);
	}
	if (status == STATUS_OK && parser->error_count > 0) {
		status = STATUS_REFUSED;
	}
	arena_fini(&parser->paths);
	free(parser);
	return status;
}

enum status zonefile_read(
	const char *path, const struct name *origin, const struct zonefile_sink *sink)
{
	struct textfile file = {0};
	enum status status = textfile_read(path, false, ZONEFILE_LEN_MAX, &file);

	if (status == STATUS_MEMORY) {
		return status;
	}
	if (status != STATUS_OK) {
		diag_report(&sink->diag, DIAG_ERROR, path, 0, 0, "cannot be read: %s",
			status == STATUS_IO ? strerror(errno) : "it is too long");
		return STATUS_REFUSED;
	}
	struct parser *parser = new_parser(origin, sink);
	if (parser == NULL) {
		textfile_free(&file);
		return STATUS_MEMORY;
	}
	push(parser, path, &file);
	(void)run(parser);
	return finish(parser, path);
}

enum status zonefile_read_octets(const char *name, const char *text, size_t len,
	const struct name *origin, const struct zonefile_sink *sink)
{
	struct textfile file = {0};

	if (textfile_copy(text, len, &file) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	struct parser *parser = new_parser(origin, sink);
	if (parser == NULL) {
		textfile_free(&file);
		return STATUS_MEMORY;
	}
	push(parser, name, &file);
	(void)run(parser);
	return finish(parser, name);
}
