/* search.c - the steps of a look-up. */
#include "resolve/search.h"

#include <string.h>

#include "dnssec/keyset.h"
#include "resolve/core.h"
#include "resolve/fetch.h"
#include "resolve/harvest.h"
#include "resolve/judge.h"
#include "resolve/known.h"
#include "resolve/servers.h"
#include "resolve/spans.h"
#include "resolve/trust.h"
#include "wire/rrtype.h"

enum state { START, FETCHED, TRUSTED };

static void find_trust(struct search *search);

static void finish(struct search *search)
{
	if (search->fetch != NULL) {
		struct job *fetch = &search->fetch->job;
		search->fetch = NULL;
		job_release(fetch);
	}
	job_finish(&search->job);
}

static void fail(struct search *search, int16_t ede)
{
	struct job *job = &search->job;

	search->result.end = SEARCH_FAILED;
	search->result.ede = ede;
	search->result.set_count = search->result.answer_count = 0;
	known_remember_failure(job->core, &job->name, job->type, DNSSEC_UNCHECKED, ede);
	finish(search);
}

static bool takes_glue(const struct job *job)
{
	return (job->flags & (SEARCH_ADDRESS | SEARCH_NO_GLUE)) == SEARCH_ADDRESS;
}

/* Nothing is checked for a client with CD: it does that itself, and dead servers in the chain are not to hold it up. */
static bool takes_all(const struct job *job)
{
	return (job->flags & SEARCH_BOGUS) != 0;
}

static void begin_fetch(struct search *search)
{
	struct job *job = &search->job;
	uint16_t flags = (uint16_t)(search->tries | (takes_glue(job) ? FETCH_TAKES_GLUE : 0));
	struct job *fetch = job_start(
		job->core, &fetch_kind, &job->name, job->type, flags, job->budget, job->depth);

	job->state = FETCHED;
	if (fetch == NULL || !job_wait(job, fetch)) {
		fail(search, EDE_NO_REACHABLE_AUTHORITY);
	}
}

static void start(struct search *search)
{
	struct job *job = &search->job;
	struct resolve *core = job->core;
	int16_t ede;
	uint8_t status;
	bool address = (job->flags & SEARCH_ADDRESS) != 0;

	if (takes_glue(job) && known_glue(job, &search->result)) {
		finish(search);
		return;
	}
	if ((job->flags & SEARCH_FRESH) == 0 &&
		(known_get(core, &job->name, job->type, false, &job->arena, &search->result) ||
			((address || takes_all(job)) &&
				known_get_unchecked(core, &job->name, job->type, &job->arena,
					&search->result)))) {
		finish(search);
		return;
	}
	if (!address && core->config.aggressive && (job->flags & SEARCH_FRESH) == 0 &&
		spans_deny(
			core->spans, core, &job->name, job->type, &job->arena, &search->result)) {
		finish(search);
		return;
	}
	if (known_failure(core, &job->name, job->type, &status, &ede) &&
		(status != DNSSEC_BOGUS || !takes_all(job))) {
		search->result.end = SEARCH_FAILED;
		search->result.ede = ede;
		finish(search);
		return;
	}
	if (core->config.validate && job->type == RRTYPE_DS && job->flags == 0 &&
		known_ds(job, &search->result)) {
		find_trust(search);
		return;
	}
	begin_fetch(search);
}

static void keep_set(struct search *search, uint32_t place)
{
	struct search_result *result = &search->result;
	struct stored what = {
		.status = result->status, .ede = result->ede, .sets = {result->sets[place]}};
	struct name owner;

	what.set_count = 1;
	/* The proof that nothing is closer than the wildcard goes along. */
	for (uint32_t i = result->answer_count; result->answer_count == 1 && i < result->set_count;
		i++) {
		what.sets[what.set_count++] = result->sets[i];
	}
	rrset_owner(result->sets[place], &owner);
	store_put(search->job.core,
		result->status == DNSSEC_UNCHECKED ? STORE_UNCHECKED_SET : STORE_SET, &owner,
		result->sets[place]->type, &what, result->ttls[place]);
}

/* To the cache, and done. */
static void keep(struct search *search)
{
	struct job *job = &search->job;
	struct search_result *result = &search->result;
	struct stored what = {.status = result->status, .ede = result->ede};

	if (result->end == SEARCH_SET || result->end == SEARCH_ALIAS) {
		for (uint32_t i = 0; i < result->answer_count; i++) {
			keep_set(search, i);
		}
	} else {
		what.code = result->end == SEARCH_NXDOMAIN ? RCODE_NXDOMAIN : RCODE_NOERROR;
		what.set_count = result->set_count;
		memcpy(what.sets, result->sets, result->set_count * sizeof(result->sets[0]));
		store_put(job->core,
			result->status == DNSSEC_UNCHECKED ? STORE_UNCHECKED_ABSENT : STORE_ABSENT,
			&job->name, result->end == SEARCH_NXDOMAIN ? 0 : job->type, &what,
			result->ttl_s);
		if (result->status == DNSSEC_SECURE && job->core->config.aggressive &&
			result->set_count > 0 && result->sets[0]->type == RRTYPE_SOA) {
			struct name zone;
			rrset_owner(result->sets[0], &zone);
			spans_learn(job->core->spans, job->core, &zone, result->sets, result->ttls,
				result->set_count);
		}
	}
	/* Result and response are in two arenas: the result's sets have to outlast the fetch. */
	for (uint32_t i = 0; i < result->set_count; i++) {
		result->sets[i] = rrset_copy(&job->arena, result->sets[i]);
		if (result->sets[i] == NULL) {
			fail(search, EDE_OTHER);
			return;
		}
	}
	finish(search);
}

/* What does not hold is told, not kept; first another server is asked. */
static void reject(struct search *search, int16_t ede)
{
	struct job *job = &search->job;
	struct search_result *result = &search->result;
	struct dnssec_budget *dnssec = &job->budget->dnssec;

	if (search->fetch == NULL) {
		begin_fetch(
			search); /* what the referral said does not hold: the zone itself is asked */
		return;
	}
	if (++search->tries < SEARCH_TRIES_MAX && dnssec->checks > 0 && dnssec->failures > 0) {
		struct job *fetch = &search->fetch->job;
		search->fetch = NULL;
		job_release(fetch);
		begin_fetch(search);
		return;
	}
	known_remember_failure(job->core, &job->name, job->type, DNSSEC_BOGUS, ede);
	result->status = DNSSEC_BOGUS;
	result->ede = ede;
	for (uint32_t i = 0; i < result->set_count; i++) {
		result->sets[i] = rrset_copy(&job->arena, result->sets[i]);
		if (result->sets[i] == NULL) {
			result->set_count = result->answer_count = 0;
			result->end = SEARCH_FAILED;
		}
	}
	finish(search);
}

/* The same, and the server is to blame: not where the keys could not be had, which others may have spoilt. */
static void bogus(struct search *search, int16_t ede)
{
	struct resolve *core = search->job.core;

	if (search->fetch != NULL && search->could_check) {
		servers_get(core->servers, &search->fetch->answered, core_now_ms(core))
			->penalty_ms = core_now_ms(core) + SERVERS_PENALTY_MS;
	}
	reject(search, ede);
}

static void settle(struct search *search, enum dnssec_status status, int16_t ede)
{
	search->result.status = (uint8_t)status;
	search->result.ede = ede;
	keep(search);
}

/* Below a span with opt-out all may be insecure, a denial out of the signed zone itself must not: its SOA says whose it is,
 * and those of signed zones are signed.
 */
static bool lacks_signature(const struct search *search)
{
	const struct search_result *result = &search->result;
	const struct rrset *keys;
	struct name owner, zone;
	uint8_t status;
	int16_t ede;

	if (result->answer_count > 0 || result->set_count == 0 ||
		result->sets[0]->type != RRTYPE_SOA || result->sets[0]->sig_count > 0) {
		return false;
	}
	rrset_owner(result->sets[0], &owner);
	name_lower(&owner);
	return trust_cached(search->job.core, &owner, &status, &zone, &keys, &ede) &&
	       status == DNSSEC_SECURE && name_equal(&zone, &owner);
}

static void judge_with(struct search *search, uint8_t status, const struct name *zone,
	const struct rrset *keys, int16_t ede)
{
	const struct dnssec_budget *dnssec = &search->job.budget->dnssec;

	search->could_check = dnssec->checks > 0 && dnssec->failures > 0;
	if (status == DNSSEC_INSECURE && lacks_signature(search)) {
		bogus(search, EDE_RRSIGS_MISSING);
		return;
	}
	if (status == DNSSEC_INSECURE) {
		settle(search, DNSSEC_INSECURE, ede);
		return;
	}
	if (status != DNSSEC_SECURE) {
		reject(search, ede);
		return;
	}
	const struct judge_verdict verdict = judge(&search->job, &search->result, zone, keys);
	if (verdict.status == DNSSEC_BOGUS) {
		bogus(search, verdict.ede);
	} else {
		settle(search, verdict.status, verdict.ede);
	}
}

/* Whose zone has to be trusted: who signed; or, where nobody did, whoever is responsible for the name. */
static void choose_signer(struct search *search)
{
	const struct job *job = &search->job;
	const struct keyset_policy policy = {.sha1 = true};
	const struct search_result *result = &search->result;
	uint32_t count = result->answer_count > 0 ? result->answer_count : result->set_count;

	for (uint32_t i = 0; i < count; i++) {
		if (keyset_signer(result->sets[i], &policy, &search->signer)) {
			name_lower(&search->signer);
			return;
		}
	}
	if (result->end == SEARCH_ALIAS) {
		rrset_owner(result->sets[0], &search->signer);
		name_lower(&search->signer);
		return;
	}
	bool parent = job->type == RRTYPE_DS && job->name.label_count > 0;
	name_ancestor(&job->name, job->name.label_count - (parent ? 1u : 0u), &search->signer);
}

static void fetched(struct search *search)
{
	struct job *job = &search->job;
	struct fetch *fetch = (struct fetch *)(void *)job_waited(job);
	int16_t ede;

	if (fetch->failed) {
		ede = fetch->ede;
		job_end_wait(job);
		if (takes_glue(job) && known_glue(job, &search->result)) {
			finish(search);
			return;
		}
		fail(search, ede);
		return;
	}
	fetch->job.holds++; /* its response is used while another job is waited for */
	search->fetch = fetch;
	job_end_wait(job);
	harvest(job, fetch, &search->result);
	if ((job->flags & SEARCH_ADDRESS) != 0) {
		search->result.set_count = search->result.answer_count > 0
						   ? search->result.answer_count
						   : search->result.set_count;
		settle(search, DNSSEC_UNCHECKED, EDE_NONE);
		return;
	}
	if (!job->core->config.validate) {
		settle(search, DNSSEC_INSECURE, EDE_NONE);
		return;
	}
	find_trust(search);
}

/* Whose keys check what was found; then the checks. */
static void find_trust(struct search *search)
{
	struct job *job = &search->job;
	const struct rrset *keys;
	struct name zone;
	uint8_t status;
	int16_t ede;

	if (takes_all(job)) {
		settle(search, DNSSEC_UNCHECKED, EDE_NONE);
		return;
	}
	choose_signer(search);
	if (trust_cached(job->core, &search->signer, &status, &zone, &keys, &ede)) {
		judge_with(search, status, &zone, keys, ede);
		return;
	}
	struct job *trust =
		job_start(job->core, &trust_kind, &search->signer, 0, 0, job->budget, job->depth);
	job->state = TRUSTED;
	if (trust == NULL || !job_wait(job, trust)) {
		reject(search, EDE_INDETERMINATE);
	}
}

static void trusted(struct search *search)
{
	struct job *job = &search->job;
	struct trust *trust = (struct trust *)(void *)job_waited(job);

	trust->job.holds++; /* the keys are its */
	job_end_wait(job);
	judge_with(search, trust->status, &trust->zone, trust->keys, trust->ede);
	job_release(&trust->job);
}

static void run(struct job *job)
{
	struct search *search = (struct search *)(void *)job;

	switch ((enum state)job->state) {
	case START:
		start(search);
		return;
	case FETCHED:
		fetched(search);
		return;
	case TRUSTED:
		trusted(search);
		return;
	}
}

static void stop(struct job *job)
{
	struct search *search = (struct search *)(void *)job;

	if (search->fetch != NULL) {
		job_release(&search->fetch->job);
		search->fetch = NULL;
	}
}

const struct job_kind search_kind = {
	.name = "search", .size = sizeof(struct search), .run = run, .stop = stop};
