/* test_querylog.c - lines of BIND's query log as its versions write them. */
#include "capture/capture.h"

#include <string.h>

#include "capture/capture_kit.h"
#include "kit/kit.h"

static struct capture_kit_found found;

static void read_text(const char *text)
{
	capture_kit_read(&found, text, strlen(text), NULL);
}

#define T1 1796064934123000000u /* 2026-11-30 18:55:34.123 */

TEST(lines_of_every_version_are_read)
{
	const struct {
		const char *line;
		uint64_t time_ns;
		uint8_t last_octet;
		bool is_tcp;
		const uint8_t *octets; /* behind the ID */
		size_t len;
	} cases[] = {
		{"30-Nov-2026 18:55:34.123 queries: info: client @0x7f0c5c000b78 192.0.2.1#1234 "
		 "(n7.test): "
		 "query: n7.test IN A +E(0)DC (192.0.2.53)",
			T1, 1, false,
			BYTES(1, 0x10, 0, 1, 0, 0, 0, 0, 0, 1, 2, 'n', '7', 4, 't', 'e', 's', 't',
				0, 0, 1, 0, 1, 0, 0, 41, 4, 0xd0, 0, 0, 0x80, 0, 0, 0)},
		{"2026-11-30T18:55:34.123Z client @0x7f 2001:db8::9#1 (n7): view v: query: n7 IN "
		 "AAAA - (::1)",
			T1, 9, false,
			BYTES(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 'n', '7', 0, 0, 28, 0, 1)},
		{"2026-11-30T18:55:34.123 queries: client 192.0.2.3#1/key k (n7): query: n7 IN A "
		 "+ST (x)",
			T1, 3, true,
			BYTES(1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 'n', '7', 0, 0, 1, 0, 1)},
		{"client 192.0.2.4#5: query: n7 IN A +", 0, 4, false,
			BYTES(1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 'n', '7', 0, 0, 1, 0, 1)},
		{"Nov 30 18:55:34 host named[77]: client fe80::1%eth0#5: query: n7 CH TXT -E(1)V "
		 "[ECS 1.2.3.0/24/0]",
			91997734000000000u, 1, false,
			BYTES(0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 'n', '7', 0, 0, 16, 0, 3, 0, 0, 41,
				4, 0xd0, 0, 1, 0, 0, 0, 0)},
		{"client @0x1 192.0.2.1#1 (.): query: n\\0557 IN TYPE65280 -T (192.0.2.2)\r", 0, 1,
			true,
			BYTES(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 'n', '7', '7', 0, 0xff, 0, 0, 1)},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		KIT_NOTE(cases[i].line);
		read_text(cases[i].line);
		CHECK_U(found.status, STATUS_OK);
		CHECK_S(found.notes, "");
		CHECK_U(found.count, 1);
		CHECK_U(found.times_ns[0], cases[i].time_ns);
		CHECK_U(found.last.client.octets[found.last.client.family == ADDR_V4 ? 3 : 15],
			cases[i].last_octet);
		CHECK_U(found.last.transport, cases[i].is_tcp ? CAPTURE_TCP : CAPTURE_UDP);
		CHECK_OCTETS(
			found.last_octets + 2, found.last.len - 2, cases[i].octets, cases[i].len);
	}
}

TEST(other_lines_are_passed_over_and_bad_ones_named)
{
	read_text("30-Nov-2026 18:55:34.123 general: info: running\n"
		  "\n"
		  "client 192.0.2.1#1: query failed (REFUSED) for a.test/IN/A\n"
		  "client 192.0.2.1#1: query: n1 IN A +\n"
		  "client nobody#1: query: n2 IN A +\n"
		  "client 192.0.2.1#1: query: n..3 IN A +\n"
		  "client 192.0.2.1#1: query: n4 XX A +\n"
		  "client 192.0.2.1#1: query: n5 IN AX +\n"
		  "client 192.0.2.1#1: query: n6 IN A\n"
		  "client 192.0.2.1#99999: query: n6 IN A +\n"
		  "client 192.0.2.1#1: query: n7 IN A -\n");
	CHECK_U(found.status, STATUS_OK);
	CHECK_U(found.count, 2);
	CHECK_U(found.numbers[0], 1);
	CHECK_U(found.numbers[1], 7);
	CHECK_U(found.counts.other, 3);
	CHECK_U(found.counts.broken, 6);
	CHECK_S(found.notes, "5:8 not an address behind `client` (expected ADDRESS#PORT);"
			     "6:28 not a domain name behind `query:`;"
			     "7:31 not a class (expected NAME CLASS TYPE);"
			     "8:34 not an RR type (expected NAME CLASS TYPE);"
			     "9:35 no flags behind the type (expected `+` or `-` first);"
			     "10:8 not an address behind `client` (expected ADDRESS#PORT);");
}

TEST(times_grow_with_the_calendar)
{
	static const char *const times[] = {"28-Feb-2023 23:59:59.999", "01-Mar-2023 00:00:00.000",
		"31-Dec-2023 23:59:59.999", "01-Jan-2024 00:00:00.000", "28-Feb-2024 23:59:59.999",
		"29-Feb-2024 00:00:00.000", "29-Feb-2024 23:59:59.999", "01-Mar-2024 00:00:00.000",
		"31-Dec-2099 23:59:59.999", "01-Jan-2100 00:00:00.000", "28-Feb-2100 23:59:59.999",
		"01-Mar-2100 00:00:00.000"};
	uint64_t before = 0;

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		char line[128];
		snprintf(line, sizeof(line), "%s client 192.0.2.1#1: query: n1 IN A +", times[i]);
		KIT_NOTE(line);
		read_text(line);
		CHECK_U(found.count, 1);
		if (i % 2 == 1) {
			CHECK_U(found.times_ns[0] - before, 1000000);
		}
		before = found.times_ns[0];
	}
}

TEST(a_text_that_is_no_query_log_is_refused)
{
	const char *const texts[] = {"", "a.test A\n", "\n\n", "client\n", "\x1f\x8b\x08\x01\x01"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		KIT_NOTE(texts[i]);
		read_text(texts[i]);
		CHECK_U(found.status, STATUS_REFUSED);
		CHECK(strstr(found.notes, "not a recording of queries") != NULL);
		CHECK_U(strstr(found.notes, "compressed") != NULL, i == 4);
	}
}

/* Lines longer than the buffer, and one behind them. */
TEST(a_line_of_any_length_is_passed)
{
	static char text[3u << 20];
	static const char good[] = "client 192.0.2.1#1: query: n1 IN A +\n";
	const size_t lens[] = {
		8000, 8190, 8191, 8192, 65535, (1u << 20) - 1, 1u << 20, (1u << 20) + 1, 2u << 20};

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		memcpy(text, good, sizeof(good) - 1);
		memset(text + sizeof(good) - 1, 'x', lens[i]);
		text[sizeof(good) - 1 + lens[i]] = '\n';
		memcpy(text + sizeof(good) + lens[i], good, sizeof(good) - 1);
		capture_kit_read(&found, text, 2 * sizeof(good) + lens[i] - 1, NULL);
		CHECK_U(found.status, STATUS_OK);
		CHECK_U(found.count, 2);
		CHECK_U(found.counts.broken, lens[i] > 8191 ? 1 : 0);
		CHECK_U(found.counts.records, 3);
		CHECK_S(found.notes, lens[i] > 8191 ? "2:0 the line is too long;" : "");
	}
}
