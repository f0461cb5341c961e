/* parser.c - complaints, the stack of files, and small things that entries and directives share. */
#include "zonefile/parser_priv.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
	diag_report(&parser->sink->diag, level, parser_top(parser)->path, line, column, "%s", text);
}

void parser_complain(struct parser *parser, uint32_t line, uint32_t column, const char *format, ...)
{
	va_list args;

	if (parser->error_count++ >= DIAG_ERRORS_MAX) {
		return;
	}
	va_start(args, format);
	report(parser, DIAG_ERROR, line, column, format, args);
	va_end(args);
}

void parser_warn(struct parser *parser, uint32_t line, uint32_t column, const char *format, ...)
{
	va_list args;

	if (parser->warning_count++ >= DIAG_ERRORS_MAX) {
		return;
	}
	va_start(args, format);
	report(parser, DIAG_WARNING, line, column, format, args);
	va_end(args);
}

/* The complaint that parser->field holds; then the rest of the entry is skipped. Returns false. */
COLD bool parser_give_up(struct parser *parser)
{
	const struct token *token = &parser->field.token;

	parser_complain(parser, token->line, token->column, "%s", parser->field.why);
	if (token->kind != TOKEN_END && !parser->field.ended) {
		struct scanner *scanner = parser->field.scanner;
		struct token open;
		/* It took every entry that follows, and is what the first complaint came of, too. */
		if (!scanner_skip_entry(scanner, &open)) {
			parser_complain(parser, open.line, open.column, "%s", scanner->why);
		}
	}
	return false;
}

/* Sets name to wire octets that are known to be good. */
void parser_set_name(struct name *name, const uint8_t *octets, uint32_t len)
{
	uint32_t label_count = 0;

	for (uint32_t at = 0; octets[at] != 0; at += octets[at] + 1u) {
		label_count++;
	}
	memcpy(name->octets, octets, len);
	name->len = (uint8_t)len;
	name->label_count = (uint8_t)label_count;
}

static uint8_t upper(uint8_t octet)
{
	return (uint8_t)(octet - 0u - 'a' < 26u ? octet - 32u : octet);
}

bool parser_word_is(const struct token *token, const char *word)
{
	for (uint32_t i = 0; i < token->len; i++) {
		if (word[i] == '\0' || upper(token->text[i]) != (uint8_t)word[i]) {
			return false;
		}
	}
	return word[token->len] == '\0';
}

void parser_clamp_ttl(struct parser *parser, uint32_t *ttl, uint32_t line, uint32_t column)
{
	if (UNLIKELY(*ttl > WIRE_TTL_MAX)) {
		parser_warn(parser, line, column, "TTL %u counts as 0 (expected at most %u)", *ttl,
			WIRE_TTL_MAX);
		*ttl = 0;
	}
}

/* Nothing but the end may follow. */
bool parser_read_end(struct parser *parser)
{
	bool end;

	if (!field_peek_end(&parser->field, &end)) {
		return parser_give_up(parser);
	}
	if (!end) {
		field_fail_token(&parser->field, "expected here: the line is complete");
		return parser_give_up(parser);
	}
	return true;
}

enum status parser_tell_source(
	struct parser *parser, const char *path, const struct file_identity *identity)
{
	return parser->sink->source == NULL
		       ? STATUS_OK
		       : parser->sink->source(parser->sink->context, path, identity);
}

enum status parser_push(struct parser *parser, const char *path, const struct textsource *text)
{
	struct parser_source *source = &parser->sources[parser->depth];

	source->text = *text;
	enum status status = textwindow_open(&source->text, parser->window_len, &source->window);
	if (status != STATUS_OK) {
		int saved = errno;
		textsource_close(&source->text);
		errno = saved;
		return status;
	}
	parser->depth++;
	source->path = path;
	source->origin_before = parser->origin;
	source->owner_before = parser->owner;
	source->has_owner_before = parser->has_owner;
	scanner_init_window(&source->scanner, &source->window);
	parser->has_owner = false;
	parser->owner_is_new = true;
	parser->owner_text_len = 0;
	parser->field.scanner = &source->scanner;
	return STATUS_OK;
}

void parser_pop(struct parser *parser)
{
	struct parser_source *source = parser_top(parser);

	parser->origin = source->origin_before;
	parser->owner = source->owner_before;
	parser->has_owner = source->has_owner_before;
	parser->owner_is_new = true;
	parser->owner_text_len = 0;
	textwindow_close(&source->window);
	textsource_close(&source->text);
	parser->depth--;
	parser->field.scanner = parser->depth > 0 ? &parser_top(parser)->scanner : NULL;
}

bool parser_slide(struct parser *parser)
{
	struct parser_source *source = parser_top(parser);

	if (parser->owner_text_len != 0 && parser->owner_text != parser->owner_kept) {
		memcpy(parser->owner_kept, parser->owner_text, parser->owner_text_len);
		parser->owner_text = parser->owner_kept;
	}
	if (scanner_slide(&source->scanner)) {
		return true;
	}
	if (source->window.status == STATUS_IO) {
		parser_complain(parser, 0, 0, "cannot be read: %s", strerror(source->window.error));
	} else if (source->window.status != STATUS_OK) {
		parser->status = source->window.status;
	}
	return false;
}
