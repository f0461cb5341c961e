/* flow.h - one socket of a sender with its queries in flight; what all transports have in common.
 *
 * A transport is a struct flow_kind: flow_udp, flow_tcp. The sender decides when and how many, a kind
 * knows how, and flow_match() judges what came back.
 *
 * thread  the sender that owns the context
 */
#ifndef SAKER_LOADGEN_FLOW_H
#define SAKER_LOADGEN_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "base/status.h"
#include "loadgen/ednsopt.h"
#include "loadgen/queryfile.h"
#include "loadgen/querysign.h"
#include "loadgen/recorder.h"
#include "loadgen/slots.h"
#include "loadgen/supply.h"
#include "loadgen/tally.h"
#include "os/poll.h"

#define FLOW_BATCH_MAX 64u /* queries that one send takes, as many as one system call (os/udp.h) */

struct answerbook;
struct answerline;
struct flow_tcp;
struct udp_client;

struct flow {
	struct slots slots;
	struct flow *next_ready; /* in the context's list of flows with room; see is_listed */
	struct flow_tcp *tcp;    /* owns: the connection's state and buffers; NULL for datagrams */
	struct ednsopt_client edns;
	struct addr from; /* local address; ADDR_NONE: any */
	uint32_t window;  /* most in flight */
	bool is_listed;
	int fd; /* -1: not open */
	uint32_t in_flight_max;
	uint64_t answered;
	uint64_t out_of_order;
	uint64_t reconnects;
	uint64_t send_blocked_ns;
};

/* What the flows of one sender share. */
struct flow_context {
	const struct queryfile *queries; /* borrows: the run's */
	const struct addr *server;       /* borrows: the run's */
	const struct ednsopt *edns;      /* borrows: the run's; used where queries->is_open */
	struct querysign *signer;        /* owns: signs queries; NULL: they are not signed */
	uint8_t *scratch;     /* owns: queries of a batch, completed, of the datagram kind */
	uint32_t scratch_len; /* octets of each */
	struct supply_share share;
	struct poll poll;
	struct tally tally;
	struct recorder recorder;
	struct flow *ready_first; /* flows whose window has room, the longest unused first */
	struct flow *ready_last;
	struct udp_client *udp;   /* owns: buffers of the datagram kind */
	struct answerbook *judge; /* borrows: answers are held against it; NULL: they are not */
	struct answerbook *learn; /* borrows: answers are noted in it; NULL: they are not */
	const struct answerline *told; /* borrows: gets a line a query; NULL: none */
	bool is_watching;              /* one of the three is there */
	uint64_t timeout_ns;
	uint32_t in_flight_count; /* over all flows */
	uint32_t buffer_len;      /* of sockets, octets; 0: as the kind likes */
	uint32_t per_connection;  /* queries of a stream before it is closed; 0: no limit */
};

struct flow_kind {
	const char *name;
	bool has_stamps; /* the kernel says when an answer came: it may be read later */

	/* flow_kind.open - makes the socket; the flow's slots are ready. errors: STATUS_IO (errno), STATUS_MEMORY */
	enum status (*open)(struct flow *flow, struct flow_context *context);

	/* flow_kind.send - sends up to want <= FLOW_BATCH_MAX queries, the window allows it; returns how many went into
	 * flight. Fewer: there are no more, or the socket takes no more now.
	 */
	uint32_t (*send)(
		struct flow *flow, struct flow_context *context, uint32_t want, uint64_t now_ns);

	/* flow_kind.ready - the poll said so; returns false where more may wait to be read. flags: enum poll_flag */
	bool (*ready)(
		struct flow *flow, struct flow_context *context, unsigned flags, uint64_t now_ns);

	/* flow_kind.tick - now and then, for what waits for time; may be NULL. */
	void (*tick)(struct flow *flow, struct flow_context *context, uint64_t now_ns);

	/* flow_kind.close - undoes open, also half of it. */
	void (*close)(struct flow *flow, struct flow_context *context);
};

/* flow_added_max - octets that flow_complete() may add; 0: queries are sent as they are in the file. */
static inline uint32_t flow_added_max(const struct flow_context *context)
{
	return (context->queries->is_open ? EDNSOPT_LEN_MAX : 0) +
	       (context->signer != NULL ? QUERYSIGN_LEN_MAX : 0);
}

/* flow_complete - adds EDNS options and signature to a whole message; returns its length then. */
uint32_t flow_complete(
	const struct flow *flow, struct flow_context *context, uint8_t *message, uint32_t len);

/* flow_list - puts a flow with room at the end of the ready list, where it is not in it. */
void flow_list(struct flow *flow, struct flow_context *context);

/* flow_unlist - takes the first flow out of the ready list; NULL: no flow has room. */
struct flow *flow_unlist(struct flow_context *context);

/* flow_take - puts the nth query of the run in flight, due by the schedule or, in a closed loop, now; returns its slot. */
uint32_t flow_take(struct flow *flow, struct flow_context *context, uint64_t nth, uint64_t now_ns);

/* flow_untake - the newest query in flight was not sent after all. */
void flow_untake(struct flow *flow, struct flow_context *context);

/* flow_sent - the count queries taken last are on their way since now_ns. */
void flow_sent(struct flow *flow, struct flow_context *context, uint32_t count, uint64_t now_ns);

/* flow_match - judges one message that came in at_ns, and counts it for what it is. */
void flow_match(struct flow *flow, struct flow_context *context, const uint8_t *octets,
	uint32_t len, uint64_t at_ns);

/* flow_expire - gives up on what was due longer ago than the time-out; everything that came in was matched. */
void flow_expire(struct flow *flow, struct flow_context *context, uint64_t now_ns);

/* flow_interrupt - gives up on all that is in flight: the run is over. */
void flow_interrupt(struct flow *flow, struct flow_context *context);

#endif
