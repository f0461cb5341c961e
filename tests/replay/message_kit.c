/* message_kit.c - a writer and a reader of messages. */
#include "replay/message_kit.h"

#include <string.h>

#include "base/octets.h"
#include "wire/rrtype.h"

#define OPTION_EDE       15u
#define RECORD_FIXED_LEN 10u

static void put(struct message_kit *out, const void *octets, uint32_t len)
{
	if (out->full || len > sizeof(out->octets) - out->len) {
		out->full = true;
	} else if (len > 0) {
		memcpy(out->octets + out->len, octets, len);
		out->len += len;
	}
}

static void put_u16(struct message_kit *out, uint32_t value)
{
	const uint8_t octets[2] = {(uint8_t)(value >> 8), (uint8_t)value};

	put(out, octets, sizeof(octets));
}

static void put_question(struct message_kit *out, const struct message_kit_question *question)
{
	put(out, question->name.octets, question->name.len);
	put_u16(out, question->type);
	put_u16(out, CLASS_IN);
}

static void put_opt(struct message_kit *out, uint16_t udp_len, bool dnssec_ok)
{
	const uint8_t opt[11] = {0, 0, RRTYPE_OPT, (uint8_t)(udp_len >> 8), (uint8_t)udp_len, 0, 0,
		dnssec_ok ? 0x80 : 0};

	put(out, opt, sizeof(opt));
	out->octets[11]++;
}

void message_kit_ask(struct message_kit *out, const struct message_kit_question *question)
{
	message_kit_begin(out, question, question->flags);
	if (question->edns) {
		put_opt(out, question->udp_len, question->dnssec_ok);
	}
}

void message_kit_begin(
	struct message_kit *out, const struct message_kit_question *question, uint16_t flags)
{
	const uint8_t head[WIRE_HEADER_LEN] = {(uint8_t)(question->id >> 8), (uint8_t)question->id,
		(uint8_t)(flags >> 8), (uint8_t)flags, 0, 1};

	out->len = 0;
	out->full = false;
	out->section = SECTION_ANSWER;
	put(out, head, sizeof(head));
	put_question(out, question);
}

void message_kit_put(struct message_kit *out, enum wire_section section, const struct name *owner,
	uint16_t type, uint32_t ttl, const uint8_t *rdata, uint32_t rdata_len)
{
	uint32_t count_at = 6 + 2 * (uint32_t)section;

	ASSERT(section >= out->section);
	out->section = section;
	put(out, owner->octets, owner->len);
	put_u16(out, type);
	put_u16(out, CLASS_IN);
	put_u16(out, ttl >> 16);
	put_u16(out, ttl);
	put_u16(out, rdata_len);
	put(out, rdata, rdata_len);
	if (!out->full) {
		octets_put_u16(out->octets + count_at,
			(uint16_t)(octets_get_u16(out->octets + count_at) + 1));
	}
}

void message_kit_end(
	struct message_kit *out, const struct message_kit_question *question, bool stream)
{
	uint32_t limit = question->edns && question->udp_len > WIRE_UDP_LEN_MIN ? question->udp_len
										: WIRE_UDP_LEN_MIN;

	if (question->edns) {
		put_opt(out, 1232, question->dnssec_ok);
	}
	if (out->full || (!stream && out->len > limit)) {
		message_kit_begin(
			out, question, (uint16_t)(octets_get_u16(out->octets + 2) | WIRE_FLAG_TC));
		if (question->edns) {
			put_opt(out, 1232, question->dnssec_ok);
		}
	}
}

/* ---- reading ---- */

struct cursor {
	const uint8_t *octets;
	uint32_t len, at;
	struct message_kit_answer *out;
	uint32_t pool_used;
};

/* A name from at; pointers lead to what stands before the name; lower case. */
static bool read_name(struct cursor *cursor, uint32_t *at, struct name *out)
{
	uint32_t pos = *at, low = *at;
	bool jumped = false;

	out->len = 0;
	out->label_count = 0;
	for (;;) {
		if (pos >= cursor->len) {
			return false;
		}
		uint32_t head = cursor->octets[pos];
		if (head >= 0xc0) {
			if (pos + 1 >= cursor->len) {
				return false;
			}
			uint32_t target = (head & 0x3f) << 8 | cursor->octets[pos + 1];
			if (!jumped) {
				*at = pos + 2;
				jumped = true;
			}
			if (target >= low || target < WIRE_HEADER_LEN) {
				return false;
			}
			low = pos = target;
			continue;
		}
		if (head > NAME_LABEL_LEN_MAX || pos + 1 + head > cursor->len ||
			out->len + head + 1 + (head != 0) > NAME_LEN_MAX) {
			return false;
		}
		memcpy(out->octets + out->len, cursor->octets + pos, head + 1);
		out->len = (uint8_t)(out->len + head + 1);
		pos += head + 1;
		if (head == 0) {
			break;
		}
		out->label_count++;
	}
	if (!jumped) {
		*at = pos;
	}
	name_lower(out);
	return true;
}

static bool read_fields(struct cursor *cursor, void *out, uint32_t len)
{
	if (len > cursor->len - cursor->at) {
		return false;
	}
	memcpy(out, cursor->octets + cursor->at, len);
	cursor->at += len;
	return true;
}

/* RDATA that may hold compressed names: octets before the first name, names, octets behind; 0 names: none. */
static void name_places(uint16_t type, uint32_t *before, uint32_t *names)
{
	*before = type == RRTYPE_MX ? 2 : 0;
	*names = type == RRTYPE_NS || type == RRTYPE_CNAME || type == RRTYPE_PTR ||
				 type == RRTYPE_MX || type == RRTYPE_DNAME
			 ? 1
		 : type == RRTYPE_SOA ? 2
				      : 0;
}

static bool read_rdata(struct cursor *cursor, struct message_kit_record *record, uint32_t len)
{
	uint8_t *pool = cursor->out->pool + cursor->pool_used;
	uint32_t end = cursor->at + len, used = 0, before, names;

	name_places(record->type, &before, &names);
	if (cursor->pool_used + len + 2 * NAME_LEN_MAX > sizeof(cursor->out->pool) ||
		(names > 0 && before > len)) {
		return false;
	}
	memcpy(pool, cursor->octets + cursor->at, before);
	used = before;
	cursor->at += before;
	for (uint32_t i = 0; i < names; i++) {
		struct name name;
		if (cursor->at >= end || !read_name(cursor, &cursor->at, &name) ||
			cursor->at > end) {
			return false;
		}
		memcpy(pool + used, name.octets, name.len);
		used += name.len;
	}
	memcpy(pool + used, cursor->octets + cursor->at, end - cursor->at);
	used += end - cursor->at;
	cursor->at = end;
	cursor->pool_used += used;
	record->rdata = pool;
	record->rdata_len = (uint16_t)used;
	return true;
}

static bool read_opt(
	struct message_kit_answer *out, const uint8_t *fixed, const uint8_t *rdata, uint32_t len)
{
	if (out->edns) {
		return false;
	}
	out->edns = true;
	out->question.udp_len = octets_get_u16(fixed + 2);
	out->rcode = (uint16_t)(out->rcode | fixed[4] << 4);
	out->question.dnssec_ok = (fixed[6] & 0x80) != 0;
	while (len > 0) {
		if (len < 4 || octets_get_u16(rdata + 2) > len - 4) {
			return false;
		}
		if (octets_get_u16(rdata) == OPTION_EDE && octets_get_u16(rdata + 2) >= 2 &&
			out->ede < 0) {
			out->ede = octets_get_u16(rdata + 4);
		}
		uint32_t step = 4u + octets_get_u16(rdata + 2);
		rdata += step;
		len -= step;
	}
	return true;
}

static bool read_record(struct cursor *cursor, enum wire_section section)
{
	struct message_kit_answer *out = cursor->out;
	struct message_kit_record *record = &out->records[out->count];
	uint8_t fixed[RECORD_FIXED_LEN];

	if (out->count == MESSAGE_KIT_RECORDS_MAX ||
		!read_name(cursor, &cursor->at, &record->owner) ||
		!read_fields(cursor, fixed, sizeof(fixed))) {
		return false;
	}
	uint32_t rdata_len = octets_get_u16(fixed + 8);
	record->section = section;
	record->type = octets_get_u16(fixed);
	record->ttl = octets_get_u32(fixed + 4);
	if (rdata_len > cursor->len - cursor->at) {
		return false;
	}
	if (record->type == RRTYPE_OPT) {
		const uint8_t *rdata = cursor->octets + cursor->at;
		cursor->at += rdata_len;
		return section == SECTION_ADDITIONAL && record->owner.len == 1 &&
		       read_opt(out, fixed, rdata, rdata_len);
	}
	out->count++;
	return octets_get_u16(fixed + 2) == CLASS_IN && read_rdata(cursor, record, rdata_len);
}

bool message_kit_read(
	const uint8_t *octets, uint32_t len, struct message_kit_answer *out, const char **why)
{
	struct cursor cursor = {.octets = octets, .len = len, .at = WIRE_HEADER_LEN, .out = out};
	uint8_t fixed[4];

	out->count = 0;
	out->edns = false;
	out->ede = -1;
	out->question = (struct message_kit_question){.id = 0};
	*why = "no header";
	if (len < WIRE_HEADER_LEN) {
		return false;
	}
	out->question.id = octets_get_u16(octets);
	out->question.flags = octets_get_u16(octets + 2);
	out->rcode = out->question.flags & WIRE_RCODE_MASK;
	*why = "no question";
	if (octets_get_u16(octets + 4) != 1 ||
		!read_name(&cursor, &cursor.at, &out->question.name) ||
		!read_fields(&cursor, fixed, sizeof(fixed)) ||
		octets_get_u16(fixed + 2) != CLASS_IN) {
		return false;
	}
	out->question.type = octets_get_u16(fixed);
	*why = "a record that is none";
	for (uint32_t s = 0; s < WIRE_SECTIONS; s++) {
		for (uint32_t i = octets_get_u16(octets + 6 + 2 * s); i > 0; i--) {
			if (!read_record(&cursor, (enum wire_section)s)) {
				return false;
			}
		}
	}
	out->question.edns = out->edns;
	*why = "octets left over";
	return cursor.at == len;
}

bool message_kit_read_question(
	const uint8_t *octets, uint32_t len, struct message_kit_question *out)
{
	static struct message_kit_answer scratch;
	const char *why;

	if (!message_kit_read(octets, len, &scratch, &why)) {
		return false;
	}
	*out = scratch.question;
	return true;
}
