/* test_source_set.c - which address each socket asks from. */
#include "loadgen/source_set.h"

#include "kit/kit.h"

static const char *text_of(const struct source_set *sources, uint32_t nth)
{
	static char text[ADDR_TEXT_MAX];
	struct addr addr = source_set_get(sources, nth);

	return addr_to_text(&addr, text);
}

TEST(a_list_is_gone_through_in_turn)
{
	struct source_set sources;
	const char *why;

	CHECK(source_set_parse("192.0.2.7,192.0.2.9", ADDR_V4, &sources, &why));
	CHECK_S(text_of(&sources, 0), "192.0.2.7:0");
	CHECK_S(text_of(&sources, 1), "192.0.2.9:0");
	CHECK_S(text_of(&sources, 2), "192.0.2.7:0");
}

TEST(a_prefix_gives_its_hosts)
{
	struct source_set sources;
	const char *why;

	CHECK(source_set_parse("127.1.0.77/24", ADDR_V4, &sources, &why));
	CHECK_S(text_of(&sources, 0), "127.1.0.1:0");
	CHECK_S(text_of(&sources, 253), "127.1.0.254:0");
	CHECK_S(text_of(&sources, 254), "127.1.0.1:0");
	CHECK(source_set_parse("127.1.0.0/16", ADDR_V4, &sources, &why));
	CHECK_S(text_of(&sources, 255), "127.1.1.0:0");
	CHECK(source_set_parse("10.0.0.6/31", ADDR_V4, &sources, &why));
	CHECK_S(text_of(&sources, 1), "10.0.0.7:0");
	CHECK(source_set_parse("10.0.0.6/32", ADDR_V4, &sources, &why));
	CHECK_S(text_of(&sources, 1), "10.0.0.6:0");
	CHECK(source_set_parse("2001:db8::/64", ADDR_V6, &sources, &why));
	CHECK_S(text_of(&sources, 65535), "[2001:db8::1:0]:0");
}

TEST(without_sources_any_address_will_do)
{
	struct source_set sources = {0};

	CHECK_U(source_set_get(&sources, 5).family, ADDR_NONE);
}

TEST(what_is_no_source_is_refused)
{
	static const char *const texts[] = {"", "192.0.2.7,", "192.0.2.7, 192.0.2.8",
		"192.0.2.7:53", "::1", "192.0.2.0/33", "192.0.2.0/", "192.0.2.0/x", "192.0.2/24",
		"192.0.2.0/24,"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct source_set sources;
		const char *why = NULL;

		KIT_NOTE(texts[i]);
		CHECK(!source_set_parse(texts[i], ADDR_V4, &sources, &why));
		CHECK(why != NULL);
	}
}
