/* stream.h - the TCP connections of one worker: two octets of length, then a message (RFC 1035 sec 4.2.2).
 *
 * A connection is a small struct. What is read goes to a buffer that all connections share, and whole
 * queries are answered from there in batches; memory of its own a connection has only while half a query or
 * answers that the peer does not take are waiting.
 *
 * Every connection stands in exactly one list, in the order in which its time began. Since all of a list
 * have the same time-out, the first of each list is the next to expire, and the longest idle:
 *
 *     IDLE     nothing is owed to either side    time-out: since its last query     (RFC 7766 sec 6.2.3)
 *     READING  half a query is here              time-out: since its first octet, however many trickle in
 *     WRITING  the peer does not take answers    time-out: since the first was held; nothing is read meanwhile
 *
 * Limits, and what happens: connections_max: the longest idle is closed for the new one (RFC 7766 sec 6.2.2
 * lets a server do so). STREAM_HELD_MAX octets held by all together: the one that waits longest for its peer
 * is closed. No descriptors left: the longest idle is closed, and if none is, accepting pauses.
 *
 * thread  one owner
 * source  RFC 7766
 */
#ifndef SAKER_TRANSPORT_STREAM_H
#define SAKER_TRANSPORT_STREAM_H

#include <stdint.h>

#include "base/check.h"
#include "base/counter.h"
#include "base/now.h"
#include "base/status.h"
#include "transport/transport.h"

struct addr;
struct poll;
struct stream_set;

/* Octets that one turn of one connection reads: some fifty queries, so a turn is about 0.1 ms. */
#define STREAM_READ_LEN 2048u
/* Queries that are answered together, and the pieces of one write. */
#define STREAM_BATCH_MAX 16u
/* Connections that one turn of a listener accepts. */
#define STREAM_ACCEPTS_A_TURN 16u
/* Octets that all connections of a worker may hold: half queries and answers that were not taken. Guess: a
 * peer has a right to one answer of 64 KiB in flight, and 256 that all stall at once are an attack.
 */
#define STREAM_HELD_MAX (16u << 20)

struct stream_config {
	uint32_t connections_max; /* of this worker */
	uint32_t idle_timeout_ms;
	uint32_t read_timeout_ms;  /* for the rest of a query that began */
	uint32_t write_timeout_ms; /* for the peer to take all that is held for it */
};

/* RFC 7766 sec 6.2.3 wants "a few seconds" idle; reading and writing are guesses for bad mobile links. */
#define STREAM_CONFIG_DEFAULT                                                                      \
	((struct stream_config){.connections_max = 1000,                                           \
		.idle_timeout_ms = 10000,                                                          \
		.read_timeout_ms = 5000,                                                           \
		.write_timeout_ms = 30000})

/* [worker] writes, anybody reads. */
struct stream_counters {
	struct counter accepted;
	struct counter queries;
	struct counter answers;
	struct counter expired;  /* closed for a time-out */
	struct counter evicted;  /* closed for a limit */
	struct counter garbage;  /* closed because no message can be that short */
	struct counter paused;   /* times that accepting stopped for lack of descriptors */
	struct counter held_len; /* octets that were ever held for peers that did not take them */
};

/* stream_set_new - no connections yet; NULL where there is no memory.
 *
 * shape   poll, handler, counters: borrowed for the set's life; the poll's events whose source is a
 *         TRANSPORT_LISTENER or TRANSPORT_STREAM go to stream_event()
 */
MUST_USE struct stream_set *stream_set_new(const struct stream_config *config, struct poll *poll,
	const struct transport_handler *handler, struct stream_counters *counters);

/* stream_set_free - closes every connection and listener; accepts NULL. */
void stream_set_free(struct stream_set *set);

/* stream_set_count - connections that are open. */
uint32_t stream_set_count(const struct stream_set *set);

/* stream_listen - accepts connections of a listening socket.
 *
 * effect  STATUS_OK: the set owns fd; otherwise the caller still does
 * errors  STATUS_MEMORY, STATUS_IO
 */
MUST_USE enum status stream_listen(struct stream_set *set, int fd);

/* stream_adopt - serves a connected socket; errors and effect as stream_listen(). */
MUST_USE enum status stream_adopt(struct stream_set *set, int fd, struct now now);

/* stream_peer - who is at the other end. stream: a request's origin */
void stream_peer(const void *stream, struct addr *out);

/* stream_hold - an answer will come later: the connection's struct stays until stream_answer(). */
void stream_hold(const void *stream);

/* stream_answer - the answer to a query that was held; octets NULL: there is none.
 *
 * effect  a connection that was closed meanwhile gets none; one that the peer has half closed is closed after its last answer
 */
void stream_answer(struct stream_set *set, const void *stream, const uint8_t *octets, uint32_t len,
	struct now now);

/* stream_event - one turn of a listener or a connection; returns the queries that it answered.
 *
 * shape   flags: enum poll_flag
 * cost    STREAM_READ_LEN octets read, or STREAM_ACCEPTS_A_TURN times that; memory is allocated for a new
 *         connection, half a query and answers that are not taken, never for a query
 */
uint32_t stream_event(
	struct stream_set *set, struct transport_source *source, unsigned flags, struct now now);

/* stream_expire - closes what is overdue; once after each round of events, also where none came.
 *
 * effect  sources closed since the last call are freed: none of them may come from the poll any more
 * cost    O(1) and O(1) a connection closed
 */
void stream_expire(struct stream_set *set, struct now now);

/* stream_wait_ms - how long the poll may wait until stream_expire() has something to do; -1: for ever. */
int stream_wait_ms(const struct stream_set *set, struct now now);

#endif
