/* supply.c - one counter. */
#include "loadgen/supply.h"

#include <string.h>

#define WITHOUT_END (UINT64_MAX / 2) /* so that a counter that passes it does not wrap */

uint64_t supply_init(struct supply *supply, uint32_t count, uint64_t repeats, uint64_t limit,
	const struct schedule *schedule)
{
	ASSERT(count > 0);

	uint64_t all =
		repeats == 0 || repeats > WITHOUT_END / count ? WITHOUT_END : repeats * count;
	uint64_t dealt = all < limit ? all : limit;
	atomic_init(&supply->next, 0);
	atomic_init(&supply->limit, dealt);
	supply->count = count;
	supply->schedule = *schedule;
	supply->pace = schedule_closed();
	supply->start_ns = 0;
	return dealt;
}

static uint64_t limit_of(const struct supply *supply)
{
	return atomic_load_explicit(&supply->limit, memory_order_relaxed);
}

static uint64_t next_of(const struct supply *supply)
{
	return atomic_load_explicit(&supply->next, memory_order_relaxed);
}

/* A range that nobody else has: [*from_out, + the number returned). Looked at first, so that idle senders do not count
 * far past the limit.
 */
static uint32_t claim_any(struct supply *supply, uint32_t want, uint64_t *from_out)
{
	uint64_t limit = limit_of(supply);

	if (next_of(supply) >= limit) {
		return 0;
	}
	uint64_t from = atomic_fetch_add_explicit(&supply->next, want, memory_order_relaxed);
	if (from >= limit) {
		return 0;
	}
	*from_out = from;
	return want < limit - from ? want : (uint32_t)(limit - from);
}

/* Takes what is due. Another sender that is quicker makes this one look again from where that one ended. */
static uint32_t claim_due(struct supply *supply, uint32_t want, uint64_t now_ns, uint64_t *from_out)
{
	uint64_t limit = limit_of(supply);
	uint64_t from = next_of(supply);

	while (now_ns >= supply->start_ns && from < limit) {
		uint32_t most = want < limit - from ? want : (uint32_t)(limit - from);
		uint32_t count =
			schedule_count(supply_times(supply), from, now_ns - supply->start_ns, most);
		if (count == 0) {
			return 0;
		}
		if (atomic_compare_exchange_weak_explicit(&supply->next, &from, from + count,
			    memory_order_relaxed, memory_order_relaxed)) {
			*from_out = from;
			return count;
		}
	}
	return 0;
}

HOT uint32_t supply_claim(
	struct supply_share *share, uint32_t want, uint64_t now_ns, uint64_t *nths_out)
{
	struct supply *supply = share->supply;
	uint64_t from = 0;
	uint32_t count = 0;

	ASSERT(want <= SUPPLY_BATCH_MAX);
	if (share->back_count != 0) {
		count = want < share->back_count ? want : share->back_count;
		memcpy(nths_out, share->back, count * sizeof(*nths_out));
		share->back_count -= count;
		memmove(share->back, share->back + count, share->back_count * sizeof(*nths_out));
		return count;
	}
	count = schedule_is_open(supply_times(supply)) ? claim_due(supply, want, now_ns, &from)
						       : claim_any(supply, want, &from);
	for (uint32_t i = 0; i < count; i++) {
		nths_out[i] = from + i;
	}
	return count;
}

void supply_put_back(struct supply_share *share, const uint64_t *nths, uint32_t count)
{
	ASSERT(share->back_count + count <= SUPPLY_BATCH_MAX);

	memmove(share->back + count, share->back, share->back_count * sizeof(*nths));
	memcpy(share->back, nths, count * sizeof(*nths));
	share->back_count += count;
}

static uint64_t due_ns(const struct supply *supply, uint64_t nth)
{
	return nth >= limit_of(supply)
		       ? UINT64_MAX
		       : supply->start_ns + schedule_due_ns(supply_times(supply), nth);
}

uint64_t supply_next_ns(const struct supply_share *share)
{
	return due_ns(
		share->supply, share->back_count != 0 ? share->back[0] : next_of(share->supply));
}

uint64_t supply_wake_ns(const struct supply_share *share, uint32_t rank, uint32_t ranks)
{
	if (share->back_count != 0) {
		return 0; /* what was put back waits already */
	}
	uint64_t next = next_of(share->supply);

	return due_ns(share->supply, next + (rank + ranks - next % ranks) % ranks);
}

bool supply_is_behind(const struct supply *supply, uint64_t count, uint64_t now_ns)
{
	return due_ns(supply, next_of(supply) + count) < now_ns;
}

void supply_close(struct supply *supply)
{
	atomic_store_explicit(&supply->limit, 0, memory_order_relaxed);
}

bool supply_is_done(const struct supply_share *share)
{
	return share->back_count == 0 && next_of(share->supply) >= limit_of(share->supply);
}
