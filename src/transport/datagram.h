/* datagram.h - one UDP socket, drained in bounded turns.
 *
 * A turn is at most DATAGRAM_TURN_BATCHES times: receive a batch, have it answered in place, send it. So a
 * flood on one socket keeps another waiting for one turn, not for as long as the flood lasts.
 *
 *     readable --> turn --> DATAGRAM_EMPTY: wait for the poll
 *                   ^  \--> DATAGRAM_MORE:  the others first, then another turn
 *                   |________________________|
 *
 * memory  none of its own: sockets of one worker share a batch, which is empty between turns
 * thread  one owner
 */
#ifndef SAKER_TRANSPORT_DATAGRAM_H
#define SAKER_TRANSPORT_DATAGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/counter.h"
#include "base/now.h"
#include "transport/transport.h"

struct udp_batch;

/* Batches of 64 in one turn: at 2 us an answer half a millisecond, so that ten flooded sockets still leave
 * each other within 5 ms. Guess; more brings nothing, since one poll is shared by 256 answers already.
 */
#define DATAGRAM_TURN_BATCHES 4u

/* [worker] writes, anybody reads. */
struct datagram_counters {
	struct counter batches;  /* receives that brought something */
	struct counter queries;  /* datagrams received */
	struct counter answers;  /* datagrams sent */
	struct counter cut;      /* longer than a slot: no query is, not answered */
	struct counter refused;  /* answers that the kernel did not take */
	struct counter failures; /* receives that failed */
};

struct datagram {
	struct transport_source source;     /* TRANSPORT_DATAGRAM */
	int fd;                             /* owns */
	struct udp_batch *batch;            /* borrows: the worker's */
	struct datagram_counters *counters; /* borrows: the worker's */
	bool busy; /* the last receive filled its batch: more may wait. Read-only */
};

enum datagram_state {
	DATAGRAM_EMPTY, /* nothing waits */
	DATAGRAM_MORE   /* the turn was over first */
};

/* datagram_turn - one turn.
 *
 * cost  no allocation, no lock, two system calls a batch
 */
enum datagram_state datagram_turn(
	struct datagram *datagram, const struct transport_handler *handler, struct now now);

#endif
