/* test_timers.c - the heap against a list that is searched. */
#include "resolve/timers.h"

#include "kit/kit.h"

#define TIMERS 200u
#define OPS    200000u

static struct timer heap_timers[TIMERS];
static uint64_t due[TIMERS]; /* UINT64_MAX: not set */
static uint64_t now_ns;
static uint32_t fired;

static void fire(struct timer *timer)
{
	uint32_t number = (uint32_t)(timer - heap_timers);

	/* The soonest, which is due; of equal ones any. */
	for (uint32_t i = 0; i < TIMERS; i++) {
		CHECK(due[i] >= due[number]);
	}
	CHECK(due[number] <= now_ns);
	due[number] = UINT64_MAX;
	fired++;
	CHECK_U(timer->place, TIMERS_NOWHERE);
}

TEST(the_soonest_fires_first)
{
	struct timers timers;

	timers_init(&timers);
	CHECK(timers_reserve(&timers, TIMERS));
	for (uint32_t i = 0; i < TIMERS; i++) {
		timers_prepare(&heap_timers[i], fire);
		due[i] = UINT64_MAX;
	}
	for (uint32_t op = 0; op < OPS; op++) {
		uint32_t number = kit_random(TIMERS);
		uint64_t soonest = UINT64_MAX;
		uint32_t set = 0;
		switch (kit_random(4)) {
		case 0:
			timers_clear(&timers, &heap_timers[number]);
			due[number] = UINT64_MAX;
			break;
		case 1:
			now_ns += kit_random(20);
			while (timers_fire(&timers, now_ns)) {
			}
			break;
		default:
			due[number] = now_ns + kit_random(300);
			timers_set(&timers, &heap_timers[number], due[number]);
			break;
		}
		for (uint32_t i = 0; i < TIMERS; i++) {
			soonest = due[i] < soonest ? due[i] : soonest;
			set += due[i] != UINT64_MAX;
		}
		CHECK_U(timers_next(&timers), soonest);
		CHECK_U(timers.count, set);
	}
	CHECK(fired > OPS / 20);
	timers_fini(&timers);
}
