/* test_share.c - one client floods, another asks: who gets what of a core that is full. */
#include "resolve/share.h"

#include <stdio.h>
#include <stdlib.h>

#include "kit/kit.h"
#include "resolve/outside.h"
#include "wire/rrtype.h"

#define PREFIXES 500u

static struct share_place place_of(const struct share *share, const char *text)
{
	struct addr addr;

	CHECK(addr_parse(text, 53, &addr));
	return share_place_of(share, &addr);
}

static bool same(const struct share *share, const char *a, const char *b)
{
	struct share_place left = place_of(share, a), right = place_of(share, b);

	return left.columns[0] == right.columns[0] && left.columns[1] == right.columns[1];
}

TEST(clients_count_by_prefix)
{
	static struct share share;

	share_init(&share, (const uint8_t[SIPHASH_KEY_LEN]){1});
	CHECK(same(&share, "192.0.2.1", "192.0.2.255"));
	CHECK(!same(&share, "192.0.2.1", "192.0.3.1"));
	CHECK(same(&share, "[2001:db8:1:200::1]:1", "[2001:db8:1:2ff:ffff::]:2"));
	CHECK(!same(&share, "2001:db8:1:200::1", "2001:db8:1:300::1"));
	CHECK(same(&share, "::ffff:192.0.2.1", "192.0.2.7"));
}

/* The slow model counts each prefix on its own. */
TEST(a_count_is_never_too_small_and_seldom_too_large)
{
	static struct share share;
	static uint32_t model[PREFIXES];
	static struct share_place places[PREFIXES];
	uint32_t looks = 0, exact = 0;

	share_init(&share, (const uint8_t[SIPHASH_KEY_LEN]){2});
	for (uint32_t i = 0; i < PREFIXES; i++) {
		char text[ADDR_TEXT_MAX];
		snprintf(text, sizeof(text), "10.%u.%u.1", i / 250, i % 250);
		places[i] = place_of(&share, text);
	}
	for (uint32_t round = 0; round < 200000; round++) {
		uint32_t i = kit_random(PREFIXES);
		if (kit_random(2) == 0 && model[i] > 0) {
			model[i]--;
			share_give(&share, places[i]);
		} else if (model[i] < 100) {
			model[i]++;
			share_take(&share, places[i]);
		}
		uint32_t j = kit_random(PREFIXES);
		CHECK(share_held(&share, places[j]) >= model[j]);
		exact += share_held(&share, places[j]) == model[j];
		looks++;
	}
	CHECK(exact > looks - looks / 100);
}

static void post_many(struct outside *outside, const char *peer, const char *stem, uint32_t count,
	uint64_t client)
{
	const struct outside_how how = {.peer = peer};

	for (uint32_t i = 0; i < count; i++) {
		char name[64];
		snprintf(name, sizeof(name), "%s%u.example.", stem, i);
		outside_post(outside, name, RRTYPE_A, &how, client);
	}
}

TEST(who_floods_gets_half_and_others_are_resolved)
{
	static struct outside outside;

	outside_open(&outside,
		"known.example. 60 A 192.0.2.1\nold.example. 1 A 192.0.2.2\n"
		"alias.example. 60 CNAME known.example.\n",
		NULL, NULL);
	outside_ask(&outside, "known.example.", RRTYPE_A, NULL);
	outside_ask(&outside, "old.example.", RRTYPE_A, NULL);
	outside_ask(&outside, "alias.example.", RRTYPE_A, NULL);
	outside_pass(&outside, 2000);
	outside.is_silent = true;

	/* The flood from one prefix: half of the places, then an error at once. */
	uint32_t before = outside.answered;
	post_many(&outside, "203.0.113.1", "a", RESOLVE_QUERIES_MAX, 7);
	CHECK_U(outside.answered - before, RESOLVE_QUERIES_MAX / 2);
	CHECK_U(outside.last.rcode, RCODE_SERVFAIL);
	CHECK_U(outside.client, 7);
	CHECK_U(resolve_counters(outside.core)->refused, RESOLVE_QUERIES_MAX / 2);
	uint32_t asked = outside.asked;
	post_many(&outside, "203.0.113.255", "b", 100, 7);
	CHECK_U(outside.asked, asked);

	/* To the flooder the cache is open, stale where need be. */
	const struct outside_how flooder = {.peer = "203.0.113.1"};
	CHECK_S(outside_text(outside_ask(&outside, "known.example.", RRTYPE_A, &flooder),
			SECTION_ANSWER),
		"known.example. 58 A 192.0.2.1;");
	CHECK_S(outside_text(outside_ask(&outside, "alias.example.", RRTYPE_A, &flooder),
			SECTION_ANSWER),
		"alias.example. 58 CNAME known.example.;known.example. 58 A 192.0.2.1;");
	CHECK_S(outside_text(
			outside_ask(&outside, "old.example.", RRTYPE_A, &flooder), SECTION_ANSWER),
		"old.example. 30 A 192.0.2.2;");
	CHECK_U(resolve_counters(outside.core)->stale, 1);

	/* Another prefix is resolved meanwhile, and a third one, too. */
	const struct outside_how neighbour = {.peer = "198.51.100.9"};
	const struct outside_how third = {.peer = "2001:db8::1"};
	outside.is_silent = false;
	CHECK_U(outside_ask(&outside, "known.example.", RRTYPE_AAAA, &neighbour)->rcode,
		RCODE_NOERROR);
	CHECK_U(outside_ask(&outside, "x.example.", RRTYPE_A, &third)->rcode, RCODE_NXDOMAIN);

	/* All floods end in an answer: nothing is queued without end. */
	outside.is_silent = true;
	before = outside.answered;
	outside_pass(&outside, RESOLVE_TIME_MS + 1000);
	CHECK_U(outside.answered - before, RESOLVE_QUERIES_MAX / 2);
	outside.is_silent = false;
	CHECK_U(outside_ask(&outside, "y.example.", RRTYPE_A, &flooder)->rcode, RCODE_NXDOMAIN);
	outside_close(&outside);
}

/* Two thousand queries of each of count prefixes; how many of them wait. */
static uint32_t flood(struct outside *outside, uint32_t from, uint32_t count)
{
	uint32_t before = outside->answered;

	for (uint32_t i = from; i < from + count; i++) {
		char peer[ADDR_TEXT_MAX], stem[16];
		snprintf(peer, sizeof(peer), "10.0.%u.1", i);
		snprintf(stem, sizeof(stem), "p%u-", i);
		post_many(outside, peer, stem, 2000, i);
	}
	return 2000 * count - (outside->answered - before);
}

TEST(many_prefixes_fill_the_core_and_never_more)
{
	static struct outside outside;

	outside_open(&outside, "known.example. 60 A 192.0.2.1\n", NULL, NULL);
	outside_ask(&outside, "known.example.", RRTYPE_A, NULL);
	outside.is_silent = true;
	/* Seven that flood leave room: each takes half of what is free. */
	uint32_t waiting = flood(&outside, 0, 7);
	CHECK(waiting > RESOLVE_QUERIES_MAX - 100 && waiting < RESOLVE_QUERIES_MAX - 10);
	uint32_t before = outside.answered;
	post_many(&outside, "10.99.0.1", "late", 5, 1);
	CHECK_U(outside.answered, before);
	/* Forty do not: then the answer comes at once. */
	waiting += 5 + flood(&outside, 10, 30);
	CHECK_U(waiting, RESOLVE_QUERIES_MAX);
	post_many(&outside, "10.98.0.1", "later", 1, 2);
	CHECK_U(outside.client, 2);
	CHECK_U(outside.last.rcode, RCODE_SERVFAIL);
	outside_ask(&outside, "known.example.", RRTYPE_A, NULL);
	CHECK_U(outside.last.rcode, RCODE_NOERROR);
	outside_close(&outside);
}
