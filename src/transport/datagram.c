/* datagram.c - turns of a UDP socket; called by the worker for each that is readable. */
#include "transport/datagram.h"

#include "base/trap.h"
#include "os/udp.h"

/* A receive that brings fewer than a whole batch has seen the end of the queue. Under load the queue has
 * filled again while its batch was answered, and to look is cheaper than to ask the poll first; a trickle
 * is better waited for. From this many on we look.
 */
#define LOOK_AGAIN_MIN 8u

_Static_assert(TRANSPORT_BATCH_MAX == UDP_BATCH_MAX, "a batch goes to the handler whole");

/* Answers batch->slots[0..count) in place. */
HOT static void answer_slots(struct datagram *datagram, const struct transport_handler *handler,
	uint32_t count, struct now now)
{
	struct udp_batch *batch = datagram->batch;
	struct request requests[UDP_BATCH_MAX];
	uint32_t slot_of[UDP_BATCH_MAX];
	uint32_t request_count = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct udp_slot *slot = &batch->slots[i];
		if (UNLIKELY(slot->cut)) {
			counter_add(&datagram->counters->cut, 1);
			continue;
		}
		slot_of[request_count] = i;
		requests[request_count++] = (struct request){.octets = slot->octets,
			.len = slot->in_len,
			.cap = UDP_SLOT_LEN,
			.transport = REQUEST_UDP,
			.origin = batch,
			.place = i};
	}
	handler->answer(handler->context, requests, request_count, now);
	for (uint32_t i = 0; i < request_count; i++) {
		batch->slots[slot_of[i]].out_len = requests[i].answer_len;
		if (UNLIKELY(requests[i].later)) {
			trap_leave(); /* what waits for others is off the packet path: it may allocate */
			handler->later(handler->context, &datagram->source, &requests[i], now);
			trap_enter();
		}
	}
}

HOT enum datagram_state datagram_turn(
	struct datagram *datagram, const struct transport_handler *handler, struct now now)
{
	struct datagram_counters *counters = datagram->counters;
	enum datagram_state state = DATAGRAM_MORE;

	trap_enter();
	for (uint32_t i = 0; i < DATAGRAM_TURN_BATCHES; i++) {
		int got = udp_receive(datagram->batch, datagram->fd);
		datagram->busy = got == (int)UDP_BATCH_MAX;
		if (got <= 0) {
			/* An error belongs to the socket as a whole and was taken off it by this call. */
			counter_add(&counters->failures, got < 0 ? 1u : 0u);
			state = DATAGRAM_EMPTY;
			break;
		}
		uint32_t count = (uint32_t)got;
		uint32_t refused = 0;
		answer_slots(datagram, handler, count, now);
		uint32_t sent = udp_send(datagram->batch, datagram->fd, &refused);
		counter_add(&counters->batches, 1);
		counter_add(&counters->queries, count);
		counter_add(&counters->answers, sent);
		if (UNLIKELY(refused != 0)) {
			counter_add(&counters->refused, refused);
		}
		if (count < LOOK_AGAIN_MIN) {
			state = DATAGRAM_EMPTY;
			break;
		}
	}
	trap_leave();
	return state;
}
