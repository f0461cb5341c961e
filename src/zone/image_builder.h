/* image_builder.h - lays a sorted collection out as an image, checking it on the way.
 *
 * thread  any
 */
#ifndef SAKER_ZONE_IMAGE_BUILDER_H
#define SAKER_ZONE_IMAGE_BUILDER_H

#include "base/check.h"
#include "base/status.h"
#include "zone/collect.h"
#include "zone/image.h"
#include "zone/semantic.h"

/* What a build needs, kept from one zone to the next: small zones cost no system call of their own. */
struct builder;

/* image_builder_new - NULL: no memory. */
MUST_USE struct builder *image_builder_new(void);

/* image_builder_free - accepts NULL. */
void image_builder_free(struct builder *builder);

/* image_builder_make - one pass over the owners; the collection is not needed afterwards.
 *
 * shape   collect: sorted; semantic: where complaints go; key: of the zone set
 *         threads: that may build, the caller's among them
 * errors  STATUS_REFUSED: semantic has errors
 *         STATUS_MEMORY
 *         STATUS_LIMIT: over 16 GiB, or a set that no answer can hold
 * cost    linear; the image takes about 10 octets a record of a zone of delegations, 60 of a signed one
 */
MUST_USE enum status image_builder_make(struct builder *builder, const struct collect *collect,
	struct semantic *semantic, const struct hash_key *key, uint32_t threads,
	struct image **image_out);

#endif
