/* capture_read.h - reads any octets as a recording of one format; what comes out must be queries. */
#ifndef SAKER_FUZZ_CAPTURE_READ_H
#define SAKER_FUZZ_CAPTURE_READ_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "wire/message.h"
#include "wire/wire.h"

static void capture_read_ignore(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

static enum status capture_read_check(void *context, const struct capture_query *query)
{
	struct message message;

	(void)context;
	if (message_parse(query->octets, query->len, &message) != MESSAGE_OK ||
		(message.flags & WIRE_OPCODE_MASK) != 0) {
		abort();
	}
	return STATUS_OK;
}

/* magic: what a file of this format begins with; others are left to their own targets. */
static int capture_read_as(const char *magic, size_t magic_len, const uint8_t *octets, size_t len)
{
	struct capture_sink sink = {
		.query = capture_read_check, .diag = {.report = capture_read_ignore}};
	struct capture_options options = {.port = len % 3 == 0 ? 53 : 0, .upstream = len % 2 == 0};
	struct capture_counts counts;
	union {
		const uint8_t *from;
		void *to;
	} pun = {.from = octets}; /* only read from */

	if (len <= magic_len || memcmp(octets, magic, magic_len) != 0) {
		return -1;
	}
	FILE *file = fmemopen(pun.to, len, "r");
	if (file == NULL) {
		return -1;
	}
	enum status status = capture_read_stream(file, "fuzz", &options, &sink, &counts);
	if ((status == STATUS_OK) != (counts.queries != 0)) {
		abort();
	}
	fclose(file);
	return 0;
}

#endif
