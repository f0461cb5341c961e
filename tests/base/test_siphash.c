/* test_siphash.c - the vectors of the paper, and every length in the small. */
#include "base/siphash.h"

#include "kit/kit.h"

/* Key 00 01 .. 0f, message 00 01 .. n-1: Aumasson, Bernstein 2012, appendix A, and the reference implementation. */
TEST(vectors_of_the_reference_implementation)
{
	static const struct {
		size_t len;
		uint64_t hash;
	} vectors[] = {{0, 0x726fdb47dd0e0e31}, {1, 0x74f839c593dc67fd}, {2, 0x0d6c8009d9a94f5a},
		{7, 0xab0200f58b01d137}, {8, 0x93f5f5799a932462}, {15, 0xa129ca6149be45e5},
		{63, 0x958a324ceb064572}};
	uint8_t key[SIPHASH_KEY_LEN], message[64];

	for (uint32_t i = 0; i < sizeof(message); i++) {
		message[i] = (uint8_t)i;
		key[i % SIPHASH_KEY_LEN] = (uint8_t)(i % SIPHASH_KEY_LEN);
	}
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		CHECK_U(siphash_24(key, kit_guarded(message, vectors[i].len), vectors[i].len),
			vectors[i].hash);
	}
}

/* The algorithm as the paper writes it, octet by octet. */
static uint64_t rotl(uint64_t x, uint32_t n)
{
	return x << n | x >> (64 - n);
}

static void round_of(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotl(v[1], 13) ^ v[0];
	v[3] = rotl(v[3], 16) ^ v[2];
	v[0] = rotl(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotl(v[1], 17) ^ v[2];
	v[3] = rotl(v[3], 21) ^ v[0];
	v[2] = rotl(v[2], 32);
}

static uint64_t model(uint32_t c, uint32_t d, const uint8_t *key, const uint8_t *octets, size_t len)
{
	uint64_t k[2] = {0, 0};

	for (uint32_t i = 0; i < 16; i++) {
		k[i / 8] |= (uint64_t)key[i] << 8 * (i % 8);
	}
	uint64_t v[4] = {k[0] ^ 0x736f6d6570736575, k[1] ^ 0x646f72616e646f6d,
		k[0] ^ 0x6c7967656e657261, k[1] ^ 0x7465646279746573};
	for (size_t word = 0; word <= len / 8; word++) {
		uint64_t m = word == len / 8 ? (uint64_t)len << 56 : 0;
		for (size_t i = 8 * word; i < len && i < 8 * word + 8; i++) {
			m |= (uint64_t)octets[i] << 8 * (i % 8);
		}
		v[3] ^= m;
		for (uint32_t r = 0; r < c; r++) {
			round_of(v);
		}
		v[0] ^= m;
	}
	v[2] ^= 0xff;
	for (uint32_t r = 0; r < d; r++) {
		round_of(v);
	}
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

TEST(agrees_with_the_model_at_every_length)
{
	uint8_t key[SIPHASH_KEY_LEN], message[200];

	for (uint32_t round = 0; round < 2000; round++) {
		size_t len = round % sizeof(message);
		for (uint32_t i = 0; i < sizeof(message); i++) {
			message[i] = (uint8_t)kit_random(256);
			key[i % SIPHASH_KEY_LEN] = (uint8_t)kit_random(256);
		}
		const uint8_t *octets = kit_guarded(message, len);
		CHECK_U(siphash_24(key, octets, len), model(2, 4, key, octets, len));
		CHECK_U(siphash_13(key, octets, len), model(1, 3, key, octets, len));
	}
}
