/* reply.h - writes an answer, RRset by RRset, over the query.
 *
 * A set either fits whole or is left out; nothing is ever half written. Blocks (zone/image.h) are copied whole and
 * their fix-ups filled in; sets that are too large for that, or that stand where no compression pointer reaches,
 * go record by record with their names in full.
 *
 * thread  an answerer's own
 */
#ifndef SAKER_ANSWER_REPLY_H
#define SAKER_ANSWER_REPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "answer/link.h"
#include "base/check.h"
#include "wire/wire.h"
#include "zone/image.h"

#define REPLY_NO_BASE UINT32_MAX /* the set went the slow way: its names cannot be pointed to */

enum reply_part {
	REPLY_PLAIN = 1, /* the RRset */
	REPLY_TAIL = 2,  /* its signatures, or at a cut the glue */
	REPLY_BOTH = 3
};

struct reply_scratch {
	struct image_walk walk;
	struct image_record record;
};

struct reply {
	uint8_t *octets;
	uint32_t at;                    /* where the next octet goes */
	uint32_t limit;                 /* what may be used; room for OPT is taken off */
	uint16_t counts[WIRE_SECTIONS]; /* records, by enum wire_section */
	struct reply_scratch *scratch;  /* borrows: the answerer's, for the slow way */
};

/* A set to be written. */
struct reply_set {
	const struct image *image;
	const struct image_node *node; /* whose set it is */
	uint32_t block;
	const struct link *
		link; /* the name whose suffixes the answer holds; at or below the node, or its zone */
};

/* reply_set_put - writes a set, or nothing.
 *
 * shape   owner_at: offset of the owner name where the answer holds it, 0 where it does not
 *         parts: enum reply_part; tail_section: where the tail is counted
 * effect  base_out (NULL is allowed): the offset that octet 0 of the block has, for its targets and for
 *         reply_tail_put(); REPLY_NO_BASE where it went the slow way
 * errors  false: it does not fit; the reply is as before
 */
MUST_USE bool reply_set_put(struct reply *reply, const struct reply_set *set, uint32_t owner_at,
	unsigned parts, enum wire_section section, enum wire_section tail_section,
	uint32_t *base_out);

/* reply_tail_put - writes the tail of a set whose plain part was written at plain_base. */
MUST_USE bool reply_tail_put(struct reply *reply, const struct reply_set *set, uint32_t plain_base,
	enum wire_section section);

/* reply_glue_put - writes the addresses of a host that lives in the glue of a cut, of one type.
 *
 * shape   block: the cut's NS set; glue_off: where addresses of the host begin in it, or what this returned for another
 *         type, which may be the block's end; owner: image_fix_value() of the host's first address; owner_at: where the
 *         answer holds the host's name, a place that pointers reach
 * effect  returns where what follows in the block begins, glue_off where the host has no address of the type
 * errors  0: they do not fit
 */
MUST_USE uint32_t reply_glue_put(struct reply *reply, const struct image_block *block,
	uint32_t glue_off, uint32_t owner, uint16_t type, uint32_t owner_at);

/* reply_owner_at - where the answer holds a node's whole name already, by the link; 0 where it does not. */
uint32_t reply_owner_at(const struct reply_set *set);

/* reply_cname_put - a CNAME record made for a DNAME (RFC 6672 sec 3.1).
 *
 * shape   link: the name that is redirected; keep: how many of its labels stay; target_at: where the answer
 *         holds the DNAME's target
 * effect  rdata_at_out: offset of the new name
 * errors  false: it does not fit
 */
MUST_USE bool reply_cname_put(struct reply *reply, const struct link *link, uint32_t keep,
	uint32_t target_at, uint32_t ttl, uint32_t *rdata_at_out);

#endif
