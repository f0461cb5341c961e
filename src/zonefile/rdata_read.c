/* rdata_read.c - picks the reader of each field. */
#include "zonefile/rdata_read.h"

#include "zonefile/loc.h"
#include "zonefile/special.h"
#include "zonefile/svcb_read.h"

/* Letters whose field goes on to the end of the entry and eats it. */
static bool eats_end(char letter)
{
	switch (letter) {
	case 'x':
	case 'b':
	case 'c':
	case 'k':
	case 'j':
	case 'M':
	case 'S':
	case 'o':
	case 'p':
	case 'v':
	case 'l':
	case 'h':
	case 'w':
	case 'm':
		return true;
	default:
		return false;
	}
}

/* KEY: RFC 2535 sec 3.1.2, both top flags say that there is no key. */
static bool read_key(struct field_reader *reader)
{
	return field_base64(reader, (reader->octets[0] & 0xc0u) == 0xc0u);
}

HOT static bool read_field(struct field_reader *reader, char letter)
{
	switch (letter) {
	case 'N':
	case 'n':
	case 'd':
		return field_name(reader);
	case '4':
		return field_v4(reader);
	case '6':
		return field_v6(reader);
	case 'B':
		return field_number(reader, 1);
	case 'W':
		return field_number(reader, 2);
	case 'L':
		return field_number(reader, 4);
	case 'Q':
		return field_number(reader, 8);
	case 'D':
		return field_duration(reader);
	case 'E':
		return field_time(reader);
	case 'G':
		return field_algorithm(reader);
	case 'C':
		return field_certificate(reader);
	case 'T':
		return field_type(reader);
	case 'Y':
		return field_scheme(reader);
	case 's':
		return field_string(reader);
	case 'S':
		return field_strings(reader);
	case 'o':
		return field_optional_string(reader);
	case 't':
		return field_tag(reader);
	case 'r':
		return field_long_string(reader);
	case 'x':
		return field_hex(reader);
	case 'b':
		return field_base64(reader, false);
	case 'c':
		return field_base64(reader, true);
	case 'j':
		return field_base64_or_dash(reader);
	case 'k':
		return read_key(reader);
	case 'X':
		return field_salt(reader);
	case 'H':
		return field_hash(reader);
	case 'M':
		return field_types(reader);
	case 'm':
		return special_nxt(reader);
	case 'e':
		return field_eui(reader, 6);
	case 'f':
		return field_eui(reader, 8);
	case 'g':
		return field_locator(reader);
	case 'w':
		return special_wks(reader);
	case 'p':
		return special_apl(reader);
	case 'v':
		return svcb_read(reader);
	case 'l':
		return loc_read(reader);
	case 'I':
		return special_gateway(reader);
	case 'R':
		return special_relay(reader);
	case 'h':
		return special_hip(reader);
	case 'z':
		return special_nsap(reader);
	case 'a':
		return special_atma(reader);
	case 'y':
		return special_a6(reader);
	default:
		check_failed(__FILE__, __LINE__, "a letter that is read");
	}
}

static bool is_generic(const struct token *token)
{
	return token->kind == TOKEN_WORD && token->len == 2 && token->text[0] == '\\' &&
	       token->text[1] == '#';
}

/* Behind `\#`: the length, and the octets in hexadecimal (RFC 3597 sec 5). */
static bool read_generic(struct field_reader *reader, uint16_t type)
{
	uint64_t len;
	bool end;

	if (!field_next(reader, "the length of the RDATA")) {
		return false;
	}
	struct token at = reader->token;
	if (!field_decimal(at.text, at.len, RDATA_LEN_MAX, &len)) {
		return field_fail_token(reader, "a length (expected 0 to 65535)");
	}
	if (len == 0) {
		if (!field_peek_end(reader, &end)) {
			return false;
		}
		if (!end) {
			return field_fail_token(reader, "expected here: the length is 0");
		}
	} else if (!field_hex(reader)) {
		return false;
	}
	if (reader->len != len) {
		reader->token = at;
		reader->ended = true;
		return field_fail(reader, "%u octets of RDATA (expected %u, as the length says)",
			reader->len, (uint32_t)len);
	}
	enum wire_status status = rdata_check(type, reader->octets, reader->len);
	if (status != WIRE_OK) {
		reader->token = at;
		reader->ended = true;
		return field_fail(reader, "these octets are no RDATA of that type: %s",
			wire_status_text(status));
	}
	return true;
}

static bool has_generic_form(struct field_reader *reader)
{
	const uint8_t *at = scan_skip(reader->scanner->at, SCAN_BLANK);

	/* Nearly always no backslash stands here, and that is all there is to see. A parenthesis or a
	 * line end may stand before one, so then the token is read and put back.
	 */
	if (LIKELY(scan_is(*at, SCAN_WORD))) {
		return false;
	}
	struct scanner before = *reader->scanner;
	struct token token;
	if (scanner_next(reader->scanner, &token) != TOKEN_BAD && is_generic(&token)) {
		return true;
	}
	scanner_return(reader->scanner, &before);
	return false;
}

HOT bool rdata_read(struct field_reader *reader, uint16_t type, const char *fields)
{
	char last = '\0';
	bool end;

	reader->len = 0;
	if (UNLIKELY(has_generic_form(reader))) {
		return read_generic(reader, type);
	}
	if (fields == NULL || *fields == 'u') {
		return field_next(reader, "\\# and a length") &&
		       field_fail_token(reader, "\\# (expected: this type has no other form)");
	}
	for (; *fields != '\0'; fields++) {
		last = *fields;
		if (!read_field(reader, last)) {
			return false;
		}
		if (UNLIKELY(reader->len > RDATA_LEN_MAX)) {
			return field_fail(
				reader, "the RDATA is longer than %u octets", RDATA_LEN_MAX);
		}
	}
	if (!eats_end(last)) {
		if (!field_peek_end(reader, &end)) {
			return false;
		}
		if (!end) {
			return field_fail_token(reader, "expected here: the RDATA is complete");
		}
	}
	DASSERT(rdata_check(type, reader->octets, reader->len) == WIRE_OK);
	return true;
}
