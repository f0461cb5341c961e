/* gather.h - the owners of a sorted collection, one by one in canonical order.
 *
 * One random access each, fetched ahead. The runs of one owner are joined, its records sorted by type and RDATA, and
 * duplicates left out.
 *
 * thread  one owner
 */
#ifndef SAKER_ZONE_GATHER_H
#define SAKER_ZONE_GATHER_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "zone/collect.h"

/* Where the items of one owner are put. */
struct gather {
	struct collect_item *items; /* owns */
	uint32_t count, cap;
	uint8_t *canonical[2]; /* own: RDATA in canonical form, while compared */
	uint64_t duplicates;   /* records left out so far */
};

/* gather_init - errors: STATUS_MEMORY */
MUST_USE enum status gather_init(struct gather *gather);
void gather_fini(struct gather *gather);

/* gather_next - the owner at run *at, and *at moved behind its runs.
 *
 * shape   at: 0 at first; *at < collect->run_count
 * errors  STATUS_MEMORY
 */
MUST_USE enum status gather_next(const struct collect *collect, struct gather *gather, uint64_t *at,
	struct collect_owner *out);

/* gather_ahead - the run of the owner with a relative lower-case name, at or behind run from; COLLECT_NONE: none.
 *
 * cost  O(log of the distance)
 */
uint64_t gather_ahead(
	const struct collect *collect, uint64_t from, const uint8_t *labels, uint32_t len);

/* gather_border - the first run at or behind a run, the first not being asked for, whose owner is below another name
 * directly below the apex than that of the run before; run_count: there is none.
 *
 * cost  O(runs on the way)
 */
uint64_t gather_border(const struct collect *collect, uint64_t run);

#endif
