/* image_check_block.c - records and fix-ups of one block. */
#include "zone/image_check_block.h"

#include "base/octets.h"
#include "zone/image_glue.h"

#define OWNER_POINTER_LEN 2u
#define RECORD_FIXED_LEN  10u /* type, class, TTL, RDLENGTH */
#define FLAGS                                                                                      \
	((uint32_t)IMAGE_BLOCK_LARGE | IMAGE_BLOCK_OWNED | IMAGE_BLOCK_GLUE | IMAGE_BLOCK_ROOT)

/* A block, taken apart. */
struct parts {
	const uint16_t *fixes;
	const uint8_t *octets;
	uint64_t plain_len, len;
	uint32_t plain_count, tail_count;
	uint32_t plain_fixes, fix_count;
	uint32_t flags;
};

/* The records from *off to end, each with its owner pointer, which a fix-up fills in, and the fix-ups of its RDATA. */
static bool check_records(
	const struct parts *parts, uint64_t *off, uint64_t end, uint32_t *fix, uint32_t count)
{
	const uint8_t *octets = parts->octets;
	const uint16_t *fixes = parts->fixes;
	bool root = (parts->flags & IMAGE_BLOCK_ROOT) != 0;
	bool large = (parts->flags & IMAGE_BLOCK_LARGE) != 0;
	uint64_t at = *off;
	uint32_t i = *fix;

	for (; count > 0; count--) {
		uint64_t head = at;
		if (!root && head == 0 && (parts->flags & IMAGE_BLOCK_OWNED) != 0) {
			/* Its own labels lead; where they end is a fix-up. */
			while (i == parts->fix_count || fixes[i] != at) {
				if (at >= end || octets[at] == 0 ||
					octets[at] > NAME_LABEL_LEN_MAX || at > NAME_LEN_MAX) {
					return false;
				}
				at += octets[at] + 1u;
			}
			i++;
		} else if (!root && head != 0 && !large) {
			if (i == parts->fix_count || fixes[i] != head) {
				return false;
			}
			i++;
		}
		at += root ? 1 : OWNER_POINTER_LEN;
		if (at + RECORD_FIXED_LEN > end) {
			return false;
		}
		uint64_t rdata = at + RECORD_FIXED_LEN;
		at = rdata + octets_get_u16(octets + rdata - 2);
		if (at > end) {
			return false;
		}
		for (; i < parts->fix_count && fixes[i] < at; i++) {
			if (fixes[i] < rdata || fixes[i] + OWNER_POINTER_LEN > at ||
				image_fix_value(octets, fixes[i]) == IMAGE_FIX_OWNER) {
				return false;
			}
			rdata = fixes[i] + (uint64_t)OWNER_POINTER_LEN;
		}
	}
	*off = at;
	*fix = i;
	return at == end;
}

/* A fix-up is the owner, a suffix, or an octet before its own. */
static bool check_fixes(const struct parts *parts)
{
	for (uint32_t i = 0; i < parts->fix_count; i++) {
		uint32_t off = parts->fixes[i];
		if (off + (uint64_t)OWNER_POINTER_LEN > parts->len) {
			return false;
		}
		uint32_t value = image_fix_value(parts->octets, off);
		bool good = value >= IMAGE_FIX_ANCHOR
				    ? value == IMAGE_FIX_OWNER ||
					      value <= (IMAGE_FIX_ANCHOR | NAME_LABELS_MAX)
				    : value < off;
		if (!good) {
			return false;
		}
	}
	return true;
}

static bool take_apart(
	const struct image_block *block, uint64_t left, struct parts *parts, uint64_t *len_out)
{
	uint64_t head = sizeof(*block);

	if (left < sizeof(*block)) {
		return false;
	}
	parts->flags = block->flags;
	if ((block->flags & ~FLAGS) != 0) {
		return false;
	}
	if ((block->flags & IMAGE_BLOCK_LARGE) != 0) {
		head += sizeof(struct image_large);
		if (left < head || (block->flags & (IMAGE_BLOCK_OWNED | IMAGE_BLOCK_GLUE)) != 0 ||
			block->plain_fixes != 0 || block->tail_fixes != 0 ||
			block->target_count != 0 || block->plain_len != 0 || block->tail_len != 0 ||
			block->plain_count != 0 || block->tail_count != 0) {
			return false;
		}
		const struct image_large *large = image_block_large(block);
		parts->plain_len = large->plain_len;
		parts->len = parts->plain_len + large->tail_len;
		parts->plain_count = large->plain_count;
		parts->tail_count = large->tail_count;
		parts->octets = (const uint8_t *)(large + 1);
	} else {
		parts->plain_len = block->plain_len;
		parts->len = parts->plain_len + block->tail_len;
		parts->plain_count = block->plain_count;
		parts->tail_count = block->tail_count;
		parts->plain_fixes = block->plain_fixes;
		parts->fix_count = parts->plain_fixes + block->tail_fixes;
		head += parts->fix_count * sizeof(parts->fixes[0]) +
			block->target_count * sizeof(struct image_target);
		parts->fixes = image_block_fixes(block);
		parts->octets = image_block_octets(block);
	}
	*len_out = (head + parts->len + IMAGE_UNIT - 1) & ~(uint64_t)(IMAGE_UNIT - 1);
	return *len_out <= left && parts->len <= UINT32_MAX - IMAGE_UNIT;
}

bool image_check_block(const struct image_block *block, uint64_t left, uint64_t *len_out)
{
	struct parts parts = {.fixes = NULL};
	uint64_t off = 0;
	uint32_t fix = 0;

	if (!take_apart(block, left, &parts, len_out) || !check_fixes(&parts) ||
		parts.plain_count + (uint64_t)parts.tail_count == 0) {
		return false;
	}
	if ((parts.flags & IMAGE_BLOCK_OWNED) != 0 &&
		((parts.flags & IMAGE_BLOCK_ROOT) != 0 || parts.plain_count == 0)) {
		return false;
	}
	/* The owner of glue is told by a fix-up, which the first record of a block and those at the root have not. */
	if ((parts.flags & IMAGE_BLOCK_GLUE) != 0 &&
		((parts.flags & IMAGE_BLOCK_ROOT) != 0 || parts.plain_count == 0)) {
		return false;
	}
	/* A fix-up of the tail is never one of the plain part: RDATA ends before. */
	return check_records(&parts, &off, parts.plain_len, &fix, parts.plain_count) &&
	       fix == parts.plain_fixes &&
	       check_records(&parts, &off, parts.len, &fix, parts.tail_count) &&
	       fix == parts.fix_count;
}

/* Octets of the last labels of a name with the root label. */
static uint32_t suffix_len(const uint8_t *name, uint32_t len, uint32_t labels, uint32_t wanted)
{
	uint32_t at = 0;

	for (; labels > wanted; labels--) {
		at += name[at] + 1u;
	}
	return len - at;
}

bool image_check_block_alias(const struct image_block *block, const uint8_t *owner,
	uint32_t owner_len, uint32_t owner_labels)
{
	const uint8_t *octets = image_block_octets(block);
	const uint16_t *fixes = image_block_fixes(block);
	uint32_t root = (block->flags & IMAGE_BLOCK_ROOT) != 0;
	uint32_t at = OWNER_POINTER_LEN - root + RECORD_FIXED_LEN;
	uint32_t end = at + octets_get_u16(octets + at - 2);
	uint32_t fix_at = block->plain_fixes > 0 && fixes[0] < end ? fixes[0] : end;
	uint32_t len = 0;

	/* Labels up to the root or to a suffix of the owner's name; no other pointer makes sense in a first record. */
	while (at < fix_at && octets[at] != 0) {
		uint32_t take = octets[at] + 1u;
		if (take > NAME_LABEL_LEN_MAX + 1 || take > fix_at - at) {
			return false;
		}
		at += take;
		len += take;
	}
	if (at < fix_at) {
		return at + 1 == end && len + 1 <= NAME_LEN_MAX;
	}
	if (fix_at == end || fix_at + OWNER_POINTER_LEN != end) {
		return false;
	}
	uint32_t value = image_fix_value(octets, fix_at);
	return value >= IMAGE_FIX_ANCHOR &&
	       len + suffix_len(owner, owner_len, owner_labels, value & 0xffu) <= NAME_LEN_MAX;
}

bool image_check_block_glue(const struct image_block *block, uint32_t off)
{
	uint32_t at = block->plain_len;
	uint32_t end = at + block->tail_len;

	if ((block->flags & IMAGE_BLOCK_GLUE) == 0) {
		return false;
	}
	while (at < off && at < end) {
		at += image_glue_record_len(image_block_octets(block), at);
	}
	return at == off && at < end;
}
