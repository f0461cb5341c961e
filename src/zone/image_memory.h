/* image_memory.h - what the sections of an image lie in while it is built, and afterwards.
 *
 * Sections grow in regions. When all is written, a small image moves into one allocation, so that a hundred thousand
 * small zones waste no pages; a large one keeps its regions, cut to size and read-only.
 *
 * thread  one owner
 */
#ifndef SAKER_ZONE_IMAGE_MEMORY_H
#define SAKER_ZONE_IMAGE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "os/region.h"

enum image_section {
	IMAGE_SECTION_NODES,
	IMAGE_SECTION_BLOCKS,
	IMAGE_SECTION_BUCKETS,
	IMAGE_SECTION_NSEC_KEYS,
	IMAGE_SECTION_NSEC_NODES,
	IMAGE_SECTION_NSEC3_HASHES,
	IMAGE_SECTION_NSEC3_BLOCKS,
	IMAGE_SECTION_LOOSE_BLOCKS,
	IMAGE_SECTIONS
};

#define IMAGE_MEMORY_SMALL (256u << 10) /* octets of an image up to which it is one allocation */

struct image_memory {
	struct region regions[IMAGE_SECTIONS]; /* start NULL: the section is in octets */
	uint8_t *octets; /* owns: the sections of a small image, one behind the other */
};

/* image_memory_new - empty sections; NULL: no memory. */
MUST_USE struct image_memory *image_memory_new(void);

/* image_memory_seal - nothing is added any more: small images move, large ones become read-only.
 *
 * effect  sections[i] is where section i lies from now on; returns the octets of all
 * errors  0: no memory
 */
MUST_USE size_t image_memory_seal(
	struct image_memory *memory, const uint8_t *sections[IMAGE_SECTIONS]);

/* image_memory_free - accepts NULL. */
void image_memory_free(struct image_memory *memory);

#endif
