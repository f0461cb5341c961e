/* nsec.c - gaps between names in canonical order. */
#include "dnssec/nsec.h"

#include "base/reader.h"
#include "dnssec/typemap.h"
#include "wire/rrtype.h"

#define NO_SET UINT32_MAX

static bool nsec_next(const struct rrset *set, struct name *out)
{
	struct rrset_rdata rdata = rrset_first(set);
	struct reader reader = {.octets = rdata.octets, .len = rdata.len};

	return name_parse(&reader, out) == WIRE_OK;
}

static bool is_nsec(const struct absence *absence, const struct rrset *set, struct name *owner)
{
	if (set->type != RRTYPE_NSEC) {
		return false;
	}
	rrset_owner(set, owner);
	return name_is_below(owner, absence->zone);
}

static uint32_t nsec_match(const struct absence *absence, const struct name *name)
{
	for (uint32_t i = 0; i < absence->count; i++) {
		struct name owner;
		if (is_nsec(absence, absence->sets[i], &owner) && name_equal(&owner, name)) {
			return i;
		}
	}
	return NO_SET;
}

/* The record in whose gap the name lies; it may say so. */
static uint32_t nsec_cover(
	const struct absence *absence, const struct name *name, struct name *next)
{
	for (uint32_t i = 0; i < absence->count; i++) {
		struct name owner;
		if (!is_nsec(absence, absence->sets[i], &owner) ||
			!nsec_next(absence->sets[i], next) || !name_is_below(next, absence->zone) ||
			name_compare(&owner, name) >= 0) {
			continue;
		}
		bool last = name_compare(next, &owner) <= 0; /* it leads back to the apex */
		if (!last && name_compare(name, next) >= 0) {
			continue;
		}
		if (name_is_below(name, &owner) && typemap_is_border(absence->sets[i])) {
			continue;
		}
		return i;
	}
	return NO_SET;
}

static uint32_t common_labels(const struct name *a, const struct name *b)
{
	uint32_t most = a->label_count < b->label_count ? a->label_count : b->label_count;
	struct name left, right;

	for (uint32_t labels = most; labels > 0; labels--) {
		name_ancestor(a, labels, &left);
		name_ancestor(b, labels, &right);
		if (name_equal(&left, &right)) {
			return labels;
		}
	}
	return 0;
}

bool nsec_encloser(const struct rrset *set, const struct name *name, struct name *out)
{
	struct name owner, next;

	if (!nsec_next(set, &next)) {
		return false;
	}
	rrset_owner(set, &owner);
	uint32_t with_owner = common_labels(name, &owner);
	uint32_t with_next = common_labels(name, &next);
	name_ancestor(name, with_owner > with_next ? with_owner : with_next, out);
	return true;
}

/* RFC 4592 sec 2.2.2: a wildcard, too, may be an empty non-terminal, and then it exists. */
static bool is_no_name(const struct absence *absence, const struct name *name)
{
	struct name next;

	return nsec_cover(absence, name, &next) != NO_SET && !name_is_below(&next, name);
}

enum absence_verdict nsec_of_name(const struct absence *absence, const struct name *qname)
{
	struct name next, encloser, star;
	uint32_t place = nsec_cover(absence, qname, &next);

	if (place == NO_SET || name_is_below(&next, qname)) {
		return ABSENCE_NONE; /* or an empty non-terminal: it exists */
	}
	if (!nsec_encloser(absence->sets[place], qname, &encloser)) {
		return ABSENCE_NONE;
	}
	if (!name_wildcard(&encloser, &star)) {
		return ABSENCE_PROVEN; /* too long to exist */
	}
	return is_no_name(absence, &star) ? ABSENCE_PROVEN : ABSENCE_NONE;
}

enum absence_verdict nsec_of_type(
	const struct absence *absence, const struct name *qname, uint16_t qtype)
{
	struct name next, encloser, star;
	uint32_t place = nsec_match(absence, qname);

	if (place != NO_SET) {
		return typemap_lacks(absence->sets[place], qtype) ? ABSENCE_PROVEN : ABSENCE_NONE;
	}
	place = nsec_cover(absence, qname, &next);
	if (place == NO_SET) {
		return ABSENCE_NONE;
	}
	if (name_is_below(&next, qname)) {
		return ABSENCE_PROVEN; /* an empty non-terminal has no types */
	}
	if (!nsec_encloser(absence->sets[place], qname, &encloser)) {
		return ABSENCE_NONE;
	}
	if (!name_wildcard(&encloser, &star)) {
		return ABSENCE_NONE;
	}
	place = nsec_match(absence, &star);
	bool lacking = place != NO_SET ? typemap_lacks(absence->sets[place], qtype)
				       : nsec_cover(absence, &star, &next) != NO_SET &&
						 name_is_below(&next, &star);
	return lacking ? ABSENCE_PROVEN : ABSENCE_NONE;
}

enum absence_verdict nsec_of_expansion(
	const struct absence *absence, const struct name *qname, uint32_t closest_labels)
{
	struct name next, encloser;
	uint32_t place = nsec_cover(absence, qname, &next);

	if (place == NO_SET || name_is_below(&next, qname)) {
		return ABSENCE_NONE;
	}
	return nsec_encloser(absence->sets[place], qname, &encloser) &&
			       encloser.label_count <= closest_labels
		       ? ABSENCE_PROVEN
		       : ABSENCE_NONE;
}

enum absence_cut nsec_of_ds(const struct absence *absence, const struct name *qname)
{
	uint32_t place = nsec_match(absence, qname);

	if (place == NO_SET) {
		return nsec_of_type(absence, qname, RRTYPE_DS) == ABSENCE_PROVEN
			       ? ABSENCE_CUT_NONE
			       : ABSENCE_CUT_UNKNOWN;
	}
	const struct rrset *set = absence->sets[place];
	if (typemap_has(set, RRTYPE_DS) || typemap_has(set, RRTYPE_SOA)) {
		return ABSENCE_CUT_UNKNOWN;
	}
	return typemap_has(set, RRTYPE_NS) ? ABSENCE_CUT_INSECURE : ABSENCE_CUT_NONE;
}
