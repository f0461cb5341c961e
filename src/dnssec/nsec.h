/* nsec.h - proofs by NSEC: the names of a zone in a ring, each knows the next.
 *
 * As in absence.h, which asks these and those of nsec3.h.
 *
 * thread  no shared state
 * cost    O(records) comparisons of names
 * source  RFC 4035 sec 5.4, RFC 6840 sec 4, RFC 4592
 */
#ifndef SAKER_DNSSEC_NSEC_H
#define SAKER_DNSSEC_NSEC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "dnssec/absence.h"
#include "wire/name.h"
#include "wire/rrset.h"

/* nsec_encloser - the closest encloser of a name that lies in the gap behind an NSEC: the longest that it shares with either end.
 *
 * errors  false: the record is broken
 */
MUST_USE bool nsec_encloser(const struct rrset *set, const struct name *name, struct name *out);

enum absence_verdict nsec_of_name(const struct absence *absence, const struct name *qname);
enum absence_verdict nsec_of_type(
	const struct absence *absence, const struct name *qname, uint16_t qtype);
enum absence_verdict nsec_of_expansion(
	const struct absence *absence, const struct name *qname, uint32_t closest_labels);
enum absence_cut nsec_of_ds(const struct absence *absence, const struct name *qname);

#endif
