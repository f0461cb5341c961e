/* supply.c - one counter. */
#include "loadgen/supply.h"

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

/* Takes what is there. Looked at first, so that idle senders do not count far past the limit. */
static void claim_any(struct supply_share *share, uint32_t want)
{
	struct supply *supply = share->supply;
	uint64_t limit = limit_of(supply);

	if (next_of(supply) >= limit) {
		return;
	}
	uint64_t from = atomic_fetch_add_explicit(&supply->next, want, memory_order_relaxed);
	if (from < limit) {
		share->next = from;
		share->end = from + (want < limit - from ? want : limit - from);
	}
}

/* Takes what is due. Another sender that is quicker makes this one look again from where that one ended. */
static void claim_due(struct supply_share *share, uint32_t want, uint64_t now_ns)
{
	struct supply *supply = share->supply;
	uint64_t limit = limit_of(supply);
	uint64_t from = next_of(supply);

	while (now_ns >= supply->start_ns && from < limit) {
		uint32_t most = want < limit - from ? want : (uint32_t)(limit - from);
		uint32_t count =
			schedule_count(&supply->schedule, from, now_ns - supply->start_ns, most);
		if (count == 0) {
			return;
		}
		if (atomic_compare_exchange_weak_explicit(&supply->next, &from, from + count,
			    memory_order_relaxed, memory_order_relaxed)) {
			share->next = from;
			share->end = from + count;
			return;
		}
	}
}

HOT uint32_t supply_claim(struct supply_share *share, uint32_t want, uint64_t now_ns)
{
	if (share->next == share->end) {
		if (schedule_is_open(&share->supply->schedule)) {
			claim_due(share, want, now_ns);
		} else {
			claim_any(share, want);
		}
	}
	uint64_t claimed = share->end - share->next;

	return claimed < want ? (uint32_t)claimed : want;
}

HOT uint64_t supply_take(struct supply_share *share)
{
	DASSERT(share->next < share->end);
	return share->next++;
}

void supply_put_back(struct supply_share *share, uint32_t count)
{
	DASSERT(count <= share->next);
	share->next -= count;
}

static uint64_t due_ns(const struct supply *supply, uint64_t nth)
{
	return nth >= limit_of(supply) ? UINT64_MAX
				       : supply->start_ns + schedule_due_ns(&supply->schedule, nth);
}

uint64_t supply_next_ns(const struct supply_share *share)
{
	return due_ns(
		share->supply, share->next != share->end ? share->next : next_of(share->supply));
}

uint64_t supply_wake_ns(const struct supply_share *share, uint32_t rank, uint32_t ranks)
{
	if (share->next != share->end) {
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
	return share->next == share->end && next_of(share->supply) >= limit_of(share->supply);
}
