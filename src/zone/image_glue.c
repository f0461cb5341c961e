/* image_glue.c - walks over the tail of a cut's NS set. */
#include "zone/image_glue.h"

#include <string.h>

#include "wire/rrtype.h"
#include "zone/block.h"
#include "zone/order.h"

_Static_assert(IMAGE_GLUE_HOSTS_MAX == BLOCK_HOSTS_MAX, "a list takes all that a set can name");

/* Begins a walk at the glue of a cut; false: it has none. */
static bool begin(struct image_walk *walk, const struct image *image, const struct image_node *cut,
	uint32_t *block_out)
{
	uint32_t ref = (cut->flags & IMAGE_NODE_CUT) != 0 ? image_node_set(cut, RRTYPE_NS) : 0;

	if (ref == 0 || (image_block(image, ref)->flags & IMAGE_BLOCK_GLUE) == 0) {
		return false;
	}
	image_walk_init(walk, image, cut, ref);
	walk->off = walk->plain_len;
	*block_out = ref;
	return true;
}

/* Has the host addresses at a node of its own? Then the glue is a copy of them. */
static bool has_own(const struct image *image, const struct name *host)
{
	struct image_key key;

	image_key_init(&key, &image->header.key, host);
	uint32_t ref = image_find(image, &key, host->label_count);
	if (ref == 0) {
		return false;
	}
	const struct image_node *node = image_node(image, ref);
	return image_node_set(node, RRTYPE_A) != 0 || image_node_set(node, RRTYPE_AAAA) != 0;
}

static bool is_below_apex(const struct image *image, const struct name *host)
{
	const struct image_header *header = &image->header;

	if (host->label_count < header->apex_labels) {
		return false;
	}
	const uint8_t *suffix = name_suffix(host, header->apex_labels);
	return host->octets + host->len - suffix == header->apex_len &&
	       memcmp(suffix, image->apex, header->apex_len) == 0;
}

static bool name_is(const struct name *a, const struct name *b)
{
	return a->len == b->len && memcmp(a->octets, b->octets, a->len) == 0;
}

static bool is_before(
	const struct image *image, const struct name *a, const struct image_glue_host *b)
{
	uint32_t apex_len = image->header.apex_len;

	return order_compare(
		       a->octets, a->len - apex_len, b->owner.octets, b->owner.len - apex_len) < 0;
}

static void insert(
	struct image_glue *glue, const struct image *image, const struct name *owner, uint32_t off)
{
	uint32_t at = glue->count++;

	for (; at > 0 && is_before(image, owner, &glue->hosts[at - 1]); at--) {
		glue->hosts[at] = glue->hosts[at - 1];
	}
	glue->hosts[at] = (struct image_glue_host){.owner = *owner, .off = off};
}

void image_glue_init(
	struct image_glue *glue, const struct image *image, const struct image_node *cut)
{
	struct image_walk walk;
	struct image_record record;
	struct name last = {.len = 0};

	glue->block = glue->count = 0;
	if (!begin(&walk, image, cut, &glue->block)) {
		return;
	}
	for (uint32_t off = walk.off;
		glue->count < IMAGE_GLUE_HOSTS_MAX && image_walk_next(&walk, &record);
		off = walk.off) {
		struct name *owner = &record.glue_owner;
		name_octets_lower(owner->octets, owner->octets, owner->len);
		if (name_is(owner, &last)) {
			continue;
		}
		last = *owner;
		/* An image from disk may name what is not below its apex. */
		if (is_below_apex(image, owner) && !has_own(image, owner)) {
			insert(glue, image, owner, off);
		}
	}
}

void image_glue_walk(struct image_walk *walk, const struct image *image,
	const struct image_node *cut, const struct image_glue *glue, uint32_t host)
{
	image_walk_init(walk, image, cut, glue->block);
	walk->off = glue->hosts[host].off;
}

bool image_glue_next(struct image_walk *walk, struct image_record *out)
{
	uint32_t off = walk->off;

	if (!image_walk_next(walk, out)) {
		return false;
	}
	/* Behind the last one of the host the walk ends. */
	if (walk->off < walk->len &&
		image_fix_value(walk->octets, walk->off) != image_fix_value(walk->octets, off)) {
		walk->off = walk->len;
	}
	return true;
}

uint32_t image_glue_find(const struct image *image, const struct image_node *cut,
	const uint8_t *relative, uint32_t len, uint32_t *block_out)
{
	struct image_walk walk;
	struct image_record record;

	if (!begin(&walk, image, cut, block_out)) {
		return 0;
	}
	for (uint32_t off = walk.off; image_walk_next(&walk, &record); off = walk.off) {
		struct name *owner = &record.glue_owner;
		name_octets_lower(owner->octets, owner->octets, owner->len);
		if (owner->len == len + image->header.apex_len &&
			memcmp(owner->octets, relative, len) == 0) {
			return off;
		}
	}
	return 0;
}
