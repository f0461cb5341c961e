/* report.h - what a load test found, for people and for programs.
 *
 * The first line for people says whether the tool was the bottleneck: then the figures below are the tool's, not
 * the server's. Latencies are of timely answers alone; where there were none, none are printed.
 */
#ifndef SAKER_LOADGEN_REPORT_H
#define SAKER_LOADGEN_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/check.h"
#include "loadgen/run.h"

/* report_text - some ten lines. */
void report_text(FILE *out, const struct run_config *config, const struct run_result *result);

/* report_json - one object on one line.
 *
 * errors  false: no memory, or it could not be written
 */
MUST_USE bool report_json(
	FILE *out, const struct run_config *config, const struct run_result *result);

#endif
