/* compose.h - writes the answer to a client out of what was looked up.
 *
 *     question | part 1: alias | part 2: alias | part 3: set, or SOA and proofs | OPT
 *
 * Names are compressed against the question and all that stands before. What does not fit sets TC and ends the answer at the
 * border of a set.
 *
 * thread  no shared state
 * source  RFC 1035 sec 4.1, RFC 4035 sec 3.2, RFC 6672 sec 5.2, RFC 6840 sec 5.7 and 5.8, RFC 8482, RFC 8914
 */
#ifndef SAKER_RESOLVE_COMPOSE_H
#define SAKER_RESOLVE_COMPOSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "resolve/cause.h"
#include "resolve/search.h"
#include "wire/name.h"
#include "wire/rrset.h"

#define COMPOSE_PARTS_MAX 12u /* RESOLVE_ALIASES_MAX and what they lead to */
#define COMPOSE_TTLS_MAX                                                                           \
	512u /* records whose TTLs are remembered for the cache; an answer with more is not kept */
#define COMPOSE_OPT_MAX                                                                            \
	(17u + CAUSE_TEXT_MAX) /* octets of an OPT record with an extended error and its text */

/* Who asks, and how. */
struct compose_client {
	uint16_t id;
	uint16_t flags; /* RD, CD, AD as they came */
	uint16_t qtype;
	bool has_edns, dnssec_ok;
	bool one_set; /* of all types at a name one is told: who asks for ANY by datagram, RFC 8482 sec 4.1 */
	uint32_t limit;    /* octets of the answer */
	struct name qname; /* letters as they came */
};

struct compose_part {
	const struct search_result *result;
	const struct name *name; /* borrows: that was looked up */
	uint32_t aged_s;         /* taken off all TTLs */
};

struct compose_answer {
	uint16_t rcode;
	int16_t ede;
	const char *cause; /* text for the extended error; NULL or empty: none */
	bool secure;       /* all parts are */
	uint32_t part_count;
	struct compose_part parts[COMPOSE_PARTS_MAX];
};

/* Where TTLs stand, for who keeps the answer. */
struct compose_ttls {
	uint32_t count; /* more than COMPOSE_TTLS_MAX: not all are listed */
	uint32_t least_s;
	uint16_t offsets[COMPOSE_TTLS_MAX];
};

/* compose - writes into out[cap]; returns the length.
 *
 * shape   cap: at least WIRE_UDP_LEN_MIN; the answer is no longer than client->limit
 *         ttls: NULL, or filled
 */
uint32_t compose(const struct compose_client *client, const struct compose_answer *answer,
	uint8_t *out, uint32_t cap, struct compose_ttls *ttls);

/* compose_opt - an OPT record with DO as asked and an extended error (EDE_NONE: none); its length.
 *
 * shape   cause: EXTRA-TEXT (RFC 8914 sec 2), shorter than CAUSE_TEXT_MAX; NULL: none. out: COMPOSE_OPT_MAX
 */
uint32_t compose_opt(bool dnssec_ok, int16_t ede, const char *cause, uint16_t rcode, uint8_t *out);

#endif
