/* overload.h - decides how large a UDP socket's receive buffer is to be; touches no socket and no clock.
 *
 * Under more load than it can answer a server must not read what is too old to be of use: the kernel sheds,
 * which costs the server nothing, and what it answers is fresh (docs/decisions/0006-overload.md). A queue that
 * stands is told from a burst as CoDel does it: not one reading in OVERLOAD_STANDS_NS may have found it younger
 * than OVERLOAD_AGE_NS.
 *
 *              every reading of 100 ms older than 5 ms
 *      large ------------------------------------------> 4 ms of measured service, followed with each reading
 *        ^                                                  |
 *        +--------------------------------------------------+
 *              500 ms without a drop or an old reading; or the queue runs empty, so that there is
 *              time to spare: then the drops come from the buffer and not from the load
 *
 * What is served is measured without counting: a datagram that is taken has waited age_ns, and what has come
 * since then is what waits now, so queued_len / age_ns octets of the kernel's memory are served a nanosecond.
 * That holds whatever a datagram costs there, which is the network driver's choice.
 *
 * thread  one owner
 */
#ifndef SAKER_SERVER_OVERLOAD_H
#define SAKER_SERVER_OVERLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

/* A queue older than this for OVERLOAD_STANDS_NS is no burst. Both from the design: a resolver asks again after
 * some hundred milliseconds, and a burst that is over in 100 ms is better answered than shed.
 */
#define OVERLOAD_AGE_NS    5000000u
#define OVERLOAD_STANDS_NS 100000000u

/* Without a drop for this long the load is below what can be answered. Longer than the time in which the queue
 * was found to stand, or a load just above the capacity would flap. Guess.
 */
#define OVERLOAD_OVER_NS 500000000u

/* More than an eighth of the readings of the last third of a second find the queue drained: the server waits for
 * queries while the kernel drops some. So it is where the server is kept off its processor for longer than 5 ms,
 * or where queries come in bursts; both are better held in the large buffer. Guess.
 */
#define OVERLOAD_ALL       1024u
#define OVERLOAD_EMPTY_MAX (OVERLOAD_ALL / 8u)

/* Between readings: the kernel's drops are read ten times a second, the age of a queue that fills whole batches
 * so often that 100 ms hold ten readings. A reading is two system calls, 1 us.
 */
#define OVERLOAD_READ_NS      100000000u
#define OVERLOAD_READ_BUSY_NS 10000000u

/* A line in the log at most so often for a socket: a load that comes and goes must not fill the disk. */
#define OVERLOAD_TELL_NS 10000000000u

/* Never smaller, in octets of the kernel's memory: a batch of 64 datagrams of 2304 octets, which is what drivers
 * that give each a buffer of its own take. A worker that finds half a batch each time pays twice.
 */
#define OVERLOAD_LEN_MIN (64u * 2304u)

/* What was read off a socket after its turn. */
struct overload_reading {
	uint64_t now_ns; /* monotonic */
	uint64_t
		age_ns; /* how long the datagram taken last had waited; 0: nothing waits, or unknown */
	uint32_t queued_len; /* octets of the kernel's memory that wait now */
	uint32_t dropped;    /* datagrams that found no room since the reading before */
	bool empty;          /* the queue was drained */
};

enum overload_change {
	OVERLOAD_SAME,
	OVERLOAD_BEGINS, /* a line for the log */
	OVERLOAD_ENDS    /* a line for the log */
};

/* Read-only for others: on, len, and what tells of the last overload. */
struct overload {
	bool on;
	uint32_t len;       /* wanted, in octets of the kernel's memory */
	uint32_t len_large; /* while there is no overload */
	uint64_t len_ms;    /* octets served a millisecond, smoothed */
	uint32_t
		empty_share; /* readings that found the queue drained, smoothed; OVERLOAD_ALL is all of them */
	uint64_t read_ns; /* of the last reading */
	uint64_t
		old_ns; /* of the first reading of an unbroken row of old ones; 0: the last was young */
	uint64_t bad_ns; /* of the last reading that was old or had drops */
	uint64_t began_ns;
	uint64_t dropped; /* since it began */
	uint64_t told_ns; /* of the last OVERLOAD_BEGINS; 0: none yet */
	uint32_t untold;  /* overloads since then that nobody was told of */
	bool told;        /* of the one that is on */
};

/* overload_init - no overload. len_large: what the socket has, in octets of the kernel's memory. */
void overload_init(struct overload *overload, uint32_t len_large);

/* overload_is_due - time for a reading. busy: the last receive filled its batch. */
static inline bool overload_is_due(const struct overload *overload, uint64_t now_ns, bool busy)
{
	uint64_t every = busy || overload->on ? OVERLOAD_READ_BUSY_NS : OVERLOAD_READ_NS;

	return now_ns - overload->read_ns >= every;
}

/* overload_step - takes a reading in.
 *
 * effect  overload->len is what the receive buffer is to be from now on
 * errors  none: OVERLOAD_BEGINS and OVERLOAD_ENDS come in pairs, and not more often than OVERLOAD_TELL_NS
 */
MUST_USE enum overload_change overload_step(
	struct overload *overload, const struct overload_reading *reading);

#endif
