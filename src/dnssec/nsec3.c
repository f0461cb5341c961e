/* nsec3.c - gaps between hashes. */
#include "dnssec/nsec3.h"

#include <string.h>

#include "base/octets.h"
#include "dnssec/typemap.h"
#include "wire/hashlabel.h"
#include "wire/rrtype.h"

#define NSEC3_FIXED_LEN 5u /* algorithm, flags, iterations, salt length, RFC 5155 sec 3.2 */
#define NSEC3_SHA1      1u
#define NO_SET          UINT32_MAX

bool nsec3_read(const struct rrset *set, uint32_t zone_labels, struct nsec3 *out)
{
	struct rrset_rdata rdata = rrset_first(set);
	const uint8_t *at = rdata.octets;

	if (set->type != RRTYPE_NSEC3 || set->owner_labels != zone_labels + 1 ||
		rdata.len < NSEC3_FIXED_LEN + 1u || at[0] != NSEC3_SHA1 ||
		(at[1] & ~NSEC3_OPT_OUT) != 0 || set->owner_len == 0 ||
		!hashlabel_read(set->octets, out->owner)) {
		return false;
	}
	out->flags = at[1];
	out->iterations = octets_get_u16(at + 2);
	out->salt_len = at[4];
	out->salt = at + NSEC3_FIXED_LEN;
	uint32_t off = NSEC3_FIXED_LEN + out->salt_len;
	if (off + 1 + SHA1_LEN > rdata.len || at[off] != SHA1_LEN) {
		return false;
	}
	out->next = at + off + 1;
	return true;
}

bool nsec3_same_chain(const struct nsec3 *a, const struct nsec3 *b)
{
	return a->iterations == b->iterations && a->salt_len == b->salt_len &&
	       memcmp(a->salt, b->salt, a->salt_len) == 0;
}

void nsec3_hash(const struct nsec3 *nsec3, const struct name *name, uint8_t out[SHA1_LEN])
{
	uint8_t lower[NAME_LEN_MAX];

	name_octets_lower(lower, name->octets, name->len);
	sha1_nsec3(lower, name->len, nsec3->salt, nsec3->salt_len, nsec3->iterations, out);
}

bool nsec3_covers(const struct nsec3 *nsec3, const uint8_t hash[SHA1_LEN])
{
	bool above = memcmp(nsec3->owner, hash, SHA1_LEN) < 0;
	bool below = memcmp(hash, nsec3->next, SHA1_LEN) < 0;
	bool last =
		memcmp(nsec3->next, nsec3->owner, SHA1_LEN) <= 0; /* it leads back to the first */

	return last ? (above || below) && memcmp(hash, nsec3->owner, SHA1_LEN) != 0
		    : above && below;
}

/* One proof: the parameters of its chain, and how many names it may still hash. */
struct chain {
	const struct absence *absence;
	struct dnssec_budget *budget;
	struct nsec3 first;
	uint32_t hashes;
};

static bool chain_begin(
	struct chain *chain, const struct absence *absence, struct dnssec_budget *budget)
{
	*chain = (struct chain){.absence = absence, .budget = budget};
	for (uint32_t i = 0; i < absence->count; i++) {
		if (nsec3_read(absence->sets[i], absence->zone->label_count, &chain->first)) {
			return true;
		}
	}
	return false;
}

static bool hash_name(struct chain *chain, const struct name *name, uint8_t out[SHA1_LEN])
{
	if (chain->budget->hashes == 0 || chain->hashes == DNSSEC_HASHES_A_PROOF) {
		return false;
	}
	chain->budget->hashes--;
	chain->hashes++;
	nsec3_hash(&chain->first, name, out);
	return true;
}

/* The set at a place, taken apart; false: it is not of the chain. */
static bool of_chain(const struct chain *chain, uint32_t place, struct nsec3 *out)
{
	const struct absence *absence = chain->absence;

	return nsec3_read(absence->sets[place], absence->zone->label_count, out) &&
	       nsec3_same_chain(out, &chain->first);
}

static uint32_t hash_match(const struct chain *chain, const uint8_t *hash, struct nsec3 *out)
{
	for (uint32_t i = 0; i < chain->absence->count; i++) {
		if (of_chain(chain, i, out) && memcmp(out->owner, hash, SHA1_LEN) == 0) {
			return i;
		}
	}
	return NO_SET;
}

static uint32_t hash_cover(const struct chain *chain, const uint8_t *hash, struct nsec3 *out)
{
	for (uint32_t i = 0; i < chain->absence->count; i++) {
		if (of_chain(chain, i, out) && nsec3_covers(out, hash)) {
			return i;
		}
	}
	return NO_SET;
}

/* RFC 5155 sec 8.3: the closest encloser matches, the next closer name is covered.
 *
 * effect  encloser: the closest one; opt_out: of the span over the next closer name
 */
static bool closest_encloser(
	struct chain *chain, const struct name *qname, struct name *encloser, bool *opt_out)
{
	uint8_t hash[SHA1_LEN];
	struct nsec3 nsec3;
	uint32_t least = chain->absence->zone->label_count;

	for (uint32_t labels = qname->label_count; labels-- > least;) {
		name_ancestor(qname, labels, encloser);
		if (!hash_name(chain, encloser, hash)) {
			return false;
		}
		uint32_t place = hash_match(chain, hash, &nsec3);
		if (place == NO_SET) {
			continue;
		}
		if (typemap_is_border(chain->absence->sets[place])) {
			return false;
		}
		struct name closer;
		name_ancestor(qname, labels + 1, &closer);
		if (!hash_name(chain, &closer, hash) || hash_cover(chain, hash, &nsec3) == NO_SET) {
			return false;
		}
		*opt_out = (nsec3.flags & NSEC3_OPT_OUT) != 0;
		return true;
	}
	return false;
}

static enum absence_verdict name_in_chain(struct chain *chain, const struct name *qname)
{
	struct name encloser, star;
	struct nsec3 nsec3;
	uint8_t hash[SHA1_LEN];
	bool opt_out = false;

	if (!closest_encloser(chain, qname, &encloser, &opt_out)) {
		return ABSENCE_NONE;
	}
	if (name_wildcard(&encloser, &star) &&
		(!hash_name(chain, &star, hash) || hash_cover(chain, hash, &nsec3) == NO_SET)) {
		return ABSENCE_NONE;
	}
	return opt_out ? ABSENCE_OPT_OUT : ABSENCE_PROVEN;
}

static enum absence_verdict type_in_chain(
	struct chain *chain, const struct name *qname, uint16_t qtype)
{
	struct name encloser, star;
	struct nsec3 nsec3;
	uint8_t hash[SHA1_LEN];
	bool opt_out = false;

	if (!hash_name(chain, qname, hash)) {
		return ABSENCE_NONE;
	}
	uint32_t place = hash_match(chain, hash, &nsec3);
	if (place != NO_SET) {
		return typemap_lacks(chain->absence->sets[place], qtype) ||
				       (qtype == RRTYPE_DS && qname->label_count == 0)
			       ? ABSENCE_PROVEN
			       : ABSENCE_NONE;
	}
	if (!closest_encloser(chain, qname, &encloser, &opt_out)) {
		return ABSENCE_NONE;
	}
	/* An insecure delegation may be there, whatever a wildcard beside it has (RFC 5155 sec 8.6). */
	if (qtype == RRTYPE_DS && opt_out) {
		return ABSENCE_OPT_OUT;
	}
	/* A wildcard without the type (RFC 5155 sec 8.7). */
	if (name_wildcard(&encloser, &star) && hash_name(chain, &star, hash)) {
		place = hash_match(chain, hash, &nsec3);
		if (place != NO_SET) {
			if (!typemap_lacks(chain->absence->sets[place], qtype)) {
				return ABSENCE_NONE;
			}
			return opt_out ? ABSENCE_OPT_OUT : ABSENCE_PROVEN;
		}
	}
	/* Names above a delegation that the span leaves out (RFC 5155 erratum 3441). */
	return opt_out ? ABSENCE_OPT_OUT : ABSENCE_NONE;
}

static enum absence_verdict expansion_in_chain(
	struct chain *chain, const struct name *qname, uint32_t closest_labels)
{
	struct name closer;
	struct nsec3 nsec3;
	uint8_t hash[SHA1_LEN];

	if (closest_labels >= qname->label_count) {
		return ABSENCE_NONE;
	}
	name_ancestor(qname, closest_labels + 1, &closer);
	if (!hash_name(chain, &closer, hash) || hash_cover(chain, hash, &nsec3) == NO_SET) {
		return ABSENCE_NONE;
	}
	return (nsec3.flags & NSEC3_OPT_OUT) != 0 ? ABSENCE_OPT_OUT : ABSENCE_PROVEN;
}

static enum absence_cut ds_in_chain(struct chain *chain, const struct name *qname)
{
	struct name encloser;
	struct nsec3 nsec3;
	uint8_t hash[SHA1_LEN];
	bool opt_out = false;

	if (!hash_name(chain, qname, hash)) {
		return ABSENCE_CUT_UNKNOWN;
	}
	uint32_t place = hash_match(chain, hash, &nsec3);
	if (place != NO_SET) {
		const struct rrset *set = chain->absence->sets[place];
		if (typemap_has(set, RRTYPE_DS) || typemap_has(set, RRTYPE_SOA)) {
			return ABSENCE_CUT_UNKNOWN;
		}
		return typemap_has(set, RRTYPE_NS) ? ABSENCE_CUT_INSECURE : ABSENCE_CUT_NONE;
	}
	if (closest_encloser(chain, qname, &encloser, &opt_out) && opt_out) {
		return ABSENCE_CUT_INSECURE;
	}
	return type_in_chain(chain, qname, RRTYPE_DS) == ABSENCE_PROVEN ? ABSENCE_CUT_NONE
									: ABSENCE_CUT_UNKNOWN;
}

/* What holds with more iterations than a zone should have is no more than insecure. */
static enum absence_verdict iterated(const struct chain *chain, enum absence_verdict verdict)
{
	return verdict != ABSENCE_NONE && chain->first.iterations > DNSSEC_ITERATIONS_MAX
		       ? ABSENCE_ITERATED
		       : verdict;
}

static bool is_out_of_bounds(const struct chain *chain)
{
	return chain->first.iterations > DNSSEC_ITERATIONS_MOST;
}

enum absence_verdict nsec3_of_name(
	const struct absence *absence, const struct name *qname, struct dnssec_budget *budget)
{
	struct chain chain;

	if (!chain_begin(&chain, absence, budget)) {
		return ABSENCE_NONE;
	}
	return is_out_of_bounds(&chain) ? ABSENCE_ITERATED
					: iterated(&chain, name_in_chain(&chain, qname));
}

enum absence_verdict nsec3_of_type(const struct absence *absence, const struct name *qname,
	uint16_t qtype, struct dnssec_budget *budget)
{
	struct chain chain;

	if (!chain_begin(&chain, absence, budget)) {
		return ABSENCE_NONE;
	}
	return is_out_of_bounds(&chain) ? ABSENCE_ITERATED
					: iterated(&chain, type_in_chain(&chain, qname, qtype));
}

enum absence_verdict nsec3_of_expansion(const struct absence *absence, const struct name *qname,
	uint32_t closest_labels, struct dnssec_budget *budget)
{
	struct chain chain;

	if (!chain_begin(&chain, absence, budget)) {
		return ABSENCE_NONE;
	}
	return is_out_of_bounds(&chain)
		       ? ABSENCE_ITERATED
		       : iterated(&chain, expansion_in_chain(&chain, qname, closest_labels));
}

enum absence_cut nsec3_of_ds(
	const struct absence *absence, const struct name *qname, struct dnssec_budget *budget)
{
	struct chain chain;

	if (!chain_begin(&chain, absence, budget)) {
		return ABSENCE_CUT_UNKNOWN;
	}
	return is_out_of_bounds(&chain) ? ABSENCE_CUT_INSECURE : ds_in_chain(&chain, qname);
}
