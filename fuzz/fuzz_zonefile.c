/* fuzz_zonefile.c - any octets as a zone file: reading ends, and what is read is well-formed. */
#include "zonefile/zonefile.h"

#include <stdlib.h>

#include "wire/name.h"
#include "wire/rdata.h"
#include "zonefile/rdata_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

#define RECORDS_MAX                                                                                \
	2000u /* $GENERATE makes many of one line, and the fuzzer should think of others */

static char text[RDATA_TEXT_MAX];

static enum status check_record(void *context, const struct zonefile_record *record)
{
	uint32_t *count = context;

	if (!name_is_valid(record->owner) ||
		rdata_check(record->type, record->rdata, record->rdata_len) != WIRE_OK ||
		record->ttl > WIRE_TTL_MAX) {
		abort();
	}
	rdata_text_print(record->type, record->rdata, record->rdata_len, text, sizeof(text));
	return ++*count < RECORDS_MAX ? STATUS_OK : STATUS_LIMIT;
}

static void ignore_diag(void *context, const struct diag *diag)
{
	uint32_t *errors = context;

	*errors += diag->level == DIAG_ERROR;
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	static const struct name origin = {.len = 3, .label_count = 1, .octets = {1, 'e', 0}};
	uint32_t count = 0;
	uint32_t errors = 0;
	const struct zonefile_sink sink = {
		.record = check_record, .context = &count, .diag = {ignore_diag, &errors}};

	enum status status =
		zonefile_read_octets("fuzz", (const char *)octets, len, &origin, &sink);
	if ((status == STATUS_OK && errors != 0) || (status == STATUS_REFUSED && errors == 0)) {
		abort();
	}
	return 0;
}
