/* world.c - zones first, then who serves them, then what is in them; chains for denials at the end. */
#include "replay/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/octets.h"
#include "dnssec/keyset.h"
#include "wire/rrtype.h"

#define ARENA_MAX      (8u << 20)
#define DEPTH_MAX      3u
#define LABELS_DEEP    5u
#define INFRASTRUCTURE 300u /* TTL of what leads to a zone */
#define SOA_MINIMUM    60u

static const char *const labels[] = {"a", "b", "c", "www", "mail", "x"};

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static uint32_t below(struct world *world, uint32_t bound)
{
	return random_below(&world->random, bound);
}

static bool one_in(struct world *world, uint32_t n)
{
	return below(world, n) == 0;
}

static bool per_cent(struct world *world, uint32_t share)
{
	return below(world, 100) < share;
}

void world_suffix(const struct name *name, uint32_t label_count, struct name *out)
{
	const uint8_t *suffix = name_suffix(name, label_count);

	out->len = (uint8_t)(name->octets + name->len - suffix);
	out->label_count = (uint8_t)label_count;
	memcpy(out->octets, suffix, out->len);
}

static void child_of(const struct name *parent, const char *label, struct name *out)
{
	uint8_t octets[64];
	uint32_t len = (uint32_t)strlen(label);

	octets[0] = (uint8_t)len;
	memcpy(octets + 1, label, len);
	ASSERT(name_join(octets, len + 1, 1, parent, out) == WIRE_OK);
}

/* ---- sets ---- */

/* There or not. */
static struct world_set *find_set(
	struct world *world, uint32_t zone, const struct name *owner, uint16_t type)
{
	struct world_zone *at = &world->zones[zone];

	for (uint32_t i = 0; i < at->set_count; i++) {
		if (at->sets[i].type == type && name_equal(&at->sets[i].owner, owner)) {
			return &at->sets[i];
		}
	}
	return NULL;
}

struct world_set *world_get(
	struct world *world, uint32_t zone, const struct name *owner, uint16_t type)
{
	struct world_set *set = find_set(world, zone, owner, type);

	return set != NULL && set->count > 0 ? set : NULL;
}

static int compare_rdata(const void *a, const void *b)
{
	const struct signer_rdata *left = a, *right = b;
	uint32_t least = left->len < right->len ? left->len : right->len;
	int diff = memcmp(left->octets, right->octets, least);

	return diff != 0 ? diff : (left->len > right->len) - (left->len < right->len);
}

static struct world_set *add(struct world *world, uint32_t zone, const struct name *owner,
	uint16_t type, const uint8_t *rdata, uint32_t len)
{
	static const uint32_t ttls[] = {1, 30, 300, 300, 3600, 86400};
	struct world_set *set = world_get(world, zone, owner, type);
	struct world_zone *at = &world->zones[zone];

	if (set == NULL) {
		if (at->set_count == WORLD_SETS_MAX) {
			return NULL;
		}
		set = &at->sets[at->set_count++];
		*set = (struct world_set){
			.owner = *owner, .type = type, .ttl = ttls[below(world, COUNT(ttls))]};
	}
	const struct signer_rdata record = {
		.octets = arena_copy(&world->arena, rdata, len), .len = len};
	ASSERT(record.octets != NULL);
	for (uint32_t i = 0; i < set->count; i++) {
		if (compare_rdata(&set->records[i], &record) == 0) {
			return set;
		}
	}
	if (set->count < WORLD_RDATAS_MAX) {
		set->records[set->count++] = record;
		qsort(set->records, set->count, sizeof(set->records[0]), compare_rdata);
	}
	return set;
}

static void add_name(struct world *world, uint32_t zone, const struct name *owner, uint16_t type,
	const struct name *target)
{
	struct world_set *set = add(world, zone, owner, type, target->octets, target->len);

	if (set != NULL && type == RRTYPE_NS) {
		set->ttl = INFRASTRUCTURE;
	}
}

/* ---- zones ---- */

static bool has_name(const struct world *world, const struct name *name)
{
	for (uint32_t i = 0; i < world->zone_count; i++) {
		if (name_equal(&world->zones[i].name, name)) {
			return true;
		}
	}
	return false;
}

static void choose_signing(struct world *world, struct world_zone *zone, bool is_root)
{
	static const enum world_signing kinds[] = {WORLD_NSEC, WORLD_NSEC, WORLD_NSEC, WORLD_NSEC3,
		WORLD_NSEC3, WORLD_OPT_OUT, WORLD_OPT_OUT};
	const struct world_zone *parent = &world->zones[zone->parent];

	if (!per_cent(world, is_root ? 92 : 65)) {
		zone->signing = WORLD_UNSIGNED;
		zone->status = WORLD_INSECURE;
		return;
	}
	zone->signing = kinds[below(world, COUNT(kinds))];
	zone->key = below(world, SIGNER_KEYS);
	zone->iterations = one_in(world, 3) ? below(world, 12) : 0;
	zone->salt_len = one_in(world, 2) ? 0 : 1 + below(world, sizeof(zone->salt));
	for (uint32_t i = 0; i < sizeof(zone->salt); i++) {
		zone->salt[i] = (uint8_t)below(world, 256);
	}
	zone->has_ds = is_root || (parent->signing != WORLD_UNSIGNED && per_cent(world, 85));
	if (!is_root && zone->has_ds && per_cent(world, 16)) {
		zone->fault = (enum world_fault)(1 + below(world, WORLD_FAULTS - 1));
	}
	enum world_status above = is_root ? WORLD_SECURE : parent->status;
	bool chained = zone->has_ds && zone->fault != WORLD_UNKNOWN_DS;
	zone->status = above != WORLD_SECURE        ? above
		       : !chained                   ? WORLD_INSECURE
		       : zone->fault != WORLD_SOUND ? WORLD_BOGUS
						    : WORLD_SECURE;
}

static void make_zone(struct world *world, uint32_t parent)
{
	struct world_zone *zone = &world->zones[world->zone_count];
	char label[8];

	*zone = (struct world_zone){.parent = parent, .dark_ms = WORLD_ALWAYS};
	if (world->zone_count == 0) {
		zone->name = (struct name){.len = 1};
		choose_signing(world, zone, true);
		world->zone_count = 1;
		return;
	}
	const struct world_zone *above = &world->zones[parent];
	struct name base = above->name;
	if (above->name.label_count > 0 && one_in(world, 4)) {
		child_of(&above->name, one_in(world, 2) ? "e" : "a", &base);
	}
	snprintf(label, sizeof(label), "z%u", below(world, 10));
	child_of(&base, label, &zone->name);
	if (has_name(world, &zone->name)) {
		return;
	}
	zone->depth = above->depth;
	zone->unreachable = above->unreachable;
	choose_signing(world, zone, false);
	if (zone->signing == WORLD_UNSIGNED) {
		zone->status = above->status == WORLD_BOGUS ? WORLD_BOGUS : WORLD_INSECURE;
	}
	world->zone_count++;
}

/* ---- servers ---- */

void world_address(uint32_t host, bool v6, uint8_t *out)
{
	memset(out, 0, v6 ? 16 : 4);
	if (v6) {
		out[0] = 0xfd;
		out[15] = (uint8_t)(host + 1);
	} else {
		out[0] = 10;
		out[1] = 1;
		out[3] = (uint8_t)(host + 1);
	}
}

void world_forwarder(uint32_t number, uint8_t *out)
{
	octets_put_u32(out, 0x0a020001u + number);
}

static void add_addresses(struct world *world, uint32_t zone, uint32_t host)
{
	const struct world_host *at = &world->hosts[host];
	uint8_t octets[16];

	world_address(host, false, octets);
	struct world_set *set = add(world, zone, &at->name, RRTYPE_A, octets, 4);
	ASSERT(set != NULL);
	set->ttl = INFRASTRUCTURE;
	if (at->has_v6) {
		world_address(host, true, octets);
		set = add(world, zone, &at->name, RRTYPE_AAAA, octets, 16);
		ASSERT(set != NULL);
		set->ttl = INFRASTRUCTURE;
	}
}

static uint32_t make_host(struct world *world, uint32_t zone, bool good)
{
	uint32_t number = world->host_count++;
	struct world_host *host = &world->hosts[number];
	struct world_zone *at = &world->zones[zone];
	char label[8];

	*host = (struct world_host){
		.zone = zone, .has_v6 = one_in(world, 2), .rtt_us = 1000 + below(world, 60000)};
	snprintf(label, sizeof(label), "ns%u", number);
	child_of(&at->name, label, &host->name);
	if (good) {
		host->manner = one_in(world, 2) ? WORLD_GOOD
						: (enum world_manner)below(world, WORLD_ANSWERS);
	} else {
		host->manner = (enum world_manner)below(world, WORLD_MANNERS);
	}
	if (host->manner == WORLD_NO_EDNS && at->signing != WORLD_UNSIGNED) {
		host->manner = WORLD_GOOD;
	}
	add_addresses(world, zone, number);
	return number;
}

static bool serves(const struct world_zone *zone, uint32_t host)
{
	for (uint32_t i = 0; i < zone->host_count; i++) {
		if (zone->hosts[i] == host) {
			return true;
		}
	}
	return false;
}

/* A host that was made for an earlier zone may serve this one, too. */
static bool may_serve(const struct world *world, const struct world_zone *zone, uint32_t host)
{
	const struct world_host *at = &world->hosts[host];
	const struct world_zone *home = &world->zones[at->zone];

	return !serves(zone, host) && !home->unreachable && home->depth < DEPTH_MAX &&
	       at->manner != WORLD_LIAR &&
	       (at->manner != WORLD_NO_EDNS || zone->signing == WORLD_UNSIGNED);
}

static void add_host(struct world *world, uint32_t zone, uint32_t host)
{
	struct world_zone *at = &world->zones[zone];
	const struct world_zone *home = &world->zones[world->hosts[host].zone];

	at->hosts[at->host_count++] = host;
	world->hosts[host].serves++;
	if (home->depth >= at->depth && world->hosts[host].zone != zone) {
		at->depth = home->depth + 1;
	}
}

static void choose_hosts(struct world *world, uint32_t number)
{
	struct world_zone *zone = &world->zones[number];
	uint32_t want = 1 + below(world, 3);
	bool dead = number > 2 && per_cent(world, 6);

	zone->unreachable |= dead;
	for (uint32_t i = 0; i < want; i++) {
		bool good = i == 0;
		uint32_t host = world->host_count > 0 ? below(world, world->host_count) : 0;
		bool elsewhere = number > 0 && one_in(world, 3) && !zone->unreachable &&
				 may_serve(world, zone, host) &&
				 (!good || world->hosts[host].manner < WORLD_ANSWERS);
		if (elsewhere) {
			add_host(world, number, host);
			continue;
		}
		if (world->host_count == WORLD_HOSTS_MAX) {
			break;
		}
		host = make_host(world, number, good);
		if (dead) {
			world->hosts[host].manner = one_in(world, 2) ? WORLD_DEAD : WORLD_REFUSES;
		}
		add_host(world, number, host);
	}
	ASSERT(zone->host_count > 0);
}

/* ---- what is in zones ---- */

static bool is_free(struct world *world, uint32_t zone, const struct name *owner, bool alias)
{
	const struct world_zone *at = &world->zones[zone];

	for (uint32_t i = 0; i < at->set_count; i++) {
		const struct world_set *set = &at->sets[i];
		if (name_equal(&set->owner, owner) && (alias || set->type == RRTYPE_CNAME)) {
			return false;
		}
		/* Nothing below a cut, no cut below data that would be at it. */
		if (set->type == RRTYPE_NS && set->owner.len != at->name.len &&
			name_is_below(owner, &set->owner)) {
			return false;
		}
		if (set->type == RRTYPE_DNAME && name_is_below(owner, &set->owner) &&
			owner->len != set->owner.len) {
			return false;
		}
	}
	return true;
}

static void random_owner(struct world *world, uint32_t zone, struct name *out)
{
	struct name base = world->zones[zone].name;
	uint32_t depth = 1 + (one_in(world, 4) ? 1 + below(world, 2) : 0);

	while (depth-- > 0) {
		child_of(&base, labels[below(world, COUNT(labels))], out);
		base = *out;
	}
	if (one_in(world, 7)) {
		child_of(&base, "*", out);
	}
}

/* Some name that may exist or not, anywhere. */
static void random_target(struct world *world, struct name *out)
{
	uint32_t zone = below(world, world->zone_count);

	if (one_in(world, 3)) {
		const struct world_zone *at = &world->zones[zone];
		*out = at->sets[below(world, at->set_count)].owner;
	} else {
		random_owner(world, zone, out);
	}
}

static void add_data(struct world *world, uint32_t zone)
{
	struct name owner, target;
	uint8_t rdata[NAME_LEN_MAX + 40];

	random_owner(world, zone, &owner);
	uint32_t choice = below(world, 10);
	if (one_in(world, 6) && choice > 1) {
		owner = world->zones[zone].name;
	}
	if (!is_free(world, zone, &owner, choice <= 1)) {
		return;
	}
	switch (choice) {
	case 0:
	case 1:
		random_target(world, &target);
		add_name(world, zone, &owner, RRTYPE_CNAME, &target);
		break;
	case 2:
		octets_put_u16(rdata, 10);
		random_target(world, &target);
		memcpy(rdata + 2, target.octets, target.len);
		(void)add(world, zone, &owner, RRTYPE_MX, rdata, target.len + 2u);
		break;
	case 3:
		memset(rdata, 't', 40);
		rdata[0] = (uint8_t)(1 + below(world, 39));
		(void)add(world, zone, &owner, RRTYPE_TXT, rdata, rdata[0] + 1u);
		break;
	case 4:
	case 5:
		memset(rdata, 0, 16);
		rdata[0] = 0x20;
		rdata[1] = 1;
		rdata[15] = (uint8_t)below(world, 256);
		(void)add(world, zone, &owner, RRTYPE_AAAA, rdata, 16);
		break;
	default:
		octets_put_u32(rdata, 0xc6336400u + below(world, 256));
		(void)add(world, zone, &owner, RRTYPE_A, rdata, 4);
		break;
	}
}

static void add_dname(struct world *world, uint32_t zone)
{
	struct name owner, target;

	child_of(&world->zones[zone].name, "dn", &owner);
	random_target(world, &target);
	if (!name_is_below(&target, &owner)) {
		add_name(world, zone, &owner, RRTYPE_DNAME, &target);
	}
}

static void add_apex(struct world *world, uint32_t zone)
{
	struct world_zone *at = &world->zones[zone];
	const struct name *first = &world->hosts[at->hosts[0]].name;
	uint8_t rdata[2 * NAME_LEN_MAX + 20], key[SIGNER_DNSKEY_LEN];

	memset(rdata, 0, sizeof(rdata));
	memcpy(rdata, first->octets, first->len);
	uint8_t *numbers = rdata + first->len + 1; /* the mailbox is the root */
	for (uint32_t i = 0; i < 5; i++) {
		octets_put_u32(numbers + 4 * i, i == 4 ? SOA_MINIMUM : 1000 * (i + 1));
	}
	struct world_set *soa =
		add(world, zone, &at->name, RRTYPE_SOA, rdata, first->len + 1u + 20u);
	ASSERT(soa != NULL);
	soa->ttl = INFRASTRUCTURE;
	for (uint32_t i = 0; i < at->host_count; i++) {
		add_name(world, zone, &at->name, RRTYPE_NS, &world->hosts[at->hosts[i]].name);
	}
	if (at->signing != WORLD_UNSIGNED) {
		signer_dnskey(at->key, key);
		(void)add(world, zone, &at->name, RRTYPE_DNSKEY, key, sizeof(key));
		if (one_in(world, 3)) {
			signer_dnskey((at->key + 1) % SIGNER_KEYS, key);
			(void)add(world, zone, &at->name, RRTYPE_DNSKEY, key, sizeof(key));
		}
		world_get(world, zone, &at->name, RRTYPE_DNSKEY)->ttl = INFRASTRUCTURE;
	}
}

/* The parent's side of a cut. */
static void add_cut(struct world *world, uint32_t child)
{
	const struct world_zone *zone = &world->zones[child];
	uint8_t key[SIGNER_DNSKEY_LEN], ds[KEYSET_DS_LEN];

	for (uint32_t i = 0; i < zone->host_count; i++) {
		add_name(world, zone->parent, &zone->name, RRTYPE_NS,
			&world->hosts[zone->hosts[i]].name);
	}
	if (zone->has_ds) {
		signer_dnskey(
			zone->fault == WORLD_WRONG_DS ? (zone->key + 2) % SIGNER_KEYS : zone->key,
			key);
		const struct rrset_rdata rdata = {.octets = key, .len = sizeof(key)};
		ASSERT(keyset_make_ds(&zone->name, &rdata, ds));
		if (zone->fault == WORLD_UNKNOWN_DS) {
			ds[2] = 200;
		}
		struct world_set *set =
			add(world, zone->parent, &zone->name, RRTYPE_DS, ds, sizeof(ds));
		ASSERT(set != NULL);
		set->ttl = INFRASTRUCTURE;
	}
}

/* ---- nodes and chains ---- */

static struct world_node *node_of(struct world_zone *zone, const struct name *name)
{
	for (uint32_t i = 0; i < zone->node_count; i++) {
		if (name_equal(&zone->nodes[i].name, name)) {
			return &zone->nodes[i];
		}
	}
	return NULL;
}

static struct world_node *add_node(struct world_zone *zone, const struct name *name)
{
	struct world_node *node = node_of(zone, name);

	if (node == NULL) {
		ASSERT(zone->node_count < COUNT(zone->nodes));
		node = &zone->nodes[zone->node_count++];
		*node = (struct world_node){.name = *name};
	}
	return node;
}

static void make_nodes(struct world_zone *zone)
{
	for (uint32_t i = 0; i < zone->set_count; i++) {
		const struct world_set *set = &zone->sets[i];
		bool at_cut = set->type == RRTYPE_NS && set->owner.len != zone->name.len;
		struct world_node *node = add_node(zone, &set->owner);
		node->is_cut |= at_cut;
		node->has_ds |= set->type == RRTYPE_DS;
		node->has_data |= !at_cut;
		for (uint32_t up = set->owner.label_count; up-- > zone->name.label_count;) {
			struct name above;
			world_suffix(&set->owner, up, &above);
			(void)add_node(zone, &above);
		}
	}
}

static bool is_chained(const struct world_zone *zone, const struct world_node *node)
{
	if (zone->signing == WORLD_NSEC) {
		return node->is_cut || node->has_data;
	}
	if (zone->signing == WORLD_NSEC3) {
		return true;
	}
	/* Opt-out: insecure delegations are left out, and what leads to nothing else. */
	for (uint32_t i = 0; i < zone->node_count; i++) {
		const struct world_node *below = &zone->nodes[i];
		if (name_is_below(&below->name, &node->name) &&
			(below->has_ds || (below->has_data && !below->is_cut))) {
			return true;
		}
	}
	return false;
}

static int compare_owners(const void *a, const void *b)
{
	const struct world_link *left = a, *right = b;

	return name_compare(&left->owner, &right->owner);
}

static int compare_hashes(const void *a, const void *b)
{
	const struct world_link *left = a, *right = b;

	return memcmp(left->hash, right->hash, SHA1_LEN);
}

static void make_chain(struct world_zone *zone)
{
	for (uint32_t i = 0; i < zone->node_count; i++) {
		if (!is_chained(zone, &zone->nodes[i])) {
			continue;
		}
		ASSERT(zone->link_count < WORLD_LINKS_MAX);
		struct world_link *link = &zone->links[zone->link_count++];
		const struct name *name = &zone->nodes[i].name;
		*link = (struct world_link){.owner = *name, .source = i};
		if (zone->signing != WORLD_NSEC) {
			sha1_nsec3(name->octets, name->len, zone->salt, zone->salt_len,
				zone->iterations, link->hash);
		}
	}
	qsort(zone->links, zone->link_count, sizeof(zone->links[0]),
		zone->signing == WORLD_NSEC ? compare_owners : compare_hashes);
}

static uint32_t put_bitmap(
	const struct world_zone *zone, const struct world_link *link, uint8_t *out)
{
	const struct world_node *node = &zone->nodes[link->source];
	uint8_t bits[32] = {0};
	uint32_t used = 0;

	for (uint32_t i = 0; i < zone->set_count; i++) {
		uint16_t type = zone->sets[i].type;
		if (zone->sets[i].count > 0 && name_equal(&zone->sets[i].owner, &node->name)) {
			bits[type / 8] |= (uint8_t)(0x80 >> type % 8);
		}
	}
	if (node->has_data || zone->signing == WORLD_NSEC) {
		bits[RRTYPE_RRSIG / 8] |= 0x80 >> RRTYPE_RRSIG % 8;
	}
	if (zone->signing == WORLD_NSEC) {
		bits[RRTYPE_NSEC / 8] |= 0x80 >> RRTYPE_NSEC % 8;
	}
	for (uint32_t i = 0; i < sizeof(bits); i++) {
		used = bits[i] != 0 ? i + 1 : used;
	}
	if (used == 0) {
		return 0;
	}
	out[0] = 0;
	out[1] = (uint8_t)used;
	memcpy(out + 2, bits, used);
	return used + 2;
}

static void hash_label(const uint8_t hash[SHA1_LEN], char out[33])
{
	for (uint32_t i = 0; i < 32; i++) {
		uint32_t value = 0;
		for (uint32_t bit = 5 * i; bit < 5 * i + 5; bit++) {
			value = value << 1 | (uint32_t)(hash[bit / 8] >> (7 - bit % 8) & 1);
		}
		out[i] = "0123456789abcdefghijklmnopqrstuv"[value];
	}
	out[32] = 0;
}

static void make_link_set(struct world *world, struct world_zone *zone, struct world_link *link)
{
	const struct world_link *next =
		link + 1 < zone->links + zone->link_count ? link + 1 : zone->links;
	uint8_t rdata[NAME_LEN_MAX + 64];
	uint32_t len = 0;
	struct world_set *set = arena_alloc(&world->arena, sizeof(*set));

	ASSERT(set != NULL);
	*set = (struct world_set){.owner = link->owner, .type = RRTYPE_NSEC, .ttl = SOA_MINIMUM};
	if (zone->signing == WORLD_NSEC) {
		memcpy(rdata, next->owner.octets, next->owner.len);
		len = next->owner.len;
	} else {
		char label[33];
		hash_label(link->hash, label);
		child_of(&zone->name, label, &set->owner);
		set->type = RRTYPE_NSEC3;
		rdata[0] = 1;
		rdata[1] = zone->signing == WORLD_OPT_OUT;
		octets_put_u16(rdata + 2, (uint16_t)zone->iterations);
		rdata[4] = (uint8_t)zone->salt_len;
		memcpy(rdata + 5, zone->salt, zone->salt_len);
		len = 5 + zone->salt_len;
		rdata[len++] = SHA1_LEN;
		memcpy(rdata + len, next->hash, SHA1_LEN);
		len += SHA1_LEN;
	}
	len += put_bitmap(zone, link, rdata + len);
	set->records[0] =
		(struct signer_rdata){.octets = arena_copy(&world->arena, rdata, len), .len = len};
	set->count = 1;
	link->set = set;
}

struct world_set *world_denial(
	struct world *world, uint32_t number, const struct name *name, bool match)
{
	struct world_zone *zone = &world->zones[number];
	struct world_link at = {.owner = *name};
	struct world_link *found = NULL;
	bool nsec = zone->signing == WORLD_NSEC;

	if (zone->link_count == 0) {
		return NULL;
	}
	if (!nsec) {
		sha1_nsec3(name->octets, name->len, zone->salt, zone->salt_len, zone->iterations,
			at.hash);
	}
	for (uint32_t i = 0; i < zone->link_count; i++) {
		struct world_link *link = &zone->links[i];
		int order = nsec ? compare_owners(link, &at) : compare_hashes(link, &at);
		if (order == 0 && !match) {
			return NULL; /* it exists */
		}
		if (match ? order == 0 : order < 0) {
			found = link;
		}
	}
	if (found == NULL && match) {
		return NULL;
	}
	found = found == NULL ? &zone->links[zone->link_count - 1] : found;
	if (found->set == NULL) {
		make_link_set(world, zone, found);
	}
	return found->set;
}

void world_sign(struct world *world, uint32_t number, struct world_set *set)
{
	struct world_zone *zone = &world->zones[number];
	struct signer_terms terms = {.zone = &zone->name,
		.key = zone->key,
		.inception = world->now_s - 3600,
		.expiration = world->now_s + WORLD_VALID_S,
		.ttl = set->ttl};

	if (set->sig_len != 0 || zone->signing == WORLD_UNSIGNED) {
		return;
	}
	if (zone->fault == WORLD_EXPIRED) {
		terms.inception = world->now_s - WORLD_VALID_S;
		terms.expiration = world->now_s - 3600;
	} else if (zone->fault == WORLD_NOT_YET) {
		terms.inception = world->now_s + WORLD_VALID_S / 2;
	}
	set->sig = arena_alloc(&world->arena, SIGNER_SIG_MAX);
	ASSERT(set->sig != NULL);
	set->sig_len =
		signer_sign(&terms, &set->owner, set->type, set->records, set->count, set->sig);
	if (zone->fault == WORLD_CORRUPT || set->is_broken) {
		set->sig[set->sig_len - 5] ^= 0x40;
	}
}

/* ---- looking up ---- */

bool world_target(const struct world_set *set, const struct name *name, struct name *out)
{
	struct name target = {.len = (uint8_t)set->records[0].len};

	memcpy(target.octets, set->records[0].octets, target.len);
	for (uint32_t at = 0; target.octets[at] != 0; at += target.octets[at] + 1u) {
		target.label_count++;
	}
	if (set->type == RRTYPE_CNAME) {
		*out = target;
		return true;
	}
	struct name prefix = *name;
	return name_join(prefix.octets, (uint32_t)prefix.len - set->owner.len,
		       (uint32_t)prefix.label_count - set->owner.label_count, &target,
		       out) == WIRE_OK;
}

uint32_t world_zone_of(const struct world *world, const struct name *name, uint16_t type)
{
	uint32_t best = 0;

	for (uint32_t i = 0; i < world->zone_count; i++) {
		const struct world_zone *zone = &world->zones[i];
		bool above = name_is_below(name, &zone->name) &&
			     (type != RRTYPE_DS || name->len != zone->name.len || name->len == 1);
		if (above && zone->name.label_count >= world->zones[best].name.label_count) {
			best = i;
		}
	}
	return best;
}

/* The cut, or the DNAME, above a name, the highest first; at the name itself DS is the zone's. */
static bool find_border(struct world *world, uint32_t number, const struct name *name,
	uint16_t type, struct world_found *out)
{
	const struct world_zone *zone = &world->zones[number];

	for (uint32_t i = zone->name.label_count; i <= name->label_count; i++) {
		struct name at;
		world_suffix(name, i, &at);
		struct world_set *ns = world_get(world, number, &at, RRTYPE_NS);
		struct world_set *dname = world_get(world, number, &at, RRTYPE_DNAME);
		if (ns != NULL && i > zone->name.label_count &&
			(type != RRTYPE_DS || i < name->label_count)) {
			out->kind = WORLD_REFERRAL;
			out->set = ns;
			return true;
		}
		if (dname != NULL && i < name->label_count) {
			out->kind = WORLD_DNAME;
			out->set = dname;
			return true;
		}
	}
	return false;
}

/* Whatever there is; NULL: nothing. */
static struct world_set *first_at(struct world_zone *zone, const struct name *owner)
{
	for (uint32_t i = 0; i < zone->set_count; i++) {
		if (zone->sets[i].count > 0 && name_equal(&zone->sets[i].owner, owner)) {
			return &zone->sets[i];
		}
	}
	return NULL;
}

static void find_at(struct world *world, uint32_t zone, const struct name *owner, uint16_t type,
	struct world_found *out)
{
	struct world_set *cname = world_get(world, zone, owner, RRTYPE_CNAME);

	out->leaf = find_set(world, zone, owner, type);
	out->set = type == RRTYPE_ANY ? first_at(&world->zones[zone], owner)
				      : world_get(world, zone, owner, type);
	out->kind = out->set != NULL ? WORLD_ANSWER : WORLD_NODATA;
	if (out->set == NULL && cname != NULL) {
		out->kind = WORLD_CNAME;
		out->set = cname;
	}
}

void world_find(struct world *world, uint32_t number, const struct name *name, uint16_t type,
	struct world_found *out)
{
	struct world_zone *zone = &world->zones[number];
	struct name star;

	*out = (struct world_found){.kind = WORLD_NODATA};
	if (find_border(world, number, name, type, out)) {
		return;
	}
	if (node_of(zone, name) != NULL) {
		find_at(world, number, name, type, out);
		return;
	}
	uint32_t up = name->label_count - 1u;
	for (;; up--) {
		world_suffix(name, up, &out->encloser);
		if (node_of(zone, &out->encloser) != NULL) {
			break;
		}
	}
	world_suffix(name, up + 1, &out->closer);
	child_of(&out->encloser, "*", &star);
	if (node_of(zone, &star) != NULL) {
		find_at(world, number, &star, type, out);
		out->from_wildcard = true;
		return;
	}
	out->kind = WORLD_NXDOMAIN;
}

/* ---- what happens ---- */

/* Another set at the owner keeps its node as it is. */
static bool has_other(const struct world_zone *zone, const struct world_set *set)
{
	for (uint32_t i = 0; i < zone->set_count; i++) {
		const struct world_set *other = &zone->sets[i];
		if (other != set && other->count > 0 && name_equal(&other->owner, &set->owner)) {
			return true;
		}
	}
	return false;
}

static bool is_host(const struct world *world, const struct name *name)
{
	for (uint32_t i = 0; i < world->host_count; i++) {
		if (name_equal(&world->hosts[i].name, name)) {
			return true;
		}
	}
	return false;
}

static bool may_change(const struct world *world, const struct world_set *set)
{
	return (set->type == RRTYPE_A || set->type == RRTYPE_AAAA || set->type == RRTYPE_TXT) &&
	       !set->is_broken && !is_host(world, &set->owner);
}

/* Other records, no two of them equal; their order may be another one, too. */
static void renew_records(struct world *world, struct world_set *set)
{
	const uint8_t flip = (uint8_t)(0x80 >> below(world, 3));

	for (uint32_t i = 0; i < set->count; i++) {
		struct signer_rdata *record = &set->records[i];
		uint8_t *octets = arena_copy(&world->arena, record->octets, record->len);
		ASSERT(octets != NULL);
		octets[record->len - 1] ^= flip;
		record->octets = octets;
	}
	qsort(set->records, set->count, sizeof(set->records[0]), compare_rdata);
}

bool world_change(struct world *world, int64_t now_ms)
{
	struct world_zone *zone = &world->zones[below(world, world->zone_count)];
	struct world_set *set = &zone->sets[below(world, zone->set_count)];

	if (!may_change(world, set)) {
		return false;
	}
	struct world_set *before = arena_alloc(&world->arena, sizeof(*before));
	ASSERT(before != NULL);
	*before = *set;
	before->until_ms = now_ms;
	set->before = before;
	set->sig_len = 0;
	if (set->count == 0) {
		const struct world_set *last = before->before; /* it was there once */
		set->count = last->count;
		memcpy(set->records, last->records, sizeof(set->records));
		renew_records(world, set);
	} else if (one_in(world, 2) && has_other(zone, set)) {
		set->count = 0;
	} else {
		renew_records(world, set);
	}
	for (uint32_t i = 0; i < zone->link_count; i++) {
		if (name_equal(&zone->nodes[zone->links[i].source].name, &set->owner)) {
			zone->links[i].set = NULL;
		}
	}
	return true;
}

static void look_for_dark(struct world *world, int64_t now_ms)
{
	for (uint32_t i = 0; i < world->zone_count; i++) {
		struct world_zone *zone = &world->zones[i];
		uint32_t up = 0;
		for (uint32_t h = 0; h < zone->host_count; h++) {
			up += !world->hosts[zone->hosts[h]].is_down;
		}
		if (up > 0) {
			zone->dark_ms = WORLD_ALWAYS;
		} else if (zone->dark_ms == WORLD_ALWAYS) {
			zone->dark_ms = now_ms;
		}
	}
}

void world_break(struct world *world, uint32_t zone, int64_t now_ms)
{
	for (uint32_t i = 0; i < world->zone_count; i++) {
		for (uint32_t h = 0;
			(i == zone || zone == UINT32_MAX) && h < world->zones[i].host_count; h++) {
			world->hosts[world->zones[i].hosts[h]].is_down = true;
		}
	}
	look_for_dark(world, now_ms);
}

void world_mend(struct world *world)
{
	for (uint32_t i = 0; i < world->host_count; i++) {
		world->hosts[i].is_down = false;
	}
	look_for_dark(world, 0);
}

bool world_has_manner(const struct world *world, const struct name *name, enum world_manner manner)
{
	for (uint32_t i = 0; i < world->zone_count; i++) {
		const struct world_zone *zone = &world->zones[i];
		for (uint32_t h = 0; name_is_below(name, &zone->name) && h < zone->host_count;
			h++) {
			if (world->hosts[zone->hosts[h]].manner == manner) {
				return true;
			}
		}
	}
	return false;
}

bool world_is_whole(const struct world *world)
{
	for (uint32_t i = 0; i < world->host_count; i++) {
		if (world->hosts[i].is_down) {
			return false;
		}
	}
	return true;
}

/* ---- all of it ---- */

void world_make(struct world *world, uint64_t seed, uint32_t now_s)
{
	world->now_s = now_s;
	world->zone_count = world->host_count = 0;
	random_init(&world->random, seed);
	arena_init(&world->arena, ARENA_MAX);
	uint32_t tlds = 1 + below(world, 3), rest = 3 + below(world, 9);
	make_zone(world, 0);
	choose_hosts(world, 0);
	world->hosts[world->zones[0].hosts[0]].manner = WORLD_GOOD;
	for (uint32_t i = 0; i < tlds + rest && world->zone_count < WORLD_ZONES_MAX; i++) {
		uint32_t parent = 0, before = world->zone_count;
		if (i >= tlds) {
			parent = 1 + below(world, world->zone_count - 1);
		}
		if (world->zones[parent].name.label_count > LABELS_DEEP) {
			continue;
		}
		make_zone(world, parent);
		if (world->zone_count > before) {
			choose_hosts(world, before);
		}
	}
	for (uint32_t i = 0; i < world->zone_count; i++) {
		add_apex(world, i);
		if (i > 0) {
			add_cut(world, i);
		}
	}
	for (uint32_t i = 0; i < world->zone_count; i++) {
		for (uint32_t n = 3 + below(world, 9); n > 0 && i > 0; n--) {
			add_data(world, i);
		}
		if (i > 0 && one_in(world, 4)) {
			add_dname(world, i);
		}
	}
	for (uint32_t i = 0; i < world->zone_count; i++) {
		struct world_zone *zone = &world->zones[i];
		make_nodes(zone);
		if (zone->signing != WORLD_UNSIGNED) {
			make_chain(zone);
		}
		struct world_set *set = &zone->sets[below(world, zone->set_count)];
		set->is_broken = one_in(world, 8) && set->type != RRTYPE_NS &&
				 set->type != RRTYPE_SOA && set->type != RRTYPE_DNSKEY &&
				 set->type != RRTYPE_DS;
	}
}

void world_fini(struct world *world)
{
	arena_fini(&world->arena);
}
