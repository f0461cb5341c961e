/* store.h - what the resolver keeps in the cache, and how it is written there.
 *
 * A value is a head and RRsets (wire/rrset.h), one behind the other, in the order in which they were given. TTLs in the sets
 * are those of the day when they were stored; who gives them away takes the age off.
 *
 *     kind      key             value
 *     SET       name, type      the RRset with its signatures
 *     ABSENT    name, type      SOA and proofs; type 0: the name itself does not exist
 *     CUT       zone            the parent's NS set; DS set or proofs that there is none; glue
 *     TRUST     name            the zone's keys, or that it is insecure, or that the name is no zone
 *     FAILURE   name, type      that it could not be had, and why (RFC 9520)
 *     MESSAGE   name, type, DO  an answer as it goes out (resolve/hit.h)
 *
 * thread  the core's; the cache is shared
 */
#ifndef SAKER_RESOLVE_STORE_H
#define SAKER_RESOLVE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "dnssec/dnssec.h"
#include "wire/name.h"
#include "wire/rrset.h"

struct resolve;

#define STORE_SETS_MAX    48u
#define STORE_FAILURE_MS  5000 /* RFC 9520 sec 3.2: at least 1 s, at most 5 min */
#define STORE_TTL_ZERO_MS 1000 /* what has no TTL serves the questions that are waiting for it */

enum store_kind {
	STORE_SET = 1,
	STORE_ABSENT,
	STORE_CUT,
	STORE_TRUST,
	STORE_FAILURE,
	STORE_MESSAGE,
	STORE_UNCHECKED_SET, /* for whom checks nothing */
	STORE_UNCHECKED_ABSENT
};

/* TRUST entries say this in `code`. */
enum store_trust { STORE_TRUST_SECURE = 1, STORE_TRUST_INSECURE, STORE_TRUST_NO_ZONE };

struct stored {
	uint8_t status; /* enum dnssec_status */
	uint16_t
		code; /* ABSENT: RCODE; TRUST: enum store_trust; CUT: 1 where it has proofs that there is no DS */
	int16_t ede;    /* enum dnssec_ede, why it failed or is insecure */
	uint32_t ttl_s; /* what is left */
	uint32_t age_s;
	uint32_t hits;
	bool expired; /* only where stale ones were asked for */
	uint32_t set_count;
	const struct rrset
		*sets[STORE_SETS_MAX]; /* borrows: in the cache, valid during this step */
};

/* store_get - false: it is not there, or has expired and stale_ok is false. */
MUST_USE bool store_get(struct resolve *core, enum store_kind kind, const struct name *name,
	uint16_t type, bool stale_ok, struct stored *out);

/* store_put - keeps it; ttl_s: cut to what the configuration allows; 0 keeps it for STORE_TTL_ZERO_MS. */
void store_put(struct resolve *core, enum store_kind kind, const struct name *name, uint16_t type,
	const struct stored *what, uint32_t ttl_s);

/* store_put_ms - the same with the time in milliseconds, as it is. */
void store_put_ms(struct resolve *core, enum store_kind kind, const struct name *name,
	uint16_t type, const struct stored *what, int64_t keep_ms);

void store_drop(struct resolve *core, enum store_kind kind, const struct name *name, uint16_t type);

/* store_read - what a value says, for whom the key does not matter: status, code, ede and sets; false: it is none. */
MUST_USE bool store_read(const uint8_t *value, uint32_t len, struct stored *out);

/* kind | type | name */
#define STORE_KEY_FIXED_LEN 3u

/* store_key - the key of a value into out[CACHE_KEY_MAX]; its length. */
uint32_t store_key(enum store_kind kind, const struct name *name, uint16_t type, uint8_t *out);

#endif
