/* trust.h - is there a chain of signatures down to a name's zone?
 *
 * From the closest trust anchor down: where the parent's DS set is secure, the child's keys are fetched and checked; where
 * it is proven that there is none at a cut, all below is insecure; where it is proven that there is no cut, the zone goes on.
 * What was found for each name is kept (STORE_TRUST).
 *
 *     anchor . ---DS(com)--- com ---DS(example.com)--- example.com ---no cut at www--- done: zone example.com, its keys
 *
 * source  RFC 4035 sec 5, RFC 6840 sec 4.4 and 6.1
 */
#ifndef SAKER_RESOLVE_TRUST_H
#define SAKER_RESOLVE_TRUST_H

#include <stdbool.h>
#include <stdint.h>

#include "dnssec/absence.h"
#include "resolve/job.h"

extern const struct job_kind trust_kind;

struct fetch;
struct rrset;

struct trust {
	struct job job; /* the name whose zone is looked for; type is 0 */
	uint8_t status; /* enum dnssec_status */
	int16_t ede;
	struct name zone;         /* SECURE: the zone that holds the name */
	const struct rrset *keys; /* SECURE: its DNSKEY set, in the job's arena */
	uint32_t ttl_s;

	struct name next;       /* the name whose DS is looked for */
	const struct rrset *ds; /* of next, secure */
	uint32_t tries;
	bool could_check; /* there was something left of the budget when the response came */
	uint32_t known;   /* labels down to which it is known where the cuts are */
	uint32_t skipped; /* labels of the last name on the way that did not hold, or 0 */
	bool by_label;    /* the delegations that are known do not tell of every cut */
};

/* trust_cached - what is known of a name without asking: true where keys, or insecurity, of exactly the zone that holds it
 * are in the cache. keys are borrowed from the cache.
 */
bool trust_cached(struct resolve *core, const struct name *name, uint8_t *status_out,
	struct name *zone_out, const struct rrset **keys_out, int16_t *ede_out);

/* trust_expected - what is known of a zone whose servers are asked: SECURE also where a DS says that it is to be expected;
 * UNCHECKED: nothing yet.
 */
enum dnssec_status trust_expected(struct resolve *core, const struct name *zone);

#endif
