/* zoneline.c - a zone of one line. */
#include "loadgen/zoneline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zonefile/zonefile.h"

/* The TTL of a line that has none: the largest there is, which nobody writes (RFC 2181 sec 8). */
#define NO_TTL      2147483647u
#define HEAD        "$TTL 2147483647\n"
#define HEAD_LEN    (sizeof(HEAD) - 1)
#define RECORD_LINE 2u /* of the text that is made */

struct reading {
	const struct zoneline_place *place;
	const struct diag_sink *sink;
	struct zoneline_record *out;
	uint32_t record_count;
	bool has_complained;
};

static enum status take(void *context, const struct zonefile_record *record)
{
	struct reading *reading = context;

	reading->record_count++;
	reading->out->owner = *record->owner;
	reading->out->type = record->type;
	reading->out->ttl = record->ttl;
	reading->out->has_ttl = record->ttl != NO_TTL;
	reading->out->rdata_len = record->rdata_len;
	memcpy(reading->out->rdata, record->rdata, record->rdata_len);
	return STATUS_OK;
}

/* The reader's complaint, at the place where the text really stands. */
static void pass_on(void *context, const struct diag *diag)
{
	struct reading *reading = context;
	uint32_t column = diag->line == RECORD_LINE && diag->column > 0
				  ? diag->column + reading->place->column - 1
				  : reading->place->column;

	if (diag->level == DIAG_ERROR && !reading->has_complained) {
		reading->has_complained = true;
		diag_report(reading->sink, DIAG_ERROR, reading->place->file, reading->place->line,
			column, "%s", diag->text);
	}
}

enum status zoneline_read(const struct zoneline_place *place, const char *text, size_t len,
	const struct name *origin, const struct diag_sink *sink, struct zoneline_record *out)
{
	struct reading reading = {.place = place, .sink = sink, .out = out};
	struct zonefile_sink records = {.record = take,
		.context = &reading,
		.diag = {.report = pass_on, .context = &reading}};

	if (len == 0 || len > ZONELINE_LEN_MAX || text[0] == '$') {
		diag_report(sink, DIAG_ERROR, place->file, place->line, place->column,
			"not a record (expected OWNER [TTL] TYPE RDATA)");
		return STATUS_REFUSED;
	}
	char *zone = malloc(HEAD_LEN + len + 1);
	if (zone == NULL) {
		return STATUS_MEMORY;
	}
	memcpy(zone, HEAD, HEAD_LEN);
	memcpy(zone + HEAD_LEN, text, len);
	zone[HEAD_LEN + len] = '\n';
	enum status status =
		zonefile_read_octets(place->file, zone, HEAD_LEN + len + 1, origin, &records);
	free(zone);
	if (status == STATUS_OK && reading.record_count != 1) {
		diag_report(sink, DIAG_ERROR, place->file, place->line, place->column,
			"not one record (expected OWNER [TTL] TYPE RDATA)");
		return STATUS_REFUSED;
	}
	return status;
}
