/* cut.h - the servers of a zone, as its parent names them, while a fetch asks them.
 *
 * thread  the core's
 */
#ifndef SAKER_RESOLVE_CUT_H
#define SAKER_RESOLVE_CUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/arena.h"
#include "base/check.h"
#include "resolve/resolve.h"
#include "wire/name.h"
#include "wire/response.h"

struct hint;
struct resolve;

#define CUT_ADDRS_MAX 8u /* of one server; more do not make it faster */

struct cut_addr {
	struct addr addr;
	uint8_t asked;     /* times, in this fetch */
	bool is_useless;   /* lame, failed, or of a family that we do not use */
	bool wants_stream; /* it truncated, or gives no cookie by datagram */
	uint8_t formerrs;  /* times that it did not understand EDNS */
	bool no_edns;      /* so it is asked without, in this fetch */
};

struct cut_server {
	struct name name;
	bool looked_up;
	uint32_t addr_count;
	struct cut_addr addrs[CUT_ADDRS_MAX];
};

struct cut {
	struct name zone;
	bool recursive;  /* forwarders */
	bool fall_back;  /* ... that may be gone round */
	bool is_learned; /* from a parent, not from a hint */
	bool is_cached;  /* ... and not in this fetch */
	uint32_t server_count, server_cap;
	struct cut_server
		*servers; /* in an arena: RESOLVE_SERVERS_MAX at most, mostly two to four */
};

/* cut_from_hint - as it was configured.
 *
 * shape   cut: zeros, or what was made with the same arena before
 * errors  false: no memory
 */
MUST_USE bool cut_from_hint(struct cut *cut, const struct hint *hint, struct arena *arena);

/* cut_from_sets - out of an NS set and addresses, in any order; other sets are passed over.
 *
 * errors  false: there is no NS set of that zone, or no memory
 */
MUST_USE bool cut_from_sets(struct cut *cut, const struct name *zone,
	const struct rrset *const *sets, uint32_t count, struct arena *arena);

/* cut_add_addresses - the addresses of a set of type A or AAAA to a server. */
void cut_add_addresses(struct cut_server *server, const struct rrset *set);

/* cut_learn - keeps a referral in the cache, and makes it the cut.
 *
 * shape   ns: the NS set of the response; asked: the zone whose servers referred us
 * effect  glue counts where its owner is a server's name below the zone that was asked (RFC 9471 wants no more); DS, or
 *         NSEC and NSEC3, go along unchecked
 */
void cut_learn(struct resolve *core, struct cut *cut, const struct response *response,
	const struct rrset *ns, const struct name *asked, struct arena *arena);

#endif
