/* block.h - prepares one RRset for the image: wire form, and where compression pointers go.
 *
 * thread  a struct block has one owner
 */
#ifndef SAKER_ZONE_BLOCK_H
#define SAKER_ZONE_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "zone/collect.h"
#include "zone/image.h"

#define BLOCK_FIXES_MAX                                                                            \
	255u /* what struct image_block can count of each part; more makes a large block */
#define BLOCK_HOSTS_MAX                                                                            \
	13u /* as many servers as the root has; more addresses would not fit an answer */
#define BLOCK_SUFFIXES_MAX                                                                         \
	64u /* names remembered for compression inside a block: 13 NS of 4 labels and some */

/* One RRset of an owner, as indexes of its items. */
struct block_set {
	uint16_t type;
	uint32_t first, count;
	uint32_t sig_first, sig_count; /* the RRSIGs that cover it */
};

/* The owner whose sets are made. */
struct block_owner {
	const struct collect_owner *records;
	const struct name *origin; /* lower case */
	struct name name;          /* lower case */
	uint32_t
		anchor_labels; /* suffixes of the name up to this many labels stand in every answer */
	bool is_cut;           /* glue takes the place of the NS set's signatures */
};

/* block_owner_init - records and origin are borrowed. */
void block_owner_init(struct block_owner *owner, const struct collect_owner *records,
	const struct name *origin, bool is_cut);

/* block_sets - lists the RRsets of an owner that the tree of names holds (no NSEC3); returns how many.
 *
 * shape   out: room for cap sets or NULL to count only; signatures without an RRset make a set with count 0
 */
uint32_t block_sets(const struct block_owner *owner, struct block_set *out, uint32_t cap);

/* A name in the RDATA for which this zone may have addresses. */
struct block_host {
	const struct collect_item *item;
	uint8_t name[NAME_LEN_MAX]; /* labels below the apex, lower case */
	uint8_t name_len;
	uint16_t at;  /* fix-up value by which its owner name is pointed to */
	uint16_t off; /* of the name in the block */
};

struct block {
	uint8_t *octets; /* owns: the records */
	uint32_t len, cap;
	uint32_t plain_len;
	uint32_t plain_count, tail_count;
	uint32_t plain_fixes, fix_count;
	uint16_t fixes[2 * BLOCK_FIXES_MAX];
	uint32_t target_count;
	struct image_target targets[BLOCK_HOSTS_MAX];
	uint32_t host_count;
	struct block_host hosts[BLOCK_HOSTS_MAX];
	uint32_t suffix_count;
	struct {
		const uint8_t *name; /* borrows: RDATA */
		uint16_t at;         /* in octets */
		uint8_t len;
	} suffixes[BLOCK_SUFFIXES_MAX];
	bool is_shareable; /* the same octets mean the same targets for every owner */
	uint16_t type;
	uint8_t flags; /* enum image_block_flag */
};

void block_init(struct block *block);
void block_fini(struct block *block);

/* block_make - one RRset with its signatures; of the NS set at a cut the NS records alone.
 *
 * shape   ttl_max: a cap on every TTL (for the negative SOA), WIRE_TTL_MAX for none
 * effect  block holds the result until the next call; hosts are the names to be made glue or targets
 * errors  STATUS_MEMORY
 */
MUST_USE enum status block_make(struct block *block, const struct block_owner *owner,
	const struct block_set *set, uint32_t ttl_max);

/* block_add_glue - the addresses of a host below the cut, as a part of the tail.
 *
 * shape   addresses: the owner of that name
 * effect  count_out: how many of them the block has taken
 * errors  STATUS_MEMORY
 */
MUST_USE enum status block_add_glue(struct block *block, const struct block_owner *owner,
	const struct block_host *host, const struct collect_owner *addresses, uint32_t *count_out);

/* block_add_target - a host whose addresses are looked up when asked; its node is filled in later. */
void block_add_target(struct block *block, const struct block_host *host);

/* block_make_nsec3 - one NSEC3 record; its owner name leads the block.
 *
 * shape   owner: below the apex; item: index; with_sigs: with the signatures of the owner's NSEC3 records
 * errors  STATUS_MEMORY; STATUS_LIMIT: more signatures than an answer can hold
 */
MUST_USE enum status block_make_nsec3(
	struct block *block, const struct block_owner *owner, uint32_t item, bool with_sigs);

/* block_image_len - octets that block_write() will write; a multiple of IMAGE_UNIT. */
uint32_t block_image_len(const struct block *block);

/* block_write - the block as the image holds it, to out. */
void block_write(const struct block *block, uint8_t *out);

#endif
