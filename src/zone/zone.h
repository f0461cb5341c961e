/* zone.h - a zone with the version of it that is served, and the set of zones that a server has.
 *
 * A struct zone is a stable handle; the image behind it is replaced whole (base/publish.h). A zone without
 * an image answers SERVFAIL. A struct zone_set is immutable; adding or removing zones publishes another set.
 *
 *     published set --> zone_set { hash table of zones by name }
 *                                    |
 *                                    v
 *                                struct zone { name, published image } --> struct image
 *
 * thread  readers: any registered reader (base/publish.h); writers: one thread (main)
 */
#ifndef SAKER_ZONE_ZONE_H
#define SAKER_ZONE_ZONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/publish.h"
#include "base/status.h"
#include "wire/name.h"

struct image;

struct zone {
	struct name name;       /* [ro] lower case */
	struct published image; /* [atomic: see publish.h] struct image *, NULL: none loaded */
};

struct zone_set;

/* zone_new - a zone without data; NULL where there is no memory. name is copied in lower case. */
MUST_USE struct zone *zone_new(const struct name *name);

/* zone_free - the handle and the image that it holds. No reader may be able to reach it. */
void zone_free(struct zone *zone);

/* zone_exchange - serves image (owns it from now on); returns the one before, NULL for none.
 *
 * effect  readers may still use what comes back: the caller waits (publish_wait()) before it frees it
 * thread  writer
 */
MUST_USE struct image *zone_exchange(struct zone *zone, struct image *image);

/* zone_publish - serves image (owns it from now on) instead of the one before.
 *
 * effect  waits for a grace period and frees the old image
 * thread  writer
 */
void zone_publish(struct zone *zone, struct image *image);

/* zone_set_new - a set of zones with different names; the zones stay the caller's. NULL: no memory. */
MUST_USE struct zone_set *zone_set_new(
	const struct hash_key *key, struct zone *const *zones, uint32_t count);

/* zone_set_free - the set alone. */
void zone_set_free(struct zone_set *set);

/* zone_set_key - the key by which names are hashed in the set and in all its images. */
const struct hash_key *zone_set_key(const struct zone_set *set);

/* zone_set_count, zone_set_get - the zones, in the order given. */
uint32_t zone_set_count(const struct zone_set *set);
struct zone *zone_set_get(const struct zone_set *set, uint32_t idx);

#endif
