/* timers.c - a heap: each parent is due no later than its children. */
#include "resolve/timers.h"

#include <stdlib.h>

void timers_init(struct timers *timers)
{
	*timers = (struct timers){.heap = NULL};
}

void timers_fini(struct timers *timers)
{
	free(timers->heap);
	timers_init(timers);
}

bool timers_reserve(struct timers *timers, uint32_t count)
{
	if (count <= timers->cap) {
		return true;
	}
	struct timer **grown = realloc(timers->heap, count * sizeof(grown[0]));
	if (grown == NULL) {
		return false;
	}
	timers->heap = grown;
	timers->cap = count;
	return true;
}

static void put(struct timers *timers, uint32_t place, struct timer *timer)
{
	timers->heap[place] = timer;
	timer->place = place;
}

static void rise(struct timers *timers, uint32_t place, struct timer *timer)
{
	while (place > 0 && timers->heap[(place - 1) / 2]->at_ns > timer->at_ns) {
		put(timers, place, timers->heap[(place - 1) / 2]);
		place = (place - 1) / 2;
	}
	put(timers, place, timer);
}

static void sink(struct timers *timers, uint32_t place, struct timer *timer)
{
	for (;;) {
		uint32_t child = 2 * place + 1;
		if (child >= timers->count) {
			break;
		}
		if (child + 1 < timers->count &&
			timers->heap[child + 1]->at_ns < timers->heap[child]->at_ns) {
			child++;
		}
		if (timers->heap[child]->at_ns >= timer->at_ns) {
			break;
		}
		put(timers, place, timers->heap[child]);
		place = child;
	}
	put(timers, place, timer);
}

void timers_set(struct timers *timers, struct timer *timer, uint64_t at_ns)
{
	timers_clear(timers, timer);
	ASSERT(timers->count < timers->cap);
	timer->at_ns = at_ns;
	rise(timers, timers->count++, timer);
}

void timers_clear(struct timers *timers, struct timer *timer)
{
	uint32_t place = timer->place;

	if (place == TIMERS_NOWHERE) {
		return;
	}
	timer->place = TIMERS_NOWHERE;
	struct timer *last = timers->heap[--timers->count];
	if (last == timer) {
		return;
	}
	if (place > 0 && timers->heap[(place - 1) / 2]->at_ns > last->at_ns) {
		rise(timers, place, last);
	} else {
		sink(timers, place, last);
	}
}

bool timers_fire(struct timers *timers, uint64_t now_ns)
{
	if (timers_next(timers) > now_ns) {
		return false;
	}
	struct timer *timer = timers->heap[0];
	timers_clear(timers, timer);
	timer->fire(timer);
	return true;
}
