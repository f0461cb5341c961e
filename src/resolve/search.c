/* search.c - the steps of a look-up. */
#include "resolve/search.h"

#include <string.h>

#include "base/octets.h"
#include "dnssec/keyset.h"
#include "resolve/classify.h"
#include "resolve/core.h"
#include "resolve/fetch.h"
#include "resolve/proofs.h"
#include "resolve/servers.h"
#include "resolve/spans.h"
#include "resolve/trust.h"
#include "wire/rrtype.h"

#define TYPE_ANY        255u
#define SOA_MINIMUM_LEN 4u

enum state { START, FETCHED, TRUSTED };

/* One stored value becomes a result; false: no room in the arena. */
static bool take_stored(const struct stored *stored, enum search_end end, struct arena *arena,
	struct search_result *out)
{
	out->end = end;
	out->status = stored->status;
	out->ede = stored->ede;
	out->stale = stored->expired;
	out->hits = stored->hits + 1;
	out->set_count = stored->set_count;
	out->answer_count = end == SEARCH_SET || end == SEARCH_ALIAS ? 1 : 0;
	out->ttl_s = stored->ttl_s;
	for (uint32_t i = 0; i < stored->set_count; i++) {
		uint32_t ttl = stored->sets[i]->ttl;
		ttl = ttl > stored->age_s ? ttl - stored->age_s : 0;
		out->ttls[i] = ttl < stored->ttl_s ? ttl : stored->ttl_s;
		out->sets[i] = arena == NULL ? stored->sets[i] : rrset_copy(arena, stored->sets[i]);
		if (out->sets[i] == NULL) {
			return false;
		}
	}
	return true;
}

static bool find_stored(struct resolve *core, const struct name *name, uint16_t type, bool stale_ok,
	struct stored *stored, enum search_end *end)
{
	*end = SEARCH_SET;
	if (store_get(core, STORE_SET, name, type, stale_ok, stored)) {
		return true;
	}
	*end = SEARCH_ALIAS; /* DS is the parent's: what the child says of an alias there does not matter. */
	if (type != RRTYPE_CNAME && type != RRTYPE_DS &&
		store_get(core, STORE_SET, name, RRTYPE_CNAME, stale_ok, stored)) {
		return true;
	}
	*end = SEARCH_NXDOMAIN;
	if (store_get(core, STORE_ABSENT, name, 0, stale_ok, stored)) {
		return true;
	}
	*end = SEARCH_NODATA;
	return store_get(core, STORE_ABSENT, name, type, stale_ok, stored);
}

/* A DNAME above the name, or a secure proof that an ancestor does not exist (RFC 8020). */
static bool find_above(
	struct resolve *core, const struct name *name, struct stored *stored, enum search_end *end)
{
	for (uint32_t labels = name->label_count; labels-- > 1;) {
		struct name above;
		name_ancestor(name, labels, &above);
		*end = SEARCH_ALIAS;
		if (store_get(core, STORE_SET, &above, RRTYPE_DNAME, false, stored) &&
			stored->status != DNSSEC_UNCHECKED) {
			return true;
		}
		*end = SEARCH_NXDOMAIN;
		if (store_get(core, STORE_ABSENT, &above, 0, false, stored) &&
			stored->status == DNSSEC_SECURE) {
			return true;
		}
	}
	return false;
}

bool search_cached(struct resolve *core, const struct name *name, uint16_t type, bool stale_ok,
	struct arena *arena, struct search_result *out)
{
	struct stored stored;
	enum search_end end;

	if (type == TYPE_ANY) {
		return false;
	}
	return (find_stored(core, name, type, stale_ok, &stored, &end) ||
		       find_above(core, name, &stored, &end)) &&
	       take_stored(&stored, end, arena, out);
}

void search_remember_failure(
	struct resolve *core, const struct name *name, uint16_t type, uint8_t status, int16_t ede)
{
	const struct stored what = {.status = status, .ede = ede};

	store_put_ms(core, STORE_FAILURE, name, type, &what, STORE_FAILURE_MS);
}

bool search_failed(struct resolve *core, const struct name *name, uint16_t type,
	uint8_t *status_out, int16_t *ede_out)
{
	struct stored stored;

	if (!store_get(core, STORE_FAILURE, name, type, false, &stored)) {
		return false;
	}
	*status_out = stored.status;
	*ede_out = stored.ede;
	return true;
}

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
	search_remember_failure(job->core, &job->name, job->type, DNSSEC_UNCHECKED, ede);
	finish(search);
}

/* DS of a delegation came along with the referral: a response that needs no fetch. That there is none is asked for: what the
 * referral proves lacks the SOA that a denial has (RFC 2308 sec 3), and validators behind us refuse it.
 */
static bool find_cut_ds(struct search *search)
{
	struct job *job = &search->job;
	struct search_result *result = &search->result;
	struct stored stored;

	if (job->type != RRTYPE_DS || job->flags != 0 ||
		!store_get(job->core, STORE_CUT, &job->name, 0, false, &stored)) {
		return false;
	}
	for (uint32_t i = 0; i < stored.set_count; i++) {
		const struct rrset *set = stored.sets[i];
		if (set->type != RRTYPE_DS || set->ttl <= stored.age_s) {
			continue;
		}
		*result = (struct search_result){.end = SEARCH_SET,
			.ede = EDE_NONE,
			.ttl_s = set->ttl - stored.age_s,
			.answer_count = 1,
			.set_count = 1};
		result->ttls[0] = result->ttl_s;
		result->sets[0] = rrset_copy(&job->arena, set);
		return result->sets[0] != NULL;
	}
	return false;
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

/* An address of a server as the parent of its zone told it: true, and the result holds it. */
static bool find_glue(struct search *search)
{
	struct job *job = &search->job;

	for (uint32_t labels = job->name.label_count; labels > 0; labels--) {
		struct name zone;
		struct stored stored;
		name_ancestor(&job->name, labels, &zone);
		if (!store_get(job->core, STORE_CUT, &zone, 0, false, &stored)) {
			continue;
		}
		for (uint32_t i = 0; i < stored.set_count; i++) {
			if (!rrset_is(stored.sets[i], &job->name, job->type)) {
				continue;
			}
			search->result = (struct search_result){.end = SEARCH_SET,
				.ede = EDE_NONE,
				.ttl_s = stored.ttl_s,
				.answer_count = 1,
				.set_count = 1,
				.ttls = {stored.ttl_s}};
			search->result.sets[0] = rrset_copy(&job->arena, stored.sets[i]);
			return search->result.sets[0] != NULL;
		}
	}
	return false;
}

static void start(struct search *search)
{
	struct job *job = &search->job;
	struct resolve *core = job->core;
	int16_t ede;
	uint8_t status;
	bool address = (job->flags & SEARCH_ADDRESS) != 0;

	if (takes_glue(job) && find_glue(search)) {
		finish(search);
		return;
	}
	if ((job->flags & SEARCH_FRESH) == 0 &&
		search_cached(core, &job->name, job->type, false, &job->arena, &search->result) &&
		(address || takes_all(job) || search->result.status != DNSSEC_UNCHECKED)) {
		finish(search);
		return;
	}
	if (!address && core->config.aggressive &&
		spans_deny(
			core->spans, core, &job->name, job->type, &job->arena, &search->result)) {
		finish(search);
		return;
	}
	if (search_failed(core, &job->name, job->type, &status, &ede) &&
		(status != DNSSEC_BOGUS || !takes_all(job))) {
		search->result.end = SEARCH_FAILED;
		search->result.ede = ede;
		finish(search);
		return;
	}
	if (core->config.validate && find_cut_ds(search)) {
		find_trust(search);
		return;
	}
	begin_fetch(search);
}

/* The sets that the answer is made of go to the result: first what was asked for, or SOA and proofs. */
static void gather(struct search *search)
{
	const struct fetch *fetch = search->fetch;
	struct search_result *result = &search->result;
	const struct response *response = &fetch->response;

	result->set_count = result->answer_count = 0;
	result->ttl_s = UINT32_MAX;
	switch (fetch->found.kind) {
	case CLASSIFY_ANSWER:
	case CLASSIFY_ALIAS:
		result->end = fetch->found.kind == CLASSIFY_ANSWER ? SEARCH_SET : SEARCH_ALIAS;
		result->sets[result->set_count++] = fetch->found.set;
		for (uint32_t i = 0; search->job.type == TYPE_ANY && i < response->set_count; i++) {
			const struct rrset *set = response->sets[i].set;
			if (response->sets[i].section == SECTION_ANSWER &&
				set != fetch->found.set &&
				rrset_is(set, &search->job.name, set->type) &&
				result->set_count < STORE_SETS_MAX / 2) {
				result->sets[result->set_count++] = set;
			}
		}
		result->answer_count = result->set_count;
		break;
	case CLASSIFY_NXDOMAIN:
	case CLASSIFY_NODATA:
		result->end =
			fetch->found.kind == CLASSIFY_NODATA ? SEARCH_NODATA : SEARCH_NXDOMAIN;
		if (fetch->found.set != NULL && fetch->found.set->type == RRTYPE_SOA) {
			result->sets[result->set_count++] = fetch->found.set;
		}
		break;
	case CLASSIFY_REFERRAL:
	case CLASSIFY_LAME:
	case CLASSIFY_FAILED:
		result->end = SEARCH_FAILED;
		break;
	}
	/* Proofs, for denials and for answers out of wildcards. */
	for (uint32_t i = 0; i < response->set_count && result->set_count < STORE_SETS_MAX; i++) {
		const struct rrset *set = response->sets[i].set;
		if (response->sets[i].section == SECTION_AUTHORITY && set->sig_count > 0 &&
			(set->type == RRTYPE_NSEC || set->type == RRTYPE_NSEC3)) {
			result->sets[result->set_count++] = set;
		}
	}
	for (uint32_t i = 0; i < result->set_count; i++) {
		uint32_t ttl = result->sets[i]->ttl;
		if (result->sets[i]->type == RRTYPE_SOA && result->answer_count == 0) {
			/* RFC 2308 sec 5: the minimum of the SOA's TTL and its last field. */
			struct rrset_rdata rdata = rrset_first(result->sets[i]);
			uint32_t minimum = rdata.len < SOA_MINIMUM_LEN
						   ? 0
						   : octets_get_u32(rdata.octets + rdata.len -
								    SOA_MINIMUM_LEN);
			ttl = minimum < ttl ? minimum : ttl;
		}
		result->ttls[i] = ttl;
	}
	/* A denial without SOA is not kept (RFC 2308 sec 5). */
	for (uint32_t i = 0; i < result->set_count; i++) {
		result->ttl_s = result->ttls[i] < result->ttl_s ? result->ttls[i] : result->ttl_s;
	}
	if (result->answer_count == 0 &&
		(result->set_count == 0 || result->sets[0]->type != RRTYPE_SOA)) {
		result->ttl_s = 0;
	}
}

static void cap_ttls(struct search_result *result, uint32_t ttl_s)
{
	result->ttl_s = ttl_s < result->ttl_s ? ttl_s : result->ttl_s;
	for (uint32_t i = 0; i < result->set_count; i++) {
		result->ttls[i] = ttl_s < result->ttls[i] ? ttl_s : result->ttls[i];
	}
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
	store_put(search->job.core, STORE_SET, &owner, result->sets[place]->type, &what,
		result->ttls[place]);
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
		store_put(job->core, STORE_ABSENT, &job->name,
			result->end == SEARCH_NXDOMAIN ? 0 : job->type, &what, result->ttl_s);
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
	search_remember_failure(job->core, &job->name, job->type, DNSSEC_BOGUS, ede);
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

/* Checks one set with the keys of its zone; false: it does not hold, *ede says why. */
static bool check_set(struct search *search, const struct rrset *set, const struct rrset *keys,
	struct keyset_result *result)
{
	const struct keyset_policy policy = core_policy(search->job.core);

	search->job.core->counters.checks++;
	return keyset_check_set(set, keys, &policy, search->job.core->now.wall_s,
		       &search->job.budget->dnssec, result) == DNSSEC_SECURE;
}

/* Behind the answer, or the SOA, only what has been checked stays: it goes to clients and into spans. */
static void keep_proofs(struct search_result *result, uint32_t from, const struct proofs *proofs)
{
	const struct absence *absence = &proofs->absence;
	uint32_t count = from;

	/* Both lists are in one order. */
	for (uint32_t i = from, p = 0; i < result->set_count && p < absence->count; i++) {
		if (result->sets[i] == absence->sets[p]) {
			result->sets[count] = result->sets[i];
			result->ttls[count++] = result->ttls[i];
			p++;
		}
	}
	result->set_count = count;
}

static void judge_answer(struct search *search, const struct name *zone, const struct rrset *keys)
{
	struct search_result *result = &search->result;
	enum dnssec_status status = DNSSEC_SECURE;
	bool expanded = false;

	for (uint32_t i = 0; i < result->answer_count; i++) {
		struct keyset_result checked = {.ede = EDE_RRSIGS_MISSING};
		if (result->sets[i]->type == RRTYPE_RRSIG) {
			status = DNSSEC_INSECURE; /* signatures are not signed */
			continue;
		}
		if (!check_set(search, result->sets[i], keys, &checked)) {
			bogus(search, (int16_t)checked.ede);
			return;
		}
		cap_ttls(result, checked.ttl_max);
		if (!checked.expanded) {
			continue;
		}
		expanded = true;
		struct proofs proofs;
		proofs_take(&search->job, result->sets + result->answer_count,
			result->set_count - result->answer_count, zone, keys, &proofs);
		/* A DNAME answers for its own owner, which is not the name that was asked for. */
		struct name owner;
		rrset_owner(result->sets[i], &owner);
		enum absence_verdict verdict = absence_of_expansion(&proofs.absence, &owner,
			checked.closest_labels, &search->job.budget->dnssec);
		if (verdict == ABSENCE_NONE) {
			bogus(search, proofs.absence.count == 0 ? proofs.ede : EDE_NSEC_MISSING);
			return;
		}
		keep_proofs(result, result->answer_count, &proofs);
		status = verdict == ABSENCE_PROVEN ? status : DNSSEC_INSECURE;
	}
	if (!expanded) {
		result->set_count = result->answer_count; /* proofs that nobody needs */
	}
	settle(search, status, EDE_NONE);
}

static void judge_denial(struct search *search, const struct name *zone, const struct rrset *keys)
{
	struct job *job = &search->job;
	struct search_result *result = &search->result;
	struct proofs proofs;
	struct keyset_result checked = {.ede = EDE_RRSIGS_MISSING};
	bool soa = result->set_count > 0 && result->sets[0]->type == RRTYPE_SOA;

	if (soa) {
		if (!check_set(search, result->sets[0], keys, &checked)) {
			bogus(search, (int16_t)checked.ede);
			return;
		}
		cap_ttls(result, checked.ttl_max);
	}
	proofs_take(job, result->sets, result->set_count, zone, keys, &proofs);
	keep_proofs(result, soa, &proofs);
	cap_ttls(result, proofs.ttl_max);
	enum absence_verdict verdict =
		result->end == SEARCH_NXDOMAIN
			? absence_of_name(&proofs.absence, &job->name, &job->budget->dnssec)
			: absence_of_type(
				  &proofs.absence, &job->name, job->type, &job->budget->dnssec);
	switch (verdict) {
	case ABSENCE_PROVEN:
		settle(search, DNSSEC_SECURE, EDE_NONE);
		return;
	case ABSENCE_OPT_OUT:
		settle(search, DNSSEC_INSECURE, EDE_NONE);
		return;
	case ABSENCE_ITERATED:
		settle(search, DNSSEC_INSECURE, EDE_UNSUPPORTED_NSEC3_ITERATIONS);
		return;
	case ABSENCE_NONE:
		bogus(search, proofs.absence.count == 0 ? proofs.ede : EDE_NSEC_MISSING);
		return;
	}
}

static void judge(struct search *search, uint8_t status, const struct name *zone,
	const struct rrset *keys, int16_t ede)
{
	const struct dnssec_budget *dnssec = &search->job.budget->dnssec;

	search->could_check = dnssec->checks > 0 && dnssec->failures > 0;
	if (status == DNSSEC_INSECURE) {
		settle(search, DNSSEC_INSECURE, ede);
	} else if (status != DNSSEC_SECURE) {
		reject(search, ede);
	} else if (search->result.answer_count > 0) {
		judge_answer(search, zone, keys);
	} else {
		judge_denial(search, zone, keys);
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
		if (takes_glue(job) && find_glue(search)) {
			finish(search);
			return;
		}
		fail(search, ede);
		return;
	}
	fetch->job.holds++; /* its response is used while another job is waited for */
	search->fetch = fetch;
	job_end_wait(job);
	gather(search);
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
		judge(search, status, &zone, keys, ede);
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
	judge(search, trust->status, &trust->zone, trust->keys, trust->ede);
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
