/* sweep.h - one trial at each of several rates: what is lost at which offered rate.
 *
 * thread  as run_load()
 */
#ifndef SAKER_LOADGEN_SWEEP_H
#define SAKER_LOADGEN_SWEEP_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "loadgen/run.h"

#define SWEEP_RATES_MAX 1000u /* trials; at a second each a quarter of an hour, a guess */

struct sweep_config {
	double rates[SWEEP_RATES_MAX]; /* queries a second, in the order of the trials */
	uint32_t rate_count;
	uint64_t trial_ns;
	void (*trial)(void *context, const struct run_point *point); /* after each; or NULL */
	void *context;                                               /* borrows: the caller's */
};

/* sweep_run - makes the trials; out->points are the rates tried. Ctrl-C ends it early.
 *
 * errors  as run_load(); run_result_fini() undoes either
 */
MUST_USE enum status sweep_run(
	const struct run_config *base, const struct sweep_config *config, struct run_result *out);

#endif
