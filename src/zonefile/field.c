/* field.c - the fields that need no grammar of their own. */
#include "zonefile/field.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/addr.h"
#include "base/octets.h"
#include "wire/rrtype.h"
#include "zonefile/calendar.h"
#include "zonefile/duration.h"
#include "zonefile/encode.h"
#include "zonefile/mnemonic.h"

#define STRING_LEN_MAX 255u /* RFC 1035 sec 3.3 */
#define WINDOW_LEN     32u  /* octets of a bitmap window, RFC 4034 sec 4.1.2 */

bool field_fail(struct field_reader *reader, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reader->why, sizeof(reader->why), format, args);
	va_end(args);
	return false;
}

/* The token for a complaint: cut, and without octets that a terminal might act on. */
static void show_token(const struct token *token, char *shown)
{
	uint32_t len = token->len < FIELD_SHOWN_MAX ? token->len : FIELD_SHOWN_MAX;

	for (uint32_t i = 0; i < len; i++) {
		uint8_t octet = token->text[i];
		shown[i] = octet >= ' ' && octet < 0x7f ? (char)octet : '?';
	}
	memcpy(shown + len, token->len > len ? "..." : "", token->len > len ? 4 : 1);
}

bool field_fail_token(struct field_reader *reader, const char *what)
{
	char shown[FIELD_SHOWN_MAX + 4];

	show_token(&reader->token, shown);
	return field_fail(reader, "'%s' is not %s", shown, what);
}

bool field_fail_end(struct field_reader *reader, const char *what)
{
	if (reader->token.kind == TOKEN_BAD) {
		return field_fail(reader, "%s", reader->scanner->why);
	}
	return field_fail(reader, "the entry ends too soon (expected %s)", what);
}

bool field_put(struct field_reader *reader, const uint8_t *octets, uint32_t len)
{
	if (len > RDATA_LEN_MAX - reader->len) {
		return field_fail(reader, "the RDATA is longer than %u octets", RDATA_LEN_MAX);
	}
	memcpy(reader->octets + reader->len, octets, len);
	reader->len += len;
	return true;
}

void field_put_number(struct field_reader *reader, uint64_t value, uint32_t octets)
{
	for (uint32_t i = octets; i > 0; i--) {
		reader->octets[reader->len++] = (uint8_t)(value >> (8 * (i - 1)));
	}
}

HOT bool field_decimal(const uint8_t *text, uint32_t len, uint64_t value_max, uint64_t *value_out)
{
	uint64_t value = 0;

	if (len == 0) {
		return false;
	}
	for (uint32_t i = 0; i < len; i++) {
		uint32_t digit = text[i] - 0u - '0';
		if (digit > 9 || value > (value_max - digit) / 10) {
			return false;
		}
		value = value * 10 + digit;
	}
	*value_out = value;
	return true;
}

static bool is_digit(uint8_t octet)
{
	return octet - 0u - '0' < 10u;
}

bool field_unescape(struct field_reader *reader, uint8_t *out, uint32_t cap, uint32_t *out_len)
{
	const struct token *token = &reader->token;
	uint32_t len = 0;

	for (uint32_t i = 0; i < token->len; i++) {
		uint32_t octet = token->text[i];
		if (octet == '\\') {
			uint32_t left = token->len - i;
			if (left < 2) {
				return field_fail(reader, "a backslash with nothing behind it");
			}
			octet = token->text[i + 1];
			i++;
			if (is_digit((uint8_t)octet)) {
				if (left < 4 || !is_digit(token->text[i + 1]) ||
					!is_digit(token->text[i + 2])) {
					return field_fail(reader,
						"a bad escape (expected three digits behind the "
						"backslash)");
				}
				octet = (octet - '0') * 100 + (token->text[i + 1] - 0u - '0') * 10 +
					(token->text[i + 2] - 0u - '0');
				i += 2;
			}
			if (octet > 255) {
				return field_fail(reader, "a bad escape (expected \\000 to \\255)");
			}
		}
		if (len == cap) {
			return field_fail(reader, "a string of more than %u octets", cap);
		}
		out[len++] = (uint8_t)octet;
	}
	*out_len = len;
	return true;
}

static bool read_name_slowly(struct field_reader *reader)
{
	struct name name;

	if (!field_next(reader, "a domain name")) {
		return false;
	}
	if (reader->token.kind == TOKEN_QUOTED) {
		return field_fail(reader, "a domain name in quotes (expected one without)");
	}
	enum wire_status status = name_from_text(
		(const char *)reader->token.text, reader->token.len, reader->origin, &name);
	if (status != WIRE_OK) {
		return field_fail(reader, "a bad domain name: %s", wire_status_text(status));
	}
	memcpy(reader->octets + reader->len, name.octets, name.len);
	reader->len += name.len;
	return true;
}

HOT bool field_name(struct field_reader *reader)
{
	struct scanner *scanner = reader->scanner;
	uint8_t *octets = reader->octets + reader->len;
	struct scan_name found;
	const uint8_t *end =
		scan_name(scan_skip(scanner->at, SCAN_BLANK), octets, NAME_LEN_MAX, &found);

	if (UNLIKELY(end == NULL)) {
		return read_name_slowly(reader);
	}
	if (LIKELY(found.absolute && found.len < NAME_LEN_MAX)) {
		octets[found.len] = 0;
		reader->len += found.len + 1;
	} else if (!found.absolute && reader->origin->len <= NAME_LEN_MAX - found.len) {
		memcpy(octets + found.len, reader->origin->octets, reader->origin->len);
		reader->len += found.len + reader->origin->len;
	} else {
		return read_name_slowly(reader);
	}
	scanner->at = end;
	return true;
}

bool field_number(struct field_reader *reader, uint32_t octets)
{
	static const uint64_t value_max[] = {
		[1] = UINT8_MAX, [2] = UINT16_MAX, [4] = UINT32_MAX, [8] = UINT64_MAX};
	uint64_t value;

	if (!field_next(reader, "a number")) {
		return false;
	}
	if (!field_decimal(reader->token.text, reader->token.len, value_max[octets], &value)) {
		field_fail_token(reader, "a number");
		size_t len = strlen(reader->why);
		snprintf(reader->why + len, sizeof(reader->why) - len, " (expected 0 to %llu)",
			(unsigned long long)value_max[octets]);
		return false;
	}
	field_put_number(reader, value, octets);
	return true;
}

bool field_duration(struct field_reader *reader)
{
	uint32_t value;

	if (!field_next(reader, "seconds")) {
		return false;
	}
	if (!duration_from_text(reader->token.text, reader->token.len, &value)) {
		return field_fail_token(
			reader, "a time span (expected seconds, or units as in 1h30m)");
	}
	field_put_number(reader, value, 4);
	return true;
}

bool field_time(struct field_reader *reader)
{
	uint32_t value;

	if (!field_next(reader, "a time")) {
		return false;
	}
	if (!calendar_from_text(reader->token.text, reader->token.len, &value)) {
		return field_fail_token(
			reader, "a time (expected YYYYMMDDHHmmSS, or seconds since 1970)");
	}
	field_put_number(reader, value, 4);
	return true;
}

bool field_type(struct field_reader *reader)
{
	uint16_t type;

	if (!field_next(reader, "an RR type")) {
		return false;
	}
	if (!rrtype_from_text((const char *)reader->token.text, reader->token.len, &type)) {
		return field_fail_token(reader, "an RR type");
	}
	field_put_number(reader, type, 2);
	return true;
}

/* A word of the list, or a number of that many octets. */
static bool read_mnemonic(
	struct field_reader *reader, enum mnemonic_list list, uint32_t octets, const char *what)
{
	uint32_t word;
	uint64_t value;

	if (!field_next(reader, what)) {
		return false;
	}
	if (mnemonic_find(list, reader->token.text, reader->token.len, &word)) {
		value = word;
	} else if (!field_decimal(reader->token.text, reader->token.len,
			   octets == 1 ? UINT8_MAX : UINT16_MAX, &value)) {
		return field_fail_token(reader, what);
	}
	field_put_number(reader, value, octets);
	return true;
}

bool field_algorithm(struct field_reader *reader)
{
	/* Signed zones have one of these in every other record, nearly always as a number. */
	return read_mnemonic(reader, MNEMONIC_ALGORITHM, 1,
		"an algorithm (expected a mnemonic, or a number to 255)");
}

bool field_certificate(struct field_reader *reader)
{
	return read_mnemonic(reader, MNEMONIC_CERTIFICATE, 2,
		"a certificate type (expected a mnemonic, or a number to 65535)");
}

bool field_scheme(struct field_reader *reader)
{
	return read_mnemonic(
		reader, MNEMONIC_SCHEME, 1, "a scheme (expected NOTIFY, or a number to 255)");
}

/* Four numbers to 255 with dots between, and then the end of the word; NULL where it is something else. */
static const uint8_t *scan_v4(const uint8_t *at, uint8_t *octets)
{
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t value = *at++ - 0u - '0';
		if (value > 9) {
			return NULL;
		}
		uint32_t digit = *at - 0u - '0';
		for (uint32_t more = 0; more < 2 && digit < 10 && value > 0; more++) {
			value = value * 10 + digit;
			digit = *++at - 0u - '0';
		}
		if (value > 255 || (i < 3 && *at++ != '.')) {
			return NULL;
		}
		octets[i] = (uint8_t)value;
	}
	return scan_is(*at, SCAN_STOP) ? at : NULL;
}

HOT bool field_v4(struct field_reader *reader)
{
	struct scanner *scanner = reader->scanner;
	const uint8_t *end =
		scan_v4(scan_skip(scanner->at, SCAN_BLANK), reader->octets + reader->len);

	if (LIKELY(end != NULL)) {
		scanner->at = end;
		reader->len += 4;
		return true;
	}
	if (!field_next(reader, "an IPv4 address")) {
		return false;
	}
	if (!addr_parse_v4((const char *)reader->token.text, reader->token.len,
		    reader->octets + reader->len)) {
		return field_fail_token(reader, "an IPv4 address");
	}
	reader->len += 4;
	return true;
}

bool field_v6(struct field_reader *reader)
{
	if (!field_next(reader, "an IPv6 address")) {
		return false;
	}
	if (!addr_parse_v6((const char *)reader->token.text, reader->token.len,
		    reader->octets + reader->len)) {
		return field_fail_token(reader, "an IPv6 address");
	}
	reader->len += 16;
	return true;
}

/* The token behind a length octet. */
static bool put_string(struct field_reader *reader)
{
	uint8_t *octets = reader->octets + reader->len;
	uint32_t len;

	if (!field_unescape(reader, octets + 1, STRING_LEN_MAX, &len)) {
		return false;
	}
	octets[0] = (uint8_t)len;
	reader->len += 1 + len;
	return true;
}

bool field_string(struct field_reader *reader)
{
	return field_next(reader, "a character-string") && put_string(reader);
}

bool field_strings(struct field_reader *reader)
{
	bool end = false;

	if (!field_next(reader, "a character-string")) {
		return false;
	}
	while (!end) {
		if (!put_string(reader)) {
			return false;
		}
		if (reader->len > RDATA_LEN_MAX) {
			return field_fail(
				reader, "the RDATA is longer than %u octets", RDATA_LEN_MAX);
		}
		if (!field_peek_end(reader, &end)) {
			return false;
		}
	}
	return true;
}

bool field_optional_string(struct field_reader *reader)
{
	bool end;

	if (!field_peek_end(reader, &end)) {
		return false;
	}
	if (end) {
		return true;
	}
	if (!put_string(reader) || !field_peek_end(reader, &end)) {
		return false;
	}
	return end || field_fail_token(reader, "expected here: the RDATA is complete");
}

bool field_tag(struct field_reader *reader)
{
	uint32_t at = reader->len;

	if (!field_string(reader)) {
		return false;
	}
	for (uint32_t i = at + 1; i < reader->len; i++) {
		uint8_t octet = reader->octets[i];
		if (!is_digit(octet) && (octet | 0x20u) - 'a' >= 26u) {
			return field_fail_token(reader, "a tag (expected letters and digits)");
		}
	}
	return reader->len - at > 1 || field_fail(reader, "an empty tag");
}

bool field_long_string(struct field_reader *reader)
{
	uint32_t len;

	if (!field_next(reader, "a string") || !field_unescape(reader, reader->octets + reader->len,
						       RDATA_LEN_MAX - reader->len, &len)) {
		return false;
	}
	reader->len += len;
	return true;
}

bool field_salt(struct field_reader *reader)
{
	struct encode_state state = {0};
	uint32_t len = 0;

	if (!field_next(reader, "a salt in hexadecimal, or -")) {
		return false;
	}
	const struct token *token = &reader->token;
	uint8_t *octets = reader->octets + reader->len;
	if (token->len != 1 || token->text[0] != '-') {
		if (token->len == 0 || token->len > 2 * STRING_LEN_MAX ||
			!encode_read_hex(&state, token->text, token->len, octets + 1, &len) ||
			!encode_hex_is_whole(&state)) {
			return field_fail_token(
				reader, "a salt (expected -, or 1 to 255 octets in hexadecimal)");
		}
	}
	octets[0] = (uint8_t)len;
	reader->len += 1 + len;
	return true;
}

bool field_hash(struct field_reader *reader)
{
	uint32_t len;

	if (!field_next(reader, "a hash in base32hex")) {
		return false;
	}
	const struct token *token = &reader->token;
	uint8_t *octets = reader->octets + reader->len;
	if (token->len > STRING_LEN_MAX * 8 / 5 ||
		!encode_read_base32hex(token->text, token->len, octets + 1, &len) || len == 0) {
		return field_fail_token(
			reader, "a hash (expected base32hex without padding, 1 to 255 octets)");
	}
	octets[0] = (uint8_t)len;
	reader->len += 1 + len;
	return true;
}

/* Groups of one to digits_max hexadecimal digits with a separator between them, to octets each. */
static bool read_groups(const struct token *token, uint32_t groups, uint32_t octets,
	uint8_t separator, uint8_t *out)
{
	uint32_t at = 0;

	for (uint32_t group = 0; group < groups; group++) {
		uint32_t value = 0;
		uint32_t digits = 0;
		for (; at < token->len && encode_hex_digit(token->text[at]) < 16; at++) {
			value = value << 4 | encode_hex_digit(token->text[at]);
			if (++digits > 2 * octets) {
				return false;
			}
		}
		if (digits == 0) {
			return false;
		}
		for (uint32_t i = octets; i > 0; i--) {
			*out++ = (uint8_t)(value >> (8 * (i - 1)));
		}
		if (group + 1 < groups && (at == token->len || token->text[at++] != separator)) {
			return false;
		}
	}
	return at == token->len;
}

bool field_eui(struct field_reader *reader, uint32_t octets)
{
	if (!field_next(reader, "octets as xx-xx-...")) {
		return false;
	}
	if (!read_groups(&reader->token, octets, 1, '-', reader->octets + reader->len)) {
		return field_fail_token(reader,
			octets == 6 ? "an EUI-48 address (expected xx-xx-xx-xx-xx-xx)"
				    : "an EUI-64 address (expected xx-xx-xx-xx-xx-xx-xx-xx)");
	}
	reader->len += octets;
	return true;
}

bool field_locator(struct field_reader *reader)
{
	if (!field_next(reader, "64 bits as xxxx:xxxx:xxxx:xxxx")) {
		return false;
	}
	if (!read_groups(&reader->token, 4, 2, ':', reader->octets + reader->len)) {
		return field_fail_token(reader, "64 bits (expected xxxx:xxxx:xxxx:xxxx)");
	}
	reader->len += 8;
	return true;
}

/* The tokens to the end, each decoded where the one before stopped. */
static bool read_encoded(struct field_reader *reader, bool base64, bool may_be_empty)
{
	struct encode_state state = {0};
	uint32_t start = reader->len;
	bool end;

	for (;;) {
		if (!field_peek_end(reader, &end)) {
			return false;
		}
		if (end) {
			break;
		}
		const struct token *token = &reader->token;
		uint32_t len_max = base64 ? token->len / 4 * 3 + 3 : token->len / 2 + 1;
		uint32_t len;
		if (len_max > sizeof(reader->octets) - reader->len) {
			return field_fail(
				reader, "the RDATA is longer than %u octets", RDATA_LEN_MAX);
		}
		uint8_t *out = reader->octets + reader->len;
		if (base64 ? !encode_read_base64(&state, token->text, token->len, out, &len)
			   : !encode_read_hex(&state, token->text, token->len, out, &len)) {
			return field_fail_token(reader, base64 ? "base64" : "hexadecimal");
		}
		reader->len += len;
	}
	if (base64 ? !encode_base64_is_whole(&state) : !encode_hex_is_whole(&state)) {
		return field_fail(reader, base64 ? "the base64 is cut short or has bits too many"
						 : "an odd number of hexadecimal digits");
	}
	if (reader->len == start && !may_be_empty) {
		return field_fail(reader, "the entry ends too soon (expected %s)",
			base64 ? "base64" : "hexadecimal");
	}
	return true;
}

bool field_hex(struct field_reader *reader)
{
	return read_encoded(reader, false, false);
}

bool field_base64(struct field_reader *reader, bool may_be_empty)
{
	return read_encoded(reader, true, may_be_empty);
}

bool field_base64_or_dash(struct field_reader *reader)
{
	const uint8_t *at = scan_skip(reader->scanner->at, SCAN_BLANK);

	if (*at != '-') {
		return read_encoded(reader, true, false);
	}
	bool end;
	if (!field_next(reader, "base64, or -")) {
		return false;
	}
	if (reader->token.len != 1) {
		return field_fail_token(reader, "base64, or -");
	}
	if (!field_peek_end(reader, &end)) {
		return false;
	}
	return end || field_fail_token(reader, "expected here: the RDATA is complete");
}

/* The windows that hold a type, in order; types[] is zero again afterwards. */
static bool put_windows(struct field_reader *reader, const uint8_t used[FIELD_WINDOWS])
{
	bool fits = true;

	for (uint32_t window = 0; window < FIELD_WINDOWS; window++) {
		if (used[window] == 0) {
			continue;
		}
		uint8_t *bits = reader->types + window * WINDOW_LEN;
		uint32_t len = used[window];
		const uint8_t head[] = {(uint8_t)window, (uint8_t)len};
		fits = fits && field_put(reader, head, sizeof(head)) &&
		       field_put(reader, bits, len);
		memset(bits, 0, WINDOW_LEN);
	}
	return fits;
}

bool field_types(struct field_reader *reader)
{
	uint8_t used[FIELD_WINDOWS] = {0}; /* octets of the window up to its last type */
	bool good = true;
	bool end = false;

	while (good) {
		uint16_t type;
		good = field_peek_end(reader, &end);
		if (!good || end) {
			break;
		}
		if (!rrtype_from_text((const char *)reader->token.text, reader->token.len, &type)) {
			good = field_fail_token(reader, "an RR type");
			break;
		}
		uint32_t octet = type % 256u / 8u;
		reader->types[type / 8u] |= (uint8_t)(0x80u >> (type % 8u));
		if (octet >= used[type / 256u]) {
			used[type / 256u] = (uint8_t)(octet + 1);
		}
	}
	return put_windows(reader, used) && good;
}
