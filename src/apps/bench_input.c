/* bench_input.c - lists of queries and recordings. */
#include "apps/bench_input.h"

#include <stdio.h>

#include "base/diag.h"
#include "capture/capture.h"
#include "loadgen/streamfile.h"
#include "loadgen/updatefile.h"
#include "wire/wire.h"

static enum status take(void *context, const struct capture_query *query)
{
	struct timeline *timeline = context;
	enum status status = timeline_add(timeline, query->time_ns, query->octets, query->len);

	/* What the reader takes for a query and the query file does not cannot be sent: passed over. */
	return status == STATUS_REFUSED ? STATUS_OK : status;
}

static enum status read_recording(const struct bench_options *options, const struct diag_sink *diag,
	struct timeline *timeline)
{
	const struct capture_options how = {.strict = options->queryfile.strict};
	const struct capture_sink sink = {.query = take, .context = timeline, .diag = *diag};
	struct capture_counts counts;
	enum status status = timeline_init(timeline);

	if (status != STATUS_OK) {
		return status;
	}
	status = capture_read(options->queries, &how, &sink, &counts);
	if (status == STATUS_OK && timeline->queries.count == 0) {
		diag_report(diag, DIAG_ERROR, options->queries, 0, 0,
			"no query in it that can be sent");
		status = STATUS_REFUSED;
	}
	if (status == STATUS_OK) {
		status = timeline_finish(timeline);
	}
	if (status != STATUS_OK) {
		timeline_fini(timeline);
	}
	return status;
}

static bool has_times(const struct timeline *timeline)
{
	return timeline->times_ns != NULL && timeline->times_ns[timeline->queries.count - 1] != 0;
}

static bool can_be_signed(const struct queryfile *queries)
{
	for (uint32_t i = 0; i < queries->count; i++) {
		if (QUERYFILE_ID_LEN + queries->items[i].len + QUERYSIGN_LEN_MAX >
			WIRE_MESSAGE_LEN_MAX) {
			return false;
		}
	}
	return true;
}

bool bench_input_read(const struct bench_options *options, struct bench_input *out)
{
	struct diag_sink sink = {.report = diag_print, .context = stderr};
	enum status status;

	*out = (struct bench_input){0};
	if (options->is_binary) {
		status = streamfile_read(
			options->queries, options->queryfile.strict, &sink, &out->timeline.queries);
	} else if (options->updates) {
		status = updatefile_read(
			options->queries, options->queryfile.strict, &sink, &out->timeline.queries);
	} else if (capture_format_of(options->queries) == CAPTURE_UNKNOWN) {
		status = queryfile_read(
			options->queries, &options->queryfile, &sink, &out->timeline.queries);
	} else if (options->queryfile.edns || options->queryfile.dnssec ||
		   options->queryfile.edns_options_len != 0 || options->queryfile.open ||
		   options->is_signed) {
		fprintf(stderr,
			"saker: %s: a recording, whose queries are sent as they are (-e, -D, -E, "
			"-y, --cookie and --padding are for lists)\n",
			options->queries);
		return false;
	} else {
		status = read_recording(options, &sink, &out->timeline);
	}
	if (status != STATUS_OK) {
		if (status != STATUS_REFUSED) {
			fprintf(stderr, "saker: %s: %s\n", options->queries, status_text(status));
		}
		return false;
	}
	if (options->is_signed && !can_be_signed(&out->timeline.queries)) {
		fprintf(stderr, "saker: %s: a query is too long to be signed (-y)\n",
			options->queries);
		bench_input_fini(out);
		return false;
	}
	out->has_times = has_times(&out->timeline);
	if (options->mode == RUN_REPLAY && options->rate == 0 && !out->has_times) {
		fprintf(stderr,
			"saker: %s: there are no times in it (expected a recording, or --rate)\n",
			options->queries);
		bench_input_fini(out);
		return false;
	}
	return true;
}

void bench_input_fini(struct bench_input *input)
{
	timeline_fini(&input->timeline);
}
