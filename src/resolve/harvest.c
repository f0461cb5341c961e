/* harvest.c - from the sections of a response to the parts of a result. */
#include "resolve/harvest.h"

#include "base/octets.h"
#include "resolve/classify.h"
#include "resolve/fetch.h"
#include "resolve/search.h"
#include "wire/response.h"
#include "wire/rrtype.h"

#define TYPE_ANY        255u
#define SOA_MINIMUM_LEN 4u

/* The answer, or the SOA. */
static void put_first(
	const struct job *job, const struct fetch *fetch, struct search_result *result)
{
	const struct response *response = &fetch->response;

	switch (fetch->found.kind) {
	case CLASSIFY_ANSWER:
	case CLASSIFY_ALIAS:
		result->end = fetch->found.kind == CLASSIFY_ANSWER ? SEARCH_SET : SEARCH_ALIAS;
		result->sets[result->set_count++] = fetch->found.set;
		for (uint32_t i = 0; job->type == TYPE_ANY && i < response->set_count; i++) {
			const struct rrset *set = response->sets[i].set;
			if (response->sets[i].section == SECTION_ANSWER &&
				set != fetch->found.set && rrset_is(set, &job->name, set->type) &&
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
}

/* Proofs, for denials and for answers out of wildcards. */
static void put_proofs(const struct response *response, struct search_result *result)
{
	for (uint32_t i = 0; i < response->set_count && result->set_count < STORE_SETS_MAX; i++) {
		const struct rrset *set = response->sets[i].set;
		if (response->sets[i].section == SECTION_AUTHORITY && set->sig_count > 0 &&
			(set->type == RRTYPE_NSEC || set->type == RRTYPE_NSEC3)) {
			result->sets[result->set_count++] = set;
		}
	}
}

/* RFC 2308 sec 5: the minimum of the SOA's TTL and its last field. */
static uint32_t denial_ttl(const struct rrset *soa)
{
	struct rrset_rdata rdata = rrset_first(soa);
	uint32_t minimum = rdata.len < SOA_MINIMUM_LEN
				   ? 0
				   : octets_get_u32(rdata.octets + rdata.len - SOA_MINIMUM_LEN);

	return minimum < soa->ttl ? minimum : soa->ttl;
}

void harvest(const struct job *job, const struct fetch *fetch, struct search_result *result)
{
	result->set_count = result->answer_count = 0;
	result->ttl_s = UINT32_MAX;
	put_first(job, fetch, result);
	put_proofs(&fetch->response, result);
	for (uint32_t i = 0; i < result->set_count; i++) {
		const struct rrset *set = result->sets[i];
		bool soa = set->type == RRTYPE_SOA && result->answer_count == 0;
		result->ttls[i] = soa ? denial_ttl(set) : set->ttl;
		result->ttl_s = result->ttls[i] < result->ttl_s ? result->ttls[i] : result->ttl_s;
	}
	/* A denial without SOA is not kept (RFC 2308 sec 5). */
	if (result->answer_count == 0 &&
		(result->set_count == 0 || result->sets[0]->type != RRTYPE_SOA)) {
		result->ttl_s = 0;
	}
}
