/* test_slots.c - the table of queries in flight against a plain array with one entry an ID. */
#include "loadgen/slots.h"

#include "kit/kit.h"

#define IDS 65536u

TEST(ids_in_flight_are_all_different)
{
	static uint8_t seen[IDS];
	struct slots slots;

	CHECK_U(slots_init(&slots, SLOTS_WINDOW_MAX, 0x0123456789abcdefull), STATUS_OK);
	for (uint32_t i = 0; i < SLOTS_WINDOW_MAX; i++) {
		uint32_t slot = slots_take(&slots, i, i);
		CHECK_U(seen[slots.items[slot].id]++, 0);
	}
	CHECK(slots_is_valid(&slots));
	slots_fini(&slots);
}

TEST(one_at_a_time_goes_through_every_id_before_one_comes_back)
{
	static uint8_t seen[IDS];
	struct slots slots;

	CHECK_U(slots_init(&slots, 1, 42), STATUS_OK);
	for (uint32_t i = 0; i < IDS; i++) {
		uint32_t slot = slots_take(&slots, i, i);
		CHECK_U(seen[slots.items[slot].id]++, 0);
		slots_settle(&slots, slot, SLOTS_ANSWERED);
	}
	slots_fini(&slots);
}

TEST(another_key_gives_other_ids)
{
	uint32_t same_count = 0;
	uint32_t step_count = 0;
	struct slots a;
	struct slots b;

	CHECK_U(slots_init(&a, 1000, 0x1111222233334444ull), STATUS_OK);
	CHECK_U(slots_init(&b, 1000, 0x5555666677778888ull), STATUS_OK);
	uint32_t before = 0;
	for (uint32_t i = 0; i < 1000; i++) {
		uint32_t id_a = a.items[slots_take(&a, i, i)].id;
		uint32_t id_b = b.items[slots_take(&b, i, i)].id;
		same_count += id_a == id_b ? 1 : 0;
		step_count += id_a == before + 1 ? 1 : 0;
		before = id_a;
	}
	CHECK(same_count < 50);
	CHECK(step_count < 50);
	slots_fini(&a);
	slots_fini(&b);
}

TEST(a_query_that_was_never_sent_leaves_no_trace)
{
	struct slots slots;
	uint32_t found = SLOTS_NONE;

	CHECK_U(slots_init(&slots, 4, 7), STATUS_OK);
	uint32_t slot = slots_take(&slots, 1, 1);
	uint16_t id = slots.items[slot].id;
	slots_settle(&slots, slot, SLOTS_UNUSED);
	CHECK_U(slots_find(&slots, id, &found), SLOTS_UNUSED);
	CHECK_U(found, SLOTS_NONE);
	CHECK_U(slots.in_flight_count, 0);
	slots_fini(&slots);
}

TEST(agrees_with_one_entry_an_id)
{
	static enum slots_fate fates[IDS];
	static uint32_t queries[IDS];
	struct slots slots;
	uint32_t late_count = 0;
	uint32_t twice_count = 0;

	CHECK_U(slots_init(&slots, 300, 0xfeedfacecafebeefull), STATUS_OK);
	for (uint32_t round = 0; round < 300000; round++) {
		if (slots.in_flight_count < 300 && kit_random(2) == 0) {
			uint16_t id = slots.items[slots_take(&slots, round, round)].id;
			CHECK(fates[id] != SLOTS_IN_FLIGHT);
			fates[id] = SLOTS_IN_FLIGHT;
			queries[id] = round;
			continue;
		}
		uint16_t id = (uint16_t)kit_random(IDS);
		if (slots.oldest != SLOTS_NONE && kit_random(4) != 0) {
			uint32_t end = kit_random(2) == 0 ? slots.oldest : slots.newest;
			id = slots.items[end].id;
		}
		uint32_t slot = SLOTS_NONE;
		CHECK_U(slots_find(&slots, id, &slot), fates[id]);
		late_count += fates[id] == SLOTS_EXPIRED ? 1 : 0;
		twice_count += fates[id] == SLOTS_ANSWERED ? 1 : 0;
		if (fates[id] == SLOTS_IN_FLIGHT) {
			CHECK_U(slots.items[slot].query_idx, queries[id]);
			fates[id] = kit_random(2) == 0 ? SLOTS_ANSWERED : SLOTS_EXPIRED;
			slots_settle(&slots, slot, fates[id]);
		}
		if (round % 1000 == 0) {
			CHECK(slots_is_valid(&slots));
		}
	}
	CHECK(late_count > 1000);
	CHECK(twice_count > 1000);
	slots_fini(&slots);
}
