/* report.h - what a load test found, for people and for programs.
 *
 * The first line for people says whether the tool was the bottleneck: then the figures below are the tool's, not
 * the server's. Latencies of a closed loop are of timely answers alone; in an open loop a lost query counts with the
 * time-out. Where there are none, none are printed.
 *
 * thread  any, one at a time
 */
#ifndef SAKER_LOADGEN_REPORT_H
#define SAKER_LOADGEN_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/check.h"
#include "loadgen/run.h"

#define REPORT_VERDICT_MAX 512u /* octets of a verdict with its zero */

struct json_t;

/* report_text - some ten lines, and one for each trial. */
void report_text(FILE *out, const struct run_config *config, const struct run_result *result);

/* report_text_verdict - whether the tool was the bottleneck, in one sentence or two, into text[REPORT_VERDICT_MAX]. */
void report_text_verdict(const struct run_result *result, char *text);

/* report_text_rcode - the name of an RCODE below TALLY_RCODES. */
const char *report_text_rcode(uint32_t rcode);

/* report_json - one object on one line, with every figure and the whole histograms.
 *
 * errors  false: no memory, or it could not be written
 */
MUST_USE bool report_json(
	FILE *out, const struct run_config *config, const struct run_result *result);

/* report_json_make - the same as an object of jansson's, which the caller releases; NULL: no memory. */
struct json_t *report_json_make(const struct run_config *config, const struct run_result *result);

/* report_json_write - an object on one line; it is released. NULL: there was no memory for it. errors: as report_json() */
MUST_USE bool report_json_write(FILE *out, struct json_t *object);

/* report_html - a page that shows it all, and needs nothing but itself.
 *
 * errors  as report_json()
 */
MUST_USE bool report_html(
	FILE *out, const struct run_config *config, const struct run_result *result);

#endif
