/* test_lookup.c - servers by address and by name. */
#include "os/lookup.h"

#include <string.h>

#include "kit/kit.h"

TEST(addresses_are_taken_as_they_are)
{
	struct addr addr;
	const char *why;
	char text[ADDR_TEXT_MAX];

	CHECK(lookup_server("192.0.2.7", 53, ADDR_NONE, &addr, &why));
	CHECK_S(addr_to_text(&addr, text), "192.0.2.7:53");
	CHECK(lookup_server("[2001:db8::1]:5300", 53, ADDR_NONE, &addr, &why));
	CHECK_S(addr_to_text(&addr, text), "[2001:db8::1]:5300");
}

TEST(localhost_is_found_with_its_port)
{
	struct addr addr;
	const char *why;

	CHECK(lookup_server("localhost:5353", 53, ADDR_NONE, &addr, &why));
	CHECK_U(addr.port, 5353);
	CHECK(lookup_server("localhost", 53, ADDR_NONE, &addr, &why));
	CHECK_U(addr.port, 53);
}

TEST(a_family_that_was_asked_for_is_kept)
{
	struct addr addr;
	const char *why;

	CHECK(lookup_server("localhost", 53, ADDR_V4, &addr, &why));
	CHECK_U(addr.family, ADDR_V4);
	CHECK(lookup_server("::1", 53, ADDR_V6, &addr, &why));
	CHECK_U(addr.family, ADDR_V6);
	CHECK(!lookup_server("::1", 53, ADDR_V4, &addr, &why));
	CHECK_S(why, "an address of the other family");
	CHECK(!lookup_server("127.0.0.1:53", 53, ADDR_V6, &addr, &why));
	CHECK_S(why, "an address of the other family");
}

TEST(what_is_neither_is_refused_with_a_reason)
{
	static const char *const bad[] = {"", ":53", "localhost:", "localhost:0", "localhost:65536",
		"localhost:12a", "localhost:53:53", "127.0.0.1:0", "host:999999"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct addr addr;
		const char *why = NULL;

		KIT_NOTE(bad[i]);
		CHECK(!lookup_server(bad[i], 53, ADDR_NONE, &addr, &why));
		CHECK(why != NULL && strlen(why) > 0);
	}
}
