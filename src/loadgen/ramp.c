/* ramp.c - intervals as points, and as resperf's table. */
#include "loadgen/ramp.h"

#include "base/now.h"
#include "wire/wire.h"

static double seconds_of(uint64_t ns)
{
	return (double)ns / (double)NOW_NS_A_SECOND;
}

enum status ramp_points(struct run_result *result, double loss_max)
{
	bool is_over = false; /* an interval lost too much */

	result->point_best = result->point_above = UINT32_MAX;
	for (uint32_t i = 0; i < result->interval_count; i++) {
		const struct interval *interval = &result->intervals[i];
		double seconds = seconds_of(interval->length_ns);
		struct run_point point = {.offered = (double)interval->due / seconds,
			.rate = (double)interval->answered / seconds,
			.length_ns = interval->length_ns,
			.due = interval->due,
			.sent = interval->sent,
			.answered = interval->answered,
			.lost = interval->lost,
			.latency_p50_ns = interval->latency_p50_ns,
			.latency_p99_ns = interval->latency_p99_ns,
			.latency_p99_9_ns = interval->latency_max_ns};
		is_over |= (double)interval->lost > loss_max * (double)interval->sent;
		/* A rest at the end is too short to tell of a rate. */
		bool is_rest = interval->length_ns < result->intervals[0].length_ns / 2;
		if (!is_over && !is_rest &&
			(result->point_best == UINT32_MAX ||
				point.rate > result->points[result->point_best].rate)) {
			result->point_best = i;
		}
		if (run_result_add_point(result, &point) != STATUS_OK) {
			return STATUS_MEMORY;
		}
	}
	if (result->point_best == UINT32_MAX) {
		result->point_best = result->point_count;
	}
	result->point_above = result->point_count;
	return STATUS_OK;
}

bool ramp_plot(FILE *out, const struct schedule *schedule, const struct run_result *result)
{
	fprintf(out, "# time target_qps actual_qps responses_per_sec failures_per_sec avg_latency "
		     "connections conn_avg_latency\n");
	for (uint32_t i = 0; i < result->interval_count; i++) {
		const struct interval *interval = &result->intervals[i];
		double seconds = seconds_of(interval->length_ns);
		uint64_t middle_ns = interval->start_ns + interval->length_ns / 2;
		uint64_t failures = interval->answered - interval->rcodes[RCODE_NOERROR] -
				    interval->rcodes[RCODE_NXDOMAIN];
		fprintf(out, "%7.3f %8.2f %8.2f %8.2f %8.2f %8.6f %8.2f %8.6f\n",
			seconds_of(middle_ns), schedule_rate_at(schedule, middle_ns),
			(double)interval->sent / seconds, (double)interval->answered / seconds,
			(double)failures / seconds, seconds_of(interval->answered_mean_ns), 0.0,
			0.0);
	}
	return fflush(out) == 0 && ferror(out) == 0;
}
