/* recipe_resolver.h - resolvers as child processes: saker, unbound and named, where they are installed.
 *
 * Their Internet is one authoritative server on loopback. All are set alike: no validation and no QNAME minimisation,
 * of which 2007 knew nothing, and the same room for their caches.
 *
 * thread  the process's main thread
 */
#ifndef SAKER_LOADGEN_RECIPE_RESOLVER_H
#define SAKER_LOADGEN_RECIPE_RESOLVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "loadgen/recipe_peer.h"
#include "loadgen/recipe_stage.h"

#define RECIPE_RESOLVER_KINDS 3u /* the first is saker */

/* recipe_resolver_name - of a kind, kind < RECIPE_RESOLVER_KINDS; NULL: it is not installed. */
const char *recipe_resolver_name(uint32_t kind);

/* recipe_resolver_start - starts one with that many workers and an empty cache, and waits until it answers the first
 * query of the stage.
 *
 * shape   zone: all that upstream, a server on 127.0.0.1, holds
 * errors  false: it does not answer, or Ctrl-C; nothing is left to be undone
 */
MUST_USE bool recipe_resolver_start(struct recipe_stage *stage, uint32_t kind, uint32_t workers,
	const char *zone, const struct addr *upstream, struct recipe_peer *out);
void recipe_resolver_end(struct recipe_peer *resolver);

#endif
