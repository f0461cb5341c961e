/* bench_input.h - the queries of a load test, from whatever file they are in. */
#ifndef SAKER_APPS_BENCH_INPUT_H
#define SAKER_APPS_BENCH_INPUT_H

#include <stdbool.h>

#include "apps/bench_options.h"
#include "base/check.h"
#include "loadgen/timeline.h"

struct bench_input {
	struct timeline timeline; /* times_ns is NULL where the file is a list of queries */
	bool has_times;           /* they say more than that there is an order */
};

/* bench_input_read - a list of queries, or a recording (capture/capture.h), which its first octets tell.
 *
 * errors  false: why went to standard error; nothing is left to be undone
 */
MUST_USE bool bench_input_read(const struct bench_options *options, struct bench_input *out);
void bench_input_fini(struct bench_input *input);

#endif
