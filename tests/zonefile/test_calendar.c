/* test_calendar.c - times of RRSIG records against the C library's calendar, and durations. */
#include "zonefile/calendar.h"

#include <string.h>
#include <time.h>

#include "kit/kit.h"
#include "zonefile/duration.h"

static bool read_time(const char *text, uint32_t *out)
{
	uint32_t len = (uint32_t)strlen(text);

	return calendar_from_text(kit_guarded(text, len), len, out);
}

static bool read_duration(const char *text, uint32_t *out)
{
	uint32_t len = (uint32_t)strlen(text);

	return duration_from_text(kit_guarded(text, len), len, out);
}

TEST(agrees_with_the_c_library)
{
	for (uint32_t round = 0; round < 200000; round++) {
		uint32_t seconds =
			kit_random(4) == 0 ? kit_random(86400) * 86400u : kit_random(UINT32_MAX);
		time_t time = seconds;
		struct tm parts;
		char want[32], got[CALENDAR_TEXT_LEN + 1];
		uint32_t again;

		CHECK(gmtime_r(&time, &parts) != NULL);
		strftime(want, sizeof(want), "%Y%m%d%H%M%S", &parts);
		calendar_to_text(seconds, got);
		got[CALENDAR_TEXT_LEN] = '\0';
		CHECK_S(got, want);
		CHECK(read_time(want, &again));
		CHECK_U(again, seconds);
	}
}

TEST(times_are_read_within_their_limits)
{
	static const struct {
		const char *text;
		uint32_t time;
	} good[] = {{"0", 0}, {"4294967295", UINT32_MAX}, {"19700101000000", 0},
		{"20000229235959", 951868799}, {"21060207062815", UINT32_MAX},
		{"21060207062816", 0}, {"99991231235959", 253402300799u % 4294967296u}};
	static const char *const bad[] = {"", "4294967296", "12345678901", "19691231235959",
		"20230229000000", "21000229000000", "20230001000000", "20231301000000",
		"20230100000000", "20230132000000", "20230101240000", "20230101006000",
		"20230101000060", "2023010100000", "202301010000000", "2023010100000x", "-1"};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		uint32_t time;
		KIT_NOTE(good[i].text);
		CHECK(read_time(good[i].text, &time));
		CHECK_U(time, good[i].time);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint32_t time = 4711;
		KIT_NOTE(bad[i]);
		CHECK(!read_time(bad[i], &time));
		CHECK_U(time, 4711);
	}
}

TEST(durations_add_their_units_up)
{
	static const struct {
		const char *text;
		uint32_t seconds;
	} good[] = {{"0", 0}, {"4294967295", UINT32_MAX}, {"1w2d3h4m5s", 788645},
		{"1S1M1H1D1W", 694861}, {"0w", 0}, {"7101w", 4294684800u}, {"0000000000001s", 1}};
	static const char *const bad[] = {"", "s", "1x", "1h30", "-1", "1hh", "h1", "4294967296",
		"7102w", "4294967295s1s", "1 h", "99999999999999999999999s"};

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		uint32_t seconds;
		KIT_NOTE(good[i].text);
		CHECK(read_duration(good[i].text, &seconds));
		CHECK_U(seconds, good[i].seconds);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		uint32_t seconds = 4711;
		KIT_NOTE(bad[i]);
		CHECK(!read_duration(bad[i], &seconds));
		CHECK_U(seconds, 4711);
	}
}
