/* intern.c - an open-addressed table of blocks by what they hold. */
#include "zone/intern.h"

#include <stdlib.h>
#include <string.h>

#include "zone/image.h"

#define SLOTS_FIRST 64u
#define SLOTS_KEPT  4096u /* above, clearing the table costs a small zone more than making it new */

void intern_begin(struct intern *intern, const struct hash_key *key)
{
	intern->key = *key;
	intern->count = 0;
	if (intern->mask >= SLOTS_KEPT) {
		intern_fini(intern);
	} else if (intern->slots != NULL) {
		memset(intern->slots, 0, ((size_t)intern->mask + 1) * sizeof(*intern->slots));
	}
}

void intern_fini(struct intern *intern)
{
	free(intern->slots);
	intern->slots = NULL;
	intern->mask = 0;
}

static void insert(struct intern_slot *slots, uint32_t mask, struct intern_slot item)
{
	uint32_t at = item.hash & mask;

	while (slots[at].ref != 0) {
		at = (at + 1) & mask;
	}
	slots[at] = item;
}

/* Keeps the table at most half full. */
static enum status grow(struct intern *intern)
{
	if (intern->slots != NULL && intern->count < intern->mask / 2) {
		return STATUS_OK;
	}
	uint64_t size = intern->slots == NULL ? SLOTS_FIRST : ((uint64_t)intern->mask + 1) * 2;
	if (size > (uint64_t)UINT32_MAX) {
		return STATUS_LIMIT;
	}
	struct intern_slot *slots = calloc(size, sizeof(*slots));
	if (slots == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; intern->slots != NULL && i <= intern->mask; i++) {
		if (intern->slots[i].ref != 0) {
			insert(slots, (uint32_t)(size - 1), intern->slots[i]);
		}
	}
	free(intern->slots);
	intern->slots = slots;
	intern->mask = (uint32_t)(size - 1);
	return STATUS_OK;
}

enum status intern_find(struct intern *intern, const struct region *region, uint32_t ref,
	uint32_t len, uint32_t *same_out)
{
	const uint8_t *octets = region->start + (uint64_t)ref * IMAGE_UNIT;
	uint32_t hash = (uint32_t)(hash_octets(&intern->key, 0, octets, len) >> 32);
	enum status status = grow(intern);

	if (status != STATUS_OK) {
		return status;
	}
	for (uint32_t at = hash & intern->mask; intern->slots[at].ref != 0;
		at = (at + 1) & intern->mask) {
		uint64_t other = (uint64_t)intern->slots[at].ref * IMAGE_UNIT;
		if (intern->slots[at].hash == hash && len <= region->len - other &&
			memcmp(region->start + other, octets, len) == 0) {
			*same_out = intern->slots[at].ref;
			return STATUS_OK;
		}
	}
	insert(intern->slots, intern->mask, (struct intern_slot){.hash = hash, .ref = ref});
	intern->count++;
	*same_out = ref;
	return STATUS_OK;
}
