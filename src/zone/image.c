/* image.c - look-ups in an image, and walks over what it holds. */
#include "zone/image.h"

#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "crypto/sha1.h"
#include "zone/image_memory.h"
#include "zone/load.h"
#include "zone/order.h"

#define OWNER_POINTER_LEN 2u /* an owner name is always a pointer but in IMAGE_BLOCK_OWNED blocks */
#define RECORD_FIXED_LEN  10u /* type, class, TTL, RDLENGTH */

void image_key_init(struct image_key *key, const struct hash_key *hash_key, const struct name *name)
{
	uint32_t count = 0;

	memcpy(key->octets, name->octets, name->len);
	key->len = name->len;
	key->label_count = name->label_count;
	for (uint32_t at = 0; name->octets[at] != 0; at += name->octets[at] + 1u) {
		key->label_at[count++] = (uint8_t)at;
	}
	key->hashes[0] = hash_root(hash_key);
	for (uint32_t k = 1; k <= count; k++) {
		const uint8_t *label = key->octets + key->label_at[count - k];
		key->hashes[k] = hash_octets(hash_key, key->hashes[k - 1], label + 1, label[0]);
	}
}

/* Marks (with their top bits) the octets of word that equal tag; above the first mark there may be false ones. */
static inline uint64_t match_octets(uint64_t word, uint8_t tag)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t x = word ^ (ones * tag);

	return (x - ones) & ~x & (ones << 7);
}

static inline uint64_t load_word(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

HOT uint32_t image_candidate(const struct image *image, uint64_t hash)
{
	const struct image_bucket *bucket = &image->buckets[image_bucket_idx(&image->header, hash)];
	uint8_t tag = image_tag(hash);
	uint64_t low = match_octets(load_word(bucket->tags), tag);

	if (low != 0) {
		return bucket->nodes[__builtin_ctzll(low) >> 3];
	}
	uint64_t high = match_octets(load_word(bucket->tags + 4), tag) & ~(uint64_t)UINT32_MAX;
	return high != 0 ? bucket->nodes[4 + (__builtin_ctzll(high) >> 3)] : 0;
}

static inline bool node_is(
	const struct image *image, uint32_t ref, const uint8_t *relative, uint32_t len)
{
	const struct image_node *node = image_node(image, ref);

	return node->name_len == len && memcmp(image_node_name(node), relative, len) == 0;
}

HOT uint32_t image_find_octets(
	const struct image *image, uint64_t hash, const uint8_t *relative, uint32_t len)
{
	uint32_t idx = image_bucket_idx(&image->header, hash);
	uint8_t tag = image_tag(hash);

	for (;;) {
		const struct image_bucket *bucket = &image->buckets[idx];
		/* Slots 0..7 by the first word; 8..11 by the upper half of the second. */
		uint64_t marks[2] = {match_octets(load_word(bucket->tags), tag),
			match_octets(load_word(bucket->tags + 4), tag) & ~(uint64_t)UINT32_MAX};

		for (uint32_t half = 0; half < 2; half++) {
			for (uint64_t left = marks[half]; left != 0; left &= left - 1) {
				uint32_t slot = half * 4 + ((uint32_t)__builtin_ctzll(left) >> 3);
				if (bucket->tags[slot] == tag &&
					node_is(image, bucket->nodes[slot], relative, len)) {
					return bucket->nodes[slot];
				}
			}
		}
		if (LIKELY(bucket->overflows == 0)) {
			return 0;
		}
		idx = idx + 1 == image->header.bucket_count ? 0 : idx + 1;
	}
}

/* The relative octets of a suffix: what stands before the apex. */
static inline uint32_t relative_len(
	const struct image *image, const struct image_key *key, uint32_t label_count)
{
	return key->len - image_key_at(key, label_count) - image->header.apex_len;
}

HOT uint32_t image_find(
	const struct image *image, const struct image_key *key, uint32_t label_count)
{
	return image_find_octets(image, key->hashes[label_count],
		key->octets + image_key_at(key, label_count),
		relative_len(image, key, label_count));
}

/* The longest suffix in (low, high) that exists; low exists, high does not. Every name between an owner and the
 * apex has a node, so existence falls only once along the labels.
 */
static uint32_t find_encloser(const struct image *image, const struct image_key *key, uint32_t low,
	uint32_t high, uint32_t low_node)
{
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		uint32_t node = image_find(image, key, middle);
		if (node != 0) {
			low = middle;
			low_node = node;
		} else {
			high = middle;
		}
	}
	return low_node;
}

HOT void image_search(const struct image *image, const struct image_key *key, struct image_hit *out)
{
	const struct image_header *header = &image->header;
	uint32_t apex_labels = header->apex_labels;
	uint32_t low = apex_labels;
	uint32_t node = header->apex;

	DASSERT(key->label_count >= apex_labels);
	out->node = 0;
	if (header->first_probe != 0 && key->label_count > apex_labels + 1u) {
		uint32_t first = image_find(image, key, apex_labels + 1u);
		if (first == 0) {
			out->encloser = node;
			out->cut = image_node(image, node)->cut_depth != 0 ? node : 0;
			return;
		}
		node = first;
		low = apex_labels + 1u;
		uint32_t depth = image_node(image, node)->cut_depth;
		if (LIKELY(depth != 0)) {
			out->encloser = node;
			out->cut = depth == apex_labels + 1u ? header->apex : node;
			return;
		}
	}
	if (key->label_count > low) {
		uint32_t exact = image_find(image, key, key->label_count);
		if (exact != 0) {
			node = exact;
			low = key->label_count;
		} else {
			node = find_encloser(image, key, low, key->label_count, node);
		}
	}
	out->encloser = node;
	if (low == key->label_count) {
		out->node = node;
	}
	uint32_t depth = image_node(image, node)->cut_depth;
	if (depth == 0) {
		out->cut = 0;
	} else if (depth == image_node(image, node)->label_count + 1u) {
		out->cut = node;
	} else {
		out->cut = depth == apex_labels + 1u ? header->apex
						     : image_find(image, key, depth - 1);
	}
}

/* The last of the sorted NSEC owners that is not behind the name. */
static uint32_t nsec_floor(const struct image *image, const uint8_t *relative, uint32_t len)
{
	const struct image_header *header = &image->header;
	const uint64_t *keys = image->nsec_keys;
	const uint32_t *nodes = image->nsec_nodes;
	uint64_t prefix = order_prefix(relative, len);
	uint32_t low = 0, high = header->nsec_count; /* the answer stands in [low - 1, high - 1] */

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		bool behind;
		if (keys[middle] != prefix) {
			behind = keys[middle] > prefix;
		} else {
			const struct image_node *node = image_node(image, nodes[middle]);
			behind = order_compare(
					 image_node_name(node), node->name_len, relative, len) > 0;
		}
		if (behind) {
			high = middle;
		} else {
			low = middle + 1;
		}
	}
	return low == 0 ? nodes[header->nsec_count - 1] : nodes[low - 1];
}

uint32_t image_nsec_cover(
	const struct image *image, const struct image_key *key, uint32_t label_count)
{
	if (image->header.nsec_count == 0) {
		return 0;
	}
	return nsec_floor(image, key->octets + image_key_at(key, label_count),
		relative_len(image, key, label_count));
}

uint32_t image_nsec_cover_wild(
	const struct image *image, const struct image_key *key, uint32_t label_count)
{
	uint8_t relative[NAME_LEN_MAX + 2];
	uint32_t len = relative_len(image, key, label_count);

	if (image->header.nsec_count == 0) {
		return 0;
	}
	relative[0] = 1;
	relative[1] = '*';
	memcpy(relative + 2, key->octets + image_key_at(key, label_count), len);
	return nsec_floor(image, relative, len + 2);
}

static uint64_t hash_head(const uint8_t *hash)
{
	return (uint64_t)octets_get_u32(hash) << 32 | octets_get_u32(hash + 4);
}

HOT uint32_t image_nsec3_find(const struct image *image, const uint8_t hash[IMAGE_NSEC3_LEN])
{
	const uint8_t *hashes = image->nsec3_hashes;
	uint32_t low = 0,
		 high = image->header.nsec3_count; /* floor stands in [low - 1, high - 1] */
	uint64_t low_head = 0, high_head = UINT64_MAX;
	uint64_t head = hash_head(hash);
	bool halve = false;

	if (high == 0) {
		return IMAGE_NSEC3_NONE;
	}
	/* Hashes are evenly spread, so a guess by proportion lands close; every second step halves, so that a
	 * zone of chosen hashes costs no more than twice a binary search.
	 */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (!halve && high_head > low_head) {
			double share = (double)(head - low_head) / (double)(high_head - low_head);
			uint32_t guess = low + (uint32_t)(share * (high - low));
			middle = guess >= high ? high - 1 : guess;
		}
		halve = !halve;
		const uint8_t *here = hashes + (size_t)middle * IMAGE_NSEC3_LEN;
		int order = memcmp(here, hash, IMAGE_NSEC3_LEN);
		if (order == 0) {
			return middle | IMAGE_NSEC3_MATCH;
		}
		if (order > 0) {
			high = middle;
			high_head = hash_head(here);
		} else {
			low = middle + 1;
			low_head = hash_head(here);
		}
	}
	return low == 0 ? image->header.nsec3_count - 1 : low - 1;
}

uint32_t image_nsec3_name(const struct image *image, const uint8_t *name, uint32_t len)
{
	const struct image_header *header = &image->header;
	uint8_t hash[SHA1_LEN];

	sha1_nsec3(name, len, image_salt(image), header->nsec3_salt_len, header->nsec3_iterations,
		hash);
	return image_nsec3_find(image, hash);
}

static size_t node_len(const struct image_node *node)
{
	size_t len = (size_t)(image_node_name(node) - (const uint8_t *)node) + node->name_len;

	if ((node->flags & IMAGE_NODE_SPELLED) != 0) {
		len += node->name_len;
	}
	return (len + IMAGE_UNIT - 1) / IMAGE_UNIT;
}

uint32_t image_node_next(const struct image *image, uint32_t ref)
{
	return ref + (uint32_t)node_len(image_node(image, ref));
}

void image_apex_name(const struct image *image, struct name *out)
{
	memcpy(out->octets, image->apex, image->header.apex_len);
	out->len = image->header.apex_len;
	out->label_count = image->header.apex_labels;
}

void image_node_full_name(
	const struct image *image, const struct image_node *node, bool as_written, struct name *out)
{
	const uint8_t *labels = image_node_name(node);

	if (as_written && (node->flags & IMAGE_NODE_SPELLED) != 0) {
		labels += node->name_len;
	}
	memcpy(out->octets, labels, node->name_len);
	memcpy(out->octets + node->name_len, image->apex, image->header.apex_len);
	out->len = (uint8_t)(node->name_len + image->header.apex_len);
	out->label_count = node->label_count;
}

void image_walk_init(struct image_walk *walk, const struct image *image,
	const struct image_node *node, uint32_t ref)
{
	const struct image_block *block = image_block(image, ref);

	*walk = (struct image_walk){.image = image, .block = block};
	image_node_full_name(image, node, true, &walk->owner);
	if ((block->flags & IMAGE_BLOCK_LARGE) != 0) {
		const struct image_large *large = image_block_large(block);
		walk->octets = (const uint8_t *)(large + 1);
		walk->plain_len = large->plain_len;
		walk->len = large->plain_len + large->tail_len;
	} else {
		walk->octets = image_block_octets(block);
		walk->plain_len = block->plain_len;
		walk->len = (uint32_t)block->plain_len + block->tail_len;
	}
}

static bool is_fix(const struct image_walk *walk, uint32_t off)
{
	const uint16_t *fixes = image_block_fixes(walk->block);
	uint32_t count = (uint32_t)walk->block->plain_fixes + walk->block->tail_fixes;

	for (uint32_t i = 0; i < count; i++) {
		if (fixes[i] == off) {
			return true;
		}
	}
	return false;
}

/* The name that the fix-up at off stands for, to out[NAME_LEN_MAX]; returns its length, 0 where it is none. There are no loops:
 * every BLOCK fix-up names an octet before its own, and each label makes the name longer.
 */
static uint32_t expand_fix(const struct image_walk *walk, uint32_t off, uint8_t *out)
{
	uint32_t len = 0;

	for (;;) {
		uint32_t value = image_fix_value(walk->octets, off);
		if (value >= IMAGE_FIX_ANCHOR) {
			uint32_t labels =
				value == IMAGE_FIX_OWNER ? walk->owner.label_count : value & 0xffu;
			const uint8_t *suffix = name_suffix(&walk->owner, labels);
			uint32_t suffix_len =
				(uint32_t)(walk->owner.octets + walk->owner.len - suffix);
			if (suffix_len > NAME_LEN_MAX - len) {
				return 0;
			}
			memcpy(out + len, suffix, suffix_len);
			return len + suffix_len;
		}
		uint32_t at = value;
		while (!is_fix(walk, at)) {
			uint32_t take = at < walk->len ? walk->octets[at] + 1u : UINT32_MAX;
			if (take > NAME_LABEL_LEN_MAX + 1 || take > walk->len - at ||
				take > NAME_LEN_MAX - len) {
				return 0;
			}
			memcpy(out + len, walk->octets + at, take);
			len += take;
			at += take;
			if (take == 1) {
				return len;
			}
		}
		off = at;
	}
}

static bool set_glue_owner(const struct image_walk *walk, struct image_record *out)
{
	struct name *owner = &out->glue_owner;

	ASSERT(is_fix(walk, walk->off)); /* every owner pointer but the first is a fix-up */
	uint32_t len = expand_fix(walk, walk->off, owner->octets);
	if (len == 0) {
		return false;
	}
	owner->len = (uint8_t)len;
	owner->label_count = 0;
	for (uint32_t at = 0; owner->octets[at] != 0; at += owner->octets[at] + 1u) {
		owner->label_count++;
	}
	return true;
}

static bool give_up(struct image_walk *walk)
{
	walk->off = walk->len;
	return false;
}

bool image_walk_next(struct image_walk *walk, struct image_record *out)
{
	bool large = (walk->block->flags & IMAGE_BLOCK_LARGE) != 0;

	if (walk->off >= walk->len) {
		return false;
	}
	out->in_tail = walk->off >= walk->plain_len;
	if (out->in_tail && (walk->block->flags & IMAGE_BLOCK_GLUE) != 0) {
		if (!set_glue_owner(walk, out)) {
			return give_up(walk);
		}
	}
	if ((walk->block->flags & IMAGE_BLOCK_ROOT) != 0) {
		walk->off += 1;
	} else if (walk->off == 0 && (walk->block->flags & IMAGE_BLOCK_OWNED) != 0) {
		while (!is_fix(walk, walk->off)) { /* its labels; the pointer to the apex follows */
			walk->off += walk->octets[walk->off] + 1u;
		}
		walk->off += OWNER_POINTER_LEN;
	} else {
		walk->off += OWNER_POINTER_LEN;
	}
	const uint8_t *fixed = walk->octets + walk->off;
	out->type = octets_get_u16(fixed);
	out->ttl = octets_get_u32(fixed + 4);
	uint32_t end = walk->off + RECORD_FIXED_LEN + octets_get_u16(fixed + 8);
	walk->off += RECORD_FIXED_LEN;
	uint32_t len = 0;
	while (walk->off < end) {
		if (!large && is_fix(walk, walk->off)) {
			uint8_t name[NAME_LEN_MAX];
			uint32_t name_len = expand_fix(walk, walk->off, name);
			if (name_len == 0 || name_len > sizeof(out->rdata) - len) {
				return give_up(walk);
			}
			memcpy(out->rdata + len, name, name_len);
			len += name_len;
			walk->off += OWNER_POINTER_LEN;
		} else if (len == sizeof(out->rdata)) {
			return give_up(walk);
		} else {
			out->rdata[len++] = walk->octets[walk->off++];
		}
	}
	out->rdata_len = (uint16_t)len;
	return true;
}

void image_stats(const struct image *image, struct image_stats *out)
{
	const struct image_header *header = &image->header;

	*out = (struct image_stats){.record_count = header->counts.records,
		.rrset_count = header->counts.rrsets,
		.owner_count = header->counts.owners,
		.delegation_count = header->counts.delegations,
		.memory_len = image->memory_len,
		.serial = header->serial,
		.is_signed = header->is_signed != 0};
}

void image_free(struct image *image)
{
	if (image != NULL) {
		image_memory_free(image->memory);
		free(image);
	}
}
