/* encode.c - hexadecimal, base64, base32hex. */
#include "zonefile/encode.h"

static const char hex_digits[] = "0123456789ABCDEF";
static const char base64_digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static const char base32hex_digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUV";

#define BAD_DIGIT 64u /* more than any base64 digit */

uint32_t encode_hex_digit(uint8_t octet)
{
	if (octet - 0u - '0' < 10u) {
		return octet - 0u - '0';
	}
	uint32_t letter = (octet | 0x20u) - 'a';
	return letter < 6u ? letter + 10u : 16u;
}

static uint32_t base64_digit(uint8_t octet)
{
	if (octet - 0u - 'A' < 26u) {
		return octet - 0u - 'A';
	}
	if (octet - 0u - 'a' < 26u) {
		return octet - 0u - 'a' + 26u;
	}
	if (octet - 0u - '0' < 10u) {
		return octet - 0u - '0' + 52u;
	}
	if (octet == '+') {
		return 62;
	}
	return octet == '/' ? 63 : BAD_DIGIT;
}

bool encode_read_hex(struct encode_state *state, const uint8_t *text, uint32_t len, uint8_t *out,
	uint32_t *out_len)
{
	uint32_t written = 0;

	for (uint32_t i = 0; i < len; i++) {
		uint32_t digit = encode_hex_digit(text[i]);
		if (digit > 15) {
			return false;
		}
		state->bits = state->bits << 4 | digit;
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

bool encode_read_base64(struct encode_state *state, const uint8_t *text, uint32_t len, uint8_t *out,
	uint32_t *out_len)
{
	uint32_t written = 0;

	for (uint32_t i = 0; i < len; i++) {
		if (text[i] == '=') {
			state->padding++;
			continue;
		}
		uint32_t digit = base64_digit(text[i]);
		if (digit == BAD_DIGIT || state->padding > 0) {
			return false;
		}
		state->digits++;
		state->bits = state->bits << 6 | digit;
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
