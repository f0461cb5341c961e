/* counter.h - counts that one thread writes and any thread may read.
 *
 * A relaxed load and a relaxed store make an addition that costs what a plain one does: no locked
 * instruction, since nobody else writes. Keep the counters of one writer together and on cache lines of
 * their own (CACHE_LINE).
 *
 * thread  counter_add: the one writer; counter_get: any, a value that may be a little old
 */
#ifndef SAKER_BASE_COUNTER_H
#define SAKER_BASE_COUNTER_H

#include <stdatomic.h>
#include <stdint.h>

struct counter {
	_Atomic uint64_t value; /* [atomic: relaxed, no partner: a count orders nothing] */
};

static inline void counter_add(struct counter *counter, uint64_t count)
{
	uint64_t value = atomic_load_explicit(&counter->value, memory_order_relaxed);

	atomic_store_explicit(&counter->value, value + count, memory_order_relaxed);
}

static inline uint64_t counter_get(const struct counter *counter)
{
	return atomic_load_explicit(&counter->value, memory_order_relaxed);
}

#endif
