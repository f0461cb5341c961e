/* flow.c - queries into flight and out of it. */
#include "loadgen/flow.h"

#include "base/now.h"
#include "base/octets.h"
#include "loadgen/answerbook.h"
#include "loadgen/answerline.h"
#include "loadgen/flow_tcp.h"
#include "os/clock.h"
#include "wire/wire.h"

void flow_list(struct flow *flow, struct flow_context *context)
{
	if (flow->is_listed) {
		return;
	}
	flow->is_listed = true;
	flow->next_ready = NULL;
	if (context->ready_first == NULL) {
		context->ready_first = flow;
	} else {
		context->ready_last->next_ready = flow;
	}
	context->ready_last = flow;
}

struct flow *flow_unlist(struct flow_context *context)
{
	struct flow *flow = context->ready_first;

	if (flow != NULL) {
		context->ready_first = flow->next_ready;
		flow->is_listed = false;
	}
	return flow;
}

HOT uint32_t flow_take(
	struct flow *flow, struct flow_context *context, uint64_t nth, uint64_t now_ns)
{
	const struct supply *supply = context->share.supply;
	uint64_t due_ns = schedule_is_open(&supply->schedule)
				  ? supply->start_ns + schedule_due_ns(&supply->schedule, nth)
				  : now_ns;

	context->in_flight_count++;
	return slots_take(&flow->slots, supply_place(supply, nth), due_ns);
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
	tally->last_sent_ns = tally->last_ns = now_ns;
	bool is_open = schedule_is_open(&context->share.supply->schedule);
	uint32_t slot = flow->slots.newest;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t due_ns = flow->slots.items[slot].due_ns;
		uint64_t lateness_ns = now_ns > due_ns ? now_ns - due_ns : 0;
		recorder_sent(&context->recorder, due_ns, lateness_ns);
		if (is_open) {
			histogram_add(&tally->lateness_ns, lateness_ns);
		}
		slot = flow->slots.items[slot].prev;
	}
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
	flow_list(flow, context);
}

uint32_t flow_complete(
	const struct flow *flow, struct flow_context *context, uint8_t *message, uint32_t len)
{
	if (context->queries->is_open) {
		len += ednsopt_write(context->edns, &flow->edns, len, message + len);
	}
	if (context->signer != NULL) {
		len += querysign_append(
			context->signer, message, len, clock_wall_ns() / NOW_NS_A_SECOND);
	}
	return len;
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

/* What was expected of the query in a slot? octets: the answer; NULL: there was none in time. */
static void check(struct flow *flow, struct flow_context *context, uint32_t slot,
	const uint8_t *octets, uint32_t len)
{
	uint32_t query_idx = flow->slots.items[slot].query_idx;
	struct tally *tally = &context->tally;
	uint32_t kinds;

	if (context->learn != NULL && octets != NULL) {
		answerbook_learn(context->learn, query_idx, octets, len);
	}
	if (context->judge == NULL ||
		!answerbook_judge(context->judge, query_idx, octets, len, &kinds)) {
		return;
	}
	tally->compared++;
	tally->differing += kinds != 0 ? 1 : 0;
	for (uint32_t i = 0; i < DIFFER_KINDS; i++) {
		tally->differing_by_kind[i] += kinds >> i & 1u;
	}
}

/* There was no answer in time. */
static void miss(struct flow *flow, struct flow_context *context, uint32_t slot)
{
	check(flow, context, slot, NULL, 0);
	if (context->told != NULL) {
		answerline_lost(context->told, context->queries, flow->slots.items[slot].query_idx);
	}
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
		recorder_odd(&context->recorder, at_ns);
		return;
	}
	enum slots_fate fate = slots_find(&flow->slots, octets_get_u16(octets), &slot);
	if (fate != SLOTS_IN_FLIGHT) {
		tally->late += fate == SLOTS_EXPIRED ? 1 : 0;
		tally->duplicate += fate == SLOTS_ANSWERED ? 1 : 0;
		tally->unmatched += fate == SLOTS_UNUSED ? 1 : 0;
		if (fate == SLOTS_EXPIRED) {
			slots_mark(&flow->slots, octets_get_u16(octets), SLOTS_ANSWERED);
			recorder_late(&context->recorder, at_ns);
		} else {
			recorder_odd(&context->recorder, at_ns);
		}
		return;
	}
	if (!answers(flow, context, slot, octets, len, flags)) {
		tally->mismatched++;
		recorder_odd(&context->recorder, at_ns);
		return;
	}
	uint64_t due_ns = flow->slots.items[slot].due_ns;
	uint64_t latency_ns = at_ns > due_ns ? at_ns - due_ns : 0;
	if (latency_ns > context->timeout_ns) {
		tally->lost++;
		tally->late++;
		if (context->is_watching) {
			miss(flow, context, slot);
		}
		recorder_lost(&context->recorder, due_ns);
		recorder_late(&context->recorder, at_ns);
		settle(flow, context, slot, SLOTS_ANSWERED);
		return;
	}
	if (context->is_watching) {
		check(flow, context, slot, octets, len);
		if (context->told != NULL) {
			answerline_answered(context->told, context->queries,
				flow->slots.items[slot].query_idx, flags & WIRE_RCODE_MASK,
				latency_ns);
		}
	}
	if (context->queries->is_open && context->edns->cookie) {
		ednsopt_learn(&flow->edns, octets, len);
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
	recorder_answered(
		&context->recorder, due_ns, latency_ns, (uint32_t)(flags & WIRE_RCODE_MASK));
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
		if (context->is_watching) {
			miss(flow, context, slot);
		}
		recorder_lost(&context->recorder, flow->slots.items[slot].due_ns);
		settle(flow, context, slot, SLOTS_EXPIRED);
	}
}

void flow_interrupt(struct flow *flow, struct flow_context *context)
{
	while (flow->slots.oldest != SLOTS_NONE) {
		uint32_t slot = flow->slots.oldest;
		context->tally.interrupted++;
		if (context->told != NULL) {
			answerline_interrupted(
				context->told, context->queries, flow->slots.items[slot].query_idx);
		}
		recorder_interrupted(&context->recorder, flow->slots.items[slot].due_ns);
		settle(flow, context, slot, SLOTS_EXPIRED);
	}
}
