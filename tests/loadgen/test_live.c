/* test_live.c - a screen of any size holds what it shows, and nothing scrolls. */
#include "loadgen/live.h"

#include <string.h>

#include "base/now.h"
#include "kit/kit.h"
#include "loadgen/flow_udp.h"

#define ROWS_MAX 200u

static struct live live;
static char text[LIVE_TEXT_MAX];
static const struct run_config config = {
	.mode = RUN_RATE, .kind = &flow_udp, .in_flight = 100, .server = {.family = ADDR_V4}};

static void add(double answered_rate, uint64_t lost, uint64_t p99_ns)
{
	struct interval interval = {.sent = 1000,
		.answered = 1000 - lost,
		.lost = lost,
		.latency_p50_ns = p99_ns / 2,
		.latency_p99_ns = p99_ns,
		.latency_max_ns = 2 * p99_ns,
		.rcodes = {[0] = 900, [3] = 100 - lost}};
	struct run_progress progress = {.elapsed_ns = (live.count + 1) * NOW_NS_A_SECOND,
		.sent = 1000 * live.count,
		.answered_rate = answered_rate,
		.offered_rate = 1000,
		.done = 0.25,
		.intervals = &interval,
		.interval_count = 1};

	live_add(&live, &progress);
}

/* A terminal, as far as is needed: counts what stands in each line. */
struct screen {
	uint32_t rows;
	uint32_t widths[ROWS_MAX];
};

static void look(const char *at, size_t len, struct screen *screen)
{
	const char *end = at + len;

	memset(screen, 0, sizeof(*screen));
	screen->rows = 1;
	while (at < end) {
		if (*at == '\x1b') {
			CHECK(at + 2 < end && at[1] == '[' && strchr("HKJ", at[2]) != NULL);
			at += 3;
		} else if (*at == '\r') {
			CHECK(at + 1 < end && at[1] == '\n');
			at += 2;
			screen->rows++;
			CHECK(screen->rows <= ROWS_MAX);
		} else {
			CHECK((unsigned char)*at >= ' ');
			/* Continuation octets of UTF-8 have no width. */
			screen->widths[screen->rows - 1] += ((unsigned char)*at & 0xc0) != 0x80;
			at++;
		}
	}
}

TEST(nothing_is_wider_or_higher_than_the_screen)
{
	struct screen screen;

	for (uint32_t round = 0; round < 300; round++) {
		uint32_t columns = 1 + kit_random(round % 3 == 0 ? 400 : 100);
		uint32_t rows = 1 + kit_random(round % 3 == 0 ? ROWS_MAX : 40);
		bool utf8 = kit_random(2) == 0;

		live_init(&live, &config);
		for (uint32_t i = kit_random(900); i > 0; i--) {
			add(kit_random(1u << kit_random(31)), kit_random(100),
				1u + kit_random(1u << kit_random(31)));
		}
		size_t len = live_draw(&live, columns, rows, utf8, text, sizeof(text));
		CHECK(len < sizeof(text));
		look(text, len, &screen);
		CHECK(screen.rows <= rows);
		for (uint32_t i = 0; i < screen.rows; i++) {
			CHECK(screen.widths[i] <= columns);
		}
		CHECK(utf8 || memchr(text, 0xe2, len) == NULL);
	}
}

static uint32_t count_of(const char *part)
{
	uint32_t count = 0;

	for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
		count++;
	}
	return count;
}

TEST(bars_are_as_high_as_their_values)
{
	live_init(&live, &config);
	add(1000, 0, 1000000);
	add(500, 0, 1000000);
	add(0, 0, 1000000);
	size_t len = live_draw(&live, 20, 9 + 3 * 4, true, text, sizeof(text));
	text[len] = '\0';
	/* Four rows: a whole bar of rate and one of half, and three whole bars of latency. */
	CHECK_U(count_of("\xe2\x96\x88"), 4 + 2 + 3 * 4);
	CHECK_U(count_of("answers a second, up"), 1);

	live_init(&live, &config);
	add(1000, 0, 0);
	add(1, 0, 0);
	len = live_draw(&live, 20, 9 + 3 * 4, true, text, sizeof(text));
	text[len] = '\0';
	CHECK_U(count_of("\xe2\x96\x81"), 1); /* what is not 0 is seen */
}

TEST(figures_are_those_of_the_last_report)
{
	live_init(&live, &config);
	add(1000, 0, 1000000);
	add(12345678, 50, 2500000);
	size_t len = live_draw(&live, 100, 24, false, text, sizeof(text));
	text[len] = '\0';
	CHECK(strstr(text, "saker bench rate: 0.0.0.0:0 over UDP, 2 s, 25 %, 6 s left") != NULL);
	CHECK(strstr(text, "offered        1 k a second   answered   12.3 M a second") != NULL);
	CHECK(strstr(text, "p50 1.25 ms, p99 2.5 ms, slowest 5 ms") != NULL);
	CHECK(strstr(text, "NOERROR 92.31 %  NXDOMAIN 7.69 %") != NULL);
	CHECK(strstr(text, "lost, up to 5 %") != NULL);
}
