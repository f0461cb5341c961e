/* test_response.c - messages to RRsets: by hand, and random messages that come back as they were made. */
#include "wire/response.h"

#include <string.h>

#include "base/arena.h"
#include "base/octets.h"
#include "kit/kit.h"
#include "kit/rdata_kit.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"

#define ARENA_MAX   (4u << 20)
#define RECORDS_MAX 40u
#define ROUNDS      20000u

static struct arena arena;

static enum wire_status parse(const uint8_t *octets, size_t len, struct response *out)
{
	arena_fini(&arena);
	arena_init(&arena, ARENA_MAX);
	return response_parse(kit_guarded(octets, len), (uint32_t)len, &arena, out);
}

#define HEAD(questions, answers, authorities, additionals)                                         \
	0, 7, 0x84, 0, 0, (questions), 0, (answers), 0, (authorities), 0, (additionals)
#define QUESTION 1, 'a', 0, 0, 1, 0, 1

TEST(each_status_has_a_message)
{
	const struct {
		const char *why;
		const uint8_t *octets;
		size_t len;
		enum wire_status status;
	} cases[] = {
		{"head alone", BYTES(HEAD(0, 0, 0, 0)), WIRE_OK},
		{"head cut", BYTES(0, 7, 0x84, 0, 0, 0, 0, 0, 0, 0, 0), WIRE_TRUNCATED},
		{"question", BYTES(HEAD(1, 0, 0, 0), QUESTION), WIRE_OK},
		{"question cut", BYTES(HEAD(1, 0, 0, 0), 1, 'a', 0, 0, 1, 0), WIRE_TRUNCATED},
		{"question that points", BYTES(HEAD(1, 0, 0, 0), 0xc0, 12, 0, 1, 0, 1),
			WIRE_POINTER},
		{"A",
			BYTES(HEAD(1, 1, 0, 0), QUESTION, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 1,
				2, 3, 4),
			WIRE_OK},
		{"A of 3 octets",
			BYTES(HEAD(1, 1, 0, 0), QUESTION, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 3, 1,
				2, 3),
			WIRE_TRUNCATED},
		{"A beyond the end",
			BYTES(HEAD(1, 1, 0, 0), QUESTION, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 1,
				2, 3),
			WIRE_TRUNCATED},
		{"more records than octets", BYTES(HEAD(0, 99, 0, 0), 0, 0, 1), WIRE_TRUNCATED},
		{"OPT", BYTES(HEAD(0, 0, 0, 1), 0, 0, 41, 4, 0xd0, 1, 0, 0x80, 0, 0, 0), WIRE_OK},
		{"OPT twice",
			BYTES(HEAD(0, 0, 0, 2), 0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, 0, 0, 0, 41, 4,
				0xd0, 0, 0, 0, 0, 0, 0),
			WIRE_VALUE},
		{"OPT in an answer", BYTES(HEAD(0, 1, 0, 0), 0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, 0),
			WIRE_VALUE},
		{"OPT below the root",
			BYTES(HEAD(0, 0, 0, 1), 1, 'a', 0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, 0),
			WIRE_VALUE},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct response response;
		KIT_NOTE(cases[i].why);
		CHECK_U(parse(cases[i].octets, cases[i].len, &response), cases[i].status);
	}
	arena_fini(&arena);
}

TEST(rcode_and_cookie_come_from_opt)
{
	struct response response;

	CHECK_U(parse(BYTES(HEAD(0, 0, 0, 1), 0, 0, 41, 4, 0xd0, 1, 0, 0, 0, 0, 12, 0, 10, 0, 8, 1,
			      2, 3, 4, 5, 6, 7, 8),
			&response),
		WIRE_OK);
	CHECK(response.has_edns);
	CHECK_U(response.rcode, 16);
	CHECK_U(response.cookie_len, 8);
	CHECK_U(response.cookie[7], 8);
	/* One that is too short, or whose length lies, is none. */
	CHECK_U(parse(BYTES(HEAD(0, 0, 0, 1), 0, 0, 41, 4, 0xd0, 1, 0, 0, 0, 0, 8, 0, 10, 0, 9, 1,
			      2, 3, 4),
			&response),
		WIRE_OK);
	CHECK_U(response.cookie_len, 0);
	arena_fini(&arena);
}

TEST(signatures_go_with_what_they_cover_and_repetitions_are_one)
{
	/* www A twice the same, once another with letters in capitals and a smaller TTL; an RRSIG of A, one of MX. */
	static const uint8_t octets[] = {HEAD(0, 5, 0, 0), 1, 'w', 0, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4,
		1, 2, 3, 4, 1, 'w', 0, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 1, 2, 3, 4, 1, 'W', 0, 0, 1, 0,
		1, 0, 0, 0, 5, 0, 4, 1, 2, 3, 5, 1, 'w', 0, 0, 46, 0, 1, 0, 0, 0, 9, 0, 20, 0, 1,
		13, 1, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 1, 0, 1, 0, 77, 1, 'w', 0, 0, 46, 0, 1, 0,
		0, 0, 9, 0, 20, 0, 15, 13, 1, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 1, 0, 1, 0, 78};
	struct name w = {.len = 3, .label_count = 1, .octets = {1, 'w', 0}};
	struct response response;

	CHECK_U(parse(octets, sizeof(octets), &response), WIRE_OK);
	const struct rrset *a = response_find(&response, SECTION_ANSWER, &w, RRTYPE_A);
	CHECK(a != NULL);
	CHECK_U(a->count, 2);
	CHECK_U(a->sig_count, 1);
	CHECK_U(a->ttl, 5);
	const struct rrset *alone = response_find(&response, SECTION_ANSWER, &w, RRTYPE_RRSIG);
	CHECK(alone != NULL);
	CHECK_U(alone->count, 1);
	CHECK(response_find(&response, SECTION_AUTHORITY, &w, RRTYPE_A) == NULL);
	CHECK(response_find(&response, SECTION_ANSWER, &w, RRTYPE_MX) == NULL);
	arena_fini(&arena);
}

TEST(a_ttl_with_its_top_bit_is_none)
{
	struct response response;

	CHECK_U(parse(BYTES(HEAD(0, 1, 0, 0), 0, 0, 1, 0, 1, 0x80, 0, 0, 1, 0, 4, 1, 2, 3, 4),
			&response),
		WIRE_OK);
	CHECK_U(response.sets[0].set->ttl, 0);
	arena_fini(&arena);
}

TEST(more_sets_than_there_is_room_for_are_refused)
{
	static uint8_t octets[WIRE_HEADER_LEN + (RESPONSE_SETS_MAX + 1) * 17];
	struct response response;

	for (uint32_t extra = 0; extra < 2; extra++) {
		uint32_t count = RESPONSE_SETS_MAX + extra;
		uint8_t *at = octets + WIRE_HEADER_LEN;
		memset(octets, 0, sizeof(octets));
		octets_put_u16(octets + 6, (uint16_t)count);
		for (uint32_t i = 0; i < count; i++, at += 17) {
			const uint8_t record[17] = {2, (uint8_t)(1 + i / 50), (uint8_t)(1 + i % 50),
				0, 0, 16, 0, 1, 0, 0, 0, 1, 0, 2, 1, 'x'};
			memcpy(at, record, 16);
			at--;
		}
		CHECK_U(parse(octets, (size_t)(at - octets), &response),
			extra == 0 ? WIRE_OK : WIRE_SPACE);
	}
	arena_fini(&arena);
}

/* ---- random ---- */

struct record {
	struct name owner;
	uint16_t type;
	uint32_t ttl;
	uint8_t section;
	uint32_t len;
	uint8_t rdata[RDATA_KIT_LEN_MAX];
};

static struct record records[RECORDS_MAX];

static void make_records(uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		struct record *record = &records[i];
		uint8_t last = i > 0 ? records[i - 1].section : 0;
		*record = (struct record){.ttl = kit_random(1000),
			.section = (uint8_t)(last + (last < 2 ? kit_random(8) == 0 : 0))};
		record->owner = (struct name){.len = 3,
			.label_count = 1,
			.octets = {1, (uint8_t)('a' + kit_random(4)), 0}};
		record->type = rdata_kit_types[kit_random(rdata_kit_type_count)];
		if (i > 0 && kit_random(3) == 0) {
			record->type = records[i - 1].type;
			record->owner = records[i - 1].owner;
		}
		record->len = rdata_kit_make(record->type, record->rdata);
	}
}

static uint32_t write_message(uint32_t count, uint8_t *out)
{
	uint8_t *at = out + WIRE_HEADER_LEN;

	memset(out, 0, WIRE_HEADER_LEN);
	for (uint32_t i = 0; i < count; i++) {
		const struct record *record = &records[i];
		uint8_t *counted = out + 6 + 2 * record->section;
		octets_put_u16(counted, (uint16_t)(octets_get_u16(counted) + 1));
		memcpy(at, record->owner.octets, record->owner.len);
		at += record->owner.len;
		octets_put_u16(at, record->type);
		octets_put_u16(at + 2, CLASS_IN);
		octets_put_u32(at + 4, record->ttl);
		octets_put_u16(at + 8, (uint16_t)record->len);
		memcpy(at + 10, record->rdata, record->len);
		at += 10 + record->len;
	}
	return (uint32_t)(at - out);
}

/* Is the record in some set of the response? */
static bool is_there(const struct response *response, const struct record *record)
{
	for (uint32_t i = 0; i < response->set_count; i++) {
		const struct rrset *set = response->sets[i].set;
		bool own = rrset_is(set, &record->owner, record->type);
		struct rrset_walk walk = own ? rrset_records(set) : rrset_sigs(set);
		struct rrset_rdata rdata;
		struct name owner;
		rrset_owner(set, &owner);
		if (!name_equal(&owner, &record->owner) || (!own && record->type != RRTYPE_RRSIG)) {
			continue;
		}
		while (rrset_next(&walk, &rdata)) {
			if (rdata.len == record->len &&
				memcmp(rdata.octets, record->rdata, rdata.len) == 0) {
				return true;
			}
		}
	}
	return false;
}

TEST(random_messages_come_back_as_they_were_made)
{
	static uint8_t octets[WIRE_MESSAGE_LEN_MAX + RECORDS_MAX * RDATA_KIT_LEN_MAX];
	uint32_t parsed = 0, broken = 0;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t count = 1 + kit_random(RECORDS_MAX - 1);
		struct response response;
		make_records(count);
		uint32_t len = write_message(count, octets);
		if (len > WIRE_MESSAGE_LEN_MAX) {
			continue;
		}
		CHECK_U(parse(octets, len, &response), WIRE_OK);
		parsed++;
		for (uint32_t i = 0; i < count; i++) {
			CHECK(is_there(&response, &records[i]));
		}
		for (uint32_t i = 0; i < response.set_count; i++) {
			const struct rrset *set = response.sets[i].set;
			const struct rrset *copy = rrset_copy(&arena, set);
			CHECK(copy != NULL && memcmp(copy, set, set->len) == 0);
			CHECK_U(set->len % RRSET_ALIGNMENT, 0);
		}
		/* Cut short it is whole no more. */
		uint32_t cut = kit_random(len);
		if (cut >= WIRE_HEADER_LEN) {
			CHECK(parse(octets, cut, &response) != WIRE_OK);
			broken++;
		}
	}
	CHECK(parsed > ROUNDS / 2);
	CHECK(broken > ROUNDS / 2);
	arena_fini(&arena);
}
