/* octetset.h - a set of octet strings; each has a number, counted up from 0 as they are added.
 *
 *     starts   0      5      12      one more than there are strings
 *     octets   |.....|.......|...|
 *     table    | hash, 32 bits | number |   by hash, open addressing, at most half full
 *
 * memory  the octets, and some 40 more a string; as much again while it grows
 * thread  one owner
 */
#ifndef SAKER_LOADGEN_OCTETSET_H
#define SAKER_LOADGEN_OCTETSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

#define OCTETSET_NONE UINT32_MAX

struct octetset {
	uint8_t *octets;  /* owns */
	uint64_t *starts; /* owns: count + 1 of them */
	uint64_t *table;  /* owns: a number of OCTETSET_NONE where free */
	uint32_t count;
	uint32_t table_cap; /* a power of two */
	size_t octets_cap;
	size_t starts_cap;
};

/* octetset_init - errors: STATUS_MEMORY; octetset_fini() undoes it */
MUST_USE enum status octetset_init(struct octetset *set);
void octetset_fini(struct octetset *set);

/* octetset_add - the number of a string, which is added where it is not there yet. len 1..65535
 *
 * errors  STATUS_MEMORY, STATUS_LIMIT: more than 2^30 strings; the set is as before
 */
MUST_USE enum status octetset_add(
	struct octetset *set, const uint8_t *octets, uint32_t len, uint32_t *number_out);

/* octetset_find - the number of a string; OCTETSET_NONE: it is not there. */
uint32_t octetset_find(const struct octetset *set, const uint8_t *octets, uint32_t len);

/* octetset_get - the string with a number below count; stays in place until the next one is added. */
static inline const uint8_t *octetset_get(
	const struct octetset *set, uint32_t number, uint32_t *len_out)
{
	*len_out = (uint32_t)(set->starts[number + 1] - set->starts[number]);
	return set->octets + set->starts[number];
}

#endif
