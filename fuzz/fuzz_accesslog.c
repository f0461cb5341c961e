/* fuzz_accesslog.c - any octets as the log of a web server; what comes out must be reverse names. */
#include <stdio.h>
#include <stdlib.h>

#include "base/octets.h"
#include "loadgen/accesslog.h"
#include "wire/name.h"
#include "wire/rrtype.h"

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

static void ignore(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

static void check(const struct querylist *list)
{
	for (uint32_t i = 0; i < list->distinct.count; i++) {
		uint32_t len, name_len;
		const uint8_t *key = octetset_get(&list->distinct, i, &len);
		if (name_measure(key, len, &name_len) != WIRE_OK || name_len + 2 != len ||
			octets_get_u16(key + name_len) != RRTYPE_PTR) {
			abort();
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	struct diag_sink sink = {.report = ignore};
	struct querylist list;
	union {
		const uint8_t *from;
		void *to;
	} pun = {.from = octets}; /* only read from */
	FILE *file = len == 0 ? NULL : fmemopen(pun.to, len, "r");

	if (file == NULL) {
		return -1;
	}
	if (querylist_init(&list) != STATUS_OK ||
		(accesslog_read_stream(file, "fuzz", len % 2 == 0, &sink, &list) == STATUS_OK &&
			list.count == 0)) {
		abort();
	}
	check(&list);
	querylist_fini(&list);
	fclose(file);
	return 0;
}
