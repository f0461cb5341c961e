/* rdata_text.c - prints RDATA field by field.
 *
 * A field prints itself and a blank behind it; what has no text of its own makes the whole RDATA
 * generic (RFC 3597 sec 5).
 */
#include "zonefile/rdata_text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/addr.h"
#include "base/check.h"
#include "base/octets.h"
#include "wire/name.h"
#include "wire/rrtype.h"
#include "wire/svcb.h"
#include "zonefile/calendar.h"
#include "zonefile/encode.h"
#include "zonefile/loc.h"
#include "zonefile/mnemonic.h"

#define WINDOW_BITS      256u /* types of one bitmap window, RFC 4034 sec 4.1.2 */
#define APL_FAMILY_V4    1u
#define APL_FAMILY_V6    2u
#define APL_HEAD_LEN     4u
#define APL_NEGATION     0x80u
#define AMTRELAY_D_SHIFT 7
#define ATMA_E164        1u
#define ATMA_HEX         0u
#define A6_PREFIX_MAX    128u
#define ADDRESS_LEN_6    16u
#define ADDRESS_LEN_4    4u
#define EUI48_LEN        6u
#define EUI64_LEN        8u

/* RDATA under way. The room is enough for whatever checked RDATA can become, see RDATA_TEXT_MAX. */
struct print {
	const uint8_t *rdata; /* the whole */
	const uint8_t *at;    /* the field */
	const uint8_t *end;
	char *text;
	size_t len;
};

static void put_char(struct print *print, char c)
{
	print->text[print->len++] = c;
}

static void put_words(struct print *print, const char *words)
{
	size_t len = strlen(words);

	memcpy(print->text + print->len, words, len);
	print->len += len;
}

static void put_number(struct print *print, uint64_t value)
{
	print->len += (size_t)sprintf(print->text + print->len, "%llu", (unsigned long long)value);
}

static uint64_t take_number(struct print *print, uint32_t octets)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < octets; i++) {
		value = value << 8 | *print->at++;
	}
	return value;
}

static uint32_t left(const struct print *print)
{
	return (uint32_t)(print->end - print->at);
}

static void put_name(struct print *print)
{
	print->len += name_octets_to_text(print->at, print->text + print->len);
	while (*print->at != 0) {
		print->at += *print->at + 1u;
	}
	print->at++;
}

/* One octet inside quotes. */
static void put_quoted_octet(struct print *print, uint8_t octet)
{
	if (octet == '"' || octet == '\\') {
		put_char(print, '\\');
		put_char(print, (char)octet);
	} else if (octet < ' ' || octet > '~') {
		print->len += (size_t)sprintf(print->text + print->len, "\\%03u", octet);
	} else {
		put_char(print, (char)octet);
	}
}

static void put_quoted(struct print *print, const uint8_t *octets, uint32_t len)
{
	put_char(print, '"');
	for (uint32_t i = 0; i < len; i++) {
		put_quoted_octet(print, octets[i]);
	}
	put_char(print, '"');
}

static void put_string(struct print *print)
{
	uint32_t len = *print->at++;

	put_quoted(print, print->at, len);
	print->at += len;
}

static void put_strings(struct print *print)
{
	while (left(print) > 0) {
		put_string(print);
		put_char(print, ' ');
	}
	print->len--; /* the caller puts the last blank */
}

static void put_v4(struct print *print)
{
	print->len += addr_v4_to_text(print->at, print->text + print->len);
	print->at += ADDRESS_LEN_4;
}

static void put_v6(struct print *print)
{
	print->len += addr_v6_to_text(print->at, print->text + print->len);
	print->at += ADDRESS_LEN_6;
}

static void put_type(struct print *print, uint16_t type)
{
	put_words(print, rrtype_to_text(type, print->text + print->len));
}

static void put_hex(struct print *print, uint32_t len)
{
	print->len += encode_write_hex(print->at, len, print->text + print->len);
	print->at += len;
}

static void put_base64(struct print *print, uint32_t len)
{
	print->len += encode_write_base64(print->at, len, print->text + print->len);
	print->at += len;
}

static void put_salt(struct print *print)
{
	uint32_t len = *print->at++;

	if (len == 0) {
		put_char(print, '-');
	}
	put_hex(print, len);
}

static void put_hash(struct print *print)
{
	uint32_t len = *print->at++;

	print->len += encode_write_base32hex(print->at, len, print->text + print->len);
	print->at += len;
}

static void put_time(struct print *print)
{
	calendar_to_text((uint32_t)take_number(print, 4), print->text + print->len);
	print->len += CALENDAR_TEXT_LEN;
}

/* The types of len octets of bits, the first of which is type base; a blank behind each. */
static void put_bits(struct print *print, uint32_t base, uint32_t len)
{
	for (uint32_t bit = 0; bit < 8 * len; bit++) {
		if ((print->at[bit / 8] & (0x80u >> (bit % 8))) != 0) {
			put_type(print, (uint16_t)(base + bit));
			put_char(print, ' ');
		}
	}
	print->at += len;
}

static void put_windows(struct print *print)
{
	while (left(print) > 0) {
		uint32_t window = *print->at++;
		uint32_t len = *print->at++;
		put_bits(print, window * WINDOW_BITS, len);
	}
}

static void put_groups(struct print *print, uint32_t count, uint32_t octets, char separator)
{
	for (uint32_t i = 0; i < count; i++) {
		if (i > 0) {
			put_char(print, separator);
		}
		put_hex(print, octets);
	}
}

/* false: bits that end in zero octets, which text does not tell. */
static bool put_wks(struct print *print)
{
	put_number(print, *print->at++);
	uint32_t len = left(print);
	if (len > 0 && print->at[len - 1] == 0) {
		return false;
	}
	for (uint32_t port = 0; port < 8 * len; port++) {
		if ((print->at[port / 8] & (0x80u >> (port % 8))) != 0) {
			put_char(print, ' ');
			put_number(print, port);
		}
	}
	print->at += len;
	return true;
}

static bool put_apl(struct print *print)
{
	while (left(print) > 0) {
		uint8_t address[ADDRESS_LEN_6] = {0};
		uint32_t family = octets_get_u16(print->at);
		uint32_t prefix = print->at[2];
		uint32_t len = print->at[3] & ~APL_NEGATION;
		bool negation = (print->at[3] & APL_NEGATION) != 0;
		bool is_known = family == APL_FAMILY_V4 || family == APL_FAMILY_V6;
		if (!is_known || (len > 0 && print->at[APL_HEAD_LEN + len - 1] == 0)) {
			return false;
		}
		memcpy(address, print->at + APL_HEAD_LEN, len);
		print->at += APL_HEAD_LEN + len;
		put_words(print, negation ? "!" : "");
		put_number(print, family);
		put_char(print, ':');
		char *text = print->text + print->len;
		print->len += family == APL_FAMILY_V4 ? addr_v4_to_text(address, text)
						      : addr_v6_to_text(address, text);
		put_char(print, '/');
		put_number(print, prefix);
		put_char(print, ' ');
	}
	return true;
}

static void put_gateway(struct print *print, uint32_t kind)
{
	switch (kind) {
	case 1:
		put_v4(print);
		break;
	case 2:
		put_v6(print);
		break;
	case 3:
		put_name(print);
		break;
	default:
		put_char(print, '.');
	}
}

static void put_relay(struct print *print)
{
	uint32_t octet = *print->at++;
	uint32_t kind = octet & ((1u << AMTRELAY_D_SHIFT) - 1);

	put_number(print, octet >> AMTRELAY_D_SHIFT);
	put_char(print, ' ');
	put_number(print, kind);
	put_char(print, ' ');
	put_gateway(print, kind);
}

static void put_hip(struct print *print)
{
	uint32_t hit_len = *print->at++;
	put_number(print, *print->at++);
	put_char(print, ' ');
	uint32_t key_len = (uint32_t)take_number(print, 2);
	put_hex(print, hit_len);
	put_char(print, ' ');
	put_base64(print, key_len);
	while (left(print) > 0) {
		put_char(print, ' ');
		put_name(print);
	}
}

static void put_nsap(struct print *print)
{
	put_words(print, "0x");
	put_hex(print, left(print));
}

static bool put_atma(struct print *print)
{
	uint32_t format = *print->at++;

	if (format == ATMA_HEX) {
		put_hex(print, left(print));
		return true;
	}
	if (format != ATMA_E164) {
		return false;
	}
	put_char(print, '+');
	while (left(print) > 0) {
		if (*print->at - 0u - '0' > 9u) {
			return false;
		}
		put_char(print, (char)*print->at++);
	}
	return true;
}

static bool put_a6(struct print *print)
{
	uint8_t address[ADDRESS_LEN_6] = {0};
	uint32_t prefix = *print->at++;
	uint32_t first = prefix / 8;
	uint32_t len = (A6_PREFIX_MAX - prefix + 7) / 8;

	put_number(print, prefix);
	if (len > 0) {
		memcpy(address + ADDRESS_LEN_6 - len, print->at, len);
		if ((address[first] & ~(0xffu >> (prefix % 8))) != 0) {
			return false; /* octets that the prefix's name gives */
		}
		put_char(print, ' ');
		print->len += addr_v6_to_text(address, print->text + print->len);
		print->at += len;
	}
	if (prefix > 0) {
		put_char(print, ' ');
		put_name(print);
	}
	return true;
}

static bool put_loc(struct print *print)
{
	if (*print->at != 0) { /* another version than the one there is */
		return false;
	}
	uint32_t len = loc_to_text(print->at, print->text + print->len);
	print->len += len;
	print->at += LOC_LEN;
	return len > 0;
}

static void put_svcb_key(struct print *print, uint32_t key)
{
	const char *word = mnemonic_word(MNEMONIC_SVCB_KEY, key);

	if (word != NULL) {
		put_words(print, word);
	} else {
		put_words(print, "key");
		put_number(print, key);
	}
}

/* Protocol identifiers: their own escapes first, those of a quoted string over them. */
static void put_alpn(struct print *print, uint32_t len)
{
	const uint8_t *end = print->at + len;

	while (print->at < end) {
		uint32_t id_len = *print->at++;
		for (uint32_t i = 0; i < id_len; i++) {
			if (print->at[i] == ',' || print->at[i] == '\\') {
				put_quoted_octet(print, '\\');
			}
			put_quoted_octet(print, print->at[i]);
		}
		print->at += id_len;
		put_words(print, print->at < end ? "," : "");
	}
}

static void put_svcb_value(struct print *print, uint32_t key, uint32_t len)
{
	const uint8_t *end = print->at + len;

	switch (key) {
	case SVCB_MANDATORY:
		while (print->at < end) {
			put_svcb_key(print, (uint32_t)take_number(print, 2));
			put_words(print, print->at < end ? "," : "");
		}
		return;
	case SVCB_PORT:
		put_number(print, take_number(print, 2));
		return;
	case SVCB_IPV4HINT:
		while (print->at < end) {
			put_v4(print);
			put_words(print, print->at < end ? "," : "");
		}
		return;
	case SVCB_IPV6HINT:
		while (print->at < end) {
			put_v6(print);
			put_words(print, print->at < end ? "," : "");
		}
		return;
	case SVCB_ECH:
		put_base64(print, len);
		return;
	case SVCB_ALPN:
		put_char(print, '"');
		put_alpn(print, len);
		put_char(print, '"');
		return;
	default:
		put_quoted(print, print->at, len);
		print->at = end;
	}
}

static void put_svcb(struct print *print)
{
	while (left(print) > 0) {
		uint32_t key = (uint32_t)take_number(print, 2);
		uint32_t len = (uint32_t)take_number(print, 2);
		put_svcb_key(print, key);
		if (len > 0) {
			put_char(print, '=');
			put_svcb_value(print, key, len);
		}
		put_char(print, ' ');
	}
}

/* false: this field has no text that says the same. */
static bool put_field(struct print *print, char letter)
{
	switch (letter) {
	case 'N':
	case 'n':
	case 'd':
		put_name(print);
		break;
	case '4':
		put_v4(print);
		break;
	case '6':
		put_v6(print);
		break;
	case 'B':
	case 'G':
	case 'Y':
		put_number(print, take_number(print, 1));
		break;
	case 'W':
	case 'C':
		put_number(print, take_number(print, 2));
		break;
	case 'L':
	case 'D':
		put_number(print, take_number(print, 4));
		break;
	case 'Q':
		put_number(print, take_number(print, 8));
		break;
	case 'E':
		put_time(print);
		break;
	case 'T':
		put_type(print, (uint16_t)take_number(print, 2));
		break;
	case 's':
	case 't':
		put_string(print);
		break;
	case 'o':
		if (left(print) > 0) {
			put_string(print);
		}
		break;
	case 'S':
		put_strings(print);
		break;
	case 'r':
		put_quoted(print, print->at, left(print));
		print->at = print->end;
		break;
	case 'x':
		put_hex(print, left(print));
		break;
	case 'b':
	case 'c':
	case 'k':
		put_base64(print, left(print));
		break;
	case 'j':
		put_words(print, left(print) == 0 ? "-" : "");
		put_base64(print, left(print));
		break;
	case 'X':
		put_salt(print);
		break;
	case 'H':
		put_hash(print);
		break;
	case 'M':
		put_windows(print);
		break;
	case 'm':
		put_bits(print, 0, left(print));
		break;
	case 'e':
		put_groups(print, EUI48_LEN, 1, '-');
		break;
	case 'f':
		put_groups(print, EUI64_LEN, 1, '-');
		break;
	case 'g':
		put_groups(print, 4, 2, ':');
		break;
	case 'w':
		return put_wks(print);
	case 'p':
		return put_apl(print);
	case 'v':
		put_svcb(print);
		break;
	case 'l':
		return put_loc(print);
	case 'I':
		put_gateway(print, print->rdata[1]);
		break;
	case 'R':
		put_relay(print);
		break;
	case 'h':
		put_hip(print);
		break;
	case 'z':
		put_nsap(print);
		break;
	case 'a':
		return put_atma(print);
	case 'y':
		return put_a6(print);
	default:
		return false;
	}
	return true;
}

static size_t put_generic(const uint8_t *rdata, uint32_t len, char *text)
{
	size_t at = (size_t)sprintf(text, "\\# %u%s", len, len > 0 ? " " : "");

	at += encode_write_hex(rdata, len, text + at);
	text[at] = '\0';
	return at;
}

size_t rdata_text_print(uint16_t type, const uint8_t *rdata, uint32_t len, char *text, size_t cap)
{
	const struct rrtype_info *info = rrtype_info(type);
	struct print print = {.rdata = rdata, .at = rdata, .end = rdata + len, .text = text};

	ASSERT(cap >= RDATA_TEXT_MAX);
	if (info == NULL) {
		return put_generic(rdata, len, text);
	}
	for (const char *letter = info->fields; *letter != '\0'; letter++) {
		if (!put_field(&print, *letter)) {
			return put_generic(rdata, len, text);
		}
		/* Optional fields that are absent leave no blank behind. */
		if (print.len > 0 && text[print.len - 1] != ' ') {
			put_char(&print, ' ');
		}
	}
	DASSERT(print.at == print.end);
	while (print.len > 0 && text[print.len - 1] == ' ') {
		print.len--;
	}
	text[print.len] = '\0';
	return print.len;
}
