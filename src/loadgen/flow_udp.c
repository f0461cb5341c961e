/* flow_udp.c - the datagram kind of flow. */
#include "loadgen/flow_udp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "os/clock.h"
#include "os/socket.h"
#include "os/udp_client.h"
#include "wire/name.h"
#include "wire/wire.h"

/* Octets asked for. Answers must not be lost at our own socket: 4 MiB hold some 5000 of them as the kernel counts. */
#define BUFFER_LEN (4u << 20)
/* Batches read from one socket before the next has its turn: 1024 answers. */
#define TURN_BATCHES 16u

_Static_assert(FLOW_BATCH_MAX == UDP_BATCH_MAX, "a send is one system call");
_Static_assert(FLOW_BATCH_MAX == SUPPLY_BATCH_MAX, "and one claim");
_Static_assert(UDP_CLIENT_HEAD_LEN == QUERYFILE_ID_LEN, "the file keeps the rest");

/* Room for a batch of the longest queries, completed. */
static enum status make_scratch(struct flow_context *context)
{
	uint32_t longest = 0;

	for (uint32_t i = 0; i < context->queries->count; i++) {
		uint32_t len;
		queryfile_rest(context->queries, i, &len);
		longest = len > longest ? len : longest;
	}
	context->scratch_len = QUERYFILE_ID_LEN + longest + flow_added_max(context);
	context->scratch = malloc((size_t)FLOW_BATCH_MAX * context->scratch_len);
	return context->scratch == NULL ? STATUS_MEMORY : STATUS_OK;
}

static enum status open_udp(struct flow *flow, struct flow_context *context)
{
	if (context->udp == NULL) {
		context->udp = udp_client_new();
		if (context->udp == NULL) {
			return STATUS_MEMORY;
		}
	}
	if (flow_added_max(context) != 0 && context->scratch == NULL &&
		make_scratch(context) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	flow->fd = socket_udp_connect(
		context->server, flow->from.family == ADDR_NONE ? NULL : &flow->from);
	if (flow->fd < 0) {
		return STATUS_IO;
	}
	uint32_t buffer_len = context->buffer_len != 0 ? context->buffer_len : BUFFER_LEN;
	socket_buffers(flow->fd, buffer_len, buffer_len);
	udp_client_stamps(flow->fd);
	return poll_add(&context->poll, flow->fd, POLL_READ, flow);
}

static void close_udp(struct flow *flow, struct flow_context *context)
{
	if (flow->fd >= 0) {
		context->tally.dropped += socket_drops(flow->fd);
		poll_remove(&context->poll, flow->fd);
		socket_close(flow->fd);
		flow->fd = -1;
	}
	udp_client_free(context->udp);
	context->udp = NULL;
	free(context->scratch);
	context->scratch = NULL;
}

/* What a send or a receive on a connected socket may be told about an earlier query. */
static void count_error(struct flow_context *context, int error)
{
	context->tally.refused += error == ECONNREFUSED ? 1 : 0;
	context->tally.error = error;
}

/* Equal lengths side by side, so that the kernel takes them as one (os/udp_client.h); insertion keeps the file's order
 * among them.
 */
HOT static void sort_by_length(const struct flow_context *context, uint64_t *nths, uint32_t count)
{
	uint16_t lens[FLOW_BATCH_MAX];

	for (uint32_t i = 0; i < count; i++) {
		uint64_t nth = nths[i];
		uint16_t len =
			context->queries->items[supply_place(context->share.supply, nth)].len;
		uint32_t at = i;
		while (at > 0 && lens[at - 1] > len) {
			lens[at] = lens[at - 1];
			nths[at] = nths[at - 1];
			at--;
		}
		lens[at] = len;
		nths[at] = nth;
	}
}

/* The nth query of a batch, completed in the scratch; what follows its ID there. */
static const uint8_t *complete(const struct flow *flow, struct flow_context *context, uint32_t nth,
	uint16_t id, const uint8_t *rest, uint32_t *rest_len)
{
	uint8_t *to = context->scratch + (size_t)nth * context->scratch_len;

	octets_put_u16(to, id);
	memcpy(to + QUERYFILE_ID_LEN, rest, *rest_len);
	*rest_len =
		flow_complete(flow, context, to, QUERYFILE_ID_LEN + *rest_len) - QUERYFILE_ID_LEN;
	return to + QUERYFILE_ID_LEN;
}

HOT static uint32_t send_udp(
	struct flow *flow, struct flow_context *context, uint32_t want, uint64_t now_ns)
{
	uint64_t nths[FLOW_BATCH_MAX];
	uint32_t count = supply_claim(&context->share, want, now_ns, nths);
	bool is_completed = flow_added_max(context) != 0;
	int error = 0;

	if (count == 0) {
		return 0;
	}
	sort_by_length(context, nths, count);
	for (uint32_t i = 0; i < count; i++) {
		const struct slot *slot =
			&flow->slots.items[flow_take(flow, context, nths[i], now_ns)];
		uint32_t rest_len;
		const uint8_t *rest = queryfile_rest(context->queries, slot->query_idx, &rest_len);
		if (is_completed) {
			rest = complete(flow, context, i, slot->id, rest, &rest_len);
		}
		octets_put_u16(udp_client_put(context->udp, rest, rest_len), slot->id);
	}
	uint32_t sent = udp_client_send(context->udp, flow->fd, &error);
	for (uint32_t i = sent; i < count; i++) {
		flow_untake(flow, context);
	}
	if (sent < count) {
		supply_put_back(&context->share, nths + sent, count - sent);
		if (error != EAGAIN) {
			count_error(context, error);
			context->tally.unsent += error != ECONNREFUSED ? 1 : 0;
		}
	}
	if (sent > 0) {
		/* In an open loop the time after the system call: no query was sent later than that. */
		bool is_open = schedule_is_open(&context->share.supply->schedule);
		flow_sent(flow, context, sent, is_open ? clock_mono_ns() : now_ns);
	}
	return sent;
}

HOT static bool ready_udp(
	struct flow *flow, struct flow_context *context, unsigned flags, uint64_t now_ns)
{
	(void)flags;
	(void)now_ns;
	for (uint32_t turn = 0; turn < TURN_BATCHES; turn++) {
		int got = udp_client_receive(context->udp, flow->fd);
		if (got < 0) {
			count_error(context, errno);
			continue; /* an error is told once: what came before it still waits */
		}
		for (uint32_t i = 0; i < context->udp->answer_count; i++) {
			const struct udp_client_answer *answer = &context->udp->answers[i];
			flow_match(flow, context, answer->octets, answer->len, answer->mono_ns);
		}
		if (context->udp->answer_count < UDP_BATCH_MAX) {
			return true;
		}
	}
	return false;
}

const struct flow_kind flow_udp = {
	.name = "UDP",
	.has_stamps = true,
	.open = open_udp,
	.send = send_udp,
	.ready = ready_udp,
	.close = close_udp,
};
