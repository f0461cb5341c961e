/* judge.c - answers by their signatures, denials by their proofs. */
#include "resolve/judge.h"

#include "dnssec/absence.h"
#include "dnssec/keyset.h"
#include "resolve/cause.h"
#include "resolve/core.h"
#include "resolve/job.h"
#include "resolve/proofs.h"
#include "resolve/search.h"
#include "wire/rrtype.h"

static void cap_ttls(struct search_result *result, uint32_t ttl_s)
{
	result->ttl_s = ttl_s < result->ttl_s ? ttl_s : result->ttl_s;
	for (uint32_t i = 0; i < result->set_count; i++) {
		result->ttls[i] = ttl_s < result->ttls[i] ? ttl_s : result->ttls[i];
	}
}

/* Checks one set with the keys of its zone; false: it does not hold, *ede says why. */
static bool check_set(struct job *job, const struct rrset *set, const struct rrset *keys,
	struct keyset_result *result)
{
	const struct keyset_policy policy = core_policy(job->core);

	return keyset_check_set(set, keys, &policy, job->core->now.wall_s, &job->budget->dnssec,
		       result) == DNSSEC_SECURE;
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

static struct judge_verdict found(enum dnssec_status status, int16_t ede)
{
	return (struct judge_verdict){.status = status, .ede = ede};
}

/* Nothing is proven: because no proof holds, or because those that do are of something else. */
static struct judge_verdict unproven(
	struct job *job, const struct name *zone, const struct proofs *proofs)
{
	cause_zone(job->budget, "proofs of", zone);
	return found(DNSSEC_BOGUS, proofs->absence.count == 0 ? proofs->ede : EDE_NSEC_MISSING);
}

/* A set out of a wildcard: nothing closer exists to the name that owns it. A DNAME's is not the name that was asked for. */
static struct judge_verdict judge_expansion(struct job *job, struct search_result *result,
	const struct rrset *set, uint32_t closest_labels, const struct name *zone,
	const struct rrset *keys)
{
	uint32_t from = result->answer_count;
	struct proofs proofs;
	struct name owner;

	proofs_take(job, result->sets + from, result->set_count - from, zone, keys, &proofs);
	rrset_owner(set, &owner);
	enum absence_verdict verdict =
		absence_of_expansion(&proofs.absence, &owner, closest_labels, &job->budget->dnssec);
	if (verdict == ABSENCE_NONE) {
		return unproven(job, zone, &proofs);
	}
	keep_proofs(result, from, &proofs);
	cap_ttls(result, proofs.ttl_max);
	return found(verdict == ABSENCE_PROVEN ? DNSSEC_SECURE : DNSSEC_INSECURE, EDE_NONE);
}

static struct judge_verdict judge_answer(struct job *job, struct search_result *result,
	const struct name *zone, const struct rrset *keys)
{
	enum dnssec_status status = DNSSEC_SECURE;
	bool expanded = false;

	for (uint32_t i = 0; i < result->answer_count; i++) {
		struct keyset_result checked = {.ede = EDE_RRSIGS_MISSING};
		if (result->sets[i]->type == RRTYPE_RRSIG) {
			status = DNSSEC_INSECURE; /* signatures are not signed */
			continue;
		}
		if (!check_set(job, result->sets[i], keys, &checked)) {
			cause_signature(job->budget, result->sets[i], zone);
			return found(DNSSEC_BOGUS, (int16_t)checked.ede);
		}
		cap_ttls(result, checked.ttl_max);
		if (checked.expanded) {
			const struct judge_verdict verdict = judge_expansion(
				job, result, result->sets[i], checked.closest_labels, zone, keys);
			if (verdict.status == DNSSEC_BOGUS) {
				return verdict;
			}
			status = verdict.status == DNSSEC_SECURE ? status : verdict.status;
			expanded = true;
		}
	}
	if (!expanded) {
		result->set_count = result->answer_count; /* proofs that nobody needs */
	}
	return found(status, EDE_NONE);
}

static struct judge_verdict judge_denial(struct job *job, struct search_result *result,
	const struct name *zone, const struct rrset *keys)
{
	struct proofs proofs;
	struct keyset_result checked = {.ede = EDE_RRSIGS_MISSING};
	bool soa = result->set_count > 0 && result->sets[0]->type == RRTYPE_SOA;

	if (soa) {
		if (!check_set(job, result->sets[0], keys, &checked)) {
			cause_signature(job->budget, result->sets[0], zone);
			return found(DNSSEC_BOGUS, (int16_t)checked.ede);
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
		return found(DNSSEC_SECURE, EDE_NONE);
	case ABSENCE_OPT_OUT:
		return found(DNSSEC_INSECURE, EDE_NONE);
	case ABSENCE_ITERATED:
		return found(DNSSEC_INSECURE, EDE_UNSUPPORTED_NSEC3_ITERATIONS);
	case ABSENCE_NONE:
		break;
	}
	return unproven(job, zone, &proofs);
}

struct judge_verdict judge(struct job *job, struct search_result *result, const struct name *zone,
	const struct rrset *keys)
{
	return result->answer_count > 0 ? judge_answer(job, result, zone, keys)
					: judge_denial(job, result, zone, keys);
}
