/* sizes.c - shares of a whole. */
#include "resolve/sizes.h"

#include "resolve/resolve.h"

struct sizes sizes_divide(uint64_t size, uint32_t workers)
{
	uint64_t spans = size / SIZES_SPANS_SHARE;
	uint64_t beside = spans + (uint64_t)workers * SIZES_TABLES_LEN;
	uint64_t queries_size = size / SIZES_QUERIES_SHARE;
	uint64_t queries = queries_size / workers / SIZES_QUERY_LEN;

	queries = queries > RESOLVE_QUERIES_MAX ? RESOLVE_QUERIES_MAX : queries;
	if (queries < SIZES_QUERIES_LEAST) {
		queries = SIZES_QUERIES_LEAST;
		beside += workers * queries * SIZES_QUERY_LEN - queries_size;
	}
	return (struct sizes){.cache = size - (beside < size / 4 ? beside : size / 4),
		.spans = spans / workers,
		.queries = (uint32_t)queries};
}
