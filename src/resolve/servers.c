/* servers.c - a set-associative table. */
#include "resolve/servers.h"

#include <stdlib.h>

#define WAYS              4u
#define SETS              (SERVERS_MAX / WAYS)
#define EXPLORE_ONE_IN    32u /* questions that go to a server by chance */
#define UNKNOWN_SPREAD_MS 200u

struct servers {
	struct server items[SERVERS_MAX];
};

struct servers *servers_new(void)
{
	return calloc(1, sizeof(struct servers));
}

void servers_free(struct servers *servers)
{
	free(servers);
}

static uint32_t set_of(const struct addr *addr)
{
	uint64_t hash = addr->port + addr->family;

	for (uint32_t i = 0; i < sizeof(addr->octets); i++) {
		hash = (hash ^ addr->octets[i]) * 0x100000001b3u;
	}
	return (uint32_t)((hash ^ hash >> 29) % SETS) * WAYS;
}

struct server *servers_get(struct servers *servers, const struct addr *addr, int64_t now_ms)
{
	struct server *set = &servers->items[set_of(addr)];
	struct server *oldest = set;

	for (uint32_t i = 0; i < WAYS; i++) {
		if (set[i].asked_ms != 0 && addr_equal(&set[i].addr, addr)) {
			if (now_ms - set[i].asked_ms < SERVERS_FRESH_MS) {
				return &set[i];
			}
			oldest = &set[i];
			break;
		}
		if (set[i].asked_ms < oldest->asked_ms) {
			oldest = &set[i];
		}
	}
	*oldest = (struct server){.addr = *addr, .asked_ms = now_ms == 0 ? 1 : now_ms};
	return oldest;
}

void servers_answered(struct server *server, uint64_t rtt_ns)
{
	uint32_t rtt_us =
		rtt_ns / 1000u > UINT32_MAX / 8 ? UINT32_MAX / 8 : (uint32_t)(rtt_ns / 1000u);

	server->timeouts = 0;
	if (server->srtt_us == 0) {
		server->srtt_us = rtt_us + 1;
		server->rttvar_us = rtt_us / 2;
		return;
	}
	uint32_t diff =
		rtt_us > server->srtt_us ? rtt_us - server->srtt_us : server->srtt_us - rtt_us;
	server->rttvar_us += diff / 4 - server->rttvar_us / 4;
	server->srtt_us += rtt_us / 8 - server->srtt_us / 8;
}

void servers_timed_out(struct server *server)
{
	if (server->timeouts < UINT8_MAX) {
		server->timeouts++;
	}
}

uint32_t servers_rto_ms(const struct server *server)
{
	uint64_t rto = server->srtt_us == 0
			       ? SERVERS_RTO_FIRST_MS
			       : (server->srtt_us + 4ull * server->rttvar_us) / 1000u + 1;

	rto = rto < SERVERS_RTO_MIN_MS ? SERVERS_RTO_MIN_MS : rto;
	rto <<= server->timeouts > 6 ? 6 : server->timeouts;
	return rto > SERVERS_RTO_MAX_MS ? SERVERS_RTO_MAX_MS : (uint32_t)rto;
}

uint32_t servers_cost(const struct server *server, struct random *random, int64_t now_ms)
{
	uint32_t cost = server->srtt_us == 0 && server->timeouts == 0
				? random_below(random, UNKNOWN_SPREAD_MS)
				: servers_rto_ms(server);

	if (random_below(random, EXPLORE_ONE_IN) == 0 && server->timeouts == 0) {
		cost = 0;
	}
	if (now_ms >= server->penalty_ms) {
		return cost;
	}
	/* Of several, the one whose fault is longest ago, be it slower: it may have been somebody else's. */
	return 2 * SERVERS_RTO_MAX_MS + (uint32_t)(server->penalty_ms - now_ms);
}
