/* image_builder.c - lays a sorted collection out as an image.
 *
 * One pass over the owners in canonical order makes nodes and blocks, or a few passes at the same time over parts of them
 * (image_parts.c). The path from the apex to the last owner tells which empty non-terminals are missing, what lies below
 * a cut, and whose parent a name is. What needs all names to be there (buckets, targets of other owners, hashes of NSEC3)
 * comes after, in image_tables.c.
 */
#include "zone/image_builder_priv.h"

#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "wire/rrtype.h"
#include "zone/image_parts.h"
#include "zone/order.h"

#define SETS_MAX 65535u /* what a node can count */

static struct image_node *node_of(struct builder *builder, uint32_t ref)
{
	return (struct image_node *)(void *)(builder->memory->regions[IMAGE_SECTION_NODES].start +
					     (uint64_t)ref * IMAGE_UNIT);
}

uint8_t *image_builder_put(struct builder *builder, enum image_section section, uint64_t len)
{
	struct region *region = &builder->memory->regions[section];

	len = (len + IMAGE_UNIT - 1) & ~(uint64_t)(IMAGE_UNIT - 1);
	if (region->len + len > (uint64_t)UINT32_MAX * IMAGE_UNIT) {
		return NULL;
	}
	return region_add(region, len);
}

static uint32_t ref_of(const struct builder *builder, enum image_section section, const uint8_t *at)
{
	return (uint32_t)((uint64_t)(at - builder->memory->regions[section].start) / IMAGE_UNIT);
}

static enum status sets_of(
	struct builder *builder, const struct block_owner *owner, uint32_t *count_out)
{
	uint32_t count = block_sets(owner, builder->sets, builder->set_cap);

	if (count > builder->set_cap) {
		struct block_set *grown = realloc(builder->sets, count * sizeof(*grown));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		builder->sets = grown;
		builder->set_cap = count;
		block_sets(owner, builder->sets, builder->set_cap);
	}
	*count_out = count;
	return count > SETS_MAX ? STATUS_LIMIT : STATUS_OK;
}

/* Writes the block at hand behind what is there, or finds one with the same octets. */
static enum status put_block(struct builder *builder, uint32_t *ref_out)
{
	struct block *block = &builder->block;
	struct region *region = &builder->memory->regions[IMAGE_SECTION_BLOCKS];
	uint32_t len = block_image_len(block);
	uint8_t *out = image_builder_put(builder, IMAGE_SECTION_BLOCKS, len);

	if (out == NULL) {
		return STATUS_LIMIT;
	}
	block_write(block, out);
	*ref_out = ref_of(builder, IMAGE_SECTION_BLOCKS, out);
	bool shareable = (block->flags & IMAGE_BLOCK_LARGE) == 0 &&
			 (block->target_count == 0 || block->is_shareable);
	if (shareable) {
		uint32_t same;
		enum status status = intern_find(&builder->intern, region, *ref_out, len, &same);
		if (status != STATUS_OK) {
			return status;
		}
		if (same != *ref_out) {
			region->len -= len;
			memset(out, 0, len);
			*ref_out = same;
			return STATUS_OK;
		}
	}
	for (uint32_t i = 0, target = 0; i < block->host_count && target < block->target_count;
		i++) {
		if (block->hosts[i].off != block->targets[target].off) {
			continue; /* it became glue */
		}
		enum status status = image_tables_add_target(
			&builder->tables, *ref_out, target++, &block->hosts[i]);
		if (status != STATUS_OK) {
			return status;
		}
	}
	return STATUS_OK;
}

static bool is_below(const struct block_host *host, const struct collect_owner *cut)
{
	if (host->name_len < cut->name_len) {
		return false;
	}
	uint32_t at = 0;
	while (host->name_len - at > cut->name_len) {
		at += host->name[at] + 1u;
	}
	return host->name_len - at == cut->name_len &&
	       memcmp(host->name + at, cut->name, cut->name_len) == 0;
}

/* Are those all the records of an owner that is written as it is looked up? Then it needs no node: image_glue.h. */
static bool is_whole(const struct collect_owner *host, uint32_t address_count)
{
	return host->spelling == NULL && host->count == address_count;
}

static void note_host(struct cut *cut, const struct block_host *host)
{
	struct cut_host *noted = &cut->hosts[cut->host_count++];

	noted->len = host->name_len;
	memcpy(noted->name, host->name, host->name_len);
}

/* The servers of a cut: those below it bring their glue along, the others are targets. */
static enum status add_servers(
	struct builder *builder, const struct block_owner *owner, uint64_t next_run)
{
	struct block *block = &builder->block;

	for (uint32_t i = 0; i < block->host_count; i++) {
		const struct block_host *host = &block->hosts[i];
		if (!is_below(host, owner->records)) {
			block_add_target(block, host);
			continue;
		}
		struct collect_owner addresses = *owner->records;
		uint32_t count = 0;
		enum status status = STATUS_OK;
		/* The cut itself may be its own server: its items are at hand. Others come behind it. */
		bool itself = host->name_len == owner->records->name_len;
		uint64_t run = itself ? COLLECT_NONE
				      : gather_ahead(builder->collect, next_run, host->name,
						host->name_len);
		if (run != COLLECT_NONE) {
			status = gather_next(builder->collect, &builder->ahead, &run, &addresses);
		}
		if (status == STATUS_OK && (itself || run != COLLECT_NONE)) {
			status = block_add_glue(block, owner, host, &addresses, &count);
		}
		if (status != STATUS_OK) {
			return status;
		}
		if (count == 0) {
			semantic_no_glue(builder->semantic, owner->records, host->item);
		} else if (!itself && is_whole(&addresses, count)) {
			note_host(&builder->cut, host);
		}
	}
	return STATUS_OK;
}

static enum status make_soa_negative(
	struct builder *builder, const struct block_owner *apex, const struct block_set *set)
{
	const struct collect_item *soa = &apex->records->items[set->first];
	const uint8_t *end = soa->rdata + soa->rdata_len;

	builder->image.header.serial = octets_get_u32(end - 20);
	/* RFC 2308 sec 3: the smaller of the SOA's TTL and its minimum. */
	enum status status = block_make(&builder->block, apex, set, octets_get_u32(end - 4));
	return status == STATUS_OK ? put_block(builder, &builder->image.header.soa_negative)
				   : status;
}

static enum status make_set(struct builder *builder, const struct block_owner *owner,
	const struct block_set *set, uint64_t next_run, uint32_t *ref_out)
{
	struct block *block = &builder->block;
	enum status status = block_make(block, owner, set, WIRE_TTL_MAX);
	bool large = (block->flags & IMAGE_BLOCK_LARGE) != 0;

	if (status == STATUS_OK && set->type == RRTYPE_NS && owner->is_cut && set->count > 0 &&
		!large) {
		status = add_servers(builder, owner, next_run);
	} else if (status == STATUS_OK && !large) {
		for (uint32_t i = 0; i < block->host_count; i++) {
			block_add_target(block, &block->hosts[i]);
		}
	}
	builder->image.header.counts.rrsets += set->count > 0;
	return status == STATUS_OK ? put_block(builder, ref_out) : status;
}

/* The blocks of a node that is in its place. */
static enum status make_sets(struct builder *builder, const struct block_owner *owner,
	uint32_t node, uint32_t set_count, uint64_t next_run)
{
	bool apex = owner->records->labels == 0;

	for (uint32_t s = 0; s < set_count; s++) {
		const struct block_set set = builder->sets[s];
		uint32_t ref = 0;
		enum status status = make_set(builder, owner, &set, next_run, &ref);
		/* The node does not move: regions grow in place. */
		uint32_t *blocks = (uint32_t *)(uintptr_t)image_node_blocks(node_of(builder, node));
		blocks[s] = ref;
		if (status == STATUS_OK && apex && set.type == RRTYPE_SOA && set.count > 0) {
			status = make_soa_negative(builder, owner, &set);
		}
		if (apex && set.type == RRTYPE_DNSKEY) {
			builder->image.header.is_signed = set.sig_count > 0;
		}
		if (status != STATUS_OK) {
			return status;
		}
	}
	return STATUS_OK;
}

/* A node of the tree, not yet with its blocks. */
static enum status put_node(struct builder *builder, const struct collect_owner *records,
	uint32_t flags, uint32_t cut_depth, uint32_t set_count, uint32_t *ref_out)
{
	bool denial = builder->has_chain && (flags & IMAGE_NODE_OCCLUDED) == 0;
	uint32_t spelled = records->spelling != NULL;
	uint64_t len = sizeof(struct image_node) + (denial ? sizeof(struct image_denial) : 0) +
		       set_count * (sizeof(uint32_t) + sizeof(uint16_t)) +
		       (uint64_t)records->name_len * (1 + spelled);
	uint8_t *out = image_builder_put(builder, IMAGE_SECTION_NODES, len);

	if (out == NULL) {
		return STATUS_LIMIT;
	}
	struct image_node *node = (struct image_node *)(void *)out;
	*node = (struct image_node){.flags = (uint16_t)(flags | (denial ? IMAGE_NODE_DENIAL : 0u) |
							(spelled != 0 ? IMAGE_NODE_SPELLED : 0u)),
		.label_count = (uint8_t)(builder->collect->origin.label_count + records->labels),
		.name_len = records->name_len,
		.cut_depth = (uint8_t)cut_depth,
		.set_count = (uint16_t)set_count};
	uint16_t *types = (uint16_t *)(uintptr_t)image_node_types(node);
	for (uint32_t s = 0; s < set_count; s++) {
		types[s] = builder->sets[s].type;
	}
	uint8_t *name = (uint8_t *)(uintptr_t)image_node_name(node);
	if (records->name_len != 0) {
		memcpy(name, records->name, records->name_len);
	}
	if (spelled != 0) {
		memcpy(name + records->name_len, records->spelling, records->name_len);
	}
	*ref_out = ref_of(builder, IMAGE_SECTION_NODES, out);
	builder->path[records->labels] = *ref_out;
	if (records->labels > 0) {
		node_of(builder, builder->path[records->labels - 1])->flags |= IMAGE_NODE_PARENT;
	}
	builder->tables.node_count++;
	return STATUS_OK;
}

/* Is the name, whose ancestors are on the path, below the cut? If not, we have left it. */
static bool below_cut(struct builder *builder, uint32_t labels)
{
	struct cut *cut = &builder->cut;

	if (cut->node != 0 && labels > cut->labels && builder->path[cut->labels] == cut->node) {
		return true;
	}
	cut->node = 0;
	return false;
}

/* How many labels, counted from the apex, a name shares with the last one. */
static uint32_t shared_labels(const struct builder *builder, const struct collect_owner *owner)
{
	uint8_t ours_at[NAME_LABELS_MAX + 1], last_at[NAME_LABELS_MAX + 1];
	uint32_t shared = 0;

	for (uint32_t i = 0, at = 0; at < owner->name_len; at += owner->name[at] + 1u) {
		ours_at[i++] = (uint8_t)at;
	}
	for (uint32_t i = 0, at = 0; at < builder->last_len; at += builder->last_name[at] + 1u) {
		last_at[i++] = (uint8_t)at;
	}
	while (shared < owner->labels && shared < builder->last_labels) {
		const uint8_t *ours = owner->name + ours_at[owner->labels - shared - 1];
		const uint8_t *last =
			builder->last_name + last_at[builder->last_labels - shared - 1];
		if (memcmp(ours, last, ours[0] + 1u) != 0) {
			break;
		}
		shared++;
	}
	return shared;
}

/* Every name between an owner and the apex exists (RFC 4592 sec 2.2.2). In canonical order what exists of them has
 * been passed just before and is on the path; the others become empty non-terminals.
 */
static enum status put_empty_non_terminals(
	struct builder *builder, const struct collect_owner *owner)
{
	uint32_t shared = shared_labels(builder, owner);

	for (uint32_t depth = shared + 1; depth < owner->labels; depth++) {
		uint32_t skip = 0;
		for (uint32_t i = owner->labels; i > depth; i--) {
			skip += owner->name[skip] + 1u;
		}
		const struct collect_owner empty = {.name = owner->name + skip,
			.name_len = (uint8_t)(owner->name_len - skip),
			.labels = (uint8_t)depth};
		bool below = below_cut(builder, depth);
		uint32_t ref;
		enum status status = put_node(builder, &empty,
			IMAGE_NODE_EMPTY | (below ? IMAGE_NODE_OCCLUDED : 0u),
			below ? builder->cut.depth : 0, 0, &ref);
		if (status != STATUS_OK) {
			return status;
		}
		if (empty.name[0] == 1 && empty.name[1] == '*' && !below) {
			node_of(builder, builder->path[depth - 1])->flags |= IMAGE_NODE_WILD;
		}
	}
	return STATUS_OK;
}

static uint32_t flags_of(const struct collect_owner *owner)
{
	uint32_t flags = owner->labels == 0 ? IMAGE_NODE_APEX : 0;
	uint32_t first;

	if (owner->labels != 0 && collect_owner_type(owner, RRTYPE_NS, &first) > 0) {
		flags |= IMAGE_NODE_CUT;
	}
	if (collect_owner_type(owner, RRTYPE_DNAME, &first) > 0) {
		flags |= IMAGE_NODE_DNAME;
	}
	if (collect_owner_type(owner, RRTYPE_CNAME, &first) > 0) {
		flags |= IMAGE_NODE_CNAME;
	}
	return flags;
}

/* Is the owner a server of the cut above it whose records are all in the cut's NS set? */
static bool lives_in_cut(const struct builder *builder, const struct collect_owner *owner)
{
	const struct cut *cut = &builder->cut;

	for (uint32_t i = 0; cut->node != 0 && i < cut->host_count; i++) {
		if (cut->hosts[i].len == owner->name_len &&
			memcmp(cut->hosts[i].name, owner->name, owner->name_len) == 0) {
			return true;
		}
	}
	return false;
}

static void take_glue(struct builder *builder, const struct collect_owner *owner)
{
	struct image_counts *counts = &builder->image.header.counts;

	semantic_owner(builder->semantic, owner, false);
	counts->owners++;
	counts->rrsets += owner->items[0].type != owner->items[owner->count - 1].type ? 2 : 1;
}

/* An owner that is a name of the zone's tree. */
static enum status take_node(
	struct builder *builder, const struct collect_owner *owner, uint64_t next_run)
{
	struct block_owner made;
	uint32_t set_count = 0, ref = 0;
	enum status status = put_empty_non_terminals(builder, owner);
	bool below = below_cut(builder, owner->labels);
	uint32_t flags = below ? IMAGE_NODE_OCCLUDED : flags_of(owner);
	uint32_t depth = below ? builder->cut.depth : 0;

	semantic_owner(builder->semantic, owner, below && builder->cut.is_dname);
	if ((flags & (IMAGE_NODE_CUT | IMAGE_NODE_DNAME)) != 0) {
		depth = 1u + builder->collect->origin.label_count + owner->labels;
	}
	block_owner_init(&made, owner, &builder->collect->origin, (flags & IMAGE_NODE_CUT) != 0);
	if (status == STATUS_OK) {
		status = sets_of(builder, &made, &set_count);
	}
	if (status == STATUS_OK) {
		status = put_node(builder, owner, flags, depth, set_count, &ref);
	}
	if (status != STATUS_OK) {
		return status;
	}
	if (owner->labels > 0 && owner->name[0] == 1 && owner->name[1] == '*' && !below) {
		node_of(builder, builder->path[owner->labels - 1])->flags |= IMAGE_NODE_WILD;
	}
	if (depth != 0 && !below) {
		builder->cut.node = ref;
		builder->cut.labels = owner->labels;
		builder->cut.depth = (uint8_t)depth;
		builder->cut.is_dname = (flags & IMAGE_NODE_CUT) == 0;
		builder->cut.host_count = 0;
	}
	builder->last_name = owner->name;
	builder->last_labels = owner->labels;
	builder->last_len = owner->name_len;
	builder->image.header.counts.owners++;
	builder->image.header.counts.delegations += (flags & IMAGE_NODE_CUT) != 0;
	uint32_t first;
	if (!below && collect_owner_type(owner, RRTYPE_NSEC, &first) > 0) {
		status = image_tables_add_nsec(&builder->tables, owner->prefix, ref);
	}
	return status == STATUS_OK ? make_sets(builder, &made, ref, set_count, next_run) : status;
}

/* The NSEC3 records of an owner go to tables of their own. */
static enum status take_nsec3(struct builder *builder, const struct collect_owner *owner)
{
	uint32_t first = 0;
	uint32_t count = collect_owner_type(owner, RRTYPE_NSEC3, &first);
	bool with_sigs = true; /* the owner's signatures go with its first record, chained or not */
	struct block_owner made;

	if (count == 0 || owner->labels == 0) {
		return STATUS_OK; /* an NSEC3 at the apex belongs to no chain: hashes stand below it */
	}
	block_owner_init(&made, owner, &builder->collect->origin, false);
	uint8_t hash[IMAGE_NSEC3_LEN];
	uint32_t chained = builder->has_chain ? image_tables_chained(&builder->image, owner, hash)
					      : UINT32_MAX;
	for (uint32_t pass = 0; pass < 2;
		pass++) { /* the chained one first: it takes the signatures */
		for (uint32_t i = first; i < first + count; i++) {
			if ((i == chained) != (pass == 0)) {
				continue;
			}
			uint32_t ref;
			enum status status = block_make_nsec3(&builder->block, &made, i, with_sigs);
			if (status == STATUS_OK) {
				status = put_block(builder, &ref);
			}
			if (status == STATUS_OK) {
				status = i == chained
						 ? image_tables_add_nsec3(
							   &builder->tables, hash, ref)
						 : image_tables_add_loose(&builder->tables, ref);
			}
			if (status != STATUS_OK) {
				return status;
			}
			with_sigs = false;
			builder->image.header.counts.rrsets++;
		}
	}
	return STATUS_OK;
}

/* Owners that hold nothing but NSEC3 records are no names of the zone's tree (RFC 5155 sec 7.2.8). */
static bool is_hashed(const struct collect_owner *owner)
{
	bool any = false;

	for (uint32_t i = 0; i < owner->count; i++) {
		const struct collect_item *item = &owner->items[i];
		bool nsec3 = item->type == RRTYPE_NSEC3;
		any |= nsec3;
		if (!nsec3 && !(item->type == RRTYPE_RRSIG && item->rdata_len >= 2 &&
				      octets_get_u16(item->rdata) == RRTYPE_NSEC3)) {
			return false;
		}
	}
	return any;
}

static enum status take_apex(
	struct builder *builder, const struct collect_owner *apex, uint64_t next_run)
{
	semantic_apex(builder->semantic, apex);
	uint8_t salt[UINT8_MAX];
	builder->has_chain = image_tables_find_chain(&builder->image, apex, salt);
	/* The salt stands right behind the name of the apex. */
	struct region *region = &builder->memory->regions[IMAGE_SECTION_APEX];
	region->len = builder->collect->origin.len;
	if (builder->has_chain && builder->image.header.nsec3_salt_len > 0) {
		uint8_t *out = image_builder_put(
			builder, IMAGE_SECTION_APEX, builder->image.header.nsec3_salt_len);
		if (out == NULL) {
			return STATUS_LIMIT;
		}
		memcpy(out, salt, builder->image.header.nsec3_salt_len);
	}
	return take_node(builder, apex, next_run);
}

enum status image_builder_take(struct builder *builder, uint64_t from, uint64_t to)
{
	enum status status = STATUS_OK;

	while (from < to && status == STATUS_OK) {
		struct collect_owner owner;
		status = gather_next(builder->collect, &builder->gather, &from, &owner);
		if (status != STATUS_OK) {
			break;
		}
		builder->image.header.counts.records += owner.count;
		if (lives_in_cut(builder, &owner)) {
			take_glue(builder, &owner);
			continue;
		}
		if (!is_hashed(&owner)) {
			status = take_node(builder, &owner, from);
		}
		if (status == STATUS_OK) {
			status = take_nsec3(builder, &owner);
		}
	}
	return status;
}

/* The apex comes first; behind_out: the run behind it. */
static enum status take_top(struct builder *builder, uint64_t *behind_out)
{
	const struct collect *collect = builder->collect;
	struct collect_owner owner = {.labels = 1};
	enum status status = STATUS_OK;

	*behind_out = 0;
	if (collect->run_count > 0) {
		status = gather_next(collect, &builder->gather, behind_out, &owner);
	}
	if (status == STATUS_OK && owner.labels != 0) {
		/* Nothing stands there: complain, and go on for what else there is to say. */
		*behind_out = 0;
		owner = (struct collect_owner){.name = (const uint8_t *)"", .labels = 0};
	}
	builder->image.header.counts.records += owner.count;
	return status == STATUS_OK ? take_apex(builder, &owner, *behind_out) : status;
}

enum status image_builder_stand_in(struct builder *builder, const struct builder *whole)
{
	const struct collect_owner apex = {.name = (const uint8_t *)"", .labels = 0};
	uint32_t ref;

	if (image_builder_put(builder, IMAGE_SECTION_NODES, (uint64_t)IMAGE_FIRST * IMAGE_UNIT) ==
			NULL ||
		image_builder_put(builder, IMAGE_SECTION_BLOCKS,
			(uint64_t)IMAGE_FIRST * IMAGE_UNIT) == NULL) {
		return STATUS_LIMIT;
	}
	enum status status = put_node(builder, &apex, IMAGE_NODE_APEX, 0, 0, &ref);
	builder->cut = whole->cut; /* a DNAME at the apex, or none */
	builder->cut.node = whole->cut.node != 0 ? ref : 0;
	builder->has_chain = whole->has_chain;
	builder->image.apex = whole->image.apex;
	builder->image.header.nsec3_iterations = whole->image.header.nsec3_iterations;
	builder->image.header.nsec3_salt_len = whole->image.header.nsec3_salt_len;
	return status;
}

static enum status build(struct builder *builder, uint32_t threads)
{
	uint8_t *apex =
		image_builder_put(builder, IMAGE_SECTION_APEX, builder->collect->origin.len);

	if (apex == NULL) {
		return STATUS_LIMIT;
	}
	memcpy(apex, builder->collect->origin.octets, builder->collect->origin.len);
	if (image_builder_put(builder, IMAGE_SECTION_NODES, (uint64_t)IMAGE_FIRST * IMAGE_UNIT) ==
			NULL ||
		image_builder_put(builder, IMAGE_SECTION_BLOCKS,
			(uint64_t)IMAGE_FIRST * IMAGE_UNIT) == NULL) {
		return STATUS_LIMIT;
	}
	uint64_t behind;
	enum status status = take_top(builder, &behind);
	if (status == STATUS_OK) {
		status = image_parts_take(builder, behind, threads);
	}
	if (status == STATUS_OK && !semantic_finish(builder->semantic)) {
		status = STATUS_REFUSED;
	}
	if (status != STATUS_OK) {
		return status;
	}
	builder->image.header.apex = builder->path[0];
	builder->image.header.nodes_end =
		(uint32_t)(builder->memory->regions[IMAGE_SECTION_NODES].len / IMAGE_UNIT);
	builder->image.header.blocks_end =
		(uint32_t)(builder->memory->regions[IMAGE_SECTION_BLOCKS].len / IMAGE_UNIT);
	return image_tables_finish(&builder->tables, &builder->image);
}

struct builder *image_builder_new(void)
{
	struct builder *builder = calloc(1, sizeof(*builder));

	if (builder == NULL) {
		return NULL;
	}
	block_init(&builder->block);
	if (gather_init(&builder->gather) != STATUS_OK ||
		gather_init(&builder->ahead) != STATUS_OK ||
		image_tables_init(&builder->tables) != STATUS_OK) {
		image_builder_free(builder);
		return NULL;
	}
	return builder;
}

void image_builder_free(struct builder *builder)
{
	if (builder != NULL) {
		image_memory_free(builder->memory);
		image_tables_fini(&builder->tables);
		gather_fini(&builder->gather);
		gather_fini(&builder->ahead);
		intern_fini(&builder->intern);
		block_fini(&builder->block);
		free(builder->sets);
		free(builder);
	}
}

/* All that a build before this one has left. */
enum status image_builder_begin(struct builder *builder, const struct collect *collect,
	struct semantic *semantic, const struct hash_key *key)
{
	struct image_header header = {.key = *key,
		.apex_len = collect->origin.len,
		.apex_labels = collect->origin.label_count};

	if (builder->memory == NULL) { /* the first one, or a large image took the last */
		builder->memory = image_memory_new();
		if (builder->memory == NULL) {
			return STATUS_MEMORY;
		}
	}
	image_memory_reset(builder->memory);
	image_tables_begin(&builder->tables, builder->memory);
	intern_begin(&builder->intern, key);
	builder->collect = collect;
	builder->semantic = semantic;
	builder->image = (struct image){.header = header};
	image_memory_point(builder->memory, &builder->image);
	builder->last_name = NULL;
	builder->last_labels = builder->last_len = 0;
	builder->cut.node = builder->cut.host_count = 0;
	builder->has_chain = false;
	return STATUS_OK;
}

enum status image_builder_make(struct builder *builder, const struct collect *collect,
	struct semantic *semantic, const struct hash_key *key, uint32_t threads,
	struct image **image_out)
{
	enum status status = image_builder_begin(builder, collect, semantic, key);

	if (status == STATUS_OK) {
		status = build(builder, threads);
	}
	if (status != STATUS_OK) {
		return status;
	}
	*image_out = image_memory_seal(&builder->image, &builder->memory);
	return *image_out != NULL ? STATUS_OK : STATUS_MEMORY;
}
