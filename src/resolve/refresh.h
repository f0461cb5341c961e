/* refresh.h - fetches the keys of the anchors' zones now and then, and shows them to who follows them (RFC 5011 sec 2.3).
 *
 *     timer -> fetch DNSKEY of the zone -> checked by the anchors that count at present -> seen(...)
 *
 * What is secure also goes to the cache as the zone's keys, so that the chain of trust uses the set in which a key is
 * revoked, and not an older one.
 *
 * thread  the core's
 * source  RFC 5011 sec 2.1 and 2.3
 */
#ifndef SAKER_RESOLVE_REFRESH_H
#define SAKER_RESOLVE_REFRESH_H

#include "base/check.h"
#include "resolve/resolve.h"

struct refresh;

#define REFRESH_ZONES_MAX                                                                          \
	16u /* that have anchors: the root and some islands; others keep theirs as configured */

/* refresh_new - the first round begins with the next step. errors: NULL, no memory */
MUST_USE struct refresh *refresh_new(struct resolve *core, const struct resolve_follower *follower);

/* refresh_restart - all zones again, with the next step: the anchors are others, and what was in work is given up. Accepts
 * NULL.
 */
void refresh_restart(struct refresh *refresh);

/* refresh_free - accepts NULL. */
void refresh_free(struct refresh *refresh);

#endif
