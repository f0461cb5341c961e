/* differ.c - hashes of records, and sets of them. */
#include "loadgen/differ.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/octets.h"
#include "base/reader.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"

#define FLAGS_COMPARED   (WIRE_FLAG_AA | WIRE_FLAG_TC | WIRE_FLAG_AD | WIRE_FLAG_RA)
#define QUESTION_TAIL    4u  /* octets of type and class */
#define RECORD_FIXED_LEN 10u /* octets from a record's type to its RDATA */
#define OPT_RCODE_SHIFT  20 /* the upper bits in an OPT record's TTL, above the four of the header */
#define OPT_RCODE_MASK   0xff0u
#define ALL_KINDS        ((1u << DIFFER_KINDS) - 1)

/* Any two numbers: what is hashed is compared within one process only. */
static const struct hash_key key = {{0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u}};

const char *differ_kind_text(enum differ_kind kind)
{
	static const char *const texts[DIFFER_KINDS] = {[DIFFER_MISSING] = "missing",
		[DIFFER_RCODE] = "rcode",
		[DIFFER_FLAGS] = "flags",
		[DIFFER_ANSWER] = "answer section",
		[DIFFER_AUTHORITY] = "authority section",
		[DIFFER_ADDITIONAL] = "additional section",
		[DIFFER_TTL] = "TTL only"};

	ASSERT((unsigned)kind < DIFFER_KINDS);
	return texts[kind];
}

uint64_t differ_record_hash(
	const struct name *owner, uint16_t type, uint32_t ttl, uint8_t *rdata, uint32_t rdata_len)
{
	uint8_t head[NAME_LEN_MAX + 6];

	name_octets_lower(head, owner->octets, owner->len);
	octets_put_u16(head + owner->len, type);
	octets_put_u32(head + owner->len + 2, ttl);
	rdata_canonical(type, rdata, rdata_len);
	uint64_t state = hash_octets(&key, hash_root(&key), head, owner->len + 6u);
	return rdata_len == 0 ? state : hash_octets(&key, state, rdata, rdata_len);
}

bool differ_set_add(struct differ_set *set, uint64_t record_hash)
{
	if (set->count == DIFFER_RECORDS_MAX) {
		return false;
	}
	set->hashes[set->count++] = record_hash;
	return true;
}

static int by_value(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

uint64_t differ_set_hash(struct differ_set *set)
{
	uint64_t state = hash_root(&key);

	qsort(set->hashes, set->count, sizeof(set->hashes[0]), by_value);
	for (uint32_t i = 0; i < set->count; i++) {
		if (i == 0 || set->hashes[i] != set->hashes[i - 1]) {
			state = hash_fold(state ^ set->hashes[i], key.words[1]);
		}
	}
	set->count = 0;
	return state;
}

struct record {
	struct name owner;
	uint16_t type;
	uint32_t ttl;
	uint32_t rdata_len;
	uint8_t rdata[RDATA_LEN_MAX];
};

static enum wire_status read_record(struct reader *msg, struct record *out)
{
	enum wire_status status = name_parse(msg, &out->owner);

	if (status != WIRE_OK) {
		return status;
	}
	if (msg->len - msg->off < RECORD_FIXED_LEN) {
		return WIRE_TRUNCATED;
	}
	const uint8_t *at = msg->octets + msg->off;
	out->type = octets_get_u16(at);
	out->ttl = octets_get_u32(at + 4);
	uint16_t rdata_len = octets_get_u16(at + 8);
	msg->off += RECORD_FIXED_LEN;
	if (msg->len - msg->off < rdata_len) {
		return WIRE_TRUNCATED;
	}
	if (out->type == RRTYPE_OPT || out->type == RRTYPE_TSIG) {
		msg->off += rdata_len;
		out->rdata_len = 0;
		return WIRE_OK;
	}
	return rdata_expand(
		msg, out->type, rdata_len, out->rdata, sizeof(out->rdata), &out->rdata_len);
}

/* The three sections; sets: a section's, and that with TTLs. */
static enum wire_status read_sections(struct reader *msg, struct record *record,
	struct differ_set sets[2], struct differ_digest *out)
{
	for (uint32_t section = 0; section < WIRE_SECTIONS; section++) {
		uint32_t left = octets_get_u16(msg->octets + 6 + section * 2);
		for (; left > 0; left--) {
			enum wire_status status = read_record(msg, record);
			if (status != WIRE_OK) {
				return status;
			}
			if (record->type == RRTYPE_OPT) {
				out->rcode |=
					(uint16_t)(record->ttl >> OPT_RCODE_SHIFT & OPT_RCODE_MASK);
				continue;
			}
			if (record->type == RRTYPE_TSIG) {
				continue; /* of the message, not of the zone */
			}
			uint64_t with_ttl = differ_record_hash(&record->owner, record->type,
				record->ttl, record->rdata, record->rdata_len);
			uint64_t without = differ_record_hash(
				&record->owner, record->type, 0, record->rdata, record->rdata_len);
			if (!differ_set_add(&sets[0], without) ||
				!differ_set_add(&sets[1], with_ttl)) {
				return WIRE_SPACE;
			}
		}
		out->sections[section] = differ_set_hash(&sets[0]);
		out->ttls[section] = differ_set_hash(&sets[1]);
	}
	return WIRE_OK;
}

static enum wire_status skip_questions(struct reader *msg)
{
	struct name name;

	for (uint32_t left = octets_get_u16(msg->octets + 4); left > 0; left--) {
		enum wire_status status = name_parse(msg, &name);
		if (status != WIRE_OK) {
			return status;
		}
		if (msg->len - msg->off < QUESTION_TAIL) {
			return WIRE_TRUNCATED;
		}
		msg->off += QUESTION_TAIL;
	}
	return WIRE_OK;
}

void differ_digest(const uint8_t *octets, uint32_t len, struct differ_digest *out)
{
	static _Thread_local struct differ_set sets[2];
	static _Thread_local struct record record; /* together 160 KB: not for the stack */
	struct reader msg = {.octets = octets, .len = len, .off = WIRE_HEADER_LEN};

	ASSERT(len >= WIRE_HEADER_LEN);
	uint16_t flags = octets_get_u16(octets + 2);
	*out = (struct differ_digest){.known = ALL_KINDS,
		.rcode = flags & WIRE_RCODE_MASK,
		.flags = flags & FLAGS_COMPARED};
	sets[0].count = sets[1].count = 0;
	enum wire_status status = skip_questions(&msg);
	if (status == WIRE_OK) {
		status = read_sections(&msg, &record, sets, out);
	}
	if (status != WIRE_OK) {
		uint64_t garbled = hash_octets(&key, hash_root(&key), octets + 2, len - 2);
		for (uint32_t i = 0; i < WIRE_SECTIONS; i++) {
			out->sections[i] = out->ttls[i] = garbled;
		}
	}
}

uint32_t differ_compare(const struct differ_digest *want, const struct differ_digest *got)
{
	static const enum differ_kind kinds[WIRE_SECTIONS] = {
		DIFFER_ANSWER, DIFFER_AUTHORITY, DIFFER_ADDITIONAL};
	uint32_t found = 0;

	if (want->known == 0 || got->known == 0) {
		return want->known == got->known ? 0 : 1u << DIFFER_MISSING;
	}
	found |= want->rcode != got->rcode ? 1u << DIFFER_RCODE : 0;
	found |= want->flags != got->flags ? 1u << DIFFER_FLAGS : 0;
	for (uint32_t i = 0; i < WIRE_SECTIONS; i++) {
		bool is_told = (want->known & 1u << kinds[i]) != 0;
		if (is_told && want->sections[i] != got->sections[i]) {
			found |= 1u << kinds[i];
		} else if (is_told && want->ttls[i] != got->ttls[i]) {
			found |= 1u << DIFFER_TTL;
		}
	}
	return found & want->known;
}
