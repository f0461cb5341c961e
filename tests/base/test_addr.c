/* test_addr.c - text forms of addresses, both ways. */
#include "base/addr.h"

#include <string.h>

#include "kit/kit.h"

TEST(good_text_is_read_and_written_back)
{
	static const char *const cases[][2] = {
		{"192.0.2.1:53", "192.0.2.1:53"},
		{"192.0.2.1", "192.0.2.1:5300"},
		{"0.0.0.0:0", "0.0.0.0:0"},
		{"[::1]:53", "[::1]:53"},
		{"::1", "[::1]:5300"},
		{"[::]", "[::]:5300"},
		{"[2001:DB8:0:0:1:0:0:1]:65535", "[2001:db8::1:0:0:1]:65535"},
		{"1:2:3:4:5:6:7:8", "[1:2:3:4:5:6:7:8]:5300"},
		{"1:2:3:4:5:6:7::", "[1:2:3:4:5:6:7:0]:5300"},
		{"::2:3:4:5:6:7:8", "[0:2:3:4:5:6:7:8]:5300"},
		{"1::", "[1::]:5300"},
		{"::ffff:192.0.2.1", "[::ffff:c000:201]:5300"},
		{"[fe80::1%3]:53", "[fe80::1%3]:53"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct addr addr, again;
		char text[ADDR_TEXT_MAX];

		KIT_NOTE(cases[i][0]);
		CHECK(addr_parse(cases[i][0], 5300, &addr));
		CHECK_S(addr_to_text(&addr, text), cases[i][1]);
		CHECK(addr_parse(text, 1, &again));
		CHECK(addr_equal(&addr, &again));
	}
}

TEST(bad_text_is_refused)
{
	static const char *const cases[] = {"", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4",
		"1.2.3.4:", "1.2.3.4:65536", "1.2.3.4:x", "[::1", "[::1]53",
		"::1::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", ":1",
		"1:", ":::", "12345::", "g::", "1::2::3", "::1.2.3", "1:2:3:4:5:6:7:1.2.3.4",
		"1:2:3:4:5:6:7:8::", "[fe80::1%]:53", "localhost"};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct addr addr;

		KIT_NOTE(cases[i]);
		CHECK(!addr_parse(cases[i], 53, &addr));
	}
}

TEST(random_v6_addresses_survive_the_round_trip)
{
	for (uint32_t round = 0; round < 20000; round++) {
		uint8_t octets[16], again[16];
		char text[ADDR_TEXT_MAX];

		for (uint32_t i = 0; i < 16;
			i++) { /* many zeros, so that :: is met in every place */
			octets[i] = (uint8_t)(kit_random(3) == 0 ? kit_random(256) : 0);
		}
		uint32_t len = addr_v6_to_text(octets, text);
		CHECK_U(len, strlen(text));
		CHECK(addr_parse_v6(text, len, again));
		CHECK_OCTETS(again, 16, octets, 16);
	}
}
