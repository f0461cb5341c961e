/* fuzz_rdata.c - RDATA as text, as octets, and back: each way gives the same again.
 *
 * input  two octets: the type in network order; one octet: even, the rest is text; odd, octets
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/name.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zonefile/rdata_text.h"
#include "zonefile/zonefile.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

#define HEAD_LEN 3u

struct rdata {
	uint16_t type;
	uint32_t count; /* records read */
	uint32_t len;
	uint8_t octets[RDATA_LEN_MAX];
};

static char line[RDATA_TEXT_MAX + 64];

static enum status keep_record(void *context, const struct zonefile_record *record)
{
	struct rdata *rdata = context;

	if (rdata_check(record->type, record->rdata, record->rdata_len) != WIRE_OK) {
		abort();
	}
	if (rdata->count++ == 0) {
		rdata->type = record->type;
		rdata->len = record->rdata_len;
		memcpy(rdata->octets, record->rdata, record->rdata_len);
	}
	return STATUS_OK;
}

static void ignore_diag(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

static enum status read_text(const char *text, size_t len, struct rdata *out)
{
	static const struct name origin = {.len = 3, .label_count = 1, .octets = {1, 'e', 0}};
	const struct zonefile_sink sink = {
		.record = keep_record, .context = out, .diag = {ignore_diag, NULL}};

	out->count = 0;
	return zonefile_read_octets("fuzz", text, len, &origin, &sink);
}

/* The octets as text, and the text as octets, which must be the same. */
static void check_octets(uint16_t type, const uint8_t *octets, uint32_t len)
{
	static struct rdata again;
	char mnemonic[RRTYPE_TEXT_MAX];
	size_t at = (size_t)sprintf(line, "o 1 %s ", rrtype_to_text(type, mnemonic));

	at += rdata_text_print(type, octets, len, line + at, RDATA_TEXT_MAX);
	if (read_text(line, at, &again) != STATUS_OK || again.count != 1 || again.type != type ||
		again.len != len || memcmp(again.octets, octets, len) != 0) {
		fprintf(stderr, "%s\n", line);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	static struct rdata rdata;
	char mnemonic[RRTYPE_TEXT_MAX];

	if (len < HEAD_LEN || len > RDATA_LEN_MAX) {
		return 0;
	}
	uint16_t type = (uint16_t)(octets[0] << 8 | octets[1]);
	const uint8_t *rest = octets + HEAD_LEN;
	uint32_t rest_len = (uint32_t)len - HEAD_LEN;
	if (rrtype_is_meta(type)) {
		return 0;
	}
	if (octets[2] % 2 != 0) {
		if (rdata_check(type, rest, rest_len) == WIRE_OK) {
			check_octets(type, rest, rest_len);
		}
		return 0;
	}
	size_t at = (size_t)sprintf(line, "o 1 %s ", rrtype_to_text(type, mnemonic));
	memcpy(line + at, rest, rest_len);
	(void)read_text(line, at + rest_len, &rdata);
	if (rdata.count > 0) {
		check_octets(rdata.type, rdata.octets, rdata.len);
	}
	return 0;
}
