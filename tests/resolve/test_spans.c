/* test_spans.c - denials out of proofs for other names, against the model of small random zones. */
#include "resolve/spans.h"

#include <string.h>

#include "base/octets.h"
#include "dnssec/denial_kit.h"
#include "kit/kit.h"
#include "resolve/core.h"
#include "resolve/search.h"
#include "wire/rrtype.h"

#define ZONES     800u
#define QUESTIONS 60u
#define TTL       300u
#define SIZE      (1u << 20)
#define ARENA_MAX (1u << 20)
#define SECOND_NS 1000000000u

static struct resolve core;
static struct arena arena; /* of what is denied, and of SOA sets */

static void begin(void)
{
	core.config = RESOLVE_CONFIG_DEFAULT;
	core.now = (struct now){.mono_ns = SECOND_NS};
	arena_init(&arena, ARENA_MAX);
}

static struct name name_of(const char *text)
{
	static const struct name root = {.len = 1};
	struct name name;

	CHECK_U(name_from_text(text, (uint32_t)strlen(text), &root, &name), WIRE_OK);
	return name;
}

static const struct rrset *soa_of(const struct name *zone)
{
	uint8_t rdata[22] = {0};
	const struct rrset_rdata record = {.octets = rdata, .len = sizeof(rdata)};

	octets_put_u32(rdata + 18, TTL);
	const struct rrset *set = rrset_make(&arena, zone, RRTYPE_SOA, TTL, &record, 1, NULL, 0);
	CHECK(set != NULL);
	return set;
}

static void learn(struct spans *spans, const struct name *zone, const struct rrset *link)
{
	const struct rrset *sets[2] = {soa_of(zone), link};
	const uint32_t ttls[2] = {TTL, TTL};

	spans_learn(spans, &core, zone, sets, ttls, 2);
}

static bool deny(
	struct spans *spans, const struct name *name, uint16_t type, struct search_result *out)
{
	arena_reset(&arena);
	return spans_deny(spans, &core, name, type, &arena, out);
}

/* The proof is whole and has nothing twice. */
static void check_proof(const struct denial_zone *zone, const struct search_result *result)
{
	struct name owner;

	CHECK_U(result->status, DNSSEC_SECURE);
	CHECK_U(result->answer_count, 0);
	CHECK(result->set_count >= 2 && result->set_count <= 4);
	CHECK_U(result->sets[0]->type, RRTYPE_SOA);
	rrset_owner(result->sets[0], &owner);
	CHECK(name_equal(&owner, &zone->apex));
	for (uint32_t i = 1; i < result->set_count; i++) {
		CHECK_U(result->sets[i]->type,
			zone->kind == DENIAL_NSEC ? RRTYPE_NSEC : RRTYPE_NSEC3);
		for (uint32_t j = 1; j < i; j++) {
			CHECK(result->sets[i]->len != result->sets[j]->len ||
				memcmp(result->sets[i], result->sets[j], result->sets[i]->len) !=
					0);
		}
	}
}

static bool check_question(struct spans *spans, const struct denial_zone *zone, bool whole)
{
	struct name name;
	struct search_result result;
	uint16_t type = kit_random(4) == 0 ? (uint16_t)RRTYPE_DS : denial_random_type();

	denial_random_name(zone, &name);
	const struct denial_node *node = denial_answering(zone, &name);
	bool beyond = denial_is_beyond(zone, &name);
	KIT_NOTE(denial_describe(zone, &name, type, zone->link_count));
	bool denied = deny(spans, &name, type, &result);
	if (!denied) {
		/* With all records at hand, whatever is not there is denied. */
		CHECK(!whole || beyond || (node != NULL && !denial_lacks(node, type)));
		return false;
	}
	CHECK(!beyond);
	if (result.end == SEARCH_NXDOMAIN) {
		CHECK(node == NULL);
	} else {
		CHECK_U(result.end, SEARCH_NODATA);
		CHECK(node != NULL && denial_lacks(node, type));
	}
	check_proof(zone, &result);
	return true;
}

static uint32_t ask_all(enum denial_kind kind)
{
	static struct denial_zone zone;
	uint32_t denied = 0;

	begin();
	for (uint32_t z = 0; z < ZONES; z++) {
		struct spans *spans = spans_new(SIZE);
		bool all = z % 2 == 0;
		CHECK(spans != NULL);
		denial_make(&zone, kind);
		for (uint32_t i = 0; i < zone.link_count; i++) {
			if (all || kit_random(2) == 0) {
				learn(spans, &zone.apex, zone.links[i]);
			}
			arena_reset(&arena);
		}
		for (uint32_t q = 0; q < QUESTIONS; q++) {
			denied += check_question(spans, &zone, all && kind != DENIAL_OPT_OUT);
		}
		spans_free(spans);
		arena_fini(&zone.arena);
	}
	arena_fini(&arena);
	return denied;
}

TEST(nsec_denies_what_is_not_there_and_nothing_else)
{
	CHECK(ask_all(DENIAL_NSEC) > ZONES * QUESTIONS / 4);
}

TEST(nsec3_denies_what_is_not_there_and_nothing_else)
{
	CHECK(ask_all(DENIAL_NSEC3) > ZONES * QUESTIONS / 4);
}

TEST(opt_out_denies_nothing)
{
	CHECK_U(ask_all(DENIAL_OPT_OUT), 0);
}

/* A zone with the apex alone: its one record covers all other names. */
static const struct rrset *lone_nsec(const char *zone)
{
	const struct name apex = name_of(zone);
	uint8_t rdata[NAME_LEN_MAX + 3];
	const struct rrset_rdata record = {.octets = rdata, .len = (uint16_t)(apex.len + 3)};

	memcpy(rdata, apex.octets, apex.len);
	memcpy(rdata + apex.len, "\0\1\x22", 3); /* NS, SOA */
	const struct rrset *set = rrset_make(&arena, &apex, RRTYPE_NSEC, TTL, &record, 1, NULL, 0);
	CHECK(set != NULL);
	return set;
}

static bool is_denied(struct spans *spans, const char *text)
{
	const struct name name = name_of(text);
	struct search_result result;

	return deny(spans, &name, RRTYPE_A, &result);
}

TEST(a_proof_ends_with_its_ttl)
{
	const struct name zone = name_of("zone.");
	struct spans *spans = spans_new(SIZE);
	struct search_result result;

	begin();
	CHECK(spans != NULL);
	learn(spans, &zone, lone_nsec("zone."));
	CHECK(is_denied(spans, "a.zone.") && !is_denied(spans, "a.other."));
	core.now.mono_ns += (uint64_t)100 * SECOND_NS;
	const struct name name = name_of("b.zone.");
	CHECK(deny(spans, &name, RRTYPE_A, &result));
	CHECK_U(result.ttl_s, TTL - 100);
	core.now.mono_ns += (uint64_t)199 * SECOND_NS;
	CHECK(is_denied(spans, "c.zone."));
	core.now.mono_ns += (uint64_t)1 * SECOND_NS;
	CHECK(!is_denied(spans, "c.zone."));
	spans_free(spans);
	arena_fini(&arena);
}

TEST(another_chain_of_hashes_takes_the_place_of_the_old_one)
{
	static struct denial_zone zone;
	struct spans *spans = spans_new(SIZE);

	begin();
	CHECK(spans != NULL);
	do {
		denial_make(&zone, DENIAL_NSEC3);
	} while (zone.link_count < 3);
	for (uint32_t i = 0; i < zone.link_count; i++) {
		learn(spans, &zone.apex, zone.links[i]);
	}
	CHECK(check_question(spans, &zone, true) || check_question(spans, &zone, true) ||
		check_question(spans, &zone, true));
	uint64_t before = spans_octets(spans);
	struct rrset *salted = rrset_copy(&arena, zone.links[0]);
	CHECK(salted != NULL);
	uint8_t *salt = (uint8_t *)(uintptr_t)rrset_first(salted).octets + 5;
	CHECK_U(*salt, 's');
	*salt = 't';
	learn(spans, &zone.apex, salted);
	CHECK(spans_octets(spans) < before);
	for (uint32_t i = 0; i < zone.count; i++) {
		struct search_result result;
		CHECK(!deny(spans, &zone.nodes[i].name, RRTYPE_TXT, &result) ||
			result.sets[1]->len == salted->len);
	}
	spans_free(spans);
	arena_fini(&zone.arena);
	arena_fini(&arena);
}

TEST(octets_have_a_limit_and_what_is_asked_stays)
{
	struct spans *spans = spans_new(16384);
	const struct name busy = name_of("busy.");

	begin();
	CHECK(spans != NULL);
	learn(spans, &busy, lone_nsec("busy."));
	for (uint32_t i = 0; i < 3 * SPANS_ZONES_MAX; i++) {
		uint8_t label[] = {4, (uint8_t)('a' + i % 26), (uint8_t)('a' + i / 26 % 26),
			(uint8_t)('a' + i / 676), 'x'};
		struct name zone;
		char text[NAME_TEXT_MAX];
		const struct name root = {.len = 1};
		CHECK_U(name_join(label, sizeof(label), 1, &root, &zone), WIRE_OK);
		core.now.mono_ns += SECOND_NS / 100;
		arena_reset(&arena);
		learn(spans, &zone, lone_nsec(name_to_text(&zone, text)));
		CHECK(spans_octets(spans) <= 16384);
		CHECK(is_denied(spans, "x.busy."));
	}
	const struct name root = {.len = 1};
	spans_forget(spans, &root);
	CHECK_U(spans_octets(spans), 0);
	CHECK(!is_denied(spans, "x.busy."));
	spans_free(spans);
	arena_fini(&arena);
}

TEST(what_is_forgotten_is_not_denied)
{
	struct spans *spans = spans_new(SIZE);
	static const char *const zones[] = {"a.", "b.a.", "b."};

	begin();
	CHECK(spans != NULL);
	for (uint32_t i = 0; i < 3; i++) {
		const struct name zone = name_of(zones[i]);
		learn(spans, &zone, lone_nsec(zones[i]));
	}
	const struct name name = name_of("x.b.a.");
	spans_forget(spans, &name);
	CHECK(!is_denied(spans, "y.b.a.") && !is_denied(spans, "y.a.") && is_denied(spans, "y.b."));
	spans_free(spans);
	arena_fini(&arena);
}

/* RFC 8198 sec 5.4 and 6: as short as the shortest; what has no SOA yet waits for one. */
TEST(a_referral_teaches_and_the_least_ttl_counts)
{
	const struct name zone = name_of("zone."), name = name_of("x.zone.");
	struct spans *spans = spans_new(SIZE);
	struct search_result result;
	const uint32_t ttl = 40;

	begin();
	CHECK(spans != NULL);
	const struct rrset *link = lone_nsec("zone.");
	spans_learn(spans, &core, &zone, &link, &ttl, 1);
	CHECK(!is_denied(spans, "x.zone."));
	const struct rrset *soa = soa_of(&zone);
	const uint32_t soa_ttl = 60;
	spans_learn(spans, &core, &zone, &soa, &soa_ttl, 1);
	CHECK(deny(spans, &name, RRTYPE_A, &result));
	CHECK_U(result.ttl_s, 40);
	CHECK_U(result.ttls[0], 60);
	core.now.mono_ns += (uint64_t)40 * SECOND_NS;
	CHECK(!is_denied(spans, "x.zone."));
	spans_free(spans);
	arena_fini(&arena);
}

TEST(types_of_questions_alone_are_not_denied)
{
	static struct denial_zone zone;
	const struct name apex = name_of("zone.");
	struct spans *spans = spans_new(SIZE);
	struct search_result result;

	begin();
	CHECK(spans != NULL);
	denial_begin(&zone, DENIAL_NSEC, &apex);
	denial_link(&zone);
	learn(spans, &apex, zone.links[0]);
	CHECK(deny(spans, &apex, RRTYPE_A, &result) && result.end == SEARCH_NODATA);
	CHECK(!deny(spans, &apex, 255, &result) && !deny(spans, &apex, 252, &result));
	/* DS is the parent's business, which is not known here. */
	CHECK(!deny(spans, &apex, RRTYPE_DS, &result));
	spans_free(spans);
	arena_fini(&zone.arena);
	arena_fini(&arena);
}
