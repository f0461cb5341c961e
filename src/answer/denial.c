/* denial.c - choosing NSEC and NSEC3 records. */
#include "answer/denial.h"

#include <string.h>

#include "wire/rrtype.h"

static void add(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_node *node, uint32_t block)
{
	if (block == 0) {
		return;
	}
	for (uint32_t i = 0; i < respond->proof_count; i++) {
		if (respond->proofs[i].set.block == block &&
			respond->proofs[i].set.image == image) {
			return;
		}
	}
	if (respond->proof_count < RESPOND_PROOFS_MAX) {
		respond->proofs[respond->proof_count++].set = (struct reply_set){
			.image = image, .node = node, .block = block, .link = link};
	}
}

static void add_nsec(struct respond *respond, const struct image *image, const struct link *link,
	uint32_t node_ref)
{
	if (node_ref != 0) {
		const struct image_node *node = image_node(image, node_ref);
		add(respond, image, link, node, image_node_set(node, RRTYPE_NSEC));
	}
}

static void add_nsec3(
	struct respond *respond, const struct image *image, const struct link *link, uint32_t index)
{
	if (index != IMAGE_NSEC3_NONE) {
		add(respond, image, link, image_node(image, image->header.apex),
			image_nsec3_block(image, index));
	}
}

static bool has_nsec3(const struct image *image)
{
	return image->header.nsec3_count != 0;
}

/* The NSEC3 of a suffix of the link's name, which need not exist. */
static uint32_t suffix_index(const struct image *image, const struct link *link, uint32_t labels)
{
	uint32_t at = image_key_at(&link->key, labels);

	return image_nsec3_name(image, link->key.octets + at, link->key.len - at);
}

/* The NSEC3 of the wildcard below an existing name. */
static uint32_t wild_index(
	const struct image *image, const struct link *link, const struct image_node *encloser)
{
	uint8_t name[NAME_LEN_MAX + 2] = {1, '*'};
	uint32_t index = image_node_denial(encloser)->wild;

	if (index != IMAGE_NSEC3_NONE) {
		return index;
	}
	uint32_t at = image_key_at(&link->key, encloser->label_count);
	uint32_t len = link->key.len - at;
	memcpy(name + 2, link->key.octets + at, len);
	return image_nsec3_name(image, name, len + 2);
}

/* RFC 5155 sec 7.2.1: the closest encloser that has an NSEC3 (opt-out may leave nearer ones without), and the cover
 * of the next closer name. Returns that encloser's node.
 */
static const struct image_node *add_closest_encloser(struct respond *respond,
	const struct image *image, const struct link *link, const struct image_hit *hit)
{
	const struct image_node *node = image_node(image, hit->encloser);
	uint32_t apex_labels = image->header.apex_labels;
	uint32_t labels = node->label_count;

	while ((node->flags & IMAGE_NODE_DENIAL) == 0 ||
		(image_node_denial(node)->self & IMAGE_NSEC3_MATCH) == 0) {
		if (labels == apex_labels) {
			break; /* a chain without the apex is broken; say what there is */
		}
		labels--;
		uint32_t parent = labels == apex_labels ? image->header.apex
							: image_find(image, &link->key, labels);
		node = image_node(image, parent);
	}
	if ((node->flags & IMAGE_NODE_DENIAL) == 0) {
		return node;
	}
	add_nsec3(respond, image, link, image_node_denial(node)->self);
	if (labels < link->key.label_count) {
		add_nsec3(respond, image, link, suffix_index(image, link, labels + 1));
	}
	return node;
}

void denial_nodata(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit)
{
	const struct image_node *node = image_node(image, hit->node);

	if (!respond->with_sigs) {
		return;
	}
	if (has_nsec3(image)) {
		bool matched = (node->flags & IMAGE_NODE_DENIAL) != 0 &&
			       (image_node_denial(node)->self & IMAGE_NSEC3_MATCH) != 0;
		if (matched) {
			add_nsec3(respond, image, link, image_node_denial(node)->self);
		} else { /* RFC 5155 sec 7.2.4: below an opt-out span */
			add_closest_encloser(respond, image, link, hit);
		}
		return;
	}
	/* An empty non-terminal has no NSEC of its own: the one before it covers it. */
	uint32_t own = image_node_set(node, RRTYPE_NSEC);
	if (own != 0) {
		add(respond, image, link, node, own);
	} else {
		add_nsec(respond, image, link,
			image_nsec_cover(image, &link->key, link->key.label_count));
	}
}

void denial_wild_nodata(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit, uint32_t wild)
{
	if (!respond->with_sigs) {
		return;
	}
	const struct image_node *node = image_node(image, wild);
	if (has_nsec3(image)) { /* RFC 5155 sec 7.2.5 */
		add_closest_encloser(respond, image, link, hit);
		if ((node->flags & IMAGE_NODE_DENIAL) != 0) {
			add_nsec3(respond, image, link, image_node_denial(node)->self);
		}
		return;
	}
	uint32_t own = image_node_set(node, RRTYPE_NSEC);
	if (own != 0) {
		add(respond, image, link, node, own);
	} else { /* the wildcard is an empty non-terminal */
		add_nsec(respond, image, link,
			image_nsec_cover_wild(
				image, &link->key, image_node(image, hit->encloser)->label_count));
	}
	add_nsec(respond, image, link, image_nsec_cover(image, &link->key, link->key.label_count));
}

void denial_name(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit)
{
	if (!respond->with_sigs) {
		return;
	}
	if (has_nsec3(image)) { /* RFC 5155 sec 7.2.2 */
		const struct image_node *encloser = add_closest_encloser(respond, image, link, hit);
		if ((encloser->flags & IMAGE_NODE_DENIAL) != 0) {
			add_nsec3(respond, image, link, wild_index(image, link, encloser));
		}
		return;
	}
	add_nsec(respond, image, link, image_nsec_cover(image, &link->key, link->key.label_count));
	add_nsec(respond, image, link,
		image_nsec_cover_wild(
			image, &link->key, image_node(image, hit->encloser)->label_count));
}

void denial_wild(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit)
{
	uint32_t labels = image_node(image, hit->encloser)->label_count;

	if (!respond->with_sigs) {
		return;
	}
	if (has_nsec3(image)) { /* RFC 5155 sec 7.2.6 */
		add_nsec3(respond, image, link, suffix_index(image, link, labels + 1));
		return;
	}
	add_nsec(respond, image, link, image_nsec_cover(image, &link->key, link->key.label_count));
}

void denial_ds(struct respond *respond, const struct image *image, const struct link *link,
	const struct image_hit *hit)
{
	const struct image_node *cut = image_node(image, hit->cut);

	if (!respond->with_sigs) {
		return;
	}
	if (!has_nsec3(image)) {
		add(respond, image, link, cut, image_node_set(cut, RRTYPE_NSEC));
		return;
	}
	const struct image_denial *denial = image_node_denial(cut);
	if ((denial->self & IMAGE_NSEC3_MATCH) != 0) {
		add_nsec3(respond, image, link, denial->self);
		return;
	}
	/* RFC 5155 sec 7.2.7: not in the chain, so below an opt-out span. Where the parent of the cut is in the chain,
	 * as nearly always, the next closer name is the cut itself, whose cover was found when the image was built.
	 */
	uint32_t apex_labels = image->header.apex_labels;
	if (cut->label_count == apex_labels + 1u) {
		const struct image_node *apex = image_node(image, image->header.apex);
		add_nsec3(respond, image, link, image_node_denial(apex)->self);
		add_nsec3(respond, image, link, denial->self);
		return;
	}
	struct image_hit at_cut = {.encloser = hit->cut, .node = hit->cut, .cut = hit->cut};
	add_closest_encloser(respond, image, link, &at_cut);
}
