/* supply.h - deals the queries of a file out to the senders, in the file's order, over and over.
 *
 * A sender claims a batch with one atomic operation, and may put back what the kernel did not take; it then
 * comes first the next time. In an open loop only what is due can be claimed, and it
 * keeps its time (schedule_due_ns()) whoever claims it, so a sender that is held up is helped out by the others.
 *
 * thread  struct supply is shared; a struct supply_share has one owner
 */
#ifndef SAKER_LOADGEN_SUPPLY_H
#define SAKER_LOADGEN_SUPPLY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "loadgen/schedule.h"

struct supply {
	_Atomic uint64_t next; /* [atomic: relaxed, a counter that nothing else hangs on] */
	_Atomic uint64_t
		limit; /* [atomic: relaxed, ditto] queries to deal out in all; supply_close() lowers it */
	uint64_t start_ns;        /* [ro] the zero of the schedule */
	struct schedule schedule; /* [ro] */
	/* [ro] Of a closed loop that has a highest rate: no query is dealt out before its time there, but it is due
	 * when it is sent. Else closed.
	 */
	struct schedule pace;
	uint32_t count; /* [ro] queries in the file */
};

#define SUPPLY_BATCH_MAX 64u /* queries of one claim */

struct supply_share {
	struct supply *supply;           /* borrows: the run's */
	uint64_t back[SUPPLY_BATCH_MAX]; /* [0..back_count): put back, the next one first */
	uint32_t back_count;
};

/* supply_init - count queries, repeats times, but no more than limit; repeats 0: without end. Returns how many.
 *
 * shape  start_ns is to be set before an open schedule is used
 */
uint64_t supply_init(struct supply *supply, uint32_t count, uint64_t repeats, uint64_t limit,
	const struct schedule *schedule);

/* supply_times - when queries may be sent: the schedule of an open loop, or the pace. */
static inline const struct schedule *supply_times(const struct supply *supply)
{
	return schedule_is_open(&supply->schedule) ? &supply->schedule : &supply->pace;
}

/* supply_claim - up to want <= SUPPLY_BATCH_MAX queries to be sent now, each by its number in the run.
 *
 * effect  returns how many are in nths_out; 0: none now, see supply_is_done()
 */
MUST_USE uint32_t supply_claim(
	struct supply_share *share, uint32_t want, uint64_t now_ns, uint64_t *nths_out);

/* supply_put_back - so many of the queries claimed last were not sent. */
void supply_put_back(struct supply_share *share, const uint64_t *nths, uint32_t count);

/* supply_place - where the nth query of the run stands in the file. */
static inline uint32_t supply_place(const struct supply *supply, uint64_t nth)
{
	return (uint32_t)(nth % supply->count);
}

/* supply_next_ns - when the next query is due that this share or nobody has; UINT64_MAX: there is none. Open loop. */
uint64_t supply_next_ns(const struct supply_share *share);

/* supply_wake_ns - when sender rank of so many should look again: each takes the turn of another query. Open loop. */
uint64_t supply_wake_ns(const struct supply_share *share, uint32_t rank, uint32_t ranks);

/* supply_is_behind - is the query that was to come count later than the next overdue, too? Open loop. */
bool supply_is_behind(const struct supply *supply, uint64_t count, uint64_t now_ns);

/* supply_close - nothing more is claimed. Any thread. */
void supply_close(struct supply *supply);

/* supply_is_done - nothing claimed and nothing left to claim. */
bool supply_is_done(const struct supply_share *share);

#endif
