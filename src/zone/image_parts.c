/* image_parts.c - a builder for each part, and one behind the other in the end. */
#include "zone/image_parts.h"

#include <string.h>

#include "base/diaglog.h"
#include "os/thread.h"
#include "zone/image_builder_priv.h"

#define PARTS_MAX COLLECT_PARTS_MAX
/* Runs of a part at least: a thread and its sections cost as much as some hundred owners. A guess. */
#define RUNS_MIN 2048u

struct part {
	struct builder *builder; /* owns */
	struct semantic semantic;
	struct diag_sink sink;
	struct diaglog complaints; /* until those of the parts before are told */
	uint64_t from, to;         /* runs */
	uint64_t nodes_from;       /* octets of nodes that are none of this part: the stand-in's */
	enum status status;
	struct thread thread;
};

static void work(void *context)
{
	struct part *part = context;

	/* At the priority of the caller, who has as much to do and has to wait for the last one. */
	part->status = image_builder_take(part->builder, part->from, part->to);
}

static void part_fini(struct part *part)
{
	image_builder_free(part->builder);
	diaglog_fini(&part->complaints);
}

/* False: no memory or no thread, and nothing is left of the part. */
static bool part_start(struct part *part, const struct builder *whole, uint64_t from, uint64_t to)
{
	const struct semantic *semantic = whole->semantic;

	*part = (struct part){.builder = image_builder_new(), .from = from, .to = to};
	diaglog_init(&part->complaints);
	part->sink = (struct diag_sink){.report = diaglog_keep, .context = &part->complaints};
	part->semantic = (struct semantic){
		.collect = semantic->collect, .file = semantic->file, .sink = &part->sink};
	if (part->builder != NULL &&
		image_builder_begin(part->builder, whole->collect, &part->semantic,
			&whole->image.header.key) == STATUS_OK &&
		image_builder_stand_in(part->builder, whole) == STATUS_OK) {
		part->nodes_from = part->builder->memory->regions[IMAGE_SECTION_NODES].len;
		if (thread_start(&part->thread, "saker-build", work, part) == STATUS_OK) {
			return true;
		}
	}
	part_fini(part);
	return false;
}

/* A section of the part, but for its first octets, behind that of the whole; NULL: references end. */
static uint8_t *append(struct builder *whole, const struct builder *part,
	enum image_section section, uint64_t skip)
{
	const struct region *region = &part->memory->regions[section];
	uint8_t *out = image_builder_put(whole, section, region->len - skip);

	if (out != NULL) {
		memcpy(out, region->start + skip, region->len - skip);
	}
	return out;
}

/* Nodes from one reference on name the blocks where these are now. */
static void move_references(const struct image *image, uint32_t from, uint32_t end, uint32_t blocks)
{
	for (uint32_t ref = from; ref != end; ref = image_node_next(image, ref)) {
		const struct image_node *node = image_node(image, ref);
		uint32_t *refs = (uint32_t *)(uintptr_t)image_node_blocks(node);
		for (uint32_t i = 0; i < node->set_count; i++) {
			refs[i] += blocks;
		}
	}
}

static struct image_node *apex_of(const struct builder *builder)
{
	return (struct image_node *)(uintptr_t)image_node(&builder->image, builder->path[0]);
}

static void add_counts(struct image_counts *counts, const struct image_counts *more)
{
	counts->records += more->records;
	counts->rrsets += more->rrsets;
	counts->owners += more->owners;
	counts->delegations += more->delegations;
}

/* Puts a part that is built behind what is there of the whole. */
static enum status join(struct builder *whole, struct part *part)
{
	struct builder *builder = part->builder;
	const struct region *regions = whole->memory->regions;
	uint64_t nodes_before = regions[IMAGE_SECTION_NODES].len;
	uint64_t blocks_before = regions[IMAGE_SECTION_BLOCKS].len;
	uint64_t blocks_from = (uint64_t)IMAGE_FIRST * IMAGE_UNIT;

	if (append(whole, builder, IMAGE_SECTION_BLOCKS, blocks_from) == NULL ||
		append(whole, builder, IMAGE_SECTION_NODES, part->nodes_from) == NULL) {
		return STATUS_LIMIT;
	}
	uint32_t nodes = (uint32_t)((nodes_before - part->nodes_from) / IMAGE_UNIT);
	uint32_t blocks = (uint32_t)((blocks_before - blocks_from) / IMAGE_UNIT);
	move_references(&whole->image, (uint32_t)(nodes_before / IMAGE_UNIT),
		(uint32_t)(regions[IMAGE_SECTION_NODES].len / IMAGE_UNIT), blocks);
	apex_of(whole)->flags |= apex_of(builder)->flags & (IMAGE_NODE_PARENT | IMAGE_NODE_WILD);
	add_counts(&whole->image.header.counts, &builder->image.header.counts);
	whole->gather.duplicates += builder->gather.duplicates;
	builder->tables.node_count--; /* the stand-in */
	return image_tables_join(&whole->tables, &builder->tables, nodes, blocks);
}

static enum status finish(struct builder *whole, struct part *part)
{
	enum status status = part->status;

	if (status == STATUS_OK) {
		semantic_join(whole->semantic, &part->semantic, &part->complaints);
		status = part->complaints.is_cut ? STATUS_MEMORY : join(whole, part);
	}
	return status;
}

enum status image_parts_take(struct builder *builder, uint64_t from, uint32_t threads)
{
	const struct collect *collect = builder->collect;
	uint64_t runs = collect->run_count - from;
	uint64_t count = runs / RUNS_MIN < threads ? runs / RUNS_MIN : threads;
	struct part parts[PARTS_MAX];
	uint64_t borders[PARTS_MAX + 1];
	uint32_t started = 1;

	count = count < PARTS_MAX ? count : PARTS_MAX;
	for (uint32_t i = 1; i < count; i++) {
		borders[i] = gather_border(collect, from + runs * i / count);
	}
	borders[count > 0 ? count : 1] = collect->run_count;
	/* Where a part cannot be had, the one before ends where the whole does. */
	uint64_t own_end = collect->run_count;
	for (uint32_t i = (uint32_t)count; i > 1; i--) {
		if (borders[i - 1] == own_end) {
			continue;
		}
		if (!part_start(&parts[started], builder, borders[i - 1], own_end)) {
			break;
		}
		started++;
		own_end = borders[i - 1];
	}
	enum status status = image_builder_take(builder, from, own_end);
	/* They were started from the last to the first. */
	for (uint32_t i = started - 1; i > 0; i--) {
		thread_join(&parts[i].thread);
	}
	for (uint32_t i = started - 1; i > 0; i--) {
		if (status == STATUS_OK) {
			status = finish(builder, &parts[i]);
		}
		part_fini(&parts[i]);
	}
	return status;
}
