/* recall.c - name after name, each out of the cache. */
#include "resolve/recall.h"

#include "dnssec/dnssec.h"
#include "resolve/classify.h"
#include "resolve/core.h"
#include "resolve/dns64.h"
#include "resolve/known.h"
#include "resolve/rebinding.h"
#include "resolve/spans.h"
#include "wire/rrtype.h"

bool recall_wants_nat(const struct resolve *core, uint16_t type)
{
	return type == RRTYPE_AAAA && core->config.dns64.len != 0;
}

const struct search_result *recall_screen(
	const struct resolve *core, const struct search_result *result, struct arena *arena)
{
	static const struct search_result failed = {.end = SEARCH_FAILED, .ede = EDE_OTHER};

	if (core->shared.rebinding == NULL || result->end != SEARCH_SET) {
		return result;
	}
	struct search_result *scrubbed = arena_alloc(arena, sizeof(*scrubbed));
	if (scrubbed == NULL) {
		return &failed;
	}
	return rebinding_scrub(core->shared.rebinding, result, arena, scrubbed) ? scrubbed : result;
}

/* Proofs of other names may say what there is not (RFC 8198). */
static bool find_denial(struct resolve *core, const struct name *name, uint16_t type,
	struct arena *arena, struct search_result *result)
{
	return core->config.aggressive && spans_deny(core->spans, core, name, type, arena, result);
}

/* One name; NULL: it is not there, was not checked, or does not hold. */
static const struct search_result *find(struct resolve *core, const struct name *name,
	uint16_t type, bool stale_ok, struct arena *arena, struct recall *out)
{
	struct search_result *result = &out->results[out->result_count++];

	if (!known_get(core, name, type, stale_ok, NULL, result)) {
		bool is_denied = find_denial(core, name, type, arena, result);
		out->is_derived |= is_denied;
		return is_denied ? result : NULL;
	}
	if (result->status == DNSSEC_BOGUS) {
		return NULL;
	}
	for (uint32_t i = 0; result->stale && i < result->set_count; i++) {
		result->ttls[i] = RECALL_STALE_TTL_S;
	}
	out->is_stale |= result->stale;
	return recall_screen(core, result, arena);
}

/* ... or what DNS64 makes of it. */
static const struct search_result *find_nat(struct resolve *core, const struct name *name,
	const struct recall_how *how, struct arena *arena, struct recall *out)
{
	const struct search_result *result = find(core, name, how->type, how->stale_ok, arena, out);

	if (result == NULL || !how->nat || !recall_wants_nat(core, how->type) ||
		!dns64_lacks(result)) {
		return result;
	}
	const struct search_result *v4 = find(core, name, RRTYPE_A, how->stale_ok, arena, out);
	struct search_result *made = arena_alloc(arena, sizeof(*made));
	if (v4 == NULL || made == NULL) {
		return NULL;
	}
	return dns64_make(&core->config.dns64, result, v4, arena, made) ? made : result;
}

/* The last name is known: what the whole comes to. */
static void conclude(const struct search_result *last, bool secure, struct recall *out)
{
	struct compose_answer *answer = &out->answer;
	bool absent = last->end == SEARCH_NXDOMAIN;

	answer->rcode = absent ? RCODE_NXDOMAIN : RCODE_NOERROR;
	answer->secure = secure && !out->is_stale;
	if (out->is_stale) {
		answer->ede = absent ? EDE_STALE_NXDOMAIN_ANSWER : EDE_STALE_ANSWER;
	}
}

bool recall_answer(struct resolve *core, const struct name *qname, const struct recall_how *how,
	struct arena *arena, struct recall *out)
{
	struct compose_answer *answer = &out->answer;
	struct name name = *qname;
	bool secure = true;

	/* Field by field: the parts are a kilobyte, and this is every warm answer's way. */
	answer->rcode = RCODE_NOERROR;
	answer->ede = EDE_NONE;
	answer->cause = NULL;
	answer->secure = false;
	answer->part_count = 0;
	out->is_stale = false;
	out->is_derived = false;
	out->result_count = 0;
	while (answer->part_count < COMPOSE_PARTS_MAX) {
		const struct search_result *result = find_nat(core, &name, how, arena, out);
		if (result == NULL || result->end == SEARCH_FAILED) {
			return false;
		}
		secure &= result->status == DNSSEC_SECURE;
		answer->ede = answer->ede == EDE_NONE ? result->ede : answer->ede;
		const struct name *kept =
			answer->part_count == 0 ? qname : arena_copy(arena, &name, sizeof(name));
		if (kept == NULL) {
			return false;
		}
		answer->parts[answer->part_count++] =
			(struct compose_part){.result = result, .name = kept};
		/* That which a DNAME makes is an answer to who asks for CNAME. */
		if (result->end != SEARCH_ALIAS || how->type == RRTYPE_CNAME) {
			conclude(result, secure, out);
			return true;
		}
		if (!classify_alias(result->sets[0], &name, &name)) {
			return false;
		}
		name_lower(&name);
	}
	return false;
}
