/* places.c - a list of those that are held, in no order. */
#include "resolve/places.h"

#include <stdlib.h>

struct places {
	struct share share;
	uint32_t most, count;
	struct place *held[];
};

struct places *places_new(uint32_t most, const uint8_t key[SIPHASH_KEY_LEN])
{
	struct places *places = calloc(1, sizeof(*places) + most * sizeof(places->held[0]));

	if (places != NULL) {
		share_init(&places->share, key);
		places->most = most;
	}
	return places;
}

void places_free(struct places *places)
{
	free(places);
}

struct place places_of(const struct places *places, const struct addr *addr)
{
	return (struct place){.prefix = share_place_of(&places->share, addr)};
}

uint32_t places_held(const struct places *places)
{
	return places->count;
}

bool places_are_full(const struct places *places)
{
	return places->count == places->most;
}

bool places_take(struct places *places, struct place *place)
{
	if (places_are_full(places)) {
		return false;
	}
	place->index = places->count;
	places->held[places->count++] = place;
	share_take(&places->share, place->prefix);
	return true;
}

void places_give(struct places *places, const struct place *place)
{
	struct place *last = places->held[places->count - 1];

	ASSERT(places->held[place->index] == place);
	last->index = place->index;
	places->held[last->index] = last;
	places->count--;
	share_give(&places->share, place->prefix);
}

struct place *places_richer(
	const struct places *places, const struct place *comer, struct random *random)
{
	struct place *richest = NULL;
	uint32_t most = share_held(&places->share, comer->prefix) + 1;

	for (uint32_t i = 0; i < PLACES_SAMPLES && places->count > 0; i++) {
		struct place *place = places->held[random_below(random, places->count)];
		uint32_t held = share_held(&places->share, place->prefix);
		if (held > most) {
			most = held;
			richest = place;
		}
	}
	return richest;
}
