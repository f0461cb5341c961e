/* test_schedule.c - times are where arithmetic by hand puts them, and never fall. */
#include "loadgen/schedule.h"

#include "base/now.h"
#include "kit/kit.h"

#define SECOND NOW_NS_A_SECOND

TEST(a_rate_is_evenly_spaced)
{
	struct schedule schedule = schedule_rate(1000);

	CHECK_U(schedule_due_ns(&schedule, 0), 0);
	CHECK_U(schedule_due_ns(&schedule, 1), 1000000);
	CHECK_U(schedule_due_ns(&schedule, 3600000), 3600 * SECOND);
	CHECK(schedule_rate_at(&schedule, 5 * SECOND) == 1000.0);
}

TEST(a_rate_does_not_drift_over_a_day)
{
	struct schedule schedule = schedule_rate(300000);
	uint64_t due_ns = schedule_due_ns(&schedule, 86400ull * 300000);

	CHECK(due_ns >= 86400 * SECOND - 100 && due_ns <= 86400 * SECOND + 100);
}

TEST(a_ramp_sends_half_of_its_rate_on_average_and_then_all_of_it)
{
	struct schedule schedule = schedule_ramp(1000, 10 * SECOND);

	CHECK_U(schedule_due_ns(&schedule, 0), 0);
	/* A quarter of the 5000 queries in the first half of the time. */
	CHECK_U(schedule_due_ns(&schedule, 1250), 5 * SECOND);
	CHECK_U(schedule_due_ns(&schedule, 5000), 10 * SECOND);
	CHECK_U(schedule_due_ns(&schedule, 7000), 12 * SECOND);
	CHECK(schedule_rate_at(&schedule, 5 * SECOND) == 500.0);
	CHECK(schedule_rate_at(&schedule, 11 * SECOND) == 1000.0);
}

TEST(a_ramp_of_no_length_is_a_rate)
{
	struct schedule schedule = schedule_ramp(1000, 0);

	CHECK_U(schedule_due_ns(&schedule, 0), 0);
	CHECK_U(schedule_due_ns(&schedule, 3000), 3 * SECOND);
	CHECK(schedule_rate_at(&schedule, 0) == 1000.0);
}

TEST(a_recording_keeps_its_pauses_and_may_go_faster)
{
	static const uint64_t times_ns[] = {0, 100, 100, 700};
	struct schedule plain = schedule_times(times_ns, 4, 1);
	struct schedule twice = schedule_times(times_ns, 4, 2);

	CHECK_U(schedule_due_ns(&plain, 3), 700);
	CHECK_U(schedule_due_ns(&twice, 1), 50);
	CHECK_U(schedule_due_ns(&twice, 3), 350);
	/* The mean gap is 233, so the second pass begins at 933. */
	CHECK_U(schedule_due_ns(&plain, 4), 933);
	CHECK_U(schedule_due_ns(&plain, 7), 1633);
}

TEST(a_recording_of_one_query_is_gone_through_once_a_second)
{
	static const uint64_t times_ns[] = {0};
	struct schedule schedule = schedule_times(times_ns, 1, 1);

	CHECK_U(schedule_due_ns(&schedule, 2), 2 * SECOND);
}

TEST(what_is_due_is_counted_up_to_the_moment_and_the_limit)
{
	struct schedule schedule = schedule_rate(1000);

	CHECK_U(schedule_count(&schedule, 0, 0, 64), 1);
	CHECK_U(schedule_count(&schedule, 1, 999999, 64), 0);
	CHECK_U(schedule_count(&schedule, 1, 1000000, 64), 1);
	CHECK_U(schedule_count(&schedule, 1, 9000000, 64), 9);
	CHECK_U(schedule_count(&schedule, 1, 9000000, 5), 5);
}

TEST(times_never_fall)
{
	for (uint32_t round = 0; round < 200; round++) {
		double rate = SCHEDULE_RATE_MIN * (1 + kit_random(1000000000));
		uint64_t ramp_ns = kit_random(1000000000);
		struct schedule schedules[] = {schedule_rate(rate), schedule_ramp(rate, ramp_ns)};
		for (uint32_t i = 0; i < 2; i++) {
			uint64_t from = kit_random(1000000000);
			uint64_t before = schedule_due_ns(&schedules[i], from);
			for (uint64_t k = from + 1; k < from + 50; k++) {
				uint64_t due_ns = schedule_due_ns(&schedules[i], k);
				CHECK(due_ns >= before);
				before = due_ns;
			}
		}
	}
}

TEST(the_first_from_a_moment_on_is_found_in_any_schedule)
{
	static uint64_t times_ns[100];

	for (uint32_t i = 1; i < 100; i++) {
		times_ns[i] = times_ns[i - 1] + kit_random(3) * 1000;
	}
	for (uint32_t round = 0; round < 3000; round++) {
		struct schedule schedules[] = {schedule_rate(1 + kit_random(1000000)),
			schedule_ramp(1 + kit_random(1000000), kit_random(2000000000)),
			schedule_times(times_ns, 100, 0.5 + kit_random(3))};
		const struct schedule *schedule = &schedules[round % 3];
		uint64_t at_ns = kit_random(round % 2 == 0 ? 10000 : 2000000000);
		uint64_t first = schedule_first(schedule, at_ns);
		CHECK(schedule_due_ns(schedule, first) >= at_ns);
		CHECK(first == 0 || schedule_due_ns(schedule, first - 1) < at_ns);
	}
}
