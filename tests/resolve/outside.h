/* outside.h - a resolver's core and all that is outside of it: clients, one server that holds every name, and the clock.
 *
 * The server stands for the root (192.0.2.53) and speaks for all below; nothing is signed. Names come from text in zone file
 * form. Time passes only when a test says so.
 */
#ifndef SAKER_TESTS_OUTSIDE_H
#define SAKER_TESTS_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/arena.h"
#include "resolve/resolve.h"
#include "wire/response.h"

#define OUTSIDE_RECORDS_MAX 256u

struct outside_record {
	struct name owner;
	uint16_t type;
	uint32_t ttl;
	uint16_t len;
	const uint8_t *octets;
};

struct outside {
	struct resolve *core;
	struct resolve_shared shared;
	struct hints *hints;     /* owns */
	struct anchors *anchors; /* owns; NULL: the test's */
	struct now now;
	struct outside_record records[OUTSIDE_RECORDS_MAX];
	uint32_t record_count;
	struct arena texts; /* RDATA of the records */
	struct arena arena; /* of the last answer */
	bool is_silent;     /* the server does not answer */
	bool is_failing;    /* ... or with SERVFAIL only */
	bool is_plain;      /* ... or with FORMERR to EDNS */
	uint32_t asked;     /* questions that the server got */
	uint32_t answered;  /* answers that clients got */
	uint64_t client;    /* of the last answer */
	struct response last;
	uint32_t last_len;
};

/* How a client asks. */
struct outside_how {
	const char *peer; /* NULL: 198.51.100.1 */
	uint16_t flags;   /* beside RD */
	bool dnssec_ok;   /* with EDNS */
	bool stream;
	bool unrecursive;
};

/* outside_open - config and shared as the test wants them; NULL: the defaults without validation. */
void outside_open(struct outside *outside, const char *records, const struct resolve_config *config,
	const struct resolve_shared *shared);
void outside_close(struct outside *outside);

/* outside_add, outside_remove - one more record, RDATA copied; all records of a type at a name. Signatures (type RRSIG) come
 * along with what they cover.
 */
void outside_add(struct outside *outside, const char *name, uint16_t type, uint32_t ttl,
	const uint8_t *rdata, uint32_t len);
void outside_remove(struct outside *outside, const char *name, uint16_t type);

/* outside_post - a client asks; what the core wants is done until it wants nothing more at this time. */
void outside_post(struct outside *outside, const char *name, uint16_t type,
	const struct outside_how *how, uint64_t client);

/* outside_ask - the same, and its answer must come now. */
const struct response *outside_ask(
	struct outside *outside, const char *name, uint16_t type, const struct outside_how *how);

/* outside_pass - milliseconds go by. */
void outside_pass(struct outside *outside, uint64_t ms);

/* outside_text - the records of a section of the last answer: `name TTL TYPE rdata;`, rdata of A and AAAA as text, of others
 * as a name or as `-`. Valid until the next call.
 */
const char *outside_text(const struct response *response, enum wire_section section);

#endif
