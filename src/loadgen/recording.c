/* recording.c - from captures to lists. */
#include "loadgen/recording.h"

#include "capture/capture.h"
#include "loadgen/querylist.h"
#include "wire/name.h"
#include "wire/wire.h"

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
