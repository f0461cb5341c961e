/* respond.h - the algorithm of RFC 1034 sec 4.3.2 over zone images: what an answer says.
 *
 * thread  an answerer's own; zones are read as published
 */
#ifndef SAKER_ANSWER_RESPOND_H
#define SAKER_ANSWER_RESPOND_H

#include <stdbool.h>
#include <stdint.h>

#include "answer/link.h"
#include "answer/reply.h"
#include "wire/message.h"
#include "wire/request.h"
#include "zone/zone_find.h"

#define RESPOND_CHAIN_MAX                                                                          \
	16u /* alias records followed for one query, as BIND does; the resolver goes on from there */
#define RESPOND_PROOFS_MAX                                                                         \
	32u /* NSEC or NSEC3 sets in one answer: three for each end, one for each wildcard passed */

/* An NSEC or NSEC3 set that the answer needs. */
struct respond_proof {
	struct reply_set set;
};

/* A DNAME set that stands in the answer section: one may redirect a chain twice, and is written once. */
struct respond_dname {
	const struct image_node *node; /* equal sets of two owners share a block */
	uint32_t block;
	uint32_t base; /* offset in the message of its first octet */
};

/* One answer in the making. */
struct respond {
	const struct zone_set *zones;
	const struct message *message;
	enum request_transport transport;
	bool with_sigs; /* DO was set */
	struct reply reply;
	const struct link *qname; /* where the chain begins */
	struct link *spare_links; /* borrows: RESPOND_CHAIN_MAX links for alias targets */
	uint32_t link_count;      /* of them in use */
	uint32_t proof_count;
	uint32_t dname_count;
	bool authoritative; /* AA */
	bool truncated;     /* TC */
	enum wire_rcode rcode;
	struct respond_proof proofs[RESPOND_PROOFS_MAX];
	struct respond_dname dnames[RESPOND_CHAIN_MAX + 1];
};

/* respond_zone - the zone that a question is for; NULL: none of ours.
 *
 * effect  DS belongs to the parent's side of a cut (RFC 4035 sec 3.1.4.1): where a zone above is served and has
 *         the name, it is the one
 */
const struct zone *respond_zone(
	const struct zone_set *zones, const struct image_key *key, uint16_t qtype);

/* respond_to - writes the three sections for a question of class IN.
 *
 * shape   link: the QNAME; zone: what respond_zone() says of it; respond: reply, message, zones, transport, spare_links set, the rest zero
 * effect  reply, rcode, authoritative and truncated hold the answer
 * cost    about two cache misses; aliases and denials cost more, within the limits above
 */
void respond_to(struct respond *respond, const struct link *link, const struct zone *zone);

#endif
