/* ramp.h - a rising rate, as resperf(1) makes it: where do the answers no longer follow the queries?
 *
 * It ends when all was sent, when too many queries are unanswered (RUN_CROWDED), or when the tool falls
 * behind its schedule (RUN_BEHIND): resperf's three reasons.
 */
#ifndef SAKER_LOADGEN_RAMP_H
#define SAKER_LOADGEN_RAMP_H

#include <stdbool.h>
#include <stdio.h>

#include "base/check.h"
#include "base/status.h"
#include "loadgen/run.h"

/* ramp_points - makes a point of each interval, and finds the highest rate of answers before one loses more than
 * loss_max of its queries (a part, 0 to 1).
 *
 * effect  result->point_best is that point; point_count where there is none
 * errors  STATUS_MEMORY
 */
MUST_USE enum status ramp_points(struct run_result *result, double loss_max);

/* ramp_plot - a line of figures for each interval, in resperf's format. errors: false, errno: could not be written */
MUST_USE bool ramp_plot(
	FILE *out, const struct schedule *schedule, const struct run_result *result);

#endif
