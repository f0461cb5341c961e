/* intern.h - finds blocks that are there already, so that equal RRsets are kept once.
 *
 * thread  one owner
 */
#ifndef SAKER_ZONE_INTERN_H
#define SAKER_ZONE_INTERN_H

#include <stdint.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/status.h"
#include "os/region.h"

struct intern_slot {
	uint32_t hash; /* upper half */
	uint32_t ref;  /* 0: free */
};

struct intern {
	struct hash_key key;
	struct intern_slot *slots; /* owns */
	uint32_t mask, count;
};

/* intern_begin - forgets all blocks; zero-initialised is a fit start. */
void intern_begin(struct intern *intern, const struct hash_key *key);
void intern_fini(struct intern *intern);

/* intern_find - a reference to the same octets as those at ref, which are remembered where they are new.
 *
 * shape   region: the section; ref, len: a block that was just written at its end; a block's length follows from
 *         its octets, so equal octets at the start are an equal block
 * errors  STATUS_MEMORY
 * cost    O(len), one or two cache misses
 */
MUST_USE enum status intern_find(struct intern *intern, const struct region *region, uint32_t ref,
	uint32_t len, uint32_t *same_out);

#endif
