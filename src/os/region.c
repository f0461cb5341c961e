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
