/* test_hashlabel.c - hashes as labels and back. */
#include "wire/hashlabel.h"

#include <string.h>

#include "kit/kit.h"

/* Of `example.` in RFC 5155 appendix A, and its last neighbour. */
static const uint8_t example_label[] = "\x20"
				       "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom";

TEST(a_known_hash)
{
	static const uint8_t expected[HASHLABEL_HASH_LEN] = {0x06, 0x53, 0x68, 0xab, 0xee, 0xd7,
		0xec, 0x6e, 0x9f, 0xeb, 0xa9, 0x6b, 0x8c, 0x8b, 0xc3, 0xe8, 0xb7, 0x91, 0xf7, 0x16};
	uint8_t hash[HASHLABEL_HASH_LEN], label[HASHLABEL_LEN];

	CHECK(hashlabel_read(kit_guarded(example_label, HASHLABEL_LEN), hash));
	CHECK_OCTETS(hash, sizeof(hash), expected, sizeof(hash));
	hashlabel_write(expected, label);
	CHECK_OCTETS(label, sizeof(label), example_label, sizeof(label));
}

TEST(any_hash_comes_back_and_capitals_do_not_matter)
{
	for (uint32_t i = 0; i < 10000; i++) {
		uint8_t hash[HASHLABEL_HASH_LEN], again[HASHLABEL_HASH_LEN], label[HASHLABEL_LEN];
		for (uint32_t o = 0; o < sizeof(hash); o++) {
			hash[o] = (uint8_t)kit_random(256);
		}
		hashlabel_write(hash, label);
		CHECK(hashlabel_read(label, again));
		CHECK_OCTETS(again, sizeof(hash), hash, sizeof(hash));
		for (uint32_t o = 1; o < sizeof(label); o++) {
			label[o] = (uint8_t)(label[o] >= 'a' ? label[o] - 0x20 : label[o]);
		}
		CHECK(hashlabel_read(label, again));
		CHECK_OCTETS(again, sizeof(hash), hash, sizeof(hash));
	}
}

TEST(every_other_octet_spells_no_hash)
{
	uint8_t label[HASHLABEL_LEN], hash[HASHLABEL_HASH_LEN];

	for (uint32_t c = 0; c < 256; c++) {
		bool digit =
			(c >= '0' && c <= '9') || (c >= 'a' && c <= 'v') || (c >= 'A' && c <= 'V');
		memcpy(label, example_label, sizeof(label));
		label[17] = (uint8_t)c;
		CHECK_U(hashlabel_read(label, hash), digit);
	}
	for (uint32_t len = 0; len < 64; len++) {
		uint8_t other[64];
		memset(other, '0', sizeof(other));
		other[0] = (uint8_t)len;
		CHECK_U(hashlabel_read(kit_guarded(other, len + 1), hash),
			len == HASHLABEL_LEN - 1);
	}
}
