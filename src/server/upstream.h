/* upstream.h - sockets to the servers that a resolver asks: one for each exchange, with a port of its own.
 *
 * A socket for datagrams serves again, with another peer and another random port: making one costs as much as the question.
 * Only one whose queue is empty does, so that nobody who was asked before can answer in another's place.
 *
 * thread  the worker's
 */
#ifndef SAKER_SERVER_UPSTREAM_H
#define SAKER_SERVER_UPSTREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "os/poll.h"
#include "transport/transport.h"

struct resolve_action;
struct upstreams;

struct upstream_config {
	struct addr source[2]; /* to ask from, port 0; family ADDR_NONE: any address */
};

/* What came on a socket. */
struct upstream_news {
	uint32_t exchange;
	bool failed;
	bool over_stream;
	const uint8_t *octets; /* borrows until the next call */
	uint32_t len;
};

MUST_USE struct upstreams *upstream_new(const struct upstream_config *config, struct poll *poll);

/* upstream_free - closes all of them; accepts NULL. */
void upstream_free(struct upstreams *upstreams);

/* upstream_send - opens a socket and sends, or begins to. action: SEND_*; false: it cannot be had */
MUST_USE bool upstream_send(struct upstreams *upstreams, const struct resolve_action *action);

/* upstream_close - the exchange is over; it need not be open. */
void upstream_close(struct upstreams *upstreams, uint32_t exchange);

/* upstream_event - false: nothing to tell yet. */
MUST_USE bool upstream_event(struct upstreams *upstreams, struct transport_source *source,
	unsigned flags, struct upstream_news *out);

/* upstream_bury - frees what was closed in this round: no event of the poll may name it any more. */
void upstream_bury(struct upstreams *upstreams);

#endif
