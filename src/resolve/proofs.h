/* proofs.h - the NSEC and NSEC3 records of a response that are secure.
 *
 * thread  the core's
 */
#ifndef SAKER_RESOLVE_PROOFS_H
#define SAKER_RESOLVE_PROOFS_H

#include <stdbool.h>
#include <stdint.h>

#include "dnssec/absence.h"
#include "dnssec/dnssec.h"
#include "wire/name.h"
#include "wire/response.h"

struct job;
struct rrset;

/* A set of a list that has been checked before is not checked again. */
struct proofs {
	struct absence absence; /* those that hold */
	uint32_t ttl_max;       /* seconds: the least that a signature allows */
	int16_t ede;            /* where none holds: why */
};

/* proofs_take - checks those of a list that are NSEC or NSEC3 with signatures, and keeps what is secure.
 *
 * shape   zone, keys: whose signatures count; borrowed by *out, as are the sets
 */
void proofs_take(struct job *job, const struct rrset *const *sets, uint32_t count,
	const struct name *zone, const struct rrset *keys, struct proofs *out);

/* proofs_list - the sets of the authority section of a response, into out[cap]; how many. */
uint32_t proofs_list(const struct response *response, const struct rrset **out, uint32_t cap);

#endif
