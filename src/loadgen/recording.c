/* recording.c - from captures to timelines and lists. */
#include "loadgen/recording.h"

#include <string.h>

#include "capture/capture.h"
#include "loadgen/queryfile.h"
#include "loadgen/querylist.h"
#include "loadgen/timeline.h"
#include "wire/name.h"
#include "wire/wire.h"

static enum status add_moment(void *context, const struct capture_query *query)
{
	enum status status = timeline_add(context, query->time_ns, query->octets, query->len);

	/* Too odd to be sent, if anything the capture let through is. */
	return status == STATUS_REFUSED ? STATUS_OK : status;
}

/* The lines of a dnsperf list, all at the same time: the timeline takes over what was read. */
static enum status read_list(const char *path, const struct queryfile_options *options,
	const struct diag_sink *sink, struct timeline *out)
{
	struct queryfile queries;
	enum status status = queryfile_read(path, options, sink, &queries);

	if (status != STATUS_OK) {
		return status;
	}
	uint8_t message[WIRE_MESSAGE_LEN_MAX] = {0};
	for (uint32_t i = 0; status == STATUS_OK && i < queries.count; i++) {
		uint32_t len;
		const uint8_t *rest = queryfile_rest(&queries, i, &len);
		memcpy(message + QUERYFILE_ID_LEN, rest, len);
		status = timeline_add(out, 0, message, QUERYFILE_ID_LEN + len);
	}
	queryfile_fini(&queries);
	return status;
}

static bool has_times(const struct timeline *timeline)
{
	return timeline->queries.count == 1 || timeline->times_ns[timeline->queries.count - 1] != 0;
}

enum status recording_read(const char *path, const struct capture_options *options,
	const struct queryfile_options *queryfile, const struct diag_sink *sink,
	struct timeline *out, bool *has_times_out)
{
	struct capture_options capture = *options;
	struct capture_sink to = {.query = add_moment, .context = out, .diag = *sink};
	struct capture_counts counts;
	enum status status = timeline_init(out);

	if (status != STATUS_OK) {
		return status;
	}
	capture.strict = queryfile->strict;
	bool is_list = strcmp(path, "-") != 0 && capture_format_of(path) == CAPTURE_UNKNOWN;
	status = is_list ? read_list(path, queryfile, sink, out)
			 : capture_read(path, &capture, &to, &counts);
	if (status == STATUS_OK && out->queries.count == 0) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "no query in it that can be sent");
		status = STATUS_REFUSED;
	}
	if (status == STATUS_OK) {
		status = timeline_finish(out);
	}
	if (status != STATUS_OK) {
		timeline_fini(out);
		return status;
	}
	*has_times_out = has_times(out);
	return STATUS_OK;
}

struct listing {
	struct querylist *list;
	uint64_t left_out;
};

static enum status add_question(void *context, const struct capture_query *query)
{
	struct listing *listing = context;
	struct reader reader = {.octets = query->octets, .len = query->len, .off = WIRE_HEADER_LEN};
	struct name name;
	uint16_t type, class;

	/* The capture has looked at it already; whole is whole. */
	if (name_parse(&reader, &name) != WIRE_OK || !reader_u16(&reader, &type) ||
		!reader_u16(&reader, &class) || class != CLASS_IN) {
		listing->left_out++;
		return STATUS_OK;
	}
	return querylist_add(listing->list, name.octets, name.len, type);
}

enum status recording_list(const char *path, const struct capture_options *options,
	const struct diag_sink *sink, struct querylist *out, uint64_t *left_out)
{
	struct listing listing = {.list = out};
	struct capture_sink to = {.query = add_question, .context = &listing, .diag = *sink};
	struct capture_counts counts;
	enum status status = capture_read(path, options, &to, &counts);

	*left_out = listing.left_out;
	if (status == STATUS_OK && out->count == 0) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "no query of class IN in it");
		return STATUS_REFUSED;
	}
	return status;
}
