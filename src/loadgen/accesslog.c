/* accesslog.c - addresses to reverse names. */
#include "loadgen/accesslog.h"

#include <errno.h>
#include <string.h>

#include "base/addr.h"
#include "capture/intake.h"
#include "wire/rrtype.h"

#define LINE_MAX_LEN                                                                               \
	65535u /* octets: a request line has no limit of its own, servers stop at 8 to 64 KiB */
#define REVERSE_MAX 74u /* octets: 32 labels of one, `ip6`, `arpa`, root */

struct reading {
	const struct diag_sink *sink;
	const char *name;
	struct querylist *list;
	uint64_t query_count;
	uint32_t line;
	uint32_t bad_count;
	bool strict;
};

uint32_t accesslog_reverse(const uint8_t *address, uint32_t address_len, uint8_t *octets_out)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	static const char digits[] = "0123456789abcdef";
	uint8_t *at = octets_out;

	if (address_len == 16 && memcmp(address, mapped, sizeof(mapped)) == 0) {
		address += sizeof(mapped);
		address_len = 4;
	}
	for (uint32_t i = address_len; i-- > 0;) {
		if (address_len == 4) {
			int len = snprintf((char *)at + 1, 4, "%u", address[i]);
			*at = (uint8_t)len;
			at += len + 1;
		} else {
			*at++ = 1;
			*at++ = (uint8_t)digits[address[i] & 0x0f];
			*at++ = 1;
			*at++ = (uint8_t)digits[address[i] >> 4];
		}
	}
	const char *tail = address_len == 4 ? "\x07in-addr\x04"
					      "arpa"
					    : "\x03ip6\x04"
					      "arpa";
	size_t tail_len = strlen(tail) + 1; /* the zero is the root label */
	memcpy(at, tail, tail_len);
	return (uint32_t)(at + tail_len - octets_out);
}

/* Reads the word at *at and passes it. */
static bool take_address(
	const char **at, const char *end, uint8_t address[16], uint32_t *address_len_out)
{
	const char *start = *at;

	while (*at < end && **at != ' ' && **at != '\t') {
		(*at)++;
	}
	uint32_t len = (uint32_t)(*at - start);
	while (*at < end && (**at == ' ' || **at == '\t')) {
		(*at)++;
	}
	if (addr_parse_v4(start, len, address)) {
		*address_len_out = 4;
		return true;
	}
	*address_len_out = 16;
	return addr_parse_v6(start, len, address);
}

static enum status take_line(struct reading *reading, const char *text, size_t len)
{
	const char *at = text, *end = text + len;
	uint8_t address[16], reverse[REVERSE_MAX];
	uint32_t address_len;

	reading->line++;
	if (len == 0 || (len == 1 && text[0] == '\r')) {
		return STATUS_OK;
	}
	if (len > LINE_MAX_LEN || (!take_address(&at, end, address, &address_len) &&
					  !take_address(&at, end, address, &address_len))) {
		if (++reading->bad_count <= DIAG_ERRORS_MAX) {
			diag_report(reading->sink, reading->strict ? DIAG_ERROR : DIAG_WARNING,
				reading->name, reading->line, 1, "%s",
				len > LINE_MAX_LEN ? "the line is too long"
						   : "no address (expected it as the first or the "
						     "second word)");
		}
		return STATUS_OK;
	}
	reading->query_count++;
	return querylist_add(reading->list, reverse,
		accesslog_reverse(address, address_len, reverse), RRTYPE_PTR);
}

static enum status judge(const struct reading *reading, int error)
{
	if (reading->bad_count > DIAG_ERRORS_MAX) {
		diag_report(reading->sink, reading->strict ? DIAG_ERROR : DIAG_WARNING,
			reading->name, 0, 0, "%u bad lines in all", reading->bad_count);
	}
	if (error != 0) {
		diag_report(reading->sink, DIAG_ERROR, reading->name, 0, 0, "cannot be read: %s",
			strerror(error));
		return STATUS_REFUSED;
	}
	if (reading->query_count == 0) {
		diag_report(reading->sink, DIAG_ERROR, reading->name, 0, 0,
			"no address in it (expected lines that begin with one)");
		return STATUS_REFUSED;
	}
	return reading->strict && reading->bad_count != 0 ? STATUS_REFUSED : STATUS_OK;
}

enum status accesslog_read_stream(FILE *file, const char *name, bool strict,
	const struct diag_sink *sink, struct querylist *out)
{
	struct reading reading = {.sink = sink, .name = name, .list = out, .strict = strict};
	struct intake intake;
	const char *text;
	size_t len;
	enum status status = intake_init(&intake, file);

	if (status != STATUS_OK) {
		return status;
	}
	while (status == STATUS_OK && intake_line(&intake, LINE_MAX_LEN, &text, &len)) {
		status = take_line(&reading, text, len);
	}
	if (status == STATUS_OK) {
		status = judge(&reading, intake.error);
	}
	intake_fini(&intake);
	return status;
}

enum status accesslog_read(
	const char *path, bool strict, const struct diag_sink *sink, struct querylist *out)
{
	if (strcmp(path, "-") == 0) {
		return accesslog_read_stream(stdin, "standard input", strict, sink, out);
	}
	FILE *file = fopen(path, "re");
	if (file == NULL) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "cannot be opened: %s", strerror(errno));
		return STATUS_REFUSED;
	}
	enum status status = accesslog_read_stream(file, path, strict, sink, out);
	fclose(file);
	return status;
}
