/* zone_kit.c - a sink that writes down what it is given. */
#include "zonefile/zone_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zonefile/rdata_text.h"
#include "zonefile/zonefile.h"

struct zone_kit zone_kit;

static const struct name origin = {.len = 3, .label_count = 1, .octets = {1, 'e', 0}};
static size_t records_len;
static size_t diags_len;

static enum status keep_record(void *context, const struct zonefile_record *record)
{
	static char rdata[RDATA_TEXT_MAX];
	char owner[NAME_TEXT_MAX];
	char type[RRTYPE_TEXT_MAX];

	(void)context;
	CHECK_U(rdata_check(record->type, kit_guarded(record->rdata, record->rdata_len),
			record->rdata_len),
		WIRE_OK);
	CHECK(name_is_valid(record->owner));
	CHECK_U(record->owner_is_same, record->owner_is_same && zone_kit.record_count > 0 &&
					       name_equal(record->owner, &zone_kit.owner));
	rdata_text_print(record->type, record->rdata, record->rdata_len, rdata, sizeof(rdata));
	if (records_len < ZONE_KIT_TEXT_MAX) {
		records_len += (size_t)snprintf(zone_kit.records + records_len,
			ZONE_KIT_TEXT_MAX - records_len, "%s %u %s %s\n",
			name_to_text(record->owner, owner), record->ttl,
			rrtype_to_text(record->type, type), rdata);
	}
	zone_kit.record_count++;
	zone_kit.owner = *record->owner;
	zone_kit.line = record->line;
	zone_kit.column = record->column;
	zone_kit.type = record->type;
	zone_kit.rdata_len = record->rdata_len;
	memcpy(zone_kit.rdata, record->rdata, record->rdata_len);
	return STATUS_OK;
}

static void keep_diag(void *context, const struct diag *diag)
{
	(void)context;
	if (diag->level == DIAG_ERROR) {
		zone_kit.error_count++;
	} else {
		zone_kit.warning_count++;
	}
	if (diags_len < ZONE_KIT_TEXT_MAX) {
		diags_len +=
			(size_t)snprintf(zone_kit.diags + diags_len, ZONE_KIT_TEXT_MAX - diags_len,
				"%u:%u: %s\n", diag->line, diag->column, diag->text);
	}
}

static const struct zonefile_sink sink = {
	.record = keep_record, .context = NULL, .diag = {keep_diag, NULL}};

static void start(void)
{
	zone_kit.record_count = 0;
	zone_kit.error_count = 0;
	zone_kit.warning_count = 0;
	zone_kit.records[0] = '\0';
	zone_kit.diags[0] = '\0';
	records_len = 0;
	diags_len = 0;
}

void zone_kit_read(const char *text, size_t len)
{
	start();
	zone_kit.status = zonefile_read_octets("z", text, len, &origin, &sink);
	CHECK((zone_kit.status == STATUS_OK) == (zone_kit.error_count == 0));
}

void zone_kit_read_file(const char *path)
{
	start();
	zone_kit.status = zonefile_read(path, &origin, &sink);
	CHECK((zone_kit.status == STATUS_OK) == (zone_kit.error_count == 0));
}

void zone_kit_records(const char *text, const char *records)
{
	KIT_NOTE(text);
	zone_kit_read(text, strlen(text));
	CHECK_S(zone_kit.diags, "");
	CHECK_S(zone_kit.records, records);
}

void zone_kit_diags(const char *text, const char *diags)
{
	KIT_NOTE(text);
	zone_kit_read(text, strlen(text));
	CHECK_S(zone_kit.diags, diags);
}
