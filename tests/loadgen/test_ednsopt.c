/* test_ednsopt.c - cookies come back as they were given, and messages end at the edge of a block. */
#include "loadgen/ednsopt.h"

#include <string.h>

#include "base/octets.h"
#include "kit/kit.h"

static const struct ednsopt_client fresh = {.cookie = {1, 2, 3, 4, 5, 6, 7, 8}};

TEST(a_new_client_sends_its_own_cookie)
{
	const struct ednsopt options = {.cookie = true};
	uint8_t octets[EDNSOPT_LEN_MAX];

	uint32_t len = ednsopt_write(&options, &fresh, 50, octets);
	CHECK_OCTETS(
		octets, len, ((const uint8_t[]){0, 12, 0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8}), 14);
}

TEST(padding_fills_the_block_whatever_stands_before)
{
	for (uint32_t block = 1; block <= EDNSOPT_BLOCK_MAX; block += 37) {
		for (uint32_t before = 12; before < 300; before++) {
			const struct ednsopt options = {.cookie = before % 2 == 0, .block = block};
			uint8_t octets[EDNSOPT_LEN_MAX];
			uint32_t len = ednsopt_write(&options, &fresh, before, octets);
			CHECK_U((before + len) % block, 0);
			CHECK_U(octets_get_u16(octets), len - 2);
			CHECK(len <= EDNSOPT_LEN_MAX);
		}
	}
}

/* An answer whose OPT record holds a cookie of so many octets, the first client ones of them ours. */
static uint32_t make_answer(uint8_t *octets, uint32_t cookie_len, uint8_t first)
{
	static const uint8_t head[] = {0, 0, 0x80, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 'a', 0, 0, 1, 0, 1,
		/* an address */ 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 192, 0, 2, 1,
		/* OPT */ 0, 0, 41, 4, 0xd0, 0, 0, 0, 0};
	uint8_t *at = octets + sizeof(head);

	memcpy(octets, head, sizeof(head));
	octets_put_u16(at, (uint16_t)(cookie_len + 8));
	memcpy(at + 2, (const uint8_t[]){0, 3, 0, 0, 0, 10, 0, (uint8_t)cookie_len}, 8);
	for (uint32_t i = 0; i < cookie_len; i++) {
		at[10 + i] = (uint8_t)(i == 0 ? first : i + 1);
	}
	return (uint32_t)sizeof(head) + 10 + cookie_len;
}

TEST(the_servers_cookie_is_sent_from_then_on)
{
	const struct ednsopt options = {.cookie = true};
	uint8_t answer[128];
	uint8_t octets[EDNSOPT_LEN_MAX];

	for (uint32_t cookie_len = 0; cookie_len < 44; cookie_len++) {
		struct ednsopt_client client = fresh;
		bool is_good = cookie_len >= 16 && cookie_len <= 40;
		uint32_t len = make_answer(answer, cookie_len, 1);
		ednsopt_learn(&client, kit_guarded(answer, len), len);
		CHECK_U(client.server_len, is_good ? cookie_len - 8 : 0);
		len = ednsopt_write(&options, &client, 50, octets);
		CHECK_U(len, 6 + (is_good ? cookie_len : 8));
	}
}

TEST(a_cookie_for_another_client_is_not_taken)
{
	struct ednsopt_client client = fresh;
	uint8_t answer[128];
	uint32_t len = make_answer(answer, 24, 9);

	ednsopt_learn(&client, answer, len);
	CHECK_U(client.server_len, 0);
}

TEST(any_octets_are_read_to_their_end_and_no_further)
{
	uint8_t answer[128];

	for (uint32_t round = 0; round < 30000; round++) {
		struct ednsopt_client client = fresh;
		uint32_t len = make_answer(answer, 24, 1);
		answer[kit_random(len)] = (uint8_t)kit_random(256);
		len = kit_random(len + 1);
		ednsopt_learn(&client, kit_guarded(answer, len), len);
		CHECK(client.server_len <= EDNSOPT_SERVER_LEN_MAX);
	}
}
