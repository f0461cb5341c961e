/* test_overload.c - the receive buffer on made-up time and made-up readings. */
#include "server/overload.h"

#include "kit/kit.h"

#define MS    1000000u
#define LARGE 8000000u

static struct overload overload;
static uint64_t now_ns;

static void start(void)
{
	now_ns = 1000 * (uint64_t)MS;
	overload_init(&overload, LARGE);
}

/* A reading every 10 ms for so long; returns the last change that was none of OVERLOAD_SAME. */
static enum overload_change run(uint32_t ms, uint64_t age_ns, uint32_t queued_len, uint32_t dropped)
{
	enum overload_change last = OVERLOAD_SAME;

	for (uint32_t at = 0; at < ms; at += 10) {
		now_ns += 10 * MS;
		struct overload_reading reading = {.now_ns = now_ns,
			.age_ns = age_ns,
			.queued_len = queued_len,
			.dropped = dropped,
			.empty = age_ns == 0};
		enum overload_change change = overload_step(&overload, &reading);
		last = change != OVERLOAD_SAME ? change : last;
	}
	return last;
}

/* Until it is on: a queue of LARGE octets that takes 20 ms. */
static enum overload_change flood(void)
{
	return run(200, 20 * MS, LARGE, 100);
}

TEST(a_young_queue_keeps_the_large_buffer)
{
	start();
	CHECK_U(run(1000, OVERLOAD_AGE_NS, LARGE, 0), OVERLOAD_SAME);
	CHECK(!overload.on);
	CHECK_U(overload.len, LARGE);
}

TEST(a_queue_that_is_old_for_100_ms_begins_an_overload_and_not_sooner)
{
	start();
	CHECK_U(run(100, OVERLOAD_AGE_NS + 1, LARGE, 5), OVERLOAD_SAME);
	CHECK(!overload.on);
	CHECK_U(run(10, OVERLOAD_AGE_NS + 1, LARGE, 5), OVERLOAD_BEGINS);
	CHECK(overload.on);
}

TEST(one_young_reading_makes_it_a_burst)
{
	start();
	for (uint32_t i = 0; i < 20; i++) {
		CHECK_U(run(90, 50 * MS, LARGE, 5), OVERLOAD_SAME);
		CHECK_U(run(10, OVERLOAD_AGE_NS, LARGE, 0), OVERLOAD_SAME);
	}
	CHECK(!overload.on);
}

TEST(old_readings_with_a_hole_between_them_are_no_row)
{
	start();
	for (uint32_t i = 0; i < 20; i++) {
		CHECK_U(run(20, 50 * MS, LARGE, 0), OVERLOAD_SAME);
		now_ns += OVERLOAD_STANDS_NS;
	}
	CHECK(!overload.on);
}

TEST(the_small_buffer_holds_what_is_served_in_5_ms)
{
	start();
	CHECK_U(flood(), OVERLOAD_BEGINS);
	CHECK_U(overload.len, LARGE / 5); /* 20 ms fill it, so 4 ms fill a fifth */
	run(1000, 4 * MS, LARGE / 5, 100);
	CHECK_U(overload.len, LARGE / 5);
}

TEST(the_small_buffer_follows_the_service)
{
	start();
	flood();
	run(1000, 8 * MS, LARGE / 5, 100); /* half as fast now */
	CHECK(overload.len >= LARGE / 10 && overload.len <= LARGE / 10 * 9 / 8);
	run(1000, 2 * MS, LARGE / 5, 100); /* faster than ever */
	CHECK(overload.len >= LARGE / 5 * 2 * 7 / 8 && overload.len <= LARGE / 5 * 2);
}

TEST(an_age_too_short_to_divide_by_changes_nothing)
{
	start();
	flood();
	run(400, MS / 2, LARGE, 100);
	CHECK(overload.on);
	CHECK_U(overload.len, LARGE / 5);
}

TEST(a_queue_that_runs_empty_ends_it_whatever_is_dropped)
{
	start();
	flood();
	for (uint32_t i = 0; i < 100; i++) { /* now and then it may */
		CHECK_U(run(150, 4 * MS, LARGE / 5, 100), OVERLOAD_SAME);
		CHECK_U(run(10, 0, 0, 100), OVERLOAD_SAME);
	}
	CHECK(overload.on);
	CHECK_U(run(100, 0, 0, 100), OVERLOAD_ENDS);
	CHECK_U(overload.len, LARGE);
}

TEST(the_buffer_stays_within_its_bounds)
{
	start();
	run(200, 4000ull * MS, LARGE, 1); /* hardly anything is served */
	CHECK(overload.on);
	CHECK_U(overload.len, OVERLOAD_LEN_MIN);
	run(1000, MS, UINT32_MAX, 1);
	CHECK_U(overload.len, LARGE);
	overload_init(&overload, 4096); /* what the kernel gave is less than the least */
	run(200, 4000ull * MS, 4096, 1);
	CHECK(overload.on);
	CHECK_U(overload.len, 4096);
	overload_init(&overload, 0);
	run(200, 20 * MS, 0, 0);
	CHECK_U(overload.len, 0);
}

TEST(it_ends_500_ms_after_the_last_drop)
{
	start();
	flood();
	CHECK_U(run(490, 2 * MS, LARGE / 8, 0), OVERLOAD_SAME);
	CHECK_U(run(10, 2 * MS, LARGE / 8, 1), OVERLOAD_SAME);
	CHECK_U(run(490, 2 * MS, LARGE / 8, 0), OVERLOAD_SAME);
	CHECK(overload.on);
	CHECK_U(run(10, 2 * MS, LARGE / 8, 0), OVERLOAD_ENDS);
	CHECK(!overload.on);
	CHECK_U(overload.len, LARGE);
}

TEST(an_old_queue_without_drops_does_not_end_it)
{
	start();
	flood();
	CHECK_U(run(3000, OVERLOAD_AGE_NS + 1, LARGE / 5, 0), OVERLOAD_SAME);
	CHECK(overload.on);
}

TEST(drops_are_counted_from_the_beginning)
{
	start();
	flood(); /* on at the 11th of 20 readings, whose drops count */
	CHECK_U(overload.dropped, 1000);
}

TEST(a_load_that_comes_and_goes_is_told_of_in_pairs_and_seldom)
{
	uint32_t begins = 0, ends = 0;
	uint64_t from_ns;

	start();
	from_ns = now_ns;
	for (uint32_t i = 0; i < 100; i++) {
		bool began = flood() == OVERLOAD_BEGINS;
		bool ended = run(600, 0, 0, 0) == OVERLOAD_ENDS;
		CHECK(began == ended);
		begins += began ? 1 : 0;
		ends += ended ? 1 : 0;
	}
	CHECK(begins > 1);
	CHECK(begins <= 1 + (now_ns - from_ns) / OVERLOAD_TELL_NS);
	CHECK_U(begins, ends);
}

TEST(the_log_learns_how_many_overloads_it_did_not_hear_of)
{
	start();
	CHECK_U(flood(), OVERLOAD_BEGINS);
	run(600, 0, 0, 0);
	CHECK_U(flood(), OVERLOAD_SAME);
	run(600, 0, 0, 0);
	now_ns += OVERLOAD_TELL_NS;
	CHECK_U(flood(), OVERLOAD_BEGINS);
	CHECK_U(overload.untold, 1);
}

TEST(readings_are_due_ten_times_a_second_and_more_often_while_it_matters)
{
	start();
	run(10, 0, 0, 0);
	CHECK(!overload_is_due(&overload, now_ns, true));
	CHECK(!overload_is_due(&overload, now_ns + OVERLOAD_READ_NS - 1, false));
	CHECK(overload_is_due(&overload, now_ns + OVERLOAD_READ_NS, false));
	CHECK(overload_is_due(&overload, now_ns + OVERLOAD_READ_BUSY_NS, true));
	flood();
	CHECK(overload_is_due(&overload, now_ns + OVERLOAD_READ_BUSY_NS, false));
}
