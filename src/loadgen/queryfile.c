/* queryfile.c - lines to questions. */
#include "loadgen/queryfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "wire/name.h"
#include "wire/rrtype.h"
#include "wire/wire.h"

#define BLOCK_LEN  (1u << 16)                           /* octets read at a time */
#define OCTETS_CAP (1u << 16)                           /* to begin with */
#define ITEMS_CAP  (1u << 10)                           /* to begin with */
#define HEAD_LEN   (WIRE_HEADER_LEN - QUERYFILE_ID_LEN) /* octets of a header behind its ID */
#define QUERY_LEN_MAX                                                                              \
	(HEAD_LEN + NAME_LEN_MAX + 4u + QUERYFILE_OPT_LEN +                                        \
		QUERYFILE_OPTIONS_MAX) /* octets of a line's query */
#define OPT_LENGTH_LEN 2u              /* octets of the length at the end of an empty OPT record */
#define OPT_DO         0x8000u         /* RFC 3225 sec 3 */

_Static_assert(OCTETS_CAP >= WIRE_MESSAGE_LEN_MAX, "doubling makes room for any message");

struct parser {
	struct queryfile *queries;
	const struct queryfile_options *options;
	const struct diag_sink *sink;
	const char *path;
	struct name root;
	uint32_t line;
};

static void complain(struct parser *parser, size_t column, const char *what, const char *detail)
{
	uint32_t nth = ++parser->queries->bad_count;

	if (nth <= DIAG_ERRORS_MAX) {
		diag_report(parser->sink, parser->options->strict ? DIAG_ERROR : DIAG_WARNING,
			parser->path, parser->line, (uint32_t)column, "%s%s", what, detail);
	}
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static size_t skip_blanks(const char *text, size_t len, size_t at)
{
	while (at < len && is_blank(text[at])) {
		at++;
	}
	return at;
}

/* An escaped blank is part of the word. */
static size_t skip_word(const char *text, size_t len, size_t at)
{
	while (at < len && !is_blank(text[at])) {
		at += text[at] == '\\' && at + 1 < len ? 2 : 1;
	}
	return at;
}

/* Room for one more query of len octets; an offset must be able to name it. */
static enum status make_room(struct queryfile *queries, uint32_t len)
{
	if (queries->octets_len > UINT32_MAX - len || queries->count == UINT32_MAX) {
		return STATUS_MEMORY;
	}
	if (queries->count == queries->items_cap) {
		size_t cap = queries->items_cap * 2;
		struct queryfile_item *grown = realloc(queries->items, cap * sizeof(*grown));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		queries->items = grown;
		queries->items_cap = cap;
	}
	if (queries->octets_cap - queries->octets_len < len) {
		size_t cap = queries->octets_cap * 2;
		uint8_t *grown = realloc(queries->octets, cap);
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		queries->octets = grown;
		queries->octets_cap = cap;
	}
	return STATUS_OK;
}

/* The octets at the end of the buffer become a query. */
static void keep(struct queryfile *queries, uint32_t len, uint32_t question_len)
{
	queries->items[queries->count++] =
		(struct queryfile_item){.off = (uint32_t)queries->octets_len,
			.len = (uint16_t)len,
			.question_len = (uint16_t)question_len};
	queries->octets_len += len;
}

enum status queryfile_init(struct queryfile *queries)
{
	*queries = (struct queryfile){.octets_cap = OCTETS_CAP, .items_cap = ITEMS_CAP};
	queries->octets = malloc(queries->octets_cap);
	queries->items = malloc(queries->items_cap * sizeof(*queries->items));
	if (queries->octets == NULL || queries->items == NULL) {
		queryfile_fini(queries);
		return STATUS_MEMORY;
	}
	return STATUS_OK;
}

/* Octets of the question that begins here; 0 where there is none that is whole. No pointer can stand in the first
 * name of a message: there is nothing before it that it could point to (RFC 1035 sec 4.1.4).
 */
static uint32_t question_len(const uint8_t *octets, uint32_t len)
{
	uint32_t at = 0;

	while (at < len && octets[at] != 0) {
		if (octets[at] > NAME_LABEL_LEN_MAX) {
			return 0;
		}
		at += octets[at] + 1u;
	}
	at += 1 + 4;
	return at <= len && at - 4 <= NAME_LEN_MAX ? at : 0;
}

enum status queryfile_add(struct queryfile *queries, const uint8_t *octets, uint32_t len)
{
	if (len < WIRE_HEADER_LEN || len > WIRE_MESSAGE_LEN_MAX ||
		(octets_get_u16(octets + 2) & WIRE_FLAG_QR) != 0 ||
		octets_get_u16(octets + 4) != 1) {
		return STATUS_REFUSED;
	}
	uint32_t asked_len = question_len(octets + WIRE_HEADER_LEN, len - WIRE_HEADER_LEN);
	if (asked_len == 0) {
		return STATUS_REFUSED;
	}
	uint32_t rest_len = len - QUERYFILE_ID_LEN;
	if (make_room(queries, rest_len) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	memcpy(queries->octets + queries->octets_len, octets + QUERYFILE_ID_LEN, rest_len);
	keep(queries, rest_len, asked_len);
	return STATUS_OK;
}

static enum status add(struct parser *parser, const struct name *name, uint16_t type)
{
	struct queryfile *queries = parser->queries;
	bool has_opt = parser->options->edns || parser->options->dnssec || parser->options->open ||
		       parser->options->edns_options_len != 0;

	if (make_room(queries, QUERY_LEN_MAX) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	uint8_t *start = queries->octets + queries->octets_len;
	uint8_t *to = start + HEAD_LEN;
	octets_put_u16(start, WIRE_FLAG_RD); /* as dnsperf sets it */
	octets_put_u16(start + 2, 1);
	octets_put_u16(start + 4, 0);
	octets_put_u16(start + 6, 0);
	octets_put_u16(start + 8, has_opt ? 1 : 0);
	memcpy(to, name->octets, name->len);
	to += name->len;
	octets_put_u16(to, type);
	octets_put_u16(to + 2, CLASS_IN);
	to += 4;
	if (has_opt) {
		memset(to, 0, QUERYFILE_OPT_LEN);
		octets_put_u16(to + 1, RRTYPE_OPT);
		octets_put_u16(to + 3, QUERYFILE_UDP_LEN);
		octets_put_u16(to + 7, parser->options->dnssec ? OPT_DO : 0);
		octets_put_u16(to + QUERYFILE_OPT_LEN - OPT_LENGTH_LEN,
			(uint16_t)parser->options->edns_options_len);
		to += QUERYFILE_OPT_LEN - (parser->options->open ? OPT_LENGTH_LEN : 0);
		if (parser->options->edns_options_len != 0) {
			memcpy(to, parser->options->edns_options,
				parser->options->edns_options_len);
			to += parser->options->edns_options_len;
		}
	}
	keep(queries, (uint32_t)(to - start), name->len + 4u);
	return STATUS_OK;
}

static enum status read_line(struct parser *parser, const char *text, size_t len)
{
	struct name name;
	uint16_t type;

	parser->line++;
	size_t name_at = skip_blanks(text, len, 0);
	if (name_at == len || text[name_at] == ';' ||
		(text[name_at] == '#' && (name_at + 1 == len || is_blank(text[name_at + 1])))) {
		return STATUS_OK;
	}
	size_t name_end = skip_word(text, len, name_at);
	size_t type_at = skip_blanks(text, len, name_end);
	size_t type_end = skip_word(text, len, type_at);
	size_t rest_at = skip_blanks(text, len, type_end);

	if (len > QUERYFILE_LINE_MAX) {
		complain(parser, 0, "the line is too long", "");
		return STATUS_OK;
	}
	const char *from = text + name_at;
	size_t from_len = name_end - name_at;
	if (from_len == 1 && from[0] == '@') {
		from = "\\@"; /* there is no origin here that it could stand for */
		from_len = 2;
	}
	enum wire_status status = name_from_text(from, (uint32_t)from_len, &parser->root, &name);
	if (status != WIRE_OK) {
		complain(parser, name_at + 1, "not a domain name: ", wire_status_text(status));
	} else if (type_at == len) {
		complain(parser, name_end + 1, "no type behind the name (expected NAME TYPE)", "");
	} else if (!rrtype_from_text(text + type_at, (uint32_t)(type_end - type_at), &type)) {
		complain(parser, type_at + 1, "not an RR type (expected NAME TYPE)", "");
	} else if (rest_at != len && text[rest_at] != ';') {
		complain(parser, rest_at + 1, "more than a name and a type", "");
	} else {
		return add(parser, &name, type);
	}
	return STATUS_OK;
}

/* Cuts the stream into lines. A line that does not fit the buffer is cut; read_line() refuses it for its
 * length, and what follows up to the line's end is passed over.
 */
static enum status read_lines(struct parser *parser, FILE *file)
{
	static const size_t cap = BLOCK_LEN;
	char *buf = malloc(cap);
	size_t len = 0;
	bool skipping = false;
	enum status status = buf == NULL ? STATUS_MEMORY : STATUS_OK;

	while (status == STATUS_OK) {
		size_t got = fread(buf + len, 1, cap - len, file);
		bool last = got == 0;
		size_t at = 0;

		len += got;
		while (status == STATUS_OK && at < len) {
			const char *end = memchr(buf + at, '\n', len - at);
			size_t line_len = end != NULL ? (size_t)(end - buf) - at : len - at;
			if (end == NULL && !last && line_len <= QUERYFILE_LINE_MAX) {
				break;
			}
			if (!skipping) {
				status = read_line(parser, buf + at, line_len);
			}
			skipping = end == NULL;
			at += line_len + (end != NULL ? 1 : 0);
		}
		len -= at;
		memmove(buf, buf + at, len);
		if (last) {
			break;
		}
	}
	free(buf);
	return status;
}

static enum status judge(struct parser *parser, FILE *file, int error)
{
	struct queryfile *queries = parser->queries;

	if (queries->bad_count > DIAG_ERRORS_MAX) {
		diag_report(parser->sink, parser->options->strict ? DIAG_ERROR : DIAG_WARNING,
			parser->path, 0, 0, "%u bad lines in all", queries->bad_count);
	}
	if (ferror(file)) {
		diag_report(parser->sink, DIAG_ERROR, parser->path, 0, 0, "cannot be read: %s",
			strerror(error));
		return STATUS_REFUSED;
	}
	if (parser->options->strict && queries->bad_count != 0) {
		return STATUS_REFUSED;
	}
	if (queries->count == 0) {
		diag_report(parser->sink, DIAG_ERROR, parser->path, 0, 0,
			"no query in it (expected lines of NAME TYPE)");
		return STATUS_REFUSED;
	}
	return STATUS_OK;
}

enum status queryfile_read_stream(FILE *file, const char *name,
	const struct queryfile_options *options, const struct diag_sink *sink,
	struct queryfile *out)
{
	struct parser parser = {
		.queries = out, .options = options, .sink = sink, .path = name, .root = {.len = 1}};

	ASSERT(options->edns_options_len <= (options->open ? 0 : QUERYFILE_OPTIONS_MAX));
	enum status status = queryfile_init(out);
	if (status != STATUS_OK) {
		return status;
	}
	out->is_open = options->open;
	errno = 0;
	status = read_lines(&parser, file);
	if (status == STATUS_OK) {
		status = judge(&parser, file, errno);
	}
	if (status != STATUS_OK) {
		queryfile_fini(out);
	}
	return status;
}

enum status queryfile_read(const char *path, const struct queryfile_options *options,
	const struct diag_sink *sink, struct queryfile *out)
{
	if (strcmp(path, "-") == 0) {
		return queryfile_read_stream(stdin, "standard input", options, sink, out);
	}
	FILE *file = fopen(path, "re");
	if (file == NULL) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "cannot be opened: %s", strerror(errno));
		return STATUS_REFUSED;
	}
	enum status status = queryfile_read_stream(file, path, options, sink, out);
	fclose(file);
	return status;
}

void queryfile_fini(struct queryfile *queries)
{
	free(queries->octets);
	free(queries->items);
	queries->octets = NULL;
	queries->items = NULL;
	queries->count = 0;
}

const char *queryfile_text(const struct queryfile *queries, uint32_t idx, char *text)
{
	const uint8_t *question = queries->octets + queries->items[idx].off + HEAD_LEN;
	uint32_t len = name_octets_to_text(question, text);

	text[len++] = ' ';
	rrtype_to_text(octets_get_u16(question + queries->items[idx].question_len - 4), text + len);
	return text;
}

HOT uint16_t queryfile_flags(const struct queryfile *queries, uint32_t idx)
{
	return octets_get_u16(queries->octets + queries->items[idx].off);
}

HOT bool queryfile_is_question(
	const struct queryfile *queries, uint32_t idx, const uint8_t *octets, uint32_t len)
{
	const uint8_t *question = queries->octets + queries->items[idx].off + HEAD_LEN;
	uint32_t asked_len = queries->items[idx].question_len;

	if (len < asked_len) {
		return false;
	}
	if (memcmp(octets, question, asked_len) == 0) {
		return true;
	}
	/* Length octets are below 64, so folding letters cannot change them; type and class must be the same. */
	uint8_t ours[NAME_LEN_MAX];
	uint8_t theirs[NAME_LEN_MAX];
	uint32_t name_len = asked_len - 4;
	if (memcmp(octets + name_len, question + name_len, 4) != 0) {
		return false;
	}
	name_octets_lower(ours, question, name_len);
	name_octets_lower(theirs, octets, name_len);
	return memcmp(ours, theirs, name_len) == 0;
}
