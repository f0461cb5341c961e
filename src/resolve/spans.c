/* spans.c - a list of zones, each with a sorted array of spans. */
#include "resolve/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/now.h"
#include "base/octets.h"
#include "base/reader.h"
#include "dnssec/absence.h"
#include "resolve/core.h"
#include "resolve/search.h"
#include "wire/rrtype.h"

#define SOA_MINIMUM_LEN 4u
#define CHAINS          1024u /* twice as many as zones */

/* One NSEC: the names from its owner to the next. */
struct span {
	struct rrset *set; /* owns */
	int64_t expires_ms;
};

struct zone {
	struct name name;  /* lower case */
	struct zone *next; /* of one chain */
	struct rrset *soa; /* owns */
	int64_t soa_expires_ms;
	int64_t asked_ms;
	struct span *spans; /* owns: by owner, in canonical order */
	uint32_t count, cap;
};

struct spans {
	struct zone zones[SPANS_ZONES_MAX];
	uint32_t count;
	struct zone *chains[CHAINS]; /* by the hash of the name */
};

struct spans *spans_new(void)
{
	return calloc(1, sizeof(struct spans));
}

static void zone_clear(struct zone *zone)
{
	for (uint32_t i = 0; i < zone->count; i++) {
		free(zone->spans[i].set);
	}
	free(zone->spans);
	free(zone->soa);
	*zone = (struct zone){.count = 0};
}

void spans_free(struct spans *spans)
{
	if (spans != NULL) {
		for (uint32_t i = 0; i < spans->count; i++) {
			zone_clear(&spans->zones[i]);
		}
		free(spans);
	}
}

static struct rrset *copy(const struct rrset *set)
{
	struct rrset *out = malloc(set->len);

	if (out != NULL) {
		memcpy(out, set, set->len);
	}
	return out;
}

/* Where a name belongs: the first span whose owner is behind it. */
static uint32_t place_of(const struct zone *zone, const struct name *name)
{
	uint32_t low = 0, high = zone->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		struct name owner;
		rrset_owner(zone->spans[middle].set, &owner);
		if (name_compare(&owner, name) > 0) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return low;
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

static void unchain(struct spans *spans, struct zone *zone)
{
	struct zone **at = chain_of(spans, zone->name.octets, zone->name.len);

	while (*at != NULL && *at != zone) {
		at = &(*at)->next;
	}
	if (*at == zone) {
		*at = zone->next;
	}
}

static struct zone *zone_of(struct spans *spans, const struct name *name, int64_t now_ms)
{
	struct zone *found = find_zone(spans, name->octets, name->len);
	struct zone *oldest = &spans->zones[0];

	if (found != NULL) {
		return found;
	}
	if (spans->count < SPANS_ZONES_MAX) {
		oldest = &spans->zones[spans->count++];
	} else {
		for (uint32_t i = 1; i < spans->count; i++) {
			oldest = spans->zones[i].asked_ms < oldest->asked_ms ? &spans->zones[i]
									     : oldest;
		}
		unchain(spans, oldest);
	}
	zone_clear(oldest);
	oldest->name = *name;
	oldest->asked_ms = now_ms;
	struct zone **chain = chain_of(spans, name->octets, name->len);
	oldest->next = *chain;
	*chain = oldest;
	return oldest;
}

static void add_span(struct zone *zone, const struct rrset *set, int64_t expires_ms)
{
	struct name owner, before;

	rrset_owner(set, &owner);
	uint32_t at = place_of(zone, &owner);
	struct rrset *kept = copy(set);
	if (kept == NULL) {
		return;
	}
	if (at > 0) {
		rrset_owner(zone->spans[at - 1].set, &before);
		if (name_equal(&before, &owner)) {
			free(zone->spans[at - 1].set);
			zone->spans[at - 1] = (struct span){.set = kept, .expires_ms = expires_ms};
			return;
		}
	}
	if (zone->count == SPANS_A_ZONE_MAX) {
		/* Its neighbour makes room. */
		uint32_t victim = at == zone->count ? at - 1 : at;
		free(zone->spans[victim].set);
		zone->spans[victim] = (struct span){.set = kept, .expires_ms = expires_ms};
		return;
	}
	if (zone->count == zone->cap) {
		uint32_t cap = zone->cap == 0 ? 8 : 2 * zone->cap;
		struct span *grown = realloc(zone->spans, cap * sizeof(grown[0]));
		if (grown == NULL) {
			free(kept);
			return;
		}
		zone->spans = grown;
		zone->cap = cap;
	}
	memmove(&zone->spans[at + 1], &zone->spans[at],
		(zone->count - at) * sizeof(zone->spans[0]));
	zone->spans[at] = (struct span){.set = kept, .expires_ms = expires_ms};
	zone->count++;
}

void spans_learn(
	struct spans *spans, struct resolve *core, const struct rrset *const *sets, uint32_t count)
{
	int64_t now_ms = core_now_ms(core);
	struct name signer;

	if (count == 0 || sets[0]->type != RRTYPE_SOA) {
		return;
	}
	rrset_owner(sets[0], &signer);
	name_lower(&signer);
	struct zone *zone = zone_of(spans, &signer, now_ms);
	free(zone->soa);
	zone->soa = copy(sets[0]);
	struct rrset_rdata rdata = rrset_first(sets[0]);
	uint32_t most = rdata.len < SOA_MINIMUM_LEN
				? 0
				: octets_get_u32(rdata.octets + rdata.len - SOA_MINIMUM_LEN);
	most = sets[0]->ttl < most ? sets[0]->ttl : most;
	most = core->config.negative_ttl_max_s < most ? core->config.negative_ttl_max_s : most;
	zone->soa_expires_ms = now_ms + most * (int64_t)1000;
	for (uint32_t i = 1; i < count; i++) {
		if (sets[i]->type == RRTYPE_NSEC) {
			/* RFC 9077: not longer than a negative answer. */
			uint32_t ttl = sets[i]->ttl < most ? sets[i]->ttl : most;
			add_span(zone, sets[i], now_ms + ttl * (int64_t)1000);
		}
	}
}

static const struct span *span_over(
	const struct zone *zone, const struct name *name, int64_t now_ms)
{
	uint32_t at = place_of(zone, name);

	return at > 0 && zone->spans[at - 1].expires_ms > now_ms ? &zone->spans[at - 1] : NULL;
}

static bool put(struct search_result *out, struct arena *arena, const struct rrset *set,
	int64_t expires_ms, int64_t now_ms)
{
	uint32_t ttl = (uint32_t)((expires_ms - now_ms + 999) / 1000);

	for (uint32_t i = 0; i < out->set_count; i++) {
		if (out->sets[i]->type == set->type && out->sets[i]->len == set->len &&
			memcmp(out->sets[i], set, set->len) == 0) {
			return true;
		}
	}
	out->sets[out->set_count] = rrset_copy(arena, set);
	if (out->sets[out->set_count] == NULL) {
		return false;
	}
	out->ttls[out->set_count++] = ttl;
	out->ttl_s = ttl < out->ttl_s ? ttl : out->ttl_s;
	return true;
}

/* What the span over a name, and that over the wildcard that would stand for it, prove together. */
static bool deny(const struct zone *zone, const struct name *name, uint16_t type,
	struct arena *arena, int64_t now_ms, struct search_result *out)
{
	static const uint8_t star_label[2] = {1, '*'};
	struct absence absence = {.zone = &zone->name};
	struct dnssec_budget budget = {.hashes = 0};
	const struct span *over = span_over(zone, name, now_ms);
	const struct span *wild = NULL;
	struct name star;

	if (over == NULL) {
		return false;
	}
	absence.sets[absence.count++] = over->set;
	/* The closest encloser is an ancestor; the span over its wildcard is looked for from the name upwards. */
	for (uint32_t labels = name->label_count; labels-- > zone->name.label_count;) {
		struct name above;
		const uint8_t *suffix = name_suffix(name, labels);
		above.len = (uint8_t)(name->octets + name->len - suffix);
		above.label_count = (uint8_t)labels;
		memcpy(above.octets, suffix, above.len);
		if (name_join(star_label, sizeof(star_label), 1, &above, &star) != WIRE_OK) {
			continue;
		}
		wild = span_over(zone, &star, now_ms);
		absence.count = 1;
		if (wild != NULL && wild != over) {
			absence.sets[absence.count++] = wild->set;
		}
		if (absence_of_name(&absence, name, &budget) == ABSENCE_PROVEN) {
			out->end = SEARCH_NXDOMAIN;
			break;
		}
		if (absence_of_type(&absence, name, type, &budget) == ABSENCE_PROVEN) {
			out->end = SEARCH_NODATA;
			break;
		}
		if (labels == zone->name.label_count) {
			return false;
		}
	}
	if (out->end != SEARCH_NXDOMAIN && out->end != SEARCH_NODATA) {
		return false;
	}
	return put(out, arena, zone->soa, zone->soa_expires_ms, now_ms) &&
	       put(out, arena, over->set, over->expires_ms, now_ms) &&
	       (absence.count < 2 || put(out, arena, wild->set, wild->expires_ms, now_ms));
}

bool spans_deny(struct spans *spans, struct resolve *core, const struct name *name, uint16_t type,
	struct arena *arena, struct search_result *out)
{
	int64_t now_ms = core_now_ms(core);
	struct zone *best = NULL;

	/* The closest zone above the name that was ever heard of. */
	for (uint32_t at = 0; at < name->len && (best == NULL || best->count == 0);
		at += name->octets[at] + 1u) {
		best = find_zone(spans, name->octets + at, name->len - at);
	}
	if (best == NULL || best->count == 0 || best->soa == NULL ||
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
			unchain(spans, zone);
			zone_clear(zone); /* the place is the first to be taken again */
		}
	}
}
