/* bench_dnsperf.c - words of another program. */
#include "apps/bench_dnsperf.h"

#include <stdlib.h>
#include <string.h>

#include "apps/bench_options.h"
#include "base/octets.h"
#include "loadgen/querysign.h"
#include "zonefile/encode.h"

#define OPTION_HEAD_LEN 4u /* octets of code and length, RFC 6891 sec 6.1.2 */
#define CODE_DIGITS_MAX 5u
#define COUNT_DIGITS    12u /* of queries a connection: more is no limit */

const char *bench_dnsperf_transport(struct bench_options *options, const char *text)
{
	if (strcmp(text, "udp") == 0 || strcmp(text, "tcp") == 0) {
		options->tcp = text[0] == 't';
		return NULL;
	}
	return strcmp(text, "dot") == 0 || strcmp(text, "doh") == 0
		       ? "queries go over udp or tcp; there is no TLS here yet, so not over"
		       : "the transport is udp or tcp, not";
}

const char *bench_dnsperf_family(struct bench_options *options, const char *text)
{
	static const struct {
		const char *text;
		enum addr_family family;
	} families[] = {{"any", ADDR_NONE}, {"inet", ADDR_V4}, {"inet6", ADDR_V6}};

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		if (strcmp(families[i].text, text) == 0) {
			options->family = families[i].family;
			return NULL;
		}
	}
	return "the family is inet, inet6 or any, not";
}

/* RFC 6891 sec 6.1.2: code, length, data. */
const char *bench_dnsperf_edns(struct bench_options *options, const char *text)
{
	size_t code_len = strspn(text, "0123456789");
	unsigned long code =
		code_len > CODE_DIGITS_MAX ? UINT16_MAX + 1ul : strtoul(text, NULL, 10);
	const char *hex = text + code_len + 1;

	if (code_len == 0 || text[code_len] != ':' || code > UINT16_MAX) {
		return "an EDNS option is CODE:HEX with a code of 0 to 65535, not";
	}
	size_t hex_len = strlen(hex);
	uint8_t *to = options->edns_options + options->queryfile.edns_options_len;
	size_t room = sizeof(options->edns_options) - options->queryfile.edns_options_len;
	if (OPTION_HEAD_LEN + hex_len / 2 > room) {
		return "all EDNS options together have at most 1024 octets, too few for";
	}
	struct encode_state state = {0};
	uint8_t value[2 * QUERYFILE_OPTIONS_MAX]; /* the decoder wants room for as many as digits */
	uint32_t len;
	if (!encode_read_hex(&state, (const uint8_t *)hex, (uint32_t)hex_len, value, &len) ||
		!encode_hex_is_whole(&state)) {
		return "an EDNS option's value has two hexadecimal digits an octet, unlike";
	}
	octets_put_u16(to, (uint16_t)code);
	octets_put_u16(to + 2, (uint16_t)len);
	memcpy(to + OPTION_HEAD_LEN, value, len);
	options->queryfile.edns_options_len += OPTION_HEAD_LEN + len;
	return NULL;
}

/* Of a list with commas; false: something else is among them. Of what dnsperf would suppress the timeouts alone have
 * lines here.
 */
static bool suppress(struct bench_options *options, const char *list)
{
	static const char *const names[] = {
		"timeouts", "congestion", "sendfailed", "sockready", "unexpected"};

	for (;;) {
		size_t len = strcspn(list, ",");
		bool is_known = false;
		for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			if (strlen(names[i]) == len && strncmp(names[i], list, len) == 0) {
				options->hides_lost |= i == 0;
				is_known = true;
			}
		}
		if (!is_known || list[len] == '\0') {
			return is_known;
		}
		list += len + 1;
	}
}

const char *bench_dnsperf_long(struct bench_options *options, const char *text)
{
	static const char per_connection[] = "num-queries-per-conn=";
	static const char suppressed[] = "suppress=";

	if (strncmp(text, per_connection, sizeof(per_connection) - 1) == 0) {
		const char *number = text + sizeof(per_connection) - 1;
		size_t len = strspn(number, "0123456789");
		double value = strtod(number, NULL);
		if (len == 0 || len > COUNT_DIGITS || number[len] != '\0' || value < 1) {
			return "num-queries-per-conn is a whole number from 1, unlike";
		}
		options->per_connection = value;
		return NULL;
	}
	if (strncmp(text, suppressed, sizeof(suppressed) - 1) == 0) {
		return suppress(options, text + sizeof(suppressed) - 1)
			       ? NULL
			       : "suppress knows timeouts, congestion, sendfailed, sockready and "
				 "unexpected, not";
	}
	return strncmp(text, "doh-", 4) == 0
		       ? "queries go over udp or tcp; there is no HTTPS here yet, so no"
		       : "-O knows num-queries-per-conn=N and suppress=WHAT,..., not";
}

void bench_dnsperf_print_long(FILE *out)
{
	fputs("arguments of -O:\n\n"
	      "  num-queries-per-conn=N       over TCP: then the next connection\n"
	      "  suppress=WHAT,...            timeouts: -v has no lines with T; congestion, "
	      "sendfailed, sockready\n"
	      "                               and unexpected are counted and have no lines "
	      "anyway\n",
		out);
}

const char *bench_dnsperf_tsig(struct bench_options *options, char *text)
{
	char *secret = strrchr(text, ':');
	const char *why;

	options->is_signed = querysign_key_parse(text, &options->key, &why);
	secret = secret == NULL ? text : secret + 1;
	memset(secret, 'x', strlen(secret));
	return options->is_signed ? NULL : why;
}
