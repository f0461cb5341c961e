/* sender.c - the loop of a load test's thread. */
#include "loadgen/sender.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/now.h"
#include "base/random.h"
#include "os/clock.h"
#include "os/usage.h"

/* Batches of an open loop sent before answers are looked at again: who is behind must not let them wait until it has
 * caught up. A closed loop is bounded by its windows.
 */
#define FILL_BATCHES 8u
/* Queries that a datagram socket may have in flight however many sockets there are, so that a system call is shared; and
 * sockets that have some at the same time, so that a server with several is fed evenly. Guesses.
 */
#define BURST_MAX  16u
#define SPREAD_MIN 32u
/* How often overdue queries are looked for; an answer's lateness is judged by its own time, not by this. */
#define TICK_NS (10 * NOW_NS_A_MILLISECOND)
/* Flows looked at in one tick, so that a tick stays short beside the queries of the same time. */
#define TICK_FLOWS 512u
/* How long answers to queries that were given up are still waited for, at most: they tell slow from dead. */
#define LINGER_NS NOW_NS_A_SECOND
/* A pause after the kernel took nothing at all, so that a full buffer is not asked a million times a second. */
#define STUCK_NS (NOW_NS_A_MILLISECOND / 2)
/* An open loop's last query is due just before its end, and may be sent a little after. */
#define GRACE_NS TICK_NS
/* Shorter pauses are not slept: going to sleep and waking up take about as long. A guess from 5 us for both. */
#define SPIN_NS 8000u
/* The longest sleep from which no answer wakes: 1 ms of a million answers a second fit the receive buffer. */
#define NAP_NS NOW_NS_A_MILLISECOND
/* And of a closed loop: a server that answers unevenly must not be left without queries for longer. */
#define SPARE_MAX_NS (NOW_NS_A_MILLISECOND / 5)
/* With fewer in flight there is nothing to gather. */
#define SPARE_IN_FLIGHT_MIN 16u
/* An open loop that wakes up for every query reads answers only so often: they carry their time. */
#define READ_NS (NOW_NS_A_MILLISECOND / 4)

/* Most in flight on one flow, of which share would be its part. With many datagram sockets that part is a query or two,
 * and each would cost a system call: they take turns with more then, and the sum stays what it is.
 */
static uint32_t window_of(const struct sender_config *config, uint32_t share)
{
	uint32_t burst = config->kind->has_stamps ? config->in_flight / SPREAD_MIN : 1;
	uint32_t least = burst < BURST_MAX ? burst : BURST_MAX;
	uint32_t window = share > least ? share : least > 0 ? least : 1;

	/* Sockets do not divide evenly among threads. */
	return window < SLOTS_WINDOW_MAX ? window : SLOTS_WINDOW_MAX;
}

/* Where the nth socket of the run asks from. */
static struct addr from_of(const struct sender_config *config, uint32_t nth)
{
	struct addr from = source_set_get(config->sources, nth);

	if (config->port_first != 0) {
		if (from.family == ADDR_NONE) {
			from.family = config->server->family; /* the wildcard */
		}
		from.port = (uint16_t)(config->port_first + nth);
	}
	return from;
}

enum status sender_init(struct sender *sender, const struct sender_config *config, uint64_t key)
{
	struct random keys;

	ASSERT(config->flow_count >= 1 && config->in_flight >= 1);
	memset(sender, 0, sizeof(*sender));
	sender->config = *config;
	sender->context.queries = config->queries;
	sender->context.server = config->server;
	sender->context.share.supply = config->supply;
	sender->context.edns = config->edns;
	sender->context.judge = config->judge;
	sender->context.learn = config->learn;
	sender->context.told = config->told;
	sender->context.is_watching =
		config->judge != NULL || config->learn != NULL || config->told != NULL;
	sender->context.timeout_ns = config->timeout_ns;
	sender->context.buffer_len = config->buffer_len;
	sender->context.per_connection = config->per_connection;
	tally_init(&sender->context.tally);
	random_init(&keys, key);
	if (recorder_init(&sender->context.recorder, config->sink) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	if (poll_init(&sender->context.poll) != STATUS_OK) {
		return STATUS_IO;
	}
	if (config->key != NULL) {
		sender->context.signer = querysign_new(config->key);
		if (sender->context.signer == NULL) {
			return STATUS_MEMORY;
		}
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
		flow->window = window_of(config, share);
		uint64_t cookie = random_u64(&keys);
		memcpy(flow->edns.cookie, &cookie, sizeof(cookie));
		flow->from = from_of(config, config->first_flow + i);
		enum status status = slots_init(&flow->slots, flow->window, random_u64(&keys));
		if (status == STATUS_OK) {
			status = config->kind->open(flow, &sender->context);
		}
		if (status != STATUS_OK) {
			return status;
		}
		flow_list(flow, &sender->context);
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
	querysign_free(sender->context.signer);
	recorder_fini(&sender->context.recorder);
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
	atomic_store_explicit(&progress->lost, tally->lost, memory_order_relaxed);
	atomic_store_explicit(&progress->heard, tally->heard, memory_order_relaxed);
	atomic_store_explicit(
		&progress->failed, tally->refused + tally->unsent, memory_order_relaxed);
}

static bool is_open(const struct sender *sender)
{
	return schedule_is_open(&sender->config.supply->schedule);
}

/* Is there a time before which a query is not sent? */
static bool is_timed(const struct sender *sender)
{
	return schedule_is_open(supply_times(sender->config.supply));
}

/* Nothing to be sent now: there is no more, or it is not due yet. */
static bool is_satisfied(const struct sender *sender, uint64_t now_ns)
{
	const struct supply_share *share = &sender->context.share;

	return supply_is_done(share) || (is_timed(sender) && supply_next_ns(share) > now_ns);
}

/* Sends what has room and is due, one batch a flow in turn. False where a socket took less than it was offered. */
HOT static bool fill(struct sender *sender, uint64_t now_ns)
{
	struct flow_context *context = &sender->context;

	for (uint32_t batch = 0; !is_timed(sender) || batch < FILL_BATCHES; batch++) {
		if (context->in_flight_count >= sender->config.in_flight ||
			(is_timed(sender) && is_satisfied(sender, now_ns))) {
			break;
		}
		struct flow *flow = flow_unlist(context);
		if (flow == NULL) {
			break;
		}
		uint32_t want = flow->window - flow->slots.in_flight_count;
		uint32_t left = sender->config.in_flight - context->in_flight_count;

		want = want < left ? want : left;
		want = want < FLOW_BATCH_MAX ? want : FLOW_BATCH_MAX;
		uint32_t sent = sender->config.kind->send(flow, context, want, now_ns);
		if (flow->slots.in_flight_count < flow->window) {
			flow_list(flow, context);
		}
		if (sent == 0) {
			return is_satisfied(sender, now_ns);
		}
		if (is_timed(sender)) {
			now_ns = clock_mono_ns();
		}
	}
	return true;
}

/* How long a closed loop may look away without the server running out of queries: it has half of them left then, at
 * the rate at which it answered just now. More answers gather meanwhile, so that fewer, larger batches are sent.
 */
static uint64_t spare_ns(const struct sender *sender)
{
	uint32_t in_flight = sender->context.in_flight_count;
	uint64_t spare_ns = (uint64_t)(sender->answer_ns * in_flight / 2);

	if (in_flight < SPARE_IN_FLIGHT_MIN) {
		return 0;
	}
	return spare_ns < SPARE_MAX_NS ? spare_ns : SPARE_MAX_NS;
}

/* A moving average of the time an answer takes of the server's, over some 16 turns. */
static void learn_pace(struct sender *sender, uint64_t answered, uint64_t passed_ns)
{
	if (answered != 0) {
		double answer_ns = (double)passed_ns / (double)answered;
		sender->answer_ns += (answer_ns - sender->answer_ns) / 16;
	}
}

/* Sleeps for what can be waited for without looking at answers, to the point. False where that is the whole pause and
 * it is too early to look at answers.
 */
static bool nap(struct sender *sender, uint64_t pause_ns, uint64_t *now_ns)
{
	uint64_t nap_ns = is_timed(sender) ? pause_ns : spare_ns(sender);

	if (!sender->config.kind->has_stamps || nap_ns > NAP_NS || nap_ns > pause_ns) {
		return true;
	}
	if (nap_ns > SPIN_NS) {
		uint64_t before_ns = *now_ns;
		clock_sleep_until(before_ns + nap_ns);
		*now_ns = clock_mono_ns();
		sender->context.tally.busy_ns -= *now_ns - before_ns;
	}
	return !is_timed(sender) || *now_ns >= sender->read_ns || *now_ns >= sender->tick_ns;
}

/* Waits until wake_ns at most, or for something to read. False where it was not looked for. */
static bool wait_until(struct sender *sender, struct poll_event events[POLL_EVENTS_MAX],
	uint32_t *count_out, uint64_t wake_ns, uint64_t *now_ns)
{
	struct poll *poll = &sender->context.poll;

	*now_ns = clock_mono_ns();
	*count_out = 0;
	if (!nap(sender, wake_ns > *now_ns ? wake_ns - *now_ns : 0, now_ns)) {
		return false;
	}
	uint64_t pause_ns = wake_ns > *now_ns ? wake_ns - *now_ns : 0;
	*count_out = poll_wait_ns(poll, events, 0);
	if (*count_out == 0 && pause_ns > (is_timed(sender) ? SPIN_NS : 0)) {
		uint64_t before_ns = clock_mono_ns();
		*count_out = poll_wait_ns(poll, events, pause_ns);
		sender->context.tally.busy_ns -= clock_mono_ns() - before_ns;
	}
	*now_ns = clock_mono_ns();
	sender->read_ns = *now_ns + READ_NS;
	return true;
}

/* Reads what waits. A flow that could not be drained keeps its overdue queries until it is: their answers may be in
 * the queue.
 */
HOT static bool receive(struct sender *sender, uint64_t wake_ns, uint64_t *now_ns)
{
	struct poll_event events[POLL_EVENTS_MAX];
	uint32_t count;

	if (!wait_until(sender, events, &count, wake_ns, now_ns)) {
		return false;
	}
	bool drained = count < POLL_EVENTS_MAX;
	for (uint32_t i = 0; i < count; i++) {
		if (!sender->config.kind->ready(
			    events[i].context, &sender->context, events[i].flags, *now_ns)) {
			drained = false;
		}
	}
	return drained;
}

/* A ramp ends where the tool cannot keep to it: what would follow says nothing about the server. */
static void end_ramp(struct sender *sender, uint64_t now_ns)
{
	const struct sender_config *config = &sender->config;

	if (config->ends_crowded && sender->context.in_flight_count >= config->in_flight) {
		atomic_store_explicit(&sender->progress.is_crowded, true, memory_order_relaxed);
		supply_close(config->supply);
	} else if (config->behind_max != 0 &&
		   supply_is_behind(config->supply, config->behind_max, now_ns)) {
		atomic_store_explicit(&sender->progress.is_behind, true, memory_order_relaxed);
		supply_close(config->supply);
	}
}

/* The next TICK_FLOWS flows have their turn. */
static void tick(struct sender *sender, bool drained, uint32_t *turn, uint64_t now_ns)
{
	uint32_t count = sender->config.flow_count;

	for (uint32_t i = 0; i < TICK_FLOWS && i < count; i++) {
		struct flow *flow = &sender->flows[*turn];
		*turn = *turn + 1 < count ? *turn + 1 : 0;
		if (drained) {
			flow_expire(flow, &sender->context, now_ns);
		}
		if (sender->config.kind->tick != NULL) {
			sender->config.kind->tick(flow, &sender->context, now_ns);
		}
	}
	/* What is in flight was due before; what is to come is not due before its own time, or now. */
	uint64_t floor_ns = now_ns;
	if (is_open(sender) && supply_next_ns(&sender->context.share) < floor_ns) {
		floor_ns = supply_next_ns(&sender->context.share);
	}
	recorder_advance(&sender->context.recorder, floor_ns);
}

/* When this sender is to look for due queries again; while there is no room, when something comes. */
static uint64_t next_due(const struct sender *sender)
{
	const struct flow_context *context = &sender->context;

	if (context->ready_first == NULL || context->in_flight_count >= sender->config.in_flight) {
		return UINT64_MAX;
	}
	return supply_wake_ns(&context->share, sender->config.rank, sender->config.rank_count);
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
	uint64_t zero_ns = sender->config.supply->start_ns;
	uint64_t end_ns =
		sender->config.length_ns == 0 ? UINT64_MAX : zero_ns + sender->config.length_ns;
	uint64_t linger_ns = 0;
	uint32_t turn = 0;

	sender->tick_ns = start_ns + TICK_NS;
	recorder_start(&sender->context.recorder, zero_ns);
	clock_be_precise();
	if (is_open(sender)) {
		end_ns += end_ns == UINT64_MAX ? 0 : GRACE_NS;
	}
	for (;;) {
		bool sending = now_ns < end_ns && !supply_is_done(&sender->context.share);
		if (is_over(sender, sending, now_ns, &linger_ns)) {
			break;
		}
		uint64_t wake_ns = sender->tick_ns < end_ns || !sending ? sender->tick_ns : end_ns;
		if (sending && !fill(sender, now_ns)) {
			wake_ns = now_ns + STUCK_NS < wake_ns ? now_ns + STUCK_NS : wake_ns;
		} else if (sending && is_timed(sender)) {
			uint64_t due_ns = next_due(sender);
			wake_ns = due_ns < wake_ns ? due_ns : wake_ns;
		}
		uint64_t turn_ns = now_ns;
		uint64_t answered = tally->answered;
		bool drained = receive(sender, wake_ns, &now_ns);
		learn_pace(sender, tally->answered - answered, now_ns - turn_ns);
		if (now_ns >= sender->tick_ns) {
			end_ramp(sender, now_ns);
			tick(sender, drained, &turn, now_ns);
			sender->tick_ns = now_ns + TICK_NS;
		}
		publish(sender);
	}
	for (uint32_t i = 0; i < sender->config.flow_count; i++) {
		flow_interrupt(&sender->flows[i], &sender->context);
	}
	recorder_finish(&sender->context.recorder, now_ns);
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
