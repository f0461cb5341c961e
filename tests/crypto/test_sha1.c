/* test_sha1.c - NSEC3 hashes against those that RFC 5155 appendix A prints. */
#include "crypto/sha1.h"

#include <string.h>

#include "kit/kit.h"

static void to_base32hex(const uint8_t hash[SHA1_LEN], char *text)
{
	static const char digits[] = "0123456789abcdefghijklmnopqrstuv";

	for (uint32_t bit = 0; bit < SHA1_LEN * 8; bit += 5) {
		uint32_t pair = (uint32_t)hash[bit / 8] << 8 |
				(bit / 8 + 1 < SHA1_LEN ? hash[bit / 8 + 1] : 0u);
		*text++ = digits[pair >> (11 - bit % 8) & 31];
	}
	*text = '\0';
}

TEST(hashes_are_those_of_rfc_5155)
{
	static const uint8_t salt[] = {0xaa, 0xbb, 0xcc, 0xdd};
	static const struct {
		const char *wire;
		uint32_t len;
		const char *hash;
	} cases[] = {
		{"\7example", 9, "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom"},
		{"\1a\7example", 11, "35mthgpgcu1qg68fab165klnsnk3dpvl"},
		{"\2ai\7example", 12, "gjeqe526plbf1g8mklp59enfd789njgi"},
		{"\1*\1w\7example", 13, "r53bq7cc2uvmubfu5ocmm6pers9tk9en"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t hash[SHA1_LEN];
		char text[33];

		KIT_NOTE(cases[i].hash);
		sha1_nsec3(
			(const uint8_t *)cases[i].wire, cases[i].len, salt, sizeof(salt), 12, hash);
		to_base32hex(hash, text);
		CHECK_S(text, cases[i].hash);
	}
}

TEST(without_salt_and_iterations_it_is_plain_sha1)
{
	/* SHA-1 of one octet 0, the root name. */
	static const uint8_t want[SHA1_LEN] = {0x5b, 0xa9, 0x3c, 0x9d, 0xb0, 0xcf, 0xf9, 0x3f, 0x52,
		0xb5, 0x21, 0xd7, 0x42, 0x0e, 0x43, 0xf6, 0xed, 0xa2, 0x78, 0x4f};
	uint8_t hash[SHA1_LEN];

	sha1_nsec3((const uint8_t *)"", 1, NULL, 0, 0, hash);
	CHECK_OCTETS(hash, sizeof(hash), want, sizeof(want));
}
