/* cut.c - from NS sets and glue to servers. */
#include "resolve/cut.h"

#include <string.h>

#include "base/reader.h"
#include "resolve/core.h"
#include "resolve/hints.h"
#include "resolve/store.h"
#include "wire/rrtype.h"

#define DNS_PORT 53u

/* Room for count servers; false: no memory. */
static bool make_room(struct cut *cut, uint32_t count, struct arena *arena)
{
	cut->server_count = 0;
	if (count > cut->server_cap) {
		cut->servers = arena_alloc(arena, count * sizeof(cut->servers[0]));
		cut->server_cap = cut->servers != NULL ? count : 0;
	}
	return cut->servers != NULL;
}

bool cut_from_hint(struct cut *cut, const struct hint *hint, struct arena *arena)
{
	if (!make_room(cut, hint->server_count, arena)) {
		return false;
	}
	cut->zone = hint->zone;
	cut->recursive = hint->kind == HINT_FORWARD;
	cut->fall_back = hint->fall_back;
	cut->is_learned = cut->is_cached = false;
	cut->server_count = hint->server_count;
	for (uint32_t i = 0; i < hint->server_count; i++) {
		const struct hint_server *from = &hint->servers[i];
		struct cut_server *server = &cut->servers[i];
		*server = (struct cut_server){.name = from->name, .addr_count = from->addr_count};
		/* A server without a name cannot be looked up. */
		server->looked_up = from->name.len <= 1;
		for (uint32_t a = 0; a < from->addr_count; a++) {
			server->addrs[a].addr = from->addrs[a];
		}
	}
	return true;
}

static bool has_addr(const struct cut_server *server, const struct addr *addr)
{
	for (uint32_t i = 0; i < server->addr_count; i++) {
		if (addr_equal(&server->addrs[i].addr, addr)) {
			return true;
		}
	}
	return false;
}

void cut_add_addresses(struct cut_server *server, const struct rrset *set)
{
	struct rrset_walk walk = rrset_records(set);
	struct rrset_rdata rdata;

	while (rrset_next(&walk, &rdata) && server->addr_count < CUT_ADDRS_MAX) {
		struct addr addr = {.port = DNS_PORT};
		addr.family = set->type == RRTYPE_A ? ADDR_V4 : ADDR_V6;
		if (rdata.len != (addr.family == ADDR_V4 ? 4 : 16)) {
			continue;
		}
		memcpy(addr.octets, rdata.octets, rdata.len);
		if (!has_addr(server, &addr)) {
			server->addrs[server->addr_count++] = (struct cut_addr){.addr = addr};
		}
	}
}

static void add_servers(struct cut *cut, const struct rrset *ns, struct arena *arena)
{
	uint32_t count = ns->count < RESOLVE_SERVERS_MAX ? ns->count : RESOLVE_SERVERS_MAX;
	struct rrset_walk walk = rrset_records(ns);
	struct rrset_rdata rdata;

	if (!make_room(cut, count, arena)) {
		return;
	}
	while (rrset_next(&walk, &rdata) && cut->server_count < count) {
		struct cut_server *server = &cut->servers[cut->server_count];
		struct reader reader = {.octets = rdata.octets, .len = rdata.len};
		*server = (struct cut_server){.addr_count = 0};
		if (name_parse(&reader, &server->name) == WIRE_OK) {
			cut->server_count++;
		}
	}
}

bool cut_from_sets(struct cut *cut, const struct name *zone, const struct rrset *const *sets,
	uint32_t count, struct arena *arena)
{
	cut->zone = *zone;
	cut->recursive = cut->fall_back = false;
	cut->is_learned = true;
	cut->is_cached = false;
	cut->server_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (rrset_is(sets[i], zone, RRTYPE_NS)) {
			add_servers(cut, sets[i], arena);
			break;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		if (sets[i]->type != RRTYPE_A && sets[i]->type != RRTYPE_AAAA) {
			continue;
		}
		for (uint32_t s = 0; s < cut->server_count; s++) {
			if (rrset_is(sets[i], &cut->servers[s].name, sets[i]->type)) {
				cut_add_addresses(&cut->servers[s], sets[i]);
			}
		}
	}
	return cut->server_count > 0;
}

static bool names_server(const struct cut *cut, const struct rrset *set)
{
	for (uint32_t s = 0; s < cut->server_count; s++) {
		if (rrset_is(set, &cut->servers[s].name, set->type)) {
			return true;
		}
	}
	return false;
}

static void keep(struct stored *what, const struct rrset *set)
{
	if (what->set_count < STORE_SETS_MAX) {
		what->sets[what->set_count++] = set;
	}
}

void cut_learn(struct resolve *core, struct cut *cut, const struct response *response,
	const struct rrset *ns, const struct name *asked, struct arena *arena)
{
	struct stored what = {.status = DNSSEC_UNCHECKED, .ede = EDE_NONE, .sets = {ns}};
	struct name zone;

	rrset_owner(ns, &zone);
	name_lower(&zone);
	what.set_count = 1;
	if (!cut_from_sets(cut, &zone, what.sets, 1, arena)) {
		return;
	}
	for (uint32_t i = 0; i < response->set_count; i++) {
		const struct rrset *set = response->sets[i].set;
		struct name owner;
		rrset_owner(set, &owner);
		bool address = set->type == RRTYPE_A || set->type == RRTYPE_AAAA;
		if (response->sets[i].section == SECTION_AUTHORITY) {
			bool proof = (set->type == RRTYPE_NSEC || set->type == RRTYPE_NSEC3) &&
				     set->sig_count > 0;
			if (rrset_is(set, &zone, RRTYPE_DS)) {
				keep(&what, set);
				what.code = 1;
			} else if (proof) {
				keep(&what, set);
				what.code = 1;
			}
		} else if (response->sets[i].section == SECTION_ADDITIONAL && address &&
			   name_is_below(&owner, asked) && names_server(cut, set)) {
			keep(&what, set);
		}
	}
	if (!cut_from_sets(cut, &zone, what.sets, what.set_count, arena)) {
		return;
	}
	store_put(core, STORE_CUT, &zone, 0, &what, ns->ttl);
}
