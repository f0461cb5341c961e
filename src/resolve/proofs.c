/* proofs.c - signatures of denials. */
#include "resolve/proofs.h"

#include "dnssec/keyset.h"
#include "resolve/core.h"
#include "wire/rrtype.h"

void proofs_take(struct job *job, const struct rrset *const *sets, uint32_t count,
	const struct name *zone, const struct rrset *keys, struct proofs *out)
{
	const struct keyset_policy policy = core_policy(job->core);

	out->absence.zone = zone;
	out->absence.count = 0;
	out->ttl_max = UINT32_MAX;
	out->ede = EDE_NSEC_MISSING;
	for (uint32_t i = 0; i < count && out->absence.count < ABSENCE_SETS_MAX; i++) {
		struct keyset_result result;
		if ((sets[i]->type != RRTYPE_NSEC && sets[i]->type != RRTYPE_NSEC3) ||
			sets[i]->count != 1) {
			continue;
		}
		if (sets[i]->sig_count == 0) {
			out->ede = EDE_RRSIGS_MISSING;
			continue;
		}
		if (keyset_check_set(sets[i], keys, &policy, job->core->now.wall_s,
			    &job->budget->dnssec, &result) != DNSSEC_SECURE) {
			out->ede = (int16_t)result.ede;
			continue;
		}
		/* A proof that is made from a wildcard proves nothing (RFC 4035 sec 5.3.4 has no such case). */
		if (result.expanded) {
			continue;
		}
		out->ttl_max = result.ttl_max < out->ttl_max ? result.ttl_max : out->ttl_max;
		out->absence.sets[out->absence.count++] = sets[i];
	}
}

uint32_t proofs_list(const struct response *response, const struct rrset **out, uint32_t cap)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < response->set_count && count < cap; i++) {
		if (response->sets[i].section == SECTION_AUTHORITY) {
			out[count++] = response->sets[i].set;
		}
	}
	return count;
}
