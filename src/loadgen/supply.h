/* supply.h - deals the queries of a file out to the senders, in the file's order, over and over.
 *
 * A sender claims a range for a batch with one atomic addition, and may put back what the kernel did not
 * take; it then comes first the next time.
 *
 * thread  struct supply is shared; a struct supply_share has one owner
 */
#ifndef SAKER_LOADGEN_SUPPLY_H
#define SAKER_LOADGEN_SUPPLY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

struct supply {
	_Atomic uint64_t next; /* [atomic: relaxed, a counter that nothing else hangs on] */
	uint64_t limit;        /* [ro] queries to deal out in all */
	uint32_t count;        /* [ro] queries in the file */
};

struct supply_share {
	struct supply *supply; /* borrows: the run's */
	uint64_t next;         /* claimed and not yet taken: [next, end) */
	uint64_t end;
};

/* supply_init - count queries, repeats times; repeats 0: without end. */
void supply_init(struct supply *supply, uint32_t count, uint64_t repeats);

/* supply_claim - how many queries may be taken now, at most want; 0: there are no more. */
MUST_USE uint32_t supply_claim(struct supply_share *share, uint32_t want);

/* supply_take - the next claimed query's place in the file. */
uint32_t supply_take(struct supply_share *share);

/* supply_put_back - the last count queries taken since the last claim were not sent. */
void supply_put_back(struct supply_share *share, uint32_t count);

/* supply_is_done - nothing claimed and nothing left to claim. */
bool supply_is_done(const struct supply_share *share);

#endif
