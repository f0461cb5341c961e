/* region.c - reservations that grow in place. */
#include "os/region.h"

#include <string.h>

#include "os/pages.h"

enum status region_init(struct region *region)
{
	return region_init_many(region, 1);
}

enum status region_init_many(struct region *regions, uint32_t count)
{
	for (uint64_t cap = REGION_CAP_MOST; cap >= REGION_CAP_LEAST; cap /= 2) {
		uint8_t *start = pages_reserve(cap * count);
		for (uint32_t i = 0; i < count && start != NULL; i++) {
			regions[i] = (struct region){.start = start + i * cap, .cap = cap};
			pages_huge(regions[i].start + REGION_SMALL, cap - REGION_SMALL);
		}
		if (start != NULL) {
			return STATUS_OK;
		}
	}
	memset(regions, 0, count * sizeof(*regions));
	return STATUS_MEMORY;
}

bool region_make_ready(struct region *region, uint64_t len)
{
	uint64_t step = region->ready;

	if (len > region->cap - region->len) {
		return false;
	}
	step = step < REGION_STEP_LEAST ? REGION_STEP_LEAST : step;
	step = step > REGION_STEP_MOST ? REGION_STEP_MOST : step;
	while (step < len) {
		step *= 2;
	}
	step = step > region->cap - region->ready ? region->cap - region->ready : step;
	if (!pages_commit(region->start + region->ready, step)) {
		return false;
	}
	region->ready += step;
	return true;
}

void region_reset(struct region *region)
{
	if (region->len > REGION_SMALL) {
		pages_discard(region->start, region->len);
	} else if (region->len != 0) {
		memset(region->start, 0, region->len);
	}
	region->len = 0;
}

void region_fini(struct region *region)
{
	pages_free(region->start, region->cap);
	*region = (struct region){.start = NULL};
}
