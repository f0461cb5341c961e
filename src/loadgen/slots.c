/* slots.c - a keyed permutation and two lists. */
#include "loadgen/slots.h"

#include <stdlib.h>

#define ID_COUNT      65536u
#define ID_SHIFT      8u   /* half of 16 bits: x ^= x >> 8 undoes itself */
#define FATES_AN_BYTE 4u   /* two bits each */
#define CAP_MIN       256u /* few slots would come back soon; 256 cost 6 KiB */

/* x * inverse(x) == 1 modulo 2^16; each step of Newton's doubles the bits that are right, from 3. */
static uint16_t inverse(uint16_t odd)
{
	uint32_t x = odd;

	for (int i = 0; i < 3; i++) {
		x = (x * (2u - odd * x)) & 0xffffu;
	}
	return (uint16_t)x;
}

static uint16_t permute(const struct slots *slots, uint32_t place)
{
	uint32_t x = place ^ slots->forth[0];

	x = (x * slots->forth[1]) & 0xffffu;
	x ^= x >> ID_SHIFT;
	x = (x * slots->forth[2]) & 0xffffu;
	x ^= x >> ID_SHIFT;
	return (uint16_t)x;
}

static uint32_t permute_back(const struct slots *slots, uint16_t id)
{
	uint32_t x = id;

	x ^= x >> ID_SHIFT;
	x = (x * slots->back[1]) & 0xffffu;
	x ^= x >> ID_SHIFT;
	x = (x * slots->back[0]) & 0xffffu;
	return x ^ slots->forth[0];
}

static enum slots_fate get_fate(const struct slots *slots, uint16_t id)
{
	return (enum slots_fate)(
		((uint32_t)slots->fates[id / FATES_AN_BYTE] >> (id % FATES_AN_BYTE * 2u)) & 3u);
}

static void set_fate(struct slots *slots, uint16_t id, enum slots_fate fate)
{
	uint32_t shift = id % FATES_AN_BYTE * 2u;
	uint32_t others = slots->fates[id / FATES_AN_BYTE] & ~(3u << shift);

	slots->fates[id / FATES_AN_BYTE] = (uint8_t)(others | (uint32_t)fate << shift);
}

enum status slots_init(struct slots *slots, uint32_t window, uint64_t key)
{
	ASSERT(window >= 1 && window <= SLOTS_WINDOW_MAX);

	uint32_t cap = CAP_MIN;
	while (cap < 2 * window) {
		cap *= 2;
	}
	*slots = (struct slots){.cap = cap,
		.oldest = SLOTS_NONE,
		.newest = SLOTS_NONE,
		.free_first = 0,
		.free_last = cap - 1,
		.forth = {(uint16_t)key, (uint16_t)(key >> 16) | 1, (uint16_t)(key >> 32) | 1}};
	slots->back[0] = inverse(slots->forth[1]);
	slots->back[1] = inverse(slots->forth[2]);
	slots->items = calloc(cap, sizeof(*slots->items));
	slots->fates = calloc(ID_COUNT / FATES_AN_BYTE, 1);
	if (slots->items == NULL || slots->fates == NULL) {
		slots_fini(slots);
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < cap; i++) {
		slots->items[i].next = i + 1 < cap ? i + 1 : SLOTS_NONE;
	}
	return STATUS_OK;
}

void slots_fini(struct slots *slots)
{
	free(slots->items);
	free(slots->fates);
	slots->items = NULL;
	slots->fates = NULL;
}

HOT uint32_t slots_take(struct slots *slots, uint32_t query_idx, uint64_t due_ns)
{
	ASSERT(slots->free_first != SLOTS_NONE);

	uint32_t idx = slots->free_first;
	struct slot *slot = &slots->items[idx];

	slots->free_first = slot->next;
	if (slots->free_first == SLOTS_NONE) {
		slots->free_last = SLOTS_NONE;
	}
	slot->due_ns = due_ns;
	slot->query_idx = query_idx;
	slot->id = permute(slots, (slot->generation++ * slots->cap + idx) & (ID_COUNT - 1));
	slot->prev = slots->newest;
	slot->next = SLOTS_NONE;
	if (slots->newest != SLOTS_NONE) {
		slots->items[slots->newest].next = idx;
	} else {
		slots->oldest = idx;
	}
	slots->newest = idx;
	slots->in_flight_count++;
	DASSERT(get_fate(slots, slot->id) != SLOTS_IN_FLIGHT);
	set_fate(slots, slot->id, SLOTS_IN_FLIGHT);
	return idx;
}

HOT void slots_settle(struct slots *slots, uint32_t idx, enum slots_fate fate)
{
	struct slot *slot = &slots->items[idx];

	DASSERT(get_fate(slots, slot->id) == SLOTS_IN_FLIGHT);
	set_fate(slots, slot->id, fate);
	slots->in_flight_count--;
	if (slot->prev != SLOTS_NONE) {
		slots->items[slot->prev].next = slot->next;
	} else {
		slots->oldest = slot->next;
	}
	if (slot->next != SLOTS_NONE) {
		slots->items[slot->next].prev = slot->prev;
	} else {
		slots->newest = slot->prev;
	}
	slot->next = SLOTS_NONE;
	if (slots->free_last != SLOTS_NONE) {
		slots->items[slots->free_last].next = idx;
	} else {
		slots->free_first = idx;
	}
	slots->free_last = idx;
}

HOT enum slots_fate slots_find(const struct slots *slots, uint16_t id, uint32_t *out)
{
	enum slots_fate fate = get_fate(slots, id);

	if (fate == SLOTS_IN_FLIGHT) {
		*out = permute_back(slots, id) & (slots->cap - 1);
		DASSERT(slots->items[*out].id == id);
	}
	return fate;
}

void slots_mark(struct slots *slots, uint16_t id, enum slots_fate fate)
{
	DASSERT(get_fate(slots, id) != SLOTS_IN_FLIGHT);
	DASSERT(fate != SLOTS_IN_FLIGHT);
	set_fate(slots, id, fate);
}

bool slots_is_valid(const struct slots *slots)
{
	uint32_t in_flight_count = 0;
	uint32_t free_count = 0;
	uint32_t before = SLOTS_NONE;

	for (uint32_t i = slots->oldest; i != SLOTS_NONE; i = slots->items[i].next) {
		uint32_t found = SLOTS_NONE;
		if (in_flight_count++ == slots->cap || slots->items[i].prev != before ||
			slots_find(slots, slots->items[i].id, &found) != SLOTS_IN_FLIGHT ||
			found != i) {
			return false;
		}
		before = i;
	}
	if (before != slots->newest) {
		return false;
	}
	for (uint32_t i = slots->free_first; i != SLOTS_NONE; i = slots->items[i].next) {
		if (free_count++ == slots->cap) {
			return false;
		}
	}
	return in_flight_count == slots->in_flight_count &&
	       in_flight_count + free_count == slots->cap;
}
