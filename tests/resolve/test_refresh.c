/* test_refresh.c - a core that fetches the keys of its anchor's zone, sees them change, and trusts accordingly. */
#include "resolve/refresh.h"

#include <string.h>

#include "base/publish.h"
#include "kit/kit.h"
#include "replay/signer.h"
#include "resolve/anchors.h"
#include "resolve/outside.h"
#include "resolve/rollover.h"
#include "wire/rrtype.h"

#define DAY_S  86400u
#define TTL    172800u
#define REVOKE 0x80u

static const struct name root = {.len = 1};

/* What the follower was told, and what it makes of it: as a server does. */
struct watcher {
	struct rollover *rollover;
	struct anchors *configured;
	struct published anchors;
	uint32_t seen, secure;
};

static void publish(struct watcher *watcher)
{
	struct anchors *anchors = anchors_copy(watcher->configured);

	CHECK(anchors != NULL);
	CHECK_U(rollover_apply(watcher->rollover, anchors), STATUS_OK);
	anchors_free(publish_set(&watcher->anchors, anchors));
}

static struct watcher *told;

static void note_sight(void *context, const struct rollover_sight *sight)
{
	struct watcher *watcher = context;

	watcher->seen++;
	watcher->secure += sight->is_secure;
	if (rollover_see(watcher->rollover, sight, watcher->configured)) {
		told = watcher; /* not now: the step uses the anchors */
	}
}

/* Puts the DNSKEY set with these keys there, signed by some of them. */
static void put_keys(struct outside *outside, uint32_t present, uint32_t revoked, uint32_t signers)
{
	uint8_t keys[SIGNER_KEYS][SIGNER_DNSKEY_LEN];
	struct signer_rdata records[SIGNER_KEYS];
	uint32_t count = 0;

	outside_remove(outside, ".", RRTYPE_DNSKEY);
	outside_remove(outside, ".", RRTYPE_RRSIG);
	for (uint32_t key = 0; key < SIGNER_KEYS; key++) {
		if ((present >> key & 1) == 0) {
			continue;
		}
		signer_dnskey(key, keys[count]);
		keys[count][1] |= (revoked >> key & 1) != 0 ? REVOKE : 0;
		/* In canonical order, so that they can be signed as they stand. */
		for (uint32_t i = count;
			i > 0 && memcmp(keys[i], keys[i - 1], SIGNER_DNSKEY_LEN) < 0; i--) {
			uint8_t other[SIGNER_DNSKEY_LEN];
			memcpy(other, keys[i], sizeof(other));
			memcpy(keys[i], keys[i - 1], sizeof(other));
			memcpy(keys[i - 1], other, sizeof(other));
		}
		count++;
	}
	for (uint32_t i = 0; i < count; i++) {
		records[i] = (struct signer_rdata){.octets = keys[i], .len = SIGNER_DNSKEY_LEN};
		outside_add(outside, ".", RRTYPE_DNSKEY, TTL, keys[i], SIGNER_DNSKEY_LEN);
	}
	for (uint32_t key = 0; key < SIGNER_KEYS; key++) {
		const struct signer_terms terms = {.zone = &root,
			.key = key,
			.inception = (uint32_t)outside->now.wall_s - 3600,
			.expiration = (uint32_t)outside->now.wall_s + 30 * DAY_S,
			.ttl = TTL,
			.revoked = (revoked >> key & 1) != 0};
		uint8_t sig[SIGNER_SIG_MAX];
		if ((signers >> key & 1) != 0) {
			uint32_t len =
				signer_sign(&terms, &root, RRTYPE_DNSKEY, records, count, sig);
			outside_add(outside, ".", RRTYPE_RRSIG, TTL, sig, len);
		}
	}
}

/* An address that one key has signed. */
static void put_address(struct outside *outside, const char *text, uint32_t key)
{
	static const uint8_t address[4] = {192, 0, 2, 9};
	const struct signer_rdata record = {.octets = address, .len = sizeof(address)};
	const struct signer_terms terms = {.zone = &root,
		.key = key,
		.inception = (uint32_t)outside->now.wall_s - 3600,
		.expiration = (uint32_t)outside->now.wall_s + 30 * DAY_S,
		.ttl = 60};
	struct name name;
	uint8_t sig[SIGNER_SIG_MAX];

	CHECK_U(name_from_text(text, (uint32_t)strlen(text), &root, &name), WIRE_OK);
	outside_add(outside, text, RRTYPE_A, 60, address, sizeof(address));
	uint32_t len = signer_sign(&terms, &name, RRTYPE_A, &record, 1, sig);
	outside_add(outside, text, RRTYPE_RRSIG, 60, sig, len);
}

static void open_watched(struct outside *outside, struct watcher *watcher)
{
	struct resolve_config config = RESOLVE_CONFIG_DEFAULT;
	const struct resolve_follower follower = {.seen = note_sight, .context = watcher};
	uint8_t key[SIGNER_DNSKEY_LEN];
	const struct rrset_rdata rdata = {.octets = key, .len = sizeof(key)};

	*watcher = (struct watcher){.rollover = rollover_new(), .configured = anchors_new()};
	CHECK(watcher->rollover != NULL && watcher->configured != NULL);
	signer_dnskey(0, key);
	CHECK_U(anchors_add_key(watcher->configured, &root, &rdata), STATUS_OK);
	publish(watcher);
	const struct resolve_shared shared = {.changing_anchors = &watcher->anchors};
	told = NULL;
	outside_open(outside, "", &config, &shared);
	CHECK_U(resolve_follow(outside->core, &follower), STATUS_OK);
}

static void close_watched(struct outside *outside, struct watcher *watcher)
{
	outside_close(outside);
	anchors_free(publish_get(&watcher->anchors));
	anchors_free(watcher->configured);
	rollover_free(watcher->rollover);
	signer_fini();
}

/* Lets time pass; what the follower was told is published in between, as by another thread. */
static void pass(struct outside *outside, uint64_t seconds)
{
	for (; seconds > 0; seconds -= seconds < 3600 ? seconds : 3600) {
		outside_pass(outside, (seconds < 3600 ? seconds : 3600) * 1000);
		if (told != NULL) {
			publish(told);
			told = NULL;
		}
	}
}

static const char *state_of(const struct watcher *watcher, uint32_t key)
{
	uint8_t octets[SIGNER_DNSKEY_LEN];
	const struct rrset_rdata rdata = {.octets = octets, .len = sizeof(octets)};
	enum rollover_state state;

	signer_dnskey(key, octets);
	return rollover_state(watcher->rollover, &root, &rdata, &state) ? rollover_state_text(state)
									: "none";
}

TEST(keys_are_fetched_at_the_start_and_twice_in_their_ttl)
{
	static struct outside outside;
	struct watcher watcher;

	open_watched(&outside, &watcher);
	put_keys(&outside, 1, 0, 1);
	pass(&outside, 1);
	CHECK_U(watcher.seen, 1);
	CHECK_U(watcher.secure, 1);
	CHECK_S(state_of(&watcher, 0), "valid");
	pass(&outside, DAY_S - 3600);
	CHECK_U(watcher.seen, 1);
	pass(&outside, 7200);
	CHECK_U(watcher.seen, 2);
	pass(&outside, 5 * DAY_S);
	CHECK_U(watcher.seen, 7);
	close_watched(&outside, &watcher);
}

TEST(servers_that_fail_are_asked_again_in_an_hour)
{
	static struct outside outside;
	struct watcher watcher;

	open_watched(&outside, &watcher);
	put_keys(&outside, 1, 0, 1);
	outside.is_silent = true;
	pass(&outside, 3000);
	CHECK_U(watcher.seen, 0);
	outside.is_silent = false;
	pass(&outside, 3600);
	CHECK_U(watcher.seen, 1);
	close_watched(&outside, &watcher);
}

TEST(a_key_rolls_over_and_the_old_one_counts_no_more)
{
	static const struct outside_how dnssec = {.dnssec_ok = true};
	static struct outside outside;
	struct watcher watcher;

	open_watched(&outside, &watcher);
	put_keys(&outside, 1, 0, 1);
	put_address(&outside, "a.", 0);
	pass(&outside, 1);
	outside_ask(&outside, "a.", RRTYPE_A, &dnssec);
	CHECK_U(outside.last.rcode, RCODE_NOERROR);
	CHECK((outside.last.flags & WIRE_FLAG_AD) != 0);

	/* The new key stands beside the old one for a month. */
	for (uint32_t day = 0; day < 32; day++) {
		put_keys(&outside, 3, 0, 1);
		pass(&outside, DAY_S);
		CHECK_S(state_of(&watcher, 1), day < 30 ? "add-pending" : "valid");
	}
	/* Revoked, signed by both. */
	put_keys(&outside, 3, 1, 3);
	pass(&outside, 2 * DAY_S);
	CHECK_S(state_of(&watcher, 0), "revoked");
	CHECK_S(state_of(&watcher, 1), "valid");

	/* What the old key signs is bogus now, even with its own set of keys; what the new one signs holds. */
	put_address(&outside, "b.", 0);
	put_address(&outside, "c.", 1);
	CHECK_U(outside_ask(&outside, "b.", RRTYPE_A, &dnssec)->rcode, RCODE_SERVFAIL);
	outside_ask(&outside, "c.", RRTYPE_A, &dnssec);
	CHECK_U(outside.last.rcode, RCODE_NOERROR);
	CHECK((outside.last.flags & WIRE_FLAG_AD) != 0);
	uint32_t secure = watcher.secure;
	put_keys(&outside, 1, 0, 1);
	pass(&outside, 3 * DAY_S);
	CHECK_U(watcher.secure, secure);
	CHECK_S(state_of(&watcher, 0), "revoked");
	close_watched(&outside, &watcher);
}

TEST(a_revocation_needs_the_keys_own_signature)
{
	static struct outside outside;
	struct watcher watcher;

	open_watched(&outside, &watcher);
	put_keys(&outside, 3, 0, 1);
	pass(&outside, 1);
	put_keys(&outside, 3, 1, 2); /* by the other, which does not count yet */
	pass(&outside, 2 * DAY_S);
	CHECK_S(state_of(&watcher, 0), "valid");
	put_keys(&outside, 3, 1, 1);
	pass(&outside, 2 * DAY_S);
	CHECK_S(state_of(&watcher, 0), "revoked");
	/* The only anchor is gone: nothing is checked any more, and nothing is fetched. */
	uint32_t seen = watcher.seen;
	pass(&outside, 20 * DAY_S);
	CHECK_U(watcher.seen, seen);
	close_watched(&outside, &watcher);
}
