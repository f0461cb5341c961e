/* test_absence.c - proofs of denial against a slow model: small random zones, all their records and any part of them.
 *
 * With all of a zone's records at hand, whatever does not exist is provable; with any of them, and questions of every
 * kind, nothing that exists is proved away.
 */
#include "dnssec/absence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/octets.h"
#include "crypto/sha1.h"
#include "dnssec/denial_kit.h"
#include "dnssec/typemap.h"
#include "kit/kit.h"
#include "wire/hashlabel.h"
#include "wire/rrtype.h"

#define PLENTY    1000000u
#define ZONES     1500u
#define QUESTIONS 60u
#define ARENA_MAX (1u << 20)

/* ---- asking ---- */

static struct dnssec_budget budget;

static void refill(void)
{
	budget = (struct dnssec_budget){.checks = PLENTY, .failures = PLENTY, .hashes = PLENTY};
}

/* What is proved is true, whichever records are there. */
static uint32_t check_sound(const struct denial_zone *zone, const struct absence *absence,
	const struct name *name, uint16_t type)
{
	const struct denial_node *own = denial_find(zone, name);
	const struct denial_node *node = denial_answering(zone, name);
	struct name encloser;
	uint32_t proved = 0;

	KIT_NOTE(denial_describe(zone, name, type, absence->count));
	denial_encloser(zone, name, &encloser);
	refill();
	enum absence_verdict verdict = absence_of_name(absence, name, &budget);
	if (verdict != ABSENCE_NONE) {
		bool hidden = verdict == ABSENCE_OPT_OUT && zone->kind == DENIAL_OPT_OUT &&
			      (own == NULL || !denial_is_chained(zone, own));
		CHECK((node == NULL && !denial_is_beyond(zone, name)) || hidden);
		CHECK(verdict == ABSENCE_PROVEN || zone->kind == DENIAL_OPT_OUT);
		proved++;
	}
	refill();
	verdict = absence_of_type(absence, name, type, &budget);
	if (verdict == ABSENCE_PROVEN) {
		CHECK(node != NULL && denial_lacks(node, type) && !denial_is_beyond(zone, name));
		proved++;
	} else if (verdict == ABSENCE_OPT_OUT) {
		CHECK(zone->kind == DENIAL_OPT_OUT &&
			(own == NULL || !denial_is_chained(zone, own)));
		proved++;
	}
	refill();
	uint32_t closest = zone->apex.label_count +
			   kit_random(2u + name->label_count - zone->apex.label_count);
	verdict = absence_of_expansion(absence, name, closest, &budget);
	if (verdict == ABSENCE_PROVEN) {
		/* RFC 5155 sec 8.8 looks at the next closer name alone: below a cut no wildcard is signed. */
		CHECK(own == NULL && encloser.label_count <= closest);
		CHECK(zone->kind != DENIAL_NSEC || !denial_is_beyond(zone, name));
		proved++;
	} else if (verdict == ABSENCE_OPT_OUT) {
		CHECK(zone->kind == DENIAL_OPT_OUT);
	}
	refill();
	enum absence_cut cut = absence_of_ds(absence, name, &budget);
	if (cut == ABSENCE_CUT_NONE) {
		CHECK((own == NULL || !denial_is_cut(own)) && !denial_is_beyond(zone, name));
		proved++;
	} else if (cut == ABSENCE_CUT_INSECURE) {
		bool insecure =
			own != NULL && denial_is_cut(own) && !denial_has_type(own, RRTYPE_DS);
		bool hidden = zone->kind == DENIAL_OPT_OUT &&
			      (own == NULL || !denial_is_chained(zone, own));
		CHECK(insecure || hidden);
		proved++;
	}
	return proved;
}

/* What is true is proved, where all records are there. */
static void check_complete(const struct denial_zone *zone, const struct absence *absence,
	const struct name *name, uint16_t type)
{
	const struct denial_node *own = denial_find(zone, name);
	const struct denial_node *node = denial_answering(zone, name);
	bool opt_out =
		zone->kind == DENIAL_OPT_OUT && (own == NULL || !denial_is_chained(zone, own));
	struct name encloser;

	KIT_NOTE(denial_describe(zone, name, type, absence->count));
	if (denial_is_beyond(zone, name)) {
		return;
	}
	denial_encloser(zone, name, &encloser);
	/* A wildcard at the encloser that opt-out leaves: no proof of RFC 5155 fits an absent name below it. */
	const struct denial_node *at = denial_find(zone, &encloser);
	if (zone->kind == DENIAL_OPT_OUT && !denial_is_chained(zone, at)) {
		return;
	}
	refill();
	if (node == NULL) {
		CHECK_U(absence_of_name(absence, name, &budget),
			opt_out ? ABSENCE_OPT_OUT : ABSENCE_PROVEN);
	} else if (denial_lacks(node, type)) {
		CHECK_U(absence_of_type(absence, name, type, &budget),
			opt_out ? ABSENCE_OPT_OUT : ABSENCE_PROVEN);
	}
	refill();
	if (own == NULL) {
		CHECK_U(absence_of_expansion(absence, name, encloser.label_count, &budget),
			opt_out ? ABSENCE_OPT_OUT : ABSENCE_PROVEN);
	}
	refill();
	if (own != NULL && denial_is_cut(own) && !denial_has_type(own, RRTYPE_DS)) {
		CHECK_U(absence_of_ds(absence, name, &budget), ABSENCE_CUT_INSECURE);
	} else if (own != NULL && !denial_is_cut(own) && !opt_out &&
		   !denial_has_type(own, RRTYPE_SOA) && !denial_has_type(own, RRTYPE_CNAME)) {
		CHECK_U(absence_of_ds(absence, name, &budget), ABSENCE_CUT_NONE);
	}
}

static void take_links(const struct denial_zone *zone, struct absence *absence, uint32_t share)
{
	absence->zone = &zone->apex;
	absence->count = 0;
	for (uint32_t i = 0; i < zone->link_count && absence->count < ABSENCE_SETS_MAX; i++) {
		if (kit_random(8) < share) {
			absence->sets[absence->count++] = zone->links[i];
		}
	}
}

static uint32_t ask_all(enum denial_kind kind)
{
	static struct denial_zone zone;
	uint32_t proved = 0;

	for (uint32_t z = 0; z < ZONES; z++) {
		denial_make(&zone, kind);
		struct absence absence;
		take_links(&zone, &absence, 8);
		bool whole = absence.count == zone.link_count;
		for (uint32_t q = 0; q < QUESTIONS; q++) {
			struct name name;
			uint16_t type =
				kit_random(4) == 0 ? (uint16_t)RRTYPE_DS : denial_random_type();
			denial_random_name(&zone, &name);
			if (whole && q % 3 == 0) {
				take_links(&zone, &absence, 8);
				check_complete(&zone, &absence, &name, type);
			} else {
				take_links(&zone, &absence, 1 + kit_random(8));
			}
			proved += check_sound(&zone, &absence, &name, type);
		}
		arena_fini(&zone.arena);
	}
	return proved;
}

TEST(nsec_proves_what_is_not_there_and_nothing_else)
{
	CHECK(ask_all(DENIAL_NSEC) > ZONES * QUESTIONS / 4);
}

TEST(nsec3_proves_what_is_not_there_and_nothing_else)
{
	CHECK(ask_all(DENIAL_NSEC3) > ZONES * QUESTIONS / 8);
}

TEST(opt_out_proves_what_is_not_there_and_nothing_else)
{
	CHECK(ask_all(DENIAL_OPT_OUT) > ZONES * QUESTIONS / 8);
}

/* ---- by hand ---- */

static const struct rrset *link_with(struct arena *arena, const struct name *owner,
	const uint8_t *rdata, uint32_t len, uint16_t type)
{
	const struct rrset_rdata record = {.octets = rdata, .len = (uint16_t)len};

	return rrset_make(arena, owner, type, 300, &record, 1, NULL, 0);
}

TEST(nsec3_of_unknown_kinds_is_left_out)
{
	static const struct {
		uint8_t algorithm, flags, iterations;
		enum absence_verdict verdict;
	} cases[] = {{1, 0, 0, ABSENCE_PROVEN}, {2, 0, 0, ABSENCE_NONE}, {1, 2, 0, ABSENCE_NONE},
		{1, 1, 0, ABSENCE_OPT_OUT}, {1, 0, DNSSEC_ITERATIONS_MAX + 1, ABSENCE_ITERATED}};
	const struct name root = {.len = 1},
			  star = {.len = 3, .label_count = 1, .octets = {1, 'q', 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct arena arena;
		uint8_t rdata[5 + 1 + SHA1_LEN + 3] = {
			cases[i].algorithm, cases[i].flags, 0, cases[i].iterations, 0, SHA1_LEN};
		uint8_t label[HASHLABEL_LEN];
		struct name owner;
		arena_init(&arena, ARENA_MAX);
		/* One record, from the root's hash around to it: it covers all but the root. */
		sha1_nsec3(root.octets, 1, NULL, 0, cases[i].iterations, rdata + 6);
		hashlabel_write(rdata + 6, label);
		CHECK_U(name_join(label, sizeof(label), 1, &root, &owner), WIRE_OK);
		struct absence absence = {.zone = &root, .count = 1};
		absence.sets[0] = link_with(&arena, &owner, rdata, 5 + 1 + SHA1_LEN, RRTYPE_NSEC3);
		refill();
		CHECK_U(absence_of_name(&absence, &star, &budget), cases[i].verdict);
		arena_fini(&arena);
	}
}

TEST(malformed_records_prove_nothing)
{
	uint8_t octets[64];
	static const char owner_text[] = "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.";
	struct arena arena;
	struct name owner;
	const struct name root = {.len = 1},
			  name = {.len = 3, .label_count = 1, .octets = {1, 'q', 0}};

	CHECK_U(name_from_text(owner_text, sizeof(owner_text) - 1, &root, &owner), WIRE_OK);
	for (uint32_t i = 0; i < 100000; i++) {
		uint32_t len = kit_random(sizeof(octets));
		arena_init(&arena, ARENA_MAX);
		for (uint32_t o = 0; o < len; o++) {
			octets[o] = (uint8_t)kit_random(kit_random(2) == 0 ? 256 : 3);
		}
		if (len > 6 && kit_random(2) == 0) {
			memcpy(octets, (const uint8_t[]){1, 0, 0, 0, 0, SHA1_LEN}, 6);
		}
		struct absence absence = {.zone = &root, .count = 1};
		absence.sets[0] =
			link_with(&arena, &owner, kit_guarded(octets, len), len, RRTYPE_NSEC3);
		refill();
		(void)typemap_has(absence.sets[0], RRTYPE_A);
		(void)absence_of_type(&absence, &name, RRTYPE_A, &budget);
		enum absence_cut cut = absence_of_ds(&absence, &root, &budget);
		CHECK(cut != ABSENCE_CUT_INSECURE ||
			octets_get_u16(octets + 2) > DNSSEC_ITERATIONS_MAX);
		arena_fini(&arena);
	}
}

/* The record over the name is that of the wildcard: seed 3016340 of the simulated internet. */
TEST(a_wildcard_with_an_alias_does_not_hide_an_insecure_delegation)
{
	static struct denial_zone zone;
	const struct name root = {.len = 1};
	struct name star, name;
	struct absence absence;

	denial_begin(&zone, DENIAL_OPT_OUT, &root);
	denial_child(&root, "*", &star);
	denial_add(&zone, &star, RRTYPE_CNAME);
	denial_link(&zone);
	denial_child(&root, "x", &name);
	take_links(&zone, &absence, 8);
	refill();
	CHECK_U(absence_of_type(&absence, &name, RRTYPE_DS, &budget), ABSENCE_OPT_OUT);
	refill();
	CHECK_U(absence_of_type(&absence, &name, RRTYPE_A, &budget), ABSENCE_NONE);
	arena_fini(&zone.arena);
}
