/* pieces.c - cuts pieces, reads them, and joins them in order. */
#include "zonefile/pieces.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "os/thread.h"
#include "zonefile/entry.h"
#include "zonefile/parser_priv.h"
#include "zonefile/reading.h"

#define AHEAD_MAX 64u /* pieces that are read and not joined yet; a guess */
#define FIRST_LEN                                                                                  \
	4096u /* octets read in order at first: $ORIGIN and $TTL stand there, most likely */
/* Pieces that were read in vain, until it is given up: a file that changes $ORIGIN all the time costs a little twice. */
#define VAIN_MAX 8u

/* What one entry leaves for the next, and is guessed. */
struct carried {
	struct name origin;
	uint32_t ttl_default;
	bool has_ttl_default;
};

struct piece {
	uint64_t off, end; /* in the text */
	struct carried before, behind;
	struct zonefile_piece records;
	bool is_read; /* [mu] all here is set */
	bool is_plain;
	/* of the others that entries leave, what this piece has */
	bool has_ttl_last, has_owner;
	uint32_t ttl_last;
	uint32_t line_count;
	struct name owner;
};

struct pieces;

/* A thread, the caller's being part 0. */
struct piece_reader {
	struct pieces *pieces;
	uint32_t part;
	struct parser *parser; /* owns */
	uint8_t *text;         /* owns: of the piece at hand */
	struct zonefile_sink sink;
	struct thread thread;
};

struct pieces {
	const struct reading *reading;
	const struct zonefile_parts *parts;
	struct parser *parser; /* the caller's: what is proved */
	const struct textsource *text;
	uint64_t off; /* of the parser, in the text */
	uint32_t vain;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	struct carried guess;   /* [mu] */
	uint64_t next_off;      /* [mu] where the next piece begins */
	bool is_over;           /* [mu] there is no next one */
	uint64_t joined, taken; /* [mu] pieces so far */
	struct piece ring[AHEAD_MAX];
	struct piece_reader readers[ZONEFILE_PARTS_MAX];
};

static struct carried carried_of(const struct parser *parser)
{
	return (struct carried){.origin = parser->origin,
		.ttl_default = parser->ttl_default,
		.has_ttl_default = parser->has_ttl_default};
}

static bool carried_equal(const struct carried *a, const struct carried *b)
{
	/* The spelling of the origin is that of the names. */
	return a->origin.len == b->origin.len &&
	       memcmp(a->origin.octets, b->origin.octets, a->origin.len) == 0 &&
	       a->has_ttl_default == b->has_ttl_default &&
	       (!a->has_ttl_default || a->ttl_default == b->ttl_default);
}

/* Where the last entry in the text begins, as far as one can see; 0: nowhere. */
static size_t find_cut(const uint8_t *text, size_t len)
{
	while (len > 1) {
		const uint8_t *line_end = memrchr(text, '\n', len - 1);
		if (line_end == NULL) {
			return 0;
		}
		if (scan_is(line_end[1], SCAN_WORD)) {
			return (size_t)(line_end + 1 - text);
		}
		len = (size_t)(line_end + 1 - text);
	}
	return 0;
}

/* The next piece, its text in the reader's hands; NULL: there is none, or too many wait to be joined. Under the mutex, so
 * that pieces follow each other; reading takes some hundredths of what parsing does.
 */
static struct piece *take_piece(struct pieces *pieces, struct piece_reader *reader)
{
	size_t len = 0, got = 1;

	if (pieces->is_over || pieces->taken - pieces->joined == AHEAD_MAX) {
		return NULL;
	}
	while (got != 0 && len < pieces->reading->piece_len) {
		if (textsource_read(pieces->text, pieces->next_off + len, reader->text + len,
			    pieces->reading->piece_len - len, &got) != STATUS_OK) {
			len = got = 0; /* whoever reads in order will tell */
		}
		len += got;
	}
	pieces->is_over = got == 0;
	if (got != 0) {
		len = find_cut(reader->text, len);
		pieces->is_over = len == 0;
	}
	if (len == 0) {
		return NULL;
	}
	memset(reader->text + len, 0, SCAN_PADDING);
	struct piece *piece = &pieces->ring[pieces->taken++ % AHEAD_MAX];
	*piece = (struct piece){.off = pieces->next_off,
		.end = pieces->next_off + len,
		.before = pieces->guess,
		.records = {.part = reader->part}};
	pieces->next_off += len;
	return piece;
}

/* On the reader's thread; the text of the piece is in its hands. */
static void read_piece(struct piece_reader *reader, struct piece *piece)
{
	struct parser *parser = reader->parser;
	struct scanner *scanner = &parser->sources[0].scanner;
	const struct zonefile_parts *parts = reader->pieces->parts;

	scanner_init(scanner, reader->text, (size_t)(piece->end - piece->off));
	scanner->at = scanner->line_at = reader->text; /* a byte-order mark stands before a text */
	parser->field.scanner = scanner;
	parser->sources[0].path = reader->pieces->reading->path;
	parser->depth = 1;
	parser->is_piece = true;
	parser->status = STATUS_OK;
	parser->error_count = parser->warning_count = 0;
	parser->origin = piece->before.origin;
	parser->has_ttl_default = piece->before.has_ttl_default;
	parser->ttl_default = piece->before.ttl_default;
	parser->has_ttl_last = false;
	parser->has_owner = false;
	parser->owner_is_new = true;
	parser->owner_text_len = 0;
	piece->records.from = parts->mark(parts->context, reader->part);
	while (scanner->at != scanner->end && parser->status == STATUS_OK &&
		parser->error_count + parser->warning_count == 0) {
		entry_read(parser);
	}
	piece->records.to = parts->mark(parts->context, reader->part);
	piece->is_plain =
		parser->status == STATUS_OK && parser->error_count + parser->warning_count == 0;
	piece->behind = carried_of(parser);
	piece->has_ttl_last = parser->has_ttl_last;
	piece->ttl_last = parser->ttl_last;
	piece->has_owner = parser->has_owner;
	piece->owner = parser->owner;
	piece->line_count = scanner->line - 1;
}

/* Takes and reads one piece; false: there was none. The mutex is held before and behind. */
static bool work_once(struct pieces *pieces, struct piece_reader *reader)
{
	struct piece *piece = take_piece(pieces, reader);

	if (piece == NULL) {
		return false;
	}
	pthread_mutex_unlock(&pieces->mutex);
	read_piece(reader, piece);
	pthread_mutex_lock(&pieces->mutex);
	piece->is_read = true;
	pthread_cond_broadcast(&pieces->changed);
	return true;
}

static void help(void *context)
{
	struct piece_reader *reader = context;
	struct pieces *pieces = reader->pieces;

	thread_lower();
	pthread_mutex_lock(&pieces->mutex);
	while (!pieces->is_over) {
		if (!work_once(pieces, reader) && !pieces->is_over) {
			pthread_cond_wait(&pieces->changed, &pieces->mutex);
		}
	}
	pthread_mutex_unlock(&pieces->mutex);
}

/* In order, from where the parser is to the first entry at or behind stop. */
static void read_in_order(struct pieces *pieces, uint64_t stop)
{
	struct parser *parser = pieces->parser;
	struct parser_source *source = &parser->sources[0];
	const struct zonefile_parts *parts = pieces->parts;
	struct zonefile_piece records = {.from = parts->mark(parts->context, 0)};

	if (pieces->off != textwindow_off(&source->window, source->scanner.at)) {
		source->scanner.at = source->scanner.line_at =
			textwindow_seek(&source->window, pieces->off);
		source->scanner.end = source->window.end;
		parser->owner_text_len = 0;
	}
	reading_in_order(parser, stop);
	if (parser->depth > 0) {
		pieces->off = textwindow_off(&source->window, source->scanner.at);
	}
	records.to = parts->mark(parts->context, 0);
	if (parser->status == STATUS_OK && records.from != records.to) {
		parser->status = parts->join(parts->context, &records);
	}
}

/* The piece begins where the parser is, and was guessed right: the parser stands behind it. */
static void join(struct pieces *pieces, struct piece *piece)
{
	struct parser *parser = pieces->parser;
	struct scanner *scanner = &parser->sources[0].scanner;

	piece->records.lines_before = scanner->line - 1;
	scanner->line += piece->line_count;
	pieces->off = piece->end;
	parser->origin = piece->behind.origin;
	parser->has_ttl_default = piece->behind.has_ttl_default;
	parser->ttl_default = piece->behind.ttl_default;
	if (piece->has_ttl_last) {
		parser->has_ttl_last = true;
		parser->ttl_last = piece->ttl_last;
	}
	if (piece->has_owner) {
		parser->has_owner = true;
		parser->owner = piece->owner;
	}
	parser->owner_is_new = true;
	parser->owner_text_len = 0;
	parser->status = pieces->parts->join(pieces->parts->context, &piece->records);
}

/* The piece that comes next was read, and nobody else has it: joins it, or reads in order instead. */
static void use_piece(struct pieces *pieces, struct piece *piece)
{
	const struct carried carried = carried_of(pieces->parser);

	if (piece->off == pieces->off && piece->is_plain &&
		carried_equal(&piece->before, &carried)) {
		join(pieces, piece);
		return;
	}
	if (piece->off > pieces->off) {
		read_in_order(pieces, piece->off);
	}
	if (piece->off == pieces->off) {
		pieces->vain++;
		read_in_order(pieces, piece->end);
	}
}

static bool goes_on(const struct pieces *pieces)
{
	return pieces->parser->depth > 0 && pieces->parser->status == STATUS_OK;
}

/* Under the mutex: what the next pieces are to be read with. */
static void guess(struct pieces *pieces)
{
	pieces->guess = carried_of(pieces->parser);
	if (pieces->next_off < pieces->off) {
		pieces->next_off = pieces->off;
	}
	if (!goes_on(pieces) || pieces->vain == VAIN_MAX) {
		pieces->is_over = true;
	}
	pthread_cond_broadcast(&pieces->changed);
}

/* The caller's thread: joins what can be joined, else reads as the others do. */
static void lead(struct pieces *pieces)
{
	pthread_mutex_lock(&pieces->mutex);
	for (;;) {
		struct piece *piece = &pieces->ring[pieces->joined % AHEAD_MAX];
		if (pieces->joined != pieces->taken && piece->is_read) {
			pthread_mutex_unlock(&pieces->mutex);
			if (goes_on(pieces)) {
				use_piece(pieces, piece);
			}
			pthread_mutex_lock(&pieces->mutex);
			pieces->joined++;
			guess(pieces);
		} else if (!work_once(pieces, &pieces->readers[0])) {
			if (pieces->joined == pieces->taken) {
				break;
			}
			pthread_cond_wait(&pieces->changed, &pieces->mutex);
		}
	}
	pthread_mutex_unlock(&pieces->mutex);
}

static enum status take_record(void *context, const struct zonefile_record *record)
{
	const struct piece_reader *reader = context;
	const struct zonefile_parts *parts = reader->pieces->parts;

	return parts->record(parts->context, reader->part, record);
}

static void drop_diag(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

static bool reader_init(struct piece_reader *reader, struct pieces *pieces, uint32_t part)
{
	reader->pieces = pieces;
	reader->part = part;
	reader->sink = (struct zonefile_sink){
		.record = take_record, .context = reader, .diag = {.report = drop_diag}};
	reader->parser = reading_parser(pieces->reading->origin, &reader->sink, 1);
	reader->text = malloc(pieces->reading->piece_len + SCAN_PADDING);
	return reader->parser != NULL && reader->text != NULL;
}

static void reader_fini(struct piece_reader *reader)
{
	free(reader->parser);
	free(reader->text);
}

/* Helpers that cannot be had are done without. */
static void read_together(struct pieces *pieces)
{
	uint32_t count = 1;

	while (count < pieces->parts->count && count < ZONEFILE_PARTS_MAX) {
		struct piece_reader *reader = &pieces->readers[count];
		if (!reader_init(reader, pieces, count) ||
			thread_start(&reader->thread, "saker-read", help, reader) != STATUS_OK) {
			reader_fini(reader);
			break;
		}
		count++;
	}
	lead(pieces);
	for (uint32_t i = 1; i < count; i++) {
		thread_join(&pieces->readers[i].thread);
		reader_fini(&pieces->readers[i]);
	}
}

void pieces_read(struct parser *parser, const struct reading *reading)
{
	struct pieces *pieces = calloc(1, sizeof(*pieces));

	if (pieces == NULL) {
		parser->status = STATUS_MEMORY;
		return;
	}
	pieces->reading = reading;
	pieces->parts = reading->parts;
	pieces->parser = parser;
	pieces->text = &parser->sources[0].text;
	pthread_mutex_init(&pieces->mutex, NULL);
	pthread_cond_init(&pieces->changed, NULL);
	pieces->off = textwindow_off(&parser->sources[0].window, parser->sources[0].scanner.at);
	uint64_t first = reading->piece_len < FIRST_LEN ? reading->piece_len : FIRST_LEN;
	if (goes_on(pieces)) {
		read_in_order(pieces, first);
	}
	if (goes_on(pieces)) {
		guess(pieces);
		if (reader_init(&pieces->readers[0], pieces, 0)) {
			read_together(pieces);
		}
		reader_fini(&pieces->readers[0]);
	}
	if (goes_on(pieces)) {
		read_in_order(pieces, UINT64_MAX);
	}
	pthread_cond_destroy(&pieces->changed);
	pthread_mutex_destroy(&pieces->mutex);
	free(pieces);
}
