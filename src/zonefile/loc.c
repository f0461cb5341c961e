/* loc.c - places on earth. */
#include "zonefile/loc.h"

#include <stdio.h>

#include "base/octets.h"

#define EQUATOR         0x80000000u /* 2^31: the equator, the prime meridian; RFC 1876 sec 2 */
#define ALTITUDE_BASE   10000000u   /* cm below the reference spheroid, ditto */
#define THOUSANDTHS     1000u /* latitude and longitude count thousandths of a second of arc */
#define LATITUDE_MAX    90u
#define LONGITUDE_MAX   180u
#define SIZE_MAX_CM     9000000000ull /* 9e9, the largest that mantissa and exponent can say */
#define ALTITUDE_MAX_CM (UINT32_MAX - ALTITUDE_BASE)

static const uint8_t size_defaults[] = {0x12, 0x16, 0x13}; /* 1 m, 10000 m, 10 m; RFC 1876 sec 3 */

/* Digits, and after a dot up to places more, as a whole number of 10^-places; digits at the end that
 * are zero and too many are dropped.
 */
static bool read_fixed(
	const uint8_t *text, uint32_t len, uint32_t places, uint64_t value_max, uint64_t *out)
{
	uint64_t value = 0;
	uint32_t at = 0;
	uint32_t digits = 0;

	for (; at < len && text[at] - 0u - '0' <= 9u && value <= value_max; at++, digits++) {
		value = value * 10 + (text[at] - 0u - '0');
	}
	if (at < len && text[at] == '.') {
		at++;
	}
	for (uint32_t i = 0; i < places && value <= value_max; i++) {
		bool given = at < len && text[at] - 0u - '0' <= 9u;
		value = value * 10 + (given ? text[at] - 0u - '0' : 0);
		at += given;
		digits += given;
	}
	if (at != len || digits == 0 || value > value_max) {
		return false;
	}
	*out = value;
	return true;
}

/* Degrees, minutes and seconds up to the letter of a hemisphere. */
static bool read_angle(
	struct field_reader *reader, uint32_t degrees_max, char plus, char minus, const char *what)
{
	uint64_t parts[3] = {0};

	for (uint32_t i = 0; i <= 3; i++) {
		if (!field_next(reader, what)) {
			return false;
		}
		const struct token *token = &reader->token;
		if (i > 0 && token->len == 1) {
			char letter = (char)(token->text[0] & 0xdfu); /* to upper case */
			if (letter == plus || letter == minus) {
				uint64_t angle =
					(parts[0] * 3600 + parts[1] * 60) * THOUSANDTHS + parts[2];
				field_put_number(reader,
					letter == plus ? EQUATOR + angle : EQUATOR - angle, 4);
				return true;
			}
		}
		bool good = false;
		if (i == 0) {
			good = field_decimal(token->text, token->len, degrees_max, &parts[0]);
		} else if (i == 1) {
			good = field_decimal(token->text, token->len, 59, &parts[1]);
		} else if (i == 2) {
			good = read_fixed(token->text, token->len, 3, 59999, &parts[2]);
		}
		if (!good) {
			return field_fail_token(reader, what);
		}
	}
	return field_fail_token(reader, what);
}

static uint32_t metres_len(const struct token *token)
{
	bool unit = token->len > 1 && (token->text[token->len - 1] | 0x20) == 'm';

	return token->len - (unit ? 1 : 0);
}

static bool read_altitude(struct field_reader *reader, uint32_t *out)
{
	uint64_t cm;

	if (!field_next(reader, "an altitude")) {
		return false;
	}
	const uint8_t *text = reader->token.text;
	uint32_t len = metres_len(&reader->token);
	bool below = len > 0 && text[0] == '-';
	if (!read_fixed(text + (below ? 1 : 0), len - (below ? 1 : 0), 2,
		    below ? ALTITUDE_BASE : ALTITUDE_MAX_CM, &cm)) {
		return field_fail_token(
			reader, "an altitude (expected metres from -100000.00 to 42849672.95)");
	}
	*out = (uint32_t)(below ? ALTITUDE_BASE - cm : ALTITUDE_BASE + cm);
	return true;
}

/* One digit times a power of ten, in cm; what does not fit is cut (RFC 1876 sec 2). */
static uint8_t to_mantissa(uint64_t cm)
{
	uint32_t exponent = 0;

	while (cm > 9) {
		cm /= 10;
		exponent++;
	}
	return (uint8_t)(cm << 4 | exponent);
}

bool loc_read(struct field_reader *reader)
{
	uint32_t altitude = 0;
	uint8_t *sizes = reader->octets + 1;

	reader->octets[0] = 0; /* version */
	reader->len = 4;
	if (!read_angle(reader, LATITUDE_MAX, 'N', 'S',
		    "part of a latitude (expected degrees to 90, minutes and seconds below 60, N "
		    "or S)") ||
		!read_angle(reader, LONGITUDE_MAX, 'E', 'W',
			"part of a longitude (expected degrees to 180, minutes and seconds below "
			"60, E or W)") ||
		!read_altitude(reader, &altitude)) {
		return false;
	}
	field_put_number(reader, altitude, 4);
	for (uint32_t i = 0; i < sizeof(size_defaults); i++) {
		sizes[i] = size_defaults[i];
	}
	for (uint32_t i = 0;; i++) {
		uint64_t cm;
		bool end;
		if (!field_peek_end(reader, &end)) {
			return false;
		}
		if (end) {
			return true;
		}
		if (i == sizeof(size_defaults)) {
			return field_fail_token(reader, "expected here: the RDATA is complete");
		}
		/* The largest number has .99 more than its mantissa can say, and peers take that. */
		if (!read_fixed(reader->token.text, metres_len(&reader->token), 2, SIZE_MAX_CM + 99,
			    &cm)) {
			return field_fail_token(
				reader, "a size or precision (expected metres to 90000000)");
		}
		sizes[i] = to_mantissa(cm);
	}
}

static uint32_t put_angle(uint32_t value, uint32_t degrees_max, char plus, char minus, char *text)
{
	uint32_t angle = value >= EQUATOR ? value - EQUATOR : EQUATOR - value;
	uint32_t seconds = angle / THOUSANDTHS;

	if (seconds / 3600 > degrees_max) {
		return 0;
	}
	return (uint32_t)sprintf(text, "%u %u %u.%03u %c ", seconds / 3600, seconds / 60 % 60,
		seconds % 60, angle % THOUSANDTHS, value >= EQUATOR ? plus : minus);
}

static uint32_t put_metres(uint64_t cm, bool below, char *text)
{
	return (uint32_t)sprintf(text, "%s%llu.%02llum", below ? "-" : "",
		(unsigned long long)(cm / 100), (unsigned long long)(cm % 100));
}

uint32_t loc_to_text(const uint8_t *rdata, char *text)
{
	uint32_t len = put_angle(octets_get_u32(rdata + 4), LATITUDE_MAX, 'N', 'S', text);
	uint32_t more = put_angle(octets_get_u32(rdata + 8), LONGITUDE_MAX, 'E', 'W', text + len);
	int64_t altitude = (int64_t)octets_get_u32(rdata + 12) - (int64_t)ALTITUDE_BASE;

	if (len == 0 || more == 0) {
		return 0;
	}
	len += more;
	len += put_metres(
		(uint64_t)(altitude < 0 ? -altitude : altitude), altitude < 0, text + len);
	for (uint32_t i = 1; i <= sizeof(size_defaults); i++) {
		uint64_t cm = rdata[i] >> 4;
		if (cm == 0 && (rdata[i] & 15) != 0) { /* zero times a power reads back as zero */
			return 0;
		}
		for (uint32_t power = rdata[i] & 15; power > 0; power--) {
			cm *= 10;
		}
		text[len++] = ' ';
		len += put_metres(cm, false, text + len);
	}
	return len;
}
