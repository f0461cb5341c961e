/* image_memory.c - regions while an image grows, and what becomes of them. */
#include "zone/image_memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "os/pages.h"
#include "zone/image.h"

#define SECTION_ALIGNMENT                                                                          \
	8u /* octets: what the widest field of any section wants; buckets stand first */

struct image_memory *image_memory_new(void)
{
	struct image_memory *memory = calloc(1, sizeof(*memory));

	for (uint32_t i = 0; memory != NULL && i < IMAGE_SECTIONS; i++) {
		if (region_init(&memory->regions[i]) != STATUS_OK) {
			image_memory_free(memory);
			return NULL;
		}
	}
	return memory;
}

void image_memory_reset(struct image_memory *memory)
{
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		region_reset(&memory->regions[i]);
	}
}

static void point(struct image *image, const uint8_t *const sections[IMAGE_SECTIONS])
{
	image->buckets = (const void *)sections[IMAGE_SECTION_BUCKETS];
	image->nsec_keys = (const void *)sections[IMAGE_SECTION_NSEC_KEYS];
	image->nodes = sections[IMAGE_SECTION_NODES];
	image->blocks = sections[IMAGE_SECTION_BLOCKS];
	image->nsec_nodes = (const void *)sections[IMAGE_SECTION_NSEC_NODES];
	image->nsec3_blocks = (const void *)sections[IMAGE_SECTION_NSEC3_BLOCKS];
	image->nsec3_hashes = sections[IMAGE_SECTION_NSEC3_HASHES];
	image->loose_blocks = (const void *)sections[IMAGE_SECTION_LOOSE_BLOCKS];
	image->apex = sections[IMAGE_SECTION_APEX];
}

void image_memory_point(const struct image_memory *memory, struct image *image)
{
	const uint8_t *sections[IMAGE_SECTIONS];

	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		sections[i] = memory->regions[i].start;
	}
	point(image, sections);
}

static size_t padded(size_t len, size_t alignment)
{
	return (len + alignment - 1) & ~(alignment - 1);
}

/* The struct and its sections in one piece. */
static struct image *copy_together(
	const struct image *built, const struct image_memory *memory, size_t len)
{
	size_t head = padded(sizeof(struct image), CACHE_LINE);
	uint8_t *at = aligned_alloc(CACHE_LINE, padded(head + len, CACHE_LINE));
	const uint8_t *sections[IMAGE_SECTIONS];

	if (at == NULL) {
		return NULL;
	}
	struct image *image = (struct image *)(void *)at;
	*image = *built;
	image->memory = NULL;
	image->memory_len = head + len;
	at += head;
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		const struct region *region = &memory->regions[i];
		sections[i] = at;
		memcpy(at, region->start, region->len);
		at += padded(region->len, SECTION_ALIGNMENT);
	}
	point(image, sections);
	return image;
}

static struct image *keep_regions(const struct image *built, struct image_memory *memory)
{
	struct image *image = aligned_alloc(CACHE_LINE, padded(sizeof(*image), CACHE_LINE));

	if (image == NULL) {
		return NULL;
	}
	*image = *built;
	image->memory = memory;
	image->memory_len = padded(sizeof(*image), CACHE_LINE);
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		struct region *region = &memory->regions[i];
		region->cap = pages_trim(region->start, region->cap, region->len);
		pages_protect(region->start, region->cap);
		image->memory_len += region->cap;
	}
	image_memory_point(memory, image);
	return image;
}

struct image *image_memory_seal(const struct image *built, struct image_memory **memory)
{
	size_t len = 0;

	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		len += padded((*memory)->regions[i].len, SECTION_ALIGNMENT);
	}
	if (len <= IMAGE_MEMORY_SMALL) {
		struct image *image = copy_together(built, *memory, len);
		image_memory_reset(*memory);
		return image;
	}
	struct image *image = keep_regions(built, *memory);
	*memory = image != NULL ? NULL : *memory;
	return image;
}

struct image *image_memory_room(const struct image_header *header,
	const uint64_t section_len[IMAGE_SECTIONS], uint8_t **body_out)
{
	const uint8_t *sections[IMAGE_SECTIONS];
	size_t head = padded(sizeof(struct image), CACHE_LINE);
	size_t len = 0;

	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		len += padded(section_len[i], SECTION_ALIGNMENT);
	}
	bool small = len <= IMAGE_MEMORY_SMALL;
	struct image *image =
		aligned_alloc(CACHE_LINE, padded(head + (small ? len : 0), CACHE_LINE));
	struct image_memory *memory = small ? NULL : calloc(1, sizeof(*memory));
	uint8_t *body = small ? (uint8_t *)image + head : pages_reserve(len);
	bool ready = body != NULL && (small || (memory != NULL && pages_commit(body, len)));
	if (image == NULL || !ready) {
		free(memory);
		if (!small) {
			pages_free(body, len);
		}
		free(image);
		return NULL;
	}
	*image = (struct image){.header = *header, .memory = memory, .memory_len = head + len};
	if (memory != NULL) {
		memory->regions[0] =
			(struct region){.start = body, .len = len, .cap = len, .ready = len};
		pages_huge(body, len);
	}
	*body_out = body;
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		sections[i] = body;
		body += padded(section_len[i], SECTION_ALIGNMENT);
	}
	point(image, sections);
	return image;
}

void image_memory_protect(struct image *image)
{
	if (image->memory != NULL) {
		pages_protect(image->memory->regions[0].start, image->memory->regions[0].cap);
	}
}

void image_memory_lens(const struct image *image, uint64_t section_len_out[IMAGE_SECTIONS])
{
	const struct image_header *header = &image->header;

	section_len_out[IMAGE_SECTION_BUCKETS] =
		(uint64_t)header->bucket_count * sizeof(struct image_bucket);
	section_len_out[IMAGE_SECTION_NODES] = (uint64_t)header->nodes_end * IMAGE_UNIT;
	section_len_out[IMAGE_SECTION_BLOCKS] = (uint64_t)header->blocks_end * IMAGE_UNIT;
	section_len_out[IMAGE_SECTION_NSEC_KEYS] =
		(uint64_t)header->nsec_count * sizeof(image->nsec_keys[0]);
	section_len_out[IMAGE_SECTION_NSEC_NODES] =
		(uint64_t)header->nsec_count * sizeof(image->nsec_nodes[0]);
	section_len_out[IMAGE_SECTION_NSEC3_BLOCKS] =
		(uint64_t)header->nsec3_count * sizeof(image->nsec3_blocks[0]);
	section_len_out[IMAGE_SECTION_NSEC3_HASHES] =
		(uint64_t)header->nsec3_count * IMAGE_NSEC3_LEN;
	section_len_out[IMAGE_SECTION_LOOSE_BLOCKS] =
		(uint64_t)header->loose_count * sizeof(image->loose_blocks[0]);
	section_len_out[IMAGE_SECTION_APEX] = (uint64_t)header->apex_len + header->nsec3_salt_len;
}

void image_memory_sections(const struct image *image, const uint8_t *sections_out[IMAGE_SECTIONS])
{
	sections_out[IMAGE_SECTION_BUCKETS] = (const void *)image->buckets;
	sections_out[IMAGE_SECTION_NODES] = image->nodes;
	sections_out[IMAGE_SECTION_BLOCKS] = image->blocks;
	sections_out[IMAGE_SECTION_NSEC_KEYS] = (const void *)image->nsec_keys;
	sections_out[IMAGE_SECTION_NSEC_NODES] = (const void *)image->nsec_nodes;
	sections_out[IMAGE_SECTION_NSEC3_BLOCKS] = (const void *)image->nsec3_blocks;
	sections_out[IMAGE_SECTION_NSEC3_HASHES] = image->nsec3_hashes;
	sections_out[IMAGE_SECTION_LOOSE_BLOCKS] = (const void *)image->loose_blocks;
	sections_out[IMAGE_SECTION_APEX] = image->apex;
}

void image_memory_free(struct image_memory *memory)
{
	if (memory != NULL) {
		for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
			region_fini(&memory->regions[i]);
		}
		free(memory);
	}
}
