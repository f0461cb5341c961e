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
#define NO_FIX           0xfffeu /* no fix-up value is */

void block_init(struct block *block)
{
	memset(block, 0, sizeof(*block));
}

void block_fini(struct block *block)
{
	free(block->octets);
	block->octets = NULL;
}

/* The anchors of a wildcard's set are those of its closest encloser: the star is not in the answer. */
void block_owner_init(struct block_owner *owner, const struct collect_owner *records,
	const struct name *origin, bool is_cut)
{
	bool wildcard = records->labels != 0 && records->name[0] == 1 && records->name[1] == '*';
	enum wire_status joined =
		name_join(records->name, records->name_len, records->labels, origin, &owner->name);

	ASSERT(joined == WIRE_OK); /* it was a whole name when it was read */
	owner->records = records;
	owner->origin = origin;
	owner->anchor_labels = owner->name.label_count - (wildcard ? 1u : 0u);
	owner->is_cut = is_cut;
}

static uint16_t covered(const struct collect_item *rrsig)
{
	return rrsig->rdata_len < 2 ? 0 : octets_get_u16(rrsig->rdata);
}

/* The RRSIGs at an owner that cover a type: neighbours, since the covered type leads their RDATA. */
static uint32_t signatures(const struct collect_owner *owner, uint16_t type, uint32_t *first_out)
{
	uint32_t first = 0, count = 0;
	uint32_t all = collect_owner_type(owner, RRTYPE_RRSIG, &first);

	for (uint32_t i = first; i < first + all; i++) {
		if (covered(&owner->items[i]) == type) {
			*first_out = count == 0 ? i : *first_out;
			count++;
		}
	}
	return count;
}

/* A run of RRSIGs that cover one type, from items[i] on: a set of its own where nothing has them as its tail. */
static bool orphan_set(
	const struct block_owner *owner, uint32_t i, uint32_t *next, struct block_set *out)
{
	const struct collect_item *items = owner->records->items;
	uint16_t type = covered(&items[i]);
	uint32_t first;

	for (*next = i + 1; *next < owner->records->count && items[*next].type == RRTYPE_RRSIG &&
			    covered(&items[*next]) == type;
		++*next) {
	}
	*out = (struct block_set){.type = type, .sig_first = i, .sig_count = *next - i};
	bool displaced = type == RRTYPE_NS && owner->is_cut;
	return type == RRTYPE_RRSIG || displaced ||
	       collect_owner_type(owner->records, type, &first) == 0;
}

uint32_t block_sets(const struct block_owner *owner, struct block_set *out, uint32_t cap)
{
	const struct collect_item *items = owner->records->items;
	uint32_t end = owner->records->count;
	uint32_t count = 0;

	for (uint32_t i = 0, next; i < end; i = next) {
		struct block_set set = {.type = items[i].type, .first = i};
		for (next = i + 1; next < end && items[next].type == set.type; next++) {
		}
		if (set.type == RRTYPE_NSEC3) {
			continue;
		}
		if (set.type == RRTYPE_RRSIG) {
			if (!orphan_set(owner, i, &next, &set)) {
				continue;
			}
		} else {
			set.count = next - i;
			/* At a cut glue takes the place of the tail; signatures there are nobody's to give. */
			if (set.type != RRTYPE_NS || !owner->is_cut) {
				set.sig_count =
					signatures(owner->records, set.type, &set.sig_first);
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

static void put_pointer(struct block *block, uint32_t value)
{
	if (block->fix_count < 2 * BLOCK_FIXES_MAX) {
		block->fixes[block->fix_count] = (uint16_t)block->len;
	}
	block->fix_count++; /* one too many makes the block a large one */
	octets_put_u16(block->octets + block->len, (uint16_t)value);
	block->len += POINTER_LEN;
}

/* name: any case; lower: in lower case. */
static bool equal_lower(const uint8_t *name, const uint8_t *lower, uint32_t len)
{
	if (memcmp(name, lower, len) == 0) {
		return true;
	}
	uint8_t folded[NAME_LEN_MAX];
	name_octets_lower(folded, name, len);
	return memcmp(folded, lower, len) == 0;
}

static bool equal_folded(const uint8_t *a, const uint8_t *b, uint32_t len)
{
	uint8_t folded[NAME_LEN_MAX];

	if (memcmp(a, b, len) == 0) {
		return true;
	}
	name_octets_lower(folded, b, len);
	return equal_lower(a, folded, len);
}

/* The fix-up value for the rest of a name, len octets with the root, labels of it; NO_FIX where none serves. */
static uint32_t find_suffix(const struct block *block, const struct block_owner *owner,
	const uint8_t *name, uint32_t len, uint32_t labels)
{
	if (labels <= owner->anchor_labels) {
		const uint8_t *suffix = name_suffix(&owner->name, labels);
		uint32_t suffix_len = (uint32_t)(owner->name.octets + owner->name.len - suffix);
		if (suffix_len == len && equal_lower(name, suffix, len)) {
			return IMAGE_FIX_ANCHOR | labels;
		}
	}
	for (uint32_t i = 0; i < block->suffix_count; i++) {
		if (block->suffixes[i].len == len &&
			equal_folded(name, block->suffixes[i].name, len)) {
			return block->suffixes[i].at;
		}
	}
	return NO_FIX;
}

static uint32_t count_labels(const uint8_t *name)
{
	uint32_t count = 0;

	for (uint32_t at = 0; name[at] != 0; at += name[at] + 1u) {
		count++;
	}
	return count;
}

/* Writes a name, compressed as far as it goes; the value by which others may point to it. */
static uint32_t put_name(
	struct block *block, const struct block_owner *owner, const uint8_t *name, uint32_t len)
{
	uint32_t start = block->len;
	uint32_t at = 0;

	for (uint32_t labels = count_labels(name); labels > 0; labels--) {
		uint32_t fix = find_suffix(block, owner, name + at, len - at, labels);
		if (fix != NO_FIX) {
			bool whole = block->len == start;
			/* Deeper anchors than the apex stand for other names with other owners. */
			block->is_shareable &=
				fix < IMAGE_FIX_ANCHOR || labels <= owner->origin->label_count;
			put_pointer(block, fix);
			return whole ? fix : start;
		}
		if (block->len <= WIRE_POINTER_MAX && block->suffix_count < BLOCK_SUFFIXES_MAX) {
			block->suffixes[block->suffix_count].name = name + at;
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
static bool names_host(uint16_t type)
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

/* Notes a host of this zone, each name once. */
static void note_host(struct block *block, const struct block_owner *owner,
	const struct collect_item *item, const uint8_t *name, uint32_t len, uint32_t at,
	uint32_t off)
{
	const struct name *origin = owner->origin;

	if (len < origin->len || len == 1 || block->host_count == BLOCK_HOSTS_MAX) {
		return;
	}
	uint32_t relative = len - origin->len;
	if (!equal_lower(name + relative, origin->octets, origin->len)) {
		return;
	}
	uint32_t border = 0; /* equal octets are an equal name only where labels end */
	while (border < relative) {
		border += name[border] + 1u;
	}
	if (border != relative) {
		return;
	}
	struct block_host *host = &block->hosts[block->host_count];
	name_octets_lower(host->name, name, relative);
	for (uint32_t i = 0; i < block->host_count; i++) {
		if (block->hosts[i].name_len == relative &&
			memcmp(block->hosts[i].name, host->name, relative) == 0) {
			return;
		}
	}
	host->item = item;
	host->name_len = (uint8_t)relative;
	host->at = (uint16_t)at;
	host->off = (uint16_t)off;
	block->host_count++;
}

/* Owner pointer and the fixed fields; where RDLENGTH stands. */
static uint32_t put_head(
	struct block *block, const struct collect_item *item, uint32_t ttl, uint32_t owner_fix)
{
	if ((block->flags & IMAGE_BLOCK_ROOT) != 0) {
		block->octets[block->len++] = 0;
	} else if (block->len == 0) {
		/* the first owner pointer is no fix-up: always there */
		octets_put_u16(block->octets, 0);
		block->len = POINTER_LEN;
	} else {
		put_pointer(block, owner_fix);
	}
	uint8_t *fixed = block->octets + block->len;
	octets_put_u16(fixed, item->type);
	octets_put_u16(fixed + 2, CLASS_IN);
	octets_put_u32(fixed + 4, ttl);
	block->len += RECORD_FIXED_LEN;
	return block->len - 2;
}

static enum status put_record(struct block *block, const struct block_owner *owner,
	const struct collect_item *item, uint32_t ttl, uint32_t owner_fix)
{
	struct rdata_name names[RDATA_NAMES_MAX];
	/* An address has no names, and is what there is most of. */
	bool is_address = item->type == RRTYPE_A || item->type == RRTYPE_AAAA;
	uint32_t name_count =
		is_address ? 0 : rdata_names(item->type, item->rdata, item->rdata_len, names);
	bool compress = (block->flags & IMAGE_BLOCK_LARGE) == 0;
	enum status status =
		reserve(block, POINTER_LEN + RECORD_FIXED_LEN + item->rdata_len + 2 * POINTER_LEN);

	if (status != STATUS_OK) {
		return status;
	}
	uint32_t length_at = put_head(block, item, ttl, owner_fix);
	uint32_t start = block->len;
	uint32_t at = 0;
	for (uint32_t i = 0; i < name_count; i++) {
		const uint8_t *name = item->rdata + names[i].off;
		memcpy(block->octets + block->len, item->rdata + at, names[i].off - at);
		block->len += names[i].off - at;
		uint32_t off = block->len;
		uint32_t fix = off;
		if (names[i].compressible && compress) {
			fix = put_name(block, owner, name, names[i].len);
		} else {
			memcpy(block->octets + block->len, name, names[i].len);
			block->len += names[i].len;
		}
		if (i == 0 && compress && names_host(item->type)) {
			note_host(block, owner, item, name, names[i].len, fix, off);
		}
		at = (uint32_t)names[i].off + names[i].len;
	}
	if (at < item->rdata_len) {
		memcpy(block->octets + block->len, item->rdata + at, item->rdata_len - at);
		block->len += item->rdata_len - at;
	}
	octets_put_u16(block->octets + length_at, (uint16_t)(block->len - start));
	return STATUS_OK;
}

/* The TTL of a set: that of its record that was read first (RFC 2181 sec 5.2 wants one for all). */
static uint32_t set_ttl(const struct collect_item *items, uint32_t count)
{
	const struct collect_item *earliest = items;

	for (uint32_t i = 1; i < count; i++) {
		if (items[i].order < earliest->order) {
			earliest = &items[i];
		}
	}
	return earliest->ttl;
}

static void start(struct block *block, uint16_t type, uint8_t flags)
{
	block->len = block->plain_len = block->plain_count = block->tail_count = 0;
	block->fix_count = block->plain_fixes = block->target_count = 0;
	block->host_count = block->suffix_count = 0;
	block->is_shareable = true;
	block->type = type;
	block->flags = flags;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static enum status make(struct block *block, const struct block_owner *owner,
	const struct block_set *set, uint32_t ttl_max, uint8_t flags)
{
	const struct collect_item *items = owner->records->items;
	enum status status = STATUS_OK;

	start(block, set->type, flags);
	uint32_t ttl = set->count > 0 ? set_ttl(items + set->first, set->count) : 0;
	for (uint32_t i = set->first; i < set->first + set->count && status == STATUS_OK; i++) {
		status = put_record(block, owner, &items[i], least(ttl, ttl_max), IMAGE_FIX_OWNER);
		block->plain_count++;
	}
	block->plain_len = block->len;
	block->plain_fixes = block->fix_count;
	for (uint32_t i = set->sig_first;
		i < set->sig_first + set->sig_count && status == STATUS_OK; i++) {
		status = put_record(
			block, owner, &items[i], least(items[i].ttl, ttl_max), IMAGE_FIX_OWNER);
		block->tail_count++;
	}
	return status;
}

static bool is_too_large(const struct block *block)
{
	return block->len > IMAGE_BLOCK_MOST || block->plain_count > UINT8_MAX ||
	       block->tail_count > UINT8_MAX || block->plain_fixes > BLOCK_FIXES_MAX ||
	       block->fix_count - block->plain_fixes > BLOCK_FIXES_MAX;
}

enum status block_make(struct block *block, const struct block_owner *owner,
	const struct block_set *set, uint32_t ttl_max)
{
	uint8_t root = owner->name.label_count == 0 ? IMAGE_BLOCK_ROOT : 0;
	enum status status = make(block, owner, set, ttl_max, root);

	if (status == STATUS_OK && is_too_large(block)) {
		status = make(block, owner, set, ttl_max, (uint8_t)(IMAGE_BLOCK_LARGE | root));
		block->fix_count = block->plain_fixes = 0;
	}
	return status;
}

enum status block_add_glue(struct block *block, const struct block_owner *owner,
	const struct block_host *host, const struct collect_owner *addresses, uint32_t *count_out)
{
	static const uint16_t types[] = {RRTYPE_A, RRTYPE_AAAA};

	block->flags |= IMAGE_BLOCK_GLUE;
	*count_out = 0;
	for (uint32_t t = 0; t < 2; t++) {
		uint32_t first = 0;
		uint32_t count = collect_owner_type(addresses, types[t], &first);
		for (uint32_t i = first; i < first + count; i++) {
			/* Hundreds of addresses: those that the block can hold; no answer has room for more. */
			if (block->tail_count == UINT8_MAX ||
				block->fix_count - block->plain_fixes == BLOCK_FIXES_MAX ||
				block->len + RECORD_FIXED_LEN + POINTER_LEN + 16 >
					IMAGE_BLOCK_MOST) {
				return STATUS_OK;
			}
			enum status status = put_record(block, owner, &addresses->items[i],
				set_ttl(addresses->items + first, count), host->at);
			if (status != STATUS_OK) {
				return status;
			}
			block->tail_count++;
			++*count_out;
		}
	}
	return STATUS_OK;
}

void block_add_target(struct block *block, const struct block_host *host)
{
	if (block->target_count < BLOCK_HOSTS_MAX) {
		block->targets[block->target_count++] = (struct image_target){.off = host->off};
	}
}

enum status block_make_nsec3(
	struct block *block, const struct block_owner *owner, uint32_t item, bool with_sigs)
{
	const struct collect_owner *records = owner->records;
	const struct collect_item *nsec3 = &records->items[item];
	uint32_t sig_first = 0;
	uint32_t sig_count = with_sigs ? signatures(records, RRTYPE_NSEC3, &sig_first) : 0;

	start(block, RRTYPE_NSEC3, IMAGE_BLOCK_OWNED);
	enum status status = reserve(block, records->name_len);
	if (status != STATUS_OK) {
		return status;
	}
	memcpy(block->octets, records->name, records->name_len);
	block->len = records->name_len;
	status = put_record(
		block, owner, nsec3, nsec3->ttl, IMAGE_FIX_ANCHOR | owner->origin->label_count);
	block->plain_count = 1;
	block->plain_len = block->len;
	block->plain_fixes = block->fix_count;
	for (uint32_t i = sig_first; status == STATUS_OK && i < sig_first + sig_count; i++) {
		status = put_record(block, owner, &records->items[i], records->items[i].ttl, 0);
		block->tail_count++;
	}
	if (status == STATUS_OK && is_too_large(block)) {
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
		len += block->fix_count * (uint32_t)sizeof(block->fixes[0]) +
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
		out = put(out, block->targets, block->target_count * sizeof(block->targets[0]));
		out = put(out, block->fixes, block->fix_count * sizeof(block->fixes[0]));
	}
	out = put(out, block->octets, block->len);
	memset(out, 0, (size_t)(end - out));
}
