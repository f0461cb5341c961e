/* response.c - records to sets. */
#include "wire/response.h"

#include <string.h>

#include "base/octets.h"
#include "base/reader.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"

#define RECORD_FIXED_LEN 10u /* type, class, TTL, RDLENGTH */
#define OPTION_COOKIE    10u /* RFC 7873 sec 4 */
#define NO_GROUP         UINT32_MAX

/* One record as it stood in the message. */
struct record {
	const struct name *owner;
	struct rrset_rdata rdata;
	uint32_t ttl;
	uint32_t group; /* whose set it belongs to */
	uint16_t type;
	uint16_t covered; /* of an RRSIG */
	uint8_t section;
};

/* What becomes a set. */
struct group {
	const struct name *owner;
	uint32_t ttl;
	uint16_t type;
	uint8_t section;
	uint32_t count, sig_count;
};

struct parse {
	struct reader reader;
	struct arena *arena;
	struct response *out;
	struct record *records;
	uint32_t record_count;
	const struct name *last_owner; /* most records repeat the one before */
	uint32_t group_count;
	struct group groups[RESPONSE_SETS_MAX];
	uint8_t rdata[RDATA_LEN_MAX];
};

static enum wire_status read_question(struct parse *parse, uint32_t count)
{
	struct response *out = parse->out;

	for (uint32_t i = 0; i < count; i++) {
		enum wire_status status = name_parse(&parse->reader, &out->qname);
		if (status != WIRE_OK) {
			return status;
		}
		if (!reader_u16(&parse->reader, &out->qtype) ||
			!reader_u16(&parse->reader, &out->qclass)) {
			return WIRE_TRUNCATED;
		}
	}
	out->has_question = count == 1;
	return WIRE_OK;
}

static void read_options(struct response *out, struct reader options)
{
	uint16_t code, len;

	while (reader_u16(&options, &code) && reader_u16(&options, &len) &&
		reader_left(&options) >= len) {
		if (code == OPTION_COOKIE && len >= 8 && len <= RESPONSE_COOKIE_MAX) {
			out->cookie_len = (uint8_t)len;
			memcpy(out->cookie, options.octets + options.off, len);
		}
		options.off += len;
	}
}

static enum wire_status read_opt(struct parse *parse, uint32_t ttl, uint16_t rdlength)
{
	struct response *out = parse->out;
	struct reader options = {
		.octets = parse->reader.octets + parse->reader.off, .len = rdlength};

	if (out->has_edns) {
		return WIRE_VALUE; /* RFC 6891 sec 6.1.1: at most one */
	}
	out->has_edns = true;
	out->rcode |= (uint16_t)(ttl >> 24 << 4);
	read_options(out, options);
	parse->reader.off += rdlength;
	return WIRE_OK;
}

static enum wire_status keep_record(struct parse *parse, const struct name *owner, uint16_t type,
	uint32_t ttl, uint16_t rdlength, enum wire_section section)
{
	struct record *record = &parse->records[parse->record_count];
	uint32_t len;
	enum wire_status status = rdata_expand(
		&parse->reader, type, rdlength, parse->rdata, sizeof(parse->rdata), &len);

	if (status != WIRE_OK) {
		return status;
	}
	if (parse->last_owner == NULL || parse->last_owner->len != owner->len ||
		memcmp(parse->last_owner->octets, owner->octets, owner->len) != 0) {
		parse->last_owner = arena_copy(parse->arena, owner, sizeof(*owner));
	}
	const uint8_t *rdata = arena_copy(parse->arena, parse->rdata, len);
	if (rdata == NULL || parse->last_owner == NULL) {
		return WIRE_SPACE;
	}
	record->owner = parse->last_owner;
	record->rdata = (struct rrset_rdata){.octets = rdata, .len = (uint16_t)len};
	record->type = type;
	/* RFC 2181 sec 8: a TTL with the top bit is 0. */
	record->ttl = ttl > WIRE_TTL_MAX ? 0 : ttl;
	record->section = (uint8_t)section;
	record->covered =
		type == RRTYPE_RRSIG && len >= RRSIG_FIXED_LEN ? octets_get_u16(rdata) : 0;
	parse->record_count++;
	return WIRE_OK;
}

static enum wire_status read_record(struct parse *parse, enum wire_section section)
{
	struct reader *reader = &parse->reader;
	struct name owner;
	uint16_t type, class, rdlength;
	uint32_t ttl;
	enum wire_status status = name_parse(reader, &owner);

	if (status != WIRE_OK) {
		return status;
	}
	if (!reader_u16(reader, &type) || !reader_u16(reader, &class) ||
		!reader_u32(reader, &ttl) || !reader_u16(reader, &rdlength) ||
		reader_left(reader) < rdlength) {
		return WIRE_TRUNCATED;
	}
	if (type == RRTYPE_OPT) {
		return section == SECTION_ADDITIONAL && owner.len == 1
			       ? read_opt(parse, ttl, rdlength)
			       : WIRE_VALUE;
	}
	if (class != CLASS_IN) {
		reader->off += rdlength;
		return WIRE_OK;
	}
	return keep_record(parse, &owner, type, ttl, rdlength, section);
}

static uint32_t find_group(const struct parse *parse, const struct record *record, uint16_t type)
{
	for (uint32_t i = 0; i < parse->group_count; i++) {
		const struct group *group = &parse->groups[i];
		if (group->type == type && group->section == record->section &&
			group->owner->len == record->owner->len &&
			name_equal(group->owner, record->owner)) {
			return i;
		}
	}
	return NO_GROUP;
}

static bool join_group(struct parse *parse, struct record *record, uint16_t type)
{
	uint32_t at = find_group(parse, record, type);

	if (at == NO_GROUP) {
		if (parse->group_count == RESPONSE_SETS_MAX) {
			return false;
		}
		at = parse->group_count++;
		parse->groups[at] = (struct group){.owner = record->owner,
			.ttl = record->ttl,
			.type = type,
			.section = record->section};
	}
	struct group *group = &parse->groups[at];
	group->ttl = record->ttl < group->ttl ? record->ttl : group->ttl;
	group->count++;
	record->group = at;
	return true;
}

/* Records first; then each signature to the set that it covers. */
static enum wire_status make_groups(struct parse *parse)
{
	for (uint32_t i = 0; i < parse->record_count; i++) {
		struct record *record = &parse->records[i];
		record->group = NO_GROUP;
		if (record->type != RRTYPE_RRSIG && !join_group(parse, record, record->type)) {
			return WIRE_SPACE;
		}
	}
	for (uint32_t i = 0; i < parse->record_count; i++) {
		struct record *record = &parse->records[i];
		if (record->type != RRTYPE_RRSIG) {
			continue;
		}
		uint32_t at = find_group(parse, record, record->covered);
		/* Some servers put it into another section than what it covers. */
		for (uint8_t section = 0; at == NO_GROUP && section < WIRE_SECTIONS; section++) {
			struct record elsewhere = *record;
			elsewhere.section = section;
			at = find_group(parse, &elsewhere, record->covered);
		}
		if (at != NO_GROUP && record->covered != RRTYPE_RRSIG) {
			record->group = at;
			parse->groups[at].sig_count++;
		} else if (!join_group(parse, record, RRTYPE_RRSIG)) {
			return WIRE_SPACE;
		}
	}
	return WIRE_OK;
}

static const struct rrset *make_set(struct parse *parse, uint32_t at)
{
	const struct group *group = &parse->groups[at];
	struct rrset_rdata *rdata =
		arena_alloc(parse->arena, (group->count + group->sig_count) * sizeof(*rdata));
	uint32_t count = 0, sig_count = 0;

	if (rdata == NULL) {
		return NULL;
	}
	for (uint32_t i = 0; i < parse->record_count; i++) {
		const struct record *record = &parse->records[i];
		if (record->group != at) {
			continue;
		}
		if (record->type == group->type) {
			rdata[count++] = record->rdata;
		} else {
			rdata[group->count + sig_count++] = record->rdata;
		}
	}
	return rrset_make(parse->arena, group->owner, group->type, group->ttl, rdata, count,
		rdata + group->count, sig_count);
}

static enum wire_status make_sets(struct parse *parse)
{
	struct response *out = parse->out;
	enum wire_status status = make_groups(parse);

	if (status != WIRE_OK) {
		return status;
	}
	out->sets = arena_alloc(parse->arena, (parse->group_count + 1) * sizeof(out->sets[0]));
	if (out->sets == NULL) {
		return WIRE_SPACE;
	}
	for (uint32_t i = 0; i < parse->group_count; i++) {
		out->sets[i].set = make_set(parse, i);
		out->sets[i].section = parse->groups[i].section;
		if (out->sets[i].set == NULL) {
			return WIRE_SPACE;
		}
	}
	out->set_count = parse->group_count;
	return WIRE_OK;
}

enum wire_status response_parse(
	const uint8_t *octets, uint32_t len, struct arena *arena, struct response *out)
{
	struct parse parse; /* field by field: most of it is scratch */
	uint32_t counts[WIRE_SECTIONS], total = 0;

	parse.reader = (struct reader){.octets = octets, .len = len, .off = WIRE_HEADER_LEN};
	parse.arena = arena;
	parse.out = out;
	parse.last_owner = NULL;
	parse.record_count = parse.group_count = 0;
	*out = (struct response){.id = 0};
	if (len < WIRE_HEADER_LEN) {
		return WIRE_TRUNCATED;
	}
	out->id = octets_get_u16(octets);
	out->flags = octets_get_u16(octets + 2);
	out->rcode = out->flags & WIRE_RCODE_MASK;
	enum wire_status status = read_question(&parse, octets_get_u16(octets + 4));
	for (uint32_t i = 0; i < WIRE_SECTIONS; i++) {
		counts[i] = octets_get_u16(octets + 6 + 2 * i);
		total += counts[i];
	}
	/* A record takes 11 octets at least: no room is asked for what cannot be there. */
	if (status == WIRE_OK && total > len / (RECORD_FIXED_LEN + 1)) {
		return WIRE_TRUNCATED;
	}
	if (status != WIRE_OK) {
		return status;
	}
	parse.records = arena_alloc(arena, (total + 1) * sizeof(parse.records[0]));
	if (parse.records == NULL) {
		return WIRE_SPACE;
	}
	for (uint32_t section = 0; section < WIRE_SECTIONS; section++) {
		for (uint32_t i = 0; i < counts[section]; i++) {
			status = read_record(&parse, (enum wire_section)section);
			if (status != WIRE_OK) {
				return status;
			}
		}
	}
	return make_sets(&parse);
}

const struct rrset *response_find(const struct response *response, enum wire_section section,
	const struct name *owner, uint16_t type)
{
	for (uint32_t i = 0; i < response->set_count; i++) {
		if (response->sets[i].section == section &&
			rrset_is(response->sets[i].set, owner, type)) {
			return response->sets[i].set;
		}
	}
	return NULL;
}
