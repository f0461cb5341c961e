/* test_encode.c - hexadecimal, base64 and base32hex: the vectors of RFC 4648, limits, random octets. */
#include "zonefile/encode.h"

#include <string.h>

#include "kit/kit.h"

static uint32_t text_len(const char *text)
{
	return (uint32_t)strlen(text);
}

static bool read_base64(const char *text, uint8_t *out, uint32_t *len)
{
	struct encode_state state = {0};
	uint32_t all = text_len(text);

	return encode_read_base64(&state, kit_guarded(text, all), all, out, len) &&
	       encode_base64_is_whole(&state);
}

/* RFC 4648 sec 10 */
static const struct {
	const char *octets;
	const char *base64;
	const char *base32hex;
	const char *hex;
} vectors[] = {
	{"", "", "", ""},
	{"f", "Zg==", "CO", "66"},
	{"fo", "Zm8=", "CPNG", "666F"},
	{"foo", "Zm9v", "CPNMU", "666F6F"},
	{"foob", "Zm9vYg==", "CPNMUOG", "666F6F62"},
	{"fooba", "Zm9vYmE=", "CPNMUOJ1", "666F6F6261"},
	{"foobar", "Zm9vYmFy", "CPNMUOJ1E8", "666F6F626172"},
};

TEST(the_vectors_of_rfc_4648_go_both_ways)
{
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		const uint8_t *octets = (const uint8_t *)vectors[i].octets;
		uint32_t len = text_len(vectors[i].octets);
		struct encode_state state = {0};
		char text[32];
		uint8_t out[32];
		uint32_t out_len;

		KIT_NOTE(vectors[i].octets);
		CHECK_OCTETS(text, encode_write_base64(octets, len, text), vectors[i].base64,
			text_len(vectors[i].base64));
		CHECK_OCTETS(text, encode_write_base32hex(octets, len, text), vectors[i].base32hex,
			text_len(vectors[i].base32hex));
		CHECK_OCTETS(text, encode_write_hex(octets, len, text), vectors[i].hex,
			text_len(vectors[i].hex));
		CHECK(read_base64(vectors[i].base64, out, &out_len));
		CHECK_OCTETS(out, out_len, octets, len);
		CHECK(encode_read_base32hex((const uint8_t *)vectors[i].base32hex,
			text_len(vectors[i].base32hex), out, &out_len));
		CHECK_OCTETS(out, out_len, octets, len);
		CHECK(encode_read_hex(&state, (const uint8_t *)vectors[i].hex,
			text_len(vectors[i].hex), out, &out_len));
		CHECK(encode_hex_is_whole(&state));
		CHECK_OCTETS(out, out_len, octets, len);
	}
}

TEST(bad_text_is_refused)
{
	static const char *const base64[] = {"A", "AA", "AAA", "A===", "=",
		"====", "AA=", "AA===", "AAA==", "AB==", "AAB=", "AA==AA==", "AA-A", "AA A",
		"AAAA="};
	static const char *const base32hex[] = {
		"0", "000", "000000", "W0", "0=", "01", "0001", "00001", "0000001"};
	uint8_t out[32];
	uint32_t len;

	for (size_t i = 0; i < sizeof(base64) / sizeof(base64[0]); i++) {
		KIT_NOTE(base64[i]);
		CHECK(!read_base64(base64[i], out, &len));
	}
	for (size_t i = 0; i < sizeof(base32hex) / sizeof(base32hex[0]); i++) {
		KIT_NOTE(base32hex[i]);
		CHECK(!encode_read_base32hex(
			(const uint8_t *)base32hex[i], text_len(base32hex[i]), out, &len));
	}
	struct encode_state state = {0};
	CHECK(!encode_read_hex(&state, (const uint8_t *)"0g", 2, out, &len));
}

TEST(random_octets_survive_in_pieces)
{
	for (uint32_t round = 0; round < 50000; round++) {
		uint8_t octets[64], out[128];
		char text[256];
		uint32_t len = kit_random(sizeof(octets));
		struct encode_state state = {0};
		uint32_t out_len = 0;

		for (uint32_t i = 0; i < len; i++) {
			octets[i] = (uint8_t)kit_random(256);
		}
		bool base64 = kit_random(2) == 0;
		uint32_t all = base64 ? encode_write_base64(octets, len, text)
				      : encode_write_hex(octets, len, text);
		for (uint32_t at = 0; at < all;) {
			uint32_t piece = 1 + kit_random(all - at);
			uint32_t piece_len;
			const uint8_t *from = kit_guarded(text + at, piece);
			CHECK(base64 ? encode_read_base64(
					       &state, from, piece, out + out_len, &piece_len)
				     : encode_read_hex(
					       &state, from, piece, out + out_len, &piece_len));
			out_len += piece_len;
			at += piece;
		}
		CHECK(base64 ? encode_base64_is_whole(&state) : encode_hex_is_whole(&state));
		CHECK_OCTETS(out, out_len, octets, len);
	}
}
