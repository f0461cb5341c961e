/* denial_kit.c - zones, their chains and the model. */
#include "dnssec/denial_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"
#include "wire/hashlabel.h"
#include "wire/rrtype.h"

#define ARENA_MAX (1u << 20)

static const char *const labels[] = {"a", "b", "c", "*", "\1", "z"};
static const uint16_t types[DENIAL_TYPES] = {RRTYPE_A, RRTYPE_TXT, RRTYPE_MX, RRTYPE_AAAA};

void denial_child(const struct name *parent, const char *label, struct name *out)
{
	uint8_t octets[64];

	octets[0] = (uint8_t)strlen(label);
	memcpy(octets + 1, label, octets[0]);
	CHECK_U(name_join(octets, octets[0] + 1u, 1, parent, out), WIRE_OK);
}

/* ---- the model ---- */

const struct denial_node *denial_find(const struct denial_zone *zone, const struct name *name)
{
	for (uint32_t i = 0; i < zone->count; i++) {
		if (name_equal(&zone->nodes[i].name, name)) {
			return &zone->nodes[i];
		}
	}
	return NULL;
}

bool denial_has_type(const struct denial_node *node, uint16_t type)
{
	for (uint32_t i = 0; i < node->type_count; i++) {
		if (node->types[i] == type) {
			return true;
		}
	}
	return false;
}

bool denial_is_cut(const struct denial_node *node)
{
	return denial_has_type(node, RRTYPE_NS) && !denial_has_type(node, RRTYPE_SOA);
}

/* Is the name below a cut or a DNAME of the zone? Then it is not the zone's to deny. */
bool denial_is_beyond(const struct denial_zone *zone, const struct name *name)
{
	for (uint32_t i = 0; i < zone->count; i++) {
		const struct denial_node *node = &zone->nodes[i];
		if ((denial_is_cut(node) || denial_has_type(node, RRTYPE_DNAME)) &&
			name->label_count > node->name.label_count &&
			name_is_below(name, &node->name)) {
			return true;
		}
	}
	return false;
}

void denial_encloser(const struct denial_zone *zone, const struct name *name, struct name *out)
{
	*out = *name;
	while (denial_find(zone, out) == NULL) {
		struct name up;
		name_ancestor(out, out->label_count - 1u, &up);
		*out = up;
	}
}

/* The node that answers for a name: itself, or the wildcard; NULL: it does not exist. */
const struct denial_node *denial_answering(const struct denial_zone *zone, const struct name *name)
{
	const struct denial_node *node = denial_find(zone, name);
	struct name encloser, star;

	if (node != NULL) {
		return node;
	}
	denial_encloser(zone, name, &encloser);
	denial_child(&encloser, "*", &star);
	return denial_find(zone, &star);
}

bool denial_lacks(const struct denial_node *node, uint16_t type)
{
	bool there = denial_has_type(node, type) || denial_has_type(node, RRTYPE_CNAME);

	/* The parent's side of a cut speaks of DS alone; of the apex it does not. */
	bool child = denial_has_type(node, RRTYPE_SOA) && node->name.len > 1;
	return !there && (type == RRTYPE_DS ? !child : !denial_is_cut(node));
}

/* ---- making zones ---- */

static struct denial_node *add_node(struct denial_zone *zone, const struct name *name)
{
	for (uint32_t i = 0; i < zone->count; i++) {
		if (name_equal(&zone->nodes[i].name, name)) {
			return &zone->nodes[i];
		}
	}
	CHECK(zone->count < DENIAL_NODES_MAX);
	zone->nodes[zone->count] = (struct denial_node){.name = *name};
	return &zone->nodes[zone->count++];
}

void denial_add(struct denial_zone *zone, const struct name *name, uint16_t type)
{
	struct denial_node *node = add_node(zone, name);
	struct name up = *name;

	if (!denial_has_type(node, type) && node->type_count < DENIAL_TYPES_MAX) {
		node->types[node->type_count++] = type;
	}
	while (up.label_count > zone->apex.label_count) {
		struct name next;
		name_ancestor(&up, up.label_count - 1u, &next);
		up = next;
		(void)add_node(zone, &up);
	}
}

uint16_t denial_random_type(void)
{
	return types[kit_random(DENIAL_TYPES)];
}

void denial_random_name(const struct denial_zone *zone, struct name *out)
{
	struct name base = zone->apex;

	*out = base;
	for (uint32_t depth = kit_random(4); depth > 0; depth--) {
		denial_child(&base, labels[kit_random(6)], out);
		base = *out;
	}
}

static bool takes_more(const struct denial_zone *zone, const struct name *name)
{
	const struct denial_node *node = denial_find(zone, name);

	if (denial_is_beyond(zone, name)) {
		return false;
	}
	return node == NULL || (!denial_has_type(node, RRTYPE_CNAME) && !denial_is_cut(node));
}

/* Nothing may be below a cut or DNAME. */
static bool has_children(const struct denial_zone *zone, const struct name *name)
{
	for (uint32_t i = 0; i < zone->count; i++) {
		if (zone->nodes[i].name.label_count > name->label_count &&
			name_is_below(&zone->nodes[i].name, name)) {
			return true;
		}
	}
	return false;
}

static void add_random(struct denial_zone *zone)
{
	struct name name;
	uint32_t choice = kit_random(10);

	denial_random_name(zone, &name);
	const struct denial_node *node = denial_find(zone, &name);
	if (!takes_more(zone, &name) || zone->count > DENIAL_NODES_MAX - 5) {
		return;
	}
	bool bare = (node == NULL || node->type_count == 0);
	bool star = name.octets[0] == 1 && name.octets[1] == '*';
	if (choice < 2 && bare && !has_children(zone, &name) && !star) {
		denial_add(zone, &name, RRTYPE_NS);
		if (choice == 0) {
			denial_add(zone, &name, RRTYPE_DS);
		}
	} else if (choice == 2 && bare) {
		denial_add(zone, &name, RRTYPE_CNAME);
	} else if (choice == 3 && !has_children(zone, &name) && !star &&
		   name.label_count > zone->apex.label_count) {
		denial_add(zone, &name, RRTYPE_DNAME);
	} else {
		denial_add(zone, &name, denial_random_type());
	}
}

static uint32_t put_bitmap(const struct denial_node *node, enum denial_kind kind, uint8_t *out)
{
	uint8_t bits[32] = {0};

	for (uint32_t i = 0; i < node->type_count; i++) {
		bits[node->types[i] / 8] |= (uint8_t)(0x80 >> node->types[i] % 8);
	}
	if (kind == DENIAL_NSEC) {
		bits[RRTYPE_NSEC / 8] |= 0x80 >> RRTYPE_NSEC % 8;
	}
	if (kind == DENIAL_NSEC ||
		(node->type_count > 0 &&
			(!denial_is_cut(node) || denial_has_type(node, RRTYPE_DS)))) {
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
	const struct denial_node *const *left = a, *const *right = b;

	return name_compare(&(*left)->name, &(*right)->name);
}

static int by_hash(const void *a, const void *b)
{
	const struct denial_node *const *left = a, *const *right = b;

	return memcmp((*left)->hash, (*right)->hash, SHA1_LEN);
}

/* Does a record of the chain exist for it? */
bool denial_is_chained(const struct denial_zone *zone, const struct denial_node *node)
{
	if (zone->kind == DENIAL_NSEC) {
		return node->type_count > 0;
	}
	if (zone->kind == DENIAL_NSEC3) {
		return true;
	}
	for (uint32_t i = 0; i < zone->count; i++) {
		const struct denial_node *at = &zone->nodes[i];
		if (name_is_below(&at->name, &node->name) && at->type_count > 0 &&
			(!denial_is_cut(at) || denial_has_type(at, RRTYPE_DS))) {
			return true;
		}
	}
	return false;
}

void denial_link(struct denial_zone *zone)
{
	const struct denial_node *order[DENIAL_NODES_MAX];

	zone->link_count = 0;
	for (uint32_t i = 0; i < zone->count; i++) {
		struct denial_node *node = &zone->nodes[i];
		sha1_nsec3(
			node->name.octets, node->name.len, (const uint8_t *)"s", 1, 2, node->hash);
		if (denial_is_chained(zone, node)) {
			order[zone->link_count++] = node;
		}
	}
	qsort(order, zone->link_count, sizeof(order[0]),
		zone->kind == DENIAL_NSEC ? by_name : by_hash);
	for (uint32_t i = 0; i < zone->link_count; i++) {
		const struct denial_node *next = order[(i + 1) % zone->link_count];
		uint8_t rdata[NAME_LEN_MAX + 64], label[HASHLABEL_LEN];
		struct name owner = order[i]->name;
		uint32_t len = next->name.len;
		if (zone->kind == DENIAL_NSEC) {
			memcpy(rdata, next->name.octets, len);
		} else {
			const uint8_t head[] = {
				1, zone->kind == DENIAL_OPT_OUT, 0, 2, 1, 's', SHA1_LEN};
			hashlabel_write(order[i]->hash, label);
			CHECK_U(name_join(label, sizeof(label), 1, &zone->apex, &owner), WIRE_OK);
			memcpy(rdata, head, sizeof(head));
			memcpy(rdata + sizeof(head), next->hash, SHA1_LEN);
			len = sizeof(head) + SHA1_LEN;
		}
		len += put_bitmap(order[i], zone->kind, rdata + len);
		const struct rrset_rdata record = {.octets = rdata, .len = (uint16_t)len};
		zone->links[i] = rrset_make(&zone->arena, &owner,
			zone->kind == DENIAL_NSEC ? RRTYPE_NSEC : RRTYPE_NSEC3, 300, &record, 1,
			NULL, 0);
		CHECK(zone->links[i] != NULL);
	}
}

void denial_begin(struct denial_zone *zone, enum denial_kind kind, const struct name *apex)
{
	zone->kind = kind;
	zone->count = 0;
	zone->apex = *apex;
	arena_init(&zone->arena, ARENA_MAX);
	denial_add(zone, apex, RRTYPE_SOA);
}

void denial_make(struct denial_zone *zone, enum denial_kind kind)
{
	const struct name root = {.len = 1};
	struct name apex = root;

	if (kit_random(4) != 0) {
		denial_child(&root, "zone", &apex);
	}
	denial_begin(zone, kind, &apex);
	denial_add(zone, &apex, RRTYPE_NS);
	for (uint32_t i = kit_random(14); i > 0; i--) {
		add_random(zone);
	}
	denial_link(zone);
}

const char *denial_describe(
	const struct denial_zone *zone, const struct name *name, uint16_t type, uint32_t records)
{
	static char text[16384];
	char name_text[NAME_TEXT_MAX], type_text[RRTYPE_TEXT_MAX];
	size_t len = (size_t)snprintf(text, sizeof(text),
		"%s %s, %u of %u records, in:", name_to_text(name, name_text),
		rrtype_to_text(type, type_text), records, zone->link_count);

	for (uint32_t i = 0; i < zone->count && len < sizeof(text) / 2; i++) {
		const struct denial_node *node = &zone->nodes[i];
		len += (size_t)snprintf(text + len, sizeof(text) - len, "\n  %s",
			name_to_text(&node->name, name_text));
		for (uint32_t t = 0; t < node->type_count; t++) {
			len += (size_t)snprintf(text + len, sizeof(text) - len, " %s",
				rrtype_to_text(node->types[t], type_text));
		}
	}
	return text;
}
