/* test_supply.c - every query is dealt out as often as asked for, whoever takes it. */
#include "loadgen/supply.h"

#include "kit/kit.h"

static void start(struct supply *supply, uint32_t count, uint64_t repeats)
{
	struct schedule closed = schedule_closed();

	supply_init(supply, count, repeats, UINT64_MAX, &closed);
}

TEST(two_shares_deal_out_everything_once_a_repeat)
{
	uint32_t taken[10] = {0};
	uint64_t nths[SUPPLY_BATCH_MAX];
	struct supply supply;
	struct supply_share shares[2];

	start(&supply, 10, 7);
	shares[0] = shares[1] = (struct supply_share){.supply = &supply};
	for (uint32_t round = 0; !supply_is_done(&shares[0]) || !supply_is_done(&shares[1]);
		round++) {
		struct supply_share *share = &shares[kit_random(2)];
		uint32_t count = supply_claim(share, 1 + kit_random(8), 0, nths);
		uint32_t kept = count == 0 ? 0 : kit_random(count + 1);
		for (uint32_t i = 0; i < kept; i++) {
			taken[supply_place(&supply, nths[i])]++;
		}
		supply_put_back(share, nths + kept, count - kept);
		CHECK(round < 1000);
	}
	for (uint32_t i = 0; i < 10; i++) {
		CHECK_U(taken[i], 7);
	}
	CHECK_U(supply_claim(&shares[0], 8, 0, nths), 0);
}

TEST(what_was_put_back_comes_first)
{
	uint64_t nths[SUPPLY_BATCH_MAX];
	struct supply supply;
	struct supply_share share = {.supply = &supply};

	start(&supply, 100, 1);
	CHECK_U(supply_claim(&share, 8, 0, nths), 8);
	for (uint32_t i = 0; i < 8; i++) {
		CHECK_U(nths[i], i);
	}
	supply_put_back(&share, (const uint64_t[]){6, 2, 7}, 3);
	CHECK(!supply_is_done(&share));
	CHECK_U(supply_claim(&share, 2, 0, nths), 2);
	CHECK_U(nths[0], 6);
	CHECK_U(nths[1], 2);
	supply_put_back(&share, nths + 1, 1);
	CHECK_U(supply_claim(&share, 8, 0, nths), 2);
	CHECK_U(nths[0], 2);
	CHECK_U(nths[1], 7);
	CHECK_U(supply_claim(&share, 8, 0, nths), 8);
	CHECK_U(nths[0], 8);
}

TEST(without_repeats_it_does_not_end)
{
	struct supply supply;
	struct supply_share share = {.supply = &supply};

	start(&supply, 3, 0);
	for (uint32_t i = 0; i < 1000; i++) {
		uint64_t nth;
		CHECK_U(supply_claim(&share, 1, 0, &nth), 1);
		CHECK_U(supply_place(&supply, nth), i % 3);
	}
}

#define START_NS 1000000u

/* A thousand a second from START_NS on. */
static void start_rate(struct supply *supply, uint64_t limit)
{
	struct schedule schedule = schedule_rate(1000);

	CHECK_U(supply_init(supply, 7, 0, limit, &schedule), limit);
	supply->start_ns = START_NS;
}

TEST(an_open_loop_gives_out_what_is_due_and_no_more)
{
	uint64_t nths[SUPPLY_BATCH_MAX];
	struct supply supply;
	struct supply_share share = {.supply = &supply};

	start_rate(&supply, 10);
	CHECK_U(supply_claim(&share, 64, START_NS - 1, nths), 0);
	CHECK_U(supply_next_ns(&share), START_NS);
	CHECK_U(supply_claim(&share, 64, START_NS, nths), 1);
	CHECK_U(nths[0], 0);
	CHECK_U(supply_claim(&share, 64, START_NS + 999999, nths), 0);
	CHECK_U(supply_claim(&share, 2, START_NS + 5000000, nths), 2);
	CHECK_U(nths[0], 1);
	CHECK_U(nths[1], 2);
	supply_put_back(&share, nths + 1, 1);
	CHECK_U(supply_next_ns(&share), START_NS + 2000000);
	CHECK_U(supply_claim(&share, 64, START_NS + 5000000, nths), 1);
	CHECK_U(nths[0], 2);
	CHECK(!supply_is_behind(&supply, 3, START_NS + 6000000));
	CHECK(supply_is_behind(&supply, 3, START_NS + 6000001));
	CHECK_U(supply_claim(&share, 64, START_NS + 100000000, nths), 7);
	for (uint32_t i = 0; i < 7; i++) {
		CHECK_U(nths[i], 3 + i);
	}
	CHECK(supply_is_done(&share));
	CHECK_U(supply_next_ns(&share), UINT64_MAX);
}

TEST(senders_wake_up_for_queries_of_their_own)
{
	uint64_t nths[SUPPLY_BATCH_MAX];
	struct supply supply;
	struct supply_share share = {.supply = &supply};

	start_rate(&supply, 100);
	CHECK_U(supply_claim(&share, 64, START_NS + 3000000, nths), 4);
	/* Next is query 4: that of sender 1 of 3. */
	CHECK_U(supply_wake_ns(&share, 1, 3), START_NS + 4000000);
	CHECK_U(supply_wake_ns(&share, 2, 3), START_NS + 5000000);
	CHECK_U(supply_wake_ns(&share, 0, 3), START_NS + 6000000);
}

TEST(a_closed_supply_gives_nothing_more)
{
	uint64_t nths[SUPPLY_BATCH_MAX];
	struct supply supply;
	struct supply_share share = {.supply = &supply};

	start_rate(&supply, 100);
	CHECK_U(supply_claim(&share, 1, START_NS, nths), 1);
	supply_close(&supply);
	CHECK_U(supply_claim(&share, 1, START_NS + 50000000, nths), 0);
	CHECK(supply_is_done(&share));
}

TEST(a_closed_loop_with_a_pace_deals_out_no_faster)
{
	struct schedule closed = schedule_closed();
	struct supply supply;
	struct supply_share share = {.supply = &supply};
	uint64_t nths[SUPPLY_BATCH_MAX];
	uint64_t dealt = 0;
	uint32_t empty = 0;

	supply_init(&supply, 7, 0, UINT64_MAX, &closed);
	supply.pace = schedule_rate(1000); /* one a millisecond */
	supply.start_ns = 5000000;
	CHECK_U(supply_claim(&share, 64, 4999999, nths), 0);
	for (uint64_t now_ns = supply.start_ns; now_ns < 300000000; now_ns += kit_random(3000000)) {
		uint32_t got = supply_claim(&share, 1 + kit_random(4), now_ns, nths);
		for (uint32_t i = 0; i < got; i++) {
			CHECK_U(nths[i], dealt + i);
		}
		dealt += got;
		empty += got == 0 ? 1 : 0;
		/* Query k not before k milliseconds; what is next is later than now only where all due ones are out. */
		CHECK(dealt <= (now_ns - supply.start_ns) / 1000000 + 1);
		CHECK(got != 0 || supply_next_ns(&share) > now_ns);
	}
	CHECK(dealt > 100 && empty > 10);
	CHECK(!supply_is_done(&share));
}
