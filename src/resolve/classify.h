/* classify.h - what a server's response means for the question that it was asked.
 *
 * Only what the server may speak for counts: records below the zone that we came to it for (bailiwick).
 *
 * thread  no shared state
 * source  RFC 1034 sec 5.3.3 and 4.3.2, RFC 2181 sec 5.4.1, RFC 2308 sec 2, RFC 6672 sec 3.4
 */
#ifndef SAKER_RESOLVE_CLASSIFY_H
#define SAKER_RESOLVE_CLASSIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/name.h"
#include "wire/response.h"

enum classify_kind {
	CLASSIFY_ANSWER, /* set is what was asked for (of type ANY: the first of several) */
	CLASSIFY_ALIAS, /* set is a CNAME, or a DNAME at or above the name; target is where to go on */
	CLASSIFY_NODATA,   /* the name exists, the type does not */
	CLASSIFY_NXDOMAIN, /* the name does not exist */
	CLASSIFY_REFERRAL, /* set is the NS set of a zone below, at or above the name */
	CLASSIFY_LAME,     /* it does not serve the zone */
	CLASSIFY_FAILED    /* it says that it cannot answer */
};

struct classified {
	enum classify_kind kind;
	const struct rrset *set;
	struct name target;   /* ALIAS */
	bool target_too_long; /* ALIAS: the name that a DNAME makes is none (YXDOMAIN) */
	bool hearsay; /* an answer without authority, from somebody who resolves: for want of a better one */
};

struct classify_question {
	const struct name *name;
	uint16_t type;
	const struct name *zone; /* whose servers were asked */
	bool recursive; /* a resolver was asked (forwarding): it need not be authoritative */
};

void classify(const struct response *response, const struct classify_question *question,
	struct classified *out);

/* classify_alias - where an alias leads from a name.
 *
 * shape   set: CNAME of the name, or DNAME above it
 * errors  false: the name would be too long, or the set leads nowhere
 */
bool classify_alias(const struct rrset *set, const struct name *name, struct name *out);

#endif
