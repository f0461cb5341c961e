/* search.h - one name and type: from the cache, or fetched, checked and kept.
 *
 *     cache -> (fetch -> check every set that counts -> keep) -> done
 *
 * Aliases are not followed here (resolve/query.h does). What a bogus answer holds is told, too: a client with CD wants it.
 *
 * source  RFC 4035 sec 4.7 and 5, RFC 2308, RFC 6840 sec 5.9, RFC 9520
 */
#ifndef SAKER_RESOLVE_SEARCH_H
#define SAKER_RESOLVE_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "dnssec/dnssec.h"
#include "resolve/job.h"
#include "resolve/store.h"

/* flags of a look-up's job */
#define SEARCH_ADDRESS                                                                             \
	1u /* of a server: signatures do not matter, for what the server says is checked itself */
#define SEARCH_NO_GLUE 4u /* ... and what its parent told of it is not enough */
#define SEARCH_FRESH   2u /* not from the cache: it is about to expire */
#define SEARCH_BOGUS   8u /* unchecked, and also what is known not to hold: a client with CD asks */

#define SEARCH_TRIES_MAX 3u /* fetches: what is bogus is asked of another server */

extern const struct job_kind search_kind;

enum search_end {
	SEARCH_FAILED, /* nobody could be asked */
	SEARCH_SET,    /* the set of that name and type */
	SEARCH_ALIAS,  /* a CNAME of the name, or a DNAME above it */
	SEARCH_NODATA,
	SEARCH_NXDOMAIN
};

/* What a look-up found; the sets are in its own arena. */
struct search_result {
	enum search_end end;
	uint8_t status; /* enum dnssec_status */
	int16_t ede;
	bool stale;
	uint32_t ttl_s;        /* the least of all sets, its age taken off */
	uint32_t hits;         /* 0: it was fetched; more: it was in the cache */
	uint32_t answer_count; /* the sets that are the answer; those behind are SOA and proofs */
	uint32_t set_count;
	const struct rrset *sets[STORE_SETS_MAX];
	uint32_t ttls[STORE_SETS_MAX]; /* of each set, its age taken off */
};

struct fetch;

struct search {
	struct job job;
	struct search_result result;

	struct fetch *fetch; /* the last one, held while its response is used */
	uint32_t tries;
	bool could_check; /* there was something left of the budget when the answer came */
	struct name signer;
};

#endif
