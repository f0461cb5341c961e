/* image_check.h - may look-ups walk over an image that came from outside?
 *
 * What is proved here is that no look-up, walk or answer leaves the image or goes on for ever, whatever its octets are:
 *
 *   - lengths, counts and references stay inside their sections, and each reference names the start of a node or block;
 *   - nodes form one tree in canonical order below the apex: each name is its parent's with one more label;
 *   - what a flag promises is there: NS at a cut, CNAME, DNAME, the entry in the NSEC3 table;
 *   - records fill their blocks exactly, fix-ups lie inside records, and name only labels that the answer's name has;
 *   - slots of buckets refer to nodes, and chains of buckets end;
 *   - tables that are searched are in order.
 *
 * That what is there is what the zone file said, and that each name is found in its bucket, is the checksum's to tell, not
 * ours: who can write an image can write a false one anyway. A name that should exist and is not found is image node 0,
 * which is empty (IMAGE_FIRST). docs/decisions/0005-images-on-disk.md has the reasons and the numbers.
 *
 * thread  any
 */
#ifndef SAKER_ZONE_IMAGE_CHECK_H
#define SAKER_ZONE_IMAGE_CHECK_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "zone/image.h"
#include "zone/image_memory.h"

/* image_check - goes over the whole image once.
 *
 * shape   section_len: octets that the sections have; each begins at a multiple of 8
 * errors  STATUS_REFUSED: why_out says what is wrong; STATUS_MEMORY
 * cost    linear; a bit of memory for each unit of nodes and blocks
 */
MUST_USE enum status image_check(const struct image *image,
	const uint64_t section_len[IMAGE_SECTIONS], const char **why_out);

#endif
