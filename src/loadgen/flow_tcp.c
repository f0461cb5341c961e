/* flow_tcp.c - the stream kind of flow. */
#include "loadgen/flow_tcp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/now.h"
#include "base/octets.h"
#include "os/socket.h"
#include "wire/wire.h"

#define LEN_LEN 2u                  /* octets of the length field, RFC 1035 sec 4.2.2 */
#define OUT_CAP (64u * 1024u + 64u) /* octets: any message fits, or some 1500 usual queries */
/* Octets: a whole message always fits behind a partial one. */
#define IN_CAP     (2u * (LEN_LEN + WIRE_MESSAGE_LEN_MAX))
#define TURN_READS 16u /* reads from one connection before the next has its turn */

/* Pauses before the next connection after one that brought no answer. */
#define RETRY_FIRST_NS (10 * NOW_NS_A_MILLISECOND)
#define RETRY_LAST_NS  NOW_NS_A_SECOND

enum state { STATE_CLOSED, STATE_CONNECTING, STATE_OPEN };

_Static_assert(OUT_CAP >= LEN_LEN + WIRE_MESSAGE_LEN_MAX, "an empty buffer takes any query");

struct flow_tcp {
	enum state state;
	bool was_open;       /* a connection was open before */
	bool is_blocked;     /* the kernel took less than was offered */
	uint32_t next_write; /* slot in flight, see above; SLOTS_NONE: all are written */
	uint32_t out_off;    /* out[out_off..out_len) is to be written */
	uint32_t out_len;
	uint32_t in_len;     /* in[0..in_len) is read and not yet judged */
	uint32_t written;    /* queries on this connection */
	uint64_t answered;   /* on this connection */
	uint64_t retry_ns;   /* not before this time */
	uint64_t pause_ns;   /* the pause before that; 0: none */
	uint64_t blocked_ns; /* since then */
	uint8_t out[OUT_CAP];
	uint8_t in[IN_CAP];
};

void flow_tcp_forget(struct flow_tcp *tcp, const struct slots *slots, uint32_t slot)
{
	if (tcp->next_write == slot) {
		tcp->next_write = slots->items[slot].next;
	}
}

static enum status begin_connect(struct flow *flow, struct flow_context *context)
{
	struct flow_tcp *tcp = flow->tcp;

	flow->fd = socket_tcp_connect(
		context->server, flow->from.family == ADDR_NONE ? NULL : &flow->from);
	if (flow->fd < 0) {
		return STATUS_IO;
	}
	if (context->buffer_len != 0) {
		socket_buffers(flow->fd, context->buffer_len, context->buffer_len);
	}
	tcp->state = STATE_CONNECTING;
	return poll_add(&context->poll, flow->fd, POLL_READ | POLL_WRITE, flow);
}

static void unblock(struct flow *flow, uint64_t now_ns)
{
	if (flow->tcp->is_blocked) {
		flow->tcp->is_blocked = false;
		flow->send_blocked_ns += now_ns - flow->tcp->blocked_ns;
	}
}

static void drop_connection(struct flow *flow, struct flow_context *context, uint64_t now_ns)
{
	struct flow_tcp *tcp = flow->tcp;

	if (flow->fd >= 0) {
		poll_remove(&context->poll, flow->fd);
		socket_close(flow->fd);
		flow->fd = -1;
	}
	unblock(flow, now_ns);
	tcp->state = STATE_CLOSED;
}

/* The connection is gone: everything unanswered is to be written again, on the next one. */
static void lose_connection(
	struct flow *flow, struct flow_context *context, int error, uint64_t now_ns)
{
	struct flow_tcp *tcp = flow->tcp;

	if (error != 0) {
		context->tally.error = error;
		context->tally.refused += error == ECONNREFUSED ? 1 : 0;
	}
	drop_connection(flow, context, now_ns);
	for (uint32_t slot = flow->slots.oldest; slot != tcp->next_write;
		slot = flow->slots.items[slot].next) {
		context->tally.resent++;
	}
	tcp->next_write = flow->slots.oldest;
	tcp->out_off = tcp->out_len = tcp->in_len = tcp->written = 0;
	if (tcp->answered != 0) {
		tcp->pause_ns = 0;
	} else {
		tcp->pause_ns = tcp->pause_ns == 0 ? RETRY_FIRST_NS : tcp->pause_ns * 2;
		if (tcp->pause_ns > RETRY_LAST_NS) {
			tcp->pause_ns = RETRY_LAST_NS;
		}
	}
	tcp->retry_ns = now_ns + tcp->pause_ns;
	tcp->answered = 0;
}

/* Opens the next connection where there is something to ask and it is time. */
static void reconnect(struct flow *flow, struct flow_context *context, uint64_t now_ns)
{
	struct flow_tcp *tcp = flow->tcp;

	if (tcp->state == STATE_CLOSED && tcp->next_write != SLOTS_NONE &&
		now_ns >= tcp->retry_ns && begin_connect(flow, context) != STATUS_OK) {
		lose_connection(flow, context, errno, now_ns);
	}
}

/* Closes a connection that had as many queries as it may, once all of them are answered or lost. */
static void renew(struct flow *flow, struct flow_context *context, uint64_t now_ns)
{
	struct flow_tcp *tcp = flow->tcp;

	if (context->per_connection != 0 && tcp->written >= context->per_connection &&
		tcp->state == STATE_OPEN && tcp->next_write == flow->slots.oldest) {
		drop_connection(flow, context, now_ns);
		tcp->out_off = tcp->out_len = tcp->in_len = tcp->written = 0;
		tcp->answered = 0;
		tcp->was_open = false; /* it was not the server who closed */
		reconnect(flow, context, now_ns);
	}
}

/* Fills what room the buffer has, from its start. */
static void fill(struct flow *flow, struct flow_context *context)
{
	struct flow_tcp *tcp = flow->tcp;

	while (tcp->next_write != SLOTS_NONE &&
		(context->per_connection == 0 || tcp->written < context->per_connection)) {
		const struct slot *slot = &flow->slots.items[tcp->next_write];
		uint8_t *to = tcp->out + tcp->out_len;
		uint32_t rest_len;
		const uint8_t *rest = queryfile_rest(context->queries, slot->query_idx, &rest_len);

		uint32_t len = QUERYFILE_ID_LEN + rest_len; /* of the message */
		if (OUT_CAP - tcp->out_len < LEN_LEN + len + flow_added_max(context)) {
			break;
		}
		octets_put_u16(to + LEN_LEN, slot->id);
		memcpy(to + LEN_LEN + QUERYFILE_ID_LEN, rest, rest_len);
		len = flow_complete(flow, context, to + LEN_LEN, len);
		octets_put_u16(to, (uint16_t)len);
		tcp->out_len += LEN_LEN + len;
		tcp->next_write = slot->next;
		tcp->written++;
	}
}

/* Writes all that waits, or until the kernel takes no more; then the poll tells when it does. */
static void flush(struct flow *flow, struct flow_context *context, uint64_t now_ns)
{
	struct flow_tcp *tcp = flow->tcp;

	for (;;) {
		if (tcp->out_off == tcp->out_len) {
			tcp->out_off = tcp->out_len = 0;
			fill(flow, context);
			if (tcp->out_len == 0) {
				break;
			}
		}
		ssize_t done = socket_write(
			flow->fd, tcp->out + tcp->out_off, tcp->out_len - tcp->out_off);
		if (done < 0 && errno != EAGAIN) {
			lose_connection(flow, context, errno, now_ns);
			return;
		}
		if (done < 0) {
			if (!tcp->is_blocked) {
				tcp->is_blocked = true;
				tcp->blocked_ns = now_ns;
				if (poll_change(&context->poll, flow->fd, POLL_READ | POLL_WRITE,
					    flow) != STATUS_OK) {
					lose_connection(flow, context, errno, now_ns);
				}
			}
			return;
		}
		tcp->out_off += (uint32_t)done;
	}
	if (tcp->is_blocked) {
		unblock(flow, now_ns);
		if (poll_change(&context->poll, flow->fd, POLL_READ, flow) != STATUS_OK) {
			lose_connection(flow, context, errno, now_ns);
		}
	}
}

/* Judges the whole messages of the buffer; a partial one moves to its front. */
static void judge(struct flow *flow, struct flow_context *context, uint64_t now_ns)
{
	struct flow_tcp *tcp = flow->tcp;
	uint64_t before = flow->answered;
	uint32_t at = 0;

	while (tcp->in_len - at >= LEN_LEN) {
		uint32_t len = octets_get_u16(tcp->in + at);
		if (tcp->in_len - at - LEN_LEN < len) {
			break;
		}
		flow_match(flow, context, tcp->in + at + LEN_LEN, len, now_ns);
		at += LEN_LEN + len;
	}
	memmove(tcp->in, tcp->in + at, tcp->in_len - at);
	tcp->in_len -= at;
	tcp->answered += flow->answered - before;
}

static bool read_all(struct flow *flow, struct flow_context *context, uint64_t now_ns)
{
	struct flow_tcp *tcp = flow->tcp;

	for (uint32_t turn = 0; turn < TURN_READS; turn++) {
		uint32_t room = IN_CAP - tcp->in_len;
		ssize_t got = socket_read(flow->fd, tcp->in + tcp->in_len, room);
		if (got < 0 && errno == EAGAIN) {
			return true;
		}
		if (got <= 0) {
			lose_connection(flow, context, got < 0 ? errno : 0, now_ns);
			reconnect(flow, context, now_ns);
			return true;
		}
		tcp->in_len += (uint32_t)got;
		judge(flow, context, now_ns);
		if ((uint32_t)got < room) {
			return true;
		}
	}
	return false;
}

static enum status open_tcp(struct flow *flow, struct flow_context *context)
{
	(void)context; /* the first connection is made for the first query */
	/* Not zeroed: 150 KB a connection, of which most is never touched. */
	flow->tcp = malloc(sizeof(*flow->tcp));
	if (flow->tcp == NULL) {
		return STATUS_MEMORY;
	}
	memset(flow->tcp, 0, offsetof(struct flow_tcp, out));
	flow->tcp->next_write = SLOTS_NONE;
	return STATUS_OK;
}

static void close_tcp(struct flow *flow, struct flow_context *context)
{
	if (flow->tcp != NULL) {
		drop_connection(flow, context, flow->tcp->blocked_ns);
		free(flow->tcp);
		flow->tcp = NULL;
	}
}

static uint32_t send_tcp(
	struct flow *flow, struct flow_context *context, uint32_t want, uint64_t now_ns)
{
	struct flow_tcp *tcp = flow->tcp;
	uint64_t nths[FLOW_BATCH_MAX];
	uint32_t count = supply_claim(&context->share, want, now_ns, nths);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t slot = flow_take(flow, context, nths[i], now_ns);
		if (tcp->next_write == SLOTS_NONE) {
			tcp->next_write = slot;
		}
	}
	if (count > 0) {
		flow_sent(flow, context, count, now_ns);
	}
	if (tcp->state == STATE_CLOSED) {
		reconnect(flow, context, now_ns);
	} else if (tcp->state == STATE_OPEN && !tcp->is_blocked) {
		flush(flow, context, now_ns);
	}
	return count;
}

static bool ready_tcp(
	struct flow *flow, struct flow_context *context, unsigned flags, uint64_t now_ns)
{
	struct flow_tcp *tcp = flow->tcp;

	if (tcp->state == STATE_CONNECTING) {
		int error = socket_error(flow->fd);
		if (error == 0 && (flags & POLL_WRITE) == 0) {
			return true;
		}
		if (error == 0 &&
			poll_change(&context->poll, flow->fd, POLL_READ, flow) != STATUS_OK) {
			error = errno;
		}
		if (error != 0) {
			lose_connection(flow, context, error, now_ns);
			return true;
		}
		tcp->state = STATE_OPEN;
		context->tally.connections++;
		flow->reconnects += tcp->was_open ? 1 : 0;
		tcp->was_open = true;
	}
	bool drained = true;
	if (tcp->state == STATE_OPEN && (flags & POLL_READ) != 0) {
		drained = read_all(flow, context, now_ns);
	}
	renew(flow, context, now_ns);
	if (tcp->state == STATE_OPEN) {
		flush(flow, context, now_ns);
	}
	return drained;
}

static void tick_tcp(struct flow *flow, struct flow_context *context, uint64_t now_ns)
{
	renew(flow, context, now_ns);
	reconnect(flow, context, now_ns);
}

const struct flow_kind flow_tcp = {
	.name = "TCP",
	.open = open_tcp,
	.send = send_tcp,
	.ready = ready_tcp,
	.tick = tick_tcp,
	.close = close_tcp,
};
