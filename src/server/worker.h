/* worker.h - one thread that answers: its sockets, its connections, its answerer, its counters.
 *
 * Workers share nothing that they write. A worker's round: wait for the poll (offline, so that nobody waits
 * for it), read the clock, give every ready UDP socket a turn, then every ready connection.
 *
 * thread  the functions here are called by main, before worker_start() or after worker_stop() unless they say
 *         otherwise
 */
#ifndef SAKER_SERVER_WORKER_H
#define SAKER_SERVER_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "answer/answer.h"
#include "base/check.h"
#include "base/status.h"
#include "transport/datagram.h"
#include "transport/stream.h"

struct published;
struct resolver_config;
struct worker;

#define WORKER_UDP_MAX 64u /* UDP sockets; as many as addresses may be configured */

struct worker_config {
	struct stream_config stream;
	struct answer_config answer;
	const struct resolver_config *resolver; /* borrows for the worker's life; NULL: none */
};

/* On cache lines of their own. [worker] writes, anybody reads. */
struct worker_counters {
	struct datagram_counters udp;
	struct stream_counters tcp;
	struct counter rounds; /* waits for the poll */
	struct counter
		kernel_drops; /* datagrams that its sockets had no room for, a tenth of a second old */
};

/* worker_new - without sockets and without a thread; NULL where memory or descriptors end.
 *
 * shape   zones: holds a struct zone_set, borrowed
 */
MUST_USE struct worker *worker_new(
	uint32_t idx, const struct worker_config *config, const struct published *zones);

/* worker_free - closes its sockets; accepts NULL. */
void worker_free(struct worker *worker);

/* worker_add_udp, worker_add_tcp - answers on a bound, or listening, socket.
 *
 * effect  STATUS_OK: the worker owns fd; otherwise the caller still does
 * errors  STATUS_MEMORY, STATUS_IO, STATUS_LIMIT
 */
MUST_USE enum status worker_add_udp(struct worker *worker, int fd, bool pktinfo);
MUST_USE enum status worker_add_tcp(struct worker *worker, int fd);

/* worker_start - errors: STATUS_LIMIT, no more threads. */
MUST_USE enum status worker_start(struct worker *worker);

/* worker_stop - lets it finish its round, and waits for that. */
void worker_stop(struct worker *worker);

/* worker_round - one round, for tests; wait_ms: at most, -1 for as long as its connections allow.
 *
 * thread  registered as a reader
 */
void worker_round(struct worker *worker, int wait_ms);

/* worker_counters - what it counts; any thread. */
const struct worker_counters *worker_counters(const struct worker *worker);

/* worker_answers - what its answerer counted; after worker_stop(). */
const struct answer_counters *worker_answers(const struct worker *worker);

struct resolve_counters;

/* worker_resolver - what its resolver counted; NULL: it has none. After worker_stop(). */
const struct resolve_counters *worker_resolver(const struct worker *worker);

/* worker_kernel_drops - the counter of that name, brought up to date. */
uint64_t worker_kernel_drops(struct worker *worker);

#endif
