/* choice.c - the cheapest that may be asked. */
#include "resolve/choice.h"

#include <string.h>

#include "resolve/core.h"
#include "resolve/cut.h"
#include "resolve/servers.h"

#define ASKS_AN_ADDRESS  3u      /* times that one address is asked in one fetch */
#define ASKED_AGAIN_COST 100000u /* an address that was asked comes after all that were not */
static bool is_localhost(const struct addr *addr)
{
	static const uint8_t one[16] = {[15] = 1};

	return addr->family == ADDR_V4 ? addr->octets[0] == 127
				       : memcmp(addr->octets, one, sizeof(one)) == 0;
}

static bool may_ask(const struct resolve *core, const struct cut *cut, const struct cut_addr *at)
{
	const struct addr *addr = &at->addr;
	static const uint8_t zeros[16];
	bool v4 = addr->family == ADDR_V4;

	if (at->is_useless || at->asked >= ASKS_AN_ADDRESS ||
		!(v4 ? core->config.ipv4 : core->config.ipv6) || addr->port == 0) {
		return false;
	}
	/* Nobody's zone is served at no address or at a group (RFC 6890); ours at home only where that was said. */
	if (memcmp(addr->octets, zeros, v4 ? 4 : 16) == 0 ||
		(v4 ? addr->octets[0] >= 224 : addr->octets[0] == 0xff)) {
		return false;
	}
	return !cut->is_learned || core->config.query_localhost || !is_localhost(addr);
}

struct cut_addr *choice_addr(struct resolve *core, struct cut *cut)
{
	struct cut_addr *best = NULL;
	uint32_t best_cost = UINT32_MAX;

	for (uint32_t s = 0; s < cut->server_count; s++) {
		struct cut_server *server = &cut->servers[s];
		for (uint32_t a = 0; a < server->addr_count; a++) {
			struct cut_addr *at = &server->addrs[a];
			if (!may_ask(core, cut, at)) {
				continue;
			}
			uint32_t cost = servers_cost(
				servers_get(core->servers, &at->addr, core_now_ms(core)),
				&core->random, core_now_ms(core));
			cost += at->asked * ASKED_AGAIN_COST;
			if (cost < best_cost) {
				best_cost = cost;
				best = at;
			}
		}
	}
	return best;
}

struct cut_server *choice_unknown(struct resolve *core, struct cut *cut, bool glued)
{
	uint32_t count = cut->server_count;
	uint32_t start = count > 0 ? random_below(&core->random, count) : 0;

	for (uint32_t i = 0; i < count; i++) {
		struct cut_server *server = &cut->servers[(start + i) % count];
		if (!server->looked_up && (glued || server->addr_count == 0)) {
			return server;
		}
	}
	return NULL;
}

bool choice_is_poor(struct resolve *core, const struct cut_addr *at)
{
	int64_t now_ms = core_now_ms(core);
	const struct server *server = servers_get(core->servers, &at->addr, now_ms);

	return now_ms < server->penalty_ms || server->timeouts >= CHOICE_SILENT_TIMES;
}
