/* refresh.c - one timer, a job a zone. */
#include "resolve/refresh.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "dnssec/keyset.h"
#include "resolve/anchors.h"
#include "resolve/core.h"
#include "resolve/fetch.h"
#include "resolve/rollover.h"
#include "resolve/store.h"
#include "wire/rrtype.h"

#define NEVER UINT64_MAX

struct refresh {
	struct resolve *core;
	struct resolve_follower follower;
	struct timer timer;
	uint64_t next_ns
		[REFRESH_ZONES_MAX]; /* by place among the anchors, whose order stays; NEVER: at work, or no anchor */
};

enum state { START, FETCHED };

struct watch {
	struct job job;
	struct refresh *refresh;
	uint32_t place;
};

static void set_timer(struct refresh *refresh)
{
	uint64_t soonest = NEVER;

	for (uint32_t i = 0; i < REFRESH_ZONES_MAX; i++) {
		soonest = refresh->next_ns[i] < soonest ? refresh->next_ns[i] : soonest;
	}
	if (soonest == NEVER) {
		timers_clear(&refresh->core->timers, &refresh->timer);
	} else {
		timers_set(&refresh->core->timers, &refresh->timer, soonest);
	}
}

static void finish(struct watch *watch, const struct rrset *keys, bool is_secure)
{
	struct job *job = &watch->job;
	struct refresh *refresh = watch->refresh;
	uint64_t wait_s = rollover_wait_s(keys, is_secure, job->core->now.wall_s);

	refresh->next_ns[watch->place] = job->core->now.mono_ns + wait_s * NOW_NS_A_SECOND;
	set_timer(refresh);
	job_finish(job);
	job_release(job);
}

/* The keys of a set that say REVOKE and have signed it. */
static uint64_t find_self_signed(struct job *job, const struct rrset *keys)
{
	const struct keyset_policy policy = core_policy(job->core);
	struct rrset_walk walk = rrset_records(keys);
	struct rrset_rdata key;
	uint64_t found = 0;

	for (uint32_t i = 0; i < 64 && rrset_next(&walk, &key); i++) {
		if (keyset_revokes(
			    keys, &key, &policy, job->core->now.wall_s, &job->budget->dnssec)) {
			found |= (uint64_t)1 << i;
		}
	}
	return found;
}

static void look(struct watch *watch, const struct rrset *keys)
{
	struct job *job = &watch->job;
	struct resolve *core = job->core;
	const struct keyset_policy policy = core_policy(core);
	const struct rrset *anchor = anchors_of(core_anchors(core), &job->name);
	struct keyset_result result;
	struct rollover_sight sight = {.keys = keys, .wall_s = core->now.wall_s};

	sight.is_secure =
		anchor != NULL && keyset_check_keys(keys, anchor, &policy, core->now.wall_s,
					  &job->budget->dnssec, &result) == DNSSEC_SECURE;
	sight.self_signed = find_self_signed(job, keys);
	if (sight.is_secure) {
		const struct stored what = {.status = DNSSEC_SECURE,
			.code = STORE_TRUST_SECURE,
			.ede = EDE_NONE,
			.set_count = 1,
			.sets = {keys}};
		store_put(core, STORE_TRUST, &job->name, 0, &what,
			keys->ttl < result.ttl_max ? keys->ttl : result.ttl_max);
	} else if (sight.self_signed != 0) {
		store_drop(core, STORE_TRUST, &job->name, 0);
	}
	watch->refresh->follower.seen(watch->refresh->follower.context, &sight);
	finish(watch, keys, sight.is_secure);
}

static void run(struct job *job)
{
	struct watch *watch = (struct watch *)(void *)job;

	if (job->state == START) {
		struct job *fetch = job_start(
			job->core, &fetch_kind, &job->name, RRTYPE_DNSKEY, 0, job->budget, 0);
		job->state = FETCHED;
		if (fetch == NULL || !job_wait(job, fetch)) {
			finish(watch, NULL, false);
		}
		return;
	}
	const struct fetch *fetch = (const struct fetch *)(const void *)job_waited(job);
	if (!fetch->failed && fetch->found.kind == CLASSIFY_ANSWER) {
		look(watch, fetch->found.set);
	} else {
		finish(watch, NULL, false);
	}
}

static const struct job_kind watch_kind = {
	.name = "watch", .size = sizeof(struct watch), .run = run};

static void begin(struct refresh *refresh, uint32_t place, const struct name *zone)
{
	struct resolve *core = refresh->core;
	struct budget *budget =
		budget_new(core->now.mono_ns + RESOLVE_TIME_MS * NOW_NS_A_MILLISECOND);
	struct job *job = budget == NULL || !timers_reserve(&core->timers, core->timers.count + 64)
				  ? NULL
				  : job_start(core, &watch_kind, zone, RRTYPE_DNSKEY, 0, budget, 0);

	budget_release(budget);
	if (job == NULL) { /* no memory: later */
		refresh->next_ns[place] = core->now.mono_ns + ROLLOVER_WAIT_S_MIN * NOW_NS_A_SECOND;
		return;
	}
	struct watch *watch = (struct watch *)(void *)job;
	watch->refresh = refresh;
	watch->place = place;
	refresh->next_ns[place] = NEVER;
}

static void fire(struct timer *timer)
{
	struct refresh *refresh =
		(struct refresh *)(void *)((char *)timer - offsetof(struct refresh, timer));
	const struct anchors *anchors = core_anchors(refresh->core);

	for (uint32_t i = 0; i < REFRESH_ZONES_MAX; i++) {
		const struct name *zone = anchors_zone(anchors, i);
		if (zone == NULL || refresh->next_ns[i] > refresh->core->now.mono_ns) {
			refresh->next_ns[i] = zone == NULL ? NEVER : refresh->next_ns[i];
		} else if (anchors_of(anchors, zone) == NULL) {
			refresh->next_ns[i] =
				NEVER; /* all revoked: it is as if there had been none */
		} else {
			begin(refresh, i, zone);
		}
	}
	set_timer(refresh);
}

struct refresh *refresh_new(struct resolve *core, const struct resolve_follower *follower)
{
	struct refresh *refresh = calloc(1, sizeof(*refresh));

	if (refresh == NULL || !timers_reserve(&core->timers, core->timers.count + 64)) {
		free(refresh);
		return NULL;
	}
	refresh->core = core;
	refresh->follower = *follower;
	timers_prepare(&refresh->timer, fire);
	timers_set(&core->timers, &refresh->timer, 0);
	return refresh;
}

void refresh_restart(struct refresh *refresh)
{
	if (refresh != NULL) {
		memset(refresh->next_ns, 0, sizeof(refresh->next_ns));
		set_timer(refresh);
	}
}

void refresh_free(struct refresh *refresh)
{
	free(refresh);
}
