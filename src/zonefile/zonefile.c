/* zonefile.c - reads files entry by entry until the stack of files is empty. */
#include "zonefile/zonefile.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "zonefile/entry.h"
#include "zonefile/parser_priv.h"

_Static_assert(TEXTFILE_PADDING >= SCAN_PADDING, "the scanner may look ahead in a file");

static enum status run(struct parser *parser)
{
	while (parser->depth > 0 && parser->status == STATUS_OK) {
		const struct scanner *scanner = &parser_top(parser)->scanner;
		if (scanner->at == scanner->end) {
			parser_pop(parser);
		} else {
			entry_read(parser);
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
		parser_pop(parser);
	}
	if (parser->warning_count > DIAG_ERRORS_MAX) {
		diag_report(&parser->sink->diag, DIAG_WARNING, path, 0, 0, "%u more warnings",
			parser->warning_count - DIAG_ERRORS_MAX);
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
	parser_push(parser, path, &file);
	parser->status = parser_tell_source(parser, path, &file.identity);
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
	parser_push(parser, name, &file);
	(void)run(parser);
	return finish(parser, name);
}
