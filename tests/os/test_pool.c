/* test_pool.c - jobs run once each, are told to the owner, and are called off at the end. */
#include "os/pool.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "kit/kit.h"
#include "os/poll.h"

#define JOBS 500u

struct counted {
	struct pool_job job; /* first, so that a job is its counted */
	uint32_t runs;
	uint32_t dones;
	bool ran;
};

static atomic_bool gate_open;

static void count_run(struct pool_job *job, uint32_t thread)
{
	CHECK(thread < POOL_THREADS_MAX);
	((struct counted *)job)->runs++;
}

static void hold_run(struct pool_job *job, uint32_t thread)
{
	while (!atomic_load(&gate_open)) {
	}
	count_run(job, thread);
}

static void count_done(struct pool_job *job, bool ran)
{
	struct counted *counted = (struct counted *)job;

	counted->dones++;
	counted->ran = ran;
}

TEST(every_job_runs_once_and_is_told_once)
{
	static struct counted jobs[JOBS];
	struct poll_event events[POLL_EVENTS_MAX];
	struct poll poll;
	uint32_t told = 0;

	CHECK_U(poll_init(&poll), STATUS_OK);
	struct pool *pool = pool_new(3, &poll);
	CHECK(pool != NULL);
	for (uint32_t i = 0; i < JOBS; i++) {
		jobs[i] = (struct counted){.job = {.run = count_run, .done = count_done}};
		pool_submit(pool, &jobs[i].job);
	}
	while (told < JOBS) {
		CHECK_U(poll_wait(&poll, events, -1), 0);
		told += pool_collect(pool);
	}
	CHECK_U(pool_collect(pool), 0);
	pool_free(pool);
	poll_fini(&poll);
	for (uint32_t i = 0; i < JOBS; i++) {
		CHECK_U(jobs[i].runs, 1);
		CHECK_U(jobs[i].dones, 1);
		CHECK(jobs[i].ran);
	}
}

TEST(jobs_that_did_not_start_are_called_off)
{
	struct counted held = {.job = {.run = hold_run, .done = count_done}};
	struct counted waiting = {.job = {.run = count_run, .done = count_done}};
	struct poll poll;

	CHECK_U(poll_init(&poll), STATUS_OK);
	struct pool *pool = pool_new(1, &poll);
	CHECK(pool != NULL);
	pool_submit(pool, &held.job);
	pool_submit(pool, &waiting.job);
	atomic_store(&gate_open, true);
	pool_free(pool);
	poll_fini(&poll);
	/* Either may have run before the end came; what counts is that both were told, truthfully. */
	CHECK_U(held.dones, 1);
	CHECK_U(waiting.dones, 1);
	CHECK_U(held.runs, held.ran);
	CHECK_U(waiting.runs, waiting.ran);
}

TEST(no_pool_is_freed_too)
{
	pool_free(NULL);
}
