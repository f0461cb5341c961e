/* fetch.c - one step after the other; each function leaves the next state behind. */
#include "resolve/fetch.h"

#include <string.h>

#include "resolve/anchors.h"
#include "resolve/cause.h"
#include "resolve/choice.h"
#include "resolve/core.h"
#include "resolve/hints.h"
#include "resolve/search.h"
#include "resolve/servers.h"
#include "resolve/store.h"
#include "resolve/trust.h"
#include "wire/rrtype.h"

#define RCODE_BADCOOKIE 23u /* RFC 7873 sec 8 */
#define TRIED_ONE_IN    32u /* fetches with forwarders that were silent, and a way round them */

enum state { FIND_CUT, ASK, WAIT, LOOKED_UP, LOOKED_UP_SOA };

static void fail(struct fetch *fetch, enum dnssec_ede ede)
{
	fetch->failed = true;
	fetch->ede = (int16_t)ede;
	job_finish(&fetch->job);
}

/* The servers of the cut were of no use, or not in time. */
static void blame_servers(const struct fetch *fetch)
{
	struct budget *budget = fetch->job.budget;
	bool late = fetch->job.core->now.mono_ns >= budget->deadline_ns;

	cause_zone(budget,
		budget->packets == 0   ? "too many questions, at servers of"
		: late                 ? "too long, at servers of"
		: fetch->cut.recursive ? "forwarders of"
				       : "servers of",
		&fetch->cut.zone);
	budget->root_failed |= fetch->cut.zone.len == 1 && !fetch->cut.recursive;
}

static bool is_priming(const struct fetch *fetch)
{
	return fetch->job.name.len == 1 && fetch->job.type == RRTYPE_NS;
}

/* Servers as they were configured; false: it failed. */
static bool take_hint(struct fetch *fetch, const struct hint *hint)
{
	if (!cut_from_hint(&fetch->cut, hint, &fetch->job.arena)) {
		fail(fetch, EDE_OTHER);
		return false;
	}
	return true;
}

/* The root is asked for its own servers once; false: the fetch waits for that. */
static bool prime(struct fetch *fetch, const struct hint *hint)
{
	struct job *job = &fetch->job;

	if (!is_priming(fetch) && !fetch->primed) {
		struct job *priming = job_start(
			job->core, &fetch_kind, &hint->zone, RRTYPE_NS, 0, job->budget, job->depth);
		fetch->primed = true;
		if (priming != NULL && job_wait(job, priming)) {
			return false;
		}
	}
	return take_hint(fetch, hint);
}

/* The closest zone whose servers are known; false: it waits, or failed. */
static bool find_cut(struct fetch *fetch)
{
	struct job *job = &fetch->job;
	struct resolve *core = job->core;
	uint32_t labels = job->name.label_count;
	struct name of;

	job_end_wait(job); /* for the priming */
	/* DS is the parent's (RFC 4035 sec 3.1.4.1). */
	labels -= job->type == RRTYPE_DS && labels > 0 ? 1 : 0;
	name_ancestor(&job->name, labels, &of);
	const struct hint *hint = fetch->past_forwarder
					  ? hints_find_servers(core->shared.hints, &of)
					  : hints_find(core->shared.hints, &of);
	if (hint != NULL && hint->kind == HINT_FORWARD) {
		return take_hint(fetch, hint);
	}
	for (;; labels--) {
		struct name zone;
		struct stored stored;
		name_ancestor(&job->name, labels, &zone);
		bool allowed = !fetch->limit_above || labels < fetch->above.label_count;
		if (hint != NULL && hint->zone.label_count == labels && hint->kind == HINT_STUB) {
			return take_hint(fetch, hint);
		}
		if (allowed && store_get(core, STORE_CUT, &zone, 0, false, &stored) &&
			cut_from_sets(
				&fetch->cut, &zone, stored.sets, stored.set_count, &job->arena)) {
			fetch->cut.is_cached = true;
			return true;
		}
		if (labels == 0) {
			break;
		}
	}
	hint = hints_find_root(core->shared.hints);
	if (hint == NULL) {
		fail(fetch, EDE_NO_REACHABLE_AUTHORITY);
		return false;
	}
	return prime(fetch, hint);
}

/* How much of the name is shown to the servers of the cut. */
static void choose_question(struct fetch *fetch)
{
	struct job *job = &fetch->job;
	uint32_t all = job->name.label_count;
	uint32_t from = fetch->cut.zone.label_count;
	uint32_t step = 1;

	if (fetch->asked_labels > from) {
		from = fetch->asked_labels;
	}
	if (fetch->minimised >= FETCH_MINIMISE_ONE && fetch->minimised < FETCH_MINIMISE_MAX) {
		uint32_t left = FETCH_MINIMISE_MAX - fetch->minimised;
		step = all > from ? (all - from + left - 1) / left : 1;
	}
	if (!job->core->config.minimise || fetch->cut.recursive || from + step >= all ||
		fetch->minimised >= FETCH_MINIMISE_MAX) {
		fetch->whole = true;
	}
	if (fetch->whole) {
		fetch->asked = job->name;
		fetch->asked_type = job->type;
		return;
	}
	fetch->minimised++;
	fetch->asked_labels = from + step;
	fetch->asked_type = RRTYPE_A;
	name_ancestor(&job->name, fetch->asked_labels, &fetch->asked);
}

/* Looks for the addresses of a server of one type; false: it did not begin. */
static bool look_up_name(struct fetch *fetch, const struct name *name, uint16_t type, bool glued)
{
	struct job *job = &fetch->job;
	struct name lower = *name;

	name_lower(&lower);
	uint16_t flags = SEARCH_ADDRESS | (glued ? SEARCH_NO_GLUE : 0);
	struct job *other = job_start(job->core, &search_kind, &lower, type, flags, job->budget,
		(uint8_t)(job->depth + 1));
	if (other == NULL || !job_wait(job, other)) {
		return false;
	}
	job->state = LOOKED_UP;
	return true;
}

static bool look_up(struct fetch *fetch, struct cut_server *server, uint16_t type, bool glued)
{
	fetch->looking_up = server;
	fetch->looking_up_type = type;
	return look_up_name(fetch, &server->name, type, glued);
}

/* Begins to find out an address; false: there is no server left of which none is known. */
static bool look_up_next(struct fetch *fetch, bool glued)
{
	const struct resolve_config *config = &fetch->job.core->config;
	struct cut_server *server;

	fetch->glued = glued;
	if (fetch->job.depth >= RESOLVE_DEPTH_MAX) {
		return false;
	}
	while (fetch->job.budget->missing > 0 &&
		(server = choice_unknown(fetch->job.core, &fetch->cut, glued)) != NULL) {
		server->looked_up = true;
		if (look_up(fetch, server, config->ipv4 ? RRTYPE_A : RRTYPE_AAAA, glued)) {
			return true;
		}
		if (config->ipv4 && config->ipv6 && look_up(fetch, server, RRTYPE_AAAA, glued)) {
			return true;
		}
	}
	return false;
}

/* What came of the look-up of a server's address. */
static void take_addresses(struct fetch *fetch)
{
	struct job *job = &fetch->job;
	const struct search *search = (const struct search *)(const void *)job_waited(job);
	bool both = job->core->config.ipv4 && job->core->config.ipv6;

	if (search->result.end == SEARCH_SET) {
		cut_add_addresses(fetch->looking_up, search->result.sets[0]);
	} else if (search->result.end == SEARCH_NXDOMAIN && job->budget->missing > 0) {
		job->budget->missing--;
	}
	bool missing = search->result.end == SEARCH_NXDOMAIN;
	struct name target;
	bool alias = search->result.end == SEARCH_ALIAS && fetch->aliases < FETCH_ALIASES_MAX &&
		     classify_alias(search->result.sets[0], &search->job.name, &target);
	job_end_wait(job);
	job->state = ASK;
	if (alias) {
		/* RFC 2181 sec 10.3 forbids it, and it is out there. */
		fetch->aliases++;
		if (look_up_name(fetch, &target, fetch->looking_up_type, fetch->glued)) {
			return;
		}
	}
	if (both && !missing && fetch->looking_up_type == RRTYPE_A &&
		fetch->looking_up->addr_count == 0 &&
		!look_up(fetch, fetch->looking_up, RRTYPE_AAAA, fetch->glued)) {
		job->state = ASK;
	}
}

/* An alias may come with a referral to where it leads; NULL: none. */
static const struct rrset *find_cut_beyond(const struct fetch *fetch)
{
	for (uint32_t i = 0; i < fetch->response.set_count; i++) {
		const struct rrset *set = fetch->response.sets[i].set;
		struct name owner;
		rrset_owner(set, &owner);
		if (fetch->response.sets[i].section == SECTION_AUTHORITY &&
			set->type == RRTYPE_NS && owner.label_count > fetch->cut.zone.label_count &&
			name_is_below(&owner, &fetch->cut.zone) &&
			name_is_below(&fetch->found.target, &owner)) {
			return set;
		}
	}
	return NULL;
}

static void end(struct fetch *fetch)
{
	fetch->zone = fetch->cut.zone;
	fetch->answered = fetch->at->addr;
	struct cut unused = {.server_cap = 0};
	const struct rrset *beyond;
	if (is_priming(fetch) && fetch->found.kind == CLASSIFY_ANSWER) {
		cut_learn(fetch->job.core, &unused, &fetch->response, fetch->found.set,
			&fetch->zone, &fetch->job.arena);
	} else if (fetch->found.kind == CLASSIFY_ALIAS &&
		   (beyond = find_cut_beyond(fetch)) != NULL) {
		cut_learn(fetch->job.core, &unused, &fetch->response, beyond, &fetch->zone,
			&fetch->job.arena);
	}
	job_finish(&fetch->job);
}

/* No server of the cut is left. */
static void give_up(struct fetch *fetch)
{
	struct job *job = &fetch->job;

	if (fetch->cut.recursive && fetch->cut.fall_back && !fetch->past_forwarder) {
		fetch->past_forwarder = true;
	} else if (fetch->cut.is_learned && fetch->cut.is_cached && !fetch->went_up &&
		   (!fetch->server_failed || fetch->cut.zone.label_count == 0)) {
		/* For the root there are hints, which may know servers whose addresses are lost. The delegation may have changed since: its parent tells. What the cache says stays until then. */
		fetch->went_up = true;
		fetch->limit_above = true;
		fetch->above = fetch->cut.zone;
	} else if (fetch->has_hearsay) {
		fetch->response = fetch->hearsay;
		fetch->found = fetch->hearsay_found;
		end(fetch);
		return;
	} else {
		blame_servers(fetch);
		fail(fetch, fetch->asks == 0 ? EDE_NO_REACHABLE_AUTHORITY
					     : (enum dnssec_ede)fetch->ede);
		return;
	}
	fetch->asked_labels = 0;
	job->state = FIND_CUT;
	job_wake(job);
}

static void reply(
	struct exchange *exchange, enum exchange_end end, const uint8_t *octets, uint32_t len);

static void ask_at(struct fetch *fetch, struct cut_addr *at)
{
	struct job *job = &fetch->job;
	struct resolve *core = job->core;
	const struct server *server = servers_get(core->servers, &at->addr, core_now_ms(core));
	uint32_t wait_ms = servers_rto_ms(server);

	if (job->budget->packets == 0 || fetch->asks == FETCH_ASKS_MAX ||
		core->now.mono_ns >= job->budget->deadline_ns) {
		blame_servers(fetch);
		fail(fetch, fetch->ede == EDE_NONE ? EDE_NO_REACHABLE_AUTHORITY
						   : (enum dnssec_ede)fetch->ede);
		return;
	}
	job->budget->packets--;
	fetch->asks++;
	at->asked++;
	fetch->at = at;
	fetch->exchange.core = core;
	fetch->exchange.addr = at->addr;
	fetch->exchange.name = fetch->asked;
	fetch->exchange.type = fetch->asked_type;
	fetch->exchange.stream = at->wants_stream;
	/* Without EDNS there are no signatures: only of insecure zones it is believed that a server does not know it. */
	fetch->exchange.edns =
		!at->no_edns &&
		(core_now_ms(core) >= server->no_edns_ms ||
			trust_expected(fetch->job.core, &fetch->cut.zone) != DNSSEC_INSECURE);
	fetch->exchange.recurse = fetch->cut.recursive;
	fetch->exchange.done = reply;
	job->state = WAIT;
	/* A stream takes a round trip more, and another for what is long. */
	if (!exchange_ask(&fetch->exchange, at->wants_stream ? 3 * wait_ms : wait_ms)) {
		fail(fetch, EDE_NETWORK_ERROR);
	}
}

/* Forwarders of which none answered lately are not waited for where there is another way, but now and then. */
static bool goes_round(struct fetch *fetch, const struct cut_addr *best)
{
	struct resolve *core = fetch->job.core;

	return best != NULL && fetch->cut.recursive && fetch->cut.fall_back &&
	       !fetch->past_forwarder &&
	       servers_get(core->servers, &best->addr, core_now_ms(core))->timeouts >=
		       CHOICE_SILENT_TIMES &&
	       random_below(&core->random, TRIED_ONE_IN) != 0;
}

static void ask(struct fetch *fetch)
{
	struct cut_addr *best = choice_addr(fetch->job.core, &fetch->cut);

	if (goes_round(fetch, best)) {
		give_up(fetch);
		return;
	}
	if ((best == NULL || best->asked > 0 || choice_is_poor(fetch->job.core, best)) &&
		look_up_next(fetch, false)) {
		return;
	}
	best = best != NULL ? best : choice_addr(fetch->job.core, &fetch->cut);
	if (best == NULL && look_up_next(fetch, true)) {
		return;
	}
	if (best == NULL) {
		give_up(fetch);
	} else {
		ask_at(fetch, best);
	}
}

/* A question with less than the whole name was answered without a cut: a label more. */
static void go_on_minimised(struct fetch *fetch)
{
	if (fetch->found.kind == CLASSIFY_NXDOMAIN) {
		fetch->whole =
			true; /* it may be wrong about names below (RFC 9156 sec 2.3); the whole name tells */
	}
	choose_question(fetch);
	fetch->at->asked = 0;
	ask_at(fetch, fetch->at);
}

/* A referral for a DS question to the very name: what it brings along about DS is the answer. */
static bool is_ds_answer(struct fetch *fetch)
{
	struct classified *found = &fetch->found;

	if (fetch->job.type != RRTYPE_DS || !rrset_is(found->set, &fetch->job.name, RRTYPE_NS)) {
		return false;
	}
	const struct rrset *ds =
		response_find(&fetch->response, SECTION_AUTHORITY, &fetch->job.name, RRTYPE_DS);
	found->kind = ds != NULL ? CLASSIFY_ANSWER : CLASSIFY_NODATA;
	found->set = ds;
	return true;
}

/* Did the referral tell an address of the very name? */
static bool has_glue(const struct fetch *fetch)
{
	uint8_t family = fetch->job.type == RRTYPE_A ? ADDR_V4 : ADDR_V6;

	for (uint32_t s = 0; s < fetch->cut.server_count; s++) {
		const struct cut_server *server = &fetch->cut.servers[s];
		for (uint32_t a = 0; a < server->addr_count; a++) {
			if (server->addrs[a].addr.family == family &&
				name_equal(&server->name, &fetch->job.name)) {
				return true;
			}
		}
	}
	return false;
}

/* A denial of DS that is a referral has no SOA, and validators behind us refuse it without (RFC 2308 sec 3). The zone is the
 * one that holds the name above: whoever is asked for its SOA there tells it, with an answer or a denial. No ring can come of
 * it, for each such question is about a shorter name. true: the fetch waits for it
 *
 * shape   flags: SEARCH_BOGUS where the checked one does not hold, for clients that take the denial as it is; to others it
 *         will be bogus with that
 */
static bool look_for_soa(struct fetch *fetch, uint32_t labels, uint16_t flags)
{
	struct job *job = &fetch->job;
	struct name above;

	if (fetch->found.kind != CLASSIFY_NODATA) {
		return false;
	}
	fetch->asked_labels = labels;
	name_ancestor(&job->name, labels, &above);
	struct job *search = job_start(
		job->core, &search_kind, &above, RRTYPE_SOA, flags, job->budget, job->depth);
	if (search == NULL || !job_wait(job, search)) {
		return false;
	}
	job->state = LOOKED_UP_SOA;
	return true;
}

/* Without SOA the denial is one all the same: it is not kept. */
static void take_soa(struct fetch *fetch)
{
	struct job *job = &fetch->job;
	const struct search *search = (const struct search *)(const void *)job_waited(job);
	const struct search_result *result = &search->result;
	uint16_t flags = search->job.flags;
	uint32_t labels = fetch->asked_labels;
	bool is_failed = result->end == SEARCH_FAILED;
	/* No zone begins at an alias. */
	bool is_above = result->end == SEARCH_ALIAS && labels > fetch->cut.zone.label_count;

	if (result->set_count > 0 && result->sets[0]->type == RRTYPE_SOA) {
		fetch->found.set = rrset_copy(&job->arena, result->sets[0]);
	}
	job_end_wait(job);
	if (is_above && look_for_soa(fetch, labels - 1, flags)) {
		return;
	}
	if (is_failed && flags == 0 && look_for_soa(fetch, labels, SEARCH_BOGUS)) {
		return;
	}
	end(fetch);
}

static void go_down(struct fetch *fetch)
{
	struct name asked_zone = fetch->cut.zone;

	cut_learn(fetch->job.core, &fetch->cut, &fetch->response, fetch->found.set, &asked_zone,
		&fetch->job.arena);
	if ((fetch->job.flags & FETCH_TAKES_GLUE) != 0 && has_glue(fetch)) {
		fail(fetch, EDE_NONE); /* the cut in the cache says what is wanted */
		return;
	}
	fetch->asked_labels = 0;
	fetch->whole = false;
	choose_question(fetch);
	fetch->job.state = ASK;
	job_wake(&fetch->job);
}

static void server_is_no_use(struct fetch *fetch, enum dnssec_ede ede)
{
	fetch->ede = (int16_t)ede;
	fetch->at->is_useless = true;
	fetch->job.state = ASK;
	job_wake(&fetch->job);
}

static void take_response(struct fetch *fetch)
{
	const struct classify_question question = {.name = &fetch->asked,
		.type = fetch->asked_type,
		.zone = &fetch->cut.zone,
		.recursive = fetch->cut.recursive};

	classify(&fetch->response, &question, &fetch->found);
	switch (fetch->found.kind) {
	case CLASSIFY_REFERRAL:
		if (is_ds_answer(fetch)) {
			if (!look_for_soa(fetch, fetch->job.name.label_count - 1u, 0)) {
				end(fetch);
			}
		} else {
			go_down(fetch);
		}
		return;
	case CLASSIFY_LAME:
	case CLASSIFY_FAILED:
		if (!fetch->whole) {
			/* Some servers fail at names that have names below alone. */
			fetch->whole = true;
			choose_question(fetch);
			fetch->at->asked = 0;
			ask_at(fetch, fetch->at);
			return;
		}
		fetch->server_failed |= fetch->found.kind == CLASSIFY_FAILED;
		server_is_no_use(fetch, fetch->found.kind == CLASSIFY_LAME
						? EDE_NOT_AUTHORITATIVE
						: EDE_NO_REACHABLE_AUTHORITY);
		return;
	case CLASSIFY_ANSWER:
	case CLASSIFY_ALIAS:
	case CLASSIFY_NODATA:
	case CLASSIFY_NXDOMAIN:
		if (fetch->found.hearsay && fetch->whole) {
			fetch->has_hearsay = true;
			fetch->hearsay = fetch->response;
			fetch->hearsay_found = fetch->found;
			server_is_no_use(fetch, EDE_NOT_AUTHORITATIVE);
		} else if (fetch->whole) {
			end(fetch);
		} else {
			go_on_minimised(fetch);
		}
		return;
	}
}

/* A server says that it does not understand EDNS; or it erred, or somebody else says so who guessed well. Of a secure zone
 * unsigned answers are of no use: it is asked once more as before. true: it is asked again
 */
static bool ask_without_edns(struct fetch *fetch)
{
	struct cut_addr *at = fetch->at;

	if (trust_expected(fetch->job.core, &fetch->cut.zone) == DNSSEC_SECURE) {
		return at->formerrs++ == 0;
	}
	at->no_edns = true;
	return true;
}

/* Something about the way of asking has to change for this server; true: it is asked again. */
static bool ask_otherwise(struct fetch *fetch)
{
	const struct response *response = &fetch->response;
	struct cut_addr *at = fetch->at;
	bool stream = fetch->exchange.stream;

	if ((response->flags & WIRE_FLAG_TC) != 0 && !stream) {
		at->wants_stream = true;
	} else if (response->rcode == RCODE_BADCOOKIE && !stream) {
		at->wants_stream = at->asked > 1; /* the right cookie came with the refusal */
	} else if (fetch->exchange.edns &&
		   (response->rcode == RCODE_FORMERR || response->rcode == RCODE_NOTIMP ||
			   response->rcode == RCODE_BADVERS)) {
		if (!ask_without_edns(fetch)) {
			return false;
		}
	} else {
		return false;
	}
	ask_at(fetch, at);
	return true;
}

static void learn_cookie(struct server *server, const struct response *response)
{
	if (response->cookie_len > 8) {
		server->cookie_len = response->cookie_len;
		memcpy(server->cookie, response->cookie, response->cookie_len);
	}
}

/* It was asked without EDNS, and this helped. */
static void learn_without_edns(const struct fetch *fetch, struct server *server)
{
	uint16_t rcode = fetch->response.rcode;

	if (!fetch->exchange.edns && fetch->at->no_edns &&
		(rcode == RCODE_NOERROR || rcode == RCODE_NXDOMAIN) &&
		trust_expected(fetch->job.core, &fetch->cut.zone) == DNSSEC_INSECURE) {
		server->no_edns_ms = core_now_ms(fetch->job.core) + SERVERS_NO_EDNS_MS;
	}
}

static void reply(
	struct exchange *exchange, enum exchange_end end_kind, const uint8_t *octets, uint32_t len)
{
	struct fetch *fetch =
		(struct fetch *)(void *)((char *)exchange - offsetof(struct fetch, exchange));
	struct resolve *core = fetch->job.core;
	struct server *server = servers_get(core->servers, &exchange->addr, core_now_ms(core));

	if (end_kind == EXCHANGE_TIMEOUT) {
		servers_timed_out(server);
		fetch->at->is_useless |= exchange->stream;
		fetch->ede = EDE_NO_REACHABLE_AUTHORITY;
		fetch->job.state = ASK;
		job_wake(&fetch->job);
		return;
	}
	if (end_kind == EXCHANGE_FAILURE) {
		servers_timed_out(server);
		server_is_no_use(fetch, EDE_NETWORK_ERROR);
		return;
	}
	if (!exchange->stream) {
		servers_answered(server, core->now.mono_ns - exchange->sent_ns);
	}
	struct budget *budget = fetch->job.budget;
	budget->octets -= len < budget->octets ? len : budget->octets;
	enum wire_status status = response_parse(octets, len, &fetch->job.arena, &fetch->response);
	bool cut_short = (fetch->response.flags & WIRE_FLAG_TC) != 0 && !exchange->stream;
	if (budget->octets == 0 || (status != WIRE_OK && !cut_short)) {
		server_is_no_use(fetch, EDE_INVALID_DATA);
		return;
	}
	learn_cookie(server, &fetch->response);
	if ((fetch->response.flags & WIRE_FLAG_TC) != 0 && exchange->stream) {
		server_is_no_use(fetch, EDE_INVALID_DATA); /* a stream has room for all */
		return;
	}
	if (!ask_otherwise(fetch)) {
		learn_without_edns(fetch, server);
		take_response(fetch);
	}
}

static void run(struct job *job)
{
	struct fetch *fetch = (struct fetch *)(void *)job;

	switch ((enum state)job->state) {
	case FIND_CUT:
		fetch->ede = fetch->asks == 0 ? EDE_NONE : fetch->ede;
		if (!find_cut(fetch)) {
			return;
		}
		fetch->whole = false;
		choose_question(fetch);
		job->state = ASK;
		ask(fetch);
		return;
	case ASK:
		ask(fetch);
		return;
	case WAIT:
		return;
	case LOOKED_UP:
		take_addresses(fetch);
		if (job->state == ASK) {
			ask(fetch);
		}
		return;
	case LOOKED_UP_SOA:
		take_soa(fetch);
		return;
	}
}

static void stop(struct job *job)
{
	struct fetch *fetch = (struct fetch *)(void *)job;

	if (fetch->exchange.id != EXCHANGE_NONE) {
		exchange_drop(&fetch->exchange);
	}
}

const struct job_kind fetch_kind = {
	.name = "fetch", .size = sizeof(struct fetch), .run = run, .stop = stop};
