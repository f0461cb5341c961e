/* image_measure.c - adds up. */
#include "zone/image_measure.h"

#include <stdlib.h>

#include "zone/image.h"
#include "zone/image_glue.h"

#define RECORD_FIXED_LEN 10u /* type, class, TTL, RDLENGTH */

struct measure {
	const struct image *image;
	uint64_t wire_len;
	struct image_record record;
	struct image_glue glue;
};

static void add_block(
	struct measure *measure, const struct image_node *node, uint32_t ref, uint32_t owner_len)
{
	bool glue = (image_block(measure->image, ref)->flags & IMAGE_BLOCK_GLUE) != 0;
	struct image_walk walk;

	image_walk_init(&walk, measure->image, node, ref);
	while (image_walk_next(&walk, &measure->record)) {
		if (!(glue && measure->record.in_tail)) { /* glue is counted at its own owner */
			measure->wire_len +=
				owner_len + RECORD_FIXED_LEN + measure->record.rdata_len;
		}
	}
}

/* Hosts that stand in no node. */
static void add_glue(struct measure *measure, const struct image_node *cut)
{
	struct image_walk walk;

	image_glue_init(&measure->glue, measure->image, cut);
	for (uint32_t i = 0; i < measure->glue.count; i++) {
		image_glue_walk(&walk, measure->image, cut, &measure->glue, i);
		while (image_glue_next(&walk, &measure->record)) {
			measure->wire_len += measure->record.glue_owner.len + RECORD_FIXED_LEN +
					     measure->record.rdata_len;
		}
	}
}

/* NSEC3 records: what leads their block stands before the apex. */
static void add_table(struct measure *measure, const uint32_t *blocks, uint32_t count)
{
	const struct image *image = measure->image;
	const struct image_node *apex = image_node(image, image->header.apex);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t own = image_block_fixes(image_block(image, blocks[i]))[0];
		add_block(measure, apex, blocks[i], own + image->header.apex_len);
	}
}

enum status image_measure(const struct image *image, struct image_measure *out)
{
	const struct image_header *header = &image->header;
	struct measure *measure = malloc(sizeof(*measure));

	if (measure == NULL) {
		return STATUS_MEMORY;
	}
	measure->image = image;
	measure->wire_len = 0;
	for (uint32_t ref = IMAGE_FIRST; ref != header->nodes_end;
		ref = image_node_next(image, ref)) {
		const struct image_node *node = image_node(image, ref);
		for (uint32_t i = 0; i < node->set_count; i++) {
			add_block(measure, node, image_node_blocks(node)[i],
				(uint32_t)node->name_len + header->apex_len);
		}
		add_glue(measure, node);
	}
	add_table(measure, image->nsec3_blocks, header->nsec3_count);
	add_table(measure, image->loose_blocks, header->loose_count);
	*out = (struct image_measure){.wire_len = measure->wire_len};
	free(measure);
	image_memory_lens(image, out->section_len);
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		out->image_len += out->section_len[i];
	}
	return STATUS_OK;
}

const char *image_measure_section(enum image_section section)
{
	static const char *const names[IMAGE_SECTIONS] = {
		[IMAGE_SECTION_BUCKETS] = "buckets",
		[IMAGE_SECTION_NSEC_KEYS] = "nsec-keys",
		[IMAGE_SECTION_NODES] = "nodes",
		[IMAGE_SECTION_BLOCKS] = "blocks",
		[IMAGE_SECTION_NSEC_NODES] = "nsec-nodes",
		[IMAGE_SECTION_NSEC3_BLOCKS] = "nsec3-blocks",
		[IMAGE_SECTION_NSEC3_HASHES] = "nsec3-hashes",
		[IMAGE_SECTION_LOOSE_BLOCKS] = "loose-blocks",
		[IMAGE_SECTION_APEX] = "apex",
	};

	return names[section];
}
