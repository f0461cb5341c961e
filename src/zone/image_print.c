/* image_print.c - an image as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/rrtype.h"
#include "zone/image.h"
#include "zone/load.h"
#include "zone/order.h"
#include "zonefile/rdata_text.h"

struct printer {
	const struct image *image;
	FILE *out;
	struct image_record record;
	char text[RDATA_TEXT_MAX];
};

static void print_record(struct printer *printer, const char *owner)
{
	const struct image_record *record = &printer->record;
	char type[RRTYPE_TEXT_MAX];

	rdata_text_print(record->type, record->rdata, record->rdata_len, printer->text,
		sizeof(printer->text));
	fprintf(printer->out, "%s\t%u\tIN\t%s\t%s\n", owner, record->ttl,
		rrtype_to_text(record->type, type), printer->text);
}

static void print_block(
	struct printer *printer, const struct image_node *node, uint32_t block, const char *owner)
{
	struct image_walk walk;
	bool glue = (image_block(printer->image, block)->flags & IMAGE_BLOCK_GLUE) != 0;

	image_walk_init(&walk, printer->image, node, block);
	while (image_walk_next(&walk, &printer->record)) {
		if (!(glue && printer->record.in_tail)) { /* glue stands at its own owner, too */
			print_record(printer, owner);
		}
	}
}

static void print_node(struct printer *printer, const struct image_node *node)
{
	struct name name;
	char owner[NAME_TEXT_MAX];

	image_node_full_name(printer->image, node, true, &name);
	name_to_text(&name, owner);
	/* The SOA leads, so that the text can be read again by any server. */
	uint32_t soa = image_node_set(node, RRTYPE_SOA);
	if (soa != 0) {
		print_block(printer, node, soa, owner);
	}
	for (uint32_t i = 0; i < node->set_count; i++) {
		if (image_node_types(node)[i] != RRTYPE_SOA) {
			print_block(printer, node, image_node_blocks(node)[i], owner);
		}
	}
}

/* The NSEC3 record at an index; its owner name leads its block. */
static void print_nsec3(struct printer *printer, uint32_t index)
{
	const struct image *image = printer->image;
	uint32_t ref = image_nsec3_block(image, index);
	const uint8_t *label = image_block_octets(image_block(image, ref));
	struct name name;
	char owner[NAME_TEXT_MAX];

	if (name_join(label, label[0] + 1u, 1, &image->header->name, &name) == WIRE_OK) {
		name_to_text(&name, owner);
		print_block(printer, image_node(image, image->header->apex), ref, owner);
	}
}

enum status image_print(const struct image *image, FILE *out)
{
	const struct image_header *header = image->header;
	struct printer *printer = malloc(sizeof(*printer));
	uint32_t nsec3 = 0;

	if (printer == NULL) {
		return STATUS_MEMORY;
	}
	printer->image = image;
	printer->out = out;
	for (uint32_t ref = header->nodes; ref != header->nodes_end;
		ref = image_node_next(image, ref)) {
		const struct image_node *node = image_node(image, ref);
		while (nsec3 < header->nsec3_count) {
			const uint8_t *label = image_block_octets(
				image_block(image, image_nsec3_block(image, nsec3)));
			if (order_compare(label, label[0] + 1u, image_node_name(node),
				    node->name_len) > 0) {
				break;
			}
			print_nsec3(printer, nsec3++);
		}
		print_node(printer, node);
	}
	while (nsec3 < header->nsec3_count) {
		print_nsec3(printer, nsec3++);
	}
	free(printer);
	return ferror(out) != 0 ? STATUS_IO : STATUS_OK;
}
