/* recursion.h - what the resolvers of all workers share, made from the configuration: cache, anchors, hints, local data.
 *
 * thread  main; what it holds is read-only, but for the cache
 */
#ifndef SAKER_SERVER_RECURSION_H
#define SAKER_SERVER_RECURSION_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

struct conf_resolver;
struct recursion;
struct resolver_config;

/* recursion_new - reads the files that the configuration names.
 *
 * shape   conf: borrowed until recursion_free()
 *         workers: that will share the cache
 * errors  STATUS_REFUSED: what is wrong went to standard error; STATUS_MEMORY
 */
MUST_USE enum status recursion_new(
	const struct conf_resolver *conf, uint32_t workers, struct recursion **out);

/* recursion_free - when no worker uses it any more; accepts NULL. */
void recursion_free(struct recursion *recursion);

/* recursion_config - for worker_new(); valid until recursion_free(). */
const struct resolver_config *recursion_config(const struct recursion *recursion);

#endif
