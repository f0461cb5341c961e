/* rrset.h - an RRset with its signatures in one piece of memory: what a resolver caches, checks and answers with.
 *
 *     head | owner name | len RDATA | len RDATA | ... | len RRSIG RDATA | ...
 *                       ^ records                     ^ signatures (sigs_off)
 *
 * Names in RDATA are uncompressed. The order of the records is that in which they came; no record is there twice
 * (RFC 2181 sec 5). Class IN. A set may have no record and signatures alone only where its type is RRSIG: then the
 * signatures are its records.
 *
 * invariant  never changed once made; position-independent: it may be copied octet by octet
 * thread     immutable
 */
#ifndef SAKER_WIRE_RRSET_H
#define SAKER_WIRE_RRSET_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/octets.h"
#include "wire/name.h"

#define RRSET_ALIGNMENT 8u
#define RRSIG_FIXED_LEN 18u /* octets of an RRSIG before the signer's name, RFC 4034 sec 3.1 */

struct rrset {
	uint32_t len;      /* octets of all, the head included; a multiple of RRSET_ALIGNMENT */
	uint32_t ttl;      /* least of the records' (RFC 2181 sec 5.2) */
	uint32_t sigs_off; /* of the first signature, from the head */
	uint16_t type;
	uint16_t count;     /* records */
	uint16_t sig_count; /* RRSIG records that cover the set */
	uint8_t owner_len;
	uint8_t owner_labels;
	uint8_t spare[4];
	uint8_t octets[]; /* the owner, letters as they came; records; signatures */
};

/* One RDATA while a set is made. */
struct rrset_rdata {
	const uint8_t *octets;
	uint16_t len;
};

/* rrset_make - a set in an arena; records that are there twice are kept once.
 *
 * shape   records[0..count), sigs[0..sig_count): borrowed; records is put in another order and back
 * errors  NULL: the arena has no room
 * cost    O(count log count)
 */
MUST_USE struct rrset *rrset_make(struct arena *arena, const struct name *owner, uint16_t type,
	uint32_t ttl, const struct rrset_rdata *records, uint32_t count,
	const struct rrset_rdata *sigs, uint32_t sig_count);

/* rrset_copy - the same set in other memory. errors: NULL, no room */
MUST_USE struct rrset *rrset_copy(struct arena *arena, const struct rrset *set);

/* rrset_owner - its owner name. */
void rrset_owner(const struct rrset *set, struct name *out);

/* rrset_is - is it the set of that name and type? Letters' case is ignored. */
static inline bool rrset_is(const struct rrset *set, const struct name *owner, uint16_t type)
{
	struct name name;

	if (set->type != type || set->owner_len != owner->len) {
		return false;
	}
	rrset_owner(set, &name);
	return name_equal(&name, owner);
}

/* A walk over records or signatures. */
struct rrset_walk {
	const uint8_t *at;
	uint32_t left;
};

static inline struct rrset_walk rrset_records(const struct rrset *set)
{
	return (struct rrset_walk){.at = set->octets + set->owner_len, .left = set->count};
}

static inline struct rrset_walk rrset_sigs(const struct rrset *set)
{
	return (struct rrset_walk){
		.at = (const uint8_t *)set + set->sigs_off, .left = set->sig_count};
}

/* rrset_next - the next RDATA; false: there are no more. */
static inline bool rrset_next(struct rrset_walk *walk, struct rrset_rdata *out)
{
	if (walk->left == 0) {
		return false;
	}
	walk->left--;
	out->len = octets_get_u16(walk->at);
	out->octets = walk->at + 2;
	walk->at += 2u + out->len;
	return true;
}

/* rrset_first - its first record; a set has one. */
static inline struct rrset_rdata rrset_first(const struct rrset *set)
{
	struct rrset_walk walk = rrset_records(set);
	struct rrset_rdata out = {.len = 0};

	(void)rrset_next(&walk, &out);
	return out;
}

/* The fixed part of an RRSIG, RFC 4034 sec 3.1. */
struct rrsig {
	uint16_t covered;
	uint8_t algorithm;
	uint8_t labels;
	uint32_t original_ttl;
	uint32_t expiration, inception; /* serial numbers modulo 2^32 */
	uint16_t key_tag;
	struct name signer;
	const uint8_t *signature; /* borrows: the RDATA */
	uint32_t signature_len;
};

/* rrset_sig - takes an RRSIG's RDATA apart; false: it is none. */
MUST_USE bool rrset_sig(const struct rrset_rdata *rdata, struct rrsig *out);

#endif
