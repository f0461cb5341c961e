/* rebinding.c - sets without some of their records. */
#include "resolve/rebinding.h"

#include <string.h>

#include "base/octets.h"
#include "dnssec/dnssec.h"
#include "resolve/search.h"
#include "wire/rrset.h"
#include "wire/rrtype.h"
#include "wire/svcb.h"

#define V4_LEN            4u
#define V6_LEN            16u
#define SVCB_PRIORITY_LEN 2u /* before the target, RFC 9460 sec 2.2 */

static bool is_addr_inside(
	const struct rebinding *rebinding, enum addr_family family, const uint8_t *octets)
{
	struct addr addr = {.family = (uint8_t)family};

	memcpy(addr.octets, octets, family == ADDR_V4 ? V4_LEN : V6_LEN);
	return acl_allows(rebinding->prefixes, &addr);
}

/* RFC 9460 sec 7.3: browsers may go to a hint before they have asked for addresses. One bad hint spoils the record: without it
 * the others would not be what was signed, and who lists one address of the inside is not to be trusted with others.
 */
static bool has_hint_inside(const struct rebinding *rebinding, const struct rrset_rdata *rdata)
{
	uint32_t target_len;
	bool inside = false;

	if (rdata->len <= SVCB_PRIORITY_LEN ||
		name_measure(rdata->octets + SVCB_PRIORITY_LEN, rdata->len - SVCB_PRIORITY_LEN,
			&target_len) != WIRE_OK) {
		return false;
	}
	for (uint32_t off = SVCB_PRIORITY_LEN + target_len; off + SVCB_HEAD_LEN <= rdata->len;) {
		uint16_t key = octets_get_u16(rdata->octets + off);
		uint32_t end = off + SVCB_HEAD_LEN + octets_get_u16(rdata->octets + off + 2);
		uint32_t step = key == SVCB_IPV4HINT ? V4_LEN : key == SVCB_IPV6HINT ? V6_LEN : 0;
		end = end < rdata->len ? end : rdata->len;
		for (uint32_t at = off + SVCB_HEAD_LEN; step != 0 && at + step <= end; at += step) {
			inside |= is_addr_inside(
				rebinding, step == V4_LEN ? ADDR_V4 : ADDR_V6, rdata->octets + at);
		}
		off = end;
	}
	return inside;
}

static bool is_inside(
	const struct rebinding *rebinding, uint16_t type, const struct rrset_rdata *rdata)
{
	switch (type) {
	case RRTYPE_A:
		return rdata->len == V4_LEN && is_addr_inside(rebinding, ADDR_V4, rdata->octets);
	case RRTYPE_AAAA:
		return rdata->len == V6_LEN && is_addr_inside(rebinding, ADDR_V6, rdata->octets);
	case RRTYPE_SVCB:
	case RRTYPE_HTTPS:
		return has_hint_inside(rebinding, rdata);
	default:
		return false;
	}
}

static uint32_t count_inside(const struct rebinding *rebinding, const struct rrset *set)
{
	struct rrset_walk walk = rrset_records(set);
	struct rrset_rdata rdata;
	uint32_t count = 0;

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
