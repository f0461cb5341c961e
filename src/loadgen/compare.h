/* compare.h - reports of --json beside each other: what differs, and what is noise.
 *
 * The first is what the others are compared with. Each may be several reports of the same thing. Runs, rates and replays are compared interval by interval
 * (bootstrap.h); searches by the rates that held and failed, which bound the truth already.
 *
 * thread  any, one at a time
 */
#ifndef SAKER_LOADGEN_COMPARE_H
#define SAKER_LOADGEN_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "loadgen/bootstrap.h"

#define COMPARE_SIDES_MAX 26u /* a letter each */
#define COMPARE_RUNS_MAX  32u /* reports of one side; a guess */

enum compare_figure {
	COMPARE_RATE,
	COMPARE_LOSS,
	COMPARE_MEAN,
	COMPARE_P50,
	COMPARE_P99,
	COMPARE_FIGURES
};

struct compare_side {
	const char *paths; /* borrows: the caller's; commas between them */
	char mode[16];
	char server[64];
	char transport[8];
	bool is_tool_bound;
	bool is_search;
	uint64_t in_flight, sockets, threads, queries; /* of its settings */
	uint32_t run_count;
	uint32_t count;                                /* whole intervals, of all runs */
	struct bootstrap_part *parts[COMPARE_FIGURES]; /* owns: count of each */
	struct bootstrap_run runs[COMPARE_FIGURES][COMPARE_RUNS_MAX]; /* into parts */
	double held;      /* of a search: the highest rate that held; 0: none */
	double failed;    /* of a search: the lowest that failed; 0: none */
	double server_us; /* the server's processor time an answer; negative: not told */
};

/* compare_read - reads a report, or several with commas between their paths.
 *
 * errors  STATUS_REFUSED  a complaint went to the sink: unreadable, no JSON, no report, a sweep or a ramp, reports of
 *                         different modes, too many
 *         STATUS_MEMORY; nothing is left to be undone after either
 */
MUST_USE enum status compare_read(
	const char *paths, const struct diag_sink *sink, struct compare_side *out);
void compare_fini(struct compare_side *side);

/* compare_text, compare_json - tell how each differs from the first; count 2..COMPARE_SIDES_MAX, all searches or none.
 *
 * errors  STATUS_MEMORY; STATUS_IO: could not be written
 */
MUST_USE enum status compare_text(FILE *out, const struct compare_side *sides, uint32_t count);
MUST_USE enum status compare_json(FILE *out, const struct compare_side *sides, uint32_t count);

#endif
