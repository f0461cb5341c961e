/* network.c - a heap of deliveries beside the core's own deadline. */
#include "replay/network.h"

#include <stdlib.h>
#include <string.h>

#include "base/publish.h"
#include "cache/cache.h"
#include "resolve/core.h"

#define HIT_ROOM  65535u
#define SLACK_MS  1u    /* a timer fires within the step that is due */
#define SETTLE_MS 60000 /* nothing in work lasts so long */

void network_init(struct network *network, const struct resolve_config *config, uint64_t seed,
	uint64_t cache_size, network_server *server, void *context)
{
	uint8_t secret[32] = {0};

	memset(network, 0, sizeof(*network));
	memcpy(secret, &seed, sizeof(seed));
	network->now = (struct now){.mono_ns = 1000 * NOW_NS_A_SECOND, .wall_s = NETWORK_EPOCH_S};
	random_init(&network->random, seed);
	network->server = server;
	network->context = context;
	network->anchors = anchors_new();
	network->hints = hints_new();
	network->cache = cache_new(cache_size, secret);
	ASSERT(network->anchors != NULL && network->hints != NULL && network->cache != NULL);
	const struct resolve_shared shared = {
		.cache = network->cache, .anchors = network->anchors, .hints = network->hints};
	network->core = resolve_new(config, &shared, secret);
	ASSERT(network->core != NULL);
}

void network_forget(struct network *network)
{
	for (uint32_t i = 0; i < network->client_count; i++) {
		free(network->clients[i].octets);
	}
	network->client_count = 0;
}

void network_fini(struct network *network)
{
	network_forget(network);
	for (uint32_t i = 0; i < network->delivery_count; i++) {
		free(network->deliveries[i].octets);
	}
	free(network->deliveries);
	resolve_free(network->core);
	publish_offline();
	cache_free(network->cache);
	publish_online();
	hints_free(network->hints);
	anchors_free(network->anchors);
}

/* ---- deliveries ---- */

static bool is_before(const struct network_delivery *a, const struct network_delivery *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns : a->number < b->number;
}

static void deliver_later(struct network *network, const struct network_delivery *what)
{
	if (network->delivery_count == network->delivery_cap) {
		network->delivery_cap = network->delivery_cap == 0 ? 64 : 2 * network->delivery_cap;
		network->deliveries = realloc(network->deliveries,
			network->delivery_cap * sizeof(network->deliveries[0]));
		ASSERT(network->deliveries != NULL);
	}
	uint32_t at = network->delivery_count++;
	while (at > 0 && is_before(what, &network->deliveries[(at - 1) / 2])) {
		network->deliveries[at] = network->deliveries[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	network->deliveries[at] = *what;
}

static struct network_delivery take_first(struct network *network)
{
	struct network_delivery *heap = network->deliveries;
	struct network_delivery first = heap[0], last = heap[--network->delivery_count];
	uint32_t at = 0;

	for (;;) {
		uint32_t child = 2 * at + 1;
		if (child >= network->delivery_count) {
			break;
		}
		if (child + 1 < network->delivery_count &&
			is_before(&heap[child + 1], &heap[child])) {
			child++;
		}
		if (!is_before(&heap[child], &last)) {
			break;
		}
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	return first;
}

static void make_delivery(struct network *network, const struct network_ask *ask, uint64_t delay_us,
	const uint8_t *octets, uint32_t len, bool failed)
{
	struct network_delivery what = {
		.at_ns = network->now.mono_ns + delay_us * (NOW_NS_A_MILLISECOND / 1000),
		.number = network->number++,
		.exchange = ask->exchange,
		.stream = ask->stream,
		.failed = failed,
		.len = len};

	if (!failed) {
		what.octets = malloc(len + 1);
		ASSERT(what.octets != NULL);
		memcpy(what.octets, octets, len);
	}
	deliver_later(network, &what);
}

void network_reply(struct network *network, const struct network_ask *ask, uint64_t delay_us,
	const uint8_t *octets, uint32_t len)
{
	make_delivery(network, ask, delay_us, octets, len, false);
}

void network_refuse(struct network *network, const struct network_ask *ask, uint64_t delay_us)
{
	make_delivery(network, ask, delay_us, NULL, 0, true);
}

/* ---- steps ---- */

static void give_answer(struct network *network, const struct resolve_action *action)
{
	struct network_client *client = &network->clients[action->client];

	ASSERT(action->client < network->client_count && !client->answered);
	client->answered = true;
	client->answered_ns = network->now.mono_ns;
	client->len = action->len;
	client->octets = malloc(action->len + 1);
	ASSERT(client->octets != NULL);
	if (action->len > 0) {
		memcpy(client->octets, action->octets, action->len);
	}
}

static void step(struct network *network, const struct resolve_event *event)
{
	struct resolve_action action;
	const struct resolve_counters *counters = resolve_counters(network->core);

	if (event->kind == RESOLVE_TIME) {
		network->turn_checks = counters->checks;
	}
	resolve_step(network->core, event);
	uint64_t checked = counters->checks - network->turn_checks;
	if (checked > network->turn_checks_most) {
		network->turn_checks_most = checked;
	}
	while (resolve_action(network->core, &action)) {
		switch (action.kind) {
		case RESOLVE_SEND_DATAGRAM:
		case RESOLVE_SEND_STREAM: {
			const struct network_ask ask = {.exchange = action.exchange,
				.to = action.addr,
				.stream = action.kind == RESOLVE_SEND_STREAM,
				.octets = action.octets,
				.len = action.len};
			network->open++;
			network->server(network->context, network, &ask);
			break;
		}
		case RESOLVE_CLOSE:
			ASSERT(network->open > 0);
			network->open--;
			break;
		case RESOLVE_ANSWER:
			give_answer(network, &action);
			break;
		}
	}
	publish_quiescent();
}

/* The next thing that happens, no later than until_ns; false: nothing does, and it is until_ns. */
static bool happen(struct network *network, uint64_t until_ns)
{
	uint64_t deadline = resolve_deadline(network->core);
	bool delivery = network->delivery_count > 0 && network->deliveries[0].at_ns <= deadline;
	uint64_t at = delivery ? network->deliveries[0].at_ns : deadline;
	struct resolve_event event = {.kind = RESOLVE_TIME};

	if (at > until_ns) {
		at = until_ns;
		delivery = false;
	}
	bool more = delivery || deadline <= until_ns;
	if (at > network->now.mono_ns) {
		network->now.mono_ns = at;
		network->now.wall_s = NETWORK_EPOCH_S + (int64_t)(at / NOW_NS_A_SECOND) - 1000;
	}
	event.now = network->now;
	if (!delivery) {
		if (more) {
			step(network, &event);
		}
		return more;
	}
	struct network_delivery what = take_first(network);
	event.kind = what.failed ? RESOLVE_FAILED : what.stream ? RESOLVE_STREAM : RESOLVE_DATAGRAM;
	event.exchange = what.exchange;
	event.octets = what.octets;
	event.len = what.len;
	step(network, &event);
	free(what.octets);
	return true;
}

uint32_t network_query(struct network *network, const uint8_t *octets, uint32_t len, bool stream)
{
	uint32_t number = network->client_count++;

	ASSERT(number < NETWORK_CLIENTS_MAX);
	struct network_client *client = &network->clients[number];
	*client = (struct network_client){.asked_ns = network->now.mono_ns};
	if (network->use_hits) {
		uint8_t *room = malloc(HIT_ROOM);
		ASSERT(room != NULL);
		memcpy(room, octets, len);
		struct resolve_hit one = {
			.octets = room, .len = len, .cap = HIT_ROOM, .over_stream = stream};
		resolve_hits(network->core, &one, 1, network->now);
		if (one.answer_len > 0) {
			*client = (struct network_client){.answered = true,
				.from_hit = true,
				.asked_ns = network->now.mono_ns,
				.answered_ns = network->now.mono_ns,
				.len = one.answer_len,
				.octets = room};
			publish_quiescent();
			return number;
		}
		ASSERT(memcmp(room, octets, len) == 0); /* what is not answered is left as it is */
		free(room);
	}
	const struct resolve_event event = {.kind = RESOLVE_QUERY,
		.now = network->now,
		.client = number,
		.octets = octets,
		.len = len,
		.over_stream = stream};
	step(network, &event);
	return number;
}

static bool all_answered(const struct network *network)
{
	for (uint32_t i = 0; i < network->client_count; i++) {
		if (!network->clients[i].answered) {
			return false;
		}
	}
	return true;
}

bool network_run(struct network *network)
{
	uint64_t end = network->now.mono_ns + (RESOLVE_TIME_MS + SLACK_MS) * NOW_NS_A_MILLISECOND;

	while (!all_answered(network)) {
		if (!happen(network, end)) {
			return all_answered(network);
		}
	}
	return true;
}

void network_pass(struct network *network, uint64_t ms)
{
	uint64_t end = network->now.mono_ns + ms * NOW_NS_A_MILLISECOND;

	while (happen(network, end)) {
	}
}

bool network_settle(struct network *network, const char **why)
{
	network_pass(network, SETTLE_MS);
	*why = network->core->jobs.count != 0            ? "jobs stay"
	       : network->core->timers.count != 0        ? "timers stay"
	       : places_held(network->core->places) != 0 ? "clients are counted that are none"
	       : network->core->unattended_count != 0    ? "queries are counted that are none"
	       : network->open != 0                      ? "exchanges stay open"
							 : NULL;
	return *why == NULL;
}
