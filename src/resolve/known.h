/* known.h - what the cache says of one name and type, whichever of its entries says it.
 *
 *     the set, or an alias of the name -> that it is not there -> a DNAME above, or that nothing is below
 *
 * cost    a few probes of the cache; a DNAME or a denial above: two for each label
 * thread  the core's
 * source  RFC 2308, RFC 8020, RFC 9520
 */
#ifndef SAKER_RESOLVE_KNOWN_H
#define SAKER_RESOLVE_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "wire/name.h"

struct job;
struct resolve;
struct search_result;

/* known_get - what the cache says; false: nothing.
 *
 * shape   arena: takes the sets where the result is to outlast the step; NULL: they are borrowed from the cache
 *         stale_ok: also what has expired not longer ago than the configuration allows
 */
MUST_USE bool known_get(struct resolve *core, const struct name *name, uint16_t type, bool stale_ok,
	struct arena *arena, struct search_result *out);

/* known_ds - the DS set that came along with the referral to the job's name. */
MUST_USE bool known_ds(struct job *job, struct search_result *out);

/* known_glue - the job's address of a server as the parent of its zone told it. */
MUST_USE bool known_glue(struct job *job, struct search_result *out);

/* known_remember_failure - for a while the same is not tried again (RFC 9520). status: DNSSEC_BOGUS where signatures were to blame */
void known_remember_failure(
	struct resolve *core, const struct name *name, uint16_t type, uint8_t status, int16_t ede);

/* known_failure - did it fail a moment ago? */
MUST_USE bool known_failure(struct resolve *core, const struct name *name, uint16_t type,
	uint8_t *status_out, int16_t *ede_out);

#endif
