/* absence.c - NSEC and NSEC3, each with its own idea of order. */
#include "dnssec/absence.h"

#include <string.h>

#include "base/octets.h"
#include "base/reader.h"
#include "crypto/sha1.h"
#include "wire/rrtype.h"

#define NSEC3_FIXED_LEN 5u /* algorithm, flags, iterations, salt length, RFC 5155 sec 3.2 */
#define NSEC3_SHA1      1u
#define NSEC3_OPT_OUT   1u
#define HASH_TEXT_LEN   32u
#define NO_SET          UINT32_MAX

static void suffix_name(const struct name *name, uint32_t labels, struct name *out)
{
	const uint8_t *suffix = name_suffix(name, labels);

	out->len = (uint8_t)(name->octets + name->len - suffix);
	out->label_count = (uint8_t)labels;
	memcpy(out->octets, suffix, out->len);
}

static bool wildcard_of(const struct name *encloser, struct name *out)
{
	static const uint8_t star[2] = {1, '*'};

	return name_join(star, sizeof(star), 1, encloser, out) == WIRE_OK;
}

/* The bitmap in windows of RFC 4034 sec 4.1.2. */
static bool has_bit(const uint8_t *at, uint32_t len, uint16_t type)
{
	while (len >= 2 && at[1] <= len - 2) {
		uint32_t octet = (type & 0xffu) / 8;
		if (at[0] == type >> 8) {
			return octet < at[1] && (at[2 + octet] >> (7 - type % 8) & 1) != 0;
		}
		len -= 2u + at[1];
		at += 2u + at[1];
	}
	return false;
}

/* An NSEC3 taken apart. */
struct nsec3 {
	uint8_t flags;
	uint16_t iterations;
	uint8_t salt_len;
	const uint8_t *salt;
	const uint8_t *next; /* SHA1_LEN octets */
	const uint8_t *bitmap;
	uint32_t bitmap_len;
	uint8_t owner[SHA1_LEN];
};

static int digit(uint8_t c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	c |= 0x20;
	return c >= 'a' && c <= 'v' ? c - 'a' + 10 : -1;
}

static bool read_hash(const struct rrset *set, uint8_t out[SHA1_LEN])
{
	const uint8_t *label = set->octets;
	uint64_t bits = 0;
	uint32_t have = 0, used = 0;

	if (set->owner_len == 0 || label[0] != HASH_TEXT_LEN) {
		return false;
	}
	for (uint32_t i = 1; i <= HASH_TEXT_LEN; i++) {
		int value = digit(label[i]);
		if (value < 0) {
			return false;
		}
		bits = bits << 5 | (uint64_t)value;
		have += 5;
		if (have >= 8) {
			have -= 8;
			out[used++] = (uint8_t)(bits >> have);
		}
	}
	return true;
}

static bool read_nsec3(const struct absence *absence, const struct rrset *set, struct nsec3 *out)
{
	struct rrset_rdata rdata = rrset_first(set);
	const uint8_t *at = rdata.octets;

	if (set->type != RRTYPE_NSEC3 || set->owner_labels != absence->zone->label_count + 1u ||
		rdata.len < NSEC3_FIXED_LEN + 1u || at[0] != NSEC3_SHA1 ||
		(at[1] & ~NSEC3_OPT_OUT) != 0 || !read_hash(set, out->owner)) {
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
	out->bitmap = out->next + SHA1_LEN;
	out->bitmap_len = rdata.len - (off + 1 + SHA1_LEN);
	return true;
}

bool absence_has_type(const struct rrset *set, uint16_t type)
{
	struct rrset_rdata rdata = rrset_first(set);
	uint32_t off;

	if (set->type == RRTYPE_NSEC) {
		return name_measure(rdata.octets, rdata.len, &off) == WIRE_OK &&
		       has_bit(rdata.octets + off, rdata.len - off, type);
	}
	if (rdata.len < NSEC3_FIXED_LEN) {
		return false;
	}
	off = NSEC3_FIXED_LEN + rdata.octets[4];
	if (off >= rdata.len || off + 1u + rdata.octets[off] > rdata.len) {
		return false;
	}
	off += 1u + rdata.octets[off];
	return has_bit(rdata.octets + off, rdata.len - off, type);
}

/* The parent's record at a cut, or one above a DNAME: it says nothing about names below (RFC 6840 sec 4.1). */
static bool is_border(const struct rrset *set)
{
	return (absence_has_type(set, RRTYPE_NS) && !absence_has_type(set, RRTYPE_SOA)) ||
	       absence_has_type(set, RRTYPE_DNAME);
}

/* ---- NSEC ---- */

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
		if (name_is_below(name, &owner) && is_border(absence->sets[i])) {
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
		suffix_name(a, labels, &left);
		suffix_name(b, labels, &right);
		if (name_equal(&left, &right)) {
			return labels;
		}
	}
	return 0;
}

/* The closest encloser that a gap proves: the longest that the name shares with either end. */
static void nsec_encloser(const struct absence *absence, uint32_t place, const struct name *next,
	const struct name *name, struct name *out)
{
	struct name owner;

	rrset_owner(absence->sets[place], &owner);
	uint32_t with_owner = common_labels(name, &owner);
	uint32_t with_next = common_labels(name, next);
	suffix_name(name, with_owner > with_next ? with_owner : with_next, out);
}

/* RFC 4592 sec 2.2.2: a wildcard, too, may be an empty non-terminal, and then it exists. */
static bool is_no_name(const struct absence *absence, const struct name *name)
{
	struct name next;

	return nsec_cover(absence, name, &next) != NO_SET && !name_is_below(&next, name);
}

static enum absence_verdict nsec_of_name(const struct absence *absence, const struct name *qname)
{
	struct name next, encloser, star;
	uint32_t place = nsec_cover(absence, qname, &next);

	if (place == NO_SET || name_is_below(&next, qname)) {
		return ABSENCE_NONE; /* or an empty non-terminal: it exists */
	}
	nsec_encloser(absence, place, &next, qname, &encloser);
	if (!wildcard_of(&encloser, &star)) {
		return ABSENCE_PROVEN; /* too long to exist */
	}
	return is_no_name(absence, &star) ? ABSENCE_PROVEN : ABSENCE_NONE;
}

static bool lacks_type(const struct rrset *set, uint16_t qtype)
{
	bool cut = absence_has_type(set, RRTYPE_NS) && !absence_has_type(set, RRTYPE_SOA);

	if (absence_has_type(set, qtype) || absence_has_type(set, RRTYPE_CNAME)) {
		return false;
	}
	if (qtype == RRTYPE_DS) {
		return !absence_has_type(set, RRTYPE_SOA) || set->owner_labels == 0;
	}
	return !cut; /* the parent knows nothing but DS and NSEC of a child */
}

static enum absence_verdict nsec_of_type(
	const struct absence *absence, const struct name *qname, uint16_t qtype)
{
	struct name next, encloser, star;
	uint32_t place = nsec_match(absence, qname);

	if (place != NO_SET) {
		return lacks_type(absence->sets[place], qtype) ? ABSENCE_PROVEN : ABSENCE_NONE;
	}
	place = nsec_cover(absence, qname, &next);
	if (place == NO_SET) {
		return ABSENCE_NONE;
	}
	if (name_is_below(&next, qname)) {
		return ABSENCE_PROVEN; /* an empty non-terminal has no types */
	}
	nsec_encloser(absence, place, &next, qname, &encloser);
	if (!wildcard_of(&encloser, &star)) {
		return ABSENCE_NONE;
	}
	place = nsec_match(absence, &star);
	bool lacking = place != NO_SET ? lacks_type(absence->sets[place], qtype)
				       : nsec_cover(absence, &star, &next) != NO_SET &&
						 name_is_below(&next, &star);
	return lacking ? ABSENCE_PROVEN : ABSENCE_NONE;
}

static enum absence_verdict nsec_of_expansion(
	const struct absence *absence, const struct name *qname, uint32_t closest_labels)
{
	struct name next, encloser;
	uint32_t place = nsec_cover(absence, qname, &next);

	if (place == NO_SET || name_is_below(&next, qname)) {
		return ABSENCE_NONE;
	}
	nsec_encloser(absence, place, &next, qname, &encloser);
	return encloser.label_count <= closest_labels ? ABSENCE_PROVEN : ABSENCE_NONE;
}

static enum absence_cut nsec_of_ds(const struct absence *absence, const struct name *qname)
{
	uint32_t place = nsec_match(absence, qname);

	if (place == NO_SET) {
		return nsec_of_type(absence, qname, RRTYPE_DS) == ABSENCE_PROVEN
			       ? ABSENCE_CUT_NONE
			       : ABSENCE_CUT_UNKNOWN;
	}
	const struct rrset *set = absence->sets[place];
	if (absence_has_type(set, RRTYPE_DS) || absence_has_type(set, RRTYPE_SOA)) {
		return ABSENCE_CUT_UNKNOWN;
	}
	return absence_has_type(set, RRTYPE_NS) ? ABSENCE_CUT_INSECURE : ABSENCE_CUT_NONE;
}

/* ---- NSEC3 ---- */

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
		if (read_nsec3(absence, absence->sets[i], &chain->first)) {
			return true;
		}
	}
	return false;
}

static bool same_chain(const struct chain *chain, const struct nsec3 *nsec3)
{
	return nsec3->iterations == chain->first.iterations &&
	       nsec3->salt_len == chain->first.salt_len &&
	       memcmp(nsec3->salt, chain->first.salt, nsec3->salt_len) == 0;
}

static bool hash_name(struct chain *chain, const struct name *name, uint8_t out[SHA1_LEN])
{
	uint8_t lower[NAME_LEN_MAX];

	if (chain->budget->hashes == 0 || chain->hashes == DNSSEC_HASHES_A_PROOF) {
		return false;
	}
	chain->budget->hashes--;
	chain->hashes++;
	name_octets_lower(lower, name->octets, name->len);
	sha1_nsec3(lower, name->len, chain->first.salt, chain->first.salt_len,
		chain->first.iterations, out);
	return true;
}

static uint32_t hash_match(const struct chain *chain, const uint8_t *hash, struct nsec3 *out)
{
	for (uint32_t i = 0; i < chain->absence->count; i++) {
		if (read_nsec3(chain->absence, chain->absence->sets[i], out) &&
			same_chain(chain, out) && memcmp(out->owner, hash, SHA1_LEN) == 0) {
			return i;
		}
	}
	return NO_SET;
}

static uint32_t hash_cover(const struct chain *chain, const uint8_t *hash, struct nsec3 *out)
{
	for (uint32_t i = 0; i < chain->absence->count; i++) {
		if (!read_nsec3(chain->absence, chain->absence->sets[i], out) ||
			!same_chain(chain, out)) {
			continue;
		}
		bool above = memcmp(out->owner, hash, SHA1_LEN) < 0;
		bool below = memcmp(hash, out->next, SHA1_LEN) < 0;
		bool last = memcmp(out->next, out->owner, SHA1_LEN) <= 0;
		if (last ? (above || below) && memcmp(hash, out->owner, SHA1_LEN) != 0
			 : above && below) {
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
		suffix_name(qname, labels, encloser);
		if (!hash_name(chain, encloser, hash)) {
			return false;
		}
		uint32_t place = hash_match(chain, hash, &nsec3);
		if (place == NO_SET) {
			continue;
		}
		if (is_border(chain->absence->sets[place])) {
			return false;
		}
		struct name closer;
		suffix_name(qname, labels + 1, &closer);
		if (!hash_name(chain, &closer, hash) || hash_cover(chain, hash, &nsec3) == NO_SET) {
			return false;
		}
		*opt_out = (nsec3.flags & NSEC3_OPT_OUT) != 0;
		return true;
	}
	return false;
}

static enum absence_verdict nsec3_of_name(struct chain *chain, const struct name *qname)
{
	struct name encloser, star;
	struct nsec3 nsec3;
	uint8_t hash[SHA1_LEN];
	bool opt_out = false;

	if (!closest_encloser(chain, qname, &encloser, &opt_out)) {
		return ABSENCE_NONE;
	}
	if (wildcard_of(&encloser, &star) &&
		(!hash_name(chain, &star, hash) || hash_cover(chain, hash, &nsec3) == NO_SET)) {
		return ABSENCE_NONE;
	}
	return opt_out ? ABSENCE_OPT_OUT : ABSENCE_PROVEN;
}

static enum absence_verdict nsec3_of_type(
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
		return lacks_type(chain->absence->sets[place], qtype) ||
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
	if (wildcard_of(&encloser, &star) && hash_name(chain, &star, hash)) {
		place = hash_match(chain, hash, &nsec3);
		if (place != NO_SET) {
			if (!lacks_type(chain->absence->sets[place], qtype)) {
				return ABSENCE_NONE;
			}
			return opt_out ? ABSENCE_OPT_OUT : ABSENCE_PROVEN;
		}
	}
	/* Names above a delegation that the span leaves out (RFC 5155 erratum 3441). */
	return opt_out ? ABSENCE_OPT_OUT : ABSENCE_NONE;
}

static enum absence_verdict nsec3_of_expansion(
	struct chain *chain, const struct name *qname, uint32_t closest_labels)
{
	struct name closer;
	struct nsec3 nsec3;
	uint8_t hash[SHA1_LEN];

	if (closest_labels >= qname->label_count) {
		return ABSENCE_NONE;
	}
	suffix_name(qname, closest_labels + 1, &closer);
	if (!hash_name(chain, &closer, hash) || hash_cover(chain, hash, &nsec3) == NO_SET) {
		return ABSENCE_NONE;
	}
	return (nsec3.flags & NSEC3_OPT_OUT) != 0 ? ABSENCE_OPT_OUT : ABSENCE_PROVEN;
}

static enum absence_cut nsec3_of_ds(struct chain *chain, const struct name *qname)
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
		if (absence_has_type(set, RRTYPE_DS) || absence_has_type(set, RRTYPE_SOA)) {
			return ABSENCE_CUT_UNKNOWN;
		}
		return absence_has_type(set, RRTYPE_NS) ? ABSENCE_CUT_INSECURE : ABSENCE_CUT_NONE;
	}
	if (closest_encloser(chain, qname, &encloser, &opt_out) && opt_out) {
		return ABSENCE_CUT_INSECURE;
	}
	return nsec3_of_type(chain, qname, RRTYPE_DS) == ABSENCE_PROVEN ? ABSENCE_CUT_NONE
									: ABSENCE_CUT_UNKNOWN;
}

/* What holds with more iterations than a zone should have is no more than insecure. */
static enum absence_verdict iterated(const struct chain *chain, enum absence_verdict verdict)
{
	return verdict != ABSENCE_NONE && chain->first.iterations > DNSSEC_ITERATIONS_MAX
		       ? ABSENCE_ITERATED
		       : verdict;
}

/* ---- both ---- */

enum absence_verdict absence_of_name(
	const struct absence *absence, const struct name *qname, struct dnssec_budget *budget)
{
	struct chain chain;
	enum absence_verdict verdict = nsec_of_name(absence, qname);

	if (verdict != ABSENCE_NONE || !chain_begin(&chain, absence, budget)) {
		return verdict;
	}
	return chain.first.iterations > DNSSEC_ITERATIONS_MOST
		       ? ABSENCE_ITERATED
		       : iterated(&chain, nsec3_of_name(&chain, qname));
}

enum absence_verdict absence_of_type(const struct absence *absence, const struct name *qname,
	uint16_t qtype, struct dnssec_budget *budget)
{
	struct chain chain;
	enum absence_verdict verdict = nsec_of_type(absence, qname, qtype);

	if (verdict != ABSENCE_NONE || !chain_begin(&chain, absence, budget)) {
		return verdict;
	}
	return chain.first.iterations > DNSSEC_ITERATIONS_MOST
		       ? ABSENCE_ITERATED
		       : iterated(&chain, nsec3_of_type(&chain, qname, qtype));
}

enum absence_verdict absence_of_expansion(const struct absence *absence, const struct name *qname,
	uint32_t closest_labels, struct dnssec_budget *budget)
{
	struct chain chain;
	enum absence_verdict verdict = nsec_of_expansion(absence, qname, closest_labels);

	if (verdict != ABSENCE_NONE || !chain_begin(&chain, absence, budget)) {
		return verdict;
	}
	return chain.first.iterations > DNSSEC_ITERATIONS_MOST
		       ? ABSENCE_ITERATED
		       : iterated(&chain, nsec3_of_expansion(&chain, qname, closest_labels));
}

enum absence_cut absence_of_ds(
	const struct absence *absence, const struct name *qname, struct dnssec_budget *budget)
{
	struct chain chain;
	enum absence_cut cut = nsec_of_ds(absence, qname);

	if (cut != ABSENCE_CUT_UNKNOWN || !chain_begin(&chain, absence, budget)) {
		return cut;
	}
	return chain.first.iterations > DNSSEC_ITERATIONS_MOST ? ABSENCE_CUT_INSECURE
							       : nsec3_of_ds(&chain, qname);
}
