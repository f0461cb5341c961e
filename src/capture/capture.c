/* capture.c - which format it is, and what was in it. */
#include "capture/capture.h"

#include <errno.h>
#include <string.h>

#include "capture/dnstap.h"
#include "capture/intake.h"
#include "capture/offer.h"
#include "capture/pcapfile.h"
#include "capture/pcapng.h"
#include "capture/querylog.h"
#include "capture/traffic.h"

#define LOOK_LEN   65536u /* octets in which a query log must show itself */
#define MAGIC_LEN  12u    /* the most that a format needs */
#define COUNTS_MAX 256u   /* octets of a sentence */

_Static_assert(MAGIC_LEN >= PCAPNG_LOOK_LEN && MAGIC_LEN >= DNSTAP_LOOK_LEN, "formats tell early");

static enum capture_format format_of(struct intake *intake)
{
	if (intake_want(intake, MAGIC_LEN)) {
		const uint8_t *octets = intake_look(intake);
		if (pcapfile_is(octets)) {
			return CAPTURE_PCAP;
		}
		if (pcapng_is(octets)) {
			return CAPTURE_PCAPNG;
		}
		if (dnstap_is(octets)) {
			return CAPTURE_DNSTAP;
		}
	}
	/* Fewer are all that there is. */
	size_t len = intake_want(intake, LOOK_LEN) ? LOOK_LEN : intake_left(intake);
	return querylog_is((const char *)intake_look(intake), len) ? CAPTURE_QUERYLOG
								   : CAPTURE_UNKNOWN;
}

enum capture_format capture_format_of(const char *path)
{
	enum capture_format format = CAPTURE_UNKNOWN;
	struct intake intake;
	FILE *file = strcmp(path, "-") == 0 ? NULL : fopen(path, "re");

	if (file != NULL && intake_init(&intake, file) == STATUS_OK) {
		format = format_of(&intake);
		intake_fini(&intake);
	}
	if (file != NULL) {
		fclose(file);
	}
	return format;
}

static void explain_unknown(const struct offer *offer)
{
	const uint8_t *octets = intake_look(offer->intake);
	size_t len = intake_left(offer->intake);
	const char *hint = "";

	/* source: RFC 1952 sec 2.3.1, RFC 8878 sec 3.1.1, the xz file format */
	if (len >= 4 &&
		(memcmp(octets, "\x1f\x8b", 2) == 0 || memcmp(octets, "\x28\xb5\x2f\xfd", 4) == 0 ||
			memcmp(octets,
				"\xfd"
				"7zX",
				4) == 0)) {
		hint = "; it is compressed: unpack it first";
	}
	diag_report(&offer->sink->diag, DIAG_ERROR, offer->name, 0, 0,
		"not a recording of queries (expected pcap, pcapng, dnstap or a BIND query log%s)",
		hint);
}

/* Tells what there was instead of queries. */
static void explain_none(const struct offer *offer)
{
	const struct capture_counts *counts = offer->counts;
	const struct {
		uint64_t count;
		const char *what;
	} parts[] = {{counts->responses, "responses"},
		{counts->elsewhere,
			offer->options->port != 0 ? "to other ports" : "of the other side"},
		{counts->cut, "not whole"}, {counts->broken, "malformed"},
		{counts->other, "no DNS"}};
	char text[COUNTS_MAX];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].count != 0) {
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%llu %s",
				used == 0 ? ": " : ", ", (unsigned long long)parts[i].count,
				parts[i].what);
		}
	}
	diag_report(&offer->sink->diag, DIAG_ERROR, offer->name, 0, 0,
		"no DNS query in it (%llu records%s)", (unsigned long long)counts->records, text);
}

static enum status judge(struct offer *offer)
{
	if (offer->intake->error != 0) {
		diag_report(&offer->sink->diag, DIAG_ERROR, offer->name, 0, 0, "cannot be read: %s",
			strerror(offer->intake->error));
		return STATUS_REFUSED;
	}
	if (offer->complaint_count > DIAG_ERRORS_MAX) {
		diag_report(&offer->sink->diag, offer->options->strict ? DIAG_ERROR : DIAG_WARNING,
			offer->name, 0, 0, "%u bad lines in all", offer->complaint_count);
	}
	if (offer->counts->queries == 0) {
		explain_none(offer);
		return STATUS_REFUSED;
	}
	return offer->counts->is_damaged && offer->options->strict ? STATUS_REFUSED : STATUS_OK;
}

static enum status read_format(struct offer *offer)
{
	switch (format_of(offer->intake)) {
	case CAPTURE_PCAP:
		return traffic_read_pcap(offer);
	case CAPTURE_PCAPNG:
		return traffic_read_pcapng(offer);
	case CAPTURE_DNSTAP:
		return dnstap_read(offer);
	case CAPTURE_QUERYLOG:
		return querylog_read(offer);
	case CAPTURE_UNKNOWN:
		break;
	}
	if (offer->intake->error != 0) {
		return judge(offer);
	}
	explain_unknown(offer);
	return STATUS_REFUSED;
}

enum status capture_read_stream(FILE *file, const char *name, const struct capture_options *options,
	const struct capture_sink *sink, struct capture_counts *counts_out)
{
	static const struct capture_options none;
	struct intake intake;
	struct offer offer = {.intake = &intake,
		.options = options == NULL ? &none : options,
		.sink = sink,
		.counts = counts_out,
		.name = name};

	memset(counts_out, 0, sizeof(*counts_out));
	enum status status = intake_init(&intake, file);
	if (status != STATUS_OK) {
		return status;
	}
	status = read_format(&offer);
	if (status == STATUS_OK) {
		status = judge(&offer);
	}
	intake_fini(&intake);
	return status;
}

enum status capture_read(const char *path, const struct capture_options *options,
	const struct capture_sink *sink, struct capture_counts *counts_out)
{
	if (strcmp(path, "-") == 0) {
		return capture_read_stream(stdin, "standard input", options, sink, counts_out);
	}
	FILE *file = fopen(path, "re");
	if (file == NULL) {
		memset(counts_out, 0, sizeof(*counts_out));
		diag_report(&sink->diag, DIAG_ERROR, path, 0, 0, "cannot be opened: %s",
			strerror(errno));
		return STATUS_REFUSED;
	}
	enum status status = capture_read_stream(file, path, options, sink, counts_out);
	fclose(file);
	return status;
}
