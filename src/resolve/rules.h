/* rules.h - what cores obey and may be replaced while they run: settings, anchors, hints, local data, the filter.
 *
 *     main:  publish_set(rules) -> publish_wait() -> rules_forget() -> the rules before may go
 *     core:  rules_follow() at the start of each step: others than before? All that is in work is given up, and what clients
 *            wait for begins anew
 *
 * So no answer is made of both, nothing that was asked of a server by old rules is kept, and no client is lost. Nothing may
 * hold on to a part of the rules from one step to the next.
 *
 * thread  rules are read-only once published
 */
#ifndef SAKER_RESOLVE_RULES_H
#define SAKER_RESOLVE_RULES_H

#include <stdint.h>

#include "resolve/resolve.h"

#define RULES_NONE 0u /* no rules have this number: the first step obeys those that are there */

struct rules {
	uint64_t number; /* from 1 on, another one for each: an address may come again */
	struct resolve_config config; /* spans_size is that of the start */
	const struct anchors *anchors;
	const struct hints *hints;
	const struct localdata *local;     /* NULL: none */
	const struct rebinding *rebinding; /* NULL: any address is good */
};

/* rules_follow - obeys the rules that are published, where shared.rules is.
 *
 * cost  a look where they are the same; else all clients in work begin anew
 */
void rules_follow(struct resolve *core);

/* rules_forget - drops from the cache what may be different by new rules: names that are asked of others, are trusted by other
 * anchors or not at all, or are local now; names that were said not to exist, for others below them may; and all messages.
 *
 * shape   when no core obeys the old rules any more
 * effect  returns how many entries went, messages not counted
 * cost    the whole cache; thread: any
 */
uint64_t rules_forget(struct cache *cache, const struct rules *old, const struct rules *now);

#endif
