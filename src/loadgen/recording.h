/* recording.h - a recording of queries to a list that a query file is written from.
 *
 * Formats are those of capture/capture.h.
 *
 * thread  one owner
 */
#ifndef SAKER_LOADGEN_RECORDING_H
#define SAKER_LOADGEN_RECORDING_H

#include <stdint.h>

#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"

struct capture_options;
struct querylist;

/* recording_list - the names and types in their order of time; *left_out counts queries of other classes than IN.
 *
 * errors  STATUS_REFUSED  complaints went to the sink; STATUS_MEMORY, STATUS_LIMIT
 */
MUST_USE enum status recording_list(const char *path, const struct capture_options *options,
	const struct diag_sink *sink, struct querylist *out, uint64_t *left_out);

#endif
