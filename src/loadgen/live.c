/* live.c - lines and bars. */
#include "loadgen/live.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/addr.h"
#include "base/now.h"
#include "loadgen/flow.h"
#include "loadgen/report.h"

#define CLEAR_LINE      "\x1b[K"
#define CLEAR_BELOW     "\x1b[J"
#define HOME            "\x1b[H"
#define HEADER_ROWS     6u /* lines that are no course */
#define COURSES         3u
#define COURSE_ROWS_MAX 12u
#define FIELD_MAX       24u  /* octets of a number as text */
#define LINE_MAX_LEN    512u /* ditto of a line of text, all of it ASCII */

struct canvas {
	char *text;
	size_t cap;
	size_t len;
	uint32_t columns;
	uint32_t rows;
	uint32_t row; /* lines so far */
	bool utf8;
};

void live_init(struct live *live, const struct run_config *config)
{
	memset(live, 0, sizeof(*live));
	live->config = config;
	live->done = -1;
}

static void take_interval(
	struct live *live, const struct interval *interval, struct live_moment *moment)
{
	moment->loss = interval->sent == 0 ? 0 : (double)interval->lost / (double)interval->sent;
	moment->p50_us = (double)interval->latency_p50_ns / 1e3;
	moment->p99_us = (double)interval->latency_p99_ns / 1e3;
	moment->max_us = (double)interval->latency_max_ns / 1e3;
	live->lateness_max_ns = interval->lateness_max_ns;
	for (uint32_t i = 0; i < TALLY_RCODES; i++) {
		live->rcodes[i] += interval->rcodes[i];
	}
}

void live_add(struct live *live, const struct run_progress *progress)
{
	struct live_moment *moment = &live->moments[live->count++ % LIVE_MOMENTS];

	*moment = (struct live_moment){.sent_rate = progress->sent_rate,
		.answered_rate = progress->answered_rate,
		.offered_rate = progress->offered_rate,
		.loss = -1};
	for (uint32_t i = 0; i < progress->interval_count; i++) {
		take_interval(live, &progress->intervals[i], moment);
	}
	live->elapsed_ns = progress->elapsed_ns;
	live->sent = progress->sent;
	live->answered = progress->answered;
	live->lost = progress->lost;
	live->done = progress->done;
}

static void put(struct canvas *canvas, const char *text, size_t len)
{
	if (len <= canvas->cap - canvas->len) {
		memcpy(canvas->text + canvas->len, text, len);
		canvas->len += len;
	}
}

static void put_text(struct canvas *canvas, const char *text)
{
	put(canvas, text, strlen(text));
}

/* The end of a line; the screen must not scroll, so the last has none. */
static void end_line(struct canvas *canvas)
{
	put_text(canvas, CLEAR_LINE);
	canvas->row++;
	if (canvas->row < canvas->rows) {
		put_text(canvas, "\r\n");
	}
}

/* A line of ASCII, cut to the screen; nothing where the screen is full. */
PRINTF(2, 3) static void put_line(struct canvas *canvas, const char *format, ...)
{
	char line[LINE_MAX_LEN];
	va_list args;

	if (canvas->row == canvas->rows) {
		return;
	}
	va_start(args, format);
	int len = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	size_t shown = len < 0                          ? 0
		       : (size_t)len < sizeof(line) - 1 ? (size_t)len
							: sizeof(line) - 1;
	put(canvas, line, shown < canvas->columns ? shown : canvas->columns);
	end_line(canvas);
}

/* 12345678 -> 12.3 M; to[FIELD_MAX], returns to. */
static const char *short_number(double value, char *to)
{
	static const struct {
		double unit;
		const char *text;
	} units[] = {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {0, ""}};
	size_t i = 0;

	while (value < units[i].unit) {
		i++;
	}
	snprintf(to, FIELD_MAX, "%.3g%s", units[i].unit == 0 ? value : value / units[i].unit,
		units[i].text);
	return to;
}

static const char *duration(double us, char *to)
{
	if (us >= 1e6) {
		snprintf(to, FIELD_MAX, "%.3g s", us / 1e6);
	} else if (us >= 1e3) {
		snprintf(to, FIELD_MAX, "%.3g ms", us / 1e3);
	} else {
		snprintf(to, FIELD_MAX, "%.3g us", us);
	}
	return to;
}

/* The newest moment that knows latencies and loss; NULL: none does yet. */
static const struct live_moment *last_whole(const struct live *live)
{
	for (uint64_t back = 1; back <= live->count && back <= LIVE_MOMENTS; back++) {
		const struct live_moment *moment =
			&live->moments[(live->count - back) % LIVE_MOMENTS];
		if (moment->loss >= 0) {
			return moment;
		}
	}
	return NULL;
}

static double rate_of(const struct live_moment *moment)
{
	return moment->answered_rate;
}

static double p99_of(const struct live_moment *moment)
{
	return moment->p99_us;
}

static double loss_of(const struct live_moment *moment)
{
	return moment->loss;
}

/* A bar's part of one row, in eighths. */
static const char *bar(uint32_t eighths, bool utf8)
{
	static const char *const blocks[] = {" ", "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
		"\xe2\x96\x84", "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88"};
	static const char *const ascii[] = {" ", ".", ".", ":", ":", ":", "|", "|", "#"};

	return utf8 ? blocks[eighths] : ascii[eighths];
}

struct course {
	double (*value)(const struct live_moment *moment);
	double top; /* of what is shown; 0: nothing is above 0 */
};

static double top_of(const struct live *live, const struct canvas *canvas,
	double (*value)(const struct live_moment *moment))
{
	double top = 0;

	for (uint64_t back = 1;
		back <= live->count && back <= LIVE_MOMENTS && back <= canvas->columns; back++) {
		top = fmax(top, value(&live->moments[(live->count - back) % LIVE_MOMENTS]));
	}
	return top;
}

/* Bars from the bottom; each is at least an eighth high where its value is not 0. */
static void put_bars(struct canvas *canvas, const struct live *live, const struct course *course,
	uint32_t height)
{
	uint32_t width = canvas->columns < LIVE_MOMENTS ? canvas->columns : LIVE_MOMENTS;

	for (uint32_t row = height; row-- > 0 && canvas->row < canvas->rows;) {
		for (uint32_t column = 0; column < width; column++) {
			uint64_t back = width - column;
			double value = back > live->count
					       ? 0
					       : course->value(&live->moments[(live->count - back) %
									      LIVE_MOMENTS]);
			double filled = course->top <= 0 || value <= 0
						? 0
						: fmax(value / course->top * height * 8, 1);
			double here = fmin(fmax(filled - row * 8.0, 0), 8);
			put_text(canvas, bar((uint32_t)lround(here), canvas->utf8));
		}
		end_line(canvas);
	}
}

static void put_header(struct canvas *canvas, const struct live *live)
{
	const struct run_config *config = live->config;
	char server[ADDR_TEXT_MAX], part[LINE_MAX_LEN] = "";
	double elapsed_s = (double)live->elapsed_ns / (double)NOW_NS_A_SECOND;

	if (live->done > 0) {
		snprintf(part, sizeof(part), ", %.0f %%, %.0f s left", 100 * live->done,
			elapsed_s * (1 / live->done - 1));
	}
	put_line(canvas, "saker bench %s: %s over %s, %.0f s%s", run_mode_text(config->mode),
		addr_to_text(&config->server, server), config->kind->name, elapsed_s, part);
}

static void put_rcodes(struct canvas *canvas, const struct live *live)
{
	char line[LINE_MAX_LEN] = "";
	uint64_t all = 0;
	size_t used = 0;

	for (uint32_t i = 0; i < TALLY_RCODES; i++) {
		all += live->rcodes[i];
	}
	for (uint32_t i = 0; i < TALLY_RCODES && used < sizeof(line) / 2; i++) {
		if (live->rcodes[i] != 0) {
			used += (size_t)snprintf(line + used, sizeof(line) - used, "  %s %.2f %%",
				report_text_rcode(i),
				100.0 * (double)live->rcodes[i] / (double)all);
		}
	}
	put_line(canvas, "rcodes  %s", line);
}

static void put_figures(struct canvas *canvas, const struct live *live)
{
	static const struct live_moment nothing;
	const struct live_moment *now =
		live->count == 0 ? &nothing : &live->moments[(live->count - 1) % LIVE_MOMENTS];
	bool is_open = now->offered_rate > 0;
	char a[FIELD_MAX], b[FIELD_MAX], c[FIELD_MAX];

	put_line(canvas, "%-9s %8s a second   answered %8s a second   lost %" PRIu64 " of %" PRIu64,
		is_open ? "offered" : "sent",
		short_number(is_open ? now->offered_rate : now->sent_rate, a),
		short_number(now->answered_rate, b), live->lost, live->sent);
	put_rcodes(canvas, live);
	if (is_open) {
		put_line(canvas, "the tool  late by %s at most in the last second",
			duration((double)live->lateness_max_ns / 1e3, c));
	} else {
		put_line(canvas, "in flight %u", live->config->in_flight);
	}
}

static void put_courses(struct canvas *canvas, const struct live *live)
{
	const struct live_moment *whole = last_whole(live);
	uint32_t fixed = HEADER_ROWS + COURSES;
	uint32_t height = canvas->rows <= fixed + COURSES ? 1 : (canvas->rows - fixed) / COURSES;
	struct course rate = {.value = rate_of, .top = top_of(live, canvas, rate_of)};
	struct course latency = {.value = p99_of, .top = top_of(live, canvas, p99_of)};
	struct course loss = {.value = loss_of, .top = top_of(live, canvas, loss_of)};
	char a[FIELD_MAX], b[FIELD_MAX], c[FIELD_MAX], d[FIELD_MAX];

	height = height > COURSE_ROWS_MAX ? COURSE_ROWS_MAX : height;
	put_line(canvas, "answers a second, up to %s", short_number(rate.top, a));
	put_bars(canvas, live, &rate, height);
	if (whole == NULL) {
		put_line(canvas, "latency: not known yet");
	} else {
		put_line(canvas, "latency: p50 %s, p99 %s, slowest %s; bars: p99, up to %s",
			duration(whole->p50_us, a), duration(whole->p99_us, b),
			duration(whole->max_us, c), duration(latency.top, d));
	}
	put_bars(canvas, live, &latency, height);
	put_line(canvas, "lost, up to %.3g %%", 100 * loss.top);
	put_bars(canvas, live, &loss, height);
}

size_t live_draw(
	const struct live *live, uint32_t columns, uint32_t rows, bool utf8, char *text, size_t cap)
{
	struct canvas canvas = {
		.text = text, .cap = cap, .columns = columns, .rows = rows, .utf8 = utf8};

	put_text(&canvas, HOME);
	put_header(&canvas, live);
	put_line(&canvas, "%s", "");
	put_figures(&canvas, live);
	put_line(&canvas, "%s", "");
	put_courses(&canvas, live);
	put_text(&canvas, CLEAR_BELOW);
	return canvas.len;
}
