/* fuzz_flow.c - any octets as the answers of a server: the sums hold, whatever comes.
 *
 * The input is cut into messages by a length octet each. Two octets of a message may stand for the ID of a
 * query in flight, since no fuzzer would guess one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "loadgen/answerbook.h"
#include "loadgen/flow.h"

#define WINDOW       16u
#define QUERIES      3u
#define TIMEOUT_NS   100u
#define INTERVAL_NS  30u
#define MESSAGE_MAX  255u
#define ID_IN_FLIGHT 0xfff0u /* from here on the low four bits choose a slot */

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

/* A query for an address, one for name servers, an UPDATE of the root zone, all without their IDs. */
static uint8_t query_octets[] = {1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'a', 0, 0, 1, 0, 1, 1, 0, 0, 1, 0,
	0, 0, 0, 0, 0, 1, 'b', 0, 0, 2, 0, 1, 0x28, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 1};
static struct queryfile_item items[] = {
	{.off = 0, .len = 17, .question_len = 7},
	{.off = 17, .len = 17, .question_len = 7},
	{.off = 34, .len = 15, .question_len = 5},
};
static struct queryfile queries = {.octets = query_octets, .items = items, .count = QUERIES};

_Static_assert(sizeof(query_octets) == 49, "as the items say");

static void fill(struct flow *flow, struct flow_context *context, uint64_t now_ns)
{
	uint64_t nth;

	while (flow->slots.in_flight_count < WINDOW &&
		supply_claim(&context->share, 1, now_ns, &nth) == 1) {
		flow_take(flow, context, nth, now_ns);
		flow_sent(flow, context, 1, now_ns);
	}
}

static void feed(struct flow *flow, struct flow_context *context, const uint8_t *octets,
	uint32_t len, uint64_t now_ns)
{
	uint8_t message[MESSAGE_MAX];

	memcpy(message, octets, len);
	if (len >= 2 && octets_get_u16(message) >= ID_IN_FLIGHT) {
		octets_put_u16(message, flow->slots.items[octets_get_u16(message) % WINDOW].id);
	}
	uint8_t *exact = malloc(len == 0 ? 1 : len);
	if (exact == NULL) {
		abort();
	}
	memcpy(exact, message, len);
	flow_match(flow, context, exact, len, now_ns);
	free(exact);
}

/* The intervals add up to the tally. */
static void check_intervals(struct recorder_sink *sink, const struct tally *tally, uint64_t end_ns)
{
	struct interval sum = {0};
	uint32_t count;
	struct interval *intervals = recorder_sink_end(sink, end_ns, &count);

	for (uint32_t i = 0; i < count; i++) {
		sum.sent += intervals[i].sent;
		sum.answered += intervals[i].answered;
		sum.lost += intervals[i].lost;
		sum.late += intervals[i].late;
		sum.interrupted += intervals[i].interrupted;
		sum.odd += intervals[i].odd;
	}
	free(intervals);
	if (sum.sent != tally->sent || sum.answered != tally->answered || sum.lost != tally->lost ||
		sum.late != tally->late || sum.interrupted != tally->interrupted ||
		sum.odd != tally->duplicate + tally->mismatched + tally->unmatched +
				   tally->malformed) {
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	static struct flow_context context; /* large, and used by one thread */
	struct schedule closed = schedule_closed();
	struct recorder_sink sink;
	struct supply supply;
	struct flow flow = {.window = WINDOW, .fd = -1};
	uint64_t now_ns = 1;

	memset(&context, 0, sizeof(context));
	tally_init(&context.tally);
	supply_init(&supply, QUERIES, 0, UINT64_MAX, &closed);
	context.queries = &queries;
	context.share.supply = &supply;
	context.timeout_ns = TIMEOUT_NS;
	/* Every other input is also checked, or learned from. */
	static const struct ednsopt edns = {.cookie = true};
	struct answerbook book;
	if (answerbook_init(&book, QUERIES) != STATUS_OK) {
		abort();
	}
	answerbook_expect_none(&book);
	context.edns = &edns;
	queries.is_open = len % 2 == 0;
	context.judge = len % 3 == 0 ? &book : NULL;
	context.learn = len % 3 == 1 ? &book : NULL;
	if (slots_init(&flow.slots, WINDOW, 1) != STATUS_OK ||
		recorder_sink_init(&sink, &closed, UINT64_MAX, INTERVAL_NS, TIMEOUT_NS, 1) !=
			STATUS_OK ||
		recorder_init(&context.recorder, &sink) != STATUS_OK) {
		abort();
	}
	recorder_start(&context.recorder, 1);
	for (size_t at = 0; at < len;) {
		uint32_t want = octets[at++];
		uint32_t take = want < len - at ? want : (uint32_t)(len - at);
		fill(&flow, &context, now_ns);
		now_ns += want;
		feed(&flow, &context, octets + at, take, now_ns);
		flow_expire(&flow, &context, now_ns);
		recorder_advance(&context.recorder, now_ns);
		at += take;
	}
	flow_interrupt(&flow, &context);
	if (!tally_is_valid(&context.tally) || !slots_is_valid(&flow.slots) ||
		context.in_flight_count != 0) {
		abort();
	}
	recorder_finish(&context.recorder, now_ns);
	check_intervals(&sink, &context.tally, now_ns);
	recorder_fini(&context.recorder);
	recorder_sink_fini(&sink);
	if (context.tally.differing > context.tally.compared) {
		abort();
	}
	answerbook_fini(&book);
	slots_fini(&flow.slots);
	return 0;
}
