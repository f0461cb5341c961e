/* spanlist.c - a sorted array. */
#include "resolve/spanlist.h"

#include <stdlib.h>
#include <string.h>

#define CAP_FIRST 8u

/* The place of the first span whose owner is behind the name. */
static uint32_t place_of(const struct spanlist *list, const struct name *name)
{
	uint32_t low = 0, high = list->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		struct name owner;
		rrset_owner(list->spans[middle].set, &owner);
		if (name_compare(&owner, name) > 0) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return low;
}

static bool is_owner(const struct span *span, const struct name *name)
{
	struct name owner;

	rrset_owner(span->set, &owner);
	return name_equal(&owner, name);
}

static void replace(struct spanlist *list, uint32_t place, struct rrset *set, int64_t expires_ms)
{
	struct span *span = &list->spans[place];

	list->octets += set->len;
	list->octets -= span->set->len;
	free(span->set);
	*span = (struct span){.set = set, .expires_ms = expires_ms};
}

static bool grow(struct spanlist *list)
{
	uint32_t cap = list->cap == 0 ? CAP_FIRST : 2 * list->cap;
	struct span *grown = realloc(list->spans, cap * sizeof(grown[0]));

	if (grown == NULL) {
		return false;
	}
	list->octets += (cap - list->cap) * sizeof(grown[0]);
	list->spans = grown;
	list->cap = cap;
	return true;
}

void spanlist_add(struct spanlist *list, const struct rrset *set, int64_t expires_ms, uint32_t most)
{
	struct rrset *kept = malloc(set->len);
	struct name owner;

	if (kept == NULL) {
		return;
	}
	memcpy(kept, set, set->len);
	rrset_owner(set, &owner);
	uint32_t at = place_of(list, &owner);
	if (at > 0 && is_owner(&list->spans[at - 1], &owner)) {
		replace(list, at - 1, kept, expires_ms);
	} else if (list->count >= most) {
		replace(list, at == list->count ? at - 1 : at, kept, expires_ms);
	} else if (list->count == list->cap && !grow(list)) {
		free(kept);
	} else {
		memmove(&list->spans[at + 1], &list->spans[at],
			(list->count - at) * sizeof(list->spans[0]));
		list->spans[at] = (struct span){.set = kept, .expires_ms = expires_ms};
		list->count++;
		list->octets += kept->len;
	}
}

const struct span *spanlist_before(
	const struct spanlist *list, const struct name *name, int64_t now_ms)
{
	if (list->count == 0) {
		return NULL;
	}
	uint32_t at = place_of(list, name);
	const struct span *span = &list->spans[at > 0 ? at - 1 : list->count - 1];
	return span->expires_ms > now_ms ? span : NULL;
}

void spanlist_clear(struct spanlist *list)
{
	for (uint32_t i = 0; i < list->count; i++) {
		free(list->spans[i].set);
	}
	free(list->spans);
	*list = (struct spanlist){.count = 0};
}
