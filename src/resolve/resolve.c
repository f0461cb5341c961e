/* resolve.c - events to the parts that they concern, and actions out. */
#include "resolve/resolve.h"

#include <stdlib.h>
#include <string.h>

#include "crypto/signature.h"
#include "dnssec/memo.h"
#include "resolve/admission.h"
#include "resolve/core.h"
#include "resolve/exchange.h"
#include "resolve/hit.h"
#include "resolve/query.h"
#include "resolve/refresh.h"
#include "resolve/rules.h"
#include "resolve/servers.h"
#include "resolve/spans.h"

#define ACTIONS_FIRST 256u
#define ANSWERS_MAX                                                                                \
	(64u << 20) /* octets of answers of one step: a thousand clients of one question */

struct resolve *resolve_new(const struct resolve_config *config,
	const struct resolve_shared *shared, const uint8_t secret[32])
{
	struct resolve *core = calloc(1, sizeof(*core));

	if (core == NULL) {
		return NULL;
	}
	core->config = *config;
	core->shared = *shared;
	core->rules_number = RULES_NONE;
	memcpy(core->secret, secret, sizeof(core->secret));
	timers_init(&core->timers);
	arena_init(&core->answers, ANSWERS_MAX);
	core->exchanges = exchange_table_new();
	core->servers = servers_new();
	core->spans = spans_new(config->spans_size);
	core->hit_items = hit_new();
	core->ready_keys = signature_keys_new();
	core->memo = memo_new(secret);
	core->actions.items = malloc(ACTIONS_FIRST * sizeof(core->actions.items[0]));
	core->actions.cap = ACTIONS_FIRST;
	random_init(&core->random, core_random(core));
	const uint64_t share_key[2] = {core_random(core), core_random(core)};
	core->places = places_new(config->queries_max, (const uint8_t *)share_key);
	if (core->places == NULL || core->exchanges == NULL || core->servers == NULL ||
		core->spans == NULL || core->hit_items == NULL || core->ready_keys == NULL ||
		core->memo == NULL || core->actions.items == NULL) {
		resolve_free(core);
		return NULL;
	}
	return core;
}

void resolve_free(struct resolve *core)
{
	if (core == NULL) {
		return;
	}
	job_free_all(core);
	exchange_table_free(core->exchanges);
	servers_free(core->servers);
	refresh_free(core->refresh);
	spans_free(core->spans);
	free(core->hit_items);
	signature_keys_free(core->ready_keys);
	memo_free(core->memo);
	places_free(core->places);
	timers_fini(&core->timers);
	arena_fini(&core->answers);
	free(core->actions.items);
	free(core);
}

enum status resolve_follow(struct resolve *core, const struct resolve_follower *follower)
{
	ASSERT(core->refresh == NULL);
	core->refresh = refresh_new(core, follower);
	return core->refresh != NULL ? STATUS_OK : STATUS_MEMORY;
}

void resolve_listen(struct resolve *core, const struct resolve_listener *listener)
{
	core->listener = *listener;
}

void resolve_step(struct resolve *core, const struct resolve_event *event)
{
	core->now = event->now;
	core_look(core, event->now);
	/* Answers of the step before have gone out, unless nobody took them yet. */
	if (core->actions.head == core->actions.tail) {
		arena_reset(&core->answers);
	}
	rules_follow(core);
	switch (event->kind) {
	case RESOLVE_QUERY:
		admission_take(core, event);
		break;
	case RESOLVE_DATAGRAM:
	case RESOLVE_STREAM:
		exchange_take(core, event->exchange, event->octets, event->len);
		break;
	case RESOLVE_FAILED:
		exchange_take(core, event->exchange, NULL, 0);
		break;
	case RESOLVE_TIME:
		core->checks_this_turn = 0;
		break;
	}
	while (core->refresh_count > 0) {
		const struct core_refresh *refresh = &core->refreshes[--core->refresh_count];
		query_refresh(core, &refresh->name, refresh->type, refresh->expires_ms);
	}
	job_run_ready(core);
	while (timers_fire(&core->timers, core->now.mono_ns)) {
		job_run_ready(core);
	}
}

bool resolve_action(struct resolve *core, struct resolve_action *out)
{
	struct core_actions *actions = &core->actions;

	if (actions->head == actions->tail) {
		return false;
	}
	*out = actions->items[actions->head++ & (actions->cap - 1)];
	return true;
}

uint64_t resolve_deadline(const struct resolve *core)
{
	return core->jobs.ready != NULL || core->refresh_count > 0 ? core->now.mono_ns
								   : timers_next(&core->timers);
}

const struct resolve_counters *resolve_counters(const struct resolve *core)
{
	return &core->counters;
}

void resolve_forget(struct resolve *core, const struct name *name)
{
	struct name lower = *name;

	name_lower(&lower);
	spans_forget(core->spans, &lower);
}
