/* image_check_block.h - the checks of one block, for image_check.c.
 *
 * thread  any
 */
#ifndef SAKER_ZONE_IMAGE_CHECK_BLOCK_H
#define SAKER_ZONE_IMAGE_CHECK_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "zone/image.h"

/* image_check_block - are these the octets of a block?
 *
 * shape   left: octets from the block to the end of its section
 * effect  len_out: octets of the block, a multiple of IMAGE_UNIT
 * errors  false: its lengths, its records or its fix-ups are wrong
 * cost    O(records + fix-ups)
 */
MUST_USE bool image_check_block(const struct image_block *block, uint64_t left, uint64_t *len_out);

/* image_check_block_anchors - true where no fix-up asks for more labels than that. cost: O(fix-ups) */
static inline bool image_check_block_anchors(const struct image_block *block, uint32_t labels_max)
{
	const uint16_t *fixes = image_block_fixes(block);
	const uint8_t *octets = image_block_octets(block);
	uint32_t count = (uint32_t)block->plain_fixes + block->tail_fixes;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t value = image_fix_value(octets, fixes[i]);
		if (value >= IMAGE_FIX_ANCHOR && value != IMAGE_FIX_OWNER &&
			(value & 0xffu) > labels_max) {
			return false;
		}
	}
	return true;
}

/* image_check_block_alias - true where the name in the first record can be followed inside an answer.
 *
 * shape   block: checked, of an alias; owner_len: octets of its owner's name with the root label
 * cost    O(labels)
 */
MUST_USE bool image_check_block_alias(const struct image_block *block, const uint8_t *owner,
	uint32_t owner_len, uint32_t owner_labels);

/* image_check_block_glue - true where a record of glue begins at off.
 *
 * shape   block: checked
 * cost    O(records)
 */
MUST_USE bool image_check_block_glue(const struct image_block *block, uint32_t off);

#endif
