/* reply.c - copying prepared sets into an answer. */
#include "answer/reply.h"

#include <string.h>

#include "base/octets.h"
#include "wire/rrtype.h"
#include "zone/image_glue.h"

#define POINTER_LEN      2u
#define RECORD_FIXED_LEN 10u /* type, class, TTL, RDLENGTH */

static inline void put_pointer(uint8_t *at, uint32_t target)
{
	octets_put_u16(at, (uint16_t)(WIRE_POINTER_TAG | target));
}

/* How many labels, counted from the root, a node's name shares with the link's. At least those of the apex. */
static uint32_t shared_labels(
	const struct reply_set *set, const uint8_t label_at[], uint32_t labels)
{
	const struct image_key *key = &set->link->key;
	const uint8_t *name = image_node_name(set->node);
	uint32_t apex_labels = set->image->header.apex_labels;
	uint32_t shared = 0;

	while (shared < labels && apex_labels + shared < key->label_count) {
		const uint8_t *ours = name + label_at[labels - shared - 1];
		const uint8_t *theirs = key->octets + image_key_at(key, apex_labels + shared + 1);
		if (ours[0] != theirs[0] || memcmp(ours + 1, theirs + 1, ours[0]) != 0) {
			break;
		}
		shared++;
	}
	return shared;
}

/* Offsets of the labels of a node's relative name; returns how many. */
static uint32_t split(const struct image_node *node, uint8_t label_at[NAME_LABELS_MAX + 1])
{
	const uint8_t *name = image_node_name(node);
	uint32_t count = 0;

	for (uint32_t at = 0; at < node->name_len; at += name[at] + 1u) {
		label_at[count++] = (uint8_t)at;
	}
	label_at[count] = node->name_len;
	return count;
}

uint32_t reply_owner_at(const struct reply_set *set)
{
	uint8_t label_at[NAME_LABELS_MAX + 1];
	uint32_t labels = split(set->node, label_at);

	return shared_labels(set, label_at, labels) == labels
		       ? link_at(set->link, set->node->label_count)
		       : 0;
}

/* Writes a node's name, as far as the link's name does not hold it, and a pointer to the rest. */
static bool put_owner(struct reply *reply, const struct reply_set *set)
{
	uint8_t label_at[NAME_LABELS_MAX + 1];
	uint32_t labels = split(set->node, label_at);
	uint32_t shared = shared_labels(set, label_at, labels);
	uint32_t own_len = label_at[labels - shared];
	uint32_t apex_labels = set->image->header.apex_labels;

	if (own_len + POINTER_LEN > reply->limit - reply->at) {
		return false;
	}
	memcpy(reply->octets + reply->at, image_node_name(set->node), own_len);
	reply->at += own_len;
	if (apex_labels + shared == 0) {
		reply->octets[reply->at++] =
			0; /* the root in full is shorter than a pointer to it */
	} else {
		put_pointer(reply->octets + reply->at, link_at(set->link, apex_labels + shared));
		reply->at += POINTER_LEN;
	}
	return true;
}

/* Fills in the pointers of fixes[0..count) of a block's octets. base: offset of octet 0 of the plain part, tail_base: what to add to
 * block offsets in the tail.
 */
static inline void apply_fixes(const struct reply *reply, const struct link *link,
	const uint8_t *octets, const uint16_t *fixes, uint32_t count, uint32_t place,
	uint32_t plain_len, uint32_t plain_base, uint32_t owner_at)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t value = image_fix_value(octets, fixes[i]);
		uint32_t target;
		if (value == IMAGE_FIX_OWNER) {
			target = owner_at;
		} else if (value >= IMAGE_FIX_ANCHOR) {
			target = link_at(link, value & 0xffu);
		} else {
			target = (uint32_t)((value < plain_len ? plain_base : place) + value);
		}
		/* place may lie below zero (a tail alone); the sum does not. */
		put_pointer(reply->octets + (uint32_t)(place + fixes[i]), target);
	}
}

/* Record by record, names in full but for owner pointers that reach. */
static COLD bool put_slowly(struct reply *reply, const struct reply_set *set, uint32_t owner_at,
	unsigned parts, enum wire_section section, enum wire_section tail_section)
{
	struct reply_scratch *scratch = reply->scratch;
	struct image_record *record = &scratch->record;
	uint32_t start = reply->at;
	uint32_t counts[2] = {0, 0};
	struct name owner;

	uint8_t flags = image_block(set->image, set->block)->flags;

	image_walk_init(&scratch->walk, set->image, set->node, set->block);
	image_node_full_name(set->image, set->node, false, &owner);
	if ((flags & IMAGE_BLOCK_OWNED) != 0) {
		const uint8_t *label = scratch->walk.octets;
		struct name apex;
		image_apex_name(set->image, &apex);
		if (name_join(label, label[0] + 1u, 1, &apex, &owner) != WIRE_OK) {
			return false;
		}
		owner_at = 0;
	}
	while (image_walk_next(&scratch->walk, record)) {
		if ((parts & (record->in_tail ? REPLY_TAIL : REPLY_PLAIN)) == 0) {
			continue;
		}
		bool glue = (flags & IMAGE_BLOCK_GLUE) != 0 && record->in_tail;
		if (glue) {
			owner = record->glue_owner;
		}
		bool pointed = !glue && owner_at != 0 && owner_at <= WIRE_POINTER_MAX;
		uint32_t owner_len = pointed ? POINTER_LEN : owner.len;
		if (owner_len + RECORD_FIXED_LEN + record->rdata_len > reply->limit - reply->at) {
			reply->at = start;
			return false;
		}
		uint8_t *out = reply->octets + reply->at;
		if (pointed) {
			put_pointer(out, owner_at);
		} else {
			memcpy(out, owner.octets, owner.len);
			owner_at = glue ? owner_at : reply->at;
		}
		out += owner_len;
		octets_put_u16(out, record->type);
		octets_put_u16(out + 2, CLASS_IN);
		octets_put_u32(out + 4, record->ttl);
		octets_put_u16(out + 8, record->rdata_len);
		memcpy(out + RECORD_FIXED_LEN, record->rdata, record->rdata_len);
		reply->at += owner_len + RECORD_FIXED_LEN + record->rdata_len;
		counts[record->in_tail]++;
	}
	reply->counts[section] = (uint16_t)(reply->counts[section] + counts[0]);
	reply->counts[tail_section] = (uint16_t)(reply->counts[tail_section] + counts[1]);
	return true;
}

HOT bool reply_set_put(struct reply *reply, const struct reply_set *set, uint32_t owner_at,
	unsigned parts, enum wire_section section, enum wire_section tail_section,
	uint32_t *base_out)
{
	const struct image_block *block = image_block(set->image, set->block);
	const uint16_t *fixes = image_block_fixes(block);
	const uint8_t *octets = image_block_octets(block);
	uint32_t start = reply->at;
	uint32_t from = (parts & REPLY_PLAIN) != 0 ? 0 : block->plain_len;
	uint32_t to =
		block->plain_len + ((parts & REPLY_TAIL) != 0 ? (uint32_t)block->tail_len : 0);
	bool owned = (block->flags & (IMAGE_BLOCK_OWNED | IMAGE_BLOCK_ROOT)) != 0;

	if (UNLIKELY((block->flags & IMAGE_BLOCK_LARGE) != 0 ||
		     start + NAME_LEN_MAX + (to - from) > WIRE_POINTER_MAX)) {
		if (base_out != NULL) {
			*base_out = REPLY_NO_BASE;
		}
		return put_slowly(reply, set, owner_at, parts, section, tail_section);
	}
	if (owner_at == 0 && !owned) {
		/* The name in place of the first owner pointer; octet 0 of the block lies two before its end. */
		if (!put_owner(reply, set)) {
			return false;
		}
		owner_at = start;
		reply->at -= POINTER_LEN;
	}
	if (to - from > reply->limit - reply->at) {
		reply->at = start;
		return false;
	}
	uint8_t saved[POINTER_LEN];
	uint8_t *out = reply->octets + reply->at;
	uint32_t place = reply->at - from;
	memcpy(saved, out, POINTER_LEN);
	memcpy(out, octets + from, to - from);
	if (reply->at != start) {
		memcpy(out, saved, POINTER_LEN); /* the end of the owner name that stands there */
	} else if (!owned) {
		put_pointer(out, owner_at);
	}
	if ((parts & REPLY_PLAIN) != 0) {
		apply_fixes(reply, set->link, octets, fixes, block->plain_fixes, place,
			block->plain_len, place, owner_at);
		reply->counts[section] = (uint16_t)(reply->counts[section] + block->plain_count);
	}
	if ((parts & REPLY_TAIL) != 0) {
		apply_fixes(reply, set->link, octets, fixes + block->plain_fixes, block->tail_fixes,
			place, block->plain_len, place, owner_at);
		reply->counts[tail_section] =
			(uint16_t)(reply->counts[tail_section] + block->tail_count);
	}
	reply->at += to - from;
	if (base_out != NULL) {
		*base_out = place;
	}
	return true;
}

uint32_t reply_glue_put(struct reply *reply, const struct image_block *block, uint32_t glue_off,
	uint32_t owner, uint16_t type, uint32_t owner_at)
{
	const uint8_t *octets = image_block_octets(block);
	uint32_t count;
	uint32_t end = image_glue_end(block, glue_off, owner, type, &count);

	if (end - glue_off > reply->limit - reply->at) {
		return 0;
	}
	for (uint32_t off = glue_off; off < end;) {
		uint32_t len = image_glue_record_len(octets, off);
		memcpy(reply->octets + reply->at, octets + off, len);
		put_pointer(reply->octets + reply->at, owner_at);
		reply->at += len;
		off += len;
	}
	reply->counts[SECTION_ADDITIONAL] = (uint16_t)(reply->counts[SECTION_ADDITIONAL] + count);
	return end;
}

bool reply_tail_put(struct reply *reply, const struct reply_set *set, uint32_t plain_base,
	enum wire_section section)
{
	const struct image_block *block = image_block(set->image, set->block);
	uint32_t place = reply->at - block->plain_len;

	if (UNLIKELY((block->flags & IMAGE_BLOCK_LARGE) != 0 ||
		     reply->at + block->tail_len > WIRE_POINTER_MAX)) {
		return put_slowly(reply, set, 0, REPLY_TAIL, section, section);
	}
	if (block->tail_len > reply->limit - reply->at) {
		return false;
	}
	const uint8_t *octets = image_block_octets(block);
	memcpy(reply->octets + reply->at, octets + block->plain_len, block->tail_len);
	apply_fixes(reply, set->link, octets, image_block_fixes(block) + block->plain_fixes,
		block->tail_fixes, place, block->plain_len, plain_base,
		link_at(set->link, set->node->label_count));
	reply->at += block->tail_len;
	reply->counts[section] = (uint16_t)(reply->counts[section] + block->tail_count);
	return true;
}

bool reply_cname_put(struct reply *reply, const struct link *link, uint32_t keep,
	uint32_t target_at, uint32_t ttl, uint32_t *rdata_at_out)
{
	uint32_t prefix_len = image_key_at(&link->key, link->key.label_count - keep);
	uint32_t len = POINTER_LEN + RECORD_FIXED_LEN + prefix_len + POINTER_LEN;
	uint8_t *out = reply->octets + reply->at;

	if (len > reply->limit - reply->at || reply->at + len > WIRE_POINTER_MAX) {
		return false;
	}
	put_pointer(out, link_at(link, link->key.label_count));
	octets_put_u16(out + 2, RRTYPE_CNAME);
	octets_put_u16(out + 4, CLASS_IN);
	octets_put_u32(out + 6, ttl);
	octets_put_u16(out + 10, (uint16_t)(prefix_len + POINTER_LEN));
	out += POINTER_LEN + RECORD_FIXED_LEN;
	/* Label by label: in the message they need not stand together. */
	for (uint32_t i = 0; i < keep; i++) {
		uint32_t at = link->label_at[i];
		uint32_t take = reply->octets[at] + 1u;
		memcpy(out, reply->octets + at, take);
		out += take;
	}
	put_pointer(out, target_at);
	*rdata_at_out = reply->at + POINTER_LEN + RECORD_FIXED_LEN;
	reply->at += len;
	reply->counts[SECTION_ANSWER]++;
	return true;
}
