/* image_memory.h - what the sections of an image lie in while it is built, and afterwards.
 *
 * Sections grow in regions. When all is written, a small image moves into one allocation, so that a hundred thousand
 * small zones waste no pages, and the regions serve for the next; a large one keeps its regions, cut to size and
 * read-only.
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

struct image;
struct image_header;

enum image_section {
	IMAGE_SECTION_BUCKETS, /* first: a bucket is a cache line */
	IMAGE_SECTION_NSEC_KEYS,
	IMAGE_SECTION_NODES,
	IMAGE_SECTION_BLOCKS,
	IMAGE_SECTION_NSEC_NODES,
	IMAGE_SECTION_NSEC3_BLOCKS,
	IMAGE_SECTION_NSEC3_HASHES,
	IMAGE_SECTION_LOOSE_BLOCKS,
	IMAGE_SECTION_APEX, /* its name, and the salt of the NSEC3 chain */
	IMAGE_SECTIONS
};

#define IMAGE_MEMORY_SMALL (256u << 10) /* octets of an image up to which it is one allocation */

struct image_memory {
	struct region regions[IMAGE_SECTIONS];
};

/* image_memory_new - empty sections; NULL: no memory. */
MUST_USE struct image_memory *image_memory_new(void);

/* image_memory_reset - empties the sections of an image that was not sealed, or was small. */
void image_memory_reset(struct image_memory *memory);

/* image_memory_point - makes an image's pointers show where the sections lie now. */
void image_memory_point(const struct image_memory *memory, struct image *image);

/* image_memory_seal - an image that no longer changes, from one that was built in *memory.
 *
 * effect  a small image owns a copy, and *memory serves for the next; a large one takes *memory over, which is
 *         then NULL
 * errors  NULL: no memory
 */
MUST_USE struct image *image_memory_seal(const struct image *built, struct image_memory **memory);

/* image_memory_room - an image with room for its sections, one behind the other at multiples of 8 octets.
 *
 * shape   body_out: where they are to be written; image_memory_protect() when they are
 * errors  NULL: no memory
 */
MUST_USE struct image *image_memory_room(const struct image_header *header,
	const uint64_t section_len[IMAGE_SECTIONS], uint8_t **body_out);

/* image_memory_protect - an image that image_memory_room() made does not change any more. */
void image_memory_protect(struct image *image);

/* image_memory_lens - octets of each section. */
void image_memory_lens(const struct image *image, uint64_t section_len_out[IMAGE_SECTIONS]);

/* image_memory_sections - where each section is. */
void image_memory_sections(const struct image *image, const uint8_t *sections_out[IMAGE_SECTIONS]);

/* image_memory_free - accepts NULL. */
void image_memory_free(struct image_memory *memory);

#endif
