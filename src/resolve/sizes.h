/* sizes.h - how the memory that a configuration gives to a resolver is divided.
 *
 *     size = cache + proofs of all workers + tables of all workers;  queries in work come on top: a twentieth at most
 *
 * Every worker may have SIZES_QUERIES_LEAST queries in work, which of a small size is more than a twentieth: the cache makes
 * room for what is. At least three quarters are the cache's: where workers are too many for that, it all comes to more.
 *
 * thread  no shared state
 */
#ifndef SAKER_RESOLVE_SIZES_H
#define SAKER_RESOLVE_SIZES_H

#include <stdint.h>

#define SIZES_TABLES_LEN                                                                           \
	(3u << 20) /* of a core, when all is used: servers, exchanges, signatures that held */
#define SIZES_QUERY_LEN                                                                            \
	(14u << 10) /* of a query in work with all that it waits for, under a flood of random names */
#define SIZES_SPANS_SHARE 32u /* of the size: proofs that may serve others (resolve/spans.h) */
#define SIZES_QUERIES_SHARE                                                                        \
	24u /* beside it: queries in work; a twentieth less what lies between pieces */
#define SIZES_QUERIES_LEAST 256u

struct sizes {
	uint64_t cache;
	uint64_t spans;   /* of each worker */
	uint32_t queries; /* ditto; not octets, but how many */
};

/* sizes_divide - size: octets; workers: at least one. */
struct sizes sizes_divide(uint64_t size, uint32_t workers);

#endif
