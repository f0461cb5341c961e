/* keeper.h - keeps the trust anchors: what a worker sees of their zones' keys goes to the main thread, to disk, and to all
 * workers.
 *
 *     worker 0: keeper_follower() --- what was seen ---> main: keeper_collect() ---> STATE/trust-anchors
 *     all workers <--- keeper_anchors(), published ---------------'
 *
 * Without a folder for state there is no keeper, and the configured anchors are all.
 *
 * thread  main, but for what keeper_follower() gives
 * source  RFC 5011
 */
#ifndef SAKER_SERVER_KEEPER_H
#define SAKER_SERVER_KEEPER_H

#include <stdbool.h>

#include "base/check.h"
#include "resolve/resolve.h"

struct anchors;
struct keeper;
struct poll;
struct published;

struct keeper_config {
	const struct anchors *configured; /* borrowed until keeper_free(), or keeper_configure() */
	const char *folder;               /* for the state; borrowed ditto */
	bool can_save;                    /* false: another process keeps its state there */
	const struct poll
		*poll; /* borrowed ditto; is woken when there is something for keeper_collect() */
};

/* keeper_new - with the state of the folder, where there is one that is whole; what is wrong with it goes to the log.
 *
 * errors  NULL: no memory
 */
MUST_USE struct keeper *keeper_new(const struct keeper_config *config);

/* keeper_free - when no worker runs any more; accepts NULL. */
void keeper_free(struct keeper *keeper);

/* keeper_anchors - holds a struct anchors, for struct resolve_shared. */
const struct published *keeper_anchors(const struct keeper *keeper);

/* keeper_follower - for the one core that fetches the keys. thread: its functions may be called by one worker */
struct resolve_follower keeper_follower(struct keeper *keeper);

/* keeper_configure - other anchors are configured now: what the state says of their keys is applied to them, and workers have
 * the outcome when it returns.
 *
 * shape   configured: borrowed in place of those before, which nobody reads any more
 * errors  STATUS_MEMORY: those before stay
 */
MUST_USE enum status keeper_configure(struct keeper *keeper, const struct anchors *configured);

/* keeper_collect - takes what was seen into account; after each wait of the poll.
 *
 * cost    a look where there is nothing; else a file is written, and a grace period waited for
 */
void keeper_collect(struct keeper *keeper);

#endif
