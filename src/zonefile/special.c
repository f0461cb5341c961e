/* special.c - WKS, NXT, APL, HIP, IPSECKEY, AMTRELAY, NSAP, ATMA, A6. */
#include "zonefile/special.h"

#include <string.h>

#include "base/addr.h"
#include "base/octets.h"
#include "wire/rrtype.h"
#include "zonefile/encode.h"
#include "zonefile/mnemonic.h"

#define NXT_TYPE_MAX     127u  /* RFC 2535 sec 5.2 */
#define APL_ITEM_MAX     20u   /* octets: head and an IPv6 address, RFC 3123 sec 4 */
#define APL_NEGATION     0x80u /* the top bit of the length octet, ditto */
#define HIT_LEN_MAX      255u  /* its length is one octet, RFC 8005 sec 5 */
#define ATMA_E164        1u    /* ATM Forum af-dans-0152 sec 5.2; 0 is an address in hexadecimal */
#define AMTRELAY_D_SHIFT 7     /* the discovery bit stands above the type, RFC 8777 sec 4.2 */
#define A6_PREFIX_MAX    128u
#define ADDRESS_LEN      16u

/* Bits 0 to bit_max to the end of the entry; empty types[] again afterwards. */
static bool put_bits(struct field_reader *reader, bool any, uint32_t bit_max)
{
	uint32_t len = any ? bit_max / 8 + 1 : 0;
	bool fits = field_put(reader, reader->types, len);

	memset(reader->types, 0, len);
	return fits;
}

static bool read_port(const struct token *token, uint32_t *out)
{
	uint64_t number;

	if (mnemonic_find(MNEMONIC_SERVICE, token->text, token->len, out)) {
		return true;
	}
	if (!field_decimal(token->text, token->len, UINT16_MAX, &number)) {
		return false;
	}
	*out = (uint32_t)number;
	return true;
}

bool special_wks(struct field_reader *reader)
{
	uint32_t protocol;
	uint64_t number;
	uint32_t port_max = 0;
	bool any = false;
	bool good = true;

	if (!field_next(reader, "a protocol")) {
		return false;
	}
	if (mnemonic_find(MNEMONIC_PROTOCOL, reader->token.text, reader->token.len, &protocol)) {
		number = protocol;
	} else if (!field_decimal(reader->token.text, reader->token.len, UINT8_MAX, &number)) {
		return field_fail_token(
			reader, "a protocol (expected tcp, udp, or a number to 255)");
	}
	field_put_number(reader, number, 1);
	while (good) {
		uint32_t port;
		bool end;
		good = field_peek_end(reader, &end);
		if (!good || end) {
			break;
		}
		if (!read_port(&reader->token, &port)) {
			good = field_fail_token(
				reader, "a port (expected a service or a number to 65535)");
			break;
		}
		reader->types[port / 8] |= (uint8_t)(0x80u >> (port % 8));
		port_max = port > port_max ? port : port_max;
		any = true;
	}
	return put_bits(reader, any, port_max) && good;
}

bool special_nxt(struct field_reader *reader)
{
	uint32_t type_max = 0;
	bool good = true;
	bool any = false;

	while (good) {
		uint16_t type;
		bool end;
		good = field_peek_end(reader, &end);
		if (!good || end) {
			break;
		}
		if (!rrtype_from_text((const char *)reader->token.text, reader->token.len, &type) ||
			type == 0 || type > NXT_TYPE_MAX) {
			good = field_fail_token(reader, "an RR type from 1 to 127");
			break;
		}
		reader->types[type / 8u] |= (uint8_t)(0x80u >> (type % 8u));
		type_max = type > type_max ? type : type_max;
		any = true;
	}
	if (good && !any) {
		return field_fail(reader, "the entry ends too soon (expected RR types)");
	}
	return put_bits(reader, any, type_max) && good;
}

/* [!]family:address/prefix to item[APL_ITEM_MAX]; the length of the item, 0 where it is none. */
static uint32_t read_apl_item(const struct token *token, uint8_t *item)
{
	const uint8_t *at = token->text;
	const uint8_t *end = token->text + token->len;
	uint8_t negation = 0;
	uint64_t prefix;

	if (at < end && *at == '!') {
		negation = APL_NEGATION;
		at++;
	}
	if (end - at < 2 || (at[0] != '1' && at[0] != '2') || at[1] != ':') {
		return 0;
	}
	bool is_v4 = at[0] == '1';
	uint32_t len = is_v4 ? 4 : ADDRESS_LEN;
	at += 2;
	const uint8_t *slash = memchr(at, '/', (size_t)(end - at));
	if (slash == NULL) {
		return 0;
	}
	uint32_t address_len = (uint32_t)(slash - at);
	if (is_v4 ? !addr_parse_v4((const char *)at, address_len, item + 4)
		  : !addr_parse_v6((const char *)at, address_len, item + 4)) {
		return 0;
	}
	if (!field_decimal(slash + 1, (uint32_t)(end - slash - 1), 8 * len, &prefix)) {
		return 0;
	}
	while (len > 0 && item[4 + len - 1] == 0) { /* RFC 3123 sec 4: no zero octets at the end */
		len--;
	}
	octets_put_u16(item, is_v4 ? 1 : 2);
	item[2] = (uint8_t)prefix;
	item[3] = (uint8_t)(negation | len);
	return 4 + len;
}

bool special_apl(struct field_reader *reader)
{
	for (;;) {
		uint8_t item[APL_ITEM_MAX];
		bool end;
		if (!field_peek_end(reader, &end)) {
			return false;
		}
		if (end) {
			return true;
		}
		uint32_t len = read_apl_item(&reader->token, item);
		if (len == 0) {
			return field_fail_token(reader,
				"an address prefix (expected [!]1:IPv4/0 to 32 or [!]2:IPv6/0 to "
				"128)");
		}
		if (!field_put(reader, item, len)) {
			return false;
		}
	}
}

/* One token that is wholly decoded into scratch. */
static bool read_encoded_token(
	struct field_reader *reader, bool base64, uint32_t len_max, uint32_t *len_out)
{
	struct encode_state state = {0};
	const struct token *token = &reader->token;
	bool good;

	if (!field_next(reader, base64 ? "base64" : "hexadecimal")) {
		return false;
	}
	if (token->len > (base64 ? (len_max / 3 + 1) * 4 : 2 * len_max)) {
		return field_fail(reader, "more than %u octets in one word", len_max);
	}
	if (base64) {
		good = encode_read_base64(
			       &state, token->text, token->len, reader->params, len_out) &&
		       encode_base64_is_whole(&state);
	} else {
		good = encode_read_hex(&state, token->text, token->len, reader->params, len_out) &&
		       encode_hex_is_whole(&state);
	}
	if (!good || *len_out == 0 || *len_out > len_max) {
		return field_fail_token(reader, base64 ? "base64" : "hexadecimal");
	}
	return true;
}

/* RFC 8005 sec 6: algorithm, HIT in hexadecimal, key in base64 without blanks, servers. */
bool special_hip(struct field_reader *reader)
{
	uint32_t start = reader->len;
	uint32_t hit_len, key_len;

	reader->len += 1; /* length of the HIT, known later */
	if (!field_number(reader, 1)) {
		return false;
	}
	reader->len += 2; /* length of the key, ditto */
	if (!read_encoded_token(reader, false, HIT_LEN_MAX, &hit_len) ||
		!field_put(reader, reader->params, hit_len) ||
		!read_encoded_token(reader, true, RDATA_LEN_MAX, &key_len) ||
		!field_put(reader, reader->params, key_len)) {
		return false;
	}
	reader->octets[start] = (uint8_t)hit_len;
	octets_put_u16(reader->octets + start + 2, (uint16_t)key_len);
	for (;;) {
		struct scanner before = *reader->scanner;
		bool end;
		if (!field_peek_end(reader, &end)) {
			return false;
		}
		if (end) {
			return true;
		}
		scanner_return(reader->scanner, &before);
		if (reader->len > RDATA_LEN_MAX) {
			return field_fail(
				reader, "the RDATA is longer than %u octets", RDATA_LEN_MAX);
		}
		if (!field_name(reader)) {
			return false;
		}
	}
}

/* The gateway or relay of that kind: `.`, an address or a name. */
static bool read_gateway(struct field_reader *reader, uint32_t kind)
{
	switch (kind) {
	case 0:
		if (!field_next(reader, ".")) {
			return false;
		}
		if (reader->token.len != 1 || reader->token.text[0] != '.') {
			return field_fail_token(reader, "a single dot (expected for type 0)");
		}
		return true;
	case 1:
		return field_v4(reader);
	case 2:
		return field_v6(reader);
	case 3:
		return field_name(reader);
	default:
		return field_fail(reader, "gateway type %u (expected 0 to 3)", kind);
	}
}

/* RFC 4025 sec 3.1; the gateway type was the second number. */
bool special_gateway(struct field_reader *reader)
{
	return read_gateway(reader, reader->octets[1]);
}

/* RFC 8777 sec 4.3.1: discovery bit, type, relay. */
bool special_relay(struct field_reader *reader)
{
	uint32_t at = reader->len;

	if (!field_number(reader, 1)) {
		return false;
	}
	if (reader->octets[at] > 1) {
		return field_fail_token(reader, "a discovery bit (expected 0 or 1)");
	}
	uint32_t discovery = reader->octets[at];
	reader->len = at;
	if (!field_number(reader, 1)) {
		return false;
	}
	uint32_t kind = reader->octets[at];
	reader->octets[at] = (uint8_t)(discovery << AMTRELAY_D_SHIFT | kind);
	return read_gateway(reader, kind);
}

/* Hexadecimal with dots wherever the writer liked them, at least len_min octets. */
static bool put_dotted_hex(
	struct field_reader *reader, const uint8_t *text, uint32_t len, const char *what)
{
	uint32_t bits = 0;
	uint32_t digits = 0;

	for (uint32_t i = 0; i < len; i++) {
		uint32_t digit = encode_hex_digit(text[i]);
		if (text[i] == '.') {
			continue;
		}
		if (digit > 15) {
			return field_fail_token(reader, what);
		}
		bits = bits << 4 | digit;
		if (++digits % 2 == 0) {
			const uint8_t octet = (uint8_t)bits;
			if (!field_put(reader, &octet, 1)) {
				return false;
			}
		}
	}
	return (digits > 0 && digits % 2 == 0) || field_fail_token(reader, what);
}

/* RFC 1706 sec 5: 0x and hexadecimal digits with dots. */
bool special_nsap(struct field_reader *reader)
{
	static const char what[] = "an NSAP address (expected 0x and hexadecimal)";

	if (!field_next(reader, "an NSAP address")) {
		return false;
	}
	const struct token *token = &reader->token;
	if (token->len < 2 || token->text[0] != '0' || (token->text[1] | 0x20) != 'x') {
		return field_fail_token(reader, what);
	}
	return put_dotted_hex(reader, token->text + 2, token->len - 2, what);
}

/* `+` and the digits of a telephone number, or an address in hexadecimal. */
bool special_atma(struct field_reader *reader)
{
	static const char what[] = "an ATM address (expected + and digits, or hexadecimal)";

	if (!field_next(reader, "an ATM address")) {
		return false;
	}
	const struct token *token = &reader->token;
	bool is_e164 = token->len > 1 && token->text[0] == '+';
	field_put_number(reader, is_e164 ? ATMA_E164 : 0, 1);
	if (!is_e164) {
		return put_dotted_hex(reader, token->text, token->len, what);
	}
	for (uint32_t i = 1; i < token->len; i++) {
		if (token->text[i] == '.') {
			continue;
		}
		if (token->text[i] - 0u - '0' > 9u) {
			return field_fail_token(reader, what);
		}
		if (!field_put(reader, token->text + i, 1)) {
			return false;
		}
	}
	return reader->len > 1 || field_fail_token(reader, what);
}

/* RFC 2874 sec 3.2: prefix length, the suffix as an address, and the prefix's name unless it is 0. */
bool special_a6(struct field_reader *reader)
{
	uint8_t address[ADDRESS_LEN] = {0};
	uint32_t at = reader->len;

	if (!field_number(reader, 1)) {
		return false;
	}
	uint32_t prefix = reader->octets[at];
	if (prefix > A6_PREFIX_MAX) {
		return field_fail_token(reader, "a prefix length (expected 0 to 128)");
	}
	if (prefix < A6_PREFIX_MAX) {
		if (!field_next(reader, "an IPv6 address")) {
			return false;
		}
		if (!addr_parse_v6((const char *)reader->token.text, reader->token.len, address)) {
			return field_fail_token(reader, "an IPv6 address");
		}
	}
	uint32_t first = prefix / 8;
	if (prefix < A6_PREFIX_MAX) { /* what the prefix covers is zero, RFC 2874 sec 3.1.1 */
		address[first] &= (uint8_t)(0xffu >> (prefix % 8));
		if (!field_put(reader, address + first, ADDRESS_LEN - first)) {
			return false;
		}
	}
	return prefix == 0 || field_name(reader);
}
