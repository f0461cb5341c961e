/* absence.h - what the NSEC and NSEC3 records of a response prove.
 *
 * All of them have been checked to be secure and of one zone. NSEC3 records with flags or hash algorithms that are not
 * known, or with other parameters than the first, are left out (RFC 5155 sec 8.1, 8.2).
 *
 * thread  no shared state
 * cost    O(records) comparisons; NSEC3: hashes out of the budget, at most DNSSEC_HASHES_A_PROOF a question
 * source  RFC 4035 sec 5.4, RFC 5155 sec 8, RFC 6840 sec 4, RFC 9276
 */
#ifndef SAKER_DNSSEC_ABSENCE_H
#define SAKER_DNSSEC_ABSENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "dnssec/dnssec.h"
#include "wire/name.h"
#include "wire/rrset.h"

#define ABSENCE_SETS_MAX 16u /* a proof takes three; what else comes along has room */

struct absence {
	const struct name *zone; /* borrows: that signed them */
	uint32_t count;
	const struct rrset *sets[ABSENCE_SETS_MAX]; /* borrows: NSEC or NSEC3, one record each */
};

enum absence_verdict {
	ABSENCE_NONE, /* they do not prove it */
	ABSENCE_PROVEN,
	ABSENCE_OPT_OUT, /* proven but for delegations that an opt-out span may hide: insecure */
	ABSENCE_ITERATED, /* more iterations than DNSSEC_ITERATIONS_MAX, or the budget ended: insecure */
};

/* absence_of_name - the name does not exist, and no wildcard stands for it (NXDOMAIN). */
enum absence_verdict absence_of_name(
	const struct absence *absence, const struct name *qname, struct dnssec_budget *budget);

/* absence_of_type - the name exists, or a wildcard stands for it, without the type and without CNAME (NODATA).
 *
 * effect  for type DS: a record from the child's side of a cut does not count (RFC 6840 sec 4.4), and ABSENCE_OPT_OUT
 *         is said where the name lies in an opt-out span
 */
enum absence_verdict absence_of_type(const struct absence *absence, const struct name *qname,
	uint16_t qtype, struct dnssec_budget *budget);

/* absence_of_expansion - no closer match than the wildcard of that many labels exists for the name. */
enum absence_verdict absence_of_expansion(const struct absence *absence, const struct name *qname,
	uint32_t closest_labels, struct dnssec_budget *budget);

/* What a denial of DS says about the name. */
enum absence_cut {
	ABSENCE_CUT_UNKNOWN, /* not proven */
	ABSENCE_CUT_NONE,    /* the name is no delegation: the zone goes on below */
	ABSENCE_CUT_INSECURE /* an insecure delegation, or such as an opt-out span hides */
};

/* absence_of_ds - is there a secure proof that the name is no delegation, or one without DS? */
enum absence_cut absence_of_ds(
	const struct absence *absence, const struct name *qname, struct dnssec_budget *budget);

#endif
