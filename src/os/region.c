/* region.c - reservations that grow in place. */
#include "os/region.h"

#include <string.h>

#include "os/pages.h"

enum status region_init(struct region *region)
{
	*region = (struct region){.cap = REGION_CAP_MOST};
	while (region->cap >= REGION_CAP_LEAST) {
		region->start = pages_reserve(region->cap);
		if (region->start != NULL) {
			pages_huge(region->start + REGION_SMALL, region->cap - REGION_SMALL);
			return STATUS_OK;
		}
		region->cap /= 2;
	}
	region->cap = 0;
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
