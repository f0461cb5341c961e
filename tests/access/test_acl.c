/* test_acl.c - prefixes from text, and who is below them: by hand, and bit by bit. */
#include "access/acl.h"

#include <string.h>

#include "kit/kit.h"

TEST(text_is_a_prefix_or_is_refused)
{
	static const struct {
		const char *text;
		bool good;
		uint8_t family, len;
	} cases[] = {{"192.0.2.0/24", true, ADDR_V4, 24}, {"192.0.2.1", true, ADDR_V4, 32},
		{"0.0.0.0/0", true, ADDR_V4, 0}, {"255.255.255.255/32", true, ADDR_V4, 32},
		{"2001:db8::/32", true, ADDR_V6, 32}, {"::1", true, ADDR_V6, 128},
		{"::/0", true, ADDR_V6, 0}, {"192.0.2.1/24", false, 0, 0},
		{"192.0.2.0/33", false, 0, 0}, {"192.0.2.0/", false, 0, 0},
		{"192.0.2.0/24 ", false, 0, 0}, {"192.0.2/24", false, 0, 0}, {"", false, 0, 0},
		{"/24", false, 0, 0}, {"::/129", false, 0, 0}, {"::1/127", false, 0, 0},
		{"::/0128", false, 0, 0}, {"::/-1", false, 0, 0}, {"[::1]:53", false, 0, 0},
		{"192.0.2.0/24/24", false, 0, 0}, {"192.0.2.0/+8", false, 0, 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct acl_prefix prefix = {.family = 99};
		KIT_NOTE(cases[i].text);
		CHECK_U(acl_prefix_parse(cases[i].text, &prefix), cases[i].good);
		CHECK_U(prefix.family, cases[i].good ? cases[i].family : 99);
		if (cases[i].good) {
			CHECK_U(prefix.len, cases[i].len);
		}
	}
}

static struct addr addr_of(const char *text)
{
	struct addr addr;

	CHECK(addr_parse(text, 53, &addr));
	return addr;
}

TEST(nobody_is_below_an_empty_list_and_families_do_not_mix)
{
	static struct acl acl;
	struct acl_prefix prefix;
	struct addr v4 = addr_of("10.0.0.1"), v6 = addr_of("::1"),
		    mapped = addr_of("::ffff:10.0.0.1");

	CHECK(!acl_allows(&acl, &v4));
	CHECK(!acl_allows(&acl, &v6));
	CHECK(acl_prefix_parse("::/0", &prefix) && acl_add(&acl, &prefix));
	CHECK(!acl_allows(&acl, &v4));
	CHECK(acl_allows(&acl, &v6));
	CHECK(acl_prefix_parse("10.0.0.0/8", &prefix) && acl_add(&acl, &prefix));
	CHECK(acl_allows(&acl, &v4));
	CHECK(acl_allows(&acl, &mapped));
	while (acl.count < ACL_PREFIXES_MAX) {
		CHECK(acl_add(&acl, &prefix));
	}
	CHECK(!acl_add(&acl, &prefix));
}

static bool bit_of(const uint8_t *octets, uint32_t bit)
{
	return (octets[bit / 8] >> (7 - bit % 8) & 1) != 0;
}

TEST(agrees_with_the_model_bit_by_bit)
{
	uint32_t allowed = 0;

	for (uint32_t round = 0; round < 200000; round++) {
		bool v4 = kit_random(2) == 0;
		uint32_t bits = v4 ? 32 : 128;
		struct acl acl = {.count = 1};
		struct acl_prefix *prefix = &acl.prefixes[0];
		struct addr addr = {.family = v4 ? ADDR_V4 : ADDR_V6, .port = 53};
		prefix->family = addr.family;
		prefix->len = (uint8_t)kit_random(bits + 1);
		addr.octets[0] = 0x20; /* no IPv4 in disguise */
		for (uint32_t bit = 8; bit < bits; bit++) {
			addr.octets[bit / 8] |= (uint8_t)(kit_random(2) << (7 - bit % 8));
		}
		for (uint32_t bit = 0; bit < prefix->len; bit++) {
			bool same = kit_random(60) != 0;
			bool one = bit_of(addr.octets, bit) == same;
			prefix->octets[bit / 8] |= (uint8_t)(one << (7 - bit % 8));
		}
		bool want = true;
		for (uint32_t bit = 0; bit < prefix->len; bit++) {
			want &= bit_of(prefix->octets, bit) == bit_of(addr.octets, bit);
		}
		CHECK_U(acl_allows(&acl, &addr), want);
		allowed += want;
	}
	CHECK(allowed > 20000 && allowed < 180000);
}
