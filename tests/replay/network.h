/* network.h - a resolver's core on a simulated clock and network, with clients that ask it.
 *
 *     network_query --> core --> ask --> the servers' function --> network_reply, network_refuse --> core --> client
 *
 * The servers' function decides what comes back, when, and how often; whatever it says reaches the core at that time, also
 * where the core has given up on it. Nothing happens while no function of this file is called. The same seed and the same
 * calls give the same run.
 */
#ifndef SAKER_TESTS_NETWORK_H
#define SAKER_TESTS_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/now.h"
#include "base/random.h"
#include "resolve/anchors.h"
#include "resolve/hints.h"
#include "resolve/resolve.h"

#define NETWORK_CLIENTS_MAX 256u
#define NETWORK_EPOCH_S     1800000000 /* wall clock at the beginning */

struct network;

/* The core asks a server. */
struct network_ask {
	uint32_t exchange;
	struct addr to;
	bool stream;
	uint32_t len;
	const uint8_t *octets;
};

typedef void network_server(void *context, struct network *network, const struct network_ask *ask);

struct network_client {
	bool answered;
	bool from_hit; /* resolve_hits() answered */
	uint64_t asked_ns, answered_ns;
	uint32_t len; /* 0: the core says nothing */
	uint8_t *octets;
};

/* Something that will reach the core. */
struct network_delivery {
	uint64_t at_ns, number; /* of two at one time, that which was made first */
	uint32_t exchange;
	bool stream, failed;
	uint32_t len;
	uint8_t *octets;
};

struct network {
	struct resolve *core;
	struct cache *cache;
	struct anchors *anchors; /* to be filled before the first query */
	struct hints *hints;     /* ditto */
	struct now now;
	struct random random;
	network_server *server;
	void *context;
	uint32_t client_count;
	struct network_client clients[NETWORK_CLIENTS_MAX];
	uint32_t delivery_count, delivery_cap;
	struct network_delivery *deliveries; /* a heap */
	uint64_t number;
	uint32_t open;             /* exchanges that the core has not closed */
	uint64_t turn_checks;      /* signatures that had been checked at the last event of time */
	uint64_t turn_checks_most; /* ... and that were checked until the next */
	bool use_hits;             /* ask resolve_hits() first, as the server does */
};

/* network_init - a core with an empty cache. */
void network_init(struct network *network, const struct resolve_config *config, uint64_t seed,
	uint64_t cache_size, network_server *server, void *context);

/* network_fini - whatever is in work is dropped. */
void network_fini(struct network *network);

/* network_query - a client asks now; its number. */
uint32_t network_query(struct network *network, const uint8_t *octets, uint32_t len, bool stream);

/* network_reply - octets (copied) reach the core after a delay, as an answer to what it asked. */
void network_reply(struct network *network, const struct network_ask *ask, uint64_t delay_us,
	const uint8_t *octets, uint32_t len);

/* network_refuse - the core learns after a delay that nobody is there. */
void network_refuse(struct network *network, const struct network_ask *ask, uint64_t delay_us);

/* network_run - until every client has an answer; false: one has waited longer than a query may take. */
bool network_run(struct network *network);

/* network_pass - that much time, and what happens in it. */
void network_pass(struct network *network, uint64_t ms);

/* network_settle - until nothing is in work any more; false, and why: something stays. */
bool network_settle(struct network *network, const char **why);

/* network_forget - answers of clients so far; their numbers begin again. */
void network_forget(struct network *network);

#endif
