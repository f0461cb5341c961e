/* rrset.c - makes sets, and reads them. */
#include "wire/rrset.h"

#include <stdlib.h>

#include "base/reader.h"

static int compare_places(const void *a, const void *b)
{
	const struct rrset_rdata *const *left = a;
	const struct rrset_rdata *const *right = b;
	uint32_t common = (*left)->len < (*right)->len ? (*left)->len : (*right)->len;
	int diff = common == 0 ? 0 : memcmp((*left)->octets, (*right)->octets, common);

	if (diff == 0) {
		diff = (int)(*left)->len - (int)(*right)->len;
	}
	/* Of equal ones the first is kept. */
	return diff != 0 ? diff : *left < *right ? -1 : *left > *right;
}

static bool is_same(const struct rrset_rdata *a, const struct rrset_rdata *b)
{
	return a->len == b->len && (a->len == 0 || memcmp(a->octets, b->octets, a->len) == 0);
}

/* Marks which records are no repetitions; returns how many, UINT32_MAX where the arena has no room. */
static uint32_t mark_first(
	struct arena *arena, const struct rrset_rdata *records, uint32_t count, bool **first_out)
{
	bool *first = arena_alloc(arena, count);
	const struct rrset_rdata **sorted = arena_alloc(arena, count * sizeof(*sorted));
	uint32_t kept = 0;

	if (first == NULL || sorted == NULL) {
		return UINT32_MAX;
	}
	for (uint32_t i = 0; i < count; i++) {
		sorted[i] = &records[i];
	}
	qsort(sorted, count, sizeof(sorted[0]), compare_places);
	for (uint32_t i = 0; i < count; i++) {
		bool again = i > 0 && is_same(sorted[i], sorted[i - 1]);
		first[sorted[i] - records] = !again;
		kept += !again;
	}
	*first_out = first;
	return kept;
}

static uint8_t *put_rdata(uint8_t *at, const struct rrset_rdata *rdata)
{
	octets_put_u16(at, rdata->len);
	if (rdata->len != 0) {
		memcpy(at + 2, rdata->octets, rdata->len);
	}
	return at + 2 + rdata->len;
}

struct rrset *rrset_make(struct arena *arena, const struct name *owner, uint16_t type, uint32_t ttl,
	const struct rrset_rdata *records, uint32_t count, const struct rrset_rdata *sigs,
	uint32_t sig_count)
{
	bool *first = NULL;
	uint32_t kept = count;
	uint64_t len = sizeof(struct rrset) + owner->len;

	if (count > 1) {
		kept = mark_first(arena, records, count, &first);
		if (kept == UINT32_MAX) {
			return NULL;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		len += first == NULL || first[i] ? 2u + records[i].len : 0;
	}
	uint64_t sigs_off = len;
	for (uint32_t i = 0; i < sig_count; i++) {
		len += 2u + sigs[i].len;
	}
	len = (len + RRSET_ALIGNMENT - 1) & ~(uint64_t)(RRSET_ALIGNMENT - 1);
	if (kept > UINT16_MAX || sig_count > UINT16_MAX || len > UINT32_MAX) {
		return NULL;
	}
	struct rrset *set = arena_alloc(arena, len);
	if (set == NULL) {
		return NULL;
	}
	*set = (struct rrset){.len = (uint32_t)len,
		.ttl = ttl,
		.sigs_off = (uint32_t)sigs_off,
		.type = type,
		.count = (uint16_t)kept,
		.sig_count = (uint16_t)sig_count,
		.owner_len = owner->len,
		.owner_labels = owner->label_count};
	memcpy(set->octets, owner->octets, owner->len);
	uint8_t *at = set->octets + owner->len;
	for (uint32_t i = 0; i < count; i++) {
		if (first == NULL || first[i]) {
			at = put_rdata(at, &records[i]);
		}
	}
	for (uint32_t i = 0; i < sig_count; i++) {
		at = put_rdata(at, &sigs[i]);
	}
	memset(at, 0, (size_t)((uint8_t *)set + len - at));
	return set;
}

struct rrset *rrset_copy(struct arena *arena, const struct rrset *set)
{
	return arena_copy(arena, set, set->len);
}

void rrset_owner(const struct rrset *set, struct name *out)
{
	out->len = set->owner_len;
	out->label_count = set->owner_labels;
	memcpy(out->octets, set->octets, set->owner_len);
}

bool rrset_sig(const struct rrset_rdata *rdata, struct rrsig *out)
{
	const uint8_t *at = rdata->octets;
	struct reader reader = {.octets = at, .len = rdata->len, .off = RRSIG_FIXED_LEN};

	if (rdata->len < RRSIG_FIXED_LEN) {
		return false;
	}
	out->covered = octets_get_u16(at);
	out->algorithm = at[2];
	out->labels = at[3];
	out->original_ttl = octets_get_u32(at + 4);
	out->expiration = octets_get_u32(at + 8);
	out->inception = octets_get_u32(at + 12);
	out->key_tag = octets_get_u16(at + 16);
	uint32_t len;
	if (name_measure(at + RRSIG_FIXED_LEN, reader_left(&reader), &len) != WIRE_OK ||
		name_parse(&reader, &out->signer) != WIRE_OK) {
		return false;
	}
	out->signature = at + reader.off;
	out->signature_len = reader_left(&reader);
	return out->signature_len > 0;
}
