/* classify.c - the rules, in the order of RFC 1034 sec 4.3.2 seen from the other side. */
#include "resolve/classify.h"

#include <string.h>

#include "base/reader.h"
#include "wire/rrtype.h"

#define TYPE_ANY 255u

bool classify_alias(const struct rrset *set, const struct name *name, struct name *out)
{
	struct rrset_rdata rdata = rrset_first(set);
	struct reader reader = {.octets = rdata.octets, .len = rdata.len};
	struct name target;

	if (name_parse(&reader, &target) != WIRE_OK) {
		return false;
	}
	if (set->type == RRTYPE_CNAME) {
		*out = target;
		return true;
	}
	uint32_t keep = (uint32_t)name->label_count - set->owner_labels;
	return name_join(name->octets, (uint32_t)name->len - set->owner_len, keep, &target, out) ==
	       WIRE_OK;
}

static bool is_below_zone(const struct rrset *set, const struct name *zone)
{
	struct name owner;

	rrset_owner(set, &owner);
	return name_is_below(&owner, zone);
}

/* A DNAME above the name: it counts where the CNAME made from it is there or not (RFC 6672 sec 3.4). */
static const struct rrset *find_dname(
	const struct response *response, const struct classify_question *question)
{
	for (uint32_t i = 0; i < response->set_count; i++) {
		const struct rrset *set = response->sets[i].set;
		struct name owner;
		if (response->sets[i].section != SECTION_ANSWER || set->type != RRTYPE_DNAME ||
			!is_below_zone(set, question->zone)) {
			continue;
		}
		rrset_owner(set, &owner);
		if (owner.label_count < question->name->label_count &&
			name_is_below(question->name, &owner)) {
			return set;
		}
	}
	return NULL;
}

static bool find_answer(const struct response *response, const struct classify_question *question,
	struct classified *out)
{
	const struct rrset *cname = NULL;
	/* The CNAME that it makes is in no zone, and not signed. */
	const struct rrset *dname = find_dname(response, question);

	for (uint32_t i = 0; i < response->set_count; i++) {
		const struct rrset *set = response->sets[i].set;
		if (response->sets[i].section != SECTION_ANSWER ||
			!rrset_is(set, question->name, set->type)) {
			continue;
		}
		bool made = dname != NULL && set->type == RRTYPE_CNAME;
		if (!made && (set->type == question->type || question->type == TYPE_ANY)) {
			out->kind = CLASSIFY_ANSWER;
			out->set = set;
			return true;
		}
		cname = set->type == RRTYPE_CNAME ? set : cname;
	}
	out->set = dname != NULL ? dname : cname;
	if (out->set == NULL) {
		return false;
	}
	out->kind = CLASSIFY_ALIAS;
	if (!classify_alias(out->set, question->name, &out->target)) {
		out->target_too_long = out->set->type == RRTYPE_DNAME;
		out->kind = out->target_too_long ? CLASSIFY_ALIAS : CLASSIFY_FAILED;
	}
	return true;
}

/* A response without answer: who speaks in the authority section? */
static void read_authority(const struct response *response,
	const struct classify_question *question, struct classified *out)
{
	bool upward = false, own = false;
	const struct rrset *soa = NULL, *cut = NULL;

	for (uint32_t i = 0; i < response->set_count; i++) {
		const struct rrset *set = response->sets[i].set;
		struct name owner;
		if (response->sets[i].section != SECTION_AUTHORITY) {
			continue;
		}
		rrset_owner(set, &owner);
		bool below = name_is_below(&owner, question->zone);
		bool above_name = name_is_below(question->name, &owner);
		if (set->type == RRTYPE_SOA && below && above_name) {
			soa = set;
		} else if (set->type == RRTYPE_NS && above_name) {
			if (below && owner.label_count > question->zone->label_count) {
				cut = set;
			} else if (owner.label_count == question->zone->label_count) {
				own = true;
			} else {
				upward = true;
			}
		}
	}
	out->set = NULL;
	if (soa != NULL) {
		out->kind = CLASSIFY_NODATA;
		out->set = soa;
	} else if (cut != NULL && !question->recursive) {
		out->kind = CLASSIFY_REFERRAL;
		out->set = cut;
	} else if (upward && !question->recursive) {
		out->kind = CLASSIFY_LAME;
	} else if (own && (response->flags & WIRE_FLAG_AA) == 0 && !question->recursive) {
		out->kind = CLASSIFY_LAME; /* it refers us to where we are */
	} else {
		out->kind = CLASSIFY_NODATA;
	}
}

/* The NS set of the zone in the answer section, without authority: a parent that answers from its delegation. */
static bool is_referral_in_answer(const struct response *response,
	const struct classify_question *question, const struct classified *found)
{
	return question->type == RRTYPE_NS && found->kind == CLASSIFY_ANSWER &&
	       (response->flags & WIRE_FLAG_AA) == 0 && !question->recursive &&
	       found->set->sig_count == 0 &&
	       question->name->label_count > question->zone->label_count;
}

void classify(const struct response *response, const struct classify_question *question,
	struct classified *out)
{
	bool authoritative = (response->flags & WIRE_FLAG_AA) != 0 || question->recursive;
	bool recursion = (response->flags & WIRE_FLAG_RA) != 0;

	*out = (struct classified){.kind = CLASSIFY_FAILED};
	if (response->rcode == RCODE_REFUSED || response->rcode == RCODE_NOTAUTH) {
		out->kind = CLASSIFY_LAME;
		return;
	}
	bool yxdomain = response->rcode == RCODE_YXDOMAIN; /* RFC 6672 sec 2.2 */
	if (response->rcode != RCODE_NOERROR && response->rcode != RCODE_NXDOMAIN && !yxdomain) {
		return;
	}
	if (find_answer(response, question, out)) {
		if (is_referral_in_answer(response, question, out)) {
			out->kind = CLASSIFY_REFERRAL;
		}
	} else if (yxdomain) {
		out->kind = CLASSIFY_FAILED;
	} else {
		read_authority(response, question, out);
		if (response->rcode == RCODE_NXDOMAIN && out->kind != CLASSIFY_LAME) {
			out->set = out->kind == CLASSIFY_NODATA ? out->set : NULL;
			out->kind = CLASSIFY_NXDOMAIN;
		}
	}
	/* A resolver's cache is no authority: what it knows may be anybody's. A referral can be followed. */
	out->hearsay = !authoritative && recursion && out->kind <= CLASSIFY_NXDOMAIN;
}
