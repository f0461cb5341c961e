/* job.c - the table of jobs, who waits for whom, and what is ready. */
#include "resolve/job.h"

#include <stdlib.h>
#include <string.h>

#include "resolve/core.h"

static uint32_t chain_of(const struct job_kind *kind, const struct name *name, uint16_t type)
{
	uint64_t hash = (uintptr_t)kind ^ ((uint64_t)type << 32);

	/* No secrecy: the names are chosen by clients, but a chain holds no more jobs than clients may cause. */
	for (uint32_t i = 0; i < name->len; i++) {
		hash = (hash ^ name->octets[i]) * 0x100000001b3u;
	}
	return (uint32_t)((hash ^ hash >> 32) % CORE_JOB_CHAINS);
}

static bool is_job(const struct job *job, const struct job_kind *kind, const struct name *name,
	uint16_t type, uint16_t flags)
{
	return job->kind == kind && job->type == type && job->flags == flags &&
	       job->name.len == name->len && memcmp(job->name.octets, name->octets, name->len) == 0;
}

struct job *job_start(struct resolve *core, const struct job_kind *kind, const struct name *name,
	uint16_t type, uint16_t flags, struct budget *budget, uint8_t depth)
{
	uint32_t chain = chain_of(kind, name, type);

	for (struct job *job = core->jobs.chains[chain]; job != NULL; job = job->next_same) {
		if (is_job(job, kind, name, type, flags)) {
			job->holds++;
			return job;
		}
	}
	struct job *job = calloc(1, kind->size);
	if (job == NULL) {
		return NULL;
	}
	job->kind = kind;
	job->core = core;
	job->budget = budget;
	budget->holds++;
	arena_init(&job->arena, JOB_ARENA_MAX);
	job->name = *name;
	job->type = type;
	job->flags = flags;
	job->depth = depth;
	job->holds = 1;
	job->next_same = core->jobs.chains[chain];
	core->jobs.chains[chain] = job;
	job->is_listed = true;
	job->next_any = core->jobs.any;
	if (job->next_any != NULL) {
		job->next_any->prev_any = job;
	}
	core->jobs.any = job;
	core->jobs.count++;
	job_wake(job);
	return job;
}

bool job_wait(struct job *job, struct job *other)
{
	ASSERT(job->waits_for == NULL);
	for (const struct job *at = other; at != NULL; at = at->waits_for) {
		if (at == job) {
			job_release(other);
			return false;
		}
	}
	job->waits_for = other;
	if (other->is_done) {
		job_wake(job);
		return true;
	}
	job->next_waiter = other->waiters;
	other->waiters = job;
	return true;
}

static void leave_waiters(struct job *job)
{
	struct job **at = &job->waits_for->waiters;

	while (*at != NULL && *at != job) {
		at = &(*at)->next_waiter;
	}
	if (*at == job) {
		*at = job->next_waiter;
	}
	job->next_waiter = NULL;
}

void job_end_wait(struct job *job)
{
	if (job->waits_for != NULL) {
		struct job *other = job->waits_for;
		leave_waiters(job);
		job->waits_for = NULL;
		job_release(other);
	}
}

void job_wake(struct job *job)
{
	struct core_jobs *jobs = &job->core->jobs;

	if (job->is_ready || job->is_done) {
		return;
	}
	job->is_ready = true;
	job->next_ready = NULL;
	if (jobs->ready == NULL) {
		jobs->ready = job;
	} else {
		jobs->ready_last->next_ready = job;
	}
	jobs->ready_last = job;
}

static void unlist(struct job *job)
{
	struct job **at = &job->core->jobs.chains[chain_of(job->kind, &job->name, job->type)];

	if (!job->is_listed) {
		return;
	}
	while (*at != job) {
		at = &(*at)->next_same;
	}
	*at = job->next_same;
	job->is_listed = false;
}

static void unready(struct job *job)
{
	struct core_jobs *jobs = &job->core->jobs;
	struct job *before = NULL;

	if (!job->is_ready) {
		return;
	}
	for (struct job *at = jobs->ready; at != job; at = at->next_ready) {
		before = at;
	}
	if (before == NULL) {
		jobs->ready = job->next_ready;
	} else {
		before->next_ready = job->next_ready;
	}
	if (jobs->ready_last == job) {
		jobs->ready_last = before;
	}
	job->is_ready = false;
}

void job_finish(struct job *job)
{
	unlist(job);
	job->is_done = true;
	while (job->waiters != NULL) {
		struct job *waiter = job->waiters;
		job->waiters = waiter->next_waiter;
		waiter->next_waiter = NULL;
		job_wake(waiter);
	}
}

void job_release(struct job *job)
{
	struct resolve *core = job->core;

	if (--job->holds > 0) {
		return;
	}
	unlist(job);
	unready(job);
	if (job->kind->stop != NULL) {
		job->kind->stop(job);
	}
	job_end_wait(job);
	if (job->next_any != NULL) {
		job->next_any->prev_any = job->prev_any;
	}
	if (job->prev_any != NULL) {
		job->prev_any->next_any = job->next_any;
	} else {
		core->jobs.any = job->next_any;
	}
	core->jobs.count--;
	arena_fini(&job->arena);
	budget_release(job->budget);
	free(job);
}

void job_run_ready(struct resolve *core)
{
	struct core_jobs *jobs = &core->jobs;

	while (jobs->ready != NULL && core->checks_this_turn < JOB_CHECKS_A_TURN) {
		struct job *job = jobs->ready;
		uint32_t checks = job->budget->dnssec.checks;
		jobs->ready = job->next_ready;
		if (jobs->ready == NULL) {
			jobs->ready_last = NULL;
		}
		job->is_ready = false;
		job->holds++; /* it may finish, and its last holder let go, while it runs */
		job->kind->run(job);
		checks -= job->budget->dnssec.checks;
		core->checks_this_turn += checks;
		core->counters.checks += checks;
		job_release(job);
	}
}

void job_free_all(struct resolve *core)
{
	/* While all are still there, waits end, and jobs let go of each other. */
	for (struct job *job = core->jobs.any; job != NULL; job = job->next_any) {
		job->holds++;
	}
	for (struct job *job = core->jobs.any; job != NULL; job = job->next_any) {
		job_end_wait(job);
		if (job->kind->stop != NULL) {
			job->kind->stop(job);
		}
	}
	while (core->jobs.any != NULL) {
		core->jobs.any->holds = 1;
		job_release(core->jobs.any);
	}
}
