/* sizes.c - shares of a whole. */
#include "resolve/sizes.h"

#include "resolve/resolve.h"

struct sizes sizes_divide(uint64_t size, uint32_t workers)
{
	uint64_t spans = size / SIZES_SPANS_SHARE;
	uint64_t beside = spans + (uint64_t)workers * SIZES_TABLES_LEN;
	uint64_t queries = size / SIZES_QUERIES_SHARE / workers / SIZES_QUERY_LEN;

	queries = queries > RESOLVE_QUERIES_MAX ? RESOLVE_QUERIES_MAX : queries;
	queries = queries < SIZES_QUERIES_LEAST ? SIZES_QUERIES_LEAST : queries;
	return (struct sizes){.cache = size - (beside < size / 4 ? beside : size / 4),
		.spans = spans / workers,
		.queries = (uint32_t)queries};
}
