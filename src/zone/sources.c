/* sources.c - a list of paths with identities. */
#include "zone/sources.h"

#include <stdlib.h>
#include <string.h>

#define CAP_FIRST 1u /* most zones include nothing, and there may be a hundred thousand of them */

enum status sources_add(
	struct sources *sources, const char *path, const struct file_identity *identity)
{
	if (sources->count == sources->cap) {
		uint32_t cap = sources->cap == 0 ? CAP_FIRST : sources->cap * 2;
		struct source *items = realloc(sources->items, cap * sizeof(items[0]));
		if (items == NULL) {
			return STATUS_MEMORY;
		}
		sources->items = items;
		sources->cap = cap;
	}
	struct source source = {.path = strdup(path), .is_absent = identity == NULL};
	if (source.path == NULL) {
		return STATUS_MEMORY;
	}
	if (identity != NULL) {
		source.identity = *identity;
		source.identity.device = 0;
	}
	sources->items[sources->count++] = source;
	return STATUS_OK;
}

bool sources_are_old(const struct sources *sources, int64_t wall_s)
{
	for (uint32_t i = 0; i < sources->count; i++) {
		const struct source *source = &sources->items[i];
		if (!source->is_absent && !file_identity_is_old(&source->identity, wall_s)) {
			return false;
		}
	}
	return true;
}

static bool is_unchanged(const struct source *source, const char *path)
{
	struct file_identity now;

	if (file_identify(path, &now) != STATUS_OK) {
		return source->is_absent;
	}
	now.device = 0;
	return !source->is_absent && file_identity_equal(&now, &source->identity);
}

bool sources_unchanged(const struct sources *sources, const char *path)
{
	if (sources->count == 0) {
		return false;
	}
	for (uint32_t i = 0; i < sources->count; i++) {
		/* The zone file may have another path, and be the same. */
		const struct source *source = &sources->items[i];
		if (!is_unchanged(source, i == 0 ? path : source->path)) {
			return false;
		}
	}
	return true;
}

void sources_move(struct sources *to, struct sources *from)
{
	sources_fini(to);
	*to = *from;
	*from = (struct sources){.items = NULL};
}

void sources_fini(struct sources *sources)
{
	for (uint32_t i = 0; i < sources->count; i++) {
		free(sources->items[i].path);
	}
	free(sources->items);
	*sources = (struct sources){.items = NULL};
}
