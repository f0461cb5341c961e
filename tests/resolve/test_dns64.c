/* test_dns64.c - addresses in addresses, and what clients of a DNS64 are told. */
#include "resolve/dns64.h"

#include <stdio.h>
#include <string.h>

#include "kit/kit.h"
#include "resolve/outside.h"
#include "resolve/search.h"
#include "wire/rrtype.h"

static struct dns64 prefix_of(const char *text, uint8_t len)
{
	struct dns64 dns64 = {.len = len};

	CHECK(addr_parse_v6(text, (uint32_t)strlen(text), dns64.octets));
	CHECK(dns64_is_prefix(dns64.octets, len));
	return dns64;
}

TEST(the_examples_of_rfc_6052)
{
	static const struct {
		const char *prefix;
		uint8_t len;
		const char *want;
	} cases[] = {
		{"2001:db8::", 32, "2001:db8:c000:221::"},
		{"2001:db8:100::", 40, "2001:db8:1c0:2:21::"},
		{"2001:db8:122::", 48, "2001:db8:122:c000:2:2100::"},
		{"2001:db8:122:300::", 56, "2001:db8:122:3c0:0:221::"},
		{"2001:db8:122:344::", 64, "2001:db8:122:344:c0:2:2100:0"},
		{"2001:db8:122:344::", 96, "2001:db8:122:344::c000:221"},
	};
	static const uint8_t v4[4] = {192, 0, 2, 33};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct dns64 dns64 = prefix_of(cases[i].prefix, cases[i].len);
		uint8_t out[16];
		char text[ADDR_TEXT_MAX];

		dns64_embed(&dns64, v4, out);
		text[addr_v6_to_text(out, text)] = '\0';
		CHECK_S(text, cases[i].want);
	}
}

TEST(only_some_lengths_are_prefixes)
{
	static const uint8_t none[16], u_set[16] = {[8] = 1};

	for (uint32_t len = 0; len <= 128; len++) {
		bool known =
			len == 32 || len == 40 || len == 48 || len == 56 || len == 64 || len == 96;
		CHECK(dns64_is_prefix(none, len) == known);
	}
	CHECK(!dns64_is_prefix(u_set, 96));
}

static const char records[] = "four.example. 300 A 192.0.2.33\n"
			      "four.example. 300 A 198.51.100.7\n"
			      "both.example. 300 A 192.0.2.34\n"
			      "both.example. 300 AAAA 2001:db8::34\n"
			      "mapped.example. 300 A 192.0.2.35\n"
			      "mapped.example. 300 AAAA ::ffff:192.0.2.35\n"
			      "inside.example. 300 A 10.1.2.3\n"
			      "alias.example. 300 CNAME four.example.\n"
			      "text.example. 300 TXT x\n"
			      "33.2.0.192.in-addr.arpa. 300 PTR four.example.\n";

static void open_nat(struct outside *outside, const char *prefix, uint8_t len)
{
	struct resolve_config config = RESOLVE_CONFIG_DEFAULT;

	config.validate = false;
	config.dns64 = prefix_of(prefix, len);
	outside_open(outside, records, &config, NULL);
}

static const char *answers(
	struct outside *outside, const char *name, uint16_t type, const struct outside_how *how)
{
	return outside_text(outside_ask(outside, name, type, how), SECTION_ANSWER);
}

TEST(names_without_aaaa_get_them_from_a)
{
	static struct outside outside;

	open_nat(&outside, "64:ff9b::", 96);
	for (int round = 0; round < 2; round++) { /* the second time out of the cache */
		CHECK_S(answers(&outside, "four.example.", RRTYPE_AAAA, NULL),
			"four.example. 300 AAAA 64:ff9b::c000:221;"
			"four.example. 300 AAAA 64:ff9b::c633:6407;");
		CHECK_S(answers(&outside, "alias.example.", RRTYPE_AAAA, NULL),
			"alias.example. 300 CNAME four.example.;"
			"four.example. 300 AAAA 64:ff9b::c000:221;"
			"four.example. 300 AAAA 64:ff9b::c633:6407;");
		CHECK_S(answers(&outside, "both.example.", RRTYPE_AAAA, NULL),
			"both.example. 300 AAAA 2001:db8::34;");
		CHECK_S(answers(&outside, "mapped.example.", RRTYPE_AAAA, NULL),
			"mapped.example. 300 AAAA 64:ff9b::c000:223;");
		CHECK_S(answers(&outside, "four.example.", RRTYPE_A, NULL),
			"four.example. 300 A 192.0.2.33;four.example. 300 A 198.51.100.7;");
		/* The well-known prefix stands for no private address (RFC 6052 sec 3.1). */
		CHECK_S(answers(&outside, "inside.example.", RRTYPE_AAAA, NULL), "");
		CHECK_S(answers(&outside, "text.example.", RRTYPE_AAAA, NULL), "");
		CHECK_U(outside.last.rcode, RCODE_NOERROR);
		CHECK_S(answers(&outside, "nothing.example.", RRTYPE_AAAA, NULL), "");
		CHECK_U(outside.last.rcode, RCODE_NXDOMAIN);
	}
	outside_close(&outside);
}

TEST(a_prefix_of_the_sites_own_may_stand_for_private_addresses)
{
	static struct outside outside;

	open_nat(&outside, "2001:db8:1::", 48);
	CHECK_S(answers(&outside, "inside.example.", RRTYPE_AAAA, NULL),
		"inside.example. 300 AAAA 2001:db8:1:a01:2:300::;");
	outside_close(&outside);
}

/* RFC 6147 sec 3: only who sets both wants the truth. */
TEST(who_validates_itself_gets_the_truth)
{
	static const struct outside_how both = {.flags = WIRE_FLAG_CD, .dnssec_ok = true};
	static const struct outside_how only_do = {.dnssec_ok = true};
	static const struct outside_how only_cd = {.flags = WIRE_FLAG_CD};
	static struct outside outside;

	open_nat(&outside, "64:ff9b::", 96);
	for (int round = 0; round < 3; round++) {
		CHECK_S(answers(&outside, "inside.example.", RRTYPE_AAAA, &both), "");
		CHECK_S(answers(&outside, "mapped.example.", RRTYPE_AAAA, &both),
			"mapped.example. 300 AAAA ::ffff:c000:223;");
		CHECK_S(answers(&outside, "mapped.example.", RRTYPE_AAAA, &only_do),
			"mapped.example. 300 AAAA 64:ff9b::c000:223;");
		CHECK_S(answers(&outside, "mapped.example.", RRTYPE_AAAA, &only_cd),
			"mapped.example. 300 AAAA 64:ff9b::c000:223;");
	}
	outside_close(&outside);
}

TEST(the_reverse_zone_is_an_alias_of_that_of_ipv4)
{
	static const char reverse[] =
		"1.2.2.0.0.0.0.C.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.B.9.F.F.4.6.0.0.ip6.arpa.";
	static const char other[] =
		"1.2.2.0.0.0.0.c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.b.9.f.f.4.6.0.1.ip6.arpa.";
	static struct outside outside;
	char want[512];

	open_nat(&outside, "64:ff9b::", 96);
	snprintf(want, sizeof(want),
		"%s 600 CNAME 33.2.0.192.in-addr.arpa.;33.2.0.192.in-addr.arpa. 300 PTR "
		"four.example.;",
		reverse);
	CHECK_S(answers(&outside, reverse, RRTYPE_PTR, NULL), want);
	CHECK_S(answers(&outside, other, RRTYPE_PTR, NULL), "");
	CHECK_U(outside.last.rcode, RCODE_NXDOMAIN);
	CHECK_S(answers(&outside, reverse, RRTYPE_TXT, NULL), "");
	/* Part of an address, and one too long. */
	CHECK_S(answers(&outside, "0.0.0.c.0.0.0.0.b.9.f.f.4.6.0.0.ip6.arpa.", RRTYPE_PTR, NULL),
		"");
	snprintf(want, sizeof(want), "1.%s", other);
	CHECK_S(answers(&outside, want, RRTYPE_PTR, NULL), "");
	outside_close(&outside);
}

TEST(servers_that_fail_for_aaaa_do_not_hide_a)
{
	static struct outside outside;

	open_nat(&outside, "64:ff9b::", 96);
	CHECK_S(answers(&outside, "four.example.", RRTYPE_A, NULL),
		"four.example. 300 A 192.0.2.33;four.example. 300 A 198.51.100.7;");
	outside.is_failing = true;
	outside_post(&outside, "four.example.", RRTYPE_AAAA, NULL, 5);
	outside_pass(&outside, RESOLVE_TIME_MS);
	CHECK_U(outside.client, 5);
	CHECK_U(outside.last.rcode, RCODE_NOERROR);
	CHECK(strstr(outside_text(&outside.last, SECTION_ANSWER), "64:ff9b::c000:221") != NULL);
	outside_close(&outside);
}

static bool leads_back(
	const struct dns64 *dns64, const struct name *name, struct arena *arena, char *text)
{
	struct search_result result;

	if (!dns64_reverse(dns64, name, arena, &result)) {
		return false;
	}
	CHECK(rrset_is(result.sets[0], name, RRTYPE_CNAME));
	name_octets_to_text(rrset_first(result.sets[0]).octets, text);
	return true;
}

/* Any name and any address: what is embedded comes out again, and nothing is read past. */
TEST(reverse_names_of_all_lengths_lead_back)
{
	static const uint8_t lens[] = {32, 40, 48, 56, 64, 96};
	struct arena arena;
	uint32_t taken = 0, left = 0;

	arena_init(&arena, 0);
	for (uint32_t round = 0; round < 20000; round++) {
		struct dns64 dns64 = {.len = lens[kit_random(6)]};
		uint8_t address[16], v4[4];
		char text[NAME_TEXT_MAX], want[NAME_TEXT_MAX], got[NAME_TEXT_MAX];
		const struct name root = {.len = 1};
		struct name name;

		for (uint32_t i = 0; i < dns64.len / 8u; i++) {
			dns64.octets[i] = i == 8 ? 0 : (uint8_t)kit_random(256);
		}
		for (uint32_t i = 0; i < 4; i++) {
			v4[i] = (uint8_t)kit_random(256);
		}
		dns64_embed(&dns64, v4, address);
		bool spoil = kit_random(2) == 0;
		uint32_t spoilt = kit_random(dns64.len);
		address[spoilt / 8] ^= (uint8_t)(spoil ? 1u << spoilt % 8 : 0);
		size_t len = 0;
		for (uint32_t i = 32; i-- > 0;) {
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%x.",
				address[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15);
		}
		snprintf(text + len, sizeof(text) - len, "ip6.arpa.");
		CHECK_U(name_from_text(text, (uint32_t)strlen(text), &root, &name), WIRE_OK);
		bool found = leads_back(&dns64, &name, &arena, got);
		CHECK(found == !spoil);
		if (found) {
			snprintf(want, sizeof(want), "%u.%u.%u.%u.in-addr.arpa.", v4[3], v4[2],
				v4[1], v4[0]);
			CHECK_S(got, want);
		}
		taken += found;
		left += !found;
		arena_reset(&arena);
	}
	CHECK(taken > 5000 && left > 5000);
	arena_fini(&arena);
}
