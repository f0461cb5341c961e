/* image_memory.c - regions while an image grows, and what becomes of them. */
#include "zone/image_memory.h"

#include <stdlib.h>
#include <string.h>

#include "os/pages.h"

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

/* Sections begin on cache lines: a bucket is one. */
static size_t padded(const struct region *region)
{
	return (region->len + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1);
}

static size_t move_together(
	struct image_memory *memory, size_t len, const uint8_t *sections[IMAGE_SECTIONS])
{
	uint8_t *at = aligned_alloc(CACHE_LINE, len);

	if (at == NULL) {
		return 0;
	}
	memory->octets = at;
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		struct region *region = &memory->regions[i];
		sections[i] = at;
		if (region->len != 0) {
			memcpy(at, region->start, region->len);
		}
		at += padded(region);
		region_fini(region);
	}
	return len;
}

size_t image_memory_seal(struct image_memory *memory, const uint8_t *sections[IMAGE_SECTIONS])
{
	size_t len = 0;

	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		len += padded(&memory->regions[i]);
	}
	if (len <= IMAGE_MEMORY_SMALL) {
		return move_together(memory, len, sections);
	}
	len = 0;
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		struct region *region = &memory->regions[i];
		region->cap = pages_trim(region->start, region->cap, region->len);
		sections[i] = region->start;
		pages_protect(region->start, region->cap);
		len += region->cap;
	}
	return len;
}

void image_memory_free(struct image_memory *memory)
{
	if (memory != NULL) {
		for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
			region_fini(&memory->regions[i]);
		}
		free(memory->octets);
		free(memory);
	}
}
