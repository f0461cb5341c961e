/* image_glue.h - the hosts below a cut that have no node of their own.
 *
 * A host of which a zone holds nothing but addresses, all of which are glue of the cut above it, is kept once: in the
 * tail of the cut's NS set, where a referral takes it from. Who lists a zone finds those hosts here; who refers to
 * one as the server of another delegation does so by the block and the offset of its first address.
 *
 *     tail of the NS set   [host a: A] [host a: AAAA] [host b: A] ...
 *                          ^ off       `- equal owner -'
 *
 * thread  any: the image does not change
 */
#ifndef SAKER_ZONE_IMAGE_GLUE_H
#define SAKER_ZONE_IMAGE_GLUE_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/name.h"
#include "zone/image.h"

#define IMAGE_GLUE_HOSTS_MAX 13u /* as many as block.h takes into a set: BLOCK_HOSTS_MAX */

struct image_glue_host {
	struct name owner; /* lower case */
	uint32_t off;      /* of its first address in the octets of the block */
};

struct image_glue {
	uint32_t block; /* the NS set; 0: there is no host */
	uint32_t count;
	struct image_glue_host hosts[IMAGE_GLUE_HOSTS_MAX]; /* in canonical order */
};

/* image_glue_init - lists them. cost: a walk over the NS set, a look-up a host; not for the packet path */
void image_glue_init(
	struct image_glue *glue, const struct image *image, const struct image_node *cut);

/* image_glue_walk - begins a walk at the first address of a host; image_glue_next() gives one after the other. */
void image_glue_walk(struct image_walk *walk, const struct image *image,
	const struct image_node *cut, const struct image_glue *glue, uint32_t host);

/* image_glue_next - the next address of the same host; false: there are no more. */
bool image_glue_next(struct image_walk *walk, struct image_record *out);

/* image_glue_find - where the addresses of a host begin among the glue of a cut; 0: they are not there.
 *
 * shape  relative: labels below the apex, lower case, no root; block_out: the NS set
 */
uint32_t image_glue_find(const struct image *image, const struct image_node *cut,
	const uint8_t *relative, uint32_t len, uint32_t *block_out);

/* image_glue_record_len - octets of a record of the tail, its owner pointer with it. */
static inline uint32_t image_glue_record_len(const uint8_t *octets, uint32_t off)
{
	return 12u + octets_get_u16(octets + off + 10); /* pointer, type, class, TTL, RDLENGTH */
}

/* image_glue_end - where the addresses that begin at off and have that owner and type end; the packet path's.
 *
 * shape   off: of a record in the tail of a block with IMAGE_BLOCK_GLUE
 * effect  off itself where the record there has another owner or type; count_out: how many
 */
static inline uint32_t image_glue_end(const struct image_block *block, uint32_t off, uint32_t owner,
	uint16_t type, uint32_t *count_out)
{
	const uint8_t *octets = image_block_octets(block);
	uint32_t end = (uint32_t)block->plain_len + block->tail_len;

	*count_out = 0;
	while (off < end && image_fix_value(octets, off) == owner &&
		octets_get_u16(octets + off + 2) == type) {
		off += image_glue_record_len(octets, off);
		++*count_out;
	}
	return off;
}

#endif
