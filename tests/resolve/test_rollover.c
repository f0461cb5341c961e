/* test_rollover.c - keys come, wait, count, go missing, are revoked: RFC 5011 sec 4, state by state and at random. */
#include "resolve/rollover.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "base/octets.h"
#include "kit/kit.h"
#include "resolve/anchors.h"
#include "wire/rrtype.h"

#define DAY_S    86400
#define START_S  1700000000
#define KEY_LEN  36u
#define KEYS_MAX 20u
#define REVOKE   0x80u
#define SIG_LEN  20u
#define SIGHTS   120u

/* A zone with numbered keys, as it would be seen. */
struct zone {
	struct arena arena;
	struct name name;
	struct anchors *configured;
	struct rollover *rollover;
	uint64_t self_signed;
	bool insecure;
	uint32_t sig_ttl, sig_expiration; /* 0: no signature stands there */
	int64_t now_s;
};

static void fill_key(uint32_t key, uint8_t flags, uint8_t out[KEY_LEN])
{
	memset(out, (int)(key * 7 + 1), KEY_LEN);
	out[0] = 1;
	out[1] = flags;
	out[2] = 3;
	out[3] = 15;
}

static void note(void *context, const struct diag *diag)
{
	char *text = context;

	snprintf(text, DIAG_TEXT_MAX, "%u: %s", diag->line, diag->text);
}

static void open_zone(struct zone *zone, uint32_t configured_key)
{
	const struct name root = {.len = 1};
	uint8_t octets[KEY_LEN];
	const struct rrset_rdata rdata = {.octets = octets, .len = KEY_LEN};

	*zone = (struct zone){.now_s = START_S};
	arena_init(&zone->arena, 0);
	CHECK_U(name_from_text("example.", 8, &root, &zone->name), WIRE_OK);
	zone->configured = anchors_new();
	zone->rollover = rollover_new();
	CHECK(zone->configured != NULL && zone->rollover != NULL);
	fill_key(configured_key, 1, octets);
	CHECK_U(anchors_add_key(zone->configured, &zone->name, &rdata), STATUS_OK);
}

static void close_zone(struct zone *zone)
{
	rollover_free(zone->rollover);
	anchors_free(zone->configured);
	arena_fini(&zone->arena);
}

/* Sees the keys of a bit map, those of revoked with REVOKE; says whether something changed. */
static bool see(struct zone *zone, uint32_t present, uint32_t revoked)
{
	uint8_t octets[KEYS_MAX][KEY_LEN];
	struct rrset_rdata records[KEYS_MAX];
	uint8_t sig[SIG_LEN] = {0, RRTYPE_DNSKEY, 15, 1};
	const struct rrset_rdata sigs = {.octets = sig, .len = SIG_LEN};
	uint64_t self_signed = 0;
	uint32_t count = 0;

	for (uint32_t key = 0; key < KEYS_MAX; key++) {
		if ((present >> key & 1) == 0) {
			continue;
		}
		bool is_revoked = (revoked >> key & 1) != 0;
		fill_key(key, (uint8_t)(1 | (is_revoked ? REVOKE : 0)), octets[count]);
		records[count] = (struct rrset_rdata){.octets = octets[count], .len = KEY_LEN};
		self_signed |= (zone->self_signed >> key & 1) << count;
		count++;
	}
	octets_put_u32(sig + 4, zone->sig_ttl);
	octets_put_u32(sig + 8, zone->sig_expiration);
	const struct rollover_sight sight = {
		.keys = rrset_make(&zone->arena, &zone->name, RRTYPE_DNSKEY, 3600, records, count,
			&sigs, zone->sig_ttl != 0),
		.is_secure = !zone->insecure,
		.self_signed = self_signed,
		.wall_s = zone->now_s};
	CHECK(sight.keys != NULL);
	return rollover_see(zone->rollover, &sight, zone->configured);
}

static const char *state_of(const struct zone *zone, uint32_t key)
{
	uint8_t octets[KEY_LEN];
	const struct rrset_rdata rdata = {.octets = octets, .len = KEY_LEN};
	enum rollover_state state;

	fill_key(key, 1, octets);
	return rollover_state(zone->rollover, &zone->name, &rdata, &state)
		       ? rollover_state_text(state)
		       : "none";
}

/* Is the key one that counts, when the state is put over the configuration? */
static bool counts(const struct zone *zone, uint32_t key)
{
	struct anchors *anchors = anchors_new();
	uint8_t octets[KEY_LEN];
	const struct rrset_rdata rdata = {.octets = octets, .len = KEY_LEN};

	CHECK(anchors != NULL);
	fill_key(0, 1, octets);
	CHECK_U(anchors_add_key(anchors, &zone->name, &rdata), STATUS_OK);
	CHECK_U(rollover_apply(zone->rollover, anchors), STATUS_OK);
	fill_key(key, 1, octets);
	bool result = anchors_name_key(anchors, &zone->name, &rdata);
	CHECK(result || anchors_find(anchors, &zone->name) == NULL ||
		anchors_of(anchors, &zone->name) != NULL);
	anchors_free(anchors);
	return result;
}

TEST(what_is_configured_counts_at_once_and_a_new_key_after_thirty_days)
{
	struct zone zone;

	open_zone(&zone, 0);
	CHECK(counts(&zone, 0));
	CHECK(see(&zone, 1, 0));
	CHECK_S(state_of(&zone, 0), "valid");
	CHECK(!see(&zone, 1, 0));
	CHECK(see(&zone, 3, 0));
	CHECK_S(state_of(&zone, 1), "add-pending");
	CHECK(!counts(&zone, 1));
	zone.now_s += 30 * DAY_S - 1;
	CHECK(!see(&zone, 3, 0));
	CHECK_S(state_of(&zone, 1), "add-pending");
	zone.now_s += 1;
	CHECK(see(&zone, 3, 0));
	CHECK_S(state_of(&zone, 1), "valid");
	CHECK(counts(&zone, 0) && counts(&zone, 1));
	close_zone(&zone);
}

TEST(a_pending_key_that_is_not_there_once_begins_anew)
{
	struct zone zone;

	open_zone(&zone, 0);
	CHECK(see(&zone, 3, 0));
	zone.now_s += 29 * DAY_S;
	CHECK(see(&zone, 1, 0));
	CHECK_S(state_of(&zone, 1), "none");
	zone.now_s += 2 * DAY_S;
	CHECK(see(&zone, 3, 0));
	CHECK_S(state_of(&zone, 1), "add-pending");
	zone.now_s += 29 * DAY_S;
	CHECK(!see(&zone, 3, 0));
	CHECK(!counts(&zone, 1));
	close_zone(&zone);
}

TEST(a_long_ttl_makes_the_hold_down_longer)
{
	struct zone zone;

	open_zone(&zone, 0);
	CHECK(see(&zone, 1, 0));
	zone.sig_ttl = 40 * DAY_S;
	CHECK(see(&zone, 3, 0));
	zone.now_s += 40 * DAY_S - 1;
	CHECK(!see(&zone, 3, 0));
	zone.now_s += 1;
	CHECK(see(&zone, 3, 0));
	CHECK_S(state_of(&zone, 1), "valid");
	close_zone(&zone);
}

TEST(a_missing_key_counts_and_comes_back)
{
	struct zone zone;

	open_zone(&zone, 0);
	CHECK(see(&zone, 1, 0));
	CHECK(see(&zone, 2, 0));
	CHECK_S(state_of(&zone, 0), "missing");
	CHECK(counts(&zone, 0));
	zone.now_s += 365 * DAY_S;
	CHECK(see(&zone, 1, 0));
	CHECK_S(state_of(&zone, 0), "valid");
	close_zone(&zone);
}

TEST(a_revoked_key_never_counts_again)
{
	struct zone zone;

	open_zone(&zone, 0);
	CHECK(see(&zone, 3, 0));
	zone.now_s += 30 * DAY_S;
	CHECK(see(&zone, 3, 0));
	/* The bit alone proves nothing: anybody with another key could set it. */
	CHECK(see(&zone, 3, 1));
	CHECK_S(state_of(&zone, 0), "missing");
	zone.self_signed = 1;
	CHECK(see(&zone, 3, 1));
	CHECK_S(state_of(&zone, 0), "revoked");
	CHECK(!counts(&zone, 0) && counts(&zone, 1));
	/* Not even without the bit. */
	CHECK(!see(&zone, 3, 0));
	CHECK_S(state_of(&zone, 0), "revoked");
	zone.now_s += 30 * DAY_S - 1;
	CHECK(!see(&zone, 2, 0));
	CHECK_S(state_of(&zone, 0), "revoked");
	zone.now_s += 1;
	CHECK(see(&zone, 2, 0));
	CHECK_S(state_of(&zone, 0), "removed");
	CHECK(!see(&zone, 3, 0));
	CHECK(!see(&zone, 3, 1));
	CHECK_S(state_of(&zone, 0), "removed");
	CHECK(!counts(&zone, 0) && counts(&zone, 1));
	close_zone(&zone);
}

TEST(when_all_keys_are_revoked_the_zone_has_no_anchor)
{
	struct zone zone;

	open_zone(&zone, 0);
	zone.self_signed = 1;
	zone.insecure = true; /* revoked at the very first sight, by nobody but itself */
	CHECK(see(&zone, 1, 1));
	CHECK_S(state_of(&zone, 0), "revoked");
	CHECK_U(rollover_apply(zone.rollover, zone.configured), STATUS_OK);
	CHECK(anchors_find(zone.configured, &zone.name) == NULL);
	CHECK(anchors_of(zone.configured, &zone.name) == NULL);
	CHECK(anchors_zone(zone.configured, 0) != NULL && anchors_zone(zone.configured, 1) == NULL);
	close_zone(&zone);
}

TEST(a_set_that_is_not_secure_adds_nothing_and_misses_nothing)
{
	struct zone zone;

	open_zone(&zone, 0);
	CHECK(see(&zone, 1, 0));
	zone.insecure = true;
	CHECK(!see(&zone, 6, 0));
	CHECK_S(state_of(&zone, 0), "valid");
	CHECK_S(state_of(&zone, 1), "none");
	CHECK(!see(&zone, 7, 1));
	CHECK_S(state_of(&zone, 0), "valid");
	close_zone(&zone);
}

TEST(a_pending_key_that_is_revoked_is_forgotten)
{
	struct zone zone;

	open_zone(&zone, 0);
	CHECK(see(&zone, 3, 0));
	zone.self_signed = 2;
	CHECK(see(&zone, 3, 2));
	CHECK_S(state_of(&zone, 1), "none");
	CHECK(!see(&zone, 3, 2));
	CHECK_S(state_of(&zone, 1), "none");
	close_zone(&zone);
}

TEST(keys_that_are_no_secure_entry_points_are_not_followed)
{
	struct zone zone;
	uint8_t octets[KEY_LEN];
	struct rrset_rdata rdata = {.octets = octets, .len = KEY_LEN};

	open_zone(&zone, 0);
	fill_key(1, 0, octets);
	struct rollover_sight sight = {.is_secure = true, .wall_s = START_S};
	sight.keys = rrset_make(&zone.arena, &zone.name, RRTYPE_DNSKEY, 60, &rdata, 1, NULL, 0);
	CHECK(!rollover_see(zone.rollover, &sight, zone.configured));
	rdata.len = 4; /* flags, protocol, algorithm and no key */
	fill_key(1, 1, octets);
	sight.keys = rrset_make(&zone.arena, &zone.name, RRTYPE_DNSKEY, 60, &rdata, 1, NULL, 0);
	CHECK(!rollover_see(zone.rollover, &sight, zone.configured));
	close_zone(&zone);
}

TEST(a_flood_of_keys_is_not_followed)
{
	struct zone zone;
	uint32_t known = 0;

	open_zone(&zone, 0);
	CHECK(see(&zone, 1, 0));
	CHECK(see(&zone, (1u << KEYS_MAX) - 1, 0));
	for (uint32_t key = 0; key < KEYS_MAX; key++) {
		known += strcmp(state_of(&zone, key), "none") != 0;
	}
	CHECK_U(known, ROLLOVER_KEYS_A_ZONE);
	CHECK_S(state_of(&zone, 0), "valid");
	close_zone(&zone);
}

TEST(waits_are_those_of_rfc_5011_sec_2_3)
{
	static const struct {
		uint32_t ttl, left_s;
		bool is_secure;
		uint32_t want_s;
	} cases[] = {
		{172800, 10 * DAY_S, true, 86400},          /* half of the TTL */
		{172800, DAY_S, true, 43200},               /* half of the signature's life */
		{90 * DAY_S, 90 * DAY_S, true, 15 * DAY_S}, /* 15 days at most */
		{60, 10 * DAY_S, true, 3600},               /* an hour at least */
		{172800, 0, true, 3600},
		{172800, 10 * DAY_S, false, 17280}, /* a tenth */
		{90 * DAY_S, 90 * DAY_S, false, DAY_S},
		{60, 60, false, 3600},
	};
	struct arena arena;
	const struct name name = {.len = 1};
	uint8_t octets[KEY_LEN], sig[SIG_LEN] = {0, RRTYPE_DNSKEY, 15, 0};
	const struct rrset_rdata rdata = {.octets = octets, .len = KEY_LEN};
	const struct rrset_rdata sig_rdata = {.octets = sig, .len = SIG_LEN};

	arena_init(&arena, 0);
	fill_key(0, 1, octets);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		octets_put_u32(sig + 4, cases[i].ttl);
		octets_put_u32(sig + 8, START_S + cases[i].left_s);
		const struct rrset *keys =
			rrset_make(&arena, &name, RRTYPE_DNSKEY, 60, &rdata, 1, &sig_rdata, 1);
		CHECK_U(rollover_wait_s(keys, cases[i].is_secure, START_S), cases[i].want_s);
	}
	CHECK_U(rollover_wait_s(NULL, false, START_S), 3600);
	arena_fini(&arena);
}

/* What was seen of a key, all of it, and what follows: the model looks through the whole history each time. */
struct history {
	uint32_t count;
	int64_t at_s[SIGHTS];
	bool secure[SIGHTS], present[SIGHTS], revoked[SIGHTS];
};

static const char *model_state(const struct history *history, bool configured)
{
	int64_t run_start = -1, valid_from = -1, revoked_at = -1, gone_at = -1;
	bool present = false;

	for (uint32_t i = 0; i < history->count; i++) {
		if (revoked_at < 0 && history->revoked[i]) {
			if (valid_from >= 0 || configured) {
				revoked_at = history->at_s[i];
			}
			run_start = -1;
			continue;
		}
		if (!history->secure[i]) {
			continue;
		}
		bool here = history->present[i] && !history->revoked[i];
		present = here;
		run_start = !here ? -1 : run_start < 0 ? history->at_s[i] : run_start;
		if (valid_from < 0 && here &&
			(configured || history->at_s[i] - run_start >= 30 * DAY_S)) {
			valid_from = history->at_s[i];
		}
		if (revoked_at >= 0 && gone_at < 0 && !history->present[i] &&
			history->at_s[i] - revoked_at >= 30 * DAY_S) {
			gone_at = history->at_s[i];
		}
	}
	if (revoked_at >= 0) {
		return gone_at >= 0 ? "removed" : "revoked";
	}
	if (valid_from >= 0) {
		return present ? "valid" : "missing";
	}
	return run_start >= 0 ? "add-pending" : "none";
}

TEST(agrees_with_the_model_on_random_lives)
{
	static struct history histories[4];
	uint32_t reached[6] = {0};

	for (uint32_t round = 0; round < 300; round++) {
		struct zone zone;
		uint32_t present = kit_random(16), revoked = 0;

		open_zone(&zone, 0);
		memset(histories, 0, sizeof(histories));
		for (uint32_t i = 0; i < SIGHTS; i++) {
			zone.now_s += kit_random(4 * DAY_S);
			present ^= kit_random(12) == 0 ? 1u << kit_random(4) : 0;
			revoked ^= kit_random(40) == 0 ? 1u << kit_random(4) : 0;
			zone.self_signed = revoked;
			zone.insecure = kit_random(8) == 0;
			uint32_t seen = present | 0x10; /* a set is never empty */
			see(&zone, seen, revoked);
			for (uint32_t key = 0; key < 4; key++) {
				struct history *history = &histories[key];
				history->at_s[i] = zone.now_s;
				history->secure[i] = !zone.insecure;
				history->present[i] = (seen >> key & 1) != 0;
				history->revoked[i] = (seen & revoked) >> key & 1;
				history->count++;
				const char *want = model_state(history, key == 0);
				CHECK_S(state_of(&zone, key), want);
				static const char *const all[] = {"none", "add-pending", "valid",
					"missing", "revoked", "removed"};
				for (uint32_t state = 0; state < 6; state++) {
					reached[state] += strcmp(all[state], want) == 0;
				}
				if (strcmp(want, "revoked") == 0 || strcmp(want, "removed") == 0) {
					CHECK(!counts(&zone, key));
				}
			}
		}
		close_zone(&zone);
	}
	for (uint32_t state = 0; state < 6; state++) {
		CHECK(reached[state] > 500);
	}
}

static enum status read_back(const char *text, size_t len, char *why, struct rollover **out)
{
	const struct diag_sink sink = {.report = note, .context = why};

	why[0] = '\0';
	*out = rollover_new();
	CHECK(*out != NULL);
	return rollover_from_text(
		*out, "anchors", (const char *)kit_guarded(text, len), len, &sink);
}

TEST(text_leads_back_and_no_damage_goes_unseen)
{
	struct zone zone;
	struct rollover *other;
	char why[DIAG_TEXT_MAX];
	size_t len, again_len;

	open_zone(&zone, 0);
	zone.self_signed = 1;
	CHECK(see(&zone, 7, 0));
	zone.now_s += 31 * DAY_S;
	CHECK(see(&zone, 7, 0));
	CHECK(see(&zone, 0xb, 1));
	char *text = rollover_to_text(zone.rollover, &len);
	CHECK(text != NULL);
	CHECK_U(read_back(text, len, why, &other), STATUS_OK);
	char *again = rollover_to_text(other, &again_len);
	CHECK_OCTETS(again, again_len, text, len);
	free(again);
	rollover_free(zone.rollover);
	zone.rollover = other;
	CHECK_S(state_of(&zone, 0), "revoked");
	CHECK_S(state_of(&zone, 1), "valid");
	CHECK_S(state_of(&zone, 2), "missing");
	CHECK_S(state_of(&zone, 3), "add-pending");
	for (size_t i = 0; i < len; i++) {
		text[i] ^= (char)(1 << kit_random(8));
		CHECK_U(read_back(text, len, why, &other), STATUS_REFUSED);
		CHECK(why[0] != '\0');
		rollover_free(other);
		free(text);
		text = rollover_to_text(zone.rollover, &len);
		CHECK(text != NULL);
		CHECK_U(read_back(text, i, why, &other), STATUS_REFUSED);
		rollover_free(other);
	}
	free(text);
	close_zone(&zone);
}

TEST(each_fault_of_a_line_is_told)
{
#define KEY "01010300ff"
	static const char *const cases[][2] = {
		{"a..b valid 1 0 " KEY, "2: no zone (expected a domain name)"},
		{". Valid 1 0 " KEY,
			"2: no state (expected add-pending, valid, missing, revoked or removed)"},
		{". valid 1 " KEY, "2: no time (expected two numbers of seconds since 1970)"},
		{". valid 1 1234567890123456789 " KEY,
			"2: no time (expected two numbers of seconds since 1970)"},
		{". valid 1 0 010103",
			"2: no key (expected the RDATA of a DNSKEY with SEP in hexadecimal)"},
		{". valid 1 0 01810300ff",
			"2: no key (expected the RDATA of a DNSKEY with SEP in hexadecimal)"},
		{". valid 1 0 01000300ff",
			"2: no key (expected the RDATA of a DNSKEY with SEP in hexadecimal)"},
		{". valid 1 0 " KEY " x", "2: more than a key (expected the line's end)"},
		{". valid 1 0 " KEY "\n. missing 1 0 " KEY,
			"3: a key too many (expected each once, and 16 a zone)"},
		{". valid 1 0 " KEY "\n\n", "3: no zone (expected a domain name)"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[512], why[DIAG_TEXT_MAX];
		struct rollover *rollover;
		int len = snprintf(text, sizeof(text), "saker-trust-anchors 1\n%s\n", cases[i][0]);
		len += snprintf(text + len, sizeof(text) - (size_t)len, "checksum %016" PRIx64 "\n",
			checksum_once(text, (size_t)len));

		KIT_NOTE(cases[i][0]);
		CHECK_U(read_back(text, (size_t)len, why, &rollover), STATUS_REFUSED);
		CHECK_S(why, cases[i][1]);
		rollover_free(rollover);
	}
}
