/* trial.h - one rate for a while: what a sweep and a search are made of.
 *
 * thread  as run_load()
 */
#ifndef SAKER_LOADGEN_TRIAL_H
#define SAKER_LOADGEN_TRIAL_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "loadgen/run.h"

/* trial_run - offers a rate for a time by an open loop; the rest is as in base.
 *
 * effect  what it found is added to sum (run_result_add()); the point is told, and not added yet
 * errors  as run_load()
 */
MUST_USE enum status trial_run(const struct run_config *base, double rate, uint64_t length_ns,
	struct run_result *sum, struct run_point *out);

#endif
