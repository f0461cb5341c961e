/* timers.h - what is to happen at a time, the soonest first: a binary heap of the owners' own fields.
 *
 * thread  one owner
 */
#ifndef SAKER_RESOLVE_TIMERS_H
#define SAKER_RESOLVE_TIMERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define TIMERS_NOWHERE UINT32_MAX

struct timer {
	uint64_t at_ns;
	void (*fire)(struct timer *timer); /* it is no longer set when this is called */
	uint32_t place;                    /* in the heap; TIMERS_NOWHERE: not set */
};

struct timers {
	struct timer **heap; /* owns the array */
	uint32_t count, cap;
};

void timers_init(struct timers *timers);
void timers_fini(struct timers *timers);

/* timers_reserve - room for count timers at once; false: no memory. */
MUST_USE bool timers_reserve(struct timers *timers, uint32_t count);

/* timers_prepare - a timer that is not set. */
static inline void timers_prepare(struct timer *timer, void (*fire)(struct timer *timer))
{
	timer->fire = fire;
	timer->place = TIMERS_NOWHERE;
}

/* timers_set - fires at at_ns, whatever was set before. There must be room. cost: O(log count) */
void timers_set(struct timers *timers, struct timer *timer, uint64_t at_ns);

/* timers_clear - does not fire; it need not be set. */
void timers_clear(struct timers *timers, struct timer *timer);

/* timers_next - the soonest time; UINT64_MAX: none is set. */
static inline uint64_t timers_next(const struct timers *timers)
{
	return timers->count == 0 ? UINT64_MAX : timers->heap[0]->at_ns;
}

/* timers_fire - fires the soonest that is due; false: none is. */
bool timers_fire(struct timers *timers, uint64_t now_ns);

#endif
