/* updatefile.c - blocks of lines to messages. */
#include "loadgen/updatefile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "loadgen/zoneline.h"
#include "wire/name.h"
#include "wire/rrtype.h"
#include "wire/wire.h"

#define BLANKS       " \t\r\n"
#define HEAD_LEN     10u /* octets of a record from its type to its RDATA */
#define COUNT_PRE    6u  /* where a header counts prerequisites and changes, RFC 2136 sec 2.2 */
#define COUNT_CHANGE 8u

struct builder {
	const char *path;
	const struct diag_sink *sink;
	struct queryfile *queries;
	bool is_strict;
	bool has_zone; /* a message is being made */
	bool is_bad;   /* one of its lines was */
	uint32_t line;
	uint32_t bad_count;
	struct name zone;
	uint32_t len;
	uint8_t message[WIRE_MESSAGE_LEN_MAX];
	struct zoneline_record record;
};

static void complain(struct builder *builder, size_t column, const char *what)
{
	builder->is_bad = true;
	if (++builder->bad_count <= DIAG_ERRORS_MAX) {
		diag_report(builder->sink, builder->is_strict ? DIAG_ERROR : DIAG_WARNING,
			builder->path, builder->line, (uint32_t)column, "%s", what);
	}
}

/* What zoneline_read() says of a line counts as one of ours. */
static void pass_on(void *context, const struct diag *diag)
{
	struct builder *builder = context;

	complain(builder, diag->column, diag->text);
}

static void begin_message(struct builder *builder, const char *text, size_t len)
{
	static const struct name root = {.len = 1};

	if (name_from_text(text, (uint32_t)len, &root, &builder->zone) != WIRE_OK) {
		complain(builder, 1, "not a zone's name");
	}
	builder->has_zone = true;
	if (builder->is_bad) {
		return;
	}
	memset(builder->message, 0, WIRE_HEADER_LEN);
	octets_put_u16(builder->message + 2, OPCODE_UPDATE << WIRE_OPCODE_SHIFT);
	octets_put_u16(builder->message + 4, 1);
	uint8_t *at = builder->message + WIRE_HEADER_LEN;
	memcpy(at, builder->zone.octets, builder->zone.len);
	octets_put_u16(at + builder->zone.len, RRTYPE_SOA);
	octets_put_u16(at + builder->zone.len + 2, CLASS_IN);
	builder->len = WIRE_HEADER_LEN + builder->zone.len + 4u;
}

/* One record of the message, of which where counts. */
static void add_record(struct builder *builder, uint32_t where, const struct name *owner,
	uint16_t type, enum wire_class class, uint32_t ttl, const uint8_t *rdata,
	uint32_t rdata_len)
{
	uint8_t *at = builder->message + builder->len;
	uint8_t *count = builder->message + where;

	if (WIRE_MESSAGE_LEN_MAX - builder->len < owner->len + HEAD_LEN + rdata_len) {
		complain(builder, 1, "more than fits into a message");
		return;
	}
	memcpy(at, owner->octets, owner->len);
	at += owner->len;
	octets_put_u16(at, type);
	octets_put_u16(at + 2, (uint16_t) class);
	octets_put_u32(at + 4, ttl);
	octets_put_u16(at + 8, (uint16_t)rdata_len);
	if (rdata_len != 0) {
		memcpy(at + HEAD_LEN, rdata, rdata_len);
	}
	builder->len += owner->len + HEAD_LEN + rdata_len;
	octets_put_u16(count, (uint16_t)(octets_get_u16(count) + 1));
}

static bool parse_owner(
	struct builder *builder, const char *line, const char *text, size_t len, struct name *out)
{
	if (len == 0 || name_from_text(text, (uint32_t)len, &builder->zone, out) != WIRE_OK) {
		complain(builder, (size_t)(text - line) + 1, "not a domain name");
		return false;
	}
	return true;
}

/* What follows a keyword: an owner, and perhaps a type, and perhaps RDATA. */
struct operand {
	const char *owner;
	size_t owner_len;
	const char *type;
	size_t type_len;
	const char *rest;
};

static struct operand split(const char *text)
{
	struct operand out = {.owner = text, .owner_len = strcspn(text, BLANKS)};

	out.type = text + out.owner_len + strspn(text + out.owner_len, BLANKS);
	out.type_len = strcspn(out.type, BLANKS);
	out.rest = out.type + out.type_len + strspn(out.type + out.type_len, BLANKS);
	return out;
}

static enum status read_whole(struct builder *builder, const char *line, const char *text)
{
	struct diag_sink sink = {.report = pass_on, .context = builder};
	struct zoneline_place place = {.file = builder->path,
		.line = builder->line,
		.column = (uint32_t)(text - line) + 1};

	return zoneline_read(&place, text, strlen(text), &builder->zone, &sink, &builder->record);
}

/* `require`, `prohibit` and `delete`, which differ in classes alone (RFC 2136 sec 2.4 and 2.5). class_set: where no
 * RDATA is named; class_record: where it is, CLASS_ANY: it must not be.
 */
static enum status read_operand(struct builder *builder, const char *line, const char *text,
	uint32_t where, enum wire_class class_set, enum wire_class class_record)
{
	struct operand operand = split(text);
	uint16_t type = RRTYPE_ANY;
	struct name owner;

	if (!parse_owner(builder, line, operand.owner, operand.owner_len, &owner)) {
		return STATUS_OK;
	}
	if (operand.type_len != 0 &&
		!rrtype_from_text(operand.type, (uint32_t)operand.type_len, &type)) {
		complain(builder, (size_t)(operand.type - line) + 1, "not an RR type");
		return STATUS_OK;
	}
	if (*operand.rest == '\0') {
		add_record(builder, where, &owner, type, class_set, 0, NULL, 0);
		return STATUS_OK;
	}
	if (class_record == CLASS_ANY) {
		complain(builder, (size_t)(operand.rest - line) + 1, "more than a name and a type");
		return STATUS_OK;
	}
	enum status status = read_whole(builder, line, text);
	if (status == STATUS_OK) {
		const struct zoneline_record *record = &builder->record;
		add_record(builder, where, &record->owner, record->type, class_record, 0,
			record->rdata, record->rdata_len);
	}
	return status == STATUS_REFUSED ? STATUS_OK : status;
}

static enum status read_add(struct builder *builder, const char *line, const char *text)
{
	enum status status = read_whole(builder, line, text);

	if (status == STATUS_OK && !builder->record.has_ttl) {
		complain(builder, (size_t)(text - line) + 1,
			"no TTL (expected add NAME TTL TYPE RDATA)");
	} else if (status == STATUS_OK) {
		const struct zoneline_record *record = &builder->record;
		add_record(builder, COUNT_CHANGE, &record->owner, record->type, CLASS_IN,
			record->ttl, record->rdata, record->rdata_len);
	}
	return status == STATUS_REFUSED ? STATUS_OK : status;
}

static enum status end_message(struct builder *builder)
{
	enum status status =
		builder->is_bad ? STATUS_OK
				: queryfile_add(builder->queries, builder->message, builder->len);

	builder->has_zone = false;
	builder->is_bad = false;
	ASSERT(status != STATUS_REFUSED);
	return status;
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(text, word, len) == 0;
}

static enum status read_line(struct builder *builder, char *line)
{
	size_t len = strlen(line);

	builder->line++;
	while (len > 0 && strchr(BLANKS, line[len - 1]) != NULL) {
		line[--len] = '\0';
	}
	const char *word = line + strspn(line, BLANKS);
	size_t word_len = strcspn(word, BLANKS);
	const char *rest = word + word_len + strspn(word + word_len, BLANKS);
	if (word_len == 0 || *word == ';' || *word == '#') {
		return STATUS_OK;
	}
	if (!builder->has_zone) {
		begin_message(builder, word, word_len);
		return STATUS_OK;
	}
	if (is_word(word, word_len, "send")) {
		return end_message(builder);
	}
	if (builder->is_bad) {
		return STATUS_OK; /* the rest of a message that is left out anyway */
	}
	if (is_word(word, word_len, "require")) {
		return read_operand(builder, line, rest, COUNT_PRE, CLASS_ANY, CLASS_IN);
	}
	if (is_word(word, word_len, "prohibit")) {
		return read_operand(builder, line, rest, COUNT_PRE, CLASS_NONE, CLASS_ANY);
	}
	if (is_word(word, word_len, "delete")) {
		return read_operand(builder, line, rest, COUNT_CHANGE, CLASS_ANY, CLASS_NONE);
	}
	if (is_word(word, word_len, "add")) {
		return read_add(builder, line, rest);
	}
	complain(builder, (size_t)(word - line) + 1,
		"not a keyword (expected require, prohibit, add, delete or send)");
	return STATUS_OK;
}

static enum status judge(struct builder *builder)
{
	if (builder->has_zone) {
		complain(builder, 0, "the last message has no send");
	}
	builder->queries->bad_count = builder->bad_count;
	if (builder->is_strict && builder->bad_count != 0) {
		return STATUS_REFUSED;
	}
	if (builder->queries->count == 0) {
		diag_report(builder->sink, DIAG_ERROR, builder->path, 0, 0,
			"no update in it (expected a zone, changes, and send)");
		return STATUS_REFUSED;
	}
	return STATUS_OK;
}

static enum status read_file(struct builder *builder, FILE *file)
{
	char *line = NULL;
	size_t line_cap = 0;
	enum status status = STATUS_OK;

	errno = 0;
	while (status == STATUS_OK && getline(&line, &line_cap, file) != -1) {
		status = read_line(builder, line);
	}
	free(line);
	if (status == STATUS_OK && ferror(file)) {
		diag_report(builder->sink, DIAG_ERROR, builder->path, 0, 0, "cannot be read: %s",
			strerror(errno));
		return STATUS_REFUSED;
	}
	return status == STATUS_OK ? judge(builder) : status;
}

enum status updatefile_read(
	const char *path, bool strict, const struct diag_sink *sink, struct queryfile *out)
{
	bool is_stdin = strcmp(path, "-") == 0;
	FILE *file = is_stdin ? stdin : fopen(path, "re");

	if (file == NULL) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "cannot be opened: %s", strerror(errno));
		return STATUS_REFUSED;
	}
	struct builder *builder = malloc(sizeof(*builder)); /* 128 KB: not for the stack */
	enum status status = builder == NULL ? STATUS_MEMORY : queryfile_init(out);
	if (status == STATUS_OK) {
		memset(builder, 0, offsetof(struct builder, message));
		builder->path = is_stdin ? "standard input" : path;
		builder->sink = sink;
		builder->queries = out;
		builder->is_strict = strict;
		status = read_file(builder, file);
		if (status != STATUS_OK) {
			queryfile_fini(out);
		}
	}
	free(builder);
	if (!is_stdin) {
		fclose(file);
	}
	return status;
}
