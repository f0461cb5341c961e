/* sender.c - the loop of a load test's thread. */
#include "loadgen/sender.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/now.h"
#include "base/random.h"
#include "os/clock.h"
#include "os/usage.h"

/* How often overdue queries are looked for; an answer's lateness is judged by its own time, not by this. */
#define TICK_NS (10 * NOW_NS_A_MILLISECOND)
/* How long answers to queries that were given up are still waited for, at most: they tell slow from dead. */
#define LINGER_NS NOW_NS_A_SECOND
/* A pause after the kernel took nothing at all, so that a full buffer is not asked a million times a second. */
#define STUCK_NS (NOW_NS_A_MILLISECOND / 2)

enum status sender_init(struct sender *sender, const struct sender_config *config, uint64_t key)
{
	struct random keys;

	ASSERT(config->flow_count >= 1 && config->in_flight >= 1);
	memset(sender, 0, sizeof(*sender));
	sender->config = *config;
	sender->context.queries = config->queries;
	sender->context.server = config->server;
	sender->context.share.supply = config->supply;
	sender->context.timeout_ns = config->timeout_ns;
	tally_init(&sender->context.tally);
	random_init(&keys, key);
	if (poll_init(&sender->context.poll) != STATUS_OK) {
		return STATUS_IO;
	}
	sender->flows = calloc(config->flow_count, sizeof(*sender->flows));
	if (sender->flows == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < config->flow_count; i++) {
		sender->flows[i].fd = -1;
	}
	for (uint32_t i = 0; i < config->flow_count; i++) {
		struct flow *flow = &sender->flows[i];
		uint32_t share = config->in_flight / config->flow_count +
				 (i < config->in_flight % config->flow_count ? 1 : 0);
		flow->window = share > 0 ? share : 1;
		enum status status = slots_init(&flow->slots, flow->window, random_u64(&keys));
		if (status == STATUS_OK) {
			status = config->kind->open(flow, &sender->context);
		}
		if (status != STATUS_OK) {
			return status;
		}
	}
	return STATUS_OK;
}

void sender_close(struct sender *sender)
{
	struct tally *tally = &sender->context.tally;

	for (uint32_t i = 0; sender->flows != NULL && i < sender->config.flow_count; i++) {
		struct flow *flow = &sender->flows[i];
		sender->config.kind->close(flow, &sender->context);
		tally->out_of_order += flow->out_of_order;
		tally->reconnects += flow->reconnects;
		tally->send_blocked_ns += flow->send_blocked_ns;
		if (flow->in_flight_max > tally->in_flight_max) {
			tally->in_flight_max = flow->in_flight_max;
		}
		slots_fini(&flow->slots);
	}
	poll_fini(&sender->context.poll);
}

void sender_fini(struct sender *sender)
{
	free(sender->flows);
	sender->flows = NULL;
}

void sender_stop(struct sender *sender)
{
	atomic_store_explicit(&sender->stop.asked, true, memory_order_relaxed);
	poll_wake(&sender->context.poll);
}

static void publish(struct sender *sender)
{
	const struct tally *tally = &sender->context.tally;
	struct sender_progress *progress = &sender->progress;

	atomic_store_explicit(&progress->sent, tally->sent, memory_order_relaxed);
	atomic_store_explicit(&progress->answered, tally->answered, memory_order_relaxed);
	atomic_store_explicit(&progress->heard, tally->heard, memory_order_relaxed);
	atomic_store_explicit(
		&progress->failed, tally->refused + tally->unsent, memory_order_relaxed);
}

/* Fills the windows, one batch a flow in turn, beginning where the last turn ended. False where a socket took less than
 * it was offered.
 */
HOT static bool fill(struct sender *sender, uint32_t *turn, uint64_t now_ns)
{
	struct flow_context *context = &sender->context;
	uint32_t passed = 0; /* flows in a row that had no room */

	while (passed < sender->config.flow_count &&
		context->in_flight_count < sender->config.in_flight) {
		struct flow *flow = &sender->flows[*turn];
		uint32_t want = flow->window - flow->slots.in_flight_count;
		uint32_t left = sender->config.in_flight - context->in_flight_count;

		*turn = *turn + 1 < sender->config.flow_count ? *turn + 1 : 0;
		want = want < left ? want : left;
		want = want < FLOW_BATCH_MAX ? want : FLOW_BATCH_MAX;
		if (want == 0) {
			passed++;
			continue;
		}
		passed = 0;
		if (sender->config.kind->send(flow, context, want, now_ns) == 0) {
			return supply_is_done(&context->share);
		}
	}
	return true;
}

/* Reads what waits. A flow that could not be drained keeps its overdue queries until it is: their answers may be in
 * the queue.
 */
HOT static bool receive(struct sender *sender, int timeout_ms, uint64_t *now_ns)
{
	struct poll_event events[POLL_EVENTS_MAX];
	uint64_t before_ns = clock_mono_ns();
	uint32_t count = poll_wait(&sender->context.poll, events, timeout_ms);
	bool drained = count < POLL_EVENTS_MAX;

	*now_ns = clock_mono_ns();
	if (timeout_ms != 0) {
		sender->context.tally.busy_ns -= *now_ns - before_ns;
	}
	for (uint32_t i = 0; i < count; i++) {
		if (!sender->config.kind->ready(
			    events[i].context, &sender->context, events[i].flags, *now_ns)) {
			drained = false;
		}
	}
	return drained;
}

static void tick(struct sender *sender, bool drained, uint64_t now_ns)
{
	for (uint32_t i = 0; i < sender->config.flow_count; i++) {
		struct flow *flow = &sender->flows[i];
		if (drained) {
			flow_expire(flow, &sender->context, now_ns);
		}
		if (sender->config.kind->tick != NULL) {
			sender->config.kind->tick(flow, &sender->context, now_ns);
		}
	}
}

static int ms_until(uint64_t at_ns, uint64_t now_ns)
{
	return at_ns <= now_ns
		       ? 0
		       : (int)((at_ns - now_ns + NOW_NS_A_MILLISECOND - 1) / NOW_NS_A_MILLISECOND);
}

static bool is_over(const struct sender *sender, bool sending, uint64_t now_ns, uint64_t *linger_ns)
{
	const struct tally *tally = &sender->context.tally;

	if (atomic_load_explicit(&sender->stop.asked, memory_order_relaxed)) {
		return true;
	}
	if (sending || sender->context.in_flight_count != 0) {
		return false;
	}
	if (*linger_ns == 0) {
		*linger_ns =
			now_ns + (sender->config.timeout_ns < LINGER_NS ? sender->config.timeout_ns
									: LINGER_NS);
	}
	return tally->late == tally->lost || now_ns >= *linger_ns;
}

void sender_run(struct sender *sender)
{
	struct tally *tally = &sender->context.tally;
	struct usage before = usage_thread();
	uint64_t start_ns = clock_mono_ns();
	uint64_t now_ns = start_ns;
	uint64_t end_ns =
		sender->config.length_ns == 0 ? UINT64_MAX : start_ns + sender->config.length_ns;
	uint64_t tick_ns = start_ns + TICK_NS;
	uint64_t linger_ns = 0;
	uint32_t turn = 0;

	for (;;) {
		bool sending = now_ns < end_ns && !supply_is_done(&sender->context.share);
		if (is_over(sender, sending, now_ns, &linger_ns)) {
			break;
		}
		uint64_t wake_ns = tick_ns < end_ns || !sending ? tick_ns : end_ns;
		if (sending && !fill(sender, &turn, now_ns) && wake_ns > now_ns + STUCK_NS) {
			wake_ns = now_ns + STUCK_NS;
		}
		bool drained = receive(sender, ms_until(wake_ns, now_ns), &now_ns);
		if (now_ns >= tick_ns) {
			tick(sender, drained, now_ns);
			tick_ns = now_ns + TICK_NS;
		}
		publish(sender);
	}
	for (uint32_t i = 0; i < sender->config.flow_count; i++) {
		flow_interrupt(&sender->flows[i], &sender->context);
	}
	struct usage after = usage_thread();
	tally->span_ns = now_ns - start_ns;
	tally->busy_ns += tally->span_ns; /* receive() has taken the waiting off */
	tally->cpu_ns = after.cpu_ns - before.cpu_ns;
	if (tally->busy_ns < tally->cpu_ns + (after.delay_ns - before.delay_ns)) {
		tally->busy_ns = tally->cpu_ns + (after.delay_ns - before.delay_ns);
	}
	if (tally->busy_ns > tally->span_ns) {
		tally->busy_ns = tally->span_ns;
	}
	publish(sender);
	DASSERT(tally_is_valid(tally));
}
