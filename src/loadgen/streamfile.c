/* streamfile.c - lengths and messages. */
#include "loadgen/streamfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/octets.h"
#include "wire/wire.h"

#define LENGTH_LEN 2u

struct reading {
	FILE *file;
	const char *path;
	const struct diag_sink *sink;
	struct queryfile *queries;
	uint32_t nth; /* message, from 1 */
	bool strict;
};

static void complain_bad(struct reading *reading)
{
	if (++reading->queries->bad_count <= DIAG_ERRORS_MAX) {
		diag_report(reading->sink, reading->strict ? DIAG_ERROR : DIAG_WARNING,
			reading->path, 0, 0,
			"message %u is no query with one question: its answer could not be told",
			reading->nth);
	}
}

static enum status refuse(const struct reading *reading, const char *what)
{
	diag_report(reading->sink, DIAG_ERROR, reading->path, 0, 0, "%s", what);
	return STATUS_REFUSED;
}

/* One message; *end_out: there are no more. */
static enum status read_message(struct reading *reading, bool *end_out)
{
	static uint8_t octets[WIRE_MESSAGE_LEN_MAX];
	uint8_t length[LENGTH_LEN];
	size_t got = fread(length, 1, sizeof(length), reading->file);

	*end_out = got == 0;
	if (got == 0) {
		return STATUS_OK;
	}
	reading->nth++;
	uint32_t len = got == sizeof(length) ? octets_get_u16(length) : 0;
	bool is_cut = got != sizeof(length) || fread(octets, 1, len, reading->file) != len;
	if (ferror(reading->file)) {
		*end_out = true; /* which is told */
		return STATUS_OK;
	}
	if (is_cut) {
		diag_report(reading->sink, DIAG_ERROR, reading->path, 0, 0,
			"message %u is cut short (expected two octets of length before each "
			"message)",
			reading->nth);
		return STATUS_REFUSED;
	}
	enum status status = queryfile_add(reading->queries, octets, len);
	if (status == STATUS_REFUSED) {
		complain_bad(reading);
		return STATUS_OK;
	}
	return status;
}

static enum status read_all(struct reading *reading)
{
	bool is_end = false;
	enum status status = STATUS_OK;

	errno = 0;
	while (status == STATUS_OK && !is_end) {
		status = read_message(reading, &is_end);
	}
	if (ferror(reading->file)) {
		return refuse(reading, errno == 0 ? "cannot be read" : strerror(errno));
	}
	if (status == STATUS_OK && reading->queries->count == 0) {
		return refuse(reading, "no query in it (expected messages with their lengths)");
	}
	if (status == STATUS_OK && reading->strict && reading->queries->bad_count != 0) {
		return STATUS_REFUSED; /* which ones was said */
	}
	return status;
}

enum status streamfile_read(
	const char *path, bool strict, const struct diag_sink *sink, struct queryfile *out)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct reading reading = {.file = is_stdin ? stdin : fopen(path, "re"),
		.path = is_stdin ? "standard input" : path,
		.sink = sink,
		.queries = out,
		.strict = strict};

	if (reading.file == NULL) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "cannot be opened: %s", strerror(errno));
		return STATUS_REFUSED;
	}
	enum status status = queryfile_init(out);
	if (status == STATUS_OK) {
		status = read_all(&reading);
		if (status != STATUS_OK) {
			queryfile_fini(out);
		}
	}
	if (!is_stdin) {
		fclose(reading.file);
	}
	return status;
}
