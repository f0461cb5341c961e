/* resolver.h - a worker's resolver: the core (resolve/resolve.h), its clients, and the sockets to the servers it asks.
 *
 * thread  the worker's
 */
#ifndef SAKER_SERVER_RESOLVER_H
#define SAKER_SERVER_RESOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/now.h"
#include "resolve/resolve.h"
#include "server/upstream.h"

struct poll;
struct request;
struct resolver;
struct stream_set;
struct transport_source;

/* What all workers' resolvers have in common; borrowed for their life. */
struct resolver_config {
	struct resolve_config core;
	struct resolve_shared shared; /* its rules are a struct ruleset */
	struct upstream_config upstream;
};

/* resolver_new - streams: where answers to queries by TCP go. errors: NULL, no memory */
MUST_USE struct resolver *resolver_new(
	const struct resolver_config *config, struct poll *poll, struct stream_set *streams);

/* resolver_free - forgets what is in work; accepts NULL. */
void resolver_free(struct resolver *resolver);

/* resolver_follow - as resolve_follow(); before the worker runs. errors: STATUS_MEMORY */
MUST_USE enum status resolver_follow(
	struct resolver *resolver, const struct resolve_follower *follower);

/* resolver_allows - may who sent the request ask? */
bool resolver_allows(const struct resolver *resolver, const struct request *request);

/* resolver_hits - answers out of the cache, in place; those that have to be resolved are marked as later.
 *
 * shape   count <= RESOLVE_HITS_MAX
 * cost    as resolve_hits()
 */
void resolver_hits(
	struct resolver *resolver, struct request *const *requests, uint32_t count, struct now now);

/* resolver_take - a request that was marked as later. source: the socket, or connection, that it came by */
void resolver_take(struct resolver *resolver, struct transport_source *source,
	const struct request *request, struct now now);

/* resolver_event - something came, or can go out, on a socket of ours. source: of kind TRANSPORT_UPSTREAM */
void resolver_event(
	struct resolver *resolver, struct transport_source *source, unsigned flags, struct now now);

/* resolver_tick - once a round, after its events: what waits for time. */
void resolver_tick(struct resolver *resolver, struct now now);

/* resolver_wait_ms - how long the poll may wait until resolver_tick() has something to do; -1: for ever. */
int resolver_wait_ms(const struct resolver *resolver, struct now now);

/* resolver_counters - what its core counted; of the worker's thread, or after it has ended. */
const struct resolve_counters *resolver_counters(const struct resolver *resolver);

#endif
