/* run_result.c - results of one run, and the sum of several. */
#include <stdlib.h>
#include <string.h>

#include "loadgen/run.h"

void run_result_init(struct run_result *result)
{
	memset(result, 0, sizeof(*result));
	tally_init(&result->tally);
	histogram_init(&result->latency_ns);
	histogram_init(&result->lateness_ns);
}

void run_result_fini(struct run_result *result)
{
	free(result->intervals);
	free(result->points);
	free(result->check.found);
	result->intervals = NULL;
	result->points = NULL;
	result->check.found = NULL;
}

static void add_host(struct run_host *sum, const struct run_host *trial)
{
	sum->tool_dropped += trial->tool_dropped;
	sum->machine_dropped += trial->machine_dropped;
	sum->is_local = trial->is_local;
	sum->server_processes = trial->server_processes;
	sum->server_cpu_ns += trial->server_cpu_ns;
	sum->server_dropped += trial->server_dropped;
}

static enum status add_intervals(struct run_result *sum, const struct run_result *trial)
{
	uint32_t count = sum->interval_count + trial->interval_count;

	if (trial->interval_count == 0) {
		return STATUS_OK;
	}
	struct interval *grown = realloc(sum->intervals, count * sizeof(*grown));
	if (grown == NULL) {
		return STATUS_MEMORY;
	}
	uint64_t end_ns = sum->interval_count == 0
				  ? 0
				  : grown[sum->interval_count - 1].start_ns +
					    grown[sum->interval_count - 1].length_ns;
	for (uint32_t i = 0; i < trial->interval_count; i++) {
		struct interval *to = &grown[sum->interval_count + i];
		*to = trial->intervals[i];
		to->start_ns += end_ns;
	}
	sum->intervals = grown;
	sum->interval_count = count;
	return STATUS_OK;
}

static int by_query(const void *left, const void *right)
{
	const struct differ_found *a = left;
	const struct differ_found *b = right;

	return a->query_idx < b->query_idx ? -1 : a->query_idx > b->query_idx;
}

/* Both lists are in order; a query that is in both differed in what either says. */
static enum status add_check(struct run_check *sum, const struct run_check *trial)
{
	size_t count = (size_t)sum->found_count + trial->found_count;

	sum->is_on = trial->is_on;
	sum->compared += trial->compared;
	sum->differing += trial->differing;
	for (uint32_t i = 0; i < DIFFER_KINDS; i++) {
		sum->by_kind[i] += trial->by_kind[i];
	}
	if (trial->found_count == 0) {
		return STATUS_OK;
	}
	struct differ_found *grown = realloc(sum->found, count * sizeof(*grown));
	if (grown == NULL) {
		return STATUS_MEMORY;
	}
	memcpy(grown + sum->found_count, trial->found, trial->found_count * sizeof(*grown));
	qsort(grown, count, sizeof(*grown), by_query);
	uint32_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (kept > 0 && grown[kept - 1].query_idx == grown[i].query_idx) {
			grown[kept - 1].kinds |= grown[i].kinds;
		} else {
			grown[kept++] = grown[i];
		}
	}
	sum->found = grown;
	sum->found_count = kept;
	return STATUS_OK;
}

enum status run_result_add(struct run_result *sum, const struct run_result *trial)
{
	sum->end = trial->end;
	tally_add_all(&sum->tally, &trial->tally);
	histogram_add_all(&sum->latency_ns, &trial->latency_ns);
	histogram_add_all(&sum->lateness_ns, &trial->lateness_ns);
	sum->due += trial->due;
	add_host(&sum->host, &trial->host);
	sum->flow_count = trial->flow_count;
	memcpy(sum->flows, trial->flows, sizeof(sum->flows));
	if (add_check(&sum->check, &trial->check) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	return add_intervals(sum, trial);
}

enum status run_result_add_point(struct run_result *result, const struct run_point *point)
{
	struct run_point *grown =
		realloc(result->points, (result->point_count + 1u) * sizeof(*grown));

	if (grown == NULL) {
		return STATUS_MEMORY;
	}
	grown[result->point_count++] = *point;
	result->points = grown;
	return STATUS_OK;
}
