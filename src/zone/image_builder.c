/* image_builder.c - lays a sorted collection out as an image. */
#include "zone/image_builder.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "crypto/sha1.h"
#include "os/pages.h"
#include "wire/rrtype.h"
#include "zone/block.h"
#include "zone/load.h"

#define BUCKET_FILL                                                                                \
	10u /* names planned for a bucket of 12: few overflow, and one in six slots is free */
#define HUGE_LEN_MIN (4u << 20) /* octets: below, huge pages would waste more than they save */
#define FIRST_PROBE_SHARE                                                                          \
	2u /* a zone with cuts at half of its names is asked one label below the apex first */
#define NSEC3_FIXED_LEN 5u /* algorithm, flags, iterations, salt length, RFC 5155 sec 3.2 */
#define SETS_MAX        65535u
#define FETCH_AHEAD     16u /* buckets: what memory brings while that many names are hashed */

struct builder {
	struct collect *collect;
	struct image image;
	uint8_t *octets;
	uint64_t used, cap;
	struct image_header header;
	uint32_t *interned; /* owns: references of blocks by hash */
	uint32_t interned_mask, interned_count;
	struct block block;
	struct block_set *sets; /* owns: of the owner at hand */
	uint32_t set_cap;
	uint32_t node_count;
	uint64_t origin_hash;
};

/* Room for len octets at the next multiple of align; NULL when the reservation ends. */
static uint8_t *put(struct builder *builder, uint64_t len, uint32_t align)
{
	uint64_t at = (builder->used + align - 1) & ~(uint64_t)(align - 1);

	if (len > builder->cap - at) {
		return NULL;
	}
	builder->used = at + len;
	return builder->octets + at;
}

static uint32_t ref_of(const struct builder *builder, const uint8_t *at)
{
	return (uint32_t)((uint64_t)(at - builder->octets) / IMAGE_UNIT);
}

static enum status sets_of(
	struct builder *builder, const struct collect_owner *owner, uint32_t *count_out)
{
	uint32_t count = block_sets(builder->collect, owner, builder->sets, builder->set_cap);

	if (count > builder->set_cap) {
		struct block_set *grown = realloc(builder->sets, count * sizeof(*grown));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		builder->sets = grown;
		builder->set_cap = count;
		block_sets(builder->collect, owner, builder->sets, builder->set_cap);
	}
	*count_out = count;
	return count > SETS_MAX ? STATUS_LIMIT : STATUS_OK;
}

static uint16_t node_flags(const struct collect_owner *owner)
{
	static const struct {
		uint16_t from, to;
	} map[] = {
		{COLLECT_EMPTY, IMAGE_NODE_EMPTY},
		{COLLECT_SPELLED, IMAGE_NODE_SPELLED},
		{COLLECT_CUT, IMAGE_NODE_CUT},
		{COLLECT_DNAME, IMAGE_NODE_DNAME},
		{COLLECT_OCCLUDED, IMAGE_NODE_OCCLUDED},
		{COLLECT_WILD, IMAGE_NODE_WILD},
		{COLLECT_CNAME, IMAGE_NODE_CNAME},
	};
	uint16_t flags = owner->labels == 0 ? IMAGE_NODE_APEX : 0;

	for (uint32_t i = 0; i < sizeof(map) / sizeof(map[0]); i++) {
		flags |= (owner->flags & map[i].from) != 0 ? map[i].to : 0;
	}
	return flags;
}

/* Nodes get their places and all but their blocks, which come later: targets in blocks refer to nodes. */
static enum status place_nodes(struct builder *builder, bool denial)
{
	struct collect *collect = builder->collect;

	for (uint32_t i = 0; i < collect->owner_count; i++) {
		struct collect_owner *owner = &collect->owners[i];
		uint32_t set_count;
		if ((owner->flags & COLLECT_HASHED) != 0) {
			continue;
		}
		enum status status = sets_of(builder, owner, &set_count);
		if (status != STATUS_OK) {
			return status;
		}
		bool has_denial = denial && (owner->flags & COLLECT_OCCLUDED) == 0;
		bool spelled = (owner->flags & COLLECT_SPELLED) != 0;
		uint64_t len = sizeof(struct image_node) +
			       (has_denial ? sizeof(struct image_denial) : 0) +
			       set_count * (sizeof(uint32_t) + sizeof(uint16_t)) +
			       (uint64_t)owner->name_len * (spelled ? 2 : 1);
		struct image_node *node =
			(struct image_node *)(void *)put(builder, len, IMAGE_UNIT);
		if (node == NULL) {
			return STATUS_LIMIT;
		}
		node->flags = (uint16_t)(node_flags(owner) | (has_denial ? IMAGE_NODE_DENIAL : 0));
		node->label_count = (uint8_t)(collect->origin.label_count + owner->labels);
		node->name_len = owner->name_len;
		node->cut_depth = owner->cut_depth;
		node->set_count = (uint16_t)set_count;
		uint16_t *types = (uint16_t *)(uintptr_t)image_node_types(node);
		for (uint32_t s = 0; s < set_count; s++) {
			types[s] = builder->sets[s].type;
		}
		memcpy((uint8_t *)(uintptr_t)image_node_name(node), collect_name(collect, owner),
			(size_t)owner->name_len * (spelled ? 2 : 1));
		owner->node = ref_of(builder, (const uint8_t *)node);
		builder->node_count++;
		builder->header.counts.owners += (owner->flags & COLLECT_EMPTY) == 0;
		builder->header.counts.delegations += (owner->flags & COLLECT_CUT) != 0;
	}
	return STATUS_OK;
}

/* The hash of an owner's whole name: that of the origin, and the labels below it from the right. */
static uint64_t hash_owner(const struct builder *builder, const struct collect_owner *owner)
{
	const uint8_t *name = collect_name(builder->collect, owner);
	uint8_t label_at[NAME_LABELS_MAX + 1];
	uint64_t hash = builder->origin_hash;
	uint32_t count = 0;

	for (uint32_t at = 0; at < owner->name_len; at += name[at] + 1u) {
		label_at[count++] = (uint8_t)at;
	}
	while (count > 0) {
		const uint8_t *label = name + label_at[--count];
		hash = hash_octets(&builder->header.key, hash, label + 1, label[0]);
	}
	return hash;
}

static void fill_bucket(
	struct builder *builder, struct image_bucket *buckets, uint64_t hash, uint32_t node)
{
	uint32_t idx = image_bucket_idx(&builder->header, hash);

	for (;;) {
		for (uint32_t slot = 0; slot < IMAGE_BUCKET_SLOTS; slot++) {
			if (buckets[idx].tags[slot] == 0) {
				buckets[idx].tags[slot] = image_tag(hash);
				buckets[idx].nodes[slot] = node;
				return;
			}
		}
		buckets[idx].overflows = 1;
		idx = idx + 1 == builder->header.bucket_count ? 0 : idx + 1;
	}
}

/* Buckets are met in random order, so each is fetched while those before it are filled. */
static void fill_buckets(struct builder *builder)
{
	struct collect *collect = builder->collect;
	struct image_bucket *buckets =
		(struct image_bucket *)(void *)(builder->octets +
						(uint64_t)builder->header.buckets * IMAGE_UNIT);
	struct {
		uint64_t hash;
		uint32_t node;
	} ring[FETCH_AHEAD];
	uint64_t put_count = 0;

	for (uint32_t i = 0; i < collect->owner_count; i++) {
		const struct collect_owner *owner = &collect->owners[i];
		if ((owner->flags & COLLECT_HASHED) != 0) {
			continue;
		}
		uint32_t at = (uint32_t)(put_count % FETCH_AHEAD);
		if (put_count >= FETCH_AHEAD) {
			fill_bucket(builder, buckets, ring[at].hash, ring[at].node);
		}
		ring[at].hash = hash_owner(builder, owner);
		ring[at].node = owner->node;
		__builtin_prefetch(&buckets[image_bucket_idx(&builder->header, ring[at].hash)], 1);
		put_count++;
	}
	uint64_t left = put_count < FETCH_AHEAD ? put_count : FETCH_AHEAD;
	for (uint64_t i = put_count - left; i < put_count; i++) {
		fill_bucket(
			builder, buckets, ring[i % FETCH_AHEAD].hash, ring[i % FETCH_AHEAD].node);
	}
}

static uint64_t hash_block(const struct builder *builder, const uint8_t *octets, uint32_t len)
{
	return hash_octets(&builder->header.key, 0, octets, len);
}

static enum status intern_grow(struct builder *builder)
{
	if (builder->interned_count < builder->interned_mask / 2) {
		return STATUS_OK;
	}
	uint32_t mask = builder->interned_mask == 0 ? 255 : builder->interned_mask * 2 + 1;
	uint32_t *table = calloc((size_t)mask + 1, sizeof(*table));
	if (table == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; builder->interned != NULL && i <= builder->interned_mask; i++) {
		uint32_t ref = builder->interned[i];
		if (ref == 0) {
			continue;
		}
		const struct image_block *block =
			(const struct image_block *)(void *)(builder->octets +
							     (uint64_t)ref * IMAGE_UNIT);
		const uint8_t *end = image_block_octets(block) + block->plain_len + block->tail_len;
		uint32_t len = (uint32_t)(end - (const uint8_t *)block);
		len = (len + IMAGE_UNIT - 1) & ~(IMAGE_UNIT - 1);
		uint32_t slot = (uint32_t)hash_block(builder, (const uint8_t *)block, len) & mask;
		while (table[slot] != 0) {
			slot = (slot + 1) & mask;
		}
		table[slot] = ref;
	}
	free(builder->interned);
	builder->interned = table;
	builder->interned_mask = mask;
	return STATUS_OK;
}

/* Writes the block at hand behind what is there, or finds one with the same octets. */
static enum status put_block(struct builder *builder, uint32_t *ref_out)
{
	uint32_t len = block_image_len(&builder->block);
	uint8_t *out = put(builder, len, IMAGE_UNIT);

	if (out == NULL) {
		return STATUS_LIMIT;
	}
	block_write(&builder->block, out);
	*ref_out = ref_of(builder, out);
	if ((builder->block.flags & IMAGE_BLOCK_LARGE) != 0) {
		return STATUS_OK;
	}
	enum status status = intern_grow(builder);
	if (status != STATUS_OK) {
		return status;
	}
	uint32_t slot = (uint32_t)hash_block(builder, out, len) & builder->interned_mask;
	for (; builder->interned[slot] != 0; slot = (slot + 1) & builder->interned_mask) {
		uint64_t at = (uint64_t)builder->interned[slot] * IMAGE_UNIT;
		if (len <= builder->used - at && memcmp(builder->octets + at, out, len) == 0) {
			builder->used -= len;
			memset(out, 0, len);
			*ref_out = builder->interned[slot];
			return STATUS_OK;
		}
	}
	builder->interned[slot] = *ref_out;
	builder->interned_count++;
	return STATUS_OK;
}

static enum status make_soa_negative(
	struct builder *builder, const struct collect_owner *apex, const struct block_set *set)
{
	const struct collect_record *soa = &builder->collect->records[set->first];
	const uint8_t *rdata = collect_rdata(builder->collect, soa);
	uint32_t minimum = octets_get_u32(rdata + soa->rdata_len - 4);

	builder->header.serial = octets_get_u32(rdata + soa->rdata_len - 20);
	enum status status =
		block_make(&builder->block, builder->collect, &builder->image, apex, set, minimum);
	return status == STATUS_OK ? put_block(builder, &builder->header.soa_negative) : status;
}

static enum status make_blocks(struct builder *builder)
{
	struct collect *collect = builder->collect;

	for (uint32_t i = 0; i < collect->owner_count; i++) {
		const struct collect_owner *owner = &collect->owners[i];
		uint32_t set_count;
		if ((owner->flags & COLLECT_HASHED) != 0) {
			continue;
		}
		enum status status = sets_of(builder, owner, &set_count);
		if (status != STATUS_OK) {
			return status;
		}
		struct image_node *node =
			(struct image_node *)(void *)(builder->octets +
						      (uint64_t)owner->node * IMAGE_UNIT);
		uint32_t *blocks = (uint32_t *)(uintptr_t)image_node_blocks(node);
		for (uint32_t s = 0; s < set_count; s++) {
			const struct block_set *set = &builder->sets[s];
			status = block_make(&builder->block, collect, &builder->image, owner, set,
				WIRE_TTL_MAX);
			if (status == STATUS_OK) {
				status = put_block(builder, &blocks[s]);
			}
			if (status == STATUS_OK && owner->labels == 0 && set->type == RRTYPE_SOA &&
				set->count > 0) {
				status = make_soa_negative(builder, owner, set);
			}
			if (status != STATUS_OK) {
				return status;
			}
			builder->header.counts.rrsets += set->count > 0;
			if (owner->labels == 0 && set->type == RRTYPE_DNSKEY) {
				builder->header.is_signed = set->sig_count > 0;
			}
		}
	}
	return STATUS_OK;
}

/* The owners with NSEC records, canonical order, and the heads of their order forms. */
static enum status make_nsec(struct builder *builder)
{
	struct collect *collect = builder->collect;
	uint32_t count = 0;
	uint32_t first;

	for (uint32_t i = 0; i < collect->owner_count; i++) {
		const struct collect_owner *owner = &collect->owners[i];
		count += (owner->flags & (COLLECT_HASHED | COLLECT_OCCLUDED)) == 0 &&
			 collect_type(collect, owner, RRTYPE_NSEC, &first) > 0;
	}
	if (count == 0) {
		return STATUS_OK;
	}
	uint64_t *keys =
		(uint64_t *)(void *)put(builder, (uint64_t)count * sizeof(*keys), sizeof(*keys));
	uint32_t *nodes =
		(uint32_t *)(void *)put(builder, (uint64_t)count * sizeof(*nodes), IMAGE_UNIT);
	if (keys == NULL || nodes == NULL) {
		return STATUS_LIMIT;
	}
	for (uint32_t i = 0, at = 0; i < collect->owner_count; i++) {
		const struct collect_owner *owner = &collect->owners[i];
		if ((owner->flags & (COLLECT_HASHED | COLLECT_OCCLUDED)) == 0 &&
			collect_type(collect, owner, RRTYPE_NSEC, &first) > 0) {
			keys[at] = owner->prefix;
			nodes[at++] = owner->node;
		}
	}
	builder->header.nsec_count = count;
	builder->header.nsec_keys = ref_of(builder, (const uint8_t *)keys);
	builder->header.nsec_nodes = ref_of(builder, (const uint8_t *)nodes);
	return STATUS_OK;
}

/* The chain that the NSEC3PARAM at the apex names (RFC 5155 sec 4); false: the zone has none. */
static bool find_nsec3_chain(struct builder *builder)
{
	struct collect *collect = builder->collect;
	const struct collect_owner *apex = &collect->owners[0];
	uint32_t first;
	uint32_t count = collect_type(collect, apex, RRTYPE_NSEC3PARAM, &first);

	for (uint32_t i = first; count > 0 && i < first + count; i++) {
		const uint8_t *rdata = collect_rdata(collect, &collect->records[i]);
		if (rdata[0] == 1 && rdata[1] == 0) { /* SHA-1, no flag that we do not know */
			builder->header.nsec3_iterations = octets_get_u16(rdata + 2);
			builder->header.nsec3_salt_len = rdata[4];
			memcpy(builder->header.nsec3_salt, rdata + NSEC3_FIXED_LEN, rdata[4]);
			return true;
		}
	}
	return false;
}

static int hash_digit(uint8_t c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	return c >= 'a' && c <= 'v' ? c - 'a' + 10 : -1;
}

/* The hash that an owner name directly below the apex spells in base32hex (RFC 4648 sec 7). */
static bool hash_of_owner(const struct collect *collect, const struct collect_owner *owner,
	uint8_t out[IMAGE_NSEC3_LEN])
{
	const uint8_t *label = collect_name(collect, owner);
	uint64_t bits = 0;
	uint32_t have = 0, used = 0;

	if (owner->labels != 1 || label[0] != 32) {
		return false;
	}
	for (uint32_t i = 1; i <= 32; i++) {
		int digit = hash_digit(label[i]);
		if (digit < 0) {
			return false;
		}
		bits = bits << 5 | (uint64_t)digit;
		have += 5;
		if (have >= 8) {
			have -= 8;
			out[used++] = (uint8_t)(bits >> have);
		}
	}
	return used == IMAGE_NSEC3_LEN;
}

/* The NSEC3 record of the zone's chain at an owner; COLLECT_NONE where it has none. */
static uint32_t chain_record(const struct builder *builder, const struct collect_owner *owner,
	uint8_t hash[IMAGE_NSEC3_LEN])
{
	const struct collect *collect = builder->collect;
	const struct image_header *header = &builder->header;
	uint32_t first;
	uint32_t count = collect_type(collect, owner, RRTYPE_NSEC3, &first);

	for (uint32_t i = first; count > 0 && i < first + count; i++) {
		const uint8_t *rdata = collect_rdata(collect, &collect->records[i]);
		if (rdata[0] == 1 && octets_get_u16(rdata + 2) == header->nsec3_iterations &&
			rdata[4] == header->nsec3_salt_len &&
			memcmp(rdata + NSEC3_FIXED_LEN, header->nsec3_salt, rdata[4]) == 0 &&
			hash_of_owner(collect, owner, hash)) {
			return i;
		}
	}
	return COLLECT_NONE;
}

static enum status make_nsec3(struct builder *builder)
{
	struct collect *collect = builder->collect;
	uint8_t hash[IMAGE_NSEC3_LEN];
	uint32_t count = 0;

	for (uint32_t i = 0; i < collect->owner_count; i++) {
		count += chain_record(builder, &collect->owners[i], hash) != COLLECT_NONE;
	}
	uint8_t *hashes = put(builder, (uint64_t)count * IMAGE_NSEC3_LEN, IMAGE_UNIT);
	uint32_t *blocks =
		(uint32_t *)(void *)put(builder, (uint64_t)count * sizeof(*blocks), IMAGE_UNIT);
	if (hashes == NULL || blocks == NULL) {
		return STATUS_LIMIT;
	}
	builder->header.nsec3_hashes = ref_of(builder, hashes);
	builder->header.nsec3_blocks = ref_of(builder, (const uint8_t *)blocks);
	for (uint32_t i = 0, at = 0; i < collect->owner_count; i++) {
		const struct collect_owner *owner = &collect->owners[i];
		uint32_t record = chain_record(builder, owner, hash);
		if (record == COLLECT_NONE) {
			continue;
		}
		memcpy(hashes + (size_t)at * IMAGE_NSEC3_LEN, hash, IMAGE_NSEC3_LEN);
		enum status status =
			block_make_nsec3(&builder->block, collect, owner, record, true);
		if (status == STATUS_OK) {
			status = put_block(builder, &blocks[at++]);
		}
		if (status != STATUS_OK) {
			return status;
		}
		builder->header.counts.rrsets++;
	}
	builder->header.nsec3_count = count;
	return STATUS_OK;
}

/* NSEC3 records that no answer can use: of a chain being rolled in or out, or with an owner that is no hash. */
static enum status make_loose(struct builder *builder, bool has_chain)
{
	struct collect *collect = builder->collect;
	uint64_t start = 0;

	for (uint32_t pass = 0; pass < 2; pass++) { /* count, then fill */
		uint32_t at = 0;
		for (uint32_t i = 0; i < collect->owner_count; i++) {
			const struct collect_owner *owner = &collect->owners[i];
			uint8_t hash[IMAGE_NSEC3_LEN];
			uint32_t first = 0;
			uint32_t count = collect_type(collect, owner, RRTYPE_NSEC3, &first);
			uint32_t chained = count > 0 && has_chain
						   ? chain_record(builder, owner, hash)
						   : COLLECT_NONE;
			for (uint32_t r = first; r < first + count; r++) {
				if (r == chained ||
					(owner->labels == 0 && collect->origin.len == 1)) {
					continue; /* the root has no labels to lead a block */
				}
				if (pass == 0) {
					at++;
					continue;
				}
				enum status status = block_make_nsec3(&builder->block, collect,
					owner, r, chained == COLLECT_NONE && r == first);
				uint32_t *blocks = (uint32_t *)(void *)(builder->octets + start);
				status = status == STATUS_OK ? put_block(builder, &blocks[at++])
							     : status;
				if (status != STATUS_OK) {
					return status;
				}
			}
		}
		if (at == 0) {
			return STATUS_OK;
		}
		if (pass == 0) {
			uint8_t *blocks = put(builder, (uint64_t)at * sizeof(uint32_t), IMAGE_UNIT);
			if (blocks == NULL) {
				return STATUS_LIMIT;
			}
			start = (uint64_t)(blocks - builder->octets);
			builder->header.loose_blocks = ref_of(builder, blocks);
			builder->header.loose_count = at;
		}
	}
	return STATUS_OK;
}

static uint32_t nsec3_index(struct builder *builder, const uint8_t *name, uint32_t len)
{
	uint8_t hash[SHA1_LEN];

	sha1_nsec3(name, len, builder->header.nsec3_salt, builder->header.nsec3_salt_len,
		builder->header.nsec3_iterations, hash);
	return image_nsec3_find(&builder->image, hash);
}

/* Each name is hashed once here, so that a query hashes the next closer name at most. */
static void fill_denial(struct builder *builder)
{
	const struct collect *collect = builder->collect;
	uint8_t wild[NAME_LEN_MAX + 2] = {1, '*'};

	for (uint32_t i = 0; i < collect->owner_count; i++) {
		const struct collect_owner *owner = &collect->owners[i];
		uint32_t len = (uint32_t)owner->name_len + collect->origin.len;
		if ((owner->flags & (COLLECT_HASHED | COLLECT_OCCLUDED)) != 0) {
			continue;
		}
		struct image_node *node =
			(struct image_node *)(void *)(builder->octets +
						      (uint64_t)owner->node * IMAGE_UNIT);
		struct image_denial *denial =
			(struct image_denial *)(uintptr_t)image_node_denial(node);
		memcpy(wild + 2, collect_name(collect, owner), owner->name_len);
		memcpy(wild + 2 + owner->name_len, collect->origin.octets, collect->origin.len);
		denial->self = nsec3_index(builder, wild + 2, len);
		denial->wild = IMAGE_NSEC3_NONE;
		if (((owner->flags & COLLECT_CHILDREN) != 0 || owner->labels == 0) &&
			len + 2 <= NAME_LEN_MAX) {
			denial->wild = nsec3_index(builder, wild, len + 2);
		}
	}
}

/* An upper bound on the image: address space only, so it may be generous. */
static uint64_t bound(const struct collect *collect, uint32_t bucket_count)
{
	uint64_t records = collect->record_count, owners = collect->owner_count;

	return 65536 + (uint64_t)bucket_count * sizeof(struct image_bucket) +
	       /* a node with its names; an NSEC key and reference, an NSEC3 hash, owner label and reference */
	       owners * (sizeof(struct image_node) + sizeof(struct image_denial) +
				2 * NAME_LEN_MAX + 128) +
	       /* a record alone in its block, its RDATA twice (glue stands at the cut, too, up to 13 times) */
	       records * (sizeof(struct image_block) + 13 * 64 + 64) + 14 * collect->pool.len;
}

/* What a name of the zone hashes to before its own labels. */
static void hash_origin(struct builder *builder)
{
	const struct name *origin = &builder->collect->origin;

	builder->origin_hash = hash_root(&builder->header.key);
	for (uint32_t k = 1; k <= origin->label_count; k++) {
		const uint8_t *label = name_suffix(origin, k);
		builder->origin_hash = hash_octets(
			&builder->header.key, builder->origin_hash, label + 1, label[0]);
	}
}

static enum status build(struct builder *builder)
{
	struct collect *collect = builder->collect;
	struct image_header *header = &builder->header;
	uint32_t names = 0;

	for (uint32_t i = 0; i < collect->owner_count; i++) {
		names += (collect->owners[i].flags & COLLECT_HASHED) == 0;
	}
	header->bucket_count = names / BUCKET_FILL + 1;
	builder->cap = bound(collect, header->bucket_count);
	if (builder->cap > (uint64_t)UINT32_MAX * IMAGE_UNIT) {
		builder->cap = (uint64_t)UINT32_MAX * IMAGE_UNIT;
	}
	builder->octets = pages_reserve(builder->cap);
	if (builder->octets == NULL) {
		return STATUS_MEMORY;
	}
	builder->image.octets = builder->octets;
	builder->image.header = header; /* the final place is filled at the end */
	put(builder, sizeof(*header), 8);
	uint8_t *buckets = put(
		builder, (uint64_t)header->bucket_count * sizeof(struct image_bucket), CACHE_LINE);
	if (buckets == NULL) {
		return STATUS_LIMIT;
	}
	if (builder->cap >= HUGE_LEN_MIN && collect->record_count > HUGE_LEN_MIN / 256) {
		pages_huge(builder->octets, builder->cap);
	}
	header->buckets = ref_of(builder, buckets);
	header->len = builder->cap; /* until all is placed */
	header->name = collect->origin;
	header->counts.records = collect->record_count;
	bool denial = find_nsec3_chain(builder);
	put(builder, 0, IMAGE_UNIT);
	header->nodes = (uint32_t)(builder->used / IMAGE_UNIT);
	enum status status = place_nodes(builder, denial);
	if (status != STATUS_OK) {
		return status;
	}
	put(builder, 0, IMAGE_UNIT);
	header->nodes_end = (uint32_t)(builder->used / IMAGE_UNIT);
	header->apex = collect->owners[0].node;
	header->first_probe =
		header->counts.delegations > builder->node_count / (2 * FIRST_PROBE_SHARE);
	fill_buckets(builder);
	builder->image.buckets =
		(const struct image_bucket *)image_at(&builder->image, header->buckets);
	status = make_blocks(builder);
	if (status == STATUS_OK) {
		status = make_nsec(builder);
	}
	if (status == STATUS_OK && denial) {
		status = make_nsec3(builder);
	}
	if (status == STATUS_OK) {
		status = make_loose(builder, denial);
	}
	if (status == STATUS_OK && denial) {
		fill_denial(builder);
	}
	return status;
}

enum status image_builder_make(
	struct collect *collect, const struct hash_key *key, struct image **image_out)
{
	struct builder *builder = calloc(1, sizeof(*builder));
	struct image *image = calloc(1, sizeof(*image));
	enum status status = STATUS_MEMORY;

	if (builder != NULL && image != NULL) {
		builder->collect = collect;
		builder->header.key = *key;
		hash_origin(builder);
		block_init(&builder->block);
		status = build(builder);
	}
	if (status == STATUS_OK) {
		builder->header.len = builder->used;
		memcpy(builder->octets, &builder->header, sizeof(builder->header));
		image->map_len = pages_trim(builder->octets, builder->cap, builder->used);
		image->octets = builder->octets;
		image->header = (const struct image_header *)(void *)builder->octets;
		image->buckets =
			(const struct image_bucket *)image_at(image, image->header->buckets);
		pages_protect(builder->octets, image->map_len);
		*image_out = image;
		image = NULL;
	} else if (builder != NULL && builder->octets != NULL) {
		pages_free(builder->octets, builder->cap);
	}
	if (builder != NULL) {
		block_fini(&builder->block);
		free(builder->sets);
		free(builder->interned);
	}
	free(builder);
	free(image);
	return status;
}
