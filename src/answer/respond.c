/* respond.c - from a question to the three sections. */
#include "answer/respond.h"

#include <string.h>

#include "answer/denial.h"
#include "base/octets.h"
#include "wire/rrtype.h"

#define CNAME_RDATA_OFF                                                                            \
	12u /* octets from the start of a record whose owner is a pointer to its RDATA */

enum step {
	STEP_DONE,
	STEP_FOLLOW /* an alias was written; go on with its target */
};

const struct zone *respond_zone(
	const struct zone_set *zones, const struct image_key *key, uint16_t qtype)
{
	const struct zone *zone = zone_find(zones, key, key->label_count);

	if (UNLIKELY(qtype == RRTYPE_DS) && zone != NULL &&
		zone->name.label_count == key->label_count && key->label_count > 0) {
		const struct zone *parent = zone_find(zones, key, key->label_count - 1u);
		const struct image *image = parent == NULL ? NULL : publish_get(&parent->image);
		struct image_hit hit;
		if (image != NULL) {
			image_search(image, key, &hit);
			return hit.node != 0 || hit.cut != 0 ? parent : zone;
		}
	}
	return zone;
}

static unsigned wanted_parts(const struct respond *respond)
{
	return respond->with_sigs ? REPLY_BOTH : REPLY_PLAIN;
}

/* A set with records, not one of signatures alone. */
static uint32_t find_set(const struct image *image, const struct image_node *node, uint16_t type)
{
	uint32_t ref = image_node_set(node, type);

	if (ref != 0) {
		const struct image_block *block = image_block(image, ref);
		if (block->plain_count == 0 && (block->flags & IMAGE_BLOCK_LARGE) == 0) {
			return 0;
		}
	}
	return ref;
}

static const uint16_t address_types[] = {RRTYPE_A, RRTYPE_AAAA};

/* The addresses of a host that has a node; false: they do not fit. */
static bool put_node_addresses(
	struct respond *respond, const struct reply_set *set, uint32_t node, uint32_t owner_at)
{
	struct reply_set addresses = {
		.image = set->image, .node = image_node(set->image, node), .link = set->link};

	for (uint32_t t = 0; t < 2; t++) {
		addresses.block = find_set(set->image, addresses.node, address_types[t]);
		if (addresses.block != 0 &&
			!reply_set_put(&respond->reply, &addresses, owner_at, wanted_parts(respond),
				SECTION_ADDITIONAL, SECTION_ADDITIONAL, NULL)) {
			return false;
		}
	}
	return true;
}

/* The addresses of a host that lives in the glue of a cut; false: they do not fit. */
static bool put_glue_addresses(struct respond *respond, const struct image *image,
	const struct image_target *target, uint32_t owner_at)
{
	const struct image_block *block = image_block(image, target->ref);
	uint32_t off = target->glue;
	/* Behind the addresses of one type the block may end, so the owner is read where one begins. */
	uint32_t owner = image_fix_value(image_block_octets(block), off);

	for (uint32_t t = 0; t < 2 && off != 0; t++) {
		off = reply_glue_put(
			&respond->reply, block, off, owner, address_types[t], owner_at);
	}
	return off != 0;
}

/* The addresses of the hosts that a set names. What does not fit is left out: they are a courtesy. */
static void put_addresses(struct respond *respond, const struct reply_set *set, uint32_t base)
{
	const struct image_block *block = image_block(set->image, set->block);
	const struct image_target *targets = image_block_targets(block);

	if (base == REPLY_NO_BASE || (block->flags & IMAGE_BLOCK_LARGE) != 0) {
		return;
	}
	for (uint32_t i = 0; i < block->target_count; i++) {
		const struct image_target *target = &targets[i];
		uint32_t owner_at = base + target->off;
		if (target->ref == 0) {
			continue;
		}
		if (target->glue != 0 ? !put_glue_addresses(respond, set->image, target, owner_at)
				      : !put_node_addresses(respond, set, target->ref, owner_at)) {
			return;
		}
	}
}

static bool put_answer(
	struct respond *respond, const struct reply_set *set, unsigned parts, uint32_t *base_out)
{
	const struct link *link = set->link;

	if (!reply_set_put(&respond->reply, set, link_at(link, link->key.label_count), parts,
		    SECTION_ANSWER, SECTION_ANSWER, base_out)) {
		respond->truncated = true;
		return false;
	}
	return true;
}

static void put_soa_negative(
	struct respond *respond, const struct image *image, const struct link *link)
{
	const struct image_node *apex = image_node(image, image->header.apex);
	const struct reply_set set = {
		.image = image, .node = apex, .block = image->header.soa_negative, .link = link};

	if (!reply_set_put(&respond->reply, &set, link_at(link, apex->label_count),
		    wanted_parts(respond), SECTION_AUTHORITY, SECTION_AUTHORITY, NULL)) {
		respond->truncated = true;
	}
}

static void put_proofs(struct respond *respond)
{
	for (uint32_t i = 0; i < respond->proof_count && !respond->truncated; i++) {
		const struct reply_set *set = &respond->proofs[i].set;
		bool owned = (image_block(set->image, set->block)->flags & IMAGE_BLOCK_OWNED) != 0;
		if (!reply_set_put(&respond->reply, set, owned ? 0 : reply_owner_at(set),
			    REPLY_BOTH, SECTION_AUTHORITY, SECTION_AUTHORITY, NULL)) {
			respond->truncated = true;
		}
	}
}

/* RFC 2308 sec 2: the SOA leads, the proofs follow. */
static void finish_negative(
	struct respond *respond, const struct image *image, const struct link *link)
{
	put_soa_negative(respond, image, link);
	put_proofs(respond);
}

/* RFC 1034 sec 4.3.2 step 3b; RFC 4035 sec 3.1.4 for DS and its denial. */
static void refer(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit)
{
	const struct image_node *cut = image_node(image, hit->cut);
	struct reply *reply = &respond->reply;
	uint32_t owner_at = link_at(link, cut->label_count);
	struct reply_set ns = {.image = image,
		.node = cut,
		.block = find_set(image, cut, RRTYPE_NS),
		.link = link};
	uint32_t base;

	/* RFC 1034 sec 6.2.6: a referral is not authoritative, unless an alias of ours led here. */
	if (reply->counts[SECTION_ANSWER] == 0) {
		respond->authoritative = false;
	}
	const struct image_block *block = image_block(image, ns.block);
	if (!respond->with_sigs || (image->header.nsec_count == 0 && !image->header.is_signed)) {
		/* NS set and glue lie one behind the other and go out in one piece. RFC 9471 sec 3: glue from below the
		 * cut is no courtesy; where it has no room, TC says so.
		 */
		if (!reply_set_put(reply, &ns, owner_at, REPLY_BOTH, SECTION_AUTHORITY,
			    SECTION_ADDITIONAL, &base)) {
			respond->truncated = true;
			if (!reply_set_put(reply, &ns, owner_at, REPLY_PLAIN, SECTION_AUTHORITY,
				    SECTION_ADDITIONAL, &base)) {
				return;
			}
		}
		put_proofs(respond);
		put_addresses(respond, &ns, base);
		return;
	}
	if (!reply_set_put(reply, &ns, owner_at, REPLY_PLAIN, SECTION_AUTHORITY, SECTION_ADDITIONAL,
		    &base)) {
		respond->truncated = true;
		return;
	}
	struct reply_set ds = ns;
	ds.block = find_set(image, cut, RRTYPE_DS);
	if (ds.block == 0) {
		denial_ds(respond, image, link, hit);
	} else if (!reply_set_put(reply, &ds, owner_at, REPLY_BOTH, SECTION_AUTHORITY,
			   SECTION_AUTHORITY, NULL)) {
		respond->truncated = true;
	}
	put_proofs(respond);
	if (respond->truncated) {
		return;
	}
	if (block->tail_len != 0 && !reply_tail_put(reply, &ns, base, SECTION_ADDITIONAL)) {
		respond->truncated = true;
		return;
	}
	put_addresses(respond, &ns, base);
}

static bool same_name(const struct link *a, const struct link *b)
{
	return a->key.len == b->key.len && memcmp(a->key.octets, b->key.octets, a->key.len) == 0;
}

/* A link for the alias target that the answer holds at off; NULL where the chain is long enough or came back to a
 * name that it has passed.
 */
static struct link *next_link(struct respond *respond, uint32_t off)
{
	if (respond->link_count == RESPOND_CHAIN_MAX) {
		return NULL;
	}
	struct link *link = &respond->spare_links[respond->link_count];
	link_from_name(link, &respond->zones->key, respond->reply.octets, off);
	for (uint32_t i = 0; i < respond->link_count; i++) {
		if (same_name(link, &respond->spare_links[i])) {
			return NULL;
		}
	}
	respond->link_count++;
	return same_name(link, respond->qname) ? NULL : link;
}

/* Where the answer holds a DNAME set already; NULL where it does not. */
static const struct respond_dname *find_dname(
	const struct respond *respond, const struct reply_set *set)
{
	for (uint32_t i = 0; i < respond->dname_count; i++) {
		if (respond->dnames[i].node == set->node &&
			respond->dnames[i].block == set->block) {
			return &respond->dnames[i];
		}
	}
	return NULL;
}

/* The DNAME set, unless an earlier alias brought it; base_out: where it stands. */
static bool put_dname(struct respond *respond, const struct reply_set *set, uint32_t *base_out)
{
	const struct respond_dname *written = find_dname(respond, set);

	if (written != NULL) {
		*base_out = written->base;
		return true;
	}
	if (!reply_set_put(&respond->reply, set, link_at(set->link, set->node->label_count),
		    wanted_parts(respond), SECTION_ANSWER, SECTION_ANSWER, base_out) ||
		*base_out == REPLY_NO_BASE) {
		respond->truncated = true;
		return false;
	}
	respond->dnames[respond->dname_count++] =
		(struct respond_dname){.node = set->node, .block = set->block, .base = *base_out};
	return true;
}

/* Octets of a name that the answer holds, compression undone. */
static uint32_t name_len_at(const struct reply *reply, uint32_t off)
{
	uint32_t len = 0;

	for (;;) {
		uint32_t head = reply->octets[off];
		if (head >= WIRE_POINTER_TAG >> 8) {
			off = (head << 8 | reply->octets[off + 1]) & WIRE_POINTER_MAX;
			continue;
		}
		len += head + 1;
		off += head + 1;
		if (head == 0) {
			return len;
		}
	}
}

/* RFC 6672 sec 3.2 step 3c. */
static enum step redirect(struct respond *respond, const struct image *image,
	const struct link *link, uint32_t dname, const struct link **next_out)
{
	const struct image_node *node = image_node(image, dname);
	struct reply_set set = {.image = image,
		.node = node,
		.block = find_set(image, node, RRTYPE_DNAME),
		.link = link};
	uint32_t base, off;

	if (!put_dname(respond, &set, &base)) {
		return STEP_DONE;
	}
	uint32_t root = (image_block(image, set.block)->flags & IMAGE_BLOCK_ROOT) != 0;
	uint32_t target_at = base + CNAME_RDATA_OFF - root;
	uint32_t keep = (uint32_t)link->key.label_count - node->label_count;
	uint32_t prefix_len = image_key_at(&link->key, node->label_count);
	if (prefix_len + name_len_at(&respond->reply, target_at) > NAME_LEN_MAX) {
		respond->rcode = RCODE_YXDOMAIN; /* RFC 6672 sec 2.2 */
		return STEP_DONE;
	}
	uint32_t ttl = octets_get_u32(respond->reply.octets + target_at - 6);
	if (!reply_cname_put(&respond->reply, link, keep, target_at, ttl, &off)) {
		respond->truncated = true;
		return STEP_DONE;
	}
	if (respond->message->qtype == RRTYPE_CNAME || respond->message->qtype == RRTYPE_ANY) {
		return STEP_DONE;
	}
	*next_out = next_link(respond, off);
	return *next_out == NULL ? STEP_DONE : STEP_FOLLOW;
}

/* Writes the CNAME that a node (the name's own or a wildcard's) has. */
static enum step follow_cname(
	struct respond *respond, const struct reply_set *set, const struct link **next_out)
{
	uint32_t base;

	if (!put_answer(respond, set, wanted_parts(respond), &base) || base == REPLY_NO_BASE) {
		return STEP_DONE;
	}
	uint32_t root = (image_block(set->image, set->block)->flags & IMAGE_BLOCK_ROOT) != 0;
	*next_out = next_link(respond, base + CNAME_RDATA_OFF - root);
	return *next_out == NULL ? STEP_DONE : STEP_FOLLOW;
}

/* RFC 3225 sec 3: not for clients that did not set DO, unless asked for by their own type. */
static bool is_dnssec(uint16_t type)
{
	switch (type) {
	case RRTYPE_DS:
	case RRTYPE_NSEC:
	case RRTYPE_DNSKEY:
	case RRTYPE_NSEC3PARAM:
	case RRTYPE_CDS:
	case RRTYPE_CDNSKEY:
		return true;
	default:
		return false;
	}
}

/* ANY: every set at the node over TCP; over UDP one, since ANY is asked by those who want large answers sent to
 * others, and RFC 8482 sec 4.1 allows any subset. RRSIG: the signatures of the same sets.
 */
static bool put_any(struct respond *respond, struct reply_set *set, bool signatures)
{
	const struct image_node *node = set->node;
	bool any = false;

	for (uint32_t i = 0; i < node->set_count; i++) {
		set->block = image_node_blocks(node)[i];
		const struct image_block *block = image_block(set->image, set->block);
		bool large = (block->flags & IMAGE_BLOCK_LARGE) != 0;
		bool has = signatures ? block->tail_len != 0 : block->plain_count != 0;
		if ((!has && !large) || (!signatures && !respond->with_sigs &&
						is_dnssec(image_node_types(node)[i]))) {
			continue;
		}
		any = true;
		if (!put_answer(
			    respond, set, signatures ? REPLY_TAIL : wanted_parts(respond), NULL) ||
			respond->transport == REQUEST_UDP) {
			break;
		}
	}
	return any;
}

/* The node that answers for a name: its own or a wildcard's. True: answered, or an alias was written (step_out). */
static bool answer_from(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_node *node, enum step *step_out, const struct link **next_out)
{
	uint16_t qtype = respond->message->qtype;
	struct reply_set set = {.image = image, .node = node, .link = link};
	uint32_t base;

	*step_out = STEP_DONE;
	set.block = find_set(image, node, qtype);
	if (set.block != 0) {
		if (find_dname(respond, &set) != NULL) { /* it led here and stands there already */
			put_proofs(respond);
		} else if (put_answer(respond, &set, wanted_parts(respond), &base)) {
			put_proofs(respond);
			put_addresses(respond, &set, base);
		}
		return true;
	}
	if (qtype == RRTYPE_ANY || qtype == RRTYPE_RRSIG) {
		if (put_any(respond, &set, qtype == RRTYPE_RRSIG)) {
			put_proofs(respond);
			return true;
		}
		return false;
	}
	if ((node->flags & IMAGE_NODE_CNAME) != 0) {
		set.block = find_set(image, node, RRTYPE_CNAME);
		*step_out = follow_cname(respond, &set, next_out);
		if (*step_out == STEP_DONE) {
			put_proofs(respond);
		}
		return true;
	}
	return false;
}

/* The wildcard below the closest encloser; 0: there is none. */
static uint32_t find_wild(const struct respond *respond, const struct image *image,
	const struct link *link, uint32_t encloser)
{
	static const uint8_t star[] = {1, '*'};
	uint8_t relative[NAME_LEN_MAX + 2];
	const struct image_node *node = image_node(image, encloser);

	if ((node->flags & IMAGE_NODE_WILD) == 0) {
		return 0;
	}
	uint64_t hash =
		hash_octets(&respond->zones->key, link->key.hashes[node->label_count], star + 1, 1);
	memcpy(relative, star, sizeof(star));
	memcpy(relative + sizeof(star), image_node_name(node), node->name_len);
	return image_find_octets(image, hash, relative, node->name_len + 2u);
}

/* RFC 4592 sec 3.3.1 and 4: the source of synthesis answers with the QNAME as owner. */
static enum step synthesise(struct respond *respond, const struct image *image,
	const struct link *link, const struct image_hit *hit, uint32_t wild,
	const struct link **next_out)
{
	const struct image_node *node = image_node(image, wild);
	uint32_t proofs = respond->proof_count;
	enum step step;

	/* The proof goes to the authority section, which comes after: it is noted first. */
	denial_wild(respond, image, link, hit);
	if (answer_from(respond, image, link, node, &step, next_out)) {
		return step;
	}
	respond->proof_count = proofs;
	denial_wild_nodata(respond, image, link, hit, wild);
	finish_negative(respond, image, link);
	return STEP_DONE;
}

static enum step respond_once(struct respond *respond, const struct image *image,
	const struct link *link, const struct link **next_out)
{
	struct image_hit hit;
	enum step step;

	image_search(image, &link->key, &hit);
	if (hit.cut != 0) {
		const struct image_node *cut = image_node(image, hit.cut);
		bool at_cut = cut->label_count == link->key.label_count;
		if ((cut->flags & IMAGE_NODE_CUT) != 0) {
			/* RFC 4035 sec 3.1.4.1: of what stands at a cut, DS is the parent's. */
			if (!at_cut || respond->message->qtype != RRTYPE_DS) {
				refer(respond, image, link, &hit);
				return STEP_DONE;
			}
		} else if (!at_cut) {
			return redirect(respond, image, link, hit.cut, next_out);
		}
	}
	if (hit.node != 0) {
		const struct image_node *node = image_node(image, hit.node);
		if (answer_from(respond, image, link, node, &step, next_out)) {
			return step;
		}
		denial_nodata(respond, image, link, &hit);
		finish_negative(respond, image, link);
		return STEP_DONE;
	}
	uint32_t wild = find_wild(respond, image, link, hit.encloser);
	if (wild != 0) {
		return synthesise(respond, image, link, &hit, wild, next_out);
	}
	respond->rcode = RCODE_NXDOMAIN;
	denial_name(respond, image, link, &hit);
	finish_negative(respond, image, link);
	return STEP_DONE;
}

HOT void respond_to(struct respond *respond, const struct link *link, const struct zone *zone)
{
	const struct link *next = NULL;

	respond->qname = link;
	respond->authoritative = true;
	const struct image *image = zone == NULL ? NULL : publish_get(&zone->image);
	if (UNLIKELY(image == NULL)) {
		respond->authoritative = false;
		respond->rcode = zone == NULL ? RCODE_REFUSED : RCODE_SERVFAIL;
		return;
	}
	while (respond_once(respond, image, link, &next) == STEP_FOLLOW) {
		link = next;
		zone = respond_zone(respond->zones, &link->key, respond->message->qtype);
		image = zone == NULL ? NULL : publish_get(&zone->image);
		if (image == NULL) {
			/* An alias that leaves our zones, or ends in one that has not loaded, ends the answer. */
			put_proofs(respond);
			return;
		}
	}
}
