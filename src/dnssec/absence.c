/* absence.c - both kinds of proof; a zone may pass from one to the other and send both. */
#include "dnssec/absence.h"

#include "dnssec/nsec.h"
#include "dnssec/nsec3.h"

enum absence_verdict absence_of_name(
	const struct absence *absence, const struct name *qname, struct dnssec_budget *budget)
{
	enum absence_verdict verdict = nsec_of_name(absence, qname);

	return verdict != ABSENCE_NONE ? verdict : nsec3_of_name(absence, qname, budget);
}

enum absence_verdict absence_of_type(const struct absence *absence, const struct name *qname,
	uint16_t qtype, struct dnssec_budget *budget)
{
	enum absence_verdict verdict = nsec_of_type(absence, qname, qtype);

	return verdict != ABSENCE_NONE ? verdict : nsec3_of_type(absence, qname, qtype, budget);
}

enum absence_verdict absence_of_expansion(const struct absence *absence, const struct name *qname,
	uint32_t closest_labels, struct dnssec_budget *budget)
{
	enum absence_verdict verdict = nsec_of_expansion(absence, qname, closest_labels);

	return verdict != ABSENCE_NONE ? verdict
				       : nsec3_of_expansion(absence, qname, closest_labels, budget);
}

enum absence_cut absence_of_ds(
	const struct absence *absence, const struct name *qname, struct dnssec_budget *budget)
{
	enum absence_cut cut = nsec_of_ds(absence, qname);

	return cut != ABSENCE_CUT_UNKNOWN ? cut : nsec3_of_ds(absence, qname, budget);
}
