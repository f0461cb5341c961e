/* trial.c - a run as a point. */
#include "loadgen/trial.h"

#include <stdlib.h>

#include "base/now.h"

static struct run_point make_point(const struct run_result *result, double rate, uint64_t length_ns)
{
	const struct tally *tally = &result->tally;

	return (struct run_point){.offered = rate,
		.rate = (double)tally->answered * (double)NOW_NS_A_SECOND / (double)length_ns,
		.length_ns = length_ns,
		.due = result->due,
		.sent = tally->sent,
		.answered = tally->answered,
		.lost = tally->lost,
		.latency_p50_ns = histogram_percentile(&result->latency_ns, 500),
		.latency_p99_ns = histogram_percentile(&result->latency_ns, 990),
		.latency_p99_9_ns = histogram_percentile(&result->latency_ns, 999),
		.is_tool_bound = run_is_tool_bound(result)};
}

enum status trial_run(const struct run_config *base, double rate, uint64_t length_ns,
	struct run_result *sum, struct run_point *out)
{
	struct run_config config = *base;
	struct run_result *result = malloc(sizeof(*result));

	if (result == NULL) {
		return STATUS_MEMORY;
	}
	config.schedule = schedule_rate(rate);
	config.repeats = 0;
	config.length_ns = length_ns;
	/* The first trial tells whether there is a server; later ones may drown it. */
	config.patience_ns = sum->tally.heard == 0 ? base->patience_ns : 0;
	enum status status = run_load(&config, result);
	if (status == STATUS_OK) {
		*out = make_point(result, rate, length_ns);
		status = run_result_add(sum, result);
	}
	run_result_fini(result);
	free(result);
	return status;
}
