/* trust.c - down the chain, a cut at a time. */
#include "resolve/trust.h"

#include <string.h>

#include "dnssec/keyset.h"
#include "resolve/anchors.h"
#include "resolve/cause.h"
#include "resolve/core.h"
#include "resolve/fetch.h"
#include "resolve/proofs.h"
#include "resolve/servers.h"
#include "resolve/spans.h"
#include "resolve/store.h"
#include "wire/rrtype.h"

#define TRIES_MAX                                                                                  \
	3u /* fetches of one DS or DNSKEY set that turns out bogus, from different servers */

enum state { WALK, HAVE_DS, HAVE_KEYS };

static void finish(struct trust *trust, enum dnssec_status status, int16_t ede)
{
	trust->status = (uint8_t)status;
	trust->ede = ede;
	job_finish(&trust->job);
}

static void keep(struct trust *trust, const struct name *name, enum store_trust code,
	const struct rrset *keys, int16_t ede, uint32_t ttl_s)
{
	struct stored what = {.status = DNSSEC_SECURE, .code = (uint16_t)code, .ede = ede};

	if (keys != NULL) {
		what.sets[what.set_count++] = keys;
	}
	store_put(trust->job.core, STORE_TRUST, name, 0, &what, ttl_s);
}

bool trust_cached(struct resolve *core, const struct name *name, uint8_t *status_out,
	struct name *zone_out, const struct rrset **keys_out, int16_t *ede_out)
{
	const struct rrset *anchor = anchors_find(core_anchors(core), name);

	*keys_out = NULL;
	*ede_out = EDE_NONE;
	if (anchor == NULL) {
		*status_out = DNSSEC_INSECURE;
		return true;
	}
	for (uint32_t labels = name->label_count;; labels--) {
		struct stored stored;
		name_ancestor(name, labels, zone_out);
		if (!store_get(core, STORE_TRUST, zone_out, 0, false, &stored)) {
			return false;
		}
		if (stored.code == STORE_TRUST_INSECURE) {
			*status_out = DNSSEC_INSECURE;
			*ede_out = stored.ede;
			return true;
		}
		if (stored.code == STORE_TRUST_SECURE && stored.set_count == 1) {
			*status_out = DNSSEC_SECURE;
			*keys_out = stored.sets[0];
			return true;
		}
		if (stored.code != STORE_TRUST_NO_ZONE || labels == anchor->owner_labels) {
			return false;
		}
	}
}

/* Did the parent's servers, or the configuration, say that the zone is signed? */
static bool has_ds(struct resolve *core, const struct name *zone)
{
	struct stored stored;

	if (anchors_of(core_anchors(core), zone) != NULL) {
		return true;
	}
	if (!store_get(core, STORE_CUT, zone, 0, false, &stored)) {
		return false;
	}
	for (uint32_t i = 0; i < stored.set_count; i++) {
		if (stored.sets[i]->type == RRTYPE_DS) {
			return true;
		}
	}
	return false;
}

enum dnssec_status trust_expected(struct resolve *core, const struct name *zone)
{
	const struct rrset *keys;
	struct name found;
	uint8_t status;
	int16_t ede;

	if (!core->config.validate) {
		return DNSSEC_INSECURE;
	}
	if (trust_cached(core, zone, &status, &found, &keys, &ede)) {
		return (enum dnssec_status)status;
	}
	return has_ds(core, zone) ? DNSSEC_SECURE : DNSSEC_UNCHECKED;
}

static bool fetch_next(struct trust *trust, uint16_t type, enum state state)
{
	struct job *job = &trust->job;
	struct job *other = job_start(job->core, &fetch_kind, &trust->next, type,
		(uint16_t)trust->tries, job->budget, job->depth);

	job->state = (uint8_t)state;
	return other != NULL && job_wait(job, other);
}

static void want(struct trust *trust, uint16_t type, enum state state)
{
	if (!fetch_next(trust, type, state)) {
		finish(trust, DNSSEC_BOGUS, EDE_INDETERMINATE);
	}
}

/* The deepest zone above the name whose keys are known, and how far it is known that no cut follows. */
static bool find_start(struct trust *trust, const struct rrset *anchor, uint32_t *known_out)
{
	struct job *job = &trust->job;
	uint32_t unbroken = job->name.label_count;

	for (uint32_t labels = job->name.label_count;; labels--) {
		struct stored stored;
		struct name name;
		name_ancestor(&job->name, labels, &name);
		if (!store_get(job->core, STORE_TRUST, &name, 0, false, &stored)) {
			stored.code = 0;
			unbroken =
				labels -
				1u; /* below labels - 1 nothing is sure; wraps at 0 and is not used */
		}
		if (stored.code == STORE_TRUST_INSECURE) {
			finish(trust, DNSSEC_INSECURE, stored.ede);
			return false;
		}
		if (stored.code == STORE_TRUST_SECURE && stored.set_count == 1) {
			trust->zone = name;
			trust->keys = rrset_copy(&job->arena, stored.sets[0]);
			trust->ttl_s = stored.ttl_s < trust->ttl_s ? stored.ttl_s : trust->ttl_s;
			*known_out = unbroken > labels ? unbroken : labels;
			return trust->keys != NULL;
		}
		if (labels == anchor->owner_labels) {
			break;
		}
	}
	trust->keys = NULL;
	return true;
}

/* The next name below that may be a cut: where a delegation is known, or a label more. */
static void choose_next(struct trust *trust, uint32_t known)
{
	struct job *job = &trust->job;
	struct stored stored;

	trust->known = known;
	for (uint32_t labels = known + 1; !trust->by_label && labels <= job->name.label_count;
		labels++) {
		name_ancestor(&job->name, labels, &trust->next);
		if (store_get(job->core, STORE_CUT, &trust->next, 0, false, &stored)) {
			return;
		}
	}
	name_ancestor(&job->name, known + 1, &trust->next);
}

/* What a referral proves of one name, it proves of its neighbours. */
static void teach_spans(struct trust *trust, const struct proofs *proofs, uint32_t ttl_s)
{
	struct resolve *core = trust->job.core;
	uint32_t ttls[ABSENCE_SETS_MAX];

	for (uint32_t i = 0; i < proofs->absence.count; i++) {
		ttls[i] = ttl_s;
	}
	if (core->config.aggressive) {
		spans_learn(core->spans, core, &trust->zone, proofs->absence.sets, ttls,
			proofs->absence.count);
	}
}

/* What a list of sets (of a referral, or of a response to a question for DS) says about DS; false: nothing that holds. */
static bool judge_denial(
	struct trust *trust, const struct rrset *const *sets, uint32_t count, bool is_nxdomain)
{
	struct proofs proofs;

	proofs_take(&trust->job, sets, count, &trust->zone, trust->keys, &proofs);
	trust->ede = proofs.ede;
	if (proofs.absence.count == 0) {
		return false;
	}
	struct dnssec_budget *budget = &trust->job.budget->dnssec;
	uint32_t ttl_s = proofs.ttl_max;
	for (uint32_t i = 0; i < proofs.absence.count; i++) {
		ttl_s = proofs.absence.sets[i]->ttl < ttl_s ? proofs.absence.sets[i]->ttl : ttl_s;
	}
	teach_spans(trust, &proofs, ttl_s);
	enum absence_cut cut = absence_of_ds(&proofs.absence, &trust->next, budget);
	if (cut == ABSENCE_CUT_UNKNOWN && is_nxdomain) {
		switch (absence_of_name(&proofs.absence, &trust->next, budget)) {
		case ABSENCE_PROVEN:
			cut = ABSENCE_CUT_NONE;
			break;
		case ABSENCE_OPT_OUT:
		case ABSENCE_ITERATED:
			cut = ABSENCE_CUT_INSECURE;
			break;
		case ABSENCE_NONE:
			break;
		}
	}
	if (cut == ABSENCE_CUT_NONE) {
		keep(trust, &trust->next, STORE_TRUST_NO_ZONE, NULL, EDE_NONE, ttl_s);
		trust->job.state = WALK;
		job_wake(&trust->job);
		return true;
	}
	if (cut == ABSENCE_CUT_INSECURE) {
		keep(trust, &trust->next, STORE_TRUST_INSECURE, NULL, EDE_NONE, ttl_s);
		finish(trust, DNSSEC_INSECURE, EDE_NONE);
		return true;
	}
	return false;
}

/* A DS set; false: it does not hold. */
static bool judge_ds(struct trust *trust, const struct rrset *ds)
{
	const struct keyset_policy policy = core_policy(trust->job.core);
	struct keyset_result result;
	enum dnssec_ede ede = EDE_NONE;

	if (keyset_check_set(ds, trust->keys, &policy, trust->job.core->now.wall_s,
		    &trust->job.budget->dnssec, &result) != DNSSEC_SECURE) {
		trust->ede = (int16_t)result.ede;
		return false;
	}
	uint32_t ttl_s = ds->ttl < result.ttl_max ? ds->ttl : result.ttl_max;
	if (!keyset_ds_usable(ds, &policy, &ede)) {
		keep(trust, &trust->next, STORE_TRUST_INSECURE, NULL, (int16_t)ede, ttl_s);
		finish(trust, DNSSEC_INSECURE, (int16_t)ede);
		return true;
	}
	trust->ds = rrset_copy(&trust->job.arena, ds);
	trust->ttl_s = ttl_s;
	trust->tries = 0;
	trust->skipped = 0;
	job_end_wait(&trust->job);
	if (trust->ds == NULL) {
		finish(trust, DNSSEC_BOGUS, EDE_OTHER);
	} else {
		want(trust, RRTYPE_DNSKEY, HAVE_KEYS);
	}
	return true;
}

/* An alias at the name: there is no cut. */
static bool judge_alias(struct trust *trust, const struct rrset *alias)
{
	const struct keyset_policy policy = core_policy(trust->job.core);
	struct keyset_result result;

	if (keyset_check_set(alias, trust->keys, &policy, trust->job.core->now.wall_s,
		    &trust->job.budget->dnssec, &result) != DNSSEC_SECURE) {
		trust->ede = (int16_t)result.ede;
		return false;
	}
	keep(trust, &trust->next, STORE_TRUST_NO_ZONE, NULL, EDE_NONE,
		alias->ttl < result.ttl_max ? alias->ttl : result.ttl_max);
	trust->job.state = WALK;
	job_wake(&trust->job);
	return true;
}

/* Signed by a zone between ours and the name? Then that one is the next. */
static bool has_zone_between(struct trust *trust, const struct rrset *const *sets, uint32_t count)
{
	const struct keyset_policy policy = {.sha1 = true};

	for (uint32_t i = 0; i < count; i++) {
		struct name signer;
		if (keyset_signer(sets[i], &policy, &signer) &&
			signer.label_count > trust->zone.label_count &&
			signer.label_count < trust->next.label_count &&
			name_is_below(&signer, &trust->zone) &&
			name_is_below(&trust->next, &signer)) {
			trust->next = signer;
			name_lower(&trust->next);
			return true;
		}
	}
	return false;
}

/* What a referral says of DS does not hold: it would cost its checks at every query. The delegation itself stays. */
static void drop_ds(struct resolve *core, const struct name *zone, const struct stored *cut)
{
	struct stored what = {.status = cut->status, .ede = cut->ede};

	for (uint32_t i = 0; i < cut->set_count; i++) {
		uint16_t type = cut->sets[i]->type;
		if (type != RRTYPE_DS && type != RRTYPE_NSEC && type != RRTYPE_NSEC3) {
			what.sets[what.set_count++] = cut->sets[i];
		}
	}
	store_put(core, STORE_CUT, zone, 0, &what, cut->ttl_s);
}

static void walk(struct trust *trust)
{
	struct job *job = &trust->job;
	const struct rrset *anchor = anchors_find(core_anchors(job->core), &job->name);
	struct stored stored;
	uint32_t known = 0;

	if (anchor == NULL) {
		finish(trust, DNSSEC_INSECURE, EDE_NONE);
		return;
	}
	trust->ttl_s = UINT32_MAX;
	if (!find_start(trust, anchor, &known)) {
		if (!job->is_done) {
			finish(trust, DNSSEC_BOGUS, EDE_OTHER);
		}
		return;
	}
	known = trust->skipped > known ? trust->skipped : known;
	trust->tries = 0;
	if (trust->keys == NULL) {
		name_ancestor(&job->name, anchor->owner_labels, &trust->next);
		trust->ds = rrset_copy(&job->arena, anchor); /* it may be replaced meanwhile */
		trust->ttl_s = job->core->config.ttl_max_s;
		if (trust->ds == NULL) {
			finish(trust, DNSSEC_BOGUS, EDE_OTHER);
			return;
		}
		enum dnssec_ede ede;
		const struct keyset_policy policy = core_policy(job->core);
		if (!keyset_ds_usable(anchor, &policy, &ede)) {
			finish(trust, DNSSEC_INSECURE, (int16_t)ede);
			return;
		}
		want(trust, RRTYPE_DNSKEY, HAVE_KEYS);
		return;
	}
	if (known == job->name.label_count) {
		finish(trust, DNSSEC_SECURE, EDE_NONE);
		return;
	}
	choose_next(trust, known);
	if (store_get(job->core, STORE_CUT, &trust->next, 0, false, &stored) && stored.code == 1) {
		for (uint32_t i = 0; i < stored.set_count; i++) {
			if (stored.sets[i]->type == RRTYPE_DS && judge_ds(trust, stored.sets[i])) {
				return;
			}
		}
		if (judge_denial(trust, stored.sets, stored.set_count, false)) {
			return;
		}
		drop_ds(job->core, &trust->next, &stored);
	}
	want(trust, RRTYPE_DS, HAVE_DS);
}

static bool can_check(const struct job *job)
{
	return job->budget->dnssec.checks > 0 && job->budget->dnssec.failures > 0;
}

/* A response that does not hold: once more from another server; or, where it is of a name on the way, on with the next label.
 * What is below may hold nevertheless, for a DS that the zone signed proves its delegation. Beyond such a name nothing else
 * counts, so nobody is to blame for it, and nobody is asked twice.
 */
static void again(struct trust *trust, const struct fetch *fetch, uint16_t type, enum state state)
{
	struct job *job = &trust->job;
	bool beyond = type == RRTYPE_DS && trust->skipped > 0;
	bool between = type == RRTYPE_DS && trust->next.label_count < job->name.label_count;
	int16_t ede = trust->ede;

	if (fetch->failed) {
		ede = fetch->ede;
	} else if (trust->could_check && !beyond) {
		servers_get(job->core->servers, &fetch->answered, core_now_ms(job->core))
			->penalty_ms = core_now_ms(job->core) + SERVERS_PENALTY_MS;
	}
	bool more = !fetch->failed && !beyond && ++trust->tries < TRIES_MAX && can_check(job);
	bool skip = !more && !fetch->failed && between && can_check(job);
	job_end_wait(job);
	if (more) {
		want(trust, type, state);
	} else if (skip) {
		trust->skipped = trust->next.label_count;
		walk(trust);
	} else {
		finish(trust, DNSSEC_BOGUS, ede);
	}
}

static void have_ds(struct trust *trust)
{
	const struct fetch *fetch = (const struct fetch *)(const void *)job_waited(&trust->job);
	const struct rrset *sets[STORE_SETS_MAX];
	bool good = false;
	uint32_t checks = trust->job.budget->dnssec.checks;

	trust->could_check = can_check(&trust->job);
	trust->ede = EDE_RRSIGS_MISSING;
	if (!fetch->failed) {
		uint32_t count = 0;
		if (fetch->found.set != NULL) {
			sets[count++] = fetch->found.set;
		}
		count += proofs_list(&fetch->response, sets + count, STORE_SETS_MAX - count);
		if (has_zone_between(trust, sets, count)) {
			job_end_wait(&trust->job);
			want(trust, RRTYPE_DS, HAVE_DS);
			return;
		}
		if (fetch->found.kind == CLASSIFY_ANSWER) {
			good = judge_ds(trust, fetch->found.set);
		} else if (fetch->found.kind == CLASSIFY_ALIAS) {
			good = judge_alias(trust, fetch->found.set);
		} else {
			good = judge_denial(
				trust, sets, count, fetch->found.kind == CLASSIFY_NXDOMAIN);
		}
	}
	if (good) {
		return;
	}
	if (!fetch->failed && trust->next.label_count > trust->known + 1 &&
		checks == trust->job.budget->dnssec.checks) {
		/* Signed by nobody, or another. Where a server has a zone and the one above, no referral told of the
		 * cut between.
		 */
		trust->by_label = true;
		job_end_wait(&trust->job);
		walk(trust);
		return;
	}
	if (!fetch->failed) {
		cause_zone(trust->job.budget, "DS of", &trust->next);
	}
	again(trust, fetch, RRTYPE_DS, HAVE_DS);
}

static void have_keys(struct trust *trust)
{
	const struct fetch *fetch = (const struct fetch *)(const void *)job_waited(&trust->job);
	struct resolve *core = trust->job.core;
	const struct keyset_policy policy = core_policy(core);
	struct keyset_result result = {.ede = EDE_DNSKEY_MISSING};
	enum dnssec_status status = DNSSEC_BOGUS;

	trust->could_check = can_check(&trust->job);
	if (!fetch->failed && fetch->found.kind == CLASSIFY_ANSWER) {
		status = keyset_check_keys(fetch->found.set, trust->ds, &policy, core->now.wall_s,
			&trust->job.budget->dnssec, &result);
	}
	if (status == DNSSEC_BOGUS) {
		trust->ede = (int16_t)result.ede;
		if (!fetch->failed) {
			cause_keys(trust->job.budget, &trust->next, trust->ds);
		}
		again(trust, fetch, RRTYPE_DNSKEY, HAVE_KEYS);
		return;
	}
	uint32_t ttl_s = trust->ttl_s;
	if (status == DNSSEC_SECURE) {
		ttl_s = fetch->found.set->ttl < ttl_s ? fetch->found.set->ttl : ttl_s;
		ttl_s = result.ttl_max < ttl_s ? result.ttl_max : ttl_s;
		keep(trust, &trust->next, STORE_TRUST_SECURE, fetch->found.set, EDE_NONE, ttl_s);
	} else {
		keep(trust, &trust->next, STORE_TRUST_INSECURE, NULL, (int16_t)result.ede, ttl_s);
	}
	job_end_wait(&trust->job);
	trust->job.state = WALK;
	walk(trust);
}

static void run(struct job *job)
{
	struct trust *trust = (struct trust *)(void *)job;

	switch ((enum state)job->state) {
	case WALK:
		job_end_wait(job);
		walk(trust);
		return;
	case HAVE_DS:
		have_ds(trust);
		return;
	case HAVE_KEYS:
		have_keys(trust);
		return;
	}
}

const struct job_kind trust_kind = {.name = "trust", .size = sizeof(struct trust), .run = run};
