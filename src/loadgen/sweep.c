/* sweep.c - a loop. */
#include "loadgen/sweep.h"

#include <stddef.h>

#include "loadgen/trial.h"

enum status sweep_run(
	const struct run_config *base, const struct sweep_config *config, struct run_result *out)
{
	run_result_init(out);
	out->mode = base->mode;
	for (uint32_t i = 0; i < config->rate_count; i++) {
		struct run_point point;
		enum status status =
			trial_run(base, config->rates[i], config->trial_ns, out, &point);
		if (status == STATUS_OK) {
			status = run_result_add_point(out, &point);
		}
		if (status != STATUS_OK) {
			return status;
		}
		if (config->trial != NULL) {
			config->trial(config->context, &point);
		}
		if (out->end != RUN_DONE) {
			break;
		}
	}
	out->point_best = out->point_above = out->point_count;
	return STATUS_OK;
}
