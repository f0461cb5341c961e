/* spans.h - answers out of proofs that came for other names: what lies between two neighbours does not exist.
 *
 * For each signed zone with NSEC the secure spans that were seen, in canonical order; they are asked only where the cache
 * has nothing. A core has its own. (NSEC3 spans of zones without opt-out likewise, by hash.)
 *
 * Limits: SPANS_ZONES_MAX zones, SPANS_A_ZONE_MAX spans each; beyond, the zone that was asked the longest time ago, or the
 * span nearest to the new one, makes room.
 *
 * thread  the core's
 * source  RFC 8198
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
#define SPANS_A_ZONE_MAX 1024u

MUST_USE struct spans *spans_new(void);
void spans_free(struct spans *spans);

/* spans_learn - remembers a zone's SOA and its secure NSEC sets. sets: as in a denial's result */
void spans_learn(
	struct spans *spans, struct resolve *core, const struct rrset *const *sets, uint32_t count);

/* spans_deny - a denial for the name and type made out of them: SOA and proofs are copied to the arena.
 *
 * errors  false: they do not prove it
 */
MUST_USE bool spans_deny(struct spans *spans, struct resolve *core, const struct name *name,
	uint16_t type, struct arena *arena, struct search_result *out);

/* spans_forget - nothing is known any more of the zones at or below the name, and of that which holds it. */
void spans_forget(struct spans *spans, const struct name *name);

#endif
