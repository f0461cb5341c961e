/* spans.c - zones by name, and how their records make a proof. */
#include "resolve/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/now.h"
#include "base/octets.h"
#include "dnssec/absence.h"
#include "dnssec/nsec.h"
#include "dnssec/nsec3.h"
#include "resolve/core.h"
#include "resolve/search.h"
#include "resolve/spanlist.h"
#include "wire/hashlabel.h"
#include "wire/rrtype.h"

#define META_TYPES_FIRST 128u /* to 255: of questions alone, RFC 6895 sec 3.1 */
#define META_TYPES_LAST  255u
#define CHAINS           1024u /* twice as many as zones */
#define PROOF_SETS_MAX   3u    /* RFC 5155 sec 8.4: encloser, next closer name, wildcard */

struct zone {
	struct name name;  /* lower case; empty: the place is free */
	struct zone *next; /* of one chain */
	struct rrset *soa; /* owns */
	int64_t soa_expires_ms;
	int64_t asked_ms;
	struct spanlist names;  /* NSEC */
	struct spanlist hashes; /* NSEC3 of one chain */
};

struct spans {
	uint64_t size, octets;
	uint32_t count;
	struct zone *chains[CHAINS]; /* by the hash of the name */
	struct zone zones[SPANS_ZONES_MAX];
};

/* What is to go out: the records that make up a proof. */
struct proof {
	uint32_t count;
	const struct span *spans[PROOF_SETS_MAX];
};

struct spans *spans_new(uint64_t size)
{
	struct spans *spans = calloc(1, sizeof(*spans));

	if (spans != NULL) {
		spans->size = size;
	}
	return spans;
}

uint64_t spans_octets(const struct spans *spans)
{
	return spans->octets;
}

static uint64_t zone_octets(const struct zone *zone)
{
	return zone->names.octets + zone->hashes.octets + (zone->soa != NULL ? zone->soa->len : 0);
}

static void zone_clear(struct spans *spans, struct zone *zone)
{
	spans->octets -= zone_octets(zone);
	spanlist_clear(&zone->names);
	spanlist_clear(&zone->hashes);
	free(zone->soa);
	*zone = (struct zone){.asked_ms = 0};
}

void spans_free(struct spans *spans)
{
	if (spans != NULL) {
		for (uint32_t i = 0; i < spans->count; i++) {
			zone_clear(spans, &spans->zones[i]);
		}
		free(spans);
	}
}

static struct zone **chain_of(struct spans *spans, const uint8_t *name, uint32_t len)
{
	uint64_t hash = 0;

	for (uint32_t i = 0; i < len; i++) {
		hash = (hash ^ name[i]) * 0x100000001b3u;
	}
	return &spans->chains[(hash ^ hash >> 32) % CHAINS];
}

static struct zone *find_zone(struct spans *spans, const uint8_t *name, uint32_t len)
{
	struct zone *zone = *chain_of(spans, name, len);

	while (zone != NULL &&
		(zone->name.len != len || memcmp(zone->name.octets, name, len) != 0)) {
		zone = zone->next;
	}
	return zone;
}

/* Its place is the first to be taken again. */
static void drop_zone(struct spans *spans, struct zone *zone)
{
	struct zone **at = chain_of(spans, zone->name.octets, zone->name.len);

	while (*at != NULL && *at != zone) {
		at = &(*at)->next;
	}
	if (*at == zone) {
		*at = zone->next;
	}
	zone_clear(spans, zone);
}

/* The zone that was asked the longest time ago, but for one; NULL: no other has anything. */
static struct zone *oldest_but(struct spans *spans, const struct zone *kept)
{
	struct zone *oldest = NULL;

	for (uint32_t i = 0; i < spans->count; i++) {
		struct zone *zone = &spans->zones[i];
		if (zone != kept && zone->name.len != 0 &&
			(oldest == NULL || zone->asked_ms < oldest->asked_ms)) {
			oldest = zone;
		}
	}
	return oldest;
}

static struct zone *free_place(struct spans *spans)
{
	if (spans->count < SPANS_ZONES_MAX) {
		return &spans->zones[spans->count++];
	}
	for (uint32_t i = 0; i < spans->count; i++) {
		if (spans->zones[i].name.len == 0) {
			return &spans->zones[i];
		}
	}
	struct zone *oldest = oldest_but(spans, NULL);
	drop_zone(spans, oldest);
	return oldest;
}

static struct zone *zone_of(struct spans *spans, const struct name *name, int64_t now_ms)
{
	struct zone *zone = find_zone(spans, name->octets, name->len);

	if (zone == NULL) {
		zone = free_place(spans);
		zone->name = *name;
		zone->asked_ms = now_ms;
		struct zone **chain = chain_of(spans, name->octets, name->len);
		zone->next = *chain;
		*chain = zone;
	}
	return zone;
}

static void keep_soa(struct zone *zone, const struct rrset *set, int64_t expires_ms)
{
	free(zone->soa);
	zone->soa = malloc(set->len);
	if (zone->soa != NULL) {
		memcpy(zone->soa, set, set->len);
	}
	zone->soa_expires_ms = expires_ms;
}

/* An NSEC3 that can prove something to others; a zone has one chain, and a new one takes the old one's place. */
static bool is_useful_nsec3(struct zone *zone, const struct rrset *set)
{
	struct nsec3 nsec3, first;

	if (!nsec3_read(set, zone->name.label_count, &nsec3) ||
		(nsec3.flags & NSEC3_OPT_OUT) != 0 || nsec3.iterations > DNSSEC_ITERATIONS_MAX) {
		return false;
	}
	if (zone->hashes.count > 0 &&
		(!nsec3_read(zone->hashes.spans[0].set, zone->name.label_count, &first) ||
			!nsec3_same_chain(&nsec3, &first))) {
		spanlist_clear(&zone->hashes);
	}
	return true;
}

void spans_learn(struct spans *spans, struct resolve *core, const struct name *zone_name,
	const struct rrset *const *sets, const uint32_t *ttls, uint32_t count)
{
	int64_t now_ms = core_now_ms(core);
	uint32_t most_s = core->config.negative_ttl_max_s; /* RFC 9077: as long as a denial */
	struct name lower = *zone_name;

	name_lower(&lower);
	struct zone *zone = zone_of(spans, &lower, now_ms);
	spans->octets -= zone_octets(zone);
	for (uint32_t i = 0; i < count; i++) {
		most_s = ttls[i] < most_s ? ttls[i] : most_s;
	}
	for (uint32_t i = 0; i < count; i++) {
		int64_t expires_ms = now_ms + most_s * (int64_t)1000;
		uint32_t records = spans->octets < spans->size ? SPANS_A_ZONE_MAX : 1;
		if (sets[i]->type == RRTYPE_SOA) {
			keep_soa(zone, sets[i], expires_ms);
		} else if (sets[i]->type == RRTYPE_NSEC) {
			spanlist_add(&zone->names, sets[i], expires_ms, records);
		} else if (sets[i]->type == RRTYPE_NSEC3 && is_useful_nsec3(zone, sets[i])) {
			spanlist_add(&zone->hashes, sets[i], expires_ms, records);
		}
	}
	spans->octets += zone_octets(zone);
	for (struct zone *oldest;
		spans->octets > spans->size && (oldest = oldest_but(spans, zone)) != NULL;) {
		drop_zone(spans, oldest);
	}
}

static void add(struct proof *proof, const struct span *span)
{
	for (uint32_t i = 0; i < proof->count; i++) {
		if (proof->spans[i] == span) {
			return;
		}
	}
	if (span != NULL && proof->count < PROOF_SETS_MAX) {
		proof->spans[proof->count++] = span;
	}
}

/* The record over the name, and that over the wildcard that would stand for it. */
static void find_names(
	const struct zone *zone, const struct name *name, int64_t now_ms, struct proof *proof)
{
	const struct span *over = spanlist_before(&zone->names, name, now_ms);
	struct name encloser, star;

	if (over == NULL || !nsec_encloser(over->set, name, &encloser)) {
		return;
	}
	add(proof, over);
	if (encloser.label_count >= zone->name.label_count && name_wildcard(&encloser, &star)) {
		add(proof, spanlist_before(&zone->names, &star, now_ms));
	}
}

/* The record of a hash, or the one before it; matched: it is that of the name. NULL: none, or enough was hashed. */
static const struct span *find_hash(const struct zone *zone, const struct nsec3 *chain,
	const struct name *name, int64_t now_ms, struct dnssec_budget *budget, bool *matched)
{
	uint8_t hash[HASHLABEL_HASH_LEN], label[HASHLABEL_LEN];
	struct name owner, found;

	*matched = false;
	if (budget->hashes == 0) {
		return NULL;
	}
	budget->hashes--;
	nsec3_hash(chain, name, hash);
	hashlabel_write(hash, label);
	if (name_join(label, sizeof(label), 1, &zone->name, &owner) != WIRE_OK) {
		return NULL;
	}
	const struct span *span = spanlist_before(&zone->hashes, &owner, now_ms);
	if (span != NULL) {
		rrset_owner(span->set, &found);
		*matched = name_equal(&found, &owner);
	}
	return span;
}

/* The record of the name; or those of its closest encloser, over the next closer name and over or of the wildcard. */
static void find_hashes(
	const struct zone *zone, const struct name *name, int64_t now_ms, struct proof *proof)
{
	struct dnssec_budget budget = {.hashes = DNSSEC_HASHES_A_PROOF};
	const struct span *closer = NULL;
	struct nsec3 chain;
	struct name at, star;
	bool matched;

	if (zone->hashes.count == 0 ||
		!nsec3_read(zone->hashes.spans[0].set, zone->name.label_count, &chain)) {
		return;
	}
	for (uint32_t labels = name->label_count;; labels--) {
		name_ancestor(name, labels, &at);
		const struct span *span = find_hash(zone, &chain, &at, now_ms, &budget, &matched);
		if (matched) {
			add(proof, span);
			break;
		}
		if (span == NULL || labels == zone->name.label_count) {
			return;
		}
		closer = span;
	}
	if (closer != NULL && name_wildcard(&at, &star)) {
		add(proof, closer);
		add(proof, find_hash(zone, &chain, &star, now_ms, &budget, &matched));
	}
}

/* Whatever was found, whether it proves anything is decided where all proofs are judged. */
static bool judge(const struct zone *zone, const struct proof *proof, const struct name *name,
	uint16_t type, enum search_end *end_out)
{
	struct absence absence = {.zone = &zone->name};
	struct dnssec_budget budget = {.hashes = DNSSEC_HASHES_A_PROOF};

	for (uint32_t i = 0; i < proof->count; i++) {
		absence.sets[absence.count++] = proof->spans[i]->set;
	}
	*end_out = SEARCH_NXDOMAIN;
	if (absence_of_name(&absence, name, &budget) == ABSENCE_PROVEN) {
		return true;
	}
	*end_out = SEARCH_NODATA;
	return absence_of_type(&absence, name, type, &budget) == ABSENCE_PROVEN;
}

static bool put(struct search_result *out, struct arena *arena, const struct rrset *set,
	int64_t expires_ms, int64_t now_ms)
{
	uint32_t ttl = (uint32_t)((expires_ms - now_ms + 999) / 1000);

	out->sets[out->set_count] = rrset_copy(arena, set);
	if (out->sets[out->set_count] == NULL) {
		return false;
	}
	out->ttls[out->set_count++] = ttl;
	out->ttl_s = ttl < out->ttl_s ? ttl : out->ttl_s;
	return true;
}

static bool deny(const struct zone *zone, const struct name *name, uint16_t type,
	struct arena *arena, int64_t now_ms, struct search_result *out)
{
	struct proof proof = {.count = 0};

	find_names(zone, name, now_ms, &proof);
	if (proof.count == 0 || !judge(zone, &proof, name, type, &out->end)) {
		proof.count = 0;
		find_hashes(zone, name, now_ms, &proof);
		if (proof.count == 0 || !judge(zone, &proof, name, type, &out->end)) {
			return false;
		}
	}
	bool all = put(out, arena, zone->soa, zone->soa_expires_ms, now_ms);
	for (uint32_t i = 0; all && i < proof.count; i++) {
		all = put(out, arena, proof.spans[i]->set, proof.spans[i]->expires_ms, now_ms);
	}
	return all;
}

static bool has_records(const struct zone *zone)
{
	return zone->names.count + zone->hashes.count > 0;
}

bool spans_deny(struct spans *spans, struct resolve *core, const struct name *name, uint16_t type,
	struct arena *arena, struct search_result *out)
{
	int64_t now_ms = core_now_ms(core);
	struct zone *best = NULL;

	if (type >= META_TYPES_FIRST && type <= META_TYPES_LAST) {
		return false; /* no record says that they are not there */
	}
	/* The closest zone that was ever heard of at or above the name, for DS above it. */
	for (uint32_t at = type == RRTYPE_DS && name->len > 1 ? name->octets[0] + 1u : 0;
		at < name->len && (best == NULL || !has_records(best));
		at += name->octets[at] + 1u) {
		best = find_zone(spans, name->octets + at, name->len - at);
	}
	if (best == NULL || !has_records(best) || best->soa == NULL ||
		best->soa_expires_ms <= now_ms) {
		return false;
	}
	best->asked_ms = now_ms;
	*out = (struct search_result){.end = SEARCH_FAILED,
		.status = DNSSEC_SECURE,
		.ede = EDE_NONE,
		.ttl_s = UINT32_MAX};
	return deny(best, name, type, arena, now_ms, out);
}

void spans_forget(struct spans *spans, const struct name *name)
{
	for (uint32_t i = 0; i < spans->count; i++) {
		struct zone *zone = &spans->zones[i];
		if (zone->name.len != 0 &&
			(name_is_below(&zone->name, name) || name_is_below(name, &zone->name))) {
			drop_zone(spans, zone);
		}
	}
}
