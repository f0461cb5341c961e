/* recipe_progress.c - a line of progress. */
#include "loadgen/recipe_progress.h"

#include <stdio.h>

#include "base/check.h"
#include "base/now.h"

#define SECONDS_A_MINUTE 60u
#define MINUTES_A_HOUR   60u

/* Before so much is done, the first server's start says more about the time left than the measurements do. A guess. */
#define DONE_MIN 0.01

double recipe_progress_done(const struct recipe_progress *progress)
{
	if (progress->measurement_count == 0) {
		return 0;
	}
	double part = progress->part > 1 ? 1 : progress->part;
	double done = (progress->measured + part) / progress->measurement_count;

	return done > 1 ? 1 : done;
}

uint64_t recipe_progress_left_ns(const struct recipe_progress *progress)
{
	double done = recipe_progress_done(progress);

	return done < DONE_MIN ? UINT64_MAX
			       : (uint64_t)((double)progress->elapsed_ns * (1 / done - 1));
}

/* As `40 s`, `3 min 20 s`, `2 h 5 min`. */
static void put_time(uint64_t ns, char *text, size_t cap)
{
	uint64_t seconds = (ns + NOW_NS_A_SECOND / 2) / NOW_NS_A_SECOND;
	uint64_t minutes = seconds / SECONDS_A_MINUTE;

	if (minutes >= MINUTES_A_HOUR) {
		snprintf(text, cap, "%u h %u min", (unsigned)(minutes / MINUTES_A_HOUR),
			(unsigned)(minutes % MINUTES_A_HOUR));
	} else if (minutes > 0) {
		snprintf(text, cap, "%u min %u s", (unsigned)minutes,
			(unsigned)(seconds % SECONDS_A_MINUTE));
	} else {
		snprintf(text, cap, "%u s", (unsigned)seconds);
	}
}

const char *recipe_progress_text(
	const struct recipe_progress *progress, uint32_t columns, char *text)
{
	char left[64] = "";
	char rate[64] = "";
	uint64_t left_ns = recipe_progress_left_ns(progress);
	size_t cap = columns < RECIPE_PROGRESS_TEXT_MAX ? columns + 1u : RECIPE_PROGRESS_TEXT_MAX;

	ASSERT(columns >= 1);
	if (progress->round_count == 0) {
		snprintf(text, cap, "%.200s", progress->doing);
		return text;
	}
	if (left_ns != UINT64_MAX) {
		char time[48];
		put_time(left_ns, time, sizeof(time));
		snprintf(left, sizeof(left), ", %s left", time);
	}
	if (progress->answered_rate >= 0) {
		snprintf(rate, sizeof(rate), ", %.0f answers a second", progress->answered_rate);
	}
	snprintf(text, cap, "%3.0f %%%s, round %u of %u: %.200s%s",
		100 * recipe_progress_done(progress), left, progress->round + 1,
		progress->round_count, progress->doing, rate);
	return text;
}
