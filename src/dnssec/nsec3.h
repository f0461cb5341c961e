/* nsec3.h - proofs by NSEC3: the hashes of a zone's names in a ring.
 *
 * As in absence.h, which asks these and those of nsec.h.
 *
 * thread  no shared state
 * cost    O(records) comparisons of hashes; hashes out of the budget, at most DNSSEC_HASHES_A_PROOF a question
 * source  RFC 5155 sec 8, RFC 9276
 */
#ifndef SAKER_DNSSEC_NSEC3_H
#define SAKER_DNSSEC_NSEC3_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "crypto/sha1.h"
#include "dnssec/absence.h"
#include "wire/name.h"
#include "wire/rrset.h"

#define NSEC3_OPT_OUT 1u /* flag */

/* An NSEC3 taken apart; borrows from its set. */
struct nsec3 {
	uint8_t flags;
	uint16_t iterations;
	uint8_t salt_len;
	const uint8_t *salt;
	const uint8_t *next; /* SHA1_LEN octets */
	uint8_t owner[SHA1_LEN];
};

/* nsec3_read - takes one apart.
 *
 * errors  false: not an NSEC3 of a name right below one of zone_labels labels, or one whose flags or hash are not known
 */
MUST_USE bool nsec3_read(const struct rrset *set, uint32_t zone_labels, struct nsec3 *out);

/* nsec3_same_chain - have both the same salt and iterations? */
bool nsec3_same_chain(const struct nsec3 *a, const struct nsec3 *b);

/* nsec3_hash - of a name, with a record's parameters. */
void nsec3_hash(const struct nsec3 *nsec3, const struct name *name, uint8_t out[SHA1_LEN]);

/* nsec3_covers - does the hash lie between the record's owner and the next? */
bool nsec3_covers(const struct nsec3 *nsec3, const uint8_t hash[SHA1_LEN]);

enum absence_verdict nsec3_of_name(
	const struct absence *absence, const struct name *qname, struct dnssec_budget *budget);
enum absence_verdict nsec3_of_type(const struct absence *absence, const struct name *qname,
	uint16_t qtype, struct dnssec_budget *budget);
enum absence_verdict nsec3_of_expansion(const struct absence *absence, const struct name *qname,
	uint32_t closest_labels, struct dnssec_budget *budget);
enum absence_cut nsec3_of_ds(
	const struct absence *absence, const struct name *qname, struct dnssec_budget *budget);

#endif
