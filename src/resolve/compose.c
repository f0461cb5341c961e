/* compose.c - a writer that knows what names stand where. */
#include "resolve/compose.h"

#include <string.h>

#include "base/octets.h"
#include "dnssec/dnssec.h"
#include "resolve/classify.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "wire/wire.h"

#define RECORD_FIXED_LEN 10u
#define NAMES_MAX        64u /* suffixes to point to; the first ones of a message serve most */
#define UDP_LEN_OFFERED  1232u
#define OPTION_EDE       15u

struct writer {
	uint8_t *out;
	uint32_t at, limit;
	bool full;
	uint32_t name_count;
	uint16_t names[NAMES_MAX]; /* offsets of suffixes */
	struct compose_ttls *ttls;
	uint16_t counts[WIRE_SECTIONS];
};

/* Does the name at off of the message, whose pointers lead backwards, spell these labels? */
static bool is_at(const struct writer *writer, uint32_t off, const uint8_t *labels)
{
	const uint8_t *out = writer->out;

	for (;;) {
		while (out[off] >= 0xc0) {
			off = octets_get_u16(out + off) & WIRE_POINTER_MAX;
		}
		if (out[off] != labels[0]) {
			return false;
		}
		if (out[off] == 0) {
			return true;
		}
		uint8_t ours[NAME_LABEL_LEN_MAX], theirs[NAME_LABEL_LEN_MAX];
		if (memcmp(out + off + 1, labels + 1, labels[0]) != 0) {
			name_octets_lower(ours, labels + 1, labels[0]);
			name_octets_lower(theirs, out + off + 1, labels[0]);
			if (memcmp(ours, theirs, labels[0]) != 0) {
				return false;
			}
		}
		off += labels[0] + 1u;
		labels += labels[0] + 1u;
	}
}

static void put(struct writer *writer, const void *octets, uint32_t len)
{
	if (writer->full || len > writer->limit - writer->at) {
		writer->full = true;
	} else if (len > 0) {
		memcpy(writer->out + writer->at, octets, len);
		writer->at += len;
	}
}

static void put_u16(struct writer *writer, uint16_t value)
{
	uint8_t octets[2];

	octets_put_u16(octets, value);
	put(writer, octets, sizeof(octets));
}

static void put_name(struct writer *writer, const uint8_t *name, bool compress)
{
	uint32_t whole =
		writer->name_count; /* those behind are parts of this one, which is not there yet */

	if (writer->full) {
		return; /* the last ones may be cut short */
	}
	for (; *name != 0; name += *name + 1u) {
		for (uint32_t i = 0; compress && i < whole; i++) {
			if (is_at(writer, writer->names[i], name)) {
				put_u16(writer, (uint16_t)(WIRE_POINTER_TAG | writer->names[i]));
				return;
			}
		}
		if (compress && writer->name_count < NAMES_MAX && writer->at <= WIRE_POINTER_MAX &&
			!writer->full) {
			writer->names[writer->name_count++] = (uint16_t)writer->at;
		}
		put(writer, name, *name + 1u);
	}
	put(writer, name, 1);
}

static void put_rdata(struct writer *writer, uint16_t type, const struct rrset_rdata *rdata)
{
	struct rdata_name names[RDATA_NAMES_MAX];
	uint32_t count = rdata_names(type, rdata->octets, rdata->len, names);
	uint32_t done = 0, len_at = writer->at;

	put_u16(writer, rdata->len);
	for (uint32_t i = 0; i < count; i++) {
		if (names[i].compressible) {
			put(writer, rdata->octets + done, names[i].off - done);
			put_name(writer, rdata->octets + names[i].off, true);
			done = (uint32_t)names[i].off + names[i].len;
		}
	}
	put(writer, rdata->octets + done, rdata->len - done);
	if (!writer->full) {
		octets_put_u16(writer->out + len_at, (uint16_t)(writer->at - len_at - 2));
	}
}

static void put_record(struct writer *writer, const struct name *owner, uint16_t type, uint32_t ttl,
	const struct rrset_rdata *rdata)
{
	uint8_t fixed[8];

	put_name(writer, owner->octets, true);
	octets_put_u16(fixed, type);
	octets_put_u16(fixed + 2, CLASS_IN);
	octets_put_u32(fixed + 4, ttl);
	struct compose_ttls *ttls = writer->ttls;
	if (ttls != NULL) {
		if (ttls->count < COMPOSE_TTLS_MAX) {
			ttls->offsets[ttls->count] = (uint16_t)(writer->at + 4);
		}
		ttls->count++;
		ttls->least_s = ttl < ttls->least_s ? ttl : ttls->least_s;
	}
	put(writer, fixed, sizeof(fixed));
	put_rdata(writer, type, rdata);
}

/* A set whole, or nothing of it and the answer ends. */
static void put_set(struct writer *writer, const struct rrset *set, uint32_t ttl, bool with_sigs,
	enum wire_section section)
{
	struct rrset_walk walk = rrset_records(set);
	struct rrset_rdata rdata;
	struct name owner;
	uint32_t start = writer->at, names = writer->name_count, count = 0;

	if (writer->full) {
		return;
	}
	rrset_owner(set, &owner);
	while (rrset_next(&walk, &rdata)) {
		put_record(writer, &owner, set->type, ttl, &rdata);
		count++;
	}
	walk = rrset_sigs(set);
	while (with_sigs && rrset_next(&walk, &rdata)) {
		put_record(writer, &owner, RRTYPE_RRSIG, ttl, &rdata);
		count++;
	}
	if (writer->full) {
		writer->at = start;
		writer->name_count = names;
	} else {
		writer->counts[section] = (uint16_t)(writer->counts[section] + count);
	}
}

static uint32_t aged(const struct compose_part *part, uint32_t place)
{
	uint32_t ttl = part->result->ttls[place];

	return ttl > part->aged_s ? ttl - part->aged_s : 0;
}

/* The CNAME that a DNAME makes (RFC 6672 sec 3.1). */
static void put_made_cname(struct writer *writer, const struct compose_part *part)
{
	struct name target;
	uint32_t start = writer->at;

	if (writer->full || !classify_alias(part->result->sets[0], part->name, &target)) {
		return;
	}
	const struct rrset_rdata rdata = {.octets = target.octets, .len = target.len};
	put_record(writer, part->name, RRTYPE_CNAME, aged(part, 0), &rdata);
	if (writer->full) {
		writer->at = start;
	} else {
		writer->counts[SECTION_ANSWER]++;
	}
}

/* Has the same set gone out for an earlier name? A DNAME may redirect twice. */
static bool is_repeated(
	const struct compose_part *first, const struct compose_part *part, const struct rrset *set)
{
	for (const struct compose_part *at = first; at < part; at++) {
		const struct rrset *before =
			at->result->answer_count > 0 ? at->result->sets[0] : NULL;
		if (before != NULL && before->type == set->type && before->len == set->len &&
			memcmp(before->octets, set->octets, set->owner_len) == 0) {
			return true;
		}
	}
	return false;
}

static void put_answers(struct writer *writer, const struct compose_client *client,
	const struct compose_part *first, const struct compose_part *part)
{
	const struct search_result *result = part->result;
	uint32_t count = client->one_set && result->answer_count > 1 ? 1 : result->answer_count;

	for (uint32_t i = 0; i < count; i++) {
		if (!is_repeated(first, part, result->sets[i])) {
			put_set(writer, result->sets[i], aged(part, i), client->dnssec_ok,
				SECTION_ANSWER);
		}
	}
	if (result->end == SEARCH_ALIAS && result->sets[0]->type == RRTYPE_DNAME) {
		put_made_cname(writer, part);
	}
}

static void put_authority(
	struct writer *writer, const struct compose_client *client, const struct compose_part *part)
{
	const struct search_result *result = part->result;

	for (uint32_t i = result->answer_count; i < result->set_count; i++) {
		bool proof = result->sets[i]->type != RRTYPE_SOA;
		if (!proof || client->dnssec_ok) {
			put_set(writer, result->sets[i], aged(part, i), client->dnssec_ok,
				SECTION_AUTHORITY);
		}
	}
}

uint32_t compose_opt(bool dnssec_ok, int16_t ede, const char *cause, uint16_t rcode, uint8_t *out)
{
	uint32_t len = 11;

	memset(out, 0, 11);
	octets_put_u16(out + 1, RRTYPE_OPT);
	octets_put_u16(out + 3, UDP_LEN_OFFERED);
	out[5] = (uint8_t)(rcode >> 4);
	out[7] = dnssec_ok ? 0x80 : 0;
	if (ede >= 0) {
		uint32_t text_len = cause != NULL ? (uint32_t)strlen(cause) : 0;
		DASSERT(text_len < CAUSE_TEXT_MAX);
		octets_put_u16(out + 11, OPTION_EDE);
		octets_put_u16(out + 13, (uint16_t)(2 + text_len));
		octets_put_u16(out + 15, (uint16_t)ede);
		memcpy(out + 17, text_len > 0 ? cause : "", text_len);
		len += 6 + text_len;
	}
	octets_put_u16(out + 9, (uint16_t)(len - 11));
	return len;
}

uint32_t compose(const struct compose_client *client, const struct compose_answer *answer,
	uint8_t *out, uint32_t cap, struct compose_ttls *ttls)
{
	uint8_t opt[COMPOSE_OPT_MAX];
	uint32_t opt_len = client->has_edns ? compose_opt(client->dnssec_ok, answer->ede,
						      answer->cause, answer->rcode, opt)
					    : 0;
	uint32_t limit = client->limit < cap ? client->limit : cap;
	struct writer writer = {.out = out, .limit = limit - opt_len, .ttls = ttls};
	uint16_t flags = WIRE_FLAG_QR | WIRE_FLAG_RA | (answer->rcode & WIRE_RCODE_MASK);

	memset(out, 0, WIRE_HEADER_LEN);
	writer.at = WIRE_HEADER_LEN;
	if (ttls != NULL) {
		ttls->count = 0;
		ttls->least_s = UINT32_MAX;
	}
	put_name(&writer, client->qname.octets, true);
	put_u16(&writer, client->qtype);
	put_u16(&writer, CLASS_IN);
	for (uint32_t i = 0; i < answer->part_count; i++) {
		put_answers(&writer, client, answer->parts, &answer->parts[i]);
	}
	for (uint32_t i = 0; i < answer->part_count; i++) {
		put_authority(&writer, client, &answer->parts[i]);
	}
	flags |= client->flags & (WIRE_FLAG_RD | WIRE_FLAG_CD);
	bool asked = client->dnssec_ok || (client->flags & WIRE_FLAG_AD) != 0;
	if (answer->secure && asked && (client->flags & WIRE_FLAG_CD) == 0) {
		flags |= WIRE_FLAG_AD;
	}
	flags |= writer.full ? WIRE_FLAG_TC : 0;
	octets_put_u16(out, client->id);
	octets_put_u16(out + 2, flags);
	octets_put_u16(out + 4, 1);
	octets_put_u16(out + 6, writer.counts[SECTION_ANSWER]);
	octets_put_u16(out + 8, writer.counts[SECTION_AUTHORITY]);
	octets_put_u16(out + 10, opt_len > 0);
	memcpy(out + writer.at, opt, opt_len);
	if (ttls != NULL && writer.full) {
		ttls->count = COMPOSE_TTLS_MAX + 1; /* what is cut is for this client alone */
	}
	return writer.at + opt_len;
}
