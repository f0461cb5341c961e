/* cause.h - what went wrong last in the work for a client's query, in words: for the text of the extended error and for the log.
 *
 *     signed by example.com. key 4711        DNSKEY of example.com. by DS 4711
 *     no signature by example.com.           servers of example.com.
 *
 * Written where something fails, so it costs nothing where nothing does.
 *
 * thread  the core's
 * source  RFC 8914 sec 2 (EXTRA-TEXT)
 */
#ifndef SAKER_RESOLVE_CAUSE_H
#define SAKER_RESOLVE_CAUSE_H

#include <stdint.h>

#include "wire/name.h"

struct budget;
struct resolve;
struct rrset;

#define CAUSE_TEXT_MAX                                                                             \
	96u /* octets with the zero, cut behind that: RFC 8914 sec 6 wants it short */

/* cause_signature - a set's signatures do not hold. zone: whose they have to be */
void cause_signature(struct budget *budget, const struct rrset *set, const struct name *zone);

/* cause_keys - a zone's keys are not those that its DS records name. */
void cause_keys(struct budget *budget, const struct name *zone, const struct rrset *ds);

/* cause_zone - what: `proofs of`, `servers of`, ... a zone */
void cause_zone(struct budget *budget, const char *what, const struct name *zone);

/* cause_report - a client got SERVFAIL; tells who listens (resolve_listen()). ede: enum dnssec_ede */
void cause_report(struct resolve *core, const struct name *name, uint16_t type, int16_t ede,
	const struct budget *budget);

#endif
