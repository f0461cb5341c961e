/* rules.c - new rules: a core begins anew, the cache forgets what they change. */
#include "resolve/rules.h"

#include <string.h>

#include "resolve/admission.h"
#include "resolve/anchors.h"
#include "resolve/core.h"
#include "resolve/hints.h"
#include "resolve/inspect.h"
#include "resolve/local.h"
#include "resolve/refresh.h"
#include "resolve/spans.h"

static void begin_anew(struct resolve *core, const struct rules *rules)
{
	const struct name root = {.len = 1};

	core->rules_number = rules->number;
	core->config = rules->config;
	core->shared.anchors = rules->anchors;
	core->shared.hints = rules->hints;
	core->shared.local = rules->local;
	core->shared.rebinding = rules->rebinding;
	spans_forget(core->spans, &root);
	core->refresh_count = 0;
	admission_restart(core);
	refresh_restart(core->refresh);
}

void rules_follow(struct resolve *core)
{
	if (core->shared.rules == NULL) {
		return;
	}
	const struct rules *rules = publish_get(core->shared.rules);
	if (UNLIKELY(rules->number != core->rules_number)) {
		begin_anew(core, rules);
	}
}

struct change {
	const struct rules *old, *now;
};

static bool same_anchor(const struct rrset *a, const struct rrset *b)
{
	return a == NULL || b == NULL ? a == b : a->len == b->len && memcmp(a, b, a->len) == 0;
}

/* The root's servers matter for the root alone: who served the zones below is known from its answers. */
static bool same_hint(const struct hint *a, const struct hint *b, const struct name *name)
{
	if (a == NULL || b == NULL) {
		return a == b;
	}
	return (a->kind == HINT_ROOT && b->kind == HINT_ROOT && name->len > 1) || hints_same(a, b);
}

static bool is_changed(const void *context, const struct name *name)
{
	const struct change *change = context;
	const struct rules *old = change->old, *now = change->now;

	return old->config.validate != now->config.validate ||
	       (now->local != NULL && local_holds(now->local, name)) ||
	       !same_hint(hints_find(old->hints, name), hints_find(now->hints, name), name) ||
	       !same_anchor(anchors_find(old->anchors, name), anchors_find(now->anchors, name));
}

uint64_t rules_forget(struct cache *cache, const struct rules *old, const struct rules *now)
{
	const struct change change = {.old = old, .now = now};

	return inspect_sift(cache, is_changed, &change);
}
