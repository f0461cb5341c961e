/* tcpstreams.h - the messages that clients sent over TCP, from captured segments.
 *
 *     delivered ...  |  partial: length, message so far  |  hole  |  waiting segments  |
 *                                                        ^ next
 *
 * One direction of each connection, towards the server, is followed. A segment that comes too early waits until the
 * hole is filled; where that takes too much, the hole is given up, and so is the connection: nobody can say where in
 * it the next message begins. A connection whose start was not captured is taken up where a segment begins with what
 * can be a length and the header of a query.
 *
 * memory  at most TCPSTREAMS_MAX connections and TCPSTREAMS_HELD_MAX octets; the one that was silent for longest makes
 *         room
 * thread  one owner
 * source  RFC 9293 sec 3.4 (sequence numbers wrap), RFC 1035 sec 4.2.2 (two octets of length)
 */
#ifndef SAKER_CAPTURE_TCPSTREAMS_H
#define SAKER_CAPTURE_TCPSTREAMS_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "capture/packet.h"

#define TCPSTREAMS_MAX             4096u       /* connections followed at the same time; a guess */
#define TCPSTREAMS_WAITING_MAX     16u         /* segments behind a hole */
#define TCPSTREAMS_WAITING_LEN_MAX 65536u      /* octets in them: a usual window without scaling */
#define TCPSTREAMS_HELD_MAX        (64u << 20) /* octets kept for later, all connections together */

struct tcpstreams_stream;

struct tcpstreams_sink {
	/* A whole message; anything but STATUS_OK ends the reading. */
	enum status (*message)(
		void *context, const struct packet *packet, const uint8_t *octets, uint32_t len);
	void *context; /* borrows: the caller's */
};

struct tcpstreams {
	struct tcpstreams_stream **buckets; /* owns */
	struct tcpstreams_stream *recent;   /* ends of the list by time of the last segment */
	struct tcpstreams_stream *stale;
	uint32_t count;
	uint64_t held_len;
	uint64_t given_up_count; /* connections with a hole that was not filled */
};

/* tcpstreams_init - errors: STATUS_MEMORY; nothing is left to be undone */
MUST_USE enum status tcpstreams_init(struct tcpstreams *streams);
void tcpstreams_fini(struct tcpstreams *streams);

/* tcpstreams_add - takes a PACKET_TCP, and gives the messages that it completes to the sink.
 *
 * errors  STATUS_MEMORY, or what the sink returned
 * cost    amortised O(octets)
 */
MUST_USE enum status tcpstreams_add(struct tcpstreams *streams, const struct packet *packet,
	const struct tcpstreams_sink *sink);

#endif
