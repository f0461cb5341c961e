/* test_share.c - counts by prefix. */
#include "resolve/share.h"

#include <stdio.h>

#include "kit/kit.h"

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
