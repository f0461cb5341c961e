/* pool.h - threads for what takes long: loading, building, disk.
 *
 * The owner submits jobs; a thread of the pool runs each; the owner's poll is woken and pool_collect()
 * tells the owner about those that ended, on the owner's thread.
 *
 *     owner  -- submit -->  waiting list  -- run on a pool thread -->  ended list  -- collect -->  owner
 *
 * memory  a job is a field of something of the owner's; the pool allocates nothing for it
 * thread  one owner; job->run on a pool thread, everything else on the owner's
 */
#ifndef SAKER_OS_POOL_H
#define SAKER_OS_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

struct poll;
struct pool;

#define POOL_THREADS_MAX 64u /* guess: more readers than that no disk feeds */

/* Stays in place from pool_submit() until done() was called. */
struct pool_job {
	/* On a pool thread; thread: its number, below POOL_THREADS_MAX, for what each thread has its own of. */
	void (*run)(struct pool_job *job, uint32_t thread);
	void (*done)(struct pool_job *job,
		bool ran);     /* on the owner's; ran: false where it was called off */
	struct pool_job *next; /* the pool's */
};

/* pool_new - thread_count threads that wake notify; NULL where memory or threads end. */
MUST_USE struct pool *pool_new(uint32_t thread_count, const struct poll *notify);

/* pool_submit - hands one job over; jobs start in the order of submission. */
void pool_submit(struct pool *pool, struct pool_job *job);

/* pool_collect - calls done() for the jobs that ended; returns how many. */
uint32_t pool_collect(struct pool *pool);

/* pool_free - waits for the running jobs, calls the others off, calls done() for all of them; accepts NULL. */
void pool_free(struct pool *pool);

#endif
