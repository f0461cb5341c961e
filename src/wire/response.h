/* response.h - a response message from somebody we asked, taken apart into RRsets.
 *
 * Signatures go with the sets that they cover, if those stand in the same section; others make a set of type RRSIG.
 * Records of other classes than IN are left out. What the answer means is not decided here.
 *
 * memory  all of it in the caller's arena
 * thread  no shared state
 * source  RFC 1035 sec 4.1, RFC 6891 sec 6.1, RFC 2181 sec 5
 */
#ifndef SAKER_WIRE_RESPONSE_H
#define SAKER_WIRE_RESPONSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "wire/name.h"
#include "wire/rrset.h"
#include "wire/wire.h"

/* Sets of one message. A referral has some 15; a guess with room. More: WIRE_SPACE, the message is of no use. */
#define RESPONSE_SETS_MAX   256u
#define RESPONSE_COOKIE_MAX 40u /* client and server cookie, RFC 7873 sec 4 */

struct response_set {
	const struct rrset *set;
	uint8_t section; /* enum wire_section */
};

struct response {
	uint16_t id;
	uint16_t flags; /* enum wire_flag */
	uint16_t rcode; /* with the upper bits that EDNS adds, RFC 6891 sec 6.1.3 */
	uint16_t qtype, qclass;
	bool has_question; /* exactly one */
	bool has_edns;
	uint8_t cookie_len; /* 0: none */
	uint8_t cookie[RESPONSE_COOKIE_MAX];
	uint32_t set_count;
	struct response_set *sets; /* in the order of the message */
	struct name qname;
};

/* response_parse - any octets.
 *
 * errors  WIRE_*: malformed, or more than RESPONSE_SETS_MAX sets, or the arena is full (WIRE_SPACE); id, flags and
 *         rcode are set where there is a header
 * cost    O(records * sets) comparisons of lengths, few of names
 */
MUST_USE enum wire_status response_parse(
	const uint8_t *octets, uint32_t len, struct arena *arena, struct response *out);

/* response_find - the set of that name and type in a section; NULL: there is none. */
const struct rrset *response_find(const struct response *response, enum wire_section section,
	const struct name *owner, uint16_t type);

#endif
