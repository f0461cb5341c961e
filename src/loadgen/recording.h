/* recording.h - a recording of queries to what a replay plays, or to a list that a query file is written from.
 *
 * Formats are those of capture/capture.h. A list of queries in dnsperf's format is read as well, for a replay at a
 * rate of one's own: it tells no times, and neither does a query log with print-time no.
 *
 * thread  one owner
 */
#ifndef SAKER_LOADGEN_RECORDING_H
#define SAKER_LOADGEN_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"

struct capture_options;
struct querylist;
struct queryfile_options;
struct timeline;

/* recording_read - the queries with their times; `-` is standard input, from which no dnsperf list can come.
 *
 * shape   options: of recordings; queryfile: of dnsperf lists, whose `strict` counts for both
 * effect  STATUS_OK: *out is finished, *has_times_out tells whether its times differ at all (or it has one query)
 * errors  STATUS_REFUSED  complaints went to the sink
 *         STATUS_MEMORY; nothing is left to be undone after either
 */
MUST_USE enum status recording_read(const char *path, const struct capture_options *options,
	const struct queryfile_options *queryfile, const struct diag_sink *sink,
	struct timeline *out, bool *has_times_out);

/* recording_list - the names and types in their order of time; *left_out counts queries of other classes than IN.
 *
 * errors  STATUS_REFUSED  complaints went to the sink; STATUS_MEMORY, STATUS_LIMIT
 */
MUST_USE enum status recording_list(const char *path, const struct capture_options *options,
	const struct diag_sink *sink, struct querylist *out, uint64_t *left_out);

#endif
