/* zonelist.h - the zones that the configuration names: loading them in the background, serving what loads.
 *
 * A load is all or nothing for each zone: one that loads is served at once, one that does not keeps the
 * version that it has, or has none and is answered SERVFAIL. What the configuration no longer names goes,
 * and what is new comes, when the whole load is over; at the start everything is there from the beginning.
 *
 * What was read from text is then written to the state as an image, for the next start; until that is over no other load
 * begins.
 *
 *     zonelist_load() --> a job a zone on the pool --> zonelist publishes it --> last one: finished()
 *
 * thread  main; it is the one writer that zone/zone.h asks for
 */
#ifndef SAKER_SERVER_ZONELIST_H
#define SAKER_SERVER_ZONELIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

struct hash_key;
struct pool;
struct published;
struct server_config;
struct state;
struct zonelist;

struct zonelist_counts {
	uint32_t zones;     /* in the set */
	uint32_t serving;   /* that have a version */
	uint32_t failed;    /* that did not load in the last load */
	uint32_t unchanged; /* whose file was still the one that is served */
};

/* zonelist_new - no zones; NULL where there is no memory. finished(context) is called when a load is over.
 *
 * shape  state: borrowed; where the images of zones are looked for at the first load, and kept after each; NULL: nowhere
 */
MUST_USE struct zonelist *zonelist_new(const struct hash_key *key, struct state *state,
	void (*finished)(void *context), void *context);

/* zonelist_free - no worker may run and no load be on the pool; accepts NULL. */
void zonelist_free(struct zonelist *list);

/* zonelist_load - loads every zone of config, the ones that are served already again.
 *
 * A zone is left out where all files that its version was read from have the identity that they had (zone/sources.h).
 *
 * effect  finished() is called from pool_collect(), or from here where there are no zones
 * errors  STATUS_MEMORY: everything stays as it was
 */
MUST_USE enum status zonelist_load(
	struct zonelist *list, const struct server_config *config, struct pool *pool);

/* zonelist_is_loading - true from zonelist_load() until finished(), and while images are being kept. */
bool zonelist_is_loading(const struct zonelist *list);

/* zonelist_stop - from now on what was loaded is thrown away instead of served. */
void zonelist_stop(struct zonelist *list);

struct zonelist_counts zonelist_counts(const struct zonelist *list);

/* zonelist_published - holds the struct zone_set that workers read; as long-lived as the list. */
const struct published *zonelist_published(const struct zonelist *list);

#endif
