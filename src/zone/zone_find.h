/* zone_find.h - which zone of a set a name belongs to. In a header, since every query comes through here.
 *
 * thread  readers (base/publish.h)
 */
#ifndef SAKER_ZONE_ZONE_FIND_H
#define SAKER_ZONE_ZONE_FIND_H

#include <string.h>

#include "zone/image.h"
#include "zone/zone.h"

struct zone_slot {
	uint64_t hash;     /* of the zone's name */
	struct zone *zone; /* borrows: the owner of the set; NULL: free */
};

struct zone_set {
	struct hash_key key;
	uint64_t depths
		[2]; /* bit n: a zone of n labels is there, so that other depths need no probe */
	uint32_t mask;
	uint32_t count;
	struct zone **zones; /* owns the array */
	struct zone_slot slots[];
};

/* zone_find_at - the zone whose name is the key's suffix of label_count labels; NULL: none. */
static inline struct zone *zone_find_at(
	const struct zone_set *set, const struct image_key *key, uint32_t label_count)
{
	uint64_t hash = key->hashes[label_count];

	for (uint32_t slot = (uint32_t)hash & set->mask; set->slots[slot].zone != NULL;
		slot = (slot + 1) & set->mask) {
		const struct zone *zone = set->slots[slot].zone;
		uint32_t at = image_key_at(key, label_count);
		if (set->slots[slot].hash == hash && zone->name.len == key->len - at &&
			memcmp(zone->name.octets, key->octets + at, zone->name.len) == 0) {
			return set->slots[slot].zone;
		}
	}
	return NULL;
}

/* zone_find - the zone with the longest name at or above the key's suffix of label_count labels; NULL: none.
 *
 * cost  a probe for each number of labels that some zone of the set has
 */
static inline struct zone *zone_find(
	const struct zone_set *set, const struct image_key *key, uint32_t label_count)
{
	/* Depths below 64 in the first word, which is all that there is outside of tests. */
	for (uint32_t half = label_count >= 64 ? 2 : 1; half-- > 0;) {
		uint64_t depths = set->depths[half];
		if (label_count / 64 == half) {
			depths &= UINT64_MAX >> (63 - label_count % 64);
		}
		while (depths != 0) {
			uint32_t bit = 63u - (uint32_t)__builtin_clzll(depths);
			struct zone *zone = zone_find_at(set, key, half * 64 + bit);
			if (zone != NULL) {
				return zone;
			}
			depths &= ~((uint64_t)1 << bit);
		}
	}
	return NULL;
}

#endif
