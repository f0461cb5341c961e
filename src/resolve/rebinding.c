/* rebinding.c - sets without some of their records. */
#include "resolve/rebinding.h"

#include <string.h>

#include "dnssec/dnssec.h"
#include "resolve/search.h"
#include "wire/rrset.h"
#include "wire/rrtype.h"

#define V4_LEN 4u
#define V6_LEN 16u

static bool is_inside(
	const struct rebinding *rebinding, uint16_t type, const struct rrset_rdata *rdata)
{
	struct addr addr = {.family = type == RRTYPE_A ? ADDR_V4 : ADDR_V6};

	if (rdata->len != (type == RRTYPE_A ? V4_LEN : V6_LEN)) {
		return false;
	}
	memcpy(addr.octets, rdata->octets, rdata->len);
	return acl_allows(rebinding->prefixes, &addr);
}

static uint32_t count_inside(const struct rebinding *rebinding, const struct rrset *set)
{
	struct rrset_walk walk = rrset_records(set);
	struct rrset_rdata rdata;
	uint32_t count = 0;

	if (set->type != RRTYPE_A && set->type != RRTYPE_AAAA) {
		return 0;
	}
	while (rrset_next(&walk, &rdata)) {
		count += is_inside(rebinding, set->type, &rdata);
	}
	return count;
}

static bool is_exempt(const struct rebinding *rebinding, const struct name *owner)
{
	for (uint32_t i = 0; i < rebinding->exempt_count; i++) {
		if (name_is_below(owner, &rebinding->exempt[i])) {
			return true;
		}
	}
	return false;
}

/* The records of a set that are not inside; NULL: none is left, or no memory. */
static const struct rrset *outside_of(const struct rebinding *rebinding, const struct rrset *set,
	uint32_t inside, struct arena *arena)
{
	struct rrset_rdata *kept = arena_alloc(arena, set->count * sizeof(*kept));
	struct rrset_walk walk = rrset_records(set);
	struct rrset_rdata rdata;
	struct name owner;
	uint32_t count = 0;

	if (inside == set->count || kept == NULL) {
		return NULL;
	}
	while (rrset_next(&walk, &rdata)) {
		if (!is_inside(rebinding, set->type, &rdata)) {
			kept[count++] = rdata;
		}
	}
	rrset_owner(set, &owner);
	return rrset_make(arena, &owner, set->type, set->ttl, kept, count, NULL, 0);
}

bool rebinding_scrub(const struct rebinding *rebinding, const struct search_result *result,
	struct arena *arena, struct search_result *out)
{
	uint32_t inside = 0;
	struct name owner;

	if (result->end != SEARCH_SET) {
		return false;
	}
	for (uint32_t i = 0; i < result->answer_count; i++) {
		inside += count_inside(rebinding, result->sets[i]);
	}
	if (inside == 0) {
		return false;
	}
	rrset_owner(result->sets[0], &owner);
	if (is_exempt(rebinding, &owner)) {
		return false;
	}
	*out = *result;
	out->set_count = out->answer_count = 0;
	out->status = DNSSEC_INSECURE;
	out->ede = EDE_FILTERED;
	for (uint32_t i = 0; i < result->answer_count; i++) {
		const struct rrset *set = result->sets[i];
		inside = count_inside(rebinding, set);
		set = inside == 0 ? set : outside_of(rebinding, set, inside, arena);
		if (set != NULL) {
			out->ttls[out->answer_count] = result->ttls[i];
			out->sets[out->answer_count++] = set;
		}
	}
	out->set_count = out->answer_count;
	out->end = out->answer_count == 0 ? SEARCH_NODATA : SEARCH_SET;
	return true;
}
