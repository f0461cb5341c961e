/* reading.c - the loop over entries, and what is told at its end. */
#include "zonefile/reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "zonefile/entry.h"
#include "zonefile/parser_priv.h"
#include "zonefile/pieces.h"

_Static_assert(TEXTWINDOW_PADDING >= SCAN_PADDING, "the scanner may look ahead in a file");

HOT void reading_in_order(struct parser *parser, uint64_t stop)
{
	while (parser->depth > 0 && parser->status == STATUS_OK) {
		const struct parser_source *source = parser_top(parser);
		const struct scanner *scanner = &source->scanner;
		if (parser->depth == 1 && textwindow_off(&source->window, scanner->at) >= stop) {
			break;
		}
		if (scanner->at != scanner->end) {
			entry_read(parser);
		} else if (!parser_slide(parser)) {
			parser_pop(parser);
		}
	}
}

struct parser *reading_parser(
	const struct name *origin, const struct zonefile_sink *sink, size_t window_len)
{
	struct parser *parser = malloc(sizeof(*parser));

	if (parser != NULL) {
		/* Half a megabyte of it is room that most zones never touch, and small zones are
		 * many, so only what must be zero is made so.
		 */
		memset(parser, 0, offsetof(struct parser, field.octets));
		memset(parser->field.types, 0, sizeof(parser->field.types));
		parser->sink = sink;
		parser->window_len = window_len;
		parser->origin = *origin;
		parser->has_ttl_last = sink->ttl != 0;
		parser->ttl_last = sink->ttl;
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

static enum status tell_unreadable(const struct reading *reading)
{
	diag_report(&reading->sink->diag, DIAG_ERROR, reading->path, 0, 0, "cannot be read: %s",
		strerror(errno));
	return STATUS_REFUSED;
}

/* All of it in order: one piece, where somebody counts pieces. */
static void read_in_one(struct parser *parser, const struct zonefile_parts *parts)
{
	struct zonefile_piece records = {
		.from = parts != NULL ? parts->mark(parts->context, 0) : 0};

	reading_in_order(parser, UINT64_MAX);
	if (parts != NULL && parser->status == STATUS_OK) {
		records.to = parts->mark(parts->context, 0);
		parser->status = parts->join(parts->context, &records);
	}
}

enum status reading_run(const struct reading *reading, const struct textsource *text)
{
	struct textsource source = *text;
	struct parser *parser = reading_parser(reading->origin, reading->sink, reading->window_len);

	if (parser == NULL) {
		textsource_close(&source);
		return STATUS_MEMORY;
	}
	enum status status = parser_push(parser, reading->path, &source);
	if (status != STATUS_OK) {
		free(parser);
		return status == STATUS_IO ? tell_unreadable(reading) : status;
	}
	if (source.is_file) {
		parser->status = parser_tell_source(parser, reading->path, &source.identity);
	}
	if (reading->parts != NULL && source.can_seek && source.len > reading->piece_len) {
		pieces_read(parser, reading);
	} else {
		read_in_one(parser, reading->parts);
	}
	return finish(parser, reading->path);
}
