/* semantic.h - what must hold in a zone beyond the syntax of its file.
 *
 * Errors (the zone is refused): no SOA at the apex, or more than one; a SOA elsewhere; CNAME and other
 * data; more than one CNAME or DNAME at an owner; more NSEC3 iterations than SEMANTIC_ITERATIONS_MAX.
 * Warnings: no NS at the apex; different TTLs in an RRset; a server below a cut without glue; data below a DNAME.
 *
 * thread  any
 */
#ifndef SAKER_ZONE_SEMANTIC_H
#define SAKER_ZONE_SEMANTIC_H

#include <stdbool.h>

#include "base/diag.h"
#include "zone/collect.h"

#define SEMANTIC_ITERATIONS_MAX                                                                    \
	2500u /* RFC 5155 sec 10.3: the most it allows any key size; bounds a query's work */

/* semantic_check - reports all that is wrong with a sorted collection; false: the zone must not be served.
 *
 * shape  file: named where a complaint is about the zone as a whole
 */
bool semantic_check(const struct collect *collect, const char *file, const struct diag_sink *sink);

#endif
