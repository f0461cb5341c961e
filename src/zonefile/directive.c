/* directive.c - $ORIGIN, $TTL, $INCLUDE and $GENERATE. */
#include "zonefile/directive.h"

#include <errno.h>
#include <string.h>

#include "wire/rrtype.h"
#include "zonefile/duration.h"
#include "zonefile/entry.h"
#include "zonefile/generate.h"
#include "zonefile/parser_priv.h"

static void read_origin(struct parser *parser)
{
	parser->field.len = 0;
	if (!field_name(&parser->field)) {
		parser_give_up(parser);
		return;
	}
	if (parser_read_end(parser)) {
		parser_set_name(&parser->origin, parser->field.octets, parser->field.len);
		parser->owner_text_len = 0;
	}
}

static void read_ttl(struct parser *parser)
{
	uint32_t ttl;

	if (!field_next(&parser->field, "a TTL")) {
		parser_give_up(parser);
		return;
	}
	struct token token = parser->field.token;
	if (!duration_from_text(token.text, token.len, &ttl)) {
		field_fail_token(&parser->field, "a TTL (expected seconds, or units as in 1h30m)");
		parser_give_up(parser);
		return;
	}
	if (parser_read_end(parser)) {
		parser_clamp_ttl(parser, &ttl, token.line, token.column);
		parser->ttl_default = ttl;
		parser->has_ttl_default = true;
	}
}

/* The path beside the file that includes, or the bare name where that is absolute. NULL: no memory. */
static const char *beside(struct parser *parser, const char *name)
{
	const char *path = parser_top(parser)->path;
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

static bool is_open(const struct parser *parser, const struct textsource *file)
{
	for (uint32_t i = 0; i < parser->depth; i++) {
		const struct textsource *other = &parser->sources[i].text;
		if (other->identity.device == file->identity.device &&
			other->identity.inode == file->identity.inode &&
			other->identity.inode != 0) {
			return true;
		}
	}
	return false;
}

static enum status read_included(
	struct parser *parser, const char *name, const char **path_out, struct textsource *out)
{
	*path_out = beside(parser, name);
	if (*path_out == NULL) {
		return STATUS_MEMORY;
	}
	enum status status = textsource_open(*path_out, true, out);
	if (status == STATUS_IO && errno == ENOENT && strcmp(*path_out, name) != 0) {
		/* Should it come one day, it is the one to be read. */
		status = parser_tell_source(parser, *path_out, NULL);
		if (status != STATUS_OK) {
			return status;
		}
		*path_out = arena_copy(&parser->paths, name, strlen(name) + 1);
		if (*path_out == NULL) {
			return STATUS_MEMORY;
		}
		status = textsource_open(*path_out, true, out);
	}
	return status;
}

static void include(struct parser *parser, const struct token *token, const char *name,
	const struct name *origin)
{
	struct textsource file = {.octets = NULL};
	const char *path;

	if (parser->depth == ZONEFILE_DEPTH_MAX) {
		parser_complain(parser, token->line, token->column,
			"files that include each other more than %u deep", ZONEFILE_DEPTH_MAX);
		return;
	}
	if (parser->include_count++ == ZONEFILE_INCLUDES_MAX) {
		parser_complain(parser, token->line, token->column, "more than %u $INCLUDE lines",
			ZONEFILE_INCLUDES_MAX);
		return;
	}
	enum status status = read_included(parser, name, &path, &file);
	if (status == STATUS_OK) {
		parser->status = parser_tell_source(parser, path, &file.identity);
		if (is_open(parser, &file)) {
			parser_complain(
				parser, token->line, token->column, "%s includes itself", name);
			textsource_close(&file);
			return;
		}
		status = parser_push(parser, path, &file);
	}
	if (status == STATUS_IO) {
		parser_complain(parser, token->line, token->column, "%s cannot be read: %s", name,
			strerror(errno));
	} else if (status != STATUS_OK) {
		parser->status = status;
	} else {
		parser->origin = *origin;
	}
}

static void read_include(struct parser *parser)
{
	char name[ZONEFILE_PATH_MAX];
	struct name origin = parser->origin;
	uint32_t len;
	bool end;

	if (!field_next(&parser->field, "a file name") ||
		!field_unescape(&parser->field, (uint8_t *)name, sizeof(name) - 1, &len)) {
		parser_give_up(parser);
		return;
	}
	struct token token = parser->field.token;
	name[len] = '\0';
	if (len == 0 || memchr(name, '\0', len) != NULL) {
		field_fail_token(&parser->field, "a file name");
		parser_give_up(parser);
		return;
	}
	struct scanner before = *parser->field.scanner;
	if (!field_peek_end(&parser->field, &end)) {
		parser_give_up(parser);
		return;
	}
	if (!end) {
		scanner_return(parser->field.scanner, &before);
		parser->field.len = 0;
		if (!field_name(&parser->field)) {
			parser_give_up(parser);
			return;
		}
		parser_set_name(&origin, parser->field.octets, parser->field.len);
		if (!parser_read_end(parser)) {
			return;
		}
	}
	include(parser, &token, name, &origin);
}

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
			parser_complain(parser, parser->generate_line, 1, "%s", why);
			break;
		}
		memcpy(line + line_len, padding, sizeof(padding));
		scanner_init(&scanner, line, line_len);
		parser->field.scanner = &scanner;
		parser->owner_text_len = 0;
		entry_read(parser);
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
			return parser_give_up(parser);
		}
		if (end) {
			return true;
		}
		put_token(pattern, parser->field.scanner, &parser->field.token);
		if (pattern->len > GENERATE_LINE_MAX) {
			field_fail(&parser->field, "more than %u octets to generate from",
				GENERATE_LINE_MAX);
			return parser_give_up(parser);
		}
	}
}

static void read_generate(struct parser *parser)
{
	struct pattern pattern = {.len = 0};
	struct generate_range range;

	if (!field_next(&parser->field, "a range")) {
		parser_give_up(parser);
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
		parser_give_up(parser);
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
void directive_read(struct parser *parser)
{
	const struct token *token = &parser->field.token;

	if (!field_next(&parser->field, "a directive")) {
		parser_give_up(parser);
	} else if (parser->is_piece && !parser_word_is(token, "$ORIGIN") &&
		   !parser_word_is(token, "$TTL")) {
		parser_complain(parser, token->line, token->column, "not in a piece");
	} else if (parser_word_is(token, "$ORIGIN")) {
		read_origin(parser);
	} else if (parser_word_is(token, "$TTL")) {
		read_ttl(parser);
	} else if (parser_word_is(token, "$INCLUDE")) {
		read_include(parser);
	} else if (parser_word_is(token, "$GENERATE") && !parser->is_generating) {
		read_generate(parser);
	} else {
		field_fail_token(&parser->field,
			"a directive (expected $ORIGIN, $TTL, $INCLUDE or $GENERATE)");
		parser_give_up(parser);
	}
}
