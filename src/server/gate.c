/* gate.c - from transports to answers. */
#include "server/gate.h"

#include "answer/answer.h"
#include "base/check.h"
#include "base/octets.h"
#include "base/publish.h"
#include "server/resolver.h"
#include "transport/transport.h"
#include "wire/wire.h"

_Static_assert(TRANSPORT_BATCH_MAX <= ANSWER_BATCH_MAX, "a batch is answered whole");

/* RFC 1035 sec 4.1.1: RA says whether recursion is to be had, in answers out of zones, too, for who may have it. */
static void say_available(const struct gate *gate, struct request *request)
{
	bool is_query = request->answer_len >= WIRE_HEADER_LEN &&
			(octets_get_u16(request->octets + 2) & WIRE_OPCODE_MASK) == 0;

	if (is_query && resolver_allows(gate->resolver, request)) {
		octets_put_u16(request->octets + 2,
			(uint16_t)(octets_get_u16(request->octets + 2) | WIRE_FLAG_RA));
	}
}

/* What no zone holds: the cache's, or later. */
static void ask_resolver(
	struct gate *gate, struct request *requests, uint32_t count, struct now now)
{
	struct request *group[RESOLVE_HITS_MAX];
	uint32_t group_count = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct request *request = &requests[i];
		if (!request->foreign) {
			say_available(gate, request);
			continue;
		}
		if (UNLIKELY(!resolver_allows(gate->resolver, request))) {
			answer_refuse(gate->answerer, request);
			continue;
		}
		group[group_count++] = request;
		if (group_count == RESOLVE_HITS_MAX) {
			resolver_hits(gate->resolver, group, group_count, now);
			group_count = 0;
		}
	}
	if (group_count > 0) {
		resolver_hits(gate->resolver, group, group_count, now);
	}
}

HOT void gate_answer(void *context, struct request *requests, uint32_t count, struct now now)
{
	struct gate *gate = context;

	answer_batch(gate->answerer, requests, count, now);
	if (gate->resolver != NULL) {
		ask_resolver(gate, requests, count, now);
	}
	/* The answers are octets in the slots: the batch holds no zone any more. */
	publish_quiescent();
}
