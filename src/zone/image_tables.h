/* image_tables.h - the sections of an image that need all names: buckets, targets, and the tables for denial.
 *
 * thread  one owner
 */
#ifndef SAKER_ZONE_IMAGE_TABLES_H
#define SAKER_ZONE_IMAGE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "zone/block.h"
#include "zone/collect.h"
#include "zone/image.h"
#include "zone/image_memory.h"

struct image_tables {
	struct image_memory *memory; /* borrows: the builder's */
	uint32_t node_count;
	uint32_t nsec_count, nsec3_count, loose_count;
	struct region targets; /* hosts whose nodes are to be found, see image_tables.c */
};

/* image_tables_init - errors: STATUS_MEMORY */
MUST_USE enum status image_tables_init(struct image_tables *tables);
void image_tables_fini(struct image_tables *tables);

/* image_tables_begin - for a new image in memory. */
void image_tables_begin(struct image_tables *tables, struct image_memory *memory);

/* image_tables_add_nsec - a node with an NSEC record; called in canonical order. errors: STATUS_LIMIT */
MUST_USE enum status image_tables_add_nsec(
	struct image_tables *tables, uint64_t prefix, uint32_t node);

/* image_tables_add_nsec3 - a record of the chain; called in rising order of hashes. errors: STATUS_LIMIT */
MUST_USE enum status image_tables_add_nsec3(
	struct image_tables *tables, const uint8_t hash[IMAGE_NSEC3_LEN], uint32_t block);

/* image_tables_add_loose - an NSEC3 record outside the chain; called in canonical order. errors: STATUS_LIMIT */
MUST_USE enum status image_tables_add_loose(struct image_tables *tables, uint32_t block);

/* image_tables_add_target - the node of a host is to be put into a target of a block. errors: STATUS_LIMIT */
MUST_USE enum status image_tables_add_target(struct image_tables *tables, uint32_t block,
	uint32_t target, const struct block_host *host);

/* image_tables_find_chain - the chain that an NSEC3PARAM at the apex names (RFC 5155 sec 4); false: there is none. */
bool image_tables_find_chain(
	struct image *image, const struct collect_owner *apex, uint8_t salt_out[UINT8_MAX]);

/* image_tables_chained - which item of an owner is the NSEC3 record of that chain, and its hash; UINT32_MAX: none. */
uint32_t image_tables_chained(const struct image *image, const struct collect_owner *owner,
	uint8_t hash[IMAGE_NSEC3_LEN]);

/* image_tables_finish - all nodes and blocks are there: makes the rest, and sets what the image says of it.
 *
 * errors  STATUS_LIMIT
 */
MUST_USE enum status image_tables_finish(struct image_tables *tables, struct image *image);

/* image_tables_join - what the tables of a part have behind what these have.
 *
 * shape   nodes, blocks: what is added to the part's references, modulo 2^32
 * errors  STATUS_LIMIT
 */
MUST_USE enum status image_tables_join(struct image_tables *tables, const struct image_tables *part,
	uint32_t nodes, uint32_t blocks);

/* image_tables_rehash - fills the buckets of an image anew, for the key that its header has now.
 *
 * shape   image: checked (image_check.h), and still writable
 * errors  false: it has not as many buckets as its names want, and they might not find room
 * cost    a hash and a bucket for each name
 */
MUST_USE bool image_tables_rehash(struct image *image);

#endif
