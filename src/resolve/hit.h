/* hit.h - whole answers in the cache, and how they go out again.
 *
 *     head | offsets of TTLs | octets behind the question, without OPT
 *
 * A hit is one probe, a copy behind the query's own question, and a subtraction for each TTL.
 *
 * thread  the core's
 */
#ifndef SAKER_RESOLVE_HIT_H
#define SAKER_RESOLVE_HIT_H

#include <stdbool.h>
#include <stdint.h>

#include "resolve/compose.h"

struct resolve;

/* kind | DO, CD | type | name: the name is as long as it is. */
#define HIT_KEY_FIXED_LEN 4u
#define HIT_KEY_KIND      16u /* no enum store_kind */

/* hit_new - scratch for resolve_hits(); NULL: no memory. free() gives it back. */
MUST_USE struct hit_item *hit_new(void);

/* hit_keep - an answer that compose() wrote, for the next who asks the same.
 *
 * shape   octets[0..len): without OPT
 */
void hit_keep(struct resolve *core, const struct compose_client *client,
	const struct compose_answer *answer, const uint8_t *octets, uint32_t len,
	const struct compose_ttls *ttls);

#endif
