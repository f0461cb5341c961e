/* live.h - a screen that shows a load test while it runs: figures above, three courses over time below.
 *
 * It makes text and knows no terminal: os/terminal.h shows it. Each column of a course is one report of progress, the
 * newest on the right.
 *
 * thread  one owner
 */
#ifndef SAKER_LOADGEN_LIVE_H
#define SAKER_LOADGEN_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "loadgen/run.h"

#define LIVE_MOMENTS 400u /* reports of progress that are kept: as many as a screen is wide */

struct live_moment {
	double sent_rate;
	double answered_rate;
	double offered_rate; /* 0: there is none */
	double loss;         /* of the last whole interval, 0 to 1; negative: not known yet */
	double p50_us;       /* ditto; 0: none */
	double p99_us;
	double max_us;
};

struct live {
	const struct run_config *config; /* borrows: the caller's */
	struct live_moment moments[LIVE_MOMENTS];
	uint64_t count; /* of all reports of progress; moment n is at n % LIVE_MOMENTS */
	uint64_t elapsed_ns;
	uint64_t sent;
	uint64_t answered;
	uint64_t lost;
	uint64_t lateness_max_ns;      /* of the last whole interval */
	uint64_t rcodes[TALLY_RCODES]; /* of whole intervals */
	double done;                   /* negative: unknown */
};

/* live_init - nothing to show yet. */
void live_init(struct live *live, const struct run_config *config);

/* live_add - takes a report of progress. */
void live_add(struct live *live, const struct run_progress *progress);

/* live_draw - a whole screen of text, for a terminal of this size.
 *
 * shape   columns, rows: 1 at least; utf8: bars in eighths, else in characters of ASCII
 *         text: cap octets; LIVE_TEXT_MAX are enough for TERMINAL_COLUMNS_MAX and TERMINAL_ROWS_MAX
 * effect  begins at the upper left and leaves nothing of what was there; returns the length; lines are cut, not wrapped
 */
#define LIVE_TEXT_MAX                                                                              \
	(200u * (400u * 4u + 16u)) /* rows of columns of up to four octets, and sequences */
size_t live_draw(const struct live *live, uint32_t columns, uint32_t rows, bool utf8, char *text,
	size_t cap);

#endif
