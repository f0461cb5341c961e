/* block.h - prepares one RRset for the image: wire form, and where compression pointers go.
 *
 * thread  a struct block has one owner
 */
#ifndef SAKER_ZONE_BLOCK_H
#define SAKER_ZONE_BLOCK_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "zone/collect.h"
#include "zone/image.h"

#define BLOCK_FIXES_MAX                                                                            \
	255u /* what struct image_block can count of each part; more makes a large block */
#define BLOCK_TARGETS_MAX                                                                          \
	13u /* as many servers as the root has; more addresses would not fit an answer */
#define BLOCK_SUFFIXES_MAX                                                                         \
	64u /* names remembered for compression inside a block: 13 NS of 4 labels and some */

/* One RRset of an owner, as indexes of the collection's records. */
struct block_set {
	uint16_t type;
	uint32_t first, count;
	uint32_t sig_first, sig_count; /* the RRSIGs that cover it */
};

/* block_sets - lists the RRsets of an owner that the tree of names holds (no NSEC3); returns how many.
 *
 * shape   out: room for cap sets or NULL to count only; signatures without an RRset make a set with count 0
 */
uint32_t block_sets(const struct collect *collect, const struct collect_owner *owner,
	struct block_set *out, uint32_t cap);

struct block {
	uint8_t *octets; /* owns: the records */
	uint32_t len, cap;
	uint32_t plain_len;
	uint32_t plain_count, tail_count;
	uint32_t plain_fixes, fix_count;
	struct image_fix fixes[2 * BLOCK_FIXES_MAX];
	uint32_t target_count;
	struct image_target targets[BLOCK_TARGETS_MAX];
	uint32_t suffix_count;
	struct {
		uint64_t name; /* offset in the collection's pool */
		uint16_t at;   /* in octets */
		uint8_t len;
	} suffixes[BLOCK_SUFFIXES_MAX];
	uint16_t type;
	uint8_t flags; /* enum image_block_flag */
};

void block_init(struct block *block);
void block_fini(struct block *block);

/* block_make - one RRset with its signatures, or at a cut the NS set with the glue from below it.
 *
 * shape   ttl_max: a cap on every TTL (for the negative SOA), WIRE_TTL_MAX for none
 *         image: nodes and buckets are in place, since targets refer to them
 * effect  block holds the result until the next call
 * errors  STATUS_MEMORY
 */
MUST_USE enum status block_make(struct block *block, const struct collect *collect,
	const struct image *image, const struct collect_owner *owner, const struct block_set *set,
	uint32_t ttl_max);

/* block_make_nsec3 - the NSEC3 record at index record; its owner name leads the block.
 *
 * shape   owner: below the apex; with_sigs: with the signatures of the owner's NSEC3 records
 *
 * errors  STATUS_MEMORY; STATUS_LIMIT: more signatures than an answer can hold
 */
MUST_USE enum status block_make_nsec3(struct block *block, const struct collect *collect,
	const struct collect_owner *owner, uint32_t record, bool with_sigs);

/* block_image_len - octets that block_write() will write; a multiple of IMAGE_UNIT. */
uint32_t block_image_len(const struct block *block);

/* block_write - the block as the image holds it, to out. */
void block_write(const struct block *block, uint8_t *out);

#endif
