/* zone.c - zones and sets of them. */
#include "zone/zone.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "zone/image.h"
#include "zone/load.h"
#include "zone/zone_find.h"

struct zone *zone_new(const struct name *name)
{
	struct zone *zone = calloc(1, sizeof(*zone));

	if (zone != NULL) {
		memcpy(&zone->name, name, offsetof(struct name, octets) + name->len);
		name_lower(&zone->name);
	}
	return zone;
}

void zone_free(struct zone *zone)
{
	if (zone != NULL) {
		image_free(publish_get(&zone->image));
		free(zone);
	}
}

struct image *zone_exchange(struct zone *zone, struct image *image)
{
	return publish_set(&zone->image, image);
}

void zone_publish(struct zone *zone, struct image *image)
{
	struct image *before = zone_exchange(zone, image);

	if (before != NULL) {
		publish_wait();
		image_free(before);
	}
}

struct zone_set *zone_set_new(const struct hash_key *key, struct zone *const *zones, uint32_t count)
{
	uint32_t mask = 1;

	while (mask < count * 2) { /* at most half full */
		mask = mask * 2 + 1;
	}
	size_t len = sizeof(struct zone_set) + ((size_t)mask + 1) * sizeof(struct zone_slot);
	struct zone_set *set = calloc(1, len);
	struct zone **copy = malloc((count + 1u) * sizeof(struct zone *));
	if (set == NULL || copy == NULL) {
		free(set);
		free(copy);
		return NULL;
	}
	if (count != 0) {
		memcpy(copy, zones, count * sizeof(struct zone *));
	}
	set->key = *key;
	set->zones = copy;
	set->count = count;
	set->mask = mask;
	for (uint32_t i = 0; i < count; i++) {
		struct image_key name;
		image_key_init(&name, key, &zones[i]->name);
		uint64_t hash = name.hashes[name.label_count];
		uint32_t slot = (uint32_t)hash & mask;
		while (set->slots[slot].zone != NULL) {
			slot = (slot + 1) & mask;
		}
		set->slots[slot] = (struct zone_slot){.hash = hash, .zone = zones[i]};
		set->depths[name.label_count / 64] |= (uint64_t)1 << (name.label_count % 64);
	}
	return set;
}

void zone_set_free(struct zone_set *set)
{
	if (set != NULL) {
		free(set->zones);
		free(set);
	}
}

const struct hash_key *zone_set_key(const struct zone_set *set)
{
	return &set->key;
}

uint32_t zone_set_count(const struct zone_set *set)
{
	return set->count;
}

struct zone *zone_set_get(const struct zone_set *set, uint32_t idx)
{
	ASSERT(idx < set->count);
	return set->zones[idx];
}
