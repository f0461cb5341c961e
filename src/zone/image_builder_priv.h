/* image_builder_priv.h - a build under way, shared by image_builder.c and image_parts.c.
 *
 * thread  one owner
 */
#ifndef SAKER_ZONE_IMAGE_BUILDER_PRIV_H
#define SAKER_ZONE_IMAGE_BUILDER_PRIV_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "zone/block.h"
#include "zone/gather.h"
#include "zone/image_builder.h"
#include "zone/image_memory.h"
#include "zone/image_tables.h"
#include "zone/intern.h"

/* The cut or DNAME that the owners at hand stand below. */
struct cut {
	uint32_t node; /* 0: none */
	uint8_t labels;
	uint8_t depth; /* as struct image_node has it */
	bool is_dname;
	uint32_t host_count; /* servers of the cut whose addresses are all in its glue */
	struct cut_host {
		uint8_t len;
		uint8_t name[NAME_LEN_MAX]; /* labels below the apex, lower case */
	} hosts[BLOCK_HOSTS_MAX];
};

struct builder {
	const struct collect *collect;
	struct semantic *semantic;
	struct image image; /* its sections are the regions, while they grow */
	struct image_memory *memory;
	struct image_tables tables;
	struct gather gather, ahead;
	struct block block;
	struct intern intern;
	struct block_set *sets; /* owns: of the owner at hand */
	uint32_t set_cap;
	uint32_t path[NAME_LABELS_MAX +
		      1]; /* nodes from the apex to the last owner, by labels below the apex */
	const uint8_t *last_name; /* of the last owner that is a node; in the log */
	uint8_t last_labels, last_len;
	struct cut cut;
	bool has_chain; /* the apex names an NSEC3 chain */
};

/* image_builder_begin - all that a build before this one has left is gone. errors: STATUS_MEMORY */
MUST_USE enum status image_builder_begin(struct builder *builder, const struct collect *collect,
	struct semantic *semantic, const struct hash_key *key);

/* image_builder_stand_in - a builder that has begun knows of the apex what the whole one has found, and has a node for it.
 *
 * errors  STATUS_LIMIT
 */
MUST_USE enum status image_builder_stand_in(struct builder *builder, const struct builder *whole);

/* image_builder_take - nodes and blocks of the owners of runs [from, to), none of which is the apex.
 *
 * shape   from, to: where an owner begins (gather_border())
 * errors  as image_builder_make(), but for STATUS_REFUSED
 */
MUST_USE enum status image_builder_take(struct builder *builder, uint64_t from, uint64_t to);

/* image_builder_put - room for len octets at the end of a section, which stays a multiple of IMAGE_UNIT; NULL when
 * references end.
 */
MUST_USE uint8_t *image_builder_put(
	struct builder *builder, enum image_section section, uint64_t len);

#endif
