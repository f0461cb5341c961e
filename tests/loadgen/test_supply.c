/* test_supply.c - every query is dealt out as often as asked for, whoever takes it. */
#include "loadgen/supply.h"

#include "kit/kit.h"

TEST(two_shares_deal_out_everything_once_a_repeat)
{
	uint32_t taken[10] = {0};
	struct supply supply;
	struct supply_share shares[2];

	supply_init(&supply, 10, 7);
	shares[0] = shares[1] = (struct supply_share){.supply = &supply};
	for (uint32_t round = 0; !supply_is_done(&shares[0]) || !supply_is_done(&shares[1]);
		round++) {
		struct supply_share *share = &shares[kit_random(2)];
		uint32_t count = supply_claim(share, 1 + kit_random(8));
		for (uint32_t i = 0; i < count; i++) {
			taken[supply_take(share)]++;
		}
		CHECK(round < 1000);
	}
	for (uint32_t i = 0; i < 10; i++) {
		CHECK_U(taken[i], 7);
	}
	CHECK_U(supply_claim(&shares[0], 8), 0);
}

TEST(what_was_put_back_comes_first)
{
	struct supply supply;
	struct supply_share share = {.supply = &supply};

	supply_init(&supply, 100, 1);
	CHECK_U(supply_claim(&share, 8), 8);
	for (uint32_t i = 0; i < 8; i++) {
		CHECK_U(supply_take(&share), i);
	}
	supply_put_back(&share, 3);
	CHECK(!supply_is_done(&share));
	CHECK_U(supply_claim(&share, 8), 3);
	CHECK_U(supply_take(&share), 5);
}

TEST(without_repeats_it_does_not_end)
{
	struct supply supply;
	struct supply_share share = {.supply = &supply};

	supply_init(&supply, 3, 0);
	for (uint32_t i = 0; i < 1000; i++) {
		CHECK_U(supply_claim(&share, 1), 1);
		CHECK_U(supply_take(&share), i % 3);
	}
}
