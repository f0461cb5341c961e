/* test_startline.c - nobody starts before the last one is there. */
#include "loadgen/startline.h"

#include <stdatomic.h>
#include <unistd.h>

#include "kit/kit.h"
#include "os/clock.h"

#define THREADS 8u
#define LEAD_NS 1000000u

static struct startline line;
static uint64_t zero_ns;
static atomic_uint arriving;

struct runner {
	pthread_t thread;
	uint32_t pause_us;
	uint64_t arrived_ns;
	uint64_t let_go_ns;
	uint64_t zero_ns;
};

static void *run(void *context)
{
	struct runner *runner = context;

	usleep(runner->pause_us);
	runner->arrived_ns = clock_mono_ns();
	atomic_fetch_add(&arriving, 1);
	startline_arrive(&line);
	runner->zero_ns = zero_ns;
	runner->let_go_ns = clock_mono_ns();
	return NULL;
}

TEST(zero_is_when_the_last_one_arrived)
{
	for (uint32_t round = 0; round < 30; round++) {
		struct runner runners[THREADS];
		uint32_t count = 1 + kit_random(THREADS);

		startline_init(&line, count, LEAD_NS, &zero_ns);
		for (uint32_t i = 0; i < count; i++) {
			runners[i].pause_us = kit_random(3000);
			CHECK(pthread_create(&runners[i].thread, NULL, run, &runners[i]) == 0);
		}
		startline_wait(&line);
		uint64_t zero_here_ns = zero_ns;
		for (uint32_t i = 0; i < count; i++) {
			CHECK(pthread_join(runners[i].thread, NULL) == 0);
		}
		for (uint32_t i = 0; i < count; i++) {
			CHECK(runners[i].zero_ns == zero_here_ns);
			CHECK(zero_here_ns >= runners[i].arrived_ns + LEAD_NS);
			for (uint32_t k = 0; k < count; k++) {
				CHECK(runners[i].let_go_ns >= runners[k].arrived_ns);
			}
		}
		startline_fini(&line);
	}
}

TEST(who_opens_waits_for_nobody)
{
	struct runner runner = {.pause_us = 0};

	startline_init(&line, 2, 0, &zero_ns);
	atomic_store(&arriving, 0);
	CHECK(pthread_create(&runner.thread, NULL, run, &runner) == 0);
	while (atomic_load(&arriving) == 0) {
		usleep(100);
	}
	startline_open(&line);
	CHECK(pthread_join(runner.thread, NULL) == 0);
	startline_wait(&line);
	uint64_t first_ns = zero_ns;
	startline_open(&line); /* once is enough */
	CHECK_U(zero_ns, first_ns);
	startline_fini(&line);
}
