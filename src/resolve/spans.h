/* spans.h - answers out of proofs that came for other names: what lies between two neighbours does not exist.
 *
 * For each signed zone the secure NSEC records that were seen, and the NSEC3 records without opt-out; they are asked only
 * where the cache has nothing. A core has its own.
 *
 * Limits: the octets that spans_new() is given, SPANS_ZONES_MAX zones, SPANS_A_ZONE_MAX records of each kind a zone; beyond,
 * the zone that was asked the longest time ago makes room, or the record nearest to the new one.
 *
 * thread  the core's
 * source  RFC 8198, RFC 9077
 */
#ifndef SAKER_RESOLVE_SPANS_H
#define SAKER_RESOLVE_SPANS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "wire/name.h"
#include "wire/rrset.h"

struct search_result;
struct resolve;
struct spans;

#define SPANS_ZONES_MAX  512u
#define SPANS_A_ZONE_MAX 4096u

/* spans_new - size: octets that the records may take. NULL: no memory */
MUST_USE struct spans *spans_new(uint64_t size);
void spans_free(struct spans *spans);

/* spans_octets - taken by records now. */
uint64_t spans_octets(const struct spans *spans);

/* spans_learn - remembers a zone's SOA, and what of its proofs serves others.
 *
 * shape   sets: secure, of one response; ttls: seconds for each, its signature's end and a denial's TTL heeded
 */
void spans_learn(struct spans *spans, struct resolve *core, const struct name *zone,
	const struct rrset *const *sets, const uint32_t *ttls, uint32_t count);

/* spans_deny - a denial for the name and type made out of them: SOA and proofs are copied to the arena.
 *
 * errors  false: they do not prove it
 * cost    two searches in a zone's records; NSEC3: a hash for each label at most, DNSSEC_HASHES_A_PROOF in all
 */
MUST_USE bool spans_deny(struct spans *spans, struct resolve *core, const struct name *name,
	uint16_t type, struct arena *arena, struct search_result *out);

/* spans_forget - nothing is known any more of the zones at or below the name, and of that which holds it. */
void spans_forget(struct spans *spans, const struct name *name);

#endif
