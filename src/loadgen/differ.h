/* differ.h - two answers to one question: in what do they differ?
 *
 * An answer is kept as a digest, so that those of a million queries fit into memory: 56 octets each.
 *
 *     section   hash over the set of its records, their owners and RDATA expanded and in lower case (RFC 4034
 *               sec 6.2), without TTLs: order and repetition are nothing
 *     ttls      the same with TTLs
 *
 * Two sets that differ have the same hash once in 2^64; nobody chooses the records of a load test against it.
 *
 * thread  no shared state
 */
#ifndef SAKER_LOADGEN_DIFFER_H
#define SAKER_LOADGEN_DIFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "wire/name.h"
#include "wire/wire.h"

enum differ_kind {
	DIFFER_MISSING,    /* one answered, the other did not */
	DIFFER_RCODE,      /* with the upper bits of an OPT record, RFC 6891 sec 6.1.3 */
	DIFFER_FLAGS,      /* AA, TC, AD, RA */
	DIFFER_ANSWER,     /* RRsets of a section, as sets; their order is nothing */
	DIFFER_AUTHORITY,  /* ditto */
	DIFFER_ADDITIONAL, /* ditto, the OPT record left out */
	DIFFER_TTL,        /* the same RRsets with other TTLs */
	DIFFER_KINDS
};

/* Of one query of the file: what its answers differed in. */
struct differ_found {
	uint32_t query_idx;
	uint32_t kinds; /* bit 1 << enum differ_kind each */
};

struct differ_digest {
	uint32_t known; /* bit 1 << enum differ_kind: what is told of; 0: there was no answer */
	uint16_t rcode;
	uint16_t flags;
	uint64_t sections[WIRE_SECTIONS];
	uint64_t ttls[WIRE_SECTIONS];
};

/* differ_kind_text - `answer section` and the like. */
const char *differ_kind_text(enum differ_kind kind);

/* differ_digest - of a whole message. One that cannot be read to its end is taken by its octets: equal to itself alone.
 *
 * shape  octets: at least a header
 */
void differ_digest(const uint8_t *octets, uint32_t len, struct differ_digest *out);

/* differ_compare - the kinds in which got differs from want, of those that want tells of; 0: in none. */
uint32_t differ_compare(const struct differ_digest *want, const struct differ_digest *got);

/* A digest made record by record: what somebody expects of a section. */
#define DIFFER_RECORDS_MAX 6000u /* records of a message: 65,535 octets by the 11 of the least */

struct differ_set {
	uint64_t hashes[DIFFER_RECORDS_MAX];
	uint32_t count;
};

/* differ_record_hash - of one record; ttl is part of it. rdata: uncompressed, checked; becomes canonical. */
uint64_t differ_record_hash(
	const struct name *owner, uint16_t type, uint32_t ttl, uint8_t *rdata, uint32_t rdata_len);

/* differ_set_add, differ_set_hash - false: there are too many. The hash leaves the set empty. */
MUST_USE bool differ_set_add(struct differ_set *set, uint64_t record_hash);
uint64_t differ_set_hash(struct differ_set *set);

#endif
