/* supply.c - one counter. */
#include "loadgen/supply.h"

void supply_init(struct supply *supply, uint32_t count, uint64_t repeats)
{
	ASSERT(count > 0);

	atomic_init(&supply->next, 0);
	supply->count = count;
	supply->limit =
		repeats == 0 || repeats > UINT64_MAX / 2 / count ? UINT64_MAX / 2 : repeats * count;
}

HOT uint32_t supply_claim(struct supply_share *share, uint32_t want)
{
	if (share->next == share->end) {
		struct supply *supply = share->supply;
		/* Looked at first, so that idle senders do not count far past the limit. */
		if (atomic_load_explicit(&supply->next, memory_order_relaxed) >= supply->limit) {
			return 0;
		}
		uint64_t from =
			atomic_fetch_add_explicit(&supply->next, want, memory_order_relaxed);
		if (from >= supply->limit) {
			return 0;
		}
		uint64_t left = supply->limit - from;
		share->next = from;
		share->end = from + (want < left ? want : left);
	}
	uint64_t claimed = share->end - share->next;

	return claimed < want ? (uint32_t)claimed : want;
}

HOT uint32_t supply_take(struct supply_share *share)
{
	DASSERT(share->next < share->end);
	return (uint32_t)(share->next++ % share->supply->count);
}

void supply_put_back(struct supply_share *share, uint32_t count)
{
	DASSERT(count <= share->next);
	share->next -= count;
}

bool supply_is_done(const struct supply_share *share)
{
	const struct supply *supply = share->supply;

	return share->next == share->end &&
	       atomic_load_explicit(&supply->next, memory_order_relaxed) >= supply->limit;
}
