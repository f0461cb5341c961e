/* test_capture_fault.c - the Nth allocation fails, for every N: a recording is read, or is not and leaves nothing. */
#include <stdio.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/capture_kit.h"
#include "fault/fault.h"
#include "kit/kit.h"

#define TRIES_MAX 1000u /* far more allocations than reading makes */

static struct capture_kit_octets file, packet;

static enum status count_query(void *context, const struct capture_query *query)
{
	uint32_t *count = context;

	(void)query;
	(*count)++;
	return STATUS_OK;
}

static void ignore(void *context, const struct diag *diag)
{
	(void)context;
	(void)diag;
}

static void put(const uint8_t *segment, uint32_t len, uint32_t sequence, uint8_t flags)
{
	packet.len = 0;
	capture_kit_tcp(&packet, 4, 7, flags, sequence, segment, len);
	capture_kit_record(&file, 0, packet.at, packet.len);
}

/* A datagram in two pieces, one that stays incomplete, segments out of order, and a hole that stays. */
static void make(void)
{
	uint8_t query[64], datagram[64] = {0x9c, 0x41, 0, 53};
	uint32_t len = capture_kit_query(1, query + 2);

	query[0] = 0;
	query[1] = (uint8_t)len;
	datagram[5] = (uint8_t)(8 + len);
	memcpy(datagram + 8, query + 2, len);
	capture_kit_pcap(&file, 101);
	packet.len = 0;
	capture_kit_piece(&packet, 4, 1, 17, 1, 0, true, datagram, 16);
	capture_kit_record(&file, 0, packet.at, packet.len);
	packet.len = 0;
	capture_kit_piece(&packet, 4, 1, 17, 1, 16, false, datagram + 16, len - 8);
	capture_kit_record(&file, 0, packet.at, packet.len);
	packet.len = 0;
	capture_kit_piece(&packet, 6, 1, 17, 2, 0, true, datagram, 16);
	capture_kit_record(&file, 0, packet.at, packet.len);
	put(NULL, 0, 999, 0x02);
	put(query + 20, len + 2 - 20, 1020, 0x10);
	put(query, 20, 1000, 0x10);
	put(query, 10, 1000 + len + 2, 0x10);
	put(query, 20, 9000, 0x10);
}

TEST(a_capture_is_read_or_is_not)
{
	uint32_t failures = 0;

	make();
	for (uint32_t nth = 1; nth < TRIES_MAX; nth++) {
		uint32_t count = 0;
		struct capture_sink sink = {
			.query = count_query, .context = &count, .diag = {.report = ignore}};
		struct capture_counts counts;
		FILE *stream = fmemopen(file.at, file.len, "r");
		setvbuf(stream, NULL, _IONBF, 0);
		int64_t before = fault_live();

		fault_arm(nth);
		enum status status = capture_read_stream(stream, "test", NULL, &sink, &counts);
		bool failed = fault_disarm();
		CHECK_U(status, failed ? STATUS_MEMORY : STATUS_OK);
		CHECK_U(fault_live(), before);
		CHECK(failed || count == 2);
		fclose(stream);
		failures += failed;
		if (!failed) {
			break;
		}
	}
	CHECK_U(failures,
		7); /* buffer, table, two datagrams, connection, segment that waits, partial message */
}
