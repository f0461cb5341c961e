/* query.c - those that wait, aliases, answers. */
#include "resolve/query.h"

#include <stdlib.h>
#include <string.h>

#include "resolve/cause.h"
#include "resolve/classify.h"
#include "resolve/client.h"
#include "resolve/compose.h"
#include "resolve/core.h"
#include "resolve/dns64.h"
#include "resolve/job.h"
#include "resolve/known.h"
#include "resolve/local.h"
#include "resolve/recall.h"
#include "resolve/search.h"
#include "resolve/sentinel.h"
#include "resolve/timers.h"
#include "wire/rrtype.h"

#define RENEWED_MS 1000 /* times are rounded up to seconds */
#define UNATTENDED_SHARE                                                                           \
	4u /* of the queries that clients may have in work: those that renew the cache, and nobody waits for */

enum state { START, LOOKED_UP, LOOKED_UP_V4 };

struct query {
	struct job job;
	struct timer timer;
	bool stale_tried;
	bool is_unattended; /* counted so: in work, and nobody waits for it */
	struct client *clients;
	const struct name *name; /* looked up at present: the job's, or in its arena */
	struct compose_answer answer;
	struct job *parts
		[COMPOSE_PARTS_MAX]; /* holds them: the look-ups of the answer's parts; NULL: made here */
};

static void set_unattended(struct query *query, bool is_unattended)
{
	uint32_t *count = &query->job.core->unattended_count;

	if (query->is_unattended != is_unattended) {
		*count = is_unattended ? *count + 1 : *count - 1;
		query->is_unattended = is_unattended;
	}
}

void query_attach(struct query *query, struct client *client)
{
	client->query = query;
	client->prev = NULL;
	client->next = query->clients;
	if (client->next != NULL) {
		client->next->prev = client;
	}
	query->clients = client;
	set_unattended(query, false);
}

static void detach(struct client *client)
{
	struct query *query = client->query;

	if (client->prev != NULL) {
		client->prev->next = client->next;
	} else {
		query->clients = client->next;
	}
	if (client->next != NULL) {
		client->next->prev = client->prev;
	}
	set_unattended(query, query->clients == NULL);
}

static void answer_clients(struct query *query, const struct compose_answer *answer, bool keep)
{
	struct resolve *core = query->job.core;

	while (query->clients != NULL) {
		struct client *client = query->clients;
		detach(client);
		client_answer(core, client, answer, keep);
		client_forget(core, client);
		keep = false;
	}
}

static void finish(struct query *query)
{
	timers_clear(&query->job.core->timers, &query->timer);
	job_finish(&query->job);
	job_release(&query->job);
}

static void fail(struct query *query, int16_t ede)
{
	/* Not the query's own, which tells what look-ups stop() is to let go of. */
	const char *cause = query->job.budget->cause;
	const struct compose_answer failure = {.rcode = RCODE_SERVFAIL, .ede = ede, .cause = cause};

	if (query->clients != NULL && cause[0] != '\0') {
		cause_report(query->job.core, query->name, query->job.type, ede, query->job.budget);
	}
	answer_clients(query, &failure, false);
	finish(query);
}

/* What has expired; false: there is not enough of it. */
static bool answer_stale(struct query *query)
{
	const struct job *job = &query->job;
	struct resolve *core = job->core;
	const struct recall_how how = {
		.type = job->type, .stale_ok = true, .nat = (job->flags & QUERY_NO_NAT) == 0};
	struct recall recall;

	if (core->config.stale_s == 0 || (job->flags & QUERY_CD) != 0 ||
		!recall_answer(core, &job->name, &how, &core->answers, &recall)) {
		return false;
	}
	core->counters.stale++;
	answer_clients(query, &recall.answer, false);
	return true;
}

static uint32_t unattended_max(const struct resolve *core)
{
	return core->config.queries_max / UNATTENDED_SHARE;
}

static void time_is_up(struct timer *timer)
{
	struct query *query =
		(struct query *)(void *)((char *)timer - offsetof(struct query, timer));
	struct resolve *core = query->job.core;

	if (!query->stale_tried) {
		query->stale_tried = true;
		timers_set(&core->timers, timer, query->job.budget->deadline_ns);
		/* The look-up goes on, for the cache, unless there are many such. */
		if (answer_stale(query) && core->unattended_count > unattended_max(core)) {
			finish(query);
		}
		return;
	}
	fail(query, EDE_NO_REACHABLE_AUTHORITY);
}

static void start_search(struct query *query, uint16_t type, enum state state)
{
	struct job *job = &query->job;
	uint16_t flags = (uint16_t)(((job->flags & QUERY_FRESH) != 0 ? SEARCH_FRESH : 0) |
				    ((job->flags & QUERY_CD) != 0 ? SEARCH_BOGUS : 0));
	struct job *search = job_start(
		job->core, &search_kind, query->name, type, flags, job->budget, job->depth);

	job->state = (uint8_t)state;
	if (search == NULL || !job_wait(job, search)) {
		fail(query, EDE_OTHER);
	}
}

static void settle(struct query *query);

/* One more part of the answer. holder: held, the job that the result is in; NULL: the query's arena */
static void add_part(struct query *query, const struct search_result *result, struct job *holder)
{
	struct compose_answer *answer = &query->answer;

	query->parts[answer->part_count] = holder;
	answer->parts[answer->part_count++] =
		(struct compose_part){.result = result, .name = query->name};
}

/* What is known here of the present name, without asking: local data, reverse names of DNS64. */
static const struct search_result *find_here(struct query *query)
{
	struct job *job = &query->job;
	struct resolve *core = job->core;
	struct search_result *result = arena_alloc(&job->arena, sizeof(*result));

	if (result == NULL) {
		return NULL;
	}
	if (job->type == RRTYPE_PTR &&
		dns64_reverse(&core->config.dns64, query->name, &job->arena, result)) {
		return result;
	}
	return core->shared.local != NULL && local_find(core->shared.local, query->name, job->type,
						     &job->arena, result)
		       ? result
		       : NULL;
}

static void look_up(struct query *query)
{
	const struct search_result *here = find_here(query);

	if (here == NULL) {
		start_search(query, query->job.type, LOOKED_UP);
		return;
	}
	add_part(query, here, NULL);
	settle(query);
}

static void done(struct query *query, uint16_t rcode)
{
	struct resolve *core = query->job.core;
	struct compose_answer *answer = &query->answer;
	bool keep = true, secure = true;

	answer->rcode = rcode;
	for (uint32_t i = 0; i < answer->part_count; i++) {
		const struct search_result *result = answer->parts[i].result;
		secure &= result->status == DNSSEC_SECURE;
		keep &= result->hits > 0 && result->status != DNSSEC_BOGUS;
		answer->ede = answer->ede == EDE_NONE ? result->ede : answer->ede;
	}
	answer->secure = secure && answer->part_count > 0 && rcode != RCODE_SERVFAIL;
	if (answer->secure && (query->job.flags & QUERY_CD) == 0 &&
		sentinel_fails(core_anchors(core), &query->job.name, query->job.type)) {
		known_remember_failure(
			core, &query->job.name, query->job.type, DNSSEC_BOGUS, EDE_BOGUS);
		fail(query, EDE_BOGUS);
		return;
	}
	answer_clients(query, answer, keep);
	finish(query);
}

/* The search that was waited for; it is held from now on. */
static struct search *take_search(struct query *query)
{
	struct search *search = (struct search *)(void *)job_waited(&query->job);

	search->job.holds++;
	job_end_wait(&query->job);
	return search;
}

static void looked_up(struct query *query)
{
	struct job *job = &query->job;
	struct search *search = take_search(query);
	const struct search_result *result = recall_screen(job->core, &search->result, &job->arena);

	add_part(query, result, &search->job);
	if ((job->flags & QUERY_NO_NAT) == 0 && recall_wants_nat(job->core, job->type) &&
		dns64_lacks(result)) {
		start_search(query, RRTYPE_A, LOOKED_UP_V4);
	} else {
		settle(query);
	}
}

/* A records for a name without AAAA: the last part becomes what DNS64 makes of them, or stays. */
static void looked_up_v4(struct query *query)
{
	struct job *job = &query->job;
	struct search *search = take_search(query);
	const struct search_result *v4 = recall_screen(job->core, &search->result, &job->arena);
	struct compose_part *part = &query->answer.parts[query->answer.part_count - 1];
	struct search_result *made = arena_alloc(&job->arena, sizeof(*made));

	if (made != NULL &&
		dns64_make(&job->core->config.dns64, part->result, v4, &job->arena, made)) {
		part->result = made;
	}
	job_release(&search->job);
	settle(query);
}

/* The last part says what is next: an answer, or a name more. */
static void settle(struct query *query)
{
	struct job *job = &query->job;
	struct compose_answer *answer = &query->answer;
	const struct search_result *result = answer->parts[answer->part_count - 1].result;
	bool cd = (job->flags & QUERY_CD) != 0;

	/* Keys that cannot be had make nothing false. */
	bool unreachable =
		result->status == DNSSEC_BOGUS && !cd &&
		(result->ede == EDE_NO_REACHABLE_AUTHORITY || result->ede == EDE_NETWORK_ERROR);
	if (result->end == SEARCH_FAILED || unreachable) {
		if (answer_stale(query)) {
			finish(query);
		} else {
			fail(query, result->ede);
		}
		return;
	}
	if (result->status == DNSSEC_BOGUS && !cd) {
		fail(query, result->ede);
		return;
	}
	if (result->end == SEARCH_NODATA || result->end == SEARCH_SET) {
		done(query, RCODE_NOERROR);
		return;
	}
	if (result->end == SEARCH_NXDOMAIN) {
		done(query, RCODE_NXDOMAIN);
		return;
	}
	struct name target;
	if (!classify_alias(result->sets[0], query->name, &target)) {
		done(query, RCODE_YXDOMAIN);
		return;
	}
	if (job->type == RRTYPE_CNAME) {
		done(query, RCODE_NOERROR); /* that which a DNAME makes is an answer */
		return;
	}
	name_lower(&target);
	query->name = arena_copy(&job->arena, &target, sizeof(target));
	if (answer->part_count == COMPOSE_PARTS_MAX || query->name == NULL) {
		fail(query, EDE_OTHER);
		return;
	}
	for (uint32_t i = 0; i < answer->part_count; i++) {
		if (name_equal(answer->parts[i].name, query->name)) {
			done(query,
				RCODE_SERVFAIL); /* a loop has no end: what was found is told (RFC 1034 sec 3.6.2) */
			return;
		}
	}
	look_up(query);
}

static void run(struct job *job)
{
	struct query *query = (struct query *)(void *)job;

	switch ((enum state)job->state) {
	case START:
		query->name = &job->name;
		query->answer.ede = EDE_NONE;
		look_up(query);
		return;
	case LOOKED_UP:
		looked_up(query);
		return;
	case LOOKED_UP_V4:
		looked_up_v4(query);
		return;
	}
}

static void stop(struct job *job)
{
	struct query *query = (struct query *)(void *)job;

	timers_clear(&job->core->timers, &query->timer);
	for (uint32_t i = 0; i < query->answer.part_count; i++) {
		if (query->parts[i] != NULL) {
			job_release(query->parts[i]);
			query->parts[i] = NULL;
		}
	}
	while (query->clients != NULL) {
		struct client *client = query->clients;
		detach(client);
		client_forget(job->core, client);
	}
	set_unattended(query, false);
}

static const struct job_kind query_kind = {
	.name = "query", .size = sizeof(struct query), .run = run, .stop = stop};

/* The query in work for a question, or a new one; NULL: no memory. */
struct query *query_begin(
	struct resolve *core, const struct name *name, uint16_t type, uint16_t flags)
{
	struct budget *budget =
		budget_new(core->now.mono_ns + RESOLVE_TIME_MS * NOW_NS_A_MILLISECOND);
	uint32_t count = core->jobs.count;

	if (budget == NULL || !timers_reserve(&core->timers, core->timers.count + 64)) {
		budget_release(budget);
		return NULL;
	}
	struct query *query =
		(struct query *)(void *)job_start(core, &query_kind, name, type, flags, budget, 0);
	budget_release(budget);
	if (query == NULL) {
		return NULL;
	}
	if (core->jobs.count > count) {
		set_unattended(query, true);
		timers_prepare(&query->timer, time_is_up);
		timers_set(&core->timers, &query->timer,
			core->now.mono_ns + QUERY_STALE_AFTER_MS * NOW_NS_A_MILLISECOND);
	} else {
		job_release(&query->job); /* it holds itself until it is finished */
	}
	return query;
}

void query_catch_up(struct query *query)
{
	if (query->stale_tried) {
		(void)answer_stale(query);
	}
}

void query_dismiss(struct client *client)
{
	struct query *query = client->query;

	detach(client);
	client_forget(query->job.core, client);
	if (query->clients == NULL) {
		finish(query);
	}
}

struct client *query_detach_all(struct resolve *core)
{
	struct client *all = NULL;

	for (struct job *job = core->jobs.any; job != NULL; job = job->next_any) {
		struct query *query = (struct query *)(void *)job;
		while (job->kind == &query_kind && query->clients != NULL) {
			struct client *client = query->clients;
			detach(client);
			client->next = all;
			all = client;
		}
	}
	return all;
}

/* An answer that is kept whole lives on until its time is up, though its sets may be there anew. */
static bool is_renewed(
	struct resolve *core, const struct name *name, uint16_t type, int64_t expires_ms)
{
	const struct recall_how how = {.type = type, .nat = true};
	struct recall recall;

	if (!recall_answer(core, name, &how, &core->answers, &recall)) {
		return false;
	}
	for (uint32_t i = 0; i < recall.answer.part_count; i++) {
		int64_t left_s = recall.answer.parts[i].result->ttl_s;
		if (core_now_ms(core) + left_s * 1000 <= expires_ms + RENEWED_MS) {
			return false;
		}
	}
	return true;
}

void query_refresh(struct resolve *core, const struct name *name, uint16_t type, int64_t expires_ms)
{
	if (is_renewed(core, name, type, expires_ms)) {
		return;
	}
	if (places_held(core->places) < core->config.queries_max / 2 &&
		core->unattended_count < unattended_max(core) &&
		query_begin(core, name, type, QUERY_FRESH) != NULL) {
		core->counters.prefetched++;
	}
}
