/* image_check.c - nodes, buckets and tables; the blocks themselves are image_check_block.c's. */
#include "zone/image_check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "wire/rrtype.h"
#include "zone/image_check_block.h"

#define RUN_MOST                                                                                   \
	4096u /* buckets one behind the other that overflow, a guess: with a sixth of the slots free chance makes tens; a table \
		 with more is refused, and the text is loaded */
#define TARGETS_FIRST 1024u

/* Where a name of the path from the apex to the node at hand is. */
struct step {
	const uint8_t *name;
	uint32_t len;
	uint32_t cut_depth;
};

struct check {
	const struct image *image;
	const char *why;
	uint64_t *node_bits;  /* owns: of each unit, does a node begin there? */
	uint64_t *block_bits; /* owns */
	uint32_t *targets; /* owns: blocks with targets, to be looked at when all nodes are known */
	size_t target_count, target_cap;
	bool out_of_memory;
	struct step path[NAME_LABELS_MAX + 1]; /* by labels below the apex */
};

/* A node taken apart, once: there are millions. */
struct view {
	const struct image_node *node;
	const uint32_t *blocks;
	const uint16_t *types;
	const uint8_t *name;
	uint64_t len; /* octets, a multiple of IMAGE_UNIT */
};

static bool refuse(struct check *check, const char *why)
{
	check->why = why;
	return false;
}

static inline void set_bit(uint64_t *bits, uint32_t at)
{
	bits[at / 64] |= (uint64_t)1 << at % 64;
}

static inline bool has_bit(const uint64_t *bits, uint32_t end, uint32_t at)
{
	return at < end && (bits[at / 64] >> at % 64 & 1) != 0;
}

static bool check_header(struct check *check, const uint64_t section_len[IMAGE_SECTIONS])
{
	const struct image *image = check->image;
	const struct image_header *header = &image->header;
	uint64_t expected[IMAGE_SECTIONS];
	uint32_t apex_len, label_count = 0;

	image_memory_lens(image, expected);
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		if (section_len[i] < expected[i] ||
			(section_len[i] != expected[i] && i != IMAGE_SECTION_APEX)) {
			return refuse(check, "a section has not the length that the header says");
		}
	}
	if (header->bucket_count == 0 || header->nodes_end <= IMAGE_FIRST ||
		header->blocks_end <= IMAGE_FIRST || header->nsec3_count >= IMAGE_NSEC3_NONE) {
		return refuse(check, "a count in the header is none");
	}
	static const uint8_t zeros[(size_t)IMAGE_FIRST * IMAGE_UNIT];
	if (memcmp(image->nodes, zeros, sizeof(zeros)) != 0) {
		return refuse(check, "something stands where nothing is referred to");
	}
	if (name_measure(image->apex, header->apex_len, &apex_len) != WIRE_OK ||
		apex_len != header->apex_len) {
		return refuse(check, "the name of the zone is none");
	}
	for (uint32_t at = 0; image->apex[at] != 0; at += image->apex[at] + 1u) {
		label_count++;
	}
	if (label_count != header->apex_labels || header->apex != IMAGE_FIRST) {
		return refuse(check, "the header does not fit the name of the zone");
	}
	return true;
}

static bool note_target(struct check *check, uint32_t ref)
{
	if (check->target_count == check->target_cap) {
		size_t cap = check->target_cap == 0 ? TARGETS_FIRST : check->target_cap * 2;
		uint32_t *grown = realloc(check->targets, cap * sizeof(grown[0]));
		if (grown == NULL) {
			check->out_of_memory = true;
			return false;
		}
		check->targets = grown;
		check->target_cap = cap;
	}
	check->targets[check->target_count++] = ref;
	return true;
}

static bool check_blocks(struct check *check)
{
	uint32_t end = check->image->header.blocks_end;

	for (uint32_t ref = IMAGE_FIRST; ref < end;) {
		const struct image_block *block = image_block(check->image, ref);
		uint64_t len;
		if (!image_check_block(block, (uint64_t)(end - ref) * IMAGE_UNIT, &len)) {
			return refuse(check, "a block is not well-formed");
		}
		set_bit(check->block_bits, ref);
		if (block->target_count != 0 && !note_target(check, ref)) {
			return false;
		}
		ref += (uint32_t)(len / IMAGE_UNIT);
	}
	return true;
}

/* A record of the table; NSEC3 records stand alone, their name before them. */
static bool check_nsec3_block(struct check *check, uint32_t ref)
{
	const struct image_header *header = &check->image->header;

	if (!has_bit(check->block_bits, header->blocks_end, ref)) {
		return refuse(check, "an NSEC3 record is none of its blocks");
	}
	const struct image_block *block = image_block(check->image, ref);
	if (block->flags != IMAGE_BLOCK_OWNED ||
		!image_check_block_anchors(block, header->apex_labels)) {
		return refuse(check, "an NSEC3 record is not alone in its block");
	}
	return true;
}

static bool is_wildcard(const struct image_node *node, const uint8_t *name)
{
	return node->name_len >= 2 && name[0] == 1 && name[1] == '*';
}

#define RULE_GIVEN                                                                                 \
	1u /* goes along with the answers of other owners: only the zone's own suffixes serve */
#define RULE_TYPES 64u /* types above have no rule */

/* What a set of a type has to be: RULE_GIVEN, or the flag of a node that promises it. */
static const uint8_t rules[RULE_TYPES] = {
	[RRTYPE_A] = RULE_GIVEN,
	[RRTYPE_AAAA] = RULE_GIVEN,
	[RRTYPE_NSEC] = RULE_GIVEN,
	[RRTYPE_NS] = IMAGE_NODE_CUT,
	[RRTYPE_CNAME] = IMAGE_NODE_CNAME,
	[RRTYPE_DNAME] = IMAGE_NODE_DNAME,
};
_Static_assert(IMAGE_NODE_APEX == RULE_GIVEN, "no flag that promises a set is RULE_GIVEN");

static bool check_alias(
	struct check *check, const struct image_node *node, const struct image_block *block)
{
	struct name owner;

	if ((block->flags & IMAGE_BLOCK_LARGE) != 0 || block->plain_count == 0) {
		return true; /* nothing follows it */
	}
	image_node_full_name(check->image, node, false, &owner);
	return image_check_block_alias(block, owner.octets, owner.len, owner.label_count);
}

/* The sets of a node whose name is good. */
static inline bool check_sets(struct check *check, const struct view *view)
{
	const struct image_node *node = view->node;
	const struct image_header *header = &check->image->header;
	uint32_t labels = node->label_count - (is_wildcard(node, view->name) ? 1u : 0u);
	uint32_t root = node->label_count == 0 ? IMAGE_BLOCK_ROOT : 0;
	uint32_t promised = node->flags & (IMAGE_NODE_CUT | IMAGE_NODE_DNAME | IMAGE_NODE_CNAME);
	uint32_t count = node->set_count;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t ref = view->blocks[i];
		uint32_t rule = view->types[i] < RULE_TYPES ? rules[view->types[i]] : 0;
		if (!has_bit(check->block_bits, header->blocks_end, ref)) {
			return refuse(check, "a set of a name is none of its blocks");
		}
		const struct image_block *block = image_block(check->image, ref);
		if ((block->flags & (IMAGE_BLOCK_ROOT | IMAGE_BLOCK_OWNED)) != root ||
			!image_check_block_anchors(
				block, rule == RULE_GIVEN ? header->apex_labels : labels)) {
			return refuse(check, "a set is that of another name");
		}
		if (rule <= RULE_GIVEN) {
			continue;
		}
		if (rule != IMAGE_NODE_CUT && !check_alias(check, node, block)) {
			return refuse(check, "an alias has no target");
		}
		bool has_records =
			block->plain_count != 0 || (block->flags & IMAGE_BLOCK_LARGE) != 0;
		/* Of two sets of a type the first is found. */
		if (!has_records && (promised & rule) != 0) {
			break;
		}
		promised &= ~rule;
	}
	return promised == 0 || refuse(check, "a name has not the set that it promises");
}

/* Where the name stands in the NSEC3 chain. */
static bool check_denial(struct check *check, const struct image_node *node)
{
	uint32_t count = check->image->header.nsec3_count;

	if (count == 0) {
		return true;
	}
	if ((node->flags & IMAGE_NODE_DENIAL) == 0) {
		return (node->flags & (IMAGE_NODE_CUT | IMAGE_NODE_APEX)) == 0 ||
		       refuse(check, "a name has no place in the NSEC3 chain");
	}
	const struct image_denial *denial = image_node_denial(node);
	if ((denial->self & ~IMAGE_NSEC3_MATCH) >= count ||
		(denial->wild != IMAGE_NSEC3_NONE &&
			(denial->wild & ~IMAGE_NSEC3_MATCH) >= count)) {
		return refuse(check, "a name is placed outside the NSEC3 chain");
	}
	return true;
}

static inline uint64_t load_word(const uint8_t *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return __builtin_bswap64(word);
}

/* memcmp() of labels, most of which are a word or two. */
static inline int compare(const uint8_t *a, const uint8_t *b, uint32_t len)
{
	if (len < sizeof(uint64_t)) {
		for (uint32_t i = 0; i < len; i++) {
			if (a[i] != b[i]) {
				return a[i] < b[i] ? -1 : 1;
			}
		}
		return 0;
	}
	/* The last word may overlap the one before, which was equal. */
	for (uint32_t at = 0;; at = at + 2 * sizeof(uint64_t) <= len
					    ? at + (uint32_t)sizeof(uint64_t)
					    : len - (uint32_t)sizeof(uint64_t)) {
		uint64_t left = load_word(a + at), right = load_word(b + at);
		if (left != right) {
			return left < right ? -1 : 1;
		}
		if (at + sizeof(uint64_t) == len) {
			return 0;
		}
	}
}

/* Is the label behind the sibling's that came before it? */
static bool is_behind(const uint8_t *label, const uint8_t *before)
{
	uint32_t common = label[0] < before[0] ? label[0] : before[0];
	int diff = compare(label + 1, before + 1, common);

	return diff > 0 || (diff == 0 && label[0] > before[0]);
}

/* The name is the parent's with one label before it, and stands in canonical order. */
static bool check_name(
	struct check *check, const struct image_node *node, const uint8_t *name, uint32_t depth)
{
	const struct step *parent = &check->path[depth - 1];
	uint32_t take = node->name_len == 0 ? 0 : name[0] + 1u;

	if (take < 2 || take > NAME_LABEL_LEN_MAX + 1 || take + parent->len != node->name_len ||
		compare(name + take, parent->name, parent->len) != 0) {
		return refuse(check, "a name is not below its parent");
	}
	const struct step *before = &check->path[depth];
	if (before->name != NULL && !is_behind(name, before->name)) {
		return refuse(check, "names are not in canonical order");
	}
	if (node->name_len + check->image->header.apex_len > (int)NAME_LEN_MAX) {
		return refuse(check, "a name is too long");
	}
	return true;
}

/* Where the name stands with regard to the nearest cut or DNAME. */
static bool check_cut(struct check *check, const struct image_node *node, uint32_t above)
{
	bool is_cut = (node->flags & (IMAGE_NODE_CUT | IMAGE_NODE_DNAME)) != 0;
	uint32_t expected = above != 0 ? above : is_cut ? node->label_count + 1u : 0;

	if (node->cut_depth != expected || (above != 0 && is_cut)) {
		return refuse(check, "a name does not know the cut above it");
	}
	return true;
}

static bool check_spelling(struct check *check, const struct image_node *node, const uint8_t *name)
{
	uint8_t folded[NAME_LEN_MAX];

	if ((node->flags & IMAGE_NODE_SPELLED) == 0) {
		return true;
	}
	name_octets_lower(folded, name + node->name_len, node->name_len);
	return memcmp(folded, name, node->name_len) == 0 ||
	       refuse(check, "a name is not spelled as it is");
}

static inline void take_apart(const struct image_node *node, struct view *view)
{
	uint32_t flags = node->flags;
	const uint8_t *at = (const uint8_t *)(node + 1);

	at += (flags & IMAGE_NODE_DENIAL) != 0 ? sizeof(struct image_denial) : 0;
	view->node = node;
	view->blocks = (const uint32_t *)(const void *)at;
	at += node->set_count * sizeof(uint32_t);
	view->types = (const uint16_t *)(const void *)at;
	at += node->set_count * sizeof(uint16_t);
	view->name = at;
	at += (uint32_t)node->name_len << ((flags & IMAGE_NODE_SPELLED) != 0 ? 1 : 0);
	view->len = ((uint64_t)(at - (const uint8_t *)node) + IMAGE_UNIT - 1) &
		    ~(uint64_t)(IMAGE_UNIT - 1);
}

/* One node; depth: of the node before. */
static inline bool check_node(struct check *check, const struct view *view, uint32_t *depth)
{
	const struct image_node *node = view->node;
	uint32_t below = (uint32_t)node->label_count - check->image->header.apex_labels;
	uint32_t above = 0;

	/* The apex alone has nobody above. */
	if (UNLIKELY(check->path[0].name == NULL)) {
		if (below != 0 || node->name_len != 0 || (node->flags & IMAGE_NODE_APEX) == 0 ||
			(node->flags & IMAGE_NODE_CUT) != 0) {
			return refuse(check, "the apex does not come first");
		}
	} else {
		/* 0 - 1 is far above any depth. */
		if (below - 1 > *depth || below > NAME_LABELS_MAX ||
			(node->flags & IMAGE_NODE_APEX) != 0) {
			return refuse(check, "a name has no parent");
		}
		if (below > *depth) {
			check->path[below].name = NULL; /* the first one there */
		}
		if (!check_name(check, node, view->name, below)) {
			return false;
		}
		above = check->path[below - 1].cut_depth;
	}
	check->path[below] = (struct step){
		.name = view->name, .len = node->name_len, .cut_depth = node->cut_depth};
	*depth = below;
	return check_cut(check, node, above) && check_spelling(check, node, view->name) &&
	       check_denial(check, node) && check_sets(check, view);
}

static bool check_nodes(struct check *check)
{
	uint32_t end = check->image->header.nodes_end;
	uint32_t depth = 0;

	for (uint32_t ref = IMAGE_FIRST; ref < end;) {
		const struct image_node *node = image_node(check->image, ref);
		uint64_t left = (uint64_t)(end - ref) * IMAGE_UNIT;
		struct view view;
		if (left < sizeof(*node)) {
			return refuse(check, "a node is longer than there is room");
		}
		take_apart(node, &view);
		if (left < view.len) {
			return refuse(check, "a node is longer than there is room");
		}
		if (!check_node(check, &view, &depth)) {
			return false;
		}
		set_bit(check->node_bits, ref);
		ref += (uint32_t)(view.len / IMAGE_UNIT);
	}
	return true;
}

/* Slots in use refer to nodes, free ones to nothing, and chains of buckets end. */
static bool check_buckets(struct check *check)
{
	const struct image *image = check->image;
	uint32_t count = image->header.bucket_count;
	uint32_t end = image->header.nodes_end;
	uint32_t run = 0, most = 0, first_run = UINT32_MAX;

	for (uint32_t i = 0; i < count; i++) {
		const struct image_bucket *bucket = &image->buckets[i];
		for (uint32_t slot = 0; slot < IMAGE_BUCKET_SLOTS; slot++) {
			bool good = bucket->tags[slot] != 0
					    ? has_bit(check->node_bits, end, bucket->nodes[slot])
					    : bucket->nodes[slot] == 0;
			if (!good) {
				return refuse(check, "a slot of the table of names refers to none");
			}
		}
		if (bucket->overflows != 0) {
			run++;
			most = run > most ? run : most;
		} else {
			first_run = first_run == UINT32_MAX ? run : first_run;
			run = 0;
		}
	}
	/* The last bucket overflows into the first. */
	if (first_run == UINT32_MAX || most > RUN_MOST || run + first_run > RUN_MOST) {
		return refuse(check, "too many buckets overflow");
	}
	return true;
}

/* A node, or a block with an address where the target says. */
static bool check_target(const struct check *check, const struct image_target *target)
{
	const struct image_header *header = &check->image->header;

	if (target->glue == 0) {
		return has_bit(check->node_bits, header->nodes_end, target->ref);
	}
	return has_bit(check->block_bits, header->blocks_end, target->ref) &&
	       image_check_block_glue(image_block(check->image, target->ref), target->glue);
}

static bool check_targets(struct check *check)
{
	const struct image *image = check->image;

	for (size_t i = 0; i < check->target_count; i++) {
		const struct image_block *block = image_block(image, check->targets[i]);
		const struct image_target *targets = image_block_targets(block);
		for (uint32_t t = 0; t < block->target_count; t++) {
			if (targets[t].ref != 0 && !check_target(check, &targets[t])) {
				return refuse(check, "a target is no name");
			}
		}
	}
	return true;
}

static bool check_tables(struct check *check)
{
	const struct image *image = check->image;
	const struct image_header *header = &image->header;

	for (uint32_t i = 0; i < header->nsec_count; i++) {
		if (!has_bit(check->node_bits, header->nodes_end, image->nsec_nodes[i]) ||
			(i > 0 && (image->nsec_nodes[i] <= image->nsec_nodes[i - 1] ||
					  image->nsec_keys[i] < image->nsec_keys[i - 1]))) {
			return refuse(check, "the table of NSEC owners is not in order");
		}
	}
	for (uint32_t i = 0; i < header->nsec3_count; i++) {
		const uint8_t *hash = image->nsec3_hashes + (size_t)i * IMAGE_NSEC3_LEN;
		if (i > 0 && memcmp(hash - IMAGE_NSEC3_LEN, hash, IMAGE_NSEC3_LEN) >= 0) {
			return refuse(check, "the table of NSEC3 hashes is not in order");
		}
		if (!check_nsec3_block(check, image->nsec3_blocks[i])) {
			return false;
		}
	}
	for (uint32_t i = 0; i < header->loose_count; i++) {
		if (!check_nsec3_block(check, image->loose_blocks[i])) {
			return false;
		}
	}
	return true;
}

static bool check_soa(struct check *check)
{
	const struct image_header *header = &check->image->header;
	uint32_t root = header->apex_labels == 0 ? IMAGE_BLOCK_ROOT : 0;

	if (!has_bit(check->block_bits, header->blocks_end, header->soa_negative)) {
		return refuse(check, "the negative SOA is none of its blocks");
	}
	const struct image_block *block = image_block(check->image, header->soa_negative);
	if ((block->flags & (IMAGE_BLOCK_ROOT | IMAGE_BLOCK_OWNED)) != root ||
		(block->plain_count == 0 && (block->flags & IMAGE_BLOCK_LARGE) == 0) ||
		!image_check_block_anchors(block, header->apex_labels)) {
		return refuse(check, "the negative SOA is another record");
	}
	return true;
}

enum status image_check(
	const struct image *image, const uint64_t section_len[IMAGE_SECTIONS], const char **why_out)
{
	struct check check = {.image = image};
	enum status status = STATUS_REFUSED;

	if (!check_header(&check, section_len)) {
		*why_out = check.why;
		return STATUS_REFUSED;
	}
	check.node_bits = calloc(image->header.nodes_end / 64 + 1, sizeof(uint64_t));
	check.block_bits = calloc(image->header.blocks_end / 64 + 1, sizeof(uint64_t));
	if (check.node_bits == NULL || check.block_bits == NULL) {
		check.out_of_memory = true;
	} else if (check_blocks(&check) && check_nodes(&check) && check_buckets(&check) &&
		   check_targets(&check) && check_tables(&check) && check_soa(&check)) {
		status = STATUS_OK;
	}
	free(check.node_bits);
	free(check.block_bits);
	free(check.targets);
	*why_out = check.why;
	return check.out_of_memory ? STATUS_MEMORY : status;
}
