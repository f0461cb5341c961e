/* checkfile.c - lines to digests, found by a hash of the question. */
#include "loadgen/checkfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/hash.h"
#include "base/octets.h"
#include "loadgen/zoneline.h"
#include "wire/name.h"
#include "wire/rrtype.h"
#include "wire/wire.h"

#define HEAD_LEN         (WIRE_HEADER_LEN - QUERYFILE_ID_LEN) /* octets before a query's question */
#define EXPECTATIONS_CAP 64u                                  /* to begin with */
#define BLANKS           " \t\r\n"

/* Any two numbers: hashes are compared within one file only. */
static const struct hash_key key = {{0xbf58476d1ce4e5b9u, 0x94d049bb133111ebu}};

struct expectation {
	uint64_t question; /* hash of name and type */
	uint32_t line;
	bool is_asked;
	struct differ_digest digest;
};

struct reading {
	const char *path;
	const struct diag_sink *sink;
	uint32_t line;
	uint32_t error_count;
	struct expectation *items; /* owns */
	size_t count;
	size_t cap;
	bool is_any;       /* of the current item: `*` */
	bool has_all_ttls; /* ditto, so far */
	struct differ_set records;
	struct differ_set with_ttls;
	struct zoneline_record record;
};

static void complain(struct reading *reading, size_t column, const char *what)
{
	if (++reading->error_count <= DIAG_ERRORS_MAX) {
		diag_report(reading->sink, DIAG_ERROR, reading->path, reading->line,
			(uint32_t)column, "%s", what);
	}
}

static uint64_t hash_question(const uint8_t *name, uint32_t name_len, uint16_t type)
{
	uint8_t octets[NAME_LEN_MAX + 2];

	name_octets_lower(octets, name, name_len);
	octets_put_u16(octets + name_len, type);
	return hash_octets(&key, hash_root(&key), octets, name_len + 2);
}

static bool parse_rcode(const char *text, size_t len, uint16_t *out)
{
	static const char *const names[] = {"NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP",
		"REFUSED", "YXDOMAIN", "YXRRSET", "NXRRSET", "NOTAUTH", "NOTZONE"};

	for (uint16_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == len && strncasecmp(names[i], text, len) == 0) {
			*out = i;
			return true;
		}
	}
	return false;
}

/* The answer of the current item is complete. */
static void finish_item(struct reading *reading)
{
	if (reading->count == 0) {
		return;
	}
	struct differ_digest *digest = &reading->items[reading->count - 1].digest;
	digest->known = 1u << DIFFER_MISSING | 1u << DIFFER_RCODE;
	if (!reading->is_any) {
		digest->known |= 1u << DIFFER_ANSWER;
		digest->known |=
			reading->has_all_ttls && reading->records.count != 0 ? 1u << DIFFER_TTL : 0;
	}
	digest->sections[SECTION_ANSWER] = differ_set_hash(&reading->records);
	digest->ttls[SECTION_ANSWER] = differ_set_hash(&reading->with_ttls);
}

static void add_record(struct reading *reading, size_t column)
{
	struct zoneline_record *record = &reading->record;
	uint64_t with_ttl = differ_record_hash(
		&record->owner, record->type, record->ttl, record->rdata, record->rdata_len);
	uint64_t without = differ_record_hash(
		&record->owner, record->type, 0, record->rdata, record->rdata_len);

	reading->has_all_ttls = reading->has_all_ttls && record->has_ttl;
	if (!differ_set_add(&reading->records, without) ||
		!differ_set_add(&reading->with_ttls, with_ttl)) {
		complain(reading, column, "more records than fit into an answer");
	}
}

static enum status read_record(struct reading *reading, const char *text, size_t len, size_t column)
{
	static const struct name root = {.len = 1};
	struct zoneline_place place = {
		.file = reading->path, .line = reading->line, .column = (uint32_t)column};

	if (reading->error_count >= DIAG_ERRORS_MAX) {
		reading->error_count++;
		return STATUS_OK;
	}
	enum status status =
		zoneline_read(&place, text, len, &root, reading->sink, &reading->record);
	if (status == STATUS_OK) {
		add_record(reading, column);
	} else if (status == STATUS_REFUSED) {
		reading->error_count++;
		status = STATUS_OK;
	}
	return status;
}

static enum status begin_item(
	struct reading *reading, const struct name *name, uint16_t type, uint16_t rcode)
{
	if (reading->count == reading->cap) {
		size_t cap = reading->cap == 0 ? EXPECTATIONS_CAP : reading->cap * 2;
		struct expectation *grown = realloc(reading->items, cap * sizeof(*grown));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		reading->items = grown;
		reading->cap = cap;
	}
	reading->items[reading->count++] =
		(struct expectation){.question = hash_question(name->octets, name->len, type),
			.line = reading->line,
			.digest = {.rcode = rcode}};
	reading->is_any = false;
	reading->has_all_ttls = true;
	return STATUS_OK;
}

/* The rest of a question's line: nothing, `*`, or RDATA, which becomes a record of that name and type. */
static enum status read_rest(
	struct reading *reading, const char *line, size_t question_len, const char *rest)
{
	size_t column = (size_t)(rest - line) + 1;

	if (*rest == '\0' || *rest == ';') {
		return STATUS_OK;
	}
	if (*rest == '*' && (rest[1] == '\0' || strchr(BLANKS, rest[1]) != NULL)) {
		reading->is_any = true;
		return STATUS_OK;
	}
	/* NAME TYPE and blanks in place of the rcode, so that columns stay. A name without a final dot is absolute: the
	 * origin is the root.
	 */
	size_t len = strlen(line);
	char *text = malloc(len + 1);
	if (text == NULL) {
		return STATUS_MEMORY;
	}
	memcpy(text, line, len + 1);
	memset(text + question_len, ' ', column - 1 - question_len);
	enum status status = read_record(reading, text, len, 1);
	reading->has_all_ttls = false;
	free(text);
	return status;
}

static enum status read_question(struct reading *reading, const char *line)
{
	static const struct name root = {.len = 1};
	size_t name_len = strcspn(line, BLANKS);
	const char *type_at = line + name_len + strspn(line + name_len, BLANKS);
	size_t type_len = strcspn(type_at, BLANKS);
	const char *rcode_at = type_at + type_len + strspn(type_at + type_len, BLANKS);
	size_t rcode_len = strcspn(rcode_at, BLANKS);
	const char *rest = rcode_at + rcode_len + strspn(rcode_at + rcode_len, BLANKS);
	struct name name;
	uint16_t type;
	uint16_t rcode;

	finish_item(reading);
	if (name_from_text(line, (uint32_t)name_len, &root, &name) != WIRE_OK) {
		complain(reading, 1, "not a domain name (expected NAME TYPE RCODE [RDATA])");
		return STATUS_OK;
	}
	if (!rrtype_from_text(type_at, (uint32_t)type_len, &type)) {
		complain(reading, (size_t)(type_at - line) + 1,
			"not an RR type (expected NAME TYPE RCODE [RDATA])");
		return STATUS_OK;
	}
	if (!parse_rcode(rcode_at, rcode_len, &rcode)) {
		complain(reading, (size_t)(rcode_at - line) + 1,
			"not an rcode (expected NOERROR, NXDOMAIN or the like)");
		return STATUS_OK;
	}
	enum status status = begin_item(reading, &name, type, rcode);
	if (status != STATUS_OK) {
		return status;
	}
	return read_rest(reading, line, (size_t)(type_at - line) + type_len, rest);
}

static enum status read_line(struct reading *reading, char *line)
{
	size_t blank_len = strspn(line, BLANKS);
	size_t len = strlen(line);

	reading->line++;
	while (len > blank_len && strchr(BLANKS, line[len - 1]) != NULL) {
		line[--len] = '\0';
	}
	if (len <= blank_len || line[blank_len] == ';') {
		return STATUS_OK;
	}
	if (blank_len == 0) {
		return read_question(reading, line);
	}
	if (reading->count == 0) {
		complain(reading, blank_len + 1, "a record before the first NAME TYPE RCODE");
		return STATUS_OK;
	}
	return read_record(reading, line + blank_len, len - blank_len, blank_len + 1);
}

static int by_question(const void *left, const void *right)
{
	const struct expectation *a = left;
	const struct expectation *b = right;

	if (a->question != b->question) {
		return a->question < b->question ? -1 : 1;
	}
	return a->line < b->line ? -1 : a->line > b->line;
}

static void find_repeated(struct reading *reading)
{
	for (size_t i = 1; i < reading->count; i++) {
		if (reading->items[i].question == reading->items[i - 1].question) {
			reading->line = reading->items[i].line;
			complain(reading, 1, "the same question a second time");
		}
	}
}

/* Gives each query what is expected of it; returns how many got something. */
static uint32_t spread(
	struct reading *reading, const struct queryfile *queries, struct answerbook *book)
{
	uint32_t given_count = 0;

	for (uint32_t i = 0; i < queries->count; i++) {
		const uint8_t *question = queries->octets + queries->items[i].off + HEAD_LEN;
		uint32_t name_len = queries->items[i].question_len - 4u;
		struct expectation wanted = {.question = hash_question(question, name_len,
						     octets_get_u16(question + name_len))};
		size_t low = 0;
		size_t high = reading->count;
		while (low < high) {
			size_t middle = low + (high - low) / 2;
			if (reading->items[middle].question < wanted.question) {
				low = middle + 1;
			} else {
				high = middle;
			}
		}
		if (low < reading->count && reading->items[low].question == wanted.question) {
			book->entries[i] = reading->items[low].digest;
			reading->items[low].is_asked = true;
			given_count++;
		}
	}
	return given_count;
}

static enum status judge(
	struct reading *reading, const struct queryfile *queries, struct answerbook *book)
{
	uint32_t idle_count = 0;

	if (reading->count > 0) {
		qsort(reading->items, reading->count, sizeof(*reading->items), by_question);
		find_repeated(reading);
	}
	if (reading->error_count > DIAG_ERRORS_MAX) {
		diag_report(reading->sink, DIAG_ERROR, reading->path, 0, 0, "%u errors in all",
			reading->error_count);
	}
	if (reading->error_count != 0) {
		return STATUS_REFUSED;
	}
	if (reading->count == 0) {
		diag_report(reading->sink, DIAG_ERROR, reading->path, 0, 0,
			"no answer in it (expected lines of NAME TYPE RCODE [RDATA])");
		return STATUS_REFUSED;
	}
	if (spread(reading, queries, book) == 0) {
		diag_report(reading->sink, DIAG_ERROR, reading->path, 0, 0,
			"none of its questions is among the queries");
		return STATUS_REFUSED;
	}
	for (size_t i = 0; i < reading->count; i++) {
		idle_count += reading->items[i].is_asked ? 0 : 1;
	}
	if (idle_count != 0) {
		diag_report(reading->sink, DIAG_WARNING, reading->path, 0, 0,
			"%u of its questions are not among the queries", idle_count);
	}
	return STATUS_OK;
}

enum status checkfile_read(const char *path, const struct queryfile *queries,
	const struct diag_sink *sink, struct answerbook *book)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t line_cap = 0;
	enum status status = STATUS_OK;

	if (file == NULL) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "cannot be opened: %s", strerror(errno));
		return STATUS_REFUSED;
	}
	struct reading *reading = calloc(1, sizeof(*reading)); /* 160 KB: not for the stack */
	if (reading == NULL) {
		fclose(file);
		return STATUS_MEMORY;
	}
	reading->path = path;
	reading->sink = sink;
	while (status == STATUS_OK && getline(&line, &line_cap, file) != -1) {
		status = read_line(reading, line);
	}
	if (status == STATUS_OK && ferror(file)) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "cannot be read: %s", strerror(errno));
		status = STATUS_REFUSED;
	}
	if (status == STATUS_OK) {
		finish_item(reading);
		status = judge(reading, queries, book);
	}
	free(line);
	free(reading->items);
	free(reading);
	fclose(file);
	return status;
}
