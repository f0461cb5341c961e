/* test_places.c - one client floods, another asks: who gets what of a core that is full. */
#include "resolve/places.h"

#include <stdio.h>

#include "kit/kit.h"
#include "resolve/core.h"
#include "resolve/outside.h"
#include "resolve/query.h"
#include "wire/rrtype.h"

#define MOST     64u
#define PREFIXES 10u
#define FLOODERS 8u

/* The slow model: who holds what; nobody is lost, and whoever gives way was richer by two. */
TEST(places_are_kept_by_who_took_them)
{
	static const uint8_t key[SIPHASH_KEY_LEN] = {1};
	static struct place held[MOST];
	static bool is_held[MOST];
	static uint32_t prefix_of[MOST];
	uint32_t counts[PREFIXES] = {0};
	uint32_t count = 0, displaced = 0, spared = 0;
	struct random random;
	struct places *places = places_new(MOST, key);

	CHECK(places != NULL);
	random_init(&random, 3);
	for (uint32_t round = 0; round < 100000; round++) {
		uint32_t i = kit_random(MOST);
		if (is_held[i] && kit_random(8) == 0) {
			places_give(places, &held[i]);
			is_held[i] = false;
			counts[prefix_of[i]]--;
			count--;
		} else if (!is_held[i]) {
			uint32_t prefix = kit_random(PREFIXES) * kit_random(PREFIXES) / PREFIXES;
			struct addr addr = {
				.family = ADDR_V4, .octets = {10, 0, (uint8_t)prefix, 1}};
			held[i] = places_of(places, &addr);
			prefix_of[i] = prefix;
			CHECK(places_take(places, &held[i]));
			is_held[i] = true;
			counts[prefix]++;
			count++;
		}
		CHECK_U(places_held(places), count);
		CHECK(places_are_full(places) == (count == MOST));
		uint32_t comer = kit_random(PREFIXES);
		struct addr addr = {.family = ADDR_V4, .octets = {10, 0, (uint8_t)comer, 9}};
		struct place place = places_of(places, &addr);
		const struct place *richer = places_richer(places, &place, &random);
		CHECK(count < MOST || !places_take(places, &place));
		spared += richer == NULL;
		if (richer != NULL) {
			uint32_t at = (uint32_t)(richer - held);
			CHECK(at < MOST && is_held[at]);
			CHECK(counts[prefix_of[at]] >= counts[comer] + 2);
			displaced++;
		}
	}
	CHECK(displaced > 1000 && spared > 1000);
	places_free(places);
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

TEST(who_floods_gives_way_to_others)
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

	/* The flood from one prefix: all places, then an error at once. */
	uint32_t before = outside.answered;
	post_many(&outside, "203.0.113.1", "a", RESOLVE_QUERIES_MAX + 10, 7);
	CHECK_U(outside.answered - before, 10);
	CHECK_U(outside.last.rcode, RCODE_SERVFAIL);
	CHECK_U(outside.client, 7);
	CHECK_U(resolve_counters(outside.core)->refused, 10);
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

	/* Another prefix waits in places of the flood's, whose clients are told so. */
	uint32_t failures = (uint32_t)resolve_counters(outside.core)->refused;
	before = outside.answered;
	post_many(&outside, "198.51.100.77", "c", 5, 8);
	CHECK_U(outside.answered - before, 5);
	CHECK_U(outside.client, 7);
	CHECK_U(outside.last.rcode, RCODE_SERVFAIL);
	CHECK_U(resolve_counters(outside.core)->refused - failures, 5);

	/* Others are resolved meanwhile. */
	const struct outside_how neighbour = {.peer = "198.51.100.9"};
	const struct outside_how third = {.peer = "2001:db8::1"};
	outside.is_silent = false;
	before = outside.answered;
	outside_post(&outside, "known.example.", RRTYPE_AAAA, &neighbour, 9);
	CHECK_U(outside.answered - before, 2);
	CHECK_U(outside.client, 9);
	CHECK_U(outside.last.rcode, RCODE_NOERROR);
	outside_post(&outside, "x.example.", RRTYPE_A, &third, 10);
	CHECK_U(outside.client, 10);
	CHECK_U(outside.last.rcode, RCODE_NXDOMAIN);

	/* All floods end in an answer: nothing is queued without end. */
	outside.is_silent = true;
	before = outside.answered;
	outside_pass(&outside, RESOLVE_TIME_MS + 1000);
	CHECK(outside.answered - before >= RESOLVE_QUERIES_MAX - 2);
	outside.is_silent = false;
	CHECK_U(outside_ask(&outside, "y.example.", RRTYPE_A, &flooder)->rcode, RCODE_NXDOMAIN);
	outside_close(&outside);
}

/* Who waits, by prefix: each question makes one more wait, and one fewer where somebody is answered for it. */
static uint32_t waiting[FLOODERS];

static void flood(struct outside *outside, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t who = kit_random(FLOODERS);
		uint32_t before = outside->answered;
		char peer[ADDR_TEXT_MAX], name[32];
		snprintf(peer, sizeof(peer), "10.0.%u.1", who);
		snprintf(name, sizeof(name), "n%u.example.", i);
		const struct outside_how how = {.peer = peer};
		outside_post(outside, name, RRTYPE_A, &how, who);
		waiting[who]++;
		CHECK(outside->answered <= before + 1);
		if (outside->answered > before) {
			CHECK(outside->client < FLOODERS && waiting[outside->client] > 0);
			waiting[outside->client]--;
		}
	}
}

TEST(floods_of_many_prefixes_come_to_equal_shares)
{
	static struct outside outside;
	uint32_t all = 0;

	outside_open(&outside, "known.example. 60 A 192.0.2.1\n", NULL, NULL);
	outside_ask(&outside, "known.example.", RRTYPE_A, NULL);
	outside.is_silent = true;
	post_many(&outside, "10.0.0.1", "first", RESOLVE_QUERIES_MAX, 0);
	waiting[0] = RESOLVE_QUERIES_MAX;
	flood(&outside, 4 * RESOLVE_QUERIES_MAX);
	for (uint32_t i = 0; i < FLOODERS; i++) {
		CHECK(waiting[i] > RESOLVE_QUERIES_MAX / FLOODERS - 32);
		CHECK(waiting[i] < RESOLVE_QUERIES_MAX / FLOODERS + 32);
		all += waiting[i];
	}
	CHECK_U(all, RESOLVE_QUERIES_MAX);
	/* Who comes now waits, too; and what is known is told. */
	uint32_t before = outside.answered;
	post_many(&outside, "10.99.0.1", "late", 5, FLOODERS);
	CHECK_U(outside.answered - before, 5);
	CHECK(outside.client < FLOODERS);
	CHECK_U(outside.last.rcode, RCODE_SERVFAIL);
	outside_ask(&outside, "known.example.", RRTYPE_A, NULL);
	CHECK_U(outside.last.rcode, RCODE_NOERROR);
	/* Nothing is queued without end. */
	before = outside.answered;
	outside_pass(&outside, RESOLVE_TIME_MS + 1000);
	CHECK_U(outside.answered - before, RESOLVE_QUERIES_MAX);
	outside_close(&outside);
}

/* What goes on after its clients were told what had expired takes memory, too. */
TEST(few_look_ups_go_on_that_nobody_waits_for)
{
	static struct outside outside;
	struct resolve_config config = RESOLVE_CONFIG_DEFAULT;
	uint32_t before;

	config.validate = false;
	config.queries_max = 16;
	outside_open(&outside, "", &config, NULL);
	for (uint32_t i = 0; i < 12; i++) {
		char name[32];
		snprintf(name, sizeof(name), "s%u.example.", i);
		outside_add(&outside, name, RRTYPE_A, 1, (const uint8_t[4]){192, 0, 2, 1}, 4);
		outside_ask(&outside, name, RRTYPE_A, NULL);
	}
	outside_pass(&outside, 5000);
	outside.is_silent = true;
	before = outside.answered;
	post_many(&outside, "10.99.0.1", "s", 12, 1);
	CHECK_U(outside.answered, before);
	CHECK_U(outside.core->unattended_count, 0);
	outside_pass(&outside, QUERY_STALE_AFTER_MS + 100);
	CHECK_U(outside.answered - before, 12);
	CHECK_U(outside.last.rcode, RCODE_NOERROR);
	CHECK_U(places_held(outside.core->places), 0);
	CHECK_U(outside.core->unattended_count, 16 / 4);
	outside_pass(&outside, RESOLVE_TIME_MS);
	CHECK_U(outside.core->unattended_count, 0);
	CHECK_U(outside.core->jobs.count, 0);
	outside_close(&outside);
}
