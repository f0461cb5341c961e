/* encode.h - octets as hexadecimal, base64 and base32hex.
 *
 * Decoders are fed token by token, since blanks may stand anywhere inside (RFC 4034 sec 2.2).
 *
 * source  RFC 4648
 */
#ifndef SAKER_ZONEFILE_ENCODE_H
#define SAKER_ZONEFILE_ENCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

/* A decoder at work. Zero-initialised is one at its start. */
struct encode_state {
	uint32_t bits;      /* not written yet */
	uint32_t bit_count; /* of bits */
	uint32_t digits;    /* characters seen, padding not counted */
	uint32_t padding;   /* `=` seen */
};

/* encode_read_hex, encode_read_base64 - decode text[0..len) to out; out_len: octets written.
 *
 * shape   out has room for len octets
 * errors  false: a character that does not belong here
 */
MUST_USE bool encode_read_hex(struct encode_state *state, const uint8_t *text, uint32_t len,
	uint8_t *out, uint32_t *out_len);
MUST_USE bool encode_read_base64(struct encode_state *state, const uint8_t *text, uint32_t len,
	uint8_t *out, uint32_t *out_len);

/* encode_hex_is_whole, encode_base64_is_whole - did the text end where it may? Unused bits must be zero. */
bool encode_hex_is_whole(const struct encode_state *state);
bool encode_base64_is_whole(const struct encode_state *state);

/* encode_read_base32hex - a whole word without padding (RFC 5155 sec 3.3).
 *
 * errors  false: a bad character, a length that cannot be, unused bits that are not zero
 */
MUST_USE bool encode_read_base32hex(
	const uint8_t *text, uint32_t len, uint8_t *out, uint32_t *out_len);

/* encode_write_hex, encode_write_base64, encode_write_base32hex - returns the characters written. */
uint32_t encode_write_hex(const uint8_t *octets, uint32_t len, char *text);
uint32_t encode_write_base64(const uint8_t *octets, uint32_t len, char *text);
uint32_t encode_write_base32hex(const uint8_t *octets, uint32_t len, char *text);

/* encode_hex_digit - the value of a hexadecimal digit, 16 where it is none. */
uint32_t encode_hex_digit(uint8_t octet);

#endif
