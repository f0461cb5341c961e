/* block.c - one RRset in wire form, with its compression worked out beforehand. */
#include "zone/block.h"

#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"

#define OCTETS_FIRST     4096u
#define RECORD_FIXED_LEN 10u /* type, class, TTL, RDLENGTH */
#define POINTER_LEN      2u

void block_init(struct block *block)
{
	*block = (struct block){.octets = NULL};
}

void block_fini(struct block *block)
{
	free(block->octets);
	block->octets = NULL;
}

static uint16_t covered(const struct collect *collect, const struct collect_record *rrsig)
{
	return rrsig->rdata_len < 2 ? 0 : octets_get_u16(collect_rdata(collect, rrsig));
}

/* The RRSIGs at an owner that cover a type: neighbours, since the covered type leads their RDATA. */
static uint32_t signatures(const struct collect *collect, const struct collect_owner *owner,
	uint16_t type, uint32_t *first_out)
{
	uint32_t sig_first = 0, count = 0;
	uint32_t sig_count = collect_type(collect, owner, RRTYPE_RRSIG, &sig_first);

	for (uint32_t i = sig_first; i < sig_first + sig_count; i++) {
		if (covered(collect, &collect->records[i]) == type) {
			*first_out = count == 0 ? i : *first_out;
			count++;
		}
	}
	return count;
}

uint32_t block_sets(const struct collect *collect, const struct collect_owner *owner,
	struct block_set *out, uint32_t cap)
{
	const struct collect_record *records = collect->records;
	uint32_t end = owner->first + owner->count;
	uint32_t count = 0;

	for (uint32_t i = owner->first, next; i < end; i = next) {
		struct block_set set = {.type = records[i].type, .first = i};
		for (next = i + 1; next < end && records[next].type == set.type; next++) {
		}
		set.count = next - i;
		if (set.type == RRTYPE_NSEC3) {
			continue;
		}
		if (set.type == RRTYPE_RRSIG) {
			/* Each run of one covered type without an RRset of it is a set of its own. */
			uint32_t first;
			uint16_t type = covered(collect, &records[i]);
			for (next = i + 1; next < end && records[next].type == RRTYPE_RRSIG &&
					   covered(collect, &records[next]) == type;
				next++) {
			}
			bool glue = type == RRTYPE_NS && (owner->flags & COLLECT_CUT) != 0;
			if (type != RRTYPE_RRSIG && !glue &&
				collect_type(collect, owner, type, &first) > 0) {
				continue; /* they are that set's tail, or stand in the NSEC3 table */
			}
			set = (struct block_set){
				.type = type, .sig_first = i, .sig_count = next - i};
		} else {
			/* At a cut glue takes the place of the tail; signatures there are nobody's to give. */
			if (set.type != RRTYPE_NS || (owner->flags & COLLECT_CUT) == 0) {
				set.sig_count =
					signatures(collect, owner, set.type, &set.sig_first);
			}
		}
		if (out != NULL && count < cap) {
			out[count] = set;
		}
		count++;
	}
	return count;
}

static enum status reserve(struct block *block, uint32_t len)
{
	if (len <= block->cap - block->len) {
		return STATUS_OK;
	}
	uint32_t want = block->cap == 0 ? OCTETS_FIRST : block->cap;
	while (want - block->len < len) {
		if (want > UINT32_MAX / 2) {
			return STATUS_LIMIT;
		}
		want *= 2;
	}
	uint8_t *grown = realloc(block->octets, want);
	if (grown == NULL) {
		return STATUS_MEMORY;
	}
	block->octets = grown;
	block->cap = want;
	return STATUS_OK;
}

static void add_fix(struct block *block, uint32_t at, uint32_t value)
{
	if (block->fix_count < 2 * BLOCK_FIXES_MAX) {
		block->fixes[block->fix_count] =
			(struct image_fix){.off = (uint16_t)at, .value = (uint16_t)value};
	}
	block->fix_count++; /* one too many makes the block a large one */
}

static void put_pointer(struct block *block, uint32_t value)
{
	add_fix(block, block->len, value);
	octets_put_u16(block->octets + block->len, 0);
	block->len += POINTER_LEN;
}

/* What the names of one RRset are compressed against. */
struct context {
	const struct collect *collect;
	const struct image *image; /* its nodes and buckets are there already */
	struct name owner;         /* lower case */
	uint32_t
		anchor_labels; /* suffixes of the owner up to this many labels stand in every answer */
};

/* The anchors of a wildcard's set are those of its closest encloser: the star is not in the answer. */
static void context_init(struct context *context, const struct collect *collect,
	const struct image *image, const struct collect_owner *owner)
{
	const uint8_t *labels = collect_name(collect, owner);
	bool wildcard = owner->labels != 0 && labels[0] == 1 && labels[1] == '*';

	context->collect = collect;
	context->image = image;
	enum wire_status status = name_join(
		labels, owner->name_len, owner->labels, &collect->origin, &context->owner);
	ASSERT(status == WIRE_OK); /* an owner is a whole name */
	context->anchor_labels = context->owner.label_count - (wildcard ? 1u : 0u);
}

static bool equal_lower(const uint8_t *name, const uint8_t *lower, uint32_t len)
{
	uint8_t folded[NAME_LEN_MAX];

	name_octets_lower(folded, name, len);
	return memcmp(folded, lower, len) == 0;
}

/* The fix-up value for the rest of a name, len octets with the root, labels of it; 0xfffe where none serves. */
#define NO_FIX 0xfffeu
static uint32_t find_suffix(const struct block *block, const struct context *context,
	const uint8_t *name, uint32_t len, uint32_t labels)
{
	if (labels <= context->anchor_labels) {
		const uint8_t *suffix = name_suffix(&context->owner, labels);
		uint32_t suffix_len =
			(uint32_t)(context->owner.octets + context->owner.len - suffix);
		if (suffix_len == len && equal_lower(name, suffix, len)) {
			return IMAGE_FIX_ANCHOR | labels;
		}
	}
	uint32_t count =
		block->suffix_count < BLOCK_SUFFIXES_MAX ? block->suffix_count : BLOCK_SUFFIXES_MAX;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t folded[NAME_LEN_MAX];
		if (block->suffixes[i].len != len) {
			continue;
		}
		name_octets_lower(
			folded, context->collect->pool.start + block->suffixes[i].name, len);
		if (equal_lower(name, folded, len)) {
			return block->suffixes[i].at;
		}
	}
	return NO_FIX;
}

/* Writes the name at pool offset, compressed as far as it goes; the value by which others may point to it. */
static uint32_t put_name(
	struct block *block, const struct context *context, uint64_t pool, uint32_t len)
{
	const uint8_t *name = context->collect->pool.start + pool;
	uint32_t labels = 0;
	uint32_t start = block->len;

	for (uint32_t at = 0; name[at] != 0; at += name[at] + 1u) {
		labels++;
	}
	for (uint32_t at = 0; labels > 0; labels--) {
		uint32_t fix = find_suffix(block, context, name + at, len - at, labels);
		if (fix != NO_FIX) {
			bool whole = block->len == start;
			put_pointer(block, fix);
			return whole ? fix : start;
		}
		if (block->len <= WIRE_POINTER_MAX && block->suffix_count < BLOCK_SUFFIXES_MAX) {
			block->suffixes[block->suffix_count].name = pool + at;
			block->suffixes[block->suffix_count].at = (uint16_t)block->len;
			block->suffixes[block->suffix_count++].len = (uint8_t)(len - at);
		}
		uint32_t take = name[at] + 1u;
		memcpy(block->octets + block->len, name + at, take);
		block->len += take;
		at += take;
	}
	block->octets[block->len++] = 0;
	return start;
}

/* Is the first name of a type's RDATA a host whose addresses belong into the additional section? */
static bool has_target(uint16_t type)
{
	switch (type) {
	case RRTYPE_NS:    /* RFC 1035 sec 3.3.11 */
	case RRTYPE_MX:    /* RFC 1035 sec 3.3.9 */
	case RRTYPE_AFSDB: /* RFC 1183 sec 1 */
	case RRTYPE_RT:    /* RFC 1183 sec 3.3 */
	case RRTYPE_KX:    /* RFC 2230 sec 3 */
	case RRTYPE_SRV:   /* RFC 2782 */
	case RRTYPE_NAPTR: /* RFC 3403 sec 4.2 */
	case RRTYPE_SVCB:  /* RFC 9460 sec 4.1 */
	case RRTYPE_HTTPS: /* RFC 9460 sec 4.1 */
		return true;
	default:
		return false;
	}
}

/* A host named in the RDATA: glue to be laid behind, or a target to be looked up when asked. */
struct host {
	uint64_t name;        /* offset in the pool */
	uint32_t node;        /* its owner's */
	uint32_t at;          /* fix-up value by which its owner name is pointed to */
	uint32_t off;         /* of the name in the block */
	uint8_t relative_len; /* octets of the name below the apex */
};

struct hosts {
	struct host list[BLOCK_TARGETS_MAX];
	uint32_t count;
};

/* The node of a host that has addresses in this zone; 0 where it is elsewhere or has none. */
static uint32_t host_node(const struct context *context, const uint8_t *name, uint32_t len,
	uint32_t *relative_len_out)
{
	const struct name *origin = &context->collect->origin;
	struct name lower = {.len = (uint8_t)len, .label_count = 0};
	struct image_key key;

	if (len < origin->len || len == 1) {
		return 0;
	}
	name_octets_lower(lower.octets, name, len);
	uint32_t relative = len - origin->len;
	if (memcmp(lower.octets + relative, origin->octets, origin->len) != 0) {
		return 0;
	}
	bool whole_labels = false;
	for (uint32_t at = 0; lower.octets[at] != 0; at += lower.octets[at] + 1u) {
		whole_labels |= at == relative;
		lower.label_count++;
	}
	if (!whole_labels && origin->len > 1) {
		return 0;
	}
	image_key_init(&key, &context->image->header->key, &lower);
	uint32_t ref = image_find_octets(
		context->image, key.hashes[lower.label_count], lower.octets, relative);
	if (ref == 0 ||
		image_node_set_place(image_node(context->image, ref), RRTYPE_A) ==
			image_node_set_place(image_node(context->image, ref), RRTYPE_AAAA)) {
		return 0; /* both are absent: places of what is there differ */
	}
	*relative_len_out = relative;
	return ref;
}

static void note_host(struct hosts *hosts, const struct context *context, uint64_t pool,
	uint32_t len, uint32_t at, uint32_t off)
{
	uint32_t relative_len = 0;
	uint32_t node = host_node(context, context->collect->pool.start + pool, len, &relative_len);

	for (uint32_t i = 0; i < hosts->count; i++) {
		if (hosts->list[i].node == node) {
			return;
		}
	}
	if (node != 0 && hosts->count < BLOCK_TARGETS_MAX) {
		hosts->list[hosts->count++] = (struct host){.name = pool,
			.node = node,
			.at = at,
			.off = off,
			.relative_len = (uint8_t)relative_len};
	}
}

/* Owner pointer and the fixed fields; where RDLENGTH stands. */
static uint32_t put_head(
	struct block *block, const struct collect_record *record, uint32_t ttl, uint32_t owner_fix)
{
	if ((block->flags & IMAGE_BLOCK_ROOT) != 0) {
		block->octets[block->len++] = 0;
	} else if (block->len == 0) {
		octets_put_u16(
			block->octets, 0); /* the first owner pointer is no fix-up: always there */
		block->len = POINTER_LEN;
	} else {
		put_pointer(block, owner_fix);
	}
	uint8_t *fixed = block->octets + block->len;
	octets_put_u16(fixed, record->type);
	octets_put_u16(fixed + 2, CLASS_IN);
	octets_put_u32(fixed + 4, ttl);
	block->len += RECORD_FIXED_LEN;
	return block->len - 2;
}

static enum status put_record(struct block *block, const struct context *context,
	const struct collect_record *record, uint32_t ttl, uint32_t owner_fix, struct hosts *hosts)
{
	const uint8_t *rdata = collect_rdata(context->collect, record);
	struct rdata_name names[RDATA_NAMES_MAX];
	uint32_t name_count = rdata_names(record->type, rdata, record->rdata_len, names);
	bool hosted = has_target(record->type) && hosts != NULL;
	enum status status = reserve(
		block, POINTER_LEN + RECORD_FIXED_LEN + record->rdata_len + 2 * POINTER_LEN);

	if (status != STATUS_OK) {
		return status;
	}
	uint32_t length_at = put_head(block, record, ttl, owner_fix);
	uint32_t start = block->len;
	uint32_t at = 0;
	for (uint32_t i = 0; i < name_count; i++) {
		memcpy(block->octets + block->len, rdata + at, names[i].off - at);
		block->len += names[i].off - at;
		at = names[i].off;
		uint32_t off = block->len;
		uint32_t fix = off;
		if (names[i].compressible && (block->flags & IMAGE_BLOCK_LARGE) == 0) {
			fix = put_name(block, context, record->rdata + at, names[i].len);
		} else {
			memcpy(block->octets + block->len, rdata + at, names[i].len);
			block->len += names[i].len;
		}
		if (hosted && i == 0) {
			note_host(hosts, context, record->rdata + at, names[i].len, fix, off);
		}
		at += names[i].len;
	}
	memcpy(block->octets + block->len, rdata + at, record->rdata_len - at);
	block->len += record->rdata_len - at;
	octets_put_u16(block->octets + length_at, (uint16_t)(block->len - start));
	return STATUS_OK;
}

/* The TTL of a set: that of its record that was read first (RFC 2181 sec 5.2 wants one for all). */
static uint32_t set_ttl(const struct collect *collect, uint32_t first, uint32_t count)
{
	const struct collect_record *earliest = &collect->records[first];

	for (uint32_t i = first + 1; i < first + count; i++) {
		if (collect->records[i].rdata < earliest->rdata) {
			earliest = &collect->records[i];
		}
	}
	return earliest->ttl;
}

static void add_target(struct block *block, const struct host *host)
{
	if (block->target_count < BLOCK_TARGETS_MAX) {
		block->targets[block->target_count++] =
			(struct image_target){.off = (uint16_t)host->off, .node = host->node};
	}
}

/* Addresses of the servers that stand at or below the cut go into the tail; the others are targets. */
static enum status put_glue(struct block *block, const struct context *context,
	const struct collect_owner *cut, const struct hosts *hosts)
{
	static const uint16_t types[] = {RRTYPE_A, RRTYPE_AAAA};
	const struct collect *collect = context->collect;

	for (uint32_t h = 0; h < hosts->count; h++) {
		const struct host *host = &hosts->list[h];
		uint8_t lower[NAME_LEN_MAX];
		name_octets_lower(lower, collect->pool.start + host->name, host->relative_len);
		uint32_t idx = collect_below(collect, cut, lower, host->relative_len);
		const struct collect_owner *owner =
			idx == COLLECT_NONE ? NULL : &collect->owners[idx];
		bool below = owner != NULL && owner->cut_depth == cut->cut_depth &&
			     owner->name_len >= cut->name_len &&
			     memcmp(collect_name(collect, owner) + owner->name_len - cut->name_len,
				     collect_name(collect, cut), cut->name_len) == 0;
		if (!below) {
			add_target(block, host);
			continue;
		}
		for (uint32_t t = 0; t < 2; t++) {
			uint32_t first = 0;
			uint32_t count = collect_type(collect, owner, types[t], &first);
			for (uint32_t i = first; i < first + count; i++) {
				enum status status =
					put_record(block, context, &collect->records[i],
						set_ttl(collect, first, count), host->at, NULL);
				if (status != STATUS_OK) {
					return status;
				}
				block->tail_count++;
			}
		}
	}
	return STATUS_OK;
}

/* Addresses below a cut are not this zone's to give, but for its own servers (glue). */
static void note_targets(
	struct block *block, const struct context *context, const struct hosts *hosts)
{
	for (uint32_t h = 0; h < hosts->count; h++) {
		const struct image_node *node = image_node(context->image, hosts->list[h].node);
		if (block->type == RRTYPE_NS || node->cut_depth == 0) {
			add_target(block, &hosts->list[h]);
		}
	}
}

static enum status make(struct block *block, const struct context *context,
	const struct collect_owner *owner, const struct block_set *set, uint32_t ttl_max)
{
	const struct collect *collect = context->collect;
	struct hosts hosts = {.count = 0};
	bool glue = set->type == RRTYPE_NS && set->count > 0 && (owner->flags & COLLECT_CUT) != 0;
	enum status status;

	block->len = block->plain_len = block->plain_count = block->tail_count = 0;
	block->fix_count = block->plain_fixes = block->target_count = block->suffix_count = 0;
	block->type = set->type;
	uint32_t ttl = set->count > 0 ? set_ttl(collect, set->first, set->count)
				      : set_ttl(collect, set->sig_first, set->sig_count);
	ttl = ttl > ttl_max ? ttl_max : ttl;
	for (uint32_t i = set->first; i < set->first + set->count; i++) {
		status = put_record(
			block, context, &collect->records[i], ttl, IMAGE_FIX_OWNER, &hosts);
		if (status != STATUS_OK) {
			return status;
		}
		block->plain_count++;
	}
	block->plain_len = block->len;
	block->plain_fixes = block->fix_count;
	if (glue && (block->flags & IMAGE_BLOCK_LARGE) != 0) {
		return STATUS_OK; /* hundreds of servers: an answer has no room for the addresses of any */
	}
	if (glue) {
		block->flags |= IMAGE_BLOCK_GLUE;
		return put_glue(block, context, owner, &hosts);
	}
	for (uint32_t i = set->sig_first; i < set->sig_first + set->sig_count; i++) {
		uint32_t sig_ttl = collect->records[i].ttl;
		sig_ttl = sig_ttl > ttl_max ? ttl_max : sig_ttl;
		status = put_record(
			block, context, &collect->records[i], sig_ttl, IMAGE_FIX_OWNER, NULL);
		if (status != STATUS_OK) {
			return status;
		}
		block->tail_count++;
	}
	if ((block->flags & IMAGE_BLOCK_LARGE) == 0) {
		note_targets(block, context, &hosts);
	}
	return STATUS_OK;
}

enum status block_make(struct block *block, const struct collect *collect,
	const struct image *image, const struct collect_owner *owner, const struct block_set *set,
	uint32_t ttl_max)
{
	struct context context;

	context_init(&context, collect, image, owner);
	uint8_t root = context.owner.label_count == 0 ? IMAGE_BLOCK_ROOT : 0;
	block->flags = root;
	enum status status = make(block, &context, owner, set, ttl_max);
	if (status == STATUS_OK &&
		(block->len > IMAGE_BLOCK_MOST || block->plain_count > UINT8_MAX ||
			block->tail_count > UINT8_MAX || block->plain_fixes > BLOCK_FIXES_MAX ||
			block->fix_count - block->plain_fixes > BLOCK_FIXES_MAX)) {
		block->flags = (uint8_t)(IMAGE_BLOCK_LARGE | root);
		status = make(block, &context, owner, set, ttl_max);
		block->fix_count = block->plain_fixes = block->target_count = 0;
	}
	return status;
}

enum status block_make_nsec3(struct block *block, const struct collect *collect,
	const struct collect_owner *owner, uint32_t record, bool with_sigs)
{
	struct context context;
	uint32_t sig_first = 0;
	uint32_t sig_count = with_sigs ? signatures(collect, owner, RRTYPE_NSEC3, &sig_first) : 0;
	const struct collect_record *nsec3 = &collect->records[record];

	context_init(&context, collect, NULL, owner);
	*block = (struct block){.octets = block->octets,
		.cap = block->cap,
		.type = RRTYPE_NSEC3,
		.flags = IMAGE_BLOCK_OWNED,
		.plain_count = 1};
	enum status status = reserve(block, owner->name_len);
	if (status != STATUS_OK) {
		return status;
	}
	memcpy(block->octets, collect_name(collect, owner), owner->name_len);
	block->len = owner->name_len;
	status = put_record(block, &context, nsec3, nsec3->ttl,
		IMAGE_FIX_ANCHOR | collect->origin.label_count, NULL);
	block->plain_len = block->len;
	block->plain_fixes = block->fix_count;
	for (uint32_t i = sig_first; status == STATUS_OK && i < sig_first + sig_count; i++) {
		status = put_record(
			block, &context, &collect->records[i], collect->records[i].ttl, 0, NULL);
		block->tail_count++;
	}
	if (status == STATUS_OK && block->len > IMAGE_BLOCK_MOST) {
		return STATUS_LIMIT; /* more signatures than any answer could hold */
	}
	return status;
}

uint32_t block_image_len(const struct block *block)
{
	uint32_t len = (uint32_t)sizeof(struct image_block) + block->len;

	if ((block->flags & IMAGE_BLOCK_LARGE) != 0) {
		len += (uint32_t)sizeof(struct image_large);
	} else {
		len += block->fix_count * (uint32_t)sizeof(struct image_fix) +
		       block->target_count * (uint32_t)sizeof(struct image_target);
	}
	return (len + IMAGE_UNIT - 1) & ~(IMAGE_UNIT - 1);
}

static uint8_t *put(uint8_t *out, const void *octets, size_t len)
{
	if (len != 0) {
		memcpy(out, octets, len);
	}
	return out + len;
}

void block_write(const struct block *block, uint8_t *out)
{
	uint8_t *end = out + block_image_len(block);
	struct image_block header = {.type = block->type, .flags = block->flags};

	if ((block->flags & IMAGE_BLOCK_LARGE) != 0) {
		struct image_large large = {.plain_len = block->plain_len,
			.tail_len = block->len - block->plain_len,
			.plain_count = block->plain_count,
			.tail_count = block->tail_count};
		out = put(out, &header, sizeof(header));
		out = put(out, &large, sizeof(large));
	} else {
		header.plain_len = (uint16_t)block->plain_len;
		header.tail_len = (uint16_t)(block->len - block->plain_len);
		header.plain_count = (uint8_t)block->plain_count;
		header.tail_count = (uint8_t)block->tail_count;
		header.plain_fixes = (uint8_t)block->plain_fixes;
		header.tail_fixes = (uint8_t)(block->fix_count - block->plain_fixes);
		header.target_count = (uint8_t)block->target_count;
		out = put(out, &header, sizeof(header));
		out = put(out, block->fixes, block->fix_count * sizeof(block->fixes[0]));
		out = put(out, block->targets, block->target_count * sizeof(block->targets[0]));
	}
	out = put(out, block->octets, block->len);
	memset(out, 0, (size_t)(end - out));
}
