/* recursion.h - what the resolvers of all workers share, made from the configuration: cache, anchors, hints, local data.
 *
 * thread  main; what it holds is read-only, but for the cache
 */
#ifndef SAKER_SERVER_RECURSION_H
#define SAKER_SERVER_RECURSION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

struct conf_resolver;
struct poll;
struct recursion;
struct resolve_follower;
struct resolver_config;

/* All borrowed until recursion_free(), conf for the call. */
struct recursion_setup {
	const struct conf_resolver *conf;
	uint32_t workers;        /* that will share the cache */
	const char *state;       /* the folder; NULL: nothing is kept */
	bool can_save;           /* the folder is ours */
	const struct poll *poll; /* the main thread's, which is woken for recursion_collect() */
};

/* recursion_new - reads the files that the configuration names.
 *
 * errors  STATUS_REFUSED: what is wrong went to standard error; STATUS_MEMORY
 */
MUST_USE enum status recursion_new(const struct recursion_setup *setup, struct recursion **out);

/* recursion_reload - other rules from now on, by what the configuration says now; the cache stays, but for what they change.
 *
 * effect  all workers have them at once; where it fails, all stays as it is
 * errors  as recursion_new()
 * cost    the files, a grace period, and a look at each entry of the cache
 */
MUST_USE enum status recursion_reload(
	struct recursion *recursion, const struct conf_resolver *conf);

/* recursion_free - when no worker uses it any more; accepts NULL. */
void recursion_free(struct recursion *recursion);

/* recursion_follower - for the first worker; NULL: the anchors stay as configured. */
const struct resolve_follower *recursion_follower(const struct recursion *recursion);

/* recursion_collect - what workers have found out meanwhile; after each wait of the poll. Accepts NULL. */
void recursion_collect(struct recursion *recursion);

/* recursion_config - for worker_new(); valid until recursion_free(). */
const struct resolver_config *recursion_config(const struct recursion *recursion);

#endif
