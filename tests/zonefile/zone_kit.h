/* zone_kit.h - reads zone text and keeps what came of it, for the tests of this folder. */
#ifndef SAKER_TESTS_ZONE_KIT_H
#define SAKER_TESTS_ZONE_KIT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "wire/name.h"

#define ZONE_KIT_TEXT_MAX (1u << 20)

/* What the last reading gave. */
struct zone_kit {
	enum status status;
	uint32_t record_count;
	uint32_t error_count;
	uint32_t warning_count;
	char records[ZONE_KIT_TEXT_MAX]; /* `owner ttl type rdata` a line */
	char diags[ZONE_KIT_TEXT_MAX];   /* `FILE:LINE:COLUMN: text` a line */
	/* The last record. */
	struct name owner;
	uint32_t line;
	uint32_t column;
	uint16_t type;
	uint32_t rdata_len;
	uint8_t rdata[65535];
};

extern struct zone_kit zone_kit;

/* zone_kit_read - reads text with the origin `e.`; the name of the text is `z`. */
void zone_kit_read(const char *text, size_t len);

/* zone_kit_read_file - the same of a file. */
void zone_kit_read_file(const char *path);

/* zone_kit_records, zone_kit_diags - the text gives exactly these records, or complaints. */
void zone_kit_records(const char *text, const char *records);
void zone_kit_diags(const char *text, const char *diags);

#endif
