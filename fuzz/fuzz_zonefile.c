/* fuzz_zonefile.c - any octets as a zone file: reading ends, what is read is well-formed, and it is the same by small windows
 * and in pieces.
 */
#include "zonefile/zonefile.h"

#include <stdlib.h>

#include "base/checksum.h"
#include "wire/name.h"
#include "wire/rdata.h"
#include "zonefile/rdata_text.h"
#include "zonefile/reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

#define RECORDS_MAX                                                                                \
	2000u          /* $GENERATE makes many of one line, and the fuzzer should think of others */
#define PIECE_MOST 97u /* octets of a piece; a window is as long */
/* Records in all: pieces are read again in order, some of them more than once. */
#define KEPT_MAX (8u * RECORDS_MAX)

static const struct name origin = {.len = 3, .label_count = 1, .octets = {1, 'e', 0}};
static char text[RDATA_TEXT_MAX];

/* What a reading gave: a sum over records in their order, and complaints. */
struct outcome {
	enum status status;
	uint64_t sum;
	uint32_t record_count, errors, warnings;
	/* of pieces */
	uint64_t kept[KEPT_MAX];
	uint32_t lines[KEPT_MAX];
	uint32_t kept_count;
};

static uint64_t sum_of(const struct zonefile_record *record)
{
	return checksum_once(record->rdata, record->rdata_len) * 31 +
	       checksum_once(record->owner->octets, record->owner->len) + record->type +
	       ((uint64_t)record->ttl << 20);
}

static void add(struct outcome *outcome, uint64_t sum, uint32_t line)
{
	outcome->sum = outcome->sum * 31 + sum + line;
	outcome->record_count++;
}

static enum status check_record(void *context, const struct zonefile_record *record)
{
	struct outcome *outcome = context;

	if (!name_is_valid(record->owner) ||
		rdata_check(record->type, record->rdata, record->rdata_len) != WIRE_OK ||
		record->ttl > WIRE_TTL_MAX) {
		abort();
	}
	rdata_text_print(record->type, record->rdata, record->rdata_len, text, sizeof(text));
	add(outcome, sum_of(record), record->line);
	return outcome->record_count < RECORDS_MAX ? STATUS_OK : STATUS_LIMIT;
}

static enum status keep_part(void *context, uint32_t part, const struct zonefile_record *record)
{
	struct outcome *outcome = context;

	(void)part;
	if (outcome->kept_count == KEPT_MAX) {
		return STATUS_LIMIT;
	}
	outcome->lines[outcome->kept_count] = record->line;
	outcome->kept[outcome->kept_count++] = sum_of(record);
	return STATUS_OK;
}

static enum status keep_record(void *context, const struct zonefile_record *record)
{
	return keep_part(context, 0, record);
}

static uint64_t mark(void *context, uint32_t part)
{
	const struct outcome *outcome = context;

	(void)part;
	return outcome->kept_count;
}

static enum status join(void *context, const struct zonefile_piece *piece)
{
	struct outcome *outcome = context;

	for (uint64_t i = piece->from; i < piece->to; i++) {
		add(outcome, outcome->kept[i], outcome->lines[i] + piece->lines_before);
	}
	return STATUS_OK;
}

static void count_diag(void *context, const struct diag *diag)
{
	struct outcome *outcome = context;

	outcome->errors += diag->level == DIAG_ERROR;
	outcome->warnings += diag->level == DIAG_WARNING;
}

static void reset(struct outcome *outcome)
{
	outcome->sum = 0;
	outcome->record_count = outcome->errors = outcome->warnings = outcome->kept_count = 0;
}

static void check_same(const struct outcome *a, const struct outcome *b)
{
	if (a->status != b->status || a->sum != b->sum || a->record_count != b->record_count ||
		a->errors != b->errors || a->warnings != b->warnings) {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	static struct outcome plain, cut;
	struct zonefile_sink sink = {
		.record = check_record, .context = &plain, .diag = {count_diag, &plain}};
	const struct zonefile_parts parts = {
		.count = 1, .record = keep_part, .mark = mark, .join = join, .context = &cut};
	struct reading reading = {.path = "fuzz",
		.origin = &origin,
		.sink = &sink,
		.window_len = 1 + len % PIECE_MOST,
		.piece_len = 1 + (len * 7) % PIECE_MOST};
	const struct textsource source = textsource_of(octets, len);

	reset(&plain);
	plain.status = zonefile_read_octets("fuzz", (const char *)octets, len, &origin, &sink);
	if ((plain.status == STATUS_OK && plain.errors != 0) ||
		(plain.status == STATUS_REFUSED && plain.errors == 0)) {
		abort();
	}
	reset(&cut);
	sink.context = sink.diag.context = &cut;
	cut.status = reading_run(&reading, &source);
	check_same(&plain, &cut);
	if (plain.record_count < RECORDS_MAX / 2) {
		reset(&cut);
		sink.record = keep_record;
		reading.parts = &parts;
		cut.status = reading_run(&reading, &source);
		check_same(&plain, &cut);
	}
	return 0;
}
