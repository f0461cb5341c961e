/* resolver.c - clients by token, actions to sockets. */
#include "server/resolver.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/publish.h"
#include "dnssec/dnssec.h"
#include "os/seed.h"
#include "os/udp.h"
#include "server/ruleset.h"
#include "transport/datagram.h"
#include "transport/stream.h"
#include "wire/request.h"
#include "wire/rrtype.h"

#define CLIENTS_FIRST 256u
#define FAILURES_MAX  64u /* sends that fail in one round of actions; the others time out */
#define WAIT_MS_MAX   60000u

/* Between two lines of a worker; guesses. */
#define BOGUS_PAUSE_MS 1000u
#define ROOT_PAUSE_MS  10000u

/* A client whose answer comes later. */
struct client {
	int fd;                /* UDP: the socket it came by */
	const void *stream;    /* TCP; NULL: UDP */
	struct udp_return way; /* UDP */
	uint32_t next;         /* free */
};

/* When a trouble of its kind may be told again. */
struct notice {
	uint64_t next_ns;
	uint32_t untold; /* since the last that was */
};

struct resolver {
	struct resolver_config config;
	struct resolve *core;        /* owns */
	struct upstreams *upstreams; /* owns */
	struct stream_set *streams;  /* borrows: the worker's */
	struct client *clients;      /* owns */
	uint32_t client_cap, client_free;
	struct notice bogus, root;
};

#define NO_CLIENT UINT32_MAX

/* Troubles of one kind are told now and then only: one who asks for broken names is not to fill the disk. */
static bool may_tell(struct notice *notice, uint64_t pause_ms, struct now now)
{
	if (now.mono_ns < notice->next_ns) {
		notice->untold++;
		return false;
	}
	notice->next_ns = now.mono_ns + pause_ms * NOW_NS_A_MILLISECOND;
	return true;
}

static bool is_bogus(int16_t ede)
{
	return ede >= EDE_INDETERMINATE && ede <= EDE_NSEC_MISSING;
}

/* In a step of the core. */
static void tell_trouble(void *context, const struct resolve_trouble *trouble)
{
	struct resolver *resolver = context;
	char name[NAME_TEXT_MAX], type[RRTYPE_TEXT_MAX];

	name_to_text(trouble->name, name);
	rrtype_to_text(trouble->type, type);
	if (is_bogus(trouble->ede)) {
		if (may_tell(&resolver->bogus, BOGUS_PAUSE_MS, trouble->now)) {
			log_warning(
				"event=bogus name=%s type=%s ede=%d cause=\"%s\" untold-before=%u",
				name, type, trouble->ede, trouble->cause, resolver->bogus.untold);
			resolver->bogus.untold = 0;
		}
	} else if (trouble->root_failed) {
		if (may_tell(&resolver->root, ROOT_PAUSE_MS, trouble->now)) {
			log_error(
				"event=root-unreachable name=%s type=%s ede=%d "
				"hint=\"no root server answers: is there a way out for UDP and TCP "
				"to port 53?\" untold-before=%u",
				name, type, trouble->ede, resolver->root.untold);
			resolver->root.untold = 0;
		}
	} else {
		log_debug("event=unresolved name=%s type=%s ede=%d cause=\"%s\"", name, type,
			trouble->ede, trouble->cause);
	}
}

struct resolver *resolver_new(
	const struct resolver_config *config, struct poll *poll, struct stream_set *streams)
{
	struct resolver *resolver = calloc(1, sizeof(*resolver));
	uint8_t secret[32];

	if (resolver == NULL) {
		return NULL;
	}
	seed_octets(secret, sizeof(secret));
	resolver->config = *config;
	resolver->streams = streams;
	resolver->client_free = NO_CLIENT;
	resolver->core = resolve_new(&config->core, &config->shared, secret);
	resolver->upstreams = upstream_new(&config->upstream, poll);
	if (resolver->core == NULL || resolver->upstreams == NULL) {
		resolver_free(resolver);
		return NULL;
	}
	resolve_listen(resolver->core,
		&(struct resolve_listener){.trouble = tell_trouble, .context = resolver});
	return resolver;
}

void resolver_free(struct resolver *resolver)
{
	if (resolver != NULL) {
		resolve_free(resolver->core);
		upstream_free(resolver->upstreams);
		free(resolver->clients);
		free(resolver);
	}
}

enum status resolver_follow(struct resolver *resolver, const struct resolve_follower *follower)
{
	return resolve_follow(resolver->core, follower);
}

static void find_peer(const struct request *request, struct addr *out)
{
	if (request->transport == REQUEST_UDP) {
		udp_peer(request->origin, request->place, out);
	} else {
		stream_peer(request->origin, out);
	}
}

bool resolver_allows(const struct resolver *resolver, const struct request *request)
{
	const struct ruleset *ruleset = publish_get(resolver->config.shared.rules);
	struct addr peer;

	find_peer(request, &peer);
	return acl_allows(&ruleset->allow, &peer);
}

HOT void resolver_hits(
	struct resolver *resolver, struct request *const *requests, uint32_t count, struct now now)
{
	struct resolve_hit hits[RESOLVE_HITS_MAX];

	for (uint32_t i = 0; i < count; i++) {
		hits[i] = (struct resolve_hit){.octets = requests[i]->octets,
			.len = requests[i]->len,
			.cap = requests[i]->cap,
			.over_stream = requests[i]->transport == REQUEST_TCP};
	}
	resolve_hits(resolver->core, hits, count, now);
	for (uint32_t i = 0; i < count; i++) {
		requests[i]->answer_len = hits[i].answer_len;
		requests[i]->later = hits[i].answer_len == 0;
	}
}

/* A place for one more client; NO_CLIENT: no memory. */
static uint32_t take_client(struct resolver *resolver)
{
	if (resolver->client_free == NO_CLIENT) {
		uint32_t cap = resolver->client_cap == 0 ? CLIENTS_FIRST : 2 * resolver->client_cap;
		struct client *grown = realloc(resolver->clients, cap * sizeof(grown[0]));
		if (grown == NULL) {
			return NO_CLIENT;
		}
		for (uint32_t i = cap; i-- > resolver->client_cap;) {
			grown[i].next = resolver->client_free;
			resolver->client_free = i;
		}
		resolver->clients = grown;
		resolver->client_cap = cap;
	}
	uint32_t place = resolver->client_free;
	resolver->client_free = resolver->clients[place].next;
	return place;
}

static void give_answer(
	struct resolver *resolver, const struct resolve_action *action, struct now now)
{
	uint32_t place = (uint32_t)action->client;
	struct client *client = &resolver->clients[place];

	if (client->stream != NULL) {
		stream_answer(resolver->streams, client->stream, action->octets, action->len, now);
	} else if (action->len > 0) {
		/* A full socket buffer loses it, like the network: the client asks again. */
		(void)!udp_send_back(client->fd, &client->way, action->octets, action->len);
	}
	client->next = resolver->client_free;
	resolver->client_free = place;
}

/* Does what the core wants done, and tells it what could not be. */
static void act(struct resolver *resolver, struct now now)
{
	struct resolve_action action;
	uint32_t failed[FAILURES_MAX];
	uint32_t failed_count;

	do {
		failed_count = 0;
		while (resolve_action(resolver->core, &action)) {
			switch (action.kind) {
			case RESOLVE_SEND_DATAGRAM:
			case RESOLVE_SEND_STREAM:
				if (!upstream_send(resolver->upstreams, &action) &&
					failed_count < FAILURES_MAX) {
					failed[failed_count++] = action.exchange;
				}
				break;
			case RESOLVE_CLOSE:
				upstream_close(resolver->upstreams, action.exchange);
				break;
			case RESOLVE_ANSWER:
				give_answer(resolver, &action, now);
				break;
			}
		}
		for (uint32_t i = 0; i < failed_count; i++) {
			const struct resolve_event event = {
				.kind = RESOLVE_FAILED, .now = now, .exchange = failed[i]};
			resolve_step(resolver->core, &event);
		}
	} while (failed_count > 0);
}

void resolver_take(struct resolver *resolver, struct transport_source *source,
	const struct request *request, struct now now)
{
	uint32_t place = take_client(resolver);

	if (place == NO_CLIENT) {
		return; /* the client asks again */
	}
	struct client *client = &resolver->clients[place];
	if (request->transport == REQUEST_TCP) {
		client->stream = request->origin;
		stream_hold(request->origin);
	} else {
		client->stream = NULL;
		client->fd = ((const struct datagram *)(const void *)source)->fd;
		udp_return(request->origin, request->place, &client->way);
	}
	struct resolve_event event = {.kind = RESOLVE_QUERY,
		.now = now,
		.client = place,
		.octets = request->octets,
		.len = request->len,
		.over_stream = request->transport == REQUEST_TCP};
	find_peer(request, &event.peer);
	resolve_step(resolver->core, &event);
	act(resolver, now);
}

void resolver_event(
	struct resolver *resolver, struct transport_source *source, unsigned flags, struct now now)
{
	struct upstream_news news;

	if (!upstream_event(resolver->upstreams, source, flags, &news)) {
		return;
	}
	const struct resolve_event event = {.kind = news.failed        ? RESOLVE_FAILED
						    : news.over_stream ? RESOLVE_STREAM
								       : RESOLVE_DATAGRAM,
		.now = now,
		.exchange = news.exchange,
		.octets = news.octets,
		.len = news.len};
	resolve_step(resolver->core, &event);
	act(resolver, now);
}

void resolver_tick(struct resolver *resolver, struct now now)
{
	if (resolve_deadline(resolver->core) <= now.mono_ns) {
		const struct resolve_event event = {.kind = RESOLVE_TIME, .now = now};
		resolve_step(resolver->core, &event);
		act(resolver, now);
	}
	upstream_bury(resolver->upstreams);
}

int resolver_wait_ms(const struct resolver *resolver, struct now now)
{
	uint64_t next_ns = resolve_deadline(resolver->core);

	if (next_ns == UINT64_MAX) {
		return -1;
	}
	if (next_ns <= now.mono_ns) {
		return 0;
	}
	uint64_t ms = (next_ns - now.mono_ns + NOW_NS_A_MILLISECOND - 1) / NOW_NS_A_MILLISECOND;
	return ms < WAIT_MS_MAX ? (int)ms : (int)WAIT_MS_MAX;
}

const struct resolve_counters *resolver_counters(const struct resolver *resolver)
{
	return resolve_counters(resolver->core);
}
