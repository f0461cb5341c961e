/* answerline.h - a line for each query that was answered or given up, as dnsperf -v prints it.
 *
 *     > NXDOMAIN www.example.com A 0.000188      the RCODE, the question, seconds
 *     > T www.example.com A                      no answer in time
 *     > I www.example.com A                      in flight when the run was ended
 *
 * thread  any: a line is one call of stdio's
 */
#ifndef SAKER_LOADGEN_ANSWERLINE_H
#define SAKER_LOADGEN_ANSWERLINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "loadgen/queryfile.h"

struct answerline {
	FILE *out;       /* borrows */
	bool hides_lost; /* no lines with T, as dnsperf -O suppress=timeouts */
};

void answerline_answered(const struct answerline *line, const struct queryfile *queries,
	uint32_t query_idx, uint32_t rcode, uint64_t latency_ns);
void answerline_lost(
	const struct answerline *line, const struct queryfile *queries, uint32_t query_idx);
void answerline_interrupted(
	const struct answerline *line, const struct queryfile *queries, uint32_t query_idx);

#endif
