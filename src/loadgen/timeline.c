/* timeline.c - two arrays that grow together, and a stable sort. */
#include "loadgen/timeline.h"

#include <stdbool.h>
#include <stdlib.h>

#define TIMES_CAP 1024u /* to begin with */

struct moment {
	uint64_t time_ns;
	struct queryfile_item item;
	uint32_t nth; /* as added: keeps the order of equal times */
};

enum status timeline_init(struct timeline *timeline)
{
	*timeline = (struct timeline){.times_cap = TIMES_CAP};
	timeline->times_ns = malloc(timeline->times_cap * sizeof(*timeline->times_ns));
	if (timeline->times_ns == NULL) {
		return STATUS_MEMORY;
	}
	enum status status = queryfile_init(&timeline->queries);
	if (status != STATUS_OK) {
		free(timeline->times_ns);
		timeline->times_ns = NULL;
	}
	return status;
}

void timeline_fini(struct timeline *timeline)
{
	queryfile_fini(&timeline->queries);
	free(timeline->times_ns);
	timeline->times_ns = NULL;
}

enum status timeline_add(
	struct timeline *timeline, uint64_t time_ns, const uint8_t *octets, uint32_t len)
{
	uint32_t idx = timeline->queries.count;

	if (idx == timeline->times_cap) {
		size_t cap = timeline->times_cap * 2;
		uint64_t *grown = realloc(timeline->times_ns, cap * sizeof(*grown));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		timeline->times_ns = grown;
		timeline->times_cap = cap;
	}
	enum status status = queryfile_add(&timeline->queries, octets, len);
	if (status == STATUS_OK) {
		timeline->times_ns[idx] = time_ns;
	}
	return status;
}

static int by_time(const void *left, const void *right)
{
	const struct moment *a = left;
	const struct moment *b = right;

	if (a->time_ns != b->time_ns) {
		return a->time_ns < b->time_ns ? -1 : 1;
	}
	return a->nth < b->nth ? -1 : 1;
}

static bool is_ordered(const struct timeline *timeline)
{
	for (uint32_t i = 1; i < timeline->queries.count; i++) {
		if (timeline->times_ns[i] < timeline->times_ns[i - 1]) {
			return false;
		}
	}
	return true;
}

static enum status sort(struct timeline *timeline)
{
	uint32_t count = timeline->queries.count;
	struct moment *moments = malloc(count * sizeof(*moments));

	if (moments == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < count; i++) {
		moments[i] = (struct moment){.time_ns = timeline->times_ns[i],
			.item = timeline->queries.items[i],
			.nth = i};
	}
	qsort(moments, count, sizeof(*moments), by_time);
	for (uint32_t i = 0; i < count; i++) {
		timeline->times_ns[i] = moments[i].time_ns;
		timeline->queries.items[i] = moments[i].item;
	}
	free(moments);
	return STATUS_OK;
}

enum status timeline_finish(struct timeline *timeline)
{
	ASSERT(timeline->queries.count > 0);

	if (!is_ordered(timeline) && sort(timeline) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	uint64_t first_ns = timeline->times_ns[0];
	for (uint32_t i = 0; i < timeline->queries.count; i++) {
		timeline->times_ns[i] -= first_ns;
	}
	return STATUS_OK;
}
