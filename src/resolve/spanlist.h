/* spanlist.h - the NSEC, or the NSEC3, records of one zone in the order of their owners, each for a while.
 *
 * The order of NSEC3 owners is that of the hashes that they spell, so both kinds are kept the same way.
 *
 * memory  a copy of each record with its signatures; the list tells how many octets they are
 * thread  the core's
 */
#ifndef SAKER_RESOLVE_SPANLIST_H
#define SAKER_RESOLVE_SPANLIST_H

#include <stdint.h>

#include "wire/name.h"
#include "wire/rrset.h"

/* One record: it tells what its owner has, and that nothing is between its owner and the next. */
struct span {
	struct rrset *set; /* owns */
	int64_t expires_ms;
};

/* All zero: empty. */
struct spanlist {
	struct span *spans; /* owns */
	uint32_t count, cap;
	uint64_t octets; /* of the sets and the array */
};

/* spanlist_add - keeps a copy, in place of what its owner had.
 *
 * shape   most: as many as there may be; with so many its neighbour makes room
 * effect  without memory nothing is kept
 * cost    O(log count) comparisons; moves the entries behind it
 */
void spanlist_add(
	struct spanlist *list, const struct rrset *set, int64_t expires_ms, uint32_t most);

/* spanlist_before - the record of the name, or of the one before it; before the first that is the last, as in a ring.
 *
 * errors  NULL: the list is empty, or the record has expired
 */
const struct span *spanlist_before(
	const struct spanlist *list, const struct name *name, int64_t now_ms);

/* spanlist_clear - forgets all. */
void spanlist_clear(struct spanlist *list);

#endif
