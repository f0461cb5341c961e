/* image_tables.c - buckets, targets and tables for denial, over nodes and blocks that are in their places. */
#include "zone/image_tables.h"

#include <string.h>

#include "base/octets.h"
#include "wire/hashlabel.h"
#include "wire/rrtype.h"
#include "zone/image_glue.h"

#define BUCKET_FILL                                                                                \
	10u /* names planned for a bucket of 12: few overflow, and one slot in six is free */
#define FETCH_AHEAD 16u /* buckets: what memory brings while that many names are hashed */
#define FIRST_PROBE_SHARE                                                                          \
	4u /* with cuts at a quarter of its names a zone is asked one label below the apex first */
#define NSEC3_FIXED_LEN 5u /* algorithm, flags, iterations, salt length, RFC 5155 sec 3.2 */

/* Followed by its name. */
struct pending {
	uint32_t block;
	uint16_t target;
	uint8_t name_len;
	uint8_t spare;
};

enum status image_tables_init(struct image_tables *tables)
{
	*tables = (struct image_tables){.memory = NULL};
	return region_init(&tables->targets);
}

void image_tables_begin(struct image_tables *tables, struct image_memory *memory)
{
	tables->memory = memory;
	tables->node_count = tables->nsec_count = tables->nsec3_count = tables->loose_count = 0;
	region_reset(&tables->targets);
}

void image_tables_fini(struct image_tables *tables)
{
	region_fini(&tables->targets);
}

static enum status append(
	struct image_tables *tables, enum image_section section, const void *octets, uint32_t len)
{
	uint8_t *out = region_add(&tables->memory->regions[section], len);

	if (out == NULL) {
		return STATUS_LIMIT;
	}
	memcpy(out, octets, len);
	return STATUS_OK;
}

enum status image_tables_add_nsec(struct image_tables *tables, uint64_t prefix, uint32_t node)
{
	enum status status = append(tables, IMAGE_SECTION_NSEC_KEYS, &prefix, sizeof(prefix));

	tables->nsec_count++;
	return status == STATUS_OK ? append(tables, IMAGE_SECTION_NSEC_NODES, &node, sizeof(node))
				   : status;
}

enum status image_tables_add_nsec3(
	struct image_tables *tables, const uint8_t hash[IMAGE_NSEC3_LEN], uint32_t block)
{
	enum status status = append(tables, IMAGE_SECTION_NSEC3_HASHES, hash, IMAGE_NSEC3_LEN);

	tables->nsec3_count++;
	return status == STATUS_OK
		       ? append(tables, IMAGE_SECTION_NSEC3_BLOCKS, &block, sizeof(block))
		       : status;
}

enum status image_tables_add_loose(struct image_tables *tables, uint32_t block)
{
	tables->loose_count++;
	return append(tables, IMAGE_SECTION_LOOSE_BLOCKS, &block, sizeof(block));
}

enum status image_tables_add_target(
	struct image_tables *tables, uint32_t block, uint32_t target, const struct block_host *host)
{
	const struct pending pending = {
		.block = block, .target = (uint16_t)target, .name_len = host->name_len};
	uint8_t *out = region_add(&tables->targets, sizeof(pending) + host->name_len);

	if (out == NULL) {
		return STATUS_LIMIT;
	}
	memcpy(out, &pending, sizeof(pending));
	memcpy(out + sizeof(pending), host->name, host->name_len);
	return STATUS_OK;
}

/* A section of references, each with delta added. */
static enum status join_references(struct image_tables *tables, const struct image_tables *part,
	enum image_section section, uint32_t delta)
{
	const struct region *region = &part->memory->regions[section];

	for (uint64_t at = 0; at < region->len; at += sizeof(uint32_t)) {
		uint32_t ref;
		memcpy(&ref, region->start + at, sizeof(ref));
		ref += delta;
		enum status status = append(tables, section, &ref, sizeof(ref));
		if (status != STATUS_OK) {
			return status;
		}
	}
	return STATUS_OK;
}

static enum status join_octets(
	struct image_tables *tables, const struct image_tables *part, enum image_section section)
{
	const struct region *region = &part->memory->regions[section];
	uint8_t *out = region_add(&tables->memory->regions[section], region->len);

	if (out == NULL) {
		return STATUS_LIMIT;
	}
	memcpy(out, region->start, region->len);
	return STATUS_OK;
}

static enum status join_targets(
	struct image_tables *tables, const struct image_tables *part, uint32_t blocks)
{
	const uint8_t *at = part->targets.start;
	const uint8_t *end = at + part->targets.len;
	uint8_t *out = region_add(&tables->targets, part->targets.len);

	if (out == NULL) {
		return STATUS_LIMIT;
	}
	while (at < end) {
		struct pending pending;
		memcpy(&pending, at, sizeof(pending));
		pending.block += blocks;
		memcpy(out, &pending, sizeof(pending));
		memcpy(out + sizeof(pending), at + sizeof(pending), pending.name_len);
		at += sizeof(pending) + pending.name_len;
		out += sizeof(pending) + pending.name_len;
	}
	return STATUS_OK;
}

enum status image_tables_join(struct image_tables *tables, const struct image_tables *part,
	uint32_t nodes, uint32_t blocks)
{
	enum status status = join_targets(tables, part, blocks);

	if (status == STATUS_OK) {
		status = join_octets(tables, part, IMAGE_SECTION_NSEC_KEYS);
	}
	if (status == STATUS_OK) {
		status = join_references(tables, part, IMAGE_SECTION_NSEC_NODES, nodes);
	}
	if (status == STATUS_OK) {
		status = join_octets(tables, part, IMAGE_SECTION_NSEC3_HASHES);
	}
	if (status == STATUS_OK) {
		status = join_references(tables, part, IMAGE_SECTION_NSEC3_BLOCKS, blocks);
	}
	if (status == STATUS_OK) {
		status = join_references(tables, part, IMAGE_SECTION_LOOSE_BLOCKS, blocks);
	}
	tables->node_count += part->node_count;
	tables->nsec_count += part->nsec_count;
	tables->nsec3_count += part->nsec3_count;
	tables->loose_count += part->loose_count;
	return status;
}

bool image_tables_find_chain(
	struct image *image, const struct collect_owner *apex, uint8_t salt_out[UINT8_MAX])
{
	struct image_header *header = &image->header;
	uint32_t first = 0;
	uint32_t count = collect_owner_type(apex, RRTYPE_NSEC3PARAM, &first);

	for (uint32_t i = first; i < first + count; i++) {
		const uint8_t *rdata = apex->items[i].rdata;
		if (rdata[0] == 1 && rdata[1] == 0) { /* SHA-1, no flag that we do not know */
			header->nsec3_iterations = octets_get_u16(rdata + 2);
			header->nsec3_salt_len = rdata[4];
			memcpy(salt_out, rdata + NSEC3_FIXED_LEN, rdata[4]);
			return true;
		}
	}
	return false;
}

/* The hash that an owner name directly below the apex spells in base32hex (RFC 4648 sec 7). */
static bool hash_of_owner(const struct collect_owner *owner, uint8_t out[IMAGE_NSEC3_LEN])
{
	_Static_assert(IMAGE_NSEC3_LEN == HASHLABEL_HASH_LEN, "SHA-1 in both");
	return owner->labels == 1 && hashlabel_read(owner->name, out);
}

uint32_t image_tables_chained(
	const struct image *image, const struct collect_owner *owner, uint8_t hash[IMAGE_NSEC3_LEN])
{
	const struct image_header *header = &image->header;
	uint32_t first = 0;
	uint32_t count = collect_owner_type(owner, RRTYPE_NSEC3, &first);

	for (uint32_t i = first; i < first + count; i++) {
		const uint8_t *rdata = owner->items[i].rdata;
		if (rdata[0] == 1 && octets_get_u16(rdata + 2) == header->nsec3_iterations &&
			rdata[4] == header->nsec3_salt_len &&
			memcmp(rdata + NSEC3_FIXED_LEN, image_salt(image), rdata[4]) == 0 &&
			hash_of_owner(owner, hash)) {
			return i;
		}
	}
	return UINT32_MAX;
}

/* What the names of the zone hash to before their own labels. */
static uint64_t hash_origin(const struct image *image)
{
	struct name apex;
	struct image_key key;

	image_apex_name(image, &apex);
	image_key_init(&key, &image->header.key, &apex);
	return key.hashes[apex.label_count];
}

/* The hash of a whole name: that of the origin, and the labels below it from the right. */
static uint64_t hash_relative(
	const struct hash_key *key, uint64_t origin_hash, const uint8_t *labels, uint32_t len)
{
	uint8_t label_at[NAME_LABELS_MAX + 1];
	uint64_t hash = origin_hash;
	uint32_t count = 0;

	for (uint32_t at = 0; at < len; at += labels[at] + 1u) {
		label_at[count++] = (uint8_t)at;
	}
	while (count > 0) {
		const uint8_t *label = labels + label_at[--count];
		hash = hash_octets(key, hash, label + 1, label[0]);
	}
	return hash;
}

static void fill_bucket(const struct image_header *header, struct image_bucket *buckets,
	uint64_t hash, uint32_t node)
{
	uint32_t idx = image_bucket_idx(header, hash);

	for (;;) {
		for (uint32_t slot = 0; slot < IMAGE_BUCKET_SLOTS; slot++) {
			if (buckets[idx].tags[slot] == 0) {
				buckets[idx].tags[slot] = image_tag(hash);
				buckets[idx].nodes[slot] = node;
				return;
			}
		}
		buckets[idx].overflows = 1;
		idx = idx + 1 == header->bucket_count ? 0 : idx + 1;
	}
}

/* Nodes are met in order and buckets at random, so each is fetched while those before it are filled. */
static void fill_buckets(
	const struct image *image, struct image_bucket *buckets, uint64_t origin_hash)
{
	const struct image_header *header = &image->header;
	struct {
		uint64_t hash;
		uint32_t node;
	} ring[FETCH_AHEAD];
	uint64_t count = 0;

	for (uint32_t ref = IMAGE_FIRST; ref != header->nodes_end;
		ref = image_node_next(image, ref)) {
		const struct image_node *node = image_node(image, ref);
		uint32_t at = (uint32_t)(count % FETCH_AHEAD);
		if (count >= FETCH_AHEAD) {
			fill_bucket(header, buckets, ring[at].hash, ring[at].node);
		}
		ring[at].hash = hash_relative(
			&header->key, origin_hash, image_node_name(node), node->name_len);
		ring[at].node = ref;
		__builtin_prefetch(&buckets[image_bucket_idx(header, ring[at].hash)], 1);
		count++;
	}
	for (uint64_t i = count < FETCH_AHEAD ? 0 : count - FETCH_AHEAD; i < count; i++) {
		fill_bucket(
			header, buckets, ring[i % FETCH_AHEAD].hash, ring[i % FETCH_AHEAD].node);
	}
}

static enum status make_buckets(
	struct image_tables *tables, struct image *image, uint64_t origin_hash)
{
	struct image_header *header = &image->header;

	header->bucket_count = tables->node_count / BUCKET_FILL + 1;
	struct image_bucket *buckets = (struct image_bucket *)(void *)region_add(
		&tables->memory->regions[IMAGE_SECTION_BUCKETS],
		(uint64_t)header->bucket_count * sizeof(*buckets));
	if (buckets == NULL) {
		return STATUS_LIMIT;
	}
	fill_buckets(image, buckets, origin_hash);
	return STATUS_OK;
}

bool image_tables_rehash(struct image *image)
{
	const struct image_header *header = &image->header;
	struct image_bucket *buckets = (struct image_bucket *)(uintptr_t)image->buckets;
	uint32_t count = 0;

	for (uint32_t ref = IMAGE_FIRST; ref != header->nodes_end;
		ref = image_node_next(image, ref)) {
		count++;
	}
	if (header->bucket_count != count / BUCKET_FILL + 1) {
		return false;
	}
	memset(buckets, 0, header->bucket_count * sizeof(*buckets));
	fill_buckets(image, buckets, hash_origin(image));
	return true;
}

/* May answers from a block of this type bring the addresses of the node along? */
static bool may_give(const struct image_node *node, uint16_t type)
{
	bool has_address =
		image_node_set(node, RRTYPE_A) != 0 || image_node_set(node, RRTYPE_AAAA) != 0;

	/* Addresses below a cut are not this zone's to give, but for servers of delegations (glue). */
	return has_address && (type == RRTYPE_NS || node->cut_depth == 0);
}

/* A server of one delegation that lives in the glue of another. */
static void fill_glue(const struct image *image, uint64_t origin_hash, const uint8_t *name,
	uint32_t len, struct image_target *target)
{
	for (uint32_t at = name[0] + 1u; at < len; at += name[at] + 1u) {
		uint64_t hash = hash_relative(&image->header.key, origin_hash, name + at, len - at);
		uint32_t ref = image_find_octets(image, hash, name + at, len - at);
		if (ref == 0) {
			continue;
		}
		const struct image_node *node = image_node(image, ref);
		if ((node->flags & IMAGE_NODE_CUT) != 0) {
			uint32_t block = 0;
			uint32_t glue = image_glue_find(image, node, name, len, &block);
			target->glue = (uint16_t)glue;
			target->ref = glue != 0 ? block : 0;
		}
		if (node->cut_depth == 0 || (node->flags & IMAGE_NODE_CUT) != 0) {
			return;
		}
	}
}

static void fill_targets(
	struct image_tables *tables, const struct image *image, uint64_t origin_hash)
{
	const uint8_t *at = tables->targets.start;
	const uint8_t *end = at + tables->targets.len;

	while (at < end) {
		struct pending pending;
		memcpy(&pending, at, sizeof(pending));
		const uint8_t *name = at + sizeof(pending);
		at = name + pending.name_len;
		uint64_t hash =
			hash_relative(&image->header.key, origin_hash, name, pending.name_len);
		uint32_t node = image_find_octets(image, hash, name, pending.name_len);
		const struct image_block *block = image_block(image, pending.block);
		struct image_target *targets =
			(struct image_target *)(uintptr_t)image_block_targets(block);
		struct image_target *target = &targets[pending.target];
		if (node != 0 && may_give(image_node(image, node), block->type)) {
			target->ref = node;
		} else if (block->type == RRTYPE_NS) {
			fill_glue(image, origin_hash, name, pending.name_len, target);
		}
	}
}

/* Each name is hashed once here, so that a query hashes the next closer name at most. */
static void fill_denial(const struct image *image)
{
	const struct image_header *header = &image->header;
	uint8_t wild[NAME_LEN_MAX + 2] = {1, '*'};

	for (uint32_t ref = IMAGE_FIRST; ref != header->nodes_end;
		ref = image_node_next(image, ref)) {
		const struct image_node *node = image_node(image, ref);
		if ((node->flags & IMAGE_NODE_DENIAL) == 0) {
			continue;
		}
		uint32_t len = (uint32_t)node->name_len + header->apex_len;
		struct image_denial *denial =
			(struct image_denial *)(uintptr_t)image_node_denial(node);
		memcpy(wild + 2, image_node_name(node), node->name_len);
		memcpy(wild + 2 + node->name_len, image->apex, header->apex_len);
		denial->self = image_nsec3_name(image, wild + 2, len);
		denial->wild = IMAGE_NSEC3_NONE;
		if ((node->flags & (IMAGE_NODE_PARENT | IMAGE_NODE_APEX)) != 0 &&
			len + 2 <= NAME_LEN_MAX) {
			denial->wild = image_nsec3_name(image, wild, len + 2);
		}
	}
}

enum status image_tables_finish(struct image_tables *tables, struct image *image)
{
	struct image_header *header = &image->header;
	uint64_t origin_hash = hash_origin(image);
	enum status status = make_buckets(tables, image, origin_hash);

	if (status != STATUS_OK) {
		return status;
	}
	header->first_probe = header->counts.delegations > tables->node_count / FIRST_PROBE_SHARE;
	header->nsec_count = tables->nsec_count;
	header->nsec3_count = tables->nsec3_count;
	header->loose_count = tables->loose_count;
	fill_targets(tables, image, origin_hash);
	if (header->nsec3_count > 0) {
		fill_denial(image);
	}
	return STATUS_OK;
}
