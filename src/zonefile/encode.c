/* encode.c - hexadecimal, base64, base32hex. */
#include "zonefile/encode.h"

#include <stddef.h>

static const char hex_digits[] = "0123456789ABCDEF";
static const char base64_digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char base32hex_digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

/* Values of digits plus one, so that what is no digit is zero. */
static const uint8_t hex_values[256] = {['0'] = 1,
	['1'] = 2,
	['2'] = 3,
	['3'] = 4,
	['4'] = 5,
	['5'] = 6,
	['6'] = 7,
	['7'] = 8,
	['8'] = 9,
	['9'] = 10,
	['a'] = 11,
	['b'] = 12,
	['c'] = 13,
	['d'] = 14,
	['e'] = 15,
	['f'] = 16,
	['A'] = 11,
	['B'] = 12,
	['C'] = 13,
	['D'] = 14,
	['E'] = 15,
	['F'] = 16};
static const uint8_t base64_values[256] = {['A'] = 1,
	['B'] = 2,
	['C'] = 3,
	['D'] = 4,
	['E'] = 5,
	['F'] = 6,
	['G'] = 7,
	['H'] = 8,
	['I'] = 9,
	['J'] = 10,
	['K'] = 11,
	['L'] = 12,
	['M'] = 13,
	['N'] = 14,
	['O'] = 15,
	['P'] = 16,
	['Q'] = 17,
	['R'] = 18,
	['S'] = 19,
	['T'] = 20,
	['U'] = 21,
	['V'] = 22,
	['W'] = 23,
	['X'] = 24,
	['Y'] = 25,
	['Z'] = 26,
	['a'] = 27,
	['b'] = 28,
	['c'] = 29,
	['d'] = 30,
	['e'] = 31,
	['f'] = 32,
	['g'] = 33,
	['h'] = 34,
	['i'] = 35,
	['j'] = 36,
	['k'] = 37,
	['l'] = 38,
	['m'] = 39,
	['n'] = 40,
	['o'] = 41,
	['p'] = 42,
	['q'] = 43,
	['r'] = 44,
	['s'] = 45,
	['t'] = 46,
	['u'] = 47,
	['v'] = 48,
	['w'] = 49,
	['x'] = 50,
	['y'] = 51,
	['z'] = 52,
	['0'] = 53,
	['1'] = 54,
	['2'] = 55,
	['3'] = 56,
	['4'] = 57,
	['5'] = 58,
	['6'] = 59,
	['7'] = 60,
	['8'] = 61,
	['9'] = 62,
	['+'] = 63,
	['/'] = 64};

uint32_t encode_hex_digit(uint8_t octet)
{
	return hex_values[octet] != 0 ? hex_values[octet] - 1u : 16u;
}

bool encode_read_hex(struct encode_state *state, const uint8_t *text, uint32_t len, uint8_t *out,
	uint32_t *out_len)
{
	uint32_t written = 0;

	for (uint32_t i = 0; i < len; i++) {
		uint32_t value = hex_values[text[i]];
		if (value == 0) {
			return false;
		}
		state->bits = state->bits << 4 | (value - 1);
		if (++state->digits % 2 == 0) {
			out[written++] = (uint8_t)state->bits;
		}
	}
	*out_len = written;
	return true;
}

bool encode_hex_is_whole(const struct encode_state *state)
{
	return state->digits % 2 == 0;
}

/* Groups of four digits to three octets each, as long as there are any; returns the groups. */
static uint32_t read_groups(const uint8_t *text, uint32_t len, uint8_t *out)
{
	uint32_t groups = 0;

	for (; len - 4 * groups >= 4; groups++) {
		const uint8_t *at = text + (size_t)groups * 4;
		uint32_t a = base64_values[at[0]];
		uint32_t b = base64_values[at[1]];
		uint32_t c = base64_values[at[2]];
		uint32_t d = base64_values[at[3]];
		if (a == 0 || b == 0 || c == 0 || d == 0) {
			break;
		}
		uint32_t bits = (a - 1) << 18 | (b - 1) << 12 | (c - 1) << 6 | (d - 1);
		*out++ = (uint8_t)(bits >> 16);
		*out++ = (uint8_t)(bits >> 8);
		*out++ = (uint8_t)bits;
	}
	return groups;
}

bool encode_read_base64(struct encode_state *state, const uint8_t *text, uint32_t len, uint8_t *out,
	uint32_t *out_len)
{
	uint32_t written = 0;
	uint32_t i = 0;

	if (state->bit_count == 0 && state->padding == 0) {
		uint32_t groups = read_groups(text, len, out);
		state->digits += 4 * groups;
		written = 3 * groups;
		i = 4 * groups;
	}
	for (; i < len; i++) {
		if (text[i] == '=') {
			state->padding++;
			continue;
		}
		uint32_t value = base64_values[text[i]];
		if (value == 0 || state->padding > 0) {
			return false;
		}
		state->digits++;
		state->bits = state->bits << 6 | (value - 1);
		state->bit_count += 6;
		if (state->bit_count >= 8) {
			state->bit_count -= 8;
			out[written++] = (uint8_t)(state->bits >> state->bit_count);
		}
	}
	*out_len = written;
	return true;
}

bool encode_base64_is_whole(const struct encode_state *state)
{
	uint32_t unused = state->bits & ((1u << state->bit_count) - 1u);

	if (unused != 0) {
		return false;
	}
	switch (state->digits % 4) {
	case 0:
		return state->padding == 0;
	case 2:
		return state->padding == 2;
	case 3:
		return state->padding == 1;
	default:
		return false;
	}
}

bool encode_read_base32hex(const uint8_t *text, uint32_t len, uint8_t *out, uint32_t *out_len)
{
	uint32_t bits = 0;
	uint32_t bit_count = 0;
	uint32_t written = 0;

	for (uint32_t i = 0; i < len; i++) {
		uint32_t digit = text[i] - 0u - '0';
		if (digit > 9) {
			digit = (text[i] | 0x20u) - 'a';
			if (digit > 21) {
				return false;
			}
			digit += 10;
		}
		bits = bits << 5 | digit;
		bit_count += 5;
		if (bit_count >= 8) {
			bit_count -= 8;
			out[written++] = (uint8_t)(bits >> bit_count);
		}
	}
	*out_len = written;
	/* Five bits or more left over are a character that was not needed. */
	return bit_count < 5 && (bits & ((1u << bit_count) - 1u)) == 0;
}

uint32_t encode_write_hex(const uint8_t *octets, uint32_t len, char *text)
{
	for (uint32_t i = 0; i < len; i++) {
		text[2 * i] = hex_digits[octets[i] >> 4];
		text[2 * i + 1] = hex_digits[octets[i] & 15];
	}
	return 2 * len;
}

uint32_t encode_write_base64(const uint8_t *octets, uint32_t len, char *text)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < len; i += 3) {
		uint32_t left = len - i;
		uint32_t bits = (uint32_t)octets[i] << 16;
		bits |= left > 1 ? (uint32_t)octets[i + 1] << 8 : 0;
		bits |= left > 2 ? octets[i + 2] : 0;
		text[at++] = base64_digits[bits >> 18];
		text[at++] = base64_digits[bits >> 12 & 63];
		text[at++] = left > 1 ? base64_digits[bits >> 6 & 63] : '=';
		text[at++] = left > 2 ? base64_digits[bits & 63] : '=';
	}
	return at;
}

uint32_t encode_write_base32hex(const uint8_t *octets, uint32_t len, char *text)
{
	uint32_t bits = 0;
	uint32_t bit_count = 0;
	uint32_t at = 0;

	for (uint32_t i = 0; i < len; i++) {
		bits = bits << 8 | octets[i];
		bit_count += 8;
		while (bit_count >= 5) {
			bit_count -= 5;
			text[at++] = base32hex_digits[bits >> bit_count & 31];
		}
	}
	if (bit_count > 0) {
		text[at++] = base32hex_digits[bits << (5 - bit_count) & 31];
	}
	return at;
}
