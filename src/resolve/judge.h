/* judge.h - does what was harvested hold, by the keys of its zone?
 *
 * source  RFC 4035 sec 5, RFC 5155 sec 8, RFC 6840
 */
#ifndef SAKER_RESOLVE_JUDGE_H
#define SAKER_RESOLVE_JUDGE_H

#include <stdint.h>

#include "base/check.h"
#include "dnssec/dnssec.h"
#include "wire/name.h"

struct job;
struct rrset;
struct search_result;

struct judge_verdict {
	enum dnssec_status status; /* secure, insecure or bogus */
	int16_t ede;
};

/* judge - checks the sets of an answer, or SOA and proofs of a denial.
 *
 * shape   result: as harvest() left it; zone, keys: who signs, and with what
 * effect  proofs that do not hold, or that nobody needs, leave the result; its TTLs end with the signatures
 * cost    a check for each set and proof, hashes for NSEC3, out of the budget of the job
 */
MUST_USE struct judge_verdict judge(struct job *job, struct search_result *result,
	const struct name *zone, const struct rrset *keys);

#endif
