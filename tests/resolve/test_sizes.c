/* test_sizes.c - parts that come to the whole. */
#include "resolve/sizes.h"

#include "kit/kit.h"
#include "resolve/resolve.h"

#define MIB ((uint64_t)1 << 20)

TEST(all_of_it_is_the_size_and_a_twentieth_at_most)
{
	for (uint64_t mib = 64; mib <= 1024 * 1024; mib *= 2) {
		for (uint32_t workers = 1; workers <= 256; workers *= 2) {
			const struct sizes sizes = sizes_divide(mib * MIB, workers);
			uint64_t beside = workers * (sizes.spans + SIZES_TABLES_LEN);
			uint64_t queries = (uint64_t)workers * sizes.queries * SIZES_QUERY_LEN;
			CHECK(sizes.cache >= mib * MIB * 3 / 4 && sizes.cache < mib * MIB);
			CHECK(sizes.queries >= SIZES_QUERIES_LEAST &&
				sizes.queries <= RESOLVE_QUERIES_MAX);
			/* A size that its workers are too many for: said in the header. */
			if (sizes.cache > mib * MIB * 3 / 4) {
				CHECK(sizes.cache + beside <= mib * MIB);
				CHECK(sizes.cache + beside + queries <=
					mib * MIB + mib * MIB / SIZES_QUERIES_SHARE);
			}
			if (sizes.queries > SIZES_QUERIES_LEAST) {
				CHECK(queries <= mib * MIB / SIZES_QUERIES_SHARE);
			}
		}
	}
	CHECK_U(sizes_divide(2048 * MIB, 2).queries, RESOLVE_QUERIES_MAX);
	CHECK_U(sizes_divide(2 * MIB, 64).cache, 2 * MIB * 3 / 4);
}
