/* test_absence.c - proofs of denial against a slow model: small random zones, all their records and any part of them.
 *
 * With all of a zone's records at hand, whatever does not exist is provable; with any of them, and questions of every
 * kind, nothing that exists is proved away. The model knows the names of a zone, and no order or hash.
 */
#include "dnssec/absence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/octets.h"
#include "crypto/sha1.h"
#include "dnssec/typemap.h"
#include "kit/kit.h"
#include "wire/rrtype.h"

#define PLENTY      1000000u
#define NODES_MAX   24u
#define TYPES_MAX   6u
#define ZONES       1500u
#define QUESTIONS   60u
#define ARENA_MAX   (1u << 20)
#define HASH_DIGITS "0123456789abcdefghijklmnopqrstuv"

enum kind { NSEC, NSEC3, OPT_OUT };

struct node {
	struct name name;
	uint32_t type_count; /* 0: an empty non-terminal */
	uint16_t types[TYPES_MAX];
	uint8_t hash[SHA1_LEN];
};

struct zone {
	enum kind kind;
	struct name apex;
	uint32_t count;
	struct node nodes[NODES_MAX];
	uint32_t link_count;
	const struct rrset *links[NODES_MAX];
	struct arena arena;
};

static const char *const labels[] = {"a", "b", "c", "*", "\1", "z"};
static const uint16_t types[] = {RRTYPE_A, RRTYPE_TXT, RRTYPE_MX, RRTYPE_AAAA};

static void child_of(const struct name *parent, const char *label, struct name *out)
{
	uint8_t octets[64];

	octets[0] = (uint8_t)strlen(label);
	memcpy(octets + 1, label, octets[0]);
	CHECK_U(name_join(octets, octets[0] + 1u, 1, parent, out), WIRE_OK);
}

static void above(const struct name *name, struct name *out)
{
	const uint8_t *suffix = name_suffix(name, name->label_count - 1u);

	out->label_count = (uint8_t)(name->label_count - 1);
	out->len = (uint8_t)(name->octets + name->len - suffix);
	memcpy(out->octets, suffix, out->len);
}

/* ---- the model ---- */

static const struct node *find(const struct zone *zone, const struct name *name)
{
	for (uint32_t i = 0; i < zone->count; i++) {
		if (name_equal(&zone->nodes[i].name, name)) {
			return &zone->nodes[i];
		}
	}
	return NULL;
}

static bool has_type(const struct node *node, uint16_t type)
{
	for (uint32_t i = 0; i < node->type_count; i++) {
		if (node->types[i] == type) {
			return true;
		}
	}
	return false;
}

static bool is_cut(const struct node *node)
{
	return has_type(node, RRTYPE_NS) && !has_type(node, RRTYPE_SOA);
}

/* Is the name below a cut or a DNAME of the zone? Then it is not the zone's to deny. */
static bool is_beyond(const struct zone *zone, const struct name *name)
{
	for (uint32_t i = 0; i < zone->count; i++) {
		const struct node *node = &zone->nodes[i];
		if ((is_cut(node) || has_type(node, RRTYPE_DNAME)) &&
			name->label_count > node->name.label_count &&
			name_is_below(name, &node->name)) {
			return true;
		}
	}
	return false;
}

static void encloser_of(const struct zone *zone, const struct name *name, struct name *out)
{
	*out = *name;
	while (find(zone, out) == NULL) {
		struct name up;
		above(out, &up);
		*out = up;
	}
}

/* The node that answers for a name: itself, or the wildcard; NULL: it does not exist. */
static const struct node *answering(const struct zone *zone, const struct name *name)
{
	const struct node *node = find(zone, name);
	struct name encloser, star;

	if (node != NULL) {
		return node;
	}
	encloser_of(zone, name, &encloser);
	child_of(&encloser, "*", &star);
	return find(zone, &star);
}

static bool lacks(const struct node *node, uint16_t type)
{
	bool there = has_type(node, type) || has_type(node, RRTYPE_CNAME);

	/* The parent's side of a cut speaks of DS alone; of the apex it does not. */
	bool child = has_type(node, RRTYPE_SOA) && node->name.len > 1;
	return !there && (type == RRTYPE_DS ? !child : !is_cut(node));
}

/* ---- making zones ---- */

static struct node *add_node(struct zone *zone, const struct name *name)
{
	for (uint32_t i = 0; i < zone->count; i++) {
		if (name_equal(&zone->nodes[i].name, name)) {
			return &zone->nodes[i];
		}
	}
	CHECK(zone->count < NODES_MAX);
	zone->nodes[zone->count] = (struct node){.name = *name};
	return &zone->nodes[zone->count++];
}

static void add_type(struct zone *zone, const struct name *name, uint16_t type)
{
	struct node *node = add_node(zone, name);
	struct name up = *name;

	if (!has_type(node, type) && node->type_count < TYPES_MAX) {
		node->types[node->type_count++] = type;
	}
	while (up.label_count > zone->apex.label_count) {
		struct name next;
		above(&up, &next);
		up = next;
		(void)add_node(zone, &up);
	}
}

static void random_name(const struct zone *zone, struct name *out)
{
	struct name base = zone->apex;

	*out = base;
	for (uint32_t depth = kit_random(4); depth > 0; depth--) {
		child_of(&base, labels[kit_random(6)], out);
		base = *out;
	}
}

static bool takes_more(const struct zone *zone, const struct name *name)
{
	const struct node *node = find(zone, name);

	if (is_beyond(zone, name)) {
		return false;
	}
	return node == NULL || (!has_type(node, RRTYPE_CNAME) && !is_cut(node));
}

/* Nothing may be below a cut or DNAME. */
static bool has_children(const struct zone *zone, const struct name *name)
{
	for (uint32_t i = 0; i < zone->count; i++) {
		if (zone->nodes[i].name.label_count > name->label_count &&
			name_is_below(&zone->nodes[i].name, name)) {
			return true;
		}
	}
	return false;
}

static void add_random(struct zone *zone)
{
	struct name name;
	uint32_t choice = kit_random(10);

	random_name(zone, &name);
	const struct node *node = find(zone, &name);
	if (!takes_more(zone, &name) || zone->count > NODES_MAX - 5) {
		return;
	}
	bool bare = (node == NULL || node->type_count == 0);
	bool star = name.octets[0] == 1 && name.octets[1] == '*';
	if (choice < 2 && bare && !has_children(zone, &name) && !star) {
		add_type(zone, &name, RRTYPE_NS);
		if (choice == 0) {
			add_type(zone, &name, RRTYPE_DS);
		}
	} else if (choice == 2 && bare) {
		add_type(zone, &name, RRTYPE_CNAME);
	} else if (choice == 3 && !has_children(zone, &name) && !star &&
		   name.label_count > zone->apex.label_count) {
		add_type(zone, &name, RRTYPE_DNAME);
	} else {
		add_type(zone, &name, types[kit_random(4)]);
	}
}

static uint32_t put_bitmap(const struct node *node, enum kind kind, uint8_t *out)
{
	uint8_t bits[32] = {0};

	for (uint32_t i = 0; i < node->type_count; i++) {
		bits[node->types[i] / 8] |= (uint8_t)(0x80 >> node->types[i] % 8);
	}
	if (kind == NSEC) {
		bits[RRTYPE_NSEC / 8] |= 0x80 >> RRTYPE_NSEC % 8;
	}
	if (kind == NSEC ||
		(node->type_count > 0 && (!is_cut(node) || has_type(node, RRTYPE_DS)))) {
		bits[RRTYPE_RRSIG / 8] |= 0x80 >> RRTYPE_RRSIG % 8;
	}
	uint32_t used = sizeof(bits);
	while (used > 0 && bits[used - 1] == 0) {
		used--;
	}
	if (used == 0) {
		return 0;
	}
	out[0] = 0;
	out[1] = (uint8_t)used;
	memcpy(out + 2, bits, used);
	return used + 2;
}

static int by_name(const void *a, const void *b)
{
	const struct node *const *left = a, *const *right = b;

	return name_compare(&(*left)->name, &(*right)->name);
}

static int by_hash(const void *a, const void *b)
{
	const struct node *const *left = a, *const *right = b;

	return memcmp((*left)->hash, (*right)->hash, SHA1_LEN);
}

/* Does a record of the chain exist for it? */
static bool is_chained(const struct zone *zone, const struct node *node)
{
	if (zone->kind == NSEC) {
		return node->type_count > 0;
	}
	if (zone->kind == NSEC3) {
		return true;
	}
	for (uint32_t i = 0; i < zone->count; i++) {
		const struct node *at = &zone->nodes[i];
		if (name_is_below(&at->name, &node->name) && at->type_count > 0 &&
			(!is_cut(at) || has_type(at, RRTYPE_DS))) {
			return true;
		}
	}
	return false;
}

static void hash_label(const uint8_t hash[SHA1_LEN], char out[33])
{
	for (uint32_t i = 0; i < 32; i++) {
		uint32_t value = 0;
		for (uint32_t bit = 5 * i; bit < 5 * i + 5; bit++) {
			value = value << 1 | (uint32_t)(hash[bit / 8] >> (7 - bit % 8) & 1);
		}
		out[i] = HASH_DIGITS[value];
	}
	out[32] = 0;
}

static void make_links(struct zone *zone)
{
	const struct node *order[NODES_MAX];

	zone->link_count = 0;
	for (uint32_t i = 0; i < zone->count; i++) {
		struct node *node = &zone->nodes[i];
		sha1_nsec3(
			node->name.octets, node->name.len, (const uint8_t *)"s", 1, 2, node->hash);
		if (is_chained(zone, node)) {
			order[zone->link_count++] = node;
		}
	}
	qsort(order, zone->link_count, sizeof(order[0]), zone->kind == NSEC ? by_name : by_hash);
	for (uint32_t i = 0; i < zone->link_count; i++) {
		const struct node *next = order[(i + 1) % zone->link_count];
		uint8_t rdata[NAME_LEN_MAX + 64];
		struct name owner = order[i]->name;
		uint32_t len = next->name.len;
		if (zone->kind == NSEC) {
			memcpy(rdata, next->name.octets, len);
		} else {
			char label[33];
			const uint8_t head[] = {1, zone->kind == OPT_OUT, 0, 2, 1, 's', SHA1_LEN};
			hash_label(order[i]->hash, label);
			child_of(&zone->apex, label, &owner);
			memcpy(rdata, head, sizeof(head));
			memcpy(rdata + sizeof(head), next->hash, SHA1_LEN);
			len = sizeof(head) + SHA1_LEN;
		}
		len += put_bitmap(order[i], zone->kind, rdata + len);
		const struct rrset_rdata record = {.octets = rdata, .len = (uint16_t)len};
		zone->links[i] = rrset_make(&zone->arena, &owner,
			zone->kind == NSEC ? RRTYPE_NSEC : RRTYPE_NSEC3, 300, &record, 1, NULL, 0);
		CHECK(zone->links[i] != NULL);
	}
}

static void make_zone(struct zone *zone, enum kind kind)
{
	zone->kind = kind;
	zone->count = 0;
	arena_init(&zone->arena, ARENA_MAX);
	zone->apex = (struct name){.len = 1};
	if (kit_random(4) != 0) {
		const struct name root = {.len = 1};
		child_of(&root, "zone", &zone->apex);
	}
	add_type(zone, &zone->apex, RRTYPE_SOA);
	add_type(zone, &zone->apex, RRTYPE_NS);
	for (uint32_t i = kit_random(14); i > 0; i--) {
		add_random(zone);
	}
	make_links(zone);
}

/* ---- asking ---- */

/* Where a check fails, the zone tells what it was. */
static const char *describe(const struct zone *zone, const struct absence *absence,
	const struct name *name, uint16_t type)
{
	static char text[16384];
	char name_text[NAME_TEXT_MAX], type_text[RRTYPE_TEXT_MAX];
	size_t len = (size_t)snprintf(text, sizeof(text),
		"%s %s, %u of %u records, in:", name_to_text(name, name_text),
		rrtype_to_text(type, type_text), absence->count, zone->link_count);

	for (uint32_t i = 0; i < zone->count && len < sizeof(text) / 2; i++) {
		const struct node *node = &zone->nodes[i];
		len += (size_t)snprintf(text + len, sizeof(text) - len, "\n  %s",
			name_to_text(&node->name, name_text));
		for (uint32_t t = 0; t < node->type_count; t++) {
			len += (size_t)snprintf(text + len, sizeof(text) - len, " %s",
				rrtype_to_text(node->types[t], type_text));
		}
	}
	return text;
}

static struct dnssec_budget budget;

static void refill(void)
{
	budget = (struct dnssec_budget){.checks = PLENTY, .failures = PLENTY, .hashes = PLENTY};
}

/* What is proved is true, whichever records are there. */
static uint32_t check_sound(const struct zone *zone, const struct absence *absence,
	const struct name *name, uint16_t type)
{
	const struct node *own = find(zone, name);
	const struct node *node = answering(zone, name);
	struct name encloser;
	uint32_t proved = 0;

	KIT_NOTE(describe(zone, absence, name, type));
	encloser_of(zone, name, &encloser);
	refill();
	enum absence_verdict verdict = absence_of_name(absence, name, &budget);
	if (verdict != ABSENCE_NONE) {
		bool hidden = verdict == ABSENCE_OPT_OUT && zone->kind == OPT_OUT &&
			      (own == NULL || !is_chained(zone, own));
		CHECK((node == NULL && !is_beyond(zone, name)) || hidden);
		CHECK(verdict == ABSENCE_PROVEN || zone->kind == OPT_OUT);
		proved++;
	}
	refill();
	verdict = absence_of_type(absence, name, type, &budget);
	if (verdict == ABSENCE_PROVEN) {
		CHECK(node != NULL && lacks(node, type) && !is_beyond(zone, name));
		proved++;
	} else if (verdict == ABSENCE_OPT_OUT) {
		CHECK(zone->kind == OPT_OUT && (own == NULL || !is_chained(zone, own)));
		proved++;
	}
	refill();
	uint32_t closest = zone->apex.label_count +
			   kit_random(2u + name->label_count - zone->apex.label_count);
	verdict = absence_of_expansion(absence, name, closest, &budget);
	if (verdict == ABSENCE_PROVEN) {
		/* RFC 5155 sec 8.8 looks at the next closer name alone: below a cut no wildcard is signed. */
		CHECK(own == NULL && encloser.label_count <= closest);
		CHECK(zone->kind != NSEC || !is_beyond(zone, name));
		proved++;
	} else if (verdict == ABSENCE_OPT_OUT) {
		CHECK(zone->kind == OPT_OUT);
	}
	refill();
	enum absence_cut cut = absence_of_ds(absence, name, &budget);
	if (cut == ABSENCE_CUT_NONE) {
		CHECK((own == NULL || !is_cut(own)) && !is_beyond(zone, name));
		proved++;
	} else if (cut == ABSENCE_CUT_INSECURE) {
		bool insecure = own != NULL && is_cut(own) && !has_type(own, RRTYPE_DS);
		bool hidden = zone->kind == OPT_OUT && (own == NULL || !is_chained(zone, own));
		CHECK(insecure || hidden);
		proved++;
	}
	return proved;
}

/* What is true is proved, where all records are there. */
static void check_complete(const struct zone *zone, const struct absence *absence,
	const struct name *name, uint16_t type)
{
	const struct node *own = find(zone, name);
	const struct node *node = answering(zone, name);
	bool opt_out = zone->kind == OPT_OUT && (own == NULL || !is_chained(zone, own));
	struct name encloser;

	KIT_NOTE(describe(zone, absence, name, type));
	if (is_beyond(zone, name)) {
		return;
	}
	encloser_of(zone, name, &encloser);
	/* A wildcard at the encloser that opt-out leaves: no proof of RFC 5155 fits an absent name below it. */
	const struct node *at = find(zone, &encloser);
	if (zone->kind == OPT_OUT && !is_chained(zone, at)) {
		return;
	}
	refill();
	if (node == NULL) {
		CHECK_U(absence_of_name(absence, name, &budget),
			opt_out ? ABSENCE_OPT_OUT : ABSENCE_PROVEN);
	} else if (lacks(node, type)) {
		CHECK_U(absence_of_type(absence, name, type, &budget),
			opt_out ? ABSENCE_OPT_OUT : ABSENCE_PROVEN);
	}
	refill();
	if (own == NULL) {
		CHECK_U(absence_of_expansion(absence, name, encloser.label_count, &budget),
			opt_out ? ABSENCE_OPT_OUT : ABSENCE_PROVEN);
	}
	refill();
	if (own != NULL && is_cut(own) && !has_type(own, RRTYPE_DS)) {
		CHECK_U(absence_of_ds(absence, name, &budget), ABSENCE_CUT_INSECURE);
	} else if (own != NULL && !is_cut(own) && !opt_out && !has_type(own, RRTYPE_SOA) &&
		   !has_type(own, RRTYPE_CNAME)) {
		CHECK_U(absence_of_ds(absence, name, &budget), ABSENCE_CUT_NONE);
	}
}

static void take_links(const struct zone *zone, struct absence *absence, uint32_t share)
{
	absence->zone = &zone->apex;
	absence->count = 0;
	for (uint32_t i = 0; i < zone->link_count && absence->count < ABSENCE_SETS_MAX; i++) {
		if (kit_random(8) < share) {
			absence->sets[absence->count++] = zone->links[i];
		}
	}
}

static uint32_t ask_all(enum kind kind)
{
	static struct zone zone;
	uint32_t proved = 0;

	for (uint32_t z = 0; z < ZONES; z++) {
		make_zone(&zone, kind);
		struct absence absence;
		take_links(&zone, &absence, 8);
		bool whole = absence.count == zone.link_count;
		for (uint32_t q = 0; q < QUESTIONS; q++) {
			struct name name;
			uint16_t type =
				kit_random(4) == 0 ? (uint16_t)RRTYPE_DS : types[kit_random(4)];
			random_name(&zone, &name);
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
	CHECK(ask_all(NSEC) > ZONES * QUESTIONS / 4);
}

TEST(nsec3_proves_what_is_not_there_and_nothing_else)
{
	CHECK(ask_all(NSEC3) > ZONES * QUESTIONS / 8);
}

TEST(opt_out_proves_what_is_not_there_and_nothing_else)
{
	CHECK(ask_all(OPT_OUT) > ZONES * QUESTIONS / 8);
}

/* ---- by hand ---- */

static const struct rrset *link_with(
	struct arena *arena, const char *owner, const uint8_t *rdata, uint32_t len, uint16_t type)
{
	const struct name root = {.len = 1};
	const struct rrset_rdata record = {.octets = rdata, .len = (uint16_t)len};
	struct name name;

	CHECK_U(name_from_text(owner, (uint32_t)strlen(owner), &root, &name), WIRE_OK);
	return rrset_make(arena, &name, type, 300, &record, 1, NULL, 0);
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
		char owner[40];
		arena_init(&arena, ARENA_MAX);
		/* One record, from the root's hash around to it: it covers all but the root. */
		sha1_nsec3(root.octets, 1, NULL, 0, cases[i].iterations, rdata + 6);
		hash_label(rdata + 6, owner);
		strcat(owner, ".");
		struct absence absence = {.zone = &root, .count = 1};
		absence.sets[0] = link_with(&arena, owner, rdata, 5 + 1 + SHA1_LEN, RRTYPE_NSEC3);
		refill();
		CHECK_U(absence_of_name(&absence, &star, &budget), cases[i].verdict);
		arena_fini(&arena);
	}
}

TEST(malformed_records_prove_nothing)
{
	uint8_t octets[64];
	struct arena arena;
	const struct name root = {.len = 1},
			  name = {.len = 3, .label_count = 1, .octets = {1, 'q', 0}};

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
		absence.sets[0] = link_with(&arena, "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.",
			kit_guarded(octets, len), len, RRTYPE_NSEC3);
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
	static struct zone zone;
	const struct name root = {.len = 1};
	struct name star, name;
	struct absence absence;

	arena_init(&zone.arena, ARENA_MAX);
	zone.kind = OPT_OUT;
	zone.apex = root;
	zone.count = 0;
	add_type(&zone, &root, RRTYPE_SOA);
	child_of(&root, "*", &star);
	add_type(&zone, &star, RRTYPE_CNAME);
	make_links(&zone);
	child_of(&root, "x", &name);
	take_links(&zone, &absence, 8);
	refill();
	CHECK_U(absence_of_type(&absence, &name, RRTYPE_DS, &budget), ABSENCE_OPT_OUT);
	refill();
	CHECK_U(absence_of_type(&absence, &name, RRTYPE_A, &budget), ABSENCE_NONE);
	arena_fini(&zone.arena);
}
