/* semantic.h - what must hold in a zone beyond the syntax of its file.
 *
 * Errors (the zone is refused): no SOA at the apex, or more than one; a SOA elsewhere; CNAME and other data; more than
 * one CNAME or DNAME at an owner; more NSEC3 iterations than SEMANTIC_ITERATIONS_MAX.
 * Warnings: no NS, or an NSEC3, at the apex; different TTLs in an RRset; a server below a cut without glue; data below a DNAME.
 *
 * thread  one owner
 */
#ifndef SAKER_ZONE_SEMANTIC_H
#define SAKER_ZONE_SEMANTIC_H

#include <stdbool.h>

#include "base/diag.h"
#include "zone/collect.h"

#define SEMANTIC_ITERATIONS_MAX                                                                    \
	2500u /* RFC 5155 sec 10.3: the most it allows any key size; bounds a query's work */

struct diaglog;

struct semantic {
	const struct collect *collect; /* borrows: the loader's */
	const char *file;              /* named where a complaint is about the zone as a whole */
	const struct diag_sink *sink;  /* borrows: the loader's caller's */
	uint32_t errors;
};

/* semantic_apex - checks what the apex must have; apex->count 0: the file has nothing for it. */
void semantic_apex(struct semantic *semantic, const struct collect_owner *apex);

/* semantic_owner - checks one owner; below_dname: what it holds is never answered. */
void semantic_owner(struct semantic *semantic, const struct collect_owner *owner, bool below_dname);

/* semantic_no_glue - notes that the server named by a cut's NS record stands below the cut and has no address. */
void semantic_no_glue(
	struct semantic *semantic, const struct collect_owner *cut, const struct collect_item *ns);

/* semantic_join - what was found in a part of the zone behind that of semantic; kept: its complaints. */
void semantic_join(
	struct semantic *semantic, const struct semantic *part, const struct diaglog *kept);

/* semantic_finish - true: no errors; else says how many were not listed. */
bool semantic_finish(struct semantic *semantic);

#endif
