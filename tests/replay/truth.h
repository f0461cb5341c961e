/* truth.h - what a resolver has to say of a world, and whether an answer does.
 *
 * The truth is found in the world's tables alone: the zone that holds a name, what it says, whither aliases lead, and what
 * signatures and their absence make of each step.
 */
#ifndef SAKER_TESTS_TRUTH_H
#define SAKER_TESTS_TRUTH_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/message_kit.h"
#include "replay/world.h"

#define TRUTH_PARTS_MAX 13u

struct truth_part {
	uint32_t zone;
	struct name name;
	struct world_found found;
	enum world_status status;
	bool is_made; /* addresses that DNS64 makes of the set ... */
	uint8_t prefix
		[12]; /* ... with this one; may_fail: it may not be known whether there are others, and for how long */
	bool may_fail;
};

struct truth {
	bool unreachable; /* a zone on the way cannot be had: SERVFAIL */
	bool unclear; /* aliases in a ring, or more of them than have to be followed: SERVFAIL is right, too */
	bool bogus; /* SERVFAIL, or the answer where the client says CD */
	bool secure;
	uint16_t rcode;
	bool is_any; /* one set is an answer, or over a stream all */
	uint32_t part_count;
	struct truth_part parts[TRUTH_PARTS_MAX];
	bool has_other; /* the last part may be this one as well */
	struct truth_part other;
};

void truth_find(struct world *world, const struct name *name, uint16_t type, struct truth *out);

/* How an answer came about, where that makes a difference. */
struct truth_client {
	bool stream;
	bool cd, dnssec_ok, ad; /* of the question */
	bool stale; /* the resolver gave out what had expired: insecure, TTL of 30 s; none of it longer ago than stale_ms */
	int64_t stale_ms, now_ms;
};

/* truth_compare - NULL, or what is wrong with the answer.
 *
 * Each part is what the zone says, or said as long ago as a TTL lasts, from when on a zone has no server at the latest.
 *
 * effect  SERVFAIL where there is an answer is "no answer": whether that may be is the caller's to know
 */
const char *truth_compare(const struct world *world, const struct truth *truth,
	const struct truth_client *client, const struct message_kit_answer *answer);

/* truth_compare_cut - the same of an answer with TC: of each set all or nothing is there. */
const char *truth_compare_cut(const struct truth *truth, const struct message_kit_answer *answer);

/* truth_make - what DNS64 with that prefix of 96 bits makes of the truth of a question for AAAA.
 *
 * Where a look-up may fail, another answer is right, too (RFC 6147 sec 5.1.2 and 5.1.3): without AAAA records that are there,
 * addresses are made; without A records there is nothing to make them of.
 */
void truth_make(struct world *world, const uint8_t prefix[12], struct truth *truth);

#define TRUTH_NO_ANSWER "no answer"

#endif
