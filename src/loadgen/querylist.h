/* querylist.h - queries in an order, many of them the same: what a query file is written from.
 *
 *     distinct   name type | name type | ...        each once (octetset.h)
 *     order      0 1 0 0 2 ...                      by number
 *
 * thread  one owner
 */
#ifndef SAKER_LOADGEN_QUERYLIST_H
#define SAKER_LOADGEN_QUERYLIST_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/check.h"
#include "base/status.h"
#include "loadgen/octetset.h"

struct querylist {
	struct octetset distinct; /* name in lower case and type in network order */
	uint32_t *order;          /* owns: count of them */
	uint64_t count;
	size_t order_cap;
};

/* querylist_init - errors: STATUS_MEMORY; querylist_fini() undoes it */
MUST_USE enum status querylist_init(struct querylist *list);
void querylist_fini(struct querylist *list);

/* querylist_add - one more query. name: wire octets, uncompressed; errors: STATUS_MEMORY, STATUS_LIMIT */
MUST_USE enum status querylist_add(
	struct querylist *list, const uint8_t *name, uint32_t name_len, uint16_t type);

/* querylist_prune - drops the most frequent of the distinct queries, all times that they occur.
 *
 * effect  of equally frequent ones those that came first are dropped; *dropped_out: queries that went
 * errors  STATUS_MEMORY
 */
MUST_USE enum status querylist_prune(
	struct querylist *list, uint32_t distinct_count, uint64_t *dropped_out);

/* querylist_write - `NAME TYPE` lines, at most limit of them; ferror(out) tells whether they could be written. */
void querylist_write(const struct querylist *list, uint64_t limit, FILE *out);

#endif
