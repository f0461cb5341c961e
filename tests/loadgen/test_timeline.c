/* test_timeline.c - queries of a recording come out in the order of their times. */
#include "loadgen/timeline.h"

#include "kit/kit.h"

/* A query for the type nth of the root. */
static void add(struct timeline *timeline, uint64_t time_ns, uint16_t nth)
{
	const uint8_t query[] = {
		0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, (uint8_t)(nth >> 8), (uint8_t)nth, 0, 1};

	CHECK_U(timeline_add(timeline, time_ns, query, sizeof(query)), STATUS_OK);
}

static uint32_t nth_of(const struct timeline *timeline, uint32_t idx)
{
	uint32_t len;
	const uint8_t *rest = queryfile_rest(&timeline->queries, idx, &len);

	return (uint32_t)rest[11] << 8 | rest[12];
}

TEST(the_first_is_at_zero)
{
	struct timeline timeline;

	CHECK_U(timeline_init(&timeline), STATUS_OK);
	add(&timeline, 1700000000123456789ull, 0);
	add(&timeline, 1700000001123456789ull, 1);
	CHECK_U(timeline_finish(&timeline), STATUS_OK);
	CHECK_U(timeline.times_ns[0], 0);
	CHECK_U(timeline.times_ns[1], 1000000000);
	timeline_fini(&timeline);
}

TEST(random_times_are_put_in_order_and_equal_ones_stay_in_theirs)
{
	static uint64_t times_ns[5000];
	struct timeline timeline;
	uint64_t least_ns = UINT64_MAX;

	CHECK_U(timeline_init(&timeline), STATUS_OK);
	for (uint16_t i = 0; i < 5000; i++) {
		times_ns[i] = 1000 + kit_random(1000);
		least_ns = times_ns[i] < least_ns ? times_ns[i] : least_ns;
		add(&timeline, times_ns[i], i);
	}
	CHECK_U(timeline_finish(&timeline), STATUS_OK);
	CHECK_U(timeline.queries.count, 5000);
	for (uint32_t i = 0; i < 5000; i++) {
		CHECK_U(timeline.times_ns[i] + least_ns, times_ns[nth_of(&timeline, i)]);
		if (i > 0) {
			CHECK(timeline.times_ns[i] >= timeline.times_ns[i - 1]);
			CHECK(timeline.times_ns[i] != timeline.times_ns[i - 1] ||
				nth_of(&timeline, i) > nth_of(&timeline, i - 1));
		}
	}
	timeline_fini(&timeline);
}

TEST(what_is_no_query_is_refused_and_leaves_no_time)
{
	static const uint8_t response[] = {0, 0, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1};
	struct timeline timeline;

	CHECK_U(timeline_init(&timeline), STATUS_OK);
	add(&timeline, 5, 0);
	CHECK_U(timeline_add(&timeline, 1, response, sizeof(response)), STATUS_REFUSED);
	add(&timeline, 7, 1);
	CHECK_U(timeline_finish(&timeline), STATUS_OK);
	CHECK_U(timeline.queries.count, 2);
	CHECK_U(timeline.times_ns[1], 2);
	timeline_fini(&timeline);
}
