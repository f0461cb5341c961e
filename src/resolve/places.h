/* places.h - the places of a core for clients that wait, and who gives way when all are taken.
 *
 * While a place is free, whoever comes takes it. When none is, a client of a prefix that holds few takes the place of one of
 * a prefix that holds more (resolve/share.h): PLACES_SAMPLES places are looked at, drawn at random, and of them that gives way
 * whose prefix holds most, if the two prefixes are further apart by that than they will be after. So the places go towards
 * equal shares among those who want them, none stays empty while somebody waits, and a flood is always found: one that
 * holds half of all is missed by eight draws in 0.4 % of cases.
 *
 * cost    constant for each call
 * memory  8 octets a place, and the share's
 * thread  the core's
 */
#ifndef SAKER_RESOLVE_PLACES_H
#define SAKER_RESOLVE_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/random.h"
#include "resolve/share.h"

#define PLACES_SAMPLES 8u

struct places;

/* Of a client; it stays where it is while it is held. */
struct place {
	struct share_place prefix;
	uint32_t index; /* the module's */
};

/* places_new - key: unpredictable; NULL: no memory. places_free accepts NULL. */
MUST_USE struct places *places_new(uint32_t most, const uint8_t key[SIPHASH_KEY_LEN]);
void places_free(struct places *places);

/* places_of - the prefix of an address, for a place that is not held yet */
struct place places_of(const struct places *places, const struct addr *addr);

/* places_held - by all; places_are_full - there are no more. */
uint32_t places_held(const struct places *places);
bool places_are_full(const struct places *places);

/* places_take - false: all are held */
MUST_USE bool places_take(struct places *places, struct place *place);
void places_give(struct places *places, const struct place *place);

/* places_richer - whose place who comes may have; NULL: nobody that was looked at holds two more than its prefix. */
struct place *places_richer(
	const struct places *places, const struct place *comer, struct random *random);

#endif
