/* fuzz_queryfile.c - any octets as a query file; every query that comes out must be a whole question. */
#include <stdio.h>
#include <stdlib.h>

#include "loadgen/queryfile.h"
#include "wire/name.h"
#include "wire/wire.h"

#define HEAD_LEN (WIRE_HEADER_LEN - QUERYFILE_ID_LEN)

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

static void ignore(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

static void check(const struct queryfile *queries, bool has_opt)
{
	for (uint32_t i = 0; i < queries->count; i++) {
		uint32_t rest_len;
		uint32_t name_len;
		const uint8_t *question = queryfile_rest(queries, i, &rest_len) + HEAD_LEN;
		uint32_t asked_len = queries->items[i].question_len;
		if (rest_len != HEAD_LEN + asked_len + (has_opt ? QUERYFILE_OPT_LEN : 0) ||
			name_measure(question, asked_len, &name_len) != WIRE_OK ||
			asked_len != name_len + 4 ||
			!queryfile_is_question(queries, i, question, asked_len)) {
			abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	struct queryfile_options options = {.edns = len % 2 == 0, .strict = len % 3 == 0};
	struct diag_sink sink = {.report = ignore};
	struct queryfile queries;
	union {
		const uint8_t *from;
		void *to;
	} pun = {.from = octets}; /* only read from */
	FILE *file = len == 0 ? NULL : fmemopen(pun.to, len, "r");

	if (file != NULL) {
		if (queryfile_read_stream(file, "fuzz", &options, &sink, &queries) == STATUS_OK) {
			check(&queries, options.edns);
			queryfile_fini(&queries);
		}
		fclose(file);
	}
	return 0;
}
