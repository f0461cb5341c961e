/* job.h - work that is done in steps: it runs until it has to wait for another job, a server or a time.
 *
 *     start or join --> READY --> run --> waits for a job ----> READY when that is done
 *                                  |----> waits for a server -> READY when job_wake() is called
 *                                  `----> job_finish(): everybody who waits for it is READY
 *
 * A job is known by its kind, name and type: who wants the same joins it. A job waits for one other at a time, so a ring of
 * jobs that wait for each other would be a chain that comes back; job_wait() looks and refuses. A job nobody waits for any
 * more is called off.
 *
 * memory  each job has an arena; all of it is freed when the job is done and the last who waited let go of it
 * thread  the core's
 */
#ifndef SAKER_RESOLVE_JOB_H
#define SAKER_RESOLVE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "resolve/budget.h"
#include "wire/name.h"

struct job;
struct resolve;

#define JOB_ARENA_MAX                                                                              \
	(1u << 20) /* octets of one job: a few messages of 64 KiB and what is made of them */

/* Signatures checked between two events of time, after which what is ready waits for the next: a check takes up to a
 * millisecond (P-384), and whoever is answered from the cache is not to wait for more than a few. One job may go beyond.
 */
#define JOB_CHECKS_A_TURN 4u

struct job_kind {
	const char *name;
	size_t size; /* octets of the kind's struct, which begins with a struct job */
	void (*run)(struct job *job);
	void (*stop)(
		struct job *job); /* called off, or no longer wanted; may come twice; may be NULL */
};

struct job {
	const struct job_kind *kind;
	struct resolve *core;
	struct budget *budget; /* holds it */
	struct arena arena;
	struct job *next_same; /* of one chain of the table */
	struct job *next_ready;
	struct job *waits_for;           /* holds it */
	struct job *waiters;             /* first of those that wait for this one */
	struct job *next_waiter;         /* next who waits for the same job */
	struct job *next_any, *prev_any; /* all jobs of the core */
	uint32_t holds;
	uint8_t depth; /* server addresses that had to be found to find ... */
	uint8_t state; /* the kind's */
	bool is_ready, is_listed, is_done;
	uint16_t type;
	uint16_t flags;   /* part of what it is known by */
	struct name name; /* lower case */
};

/* job_start - the job of that kind, name, type and flags: one in work, or a new one, which is ready.
 *
 * shape   budget: whose query pays if it is new; depth: ditto
 * effect  the caller holds it: job_release()
 * errors  NULL: no memory
 */
MUST_USE struct job *job_start(struct resolve *core, const struct job_kind *kind,
	const struct name *name, uint16_t type, uint16_t flags, struct budget *budget,
	uint8_t depth);

/* job_wait - job runs again when other is done, and finds it in job->waits_for until it calls job_take_waited().
 *
 * effect  the hold on other passes to the job
 * errors  false: other waits for this job, by however many others; the hold is given up
 */
MUST_USE bool job_wait(struct job *job, struct job *other);

/* job_waited - the job that was waited for, now done; NULL: none. It is released by job_end_wait(). */
static inline struct job *job_waited(const struct job *job)
{
	return job->waits_for;
}
void job_end_wait(struct job *job);

/* job_wake - it runs in this step. */
void job_wake(struct job *job);

/* job_finish - it is done; nobody can join it any more. Its struct stays as long as it is held. */
void job_finish(struct job *job);

/* job_release - a hold ends; the last one stops and frees it. */
void job_release(struct job *job);

/* job_run_ready - runs what is ready, and what becomes so, as long as the turn may check signatures. */
void job_run_ready(struct resolve *core);

/* job_free_all - gives up everything: at the end of the core, or for new rules. */
void job_free_all(struct resolve *core);

#endif
