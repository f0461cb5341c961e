/* image_print.c - an image as text. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zone/image.h"
#include "zone/image_glue.h"
#include "zone/load.h"
#include "zone/order.h"
#include "zonefile/rdata_text.h"

#define TYPE_UNKNOWN 0u /* no type (RFC 6895 sec 3.1): printed as RFC 3597 sec 5 says */

struct printer {
	const struct image *image;
	FILE *out;
	struct image_record record;
	char text[RDATA_TEXT_MAX];
	const struct image_node *cut; /* whose hosts without a node are in glue */
	struct image_glue glue;
	uint32_t glue_next;
};

static void print_record(struct printer *printer, const char *owner)
{
	const struct image_record *record = &printer->record;
	char type[RRTYPE_TEXT_MAX];

	/* An image from disk may hold what no text gave. */
	bool is_good = rdata_check(record->type, record->rdata, record->rdata_len) == WIRE_OK;
	rdata_text_print(is_good ? record->type : TYPE_UNKNOWN, record->rdata, record->rdata_len,
		printer->text, sizeof(printer->text));
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

/* The length of the labels that lead a block with its own owner name. */
static uint32_t owner_len(const struct image_block *block)
{
	return image_block_fixes(block)[0]; /* the pointer to the apex */
}

/* An NSEC3 record; its owner name leads its block. */
static void print_owned(struct printer *printer, uint32_t ref)
{
	const struct image *image = printer->image;
	const struct image_block *block = image_block(image, ref);
	const uint8_t *labels = image_block_octets(block);
	uint32_t len = owner_len(block);
	uint32_t count = 0;
	struct name name, apex;
	char owner[NAME_TEXT_MAX];

	image_apex_name(image, &apex);
	for (uint32_t at = 0; at < len; at += labels[at] + 1u) {
		count++;
	}
	if (name_join(labels, len, count, &apex, &name) == WIRE_OK) {
		name_to_text(&name, owner);
		print_block(printer, image_node(image, image->header.apex), ref, owner);
	}
}

/* The blocks of one table of NSEC3 records, in canonical order. */
struct table {
	const uint32_t *blocks;
	uint32_t count;
	uint32_t next;
};

static int compare_heads(const struct image *image, const struct table *a, const struct table *b)
{
	const struct image_block *left = image_block(image, a->blocks[a->next]);
	const struct image_block *right = image_block(image, b->blocks[b->next]);

	return order_compare(image_block_octets(left), owner_len(left), image_block_octets(right),
		owner_len(right));
}

/* The hosts of the cut at hand that stand before a node; all that are left where node is NULL. */
static void print_glue_until(struct printer *printer, const struct image_node *node)
{
	const struct image *image = printer->image;
	struct image_glue *glue = &printer->glue;

	for (; printer->glue_next < glue->count; printer->glue_next++) {
		const struct name *owner = &glue->hosts[printer->glue_next].owner;
		struct image_walk walk;
		char text[NAME_TEXT_MAX];
		if (node != NULL &&
			order_compare(owner->octets, owner->len - image->header.apex_len,
				image_node_name(node), node->name_len) > 0) {
			return;
		}
		name_to_text(owner, text);
		image_glue_walk(&walk, image, printer->cut, glue, printer->glue_next);
		while (image_glue_next(&walk, &printer->record)) {
			print_record(printer, text);
		}
	}
}

/* Prints what stands before a node in canonical order; all that is left where node is NULL. */
static void print_until(
	struct printer *printer, struct table tables[2], const struct image_node *node)
{
	const struct image *image = printer->image;

	for (;;) {
		struct table *table = NULL;
		for (uint32_t i = 0; i < 2; i++) {
			if (tables[i].next < tables[i].count &&
				(table == NULL || compare_heads(image, &tables[i], table) < 0)) {
				table = &tables[i];
			}
		}
		if (table == NULL) {
			return;
		}
		const struct image_block *block = image_block(image, table->blocks[table->next]);
		if (node != NULL && order_compare(image_block_octets(block), owner_len(block),
					    image_node_name(node), node->name_len) > 0) {
			return;
		}
		print_owned(printer, table->blocks[table->next++]);
	}
}

enum status image_print(const struct image *image, FILE *out)
{
	const struct image_header *header = &image->header;
	struct printer *printer = malloc(sizeof(*printer));
	struct table tables[2] = {{.blocks = image->nsec3_blocks, .count = header->nsec3_count},
		{.blocks = image->loose_blocks, .count = header->loose_count}};

	if (printer == NULL) {
		return STATUS_MEMORY;
	}
	printer->image = image;
	printer->out = out;
	printer->glue.count = printer->glue_next = 0;
	for (uint32_t ref = IMAGE_FIRST; ref != header->nodes_end;
		ref = image_node_next(image, ref)) {
		const struct image_node *node = image_node(image, ref);
		print_glue_until(printer, node);
		print_until(printer, tables, node);
		print_node(printer, node);
		if ((node->flags & IMAGE_NODE_CUT) != 0) {
			printer->cut = node;
			printer->glue_next = 0;
			image_glue_init(&printer->glue, image, node);
		}
	}
	print_glue_until(printer, NULL);
	print_until(printer, tables, NULL);
	free(printer);
	return ferror(out) != 0 ? STATUS_IO : STATUS_OK;
}
