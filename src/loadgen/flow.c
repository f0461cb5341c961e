/* flow.c - queries into flight and out of it. */
#include "loadgen/flow.h"

#include "base/octets.h"
#include "loadgen/flow_tcp.h"
#include "wire/wire.h"

HOT uint32_t flow_take(struct flow *flow, struct flow_context *context, uint64_t due_ns)
{
	context->in_flight_count++;
	return slots_take(&flow->slots, supply_take(&context->share), due_ns);
}

void flow_untake(struct flow *flow, struct flow_context *context)
{
	context->in_flight_count--;
	slots_settle(&flow->slots, flow->slots.newest, SLOTS_UNUSED);
}

HOT void flow_sent(struct flow *flow, struct flow_context *context, uint32_t count, uint64_t now_ns)
{
	struct tally *tally = &context->tally;

	tally->sent += count;
	if (tally->first_ns == 0) {
		tally->first_ns = now_ns;
	}
	tally->last_ns = now_ns;
	if (flow->slots.in_flight_count > flow->in_flight_max) {
		flow->in_flight_max = flow->slots.in_flight_count;
	}
}

static void settle(
	struct flow *flow, struct flow_context *context, uint32_t slot, enum slots_fate fate)
{
	if (flow->tcp != NULL) {
		flow_tcp_forget(flow->tcp, &flow->slots, slot);
	}
	context->in_flight_count--;
	slots_settle(&flow->slots, slot, fate);
}

/* Does the message answer the query in this slot? A server that cannot read a query may leave the question out of
 * its error (FORMERR), so an error without one passes.
 */
static bool answers(const struct flow *flow, const struct flow_context *context, uint32_t slot,
	const uint8_t *octets, uint32_t len, uint16_t flags)
{
	uint16_t questions = octets_get_u16(octets + 4);
	uint32_t query_idx = flow->slots.items[slot].query_idx;

	if (((flags ^ queryfile_flags(context->queries, query_idx)) & WIRE_OPCODE_MASK) != 0) {
		return false;
	}
	if (questions == 0) {
		return (flags & WIRE_RCODE_MASK) != RCODE_NOERROR;
	}
	return questions == 1 && queryfile_is_question(context->queries, query_idx,
					 octets + WIRE_HEADER_LEN, len - WIRE_HEADER_LEN);
}

HOT void flow_match(struct flow *flow, struct flow_context *context, const uint8_t *octets,
	uint32_t len, uint64_t at_ns)
{
	struct tally *tally = &context->tally;
	uint32_t slot = SLOTS_NONE;

	tally->heard++;
	uint16_t flags = len < WIRE_HEADER_LEN ? 0 : octets_get_u16(octets + 2);
	if ((flags & WIRE_FLAG_QR) == 0) {
		tally->malformed++;
		return;
	}
	enum slots_fate fate = slots_find(&flow->slots, octets_get_u16(octets), &slot);
	if (fate != SLOTS_IN_FLIGHT) {
		tally->late += fate == SLOTS_EXPIRED ? 1 : 0;
		tally->duplicate += fate == SLOTS_ANSWERED ? 1 : 0;
		tally->unmatched += fate == SLOTS_UNUSED ? 1 : 0;
		if (fate == SLOTS_EXPIRED) {
			slots_mark(&flow->slots, octets_get_u16(octets), SLOTS_ANSWERED);
		}
		return;
	}
	if (!answers(flow, context, slot, octets, len, flags)) {
		tally->mismatched++;
		return;
	}
	uint64_t due_ns = flow->slots.items[slot].due_ns;
	uint64_t latency_ns = at_ns > due_ns ? at_ns - due_ns : 0;
	if (latency_ns > context->timeout_ns) {
		tally->lost++;
		tally->late++;
		settle(flow, context, slot, SLOTS_ANSWERED);
		return;
	}
	if (slot != flow->slots.oldest) {
		flow->out_of_order++;
	}
	flow->answered++;
	tally->answered++;
	tally->rcodes[flags & WIRE_RCODE_MASK]++;
	tally->truncated += (flags & WIRE_FLAG_TC) != 0 ? 1 : 0;
	tally->octets += len;
	histogram_add(&tally->latency_ns, latency_ns);
	if (at_ns > tally->last_ns) {
		tally->last_ns = at_ns;
	}
	settle(flow, context, slot, SLOTS_ANSWERED);
}

void flow_expire(struct flow *flow, struct flow_context *context, uint64_t now_ns)
{
	for (;;) {
		uint32_t slot = flow->slots.oldest;
		if (slot == SLOTS_NONE ||
			flow->slots.items[slot].due_ns + context->timeout_ns >= now_ns) {
			return;
		}
		context->tally.lost++;
		settle(flow, context, slot, SLOTS_EXPIRED);
	}
}

void flow_interrupt(struct flow *flow, struct flow_context *context)
{
	while (flow->slots.oldest != SLOTS_NONE) {
		context->tally.interrupted++;
		settle(flow, context, flow->slots.oldest, SLOTS_EXPIRED);
	}
}
