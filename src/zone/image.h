/* image.h - one version of a zone, ready to be answered from: immutable, position-independent.
 *
 * An image has a few sections, each a run of octets that names the others by reference, never by address: nodes,
 * blocks, buckets, and the tables for denial. References are 32-bit, count units of IMAGE_UNIT octets from the start of
 * their section, and 0 refers to nothing.
 *
 * bucket   64 octets: tags and references of up to 12 names; a full one overflows into the next
 * node     an owner name or an empty non-terminal: flags, types, references to blocks, relative name; nodes stand one
 *          behind the other in canonical order
 * block    one RRset in wire form with what belongs right behind it, and the places where compression
 *          pointers go (fix-ups)
 *
 *         block octets   [owner ptr|type|class|ttl|len|rdata] [owner ptr|...] ... | tail
 *                                                      ^ fix-up      ^ fix-up
 *
 * The tail is the RRset's RRSIGs; for the NS set at a zone cut (never signed) it is the glue from below the
 * cut. Hosts of which nothing is known but addresses that are all in that glue have no node of their own: no query finds
 * them, since the cut stands before them (image_glue.h lists them). A fix-up says which octets become a pointer; until
 * then they say to what:
 *
 *     ANCHOR k   the suffix of k labels, counted from the root, of the name that the answer holds (QNAME)
 *     BLOCK n    octet n of this block, wherever the answer puts it
 *     OWNER      the owner name of the RRset
 *
 * so the same octets serve any QNAME below the owner, and equal RRsets of owners of one depth are kept once.
 *
 * invariant  every reference points into its section, at a record of its kind, whole (image_builder.c makes it so)
 * thread     immutable after it was built
 */
#ifndef SAKER_ZONE_IMAGE_H
#define SAKER_ZONE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/octets.h"
#include "wire/name.h"

#define IMAGE_UNIT         4u      /* octets: 2^32 of them are 16 GiB, over 300,000,000 records */
#define IMAGE_BUCKET_SLOTS 12u     /* with tags and flags one cache line */
#define IMAGE_BLOCK_MOST   0x3f00u /* octets: beyond, pointers into the block could not be named */
#define IMAGE_NSEC3_LEN    20u /* octets of a SHA-1 hash, the only algorithm (RFC 5155 sec 11) */
#define IMAGE_NSEC3_MATCH                                                                          \
	0x80000000u /* in an NSEC3 index: the hash is the name's own, not just before it */
#define IMAGE_NSEC3_NONE 0x7fffffffu /* in an NSEC3 index: the zone has no NSEC3 chain */

enum image_node_flag {
	IMAGE_NODE_APEX = 1 << 0,
	IMAGE_NODE_CUT = 1 << 1,   /* NS below the apex: a delegation */
	IMAGE_NODE_DNAME = 1 << 2, /* what is below is redirected */
	IMAGE_NODE_EMPTY = 1 << 3, /* empty non-terminal */
	IMAGE_NODE_WILD = 1 << 4,  /* has a child named `*` */
	IMAGE_NODE_CNAME = 1 << 5,
	IMAGE_NODE_SPELLED =
		1 << 6, /* the owner was written with capitals: spelling behind the name */
	IMAGE_NODE_DENIAL = 1 << 7,   /* struct image_denial stands before the references */
	IMAGE_NODE_OCCLUDED = 1 << 8, /* below a cut or a DNAME */
	IMAGE_NODE_PARENT = 1 << 9,   /* has names below it */
};

/* Followed, in this order, by: struct image_denial (where flagged), uint32_t blocks[set_count],
 * uint16_t types[set_count] in rising order, name_len octets of labels below the apex in lower case (no root),
 * and the same octets as written where flagged.
 */
struct image_node {
	uint16_t flags;      /* enum image_node_flag */
	uint8_t label_count; /* of the whole name */
	uint8_t name_len;    /* octets of the labels below the apex */
	uint8_t cut_depth;   /* 1 + labels of the cut or DNAME at or above the name; 0: none */
	uint8_t spare;
	uint16_t set_count;
};

struct image_denial {
	uint32_t
		self; /* NSEC3 index of this name's hash, with IMAGE_NSEC3_MATCH, or of the one before */
	uint32_t wild; /* the same of `*.name` */
};

enum image_block_flag {
	IMAGE_BLOCK_LARGE = 1 << 0, /* struct image_large follows, names are in full, no fix-ups */
	IMAGE_BLOCK_OWNED = 1 << 1, /* the first owner name stands in the block (NSEC3) */
	IMAGE_BLOCK_GLUE = 1 << 2,  /* the tail is glue, not signatures */
	IMAGE_BLOCK_ROOT =
		1 << 3, /* owner names are the root label itself, shorter than a pointer to it */
};

/* Followed by: struct image_target targets[target_count], uint16_t fixes[plain_fixes + tail_fixes] (offsets of the octets
 * that become pointers, from the start of the block's octets, rising), octets[plain_len + tail_len].
 */
struct image_block {
	uint16_t plain_len;
	uint16_t tail_len;
	uint8_t plain_count; /* records */
	uint8_t tail_count;
	uint8_t plain_fixes;
	uint8_t tail_fixes;
	uint8_t target_count;
	uint8_t flags; /* enum image_block_flag */
	uint16_t type;
};

/* Behind the header of a block with IMAGE_BLOCK_LARGE; the counts above are then 0. */
struct image_large {
	uint32_t plain_len;
	uint32_t tail_len;
	uint32_t plain_count;
	uint32_t tail_count;
};

/* What the two octets of a fix-up hold: one of these, or n < 0x4000: octet n of the block. */
#define IMAGE_FIX_ANCHOR 0x8000u /* with k in the low octet */
#define IMAGE_FIX_OWNER  0xffffu

/* A name in the RRset's RDATA for which this zone has addresses (NS, MX, SRV, ...): a node, or glue of a cut. */
struct image_target {
	uint16_t off;  /* of the name, from the start of the block's octets */
	uint16_t glue; /* of its first address in the octets of the block ref; 0: ref is a node */
	uint32_t ref;  /* 0: it has no address that we may give */
};

struct image_bucket {
	uint8_t tags[IMAGE_BUCKET_SLOTS]; /* 0: free */
	uint8_t overflows;                /* a name that belongs here stands in a bucket behind */
	uint8_t spare[3];
	uint32_t nodes[IMAGE_BUCKET_SLOTS];
};
_Static_assert(sizeof(struct image_bucket) == CACHE_LINE, "one probe is one cache line");

struct image_counts {
	uint64_t records, rrsets, owners, delegations;
};

struct image_header {
	uint32_t bucket_count;
	uint32_t apex;       /* reference of the apex node */
	uint32_t nodes_end;  /* reference behind the last node; the first is IMAGE_FIRST */
	uint32_t blocks_end; /* the same of blocks */
	uint32_t
		soa_negative; /* block: the SOA set with the TTL for negative answers, RFC 2308 sec 3 */
	uint32_t nsec_count;  /* owners with an NSEC record */
	uint32_t nsec3_count; /* records of the NSEC3 chain */
	uint32_t
		loose_count; /* NSEC3 records outside the chain: kept and printed, never answered */
	uint8_t apex_len;    /* octets of the apex name, with the root label */
	uint8_t apex_labels;
	uint16_t nsec3_iterations;
	uint8_t nsec3_salt_len;
	uint8_t first_probe; /* 1: look one label below the apex first (a zone of delegations) */
	uint8_t is_signed;
	uint32_t serial;
	struct hash_key key;
	struct image_counts counts;
};

/* Reference of the first node and of the first block: 0 refers to nothing. The octets before are zero, a node without
 * sets or name, so that who follows a reference to nothing by mistake finds just that.
 */
#define IMAGE_FIRST 2u
_Static_assert(IMAGE_FIRST *IMAGE_UNIT == sizeof(struct image_node), "an empty node stands there");

/* Where the sections are. */
struct image {
	const uint8_t *nodes;
	const uint8_t *blocks;
	const struct image_bucket *buckets;
	const uint64_t *nsec_keys;    /* the first 8 octets of the order form, rising */
	const uint32_t *nsec_nodes;   /* of the same index */
	const uint8_t *nsec3_hashes;  /* IMAGE_NSEC3_LEN octets each, rising */
	const uint32_t *nsec3_blocks; /* of the same index */
	const uint32_t *loose_blocks;
	const uint8_t
		*apex; /* the name of the apex, lower case, then the salt of the NSEC3 chain */
	struct image_header header;
	size_t memory_len; /* octets of all */
	struct image_memory
		*memory; /* owns: what the sections lie in; NULL: they stand behind this struct */
};

static inline const struct image_node *image_node(const struct image *image, uint32_t ref)
{
	return (const struct image_node *)(const void *)(image->nodes + (size_t)ref * IMAGE_UNIT);
}

static inline const struct image_block *image_block(const struct image *image, uint32_t ref)
{
	return (const struct image_block *)(const void *)(image->blocks + (size_t)ref * IMAGE_UNIT);
}

static inline const struct image_denial *image_node_denial(const struct image_node *node)
{
	DASSERT((node->flags & IMAGE_NODE_DENIAL) != 0);
	return (const struct image_denial *)(const void *)(node + 1);
}

static inline const uint32_t *image_node_blocks(const struct image_node *node)
{
	const uint8_t *at = (const uint8_t *)(node + 1);

	at += (node->flags & IMAGE_NODE_DENIAL) != 0 ? sizeof(struct image_denial) : 0;
	return (const uint32_t *)(const void *)at;
}

static inline const uint16_t *image_node_types(const struct image_node *node)
{
	return (const uint16_t *)(const void *)(image_node_blocks(node) + node->set_count);
}

static inline const uint8_t *image_node_name(const struct image_node *node)
{
	return (const uint8_t *)(image_node_types(node) + node->set_count);
}

/* image_salt - the salt of the NSEC3 chain, header.nsec3_salt_len octets. */
static inline const uint8_t *image_salt(const struct image *image)
{
	return image->apex + image->header.apex_len;
}

/* image_apex_name - the name of the zone, lower case. */
void image_apex_name(const struct image *image, struct name *out);

/* image_node_set_place - the place of a type among those at a node; set_count where it has none. */
static inline uint32_t image_node_set_place(const struct image_node *node, uint16_t type)
{
	const uint16_t *types = image_node_types(node);
	uint32_t place = 0;

	while (place < node->set_count && types[place] != type) {
		place++;
	}
	return place;
}

/* image_node_set - the block of a type at a node; 0 where it has none.
 *
 * cost  O(types at the node); they stand in the node's own cache lines
 */
static inline uint32_t image_node_set(const struct image_node *node, uint16_t type)
{
	uint32_t place = image_node_set_place(node, type);

	return place < node->set_count ? image_node_blocks(node)[place] : 0;
}

/* image_node_next - the reference of the node behind; header.nodes_end after the last. */
uint32_t image_node_next(const struct image *image, uint32_t ref);

/* image_node_full_name - the whole owner name; as_written: with the capitals of the zone file. */
void image_node_full_name(const struct image *image, const struct image_node *node, bool as_written,
	struct name *out);

static inline const struct image_target *image_block_targets(const struct image_block *block)
{
	return (const struct image_target *)(const void *)(block + 1);
}

static inline const uint16_t *image_block_fixes(const struct image_block *block)
{
	return (const uint16_t *)(const void *)(image_block_targets(block) + block->target_count);
}

static inline const uint8_t *image_block_octets(const struct image_block *block)
{
	return (const uint8_t *)(image_block_fixes(block) + block->plain_fixes + block->tail_fixes);
}

/* image_fix_value - what the fix-up at off of a block's octets is to point to. */
static inline uint32_t image_fix_value(const uint8_t *octets, uint32_t off)
{
	return octets_get_u16(octets + off);
}

static inline const struct image_large *image_block_large(const struct image_block *block)
{
	DASSERT((block->flags & IMAGE_BLOCK_LARGE) != 0);
	return (const struct image_large *)(const void *)(block + 1);
}

/* One record out of a block, its names in full. */
struct image_record {
	uint16_t type;
	uint16_t rdata_len;
	uint32_t ttl;
	bool in_tail;
	struct name glue_owner; /* in the tail of an IMAGE_BLOCK_GLUE block only */
	uint8_t rdata[65535];
};

/* A walk over the records of a block. */
struct image_walk {
	const struct image *image;
	const struct image_block *block;
	struct name owner; /* as written: what suffixes are taken from */
	const uint8_t *octets;
	uint32_t len, plain_len;
	uint32_t off;
};

/* image_walk_init - begins a walk; node: whose set the block is. */
void image_walk_init(struct image_walk *walk, const struct image *image,
	const struct image_node *node, uint32_t block);

/* image_walk_next - the next record with uncompressed RDATA; false at the end, or where an image from disk, which was
 * checked for no more than image_check.h says, holds names that are none. Not for the packet path.
 */
bool image_walk_next(struct image_walk *walk, struct image_record *out);

/* A name split for look-ups: its lower-case octets, where labels begin, and the hash of every suffix. */
struct image_key {
	uint8_t label_count;
	uint8_t len;
	uint8_t label_at[NAME_LABELS_MAX +
			 1]; /* label_at[i]: offset of label i, first label first */
	uint64_t hashes[NAME_LABELS_MAX + 1]; /* hashes[k]: of the suffix of k labels */
	uint8_t octets[NAME_LEN_MAX + 1 + HASH_PADDING];
};

/* image_key_init - splits a name that is already in lower case.
 *
 * cost  one pass over the name
 */
void image_key_init(
	struct image_key *key, const struct hash_key *hash_key, const struct name *name);

/* image_key_at - where the suffix of label_count labels begins. */
static inline uint32_t image_key_at(const struct image_key *key, uint32_t label_count)
{
	return label_count == 0 ? key->len - 1u : key->label_at[key->label_count - label_count];
}

static inline uint32_t image_bucket_idx(const struct image_header *header, uint64_t hash)
{
	return (uint32_t)(((hash >> 32) * header->bucket_count) >> 32);
}

static inline uint8_t image_tag(uint64_t hash)
{
	uint8_t tag = (uint8_t)hash;

	return tag == 0 ? 1 : tag;
}

static inline void image_prefetch_bucket(const struct image *image, uint64_t hash)
{
	__builtin_prefetch(&image->buckets[image_bucket_idx(&image->header, hash)]);
}

/* image_candidate - the first node whose tag is that of the hash, without comparing names; 0: none.
 *
 * For prefetching between image_prefetch_bucket() and image_find().
 */
uint32_t image_candidate(const struct image *image, uint64_t hash);

/* image_find - the node of the suffix of label_count labels (more than the apex has); 0: there is none.
 *
 * cost  one bucket and one node, about two cache lines
 */
uint32_t image_find(const struct image *image, const struct image_key *key, uint32_t label_count);

/* image_find_octets - the same for a relative name given as octets (labels, no root) with its full hash. */
uint32_t image_find_octets(
	const struct image *image, uint64_t hash, const uint8_t *relative, uint32_t len);

struct image_hit {
	uint32_t node;     /* of the name itself; 0: it does not exist */
	uint32_t encloser; /* closest encloser; the node itself where it exists */
	uint32_t cut;      /* the cut or DNAME at or above the encloser; 0: none */
};

/* image_search - all that an answer has to know about where a name stands.
 *
 * shape  key: of a name at or below the apex
 * cost   one probe for a name that exists or a name one label below the apex, else O(log labels) probes
 */
void image_search(const struct image *image, const struct image_key *key, struct image_hit *out);

/* image_first_probe - the label count that image_search() looks at first, for prefetching. */
static inline uint32_t image_first_probe(const struct image *image, uint32_t label_count)
{
	uint32_t apex = image->header.apex_labels;

	return image->header.first_probe != 0 && label_count > apex ? apex + 1u : label_count;
}

/* image_nsec_cover - the node whose NSEC covers (or matches) the key's suffix of label_count labels; 0: no chain.
 *
 * cost  O(log owners)
 */
uint32_t image_nsec_cover(
	const struct image *image, const struct image_key *key, uint32_t label_count);

/* image_nsec_cover_wild - the same for `*.` before that suffix. */
uint32_t image_nsec_cover_wild(
	const struct image *image, const struct image_key *key, uint32_t label_count);

/* image_nsec3_find - the NSEC3 index of a hash: itself with IMAGE_NSEC3_MATCH, or the one before it in the ring.
 *
 * cost  O(log log owners) expected, by interpolation
 */
uint32_t image_nsec3_find(const struct image *image, const uint8_t hash[IMAGE_NSEC3_LEN]);

/* image_nsec3_name - the same for the hash of a whole name: wire form, lower case, with its root label.
 *
 * cost  header.nsec3_iterations + 1 rounds of SHA-1
 */
uint32_t image_nsec3_name(const struct image *image, const uint8_t *name, uint32_t len);

static inline uint32_t image_nsec3_block(const struct image *image, uint32_t index)
{
	return image->nsec3_blocks[index & ~IMAGE_NSEC3_MATCH];
}

#endif
