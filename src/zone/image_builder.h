/* image_builder.h - lays a sorted collection out as an image.
 *
 * thread  any
 */
#ifndef SAKER_ZONE_IMAGE_BUILDER_H
#define SAKER_ZONE_IMAGE_BUILDER_H

#include "base/check.h"
#include "base/status.h"
#include "zone/collect.h"
#include "zone/image.h"

/* image_builder_make - builds; the collection is not needed afterwards.
 *
 * shape   collect: sorted, checked: exactly one SOA at the apex; key: of the zone set
 * errors  STATUS_MEMORY; STATUS_LIMIT: over 16 GiB, or a set that no answer can hold
 * cost    linear; the image takes about 40 octets a record
 */
MUST_USE enum status image_builder_make(
	struct collect *collect, const struct hash_key *key, struct image **image_out);

#endif
