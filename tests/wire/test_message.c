/* test_message.c - the thorough parser by a table, the fast one against the thorough one. */
#include "wire/message.h"

#include <string.h>

#include "kit/kit.h"

#define LEN_MAX 300u

/* Header of a query with the counts given, then `a.` IN SOA. */
#define HEADER(an, ns, ar) 0x12, 0x34, 0, 0, 0, 1, 0, an, 0, ns, 0, ar
#define QUESTION           1, 'a', 0, 0, 6, 0, 1
#define OPT(len)           0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, len

TEST(each_status_has_a_message)
{
	const struct {
		const char *why;
		const uint8_t *octets;
		size_t len;
		enum message_status status;
		bool fast;
	} cases[] = {
		{"plain", BYTES(HEADER(0, 0, 0), QUESTION), MESSAGE_OK, true},
		{"with OPT", BYTES(HEADER(0, 0, 1), QUESTION, OPT(0)), MESSAGE_OK, true},
		{"with an option", BYTES(HEADER(0, 0, 1), QUESTION, OPT(4), 0, 3, 0, 0), MESSAGE_OK,
			true},
		{"root", BYTES(HEADER(0, 0, 0), 0, 0, 2, 0, 1), MESSAGE_OK, true},
		{"opcode 4", BYTES(0, 0, 0x20, 0, 0, 1, 0, 0, 0, 0, 0, 0, QUESTION), MESSAGE_OK,
			false},
		{"an answer record",
			BYTES(HEADER(1, 0, 0), QUESTION, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0),
			MESSAGE_OK, false},
		{"TSIG at the end",
			BYTES(HEADER(0, 0, 1), QUESTION, 0, 0, 250, 0, 255, 0, 0, 0, 0, 0, 0),
			MESSAGE_OK, false},
		{"no header", BYTES(0x12, 0x34, 0, 0, 0, 1, 0, 0, 0, 0, 0), MESSAGE_DROP, false},
		{"a response", BYTES(0, 0, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, QUESTION), MESSAGE_DROP,
			false},
		{"no question", BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), MESSAGE_FORMERR, false},
		{"two questions", BYTES(0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, QUESTION, QUESTION),
			MESSAGE_FORMERR, false},
		{"name cut short", BYTES(HEADER(0, 0, 0), 3, 'a'), MESSAGE_FORMERR, false},
		{"a pointer to itself", BYTES(HEADER(0, 0, 0), 0xc0, 12, 0, 6, 0, 1),
			MESSAGE_FORMERR, false},
		{"a pointer into the header", BYTES(HEADER(0, 0, 0), 0xc0, 2, 0, 6, 0, 1),
			MESSAGE_FORMERR, false},
		{"label type 01", BYTES(HEADER(0, 0, 0), 0x41, 0, 0, 6, 0, 1), MESSAGE_FORMERR,
			false},
		{"type missing", BYTES(HEADER(0, 0, 0), 1, 'a', 0, 0), MESSAGE_FORMERR, false},
		{"octets left over", BYTES(HEADER(0, 0, 0), QUESTION, 0), MESSAGE_FORMERR, false},
		{"record missing", BYTES(HEADER(0, 0, 1), QUESTION), MESSAGE_FORMERR, false},
		{"two OPT", BYTES(HEADER(0, 0, 2), QUESTION, OPT(0), OPT(0)), MESSAGE_FORMERR,
			false},
		{"OPT below a name", BYTES(HEADER(0, 0, 1), QUESTION, 1, 'x', OPT(0)),
			MESSAGE_FORMERR, false},
		{"OPT by a pointer to the root",
			BYTES(HEADER(0, 0, 1), QUESTION, 0xc0, 14, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0,
				0),
			MESSAGE_FORMERR, false},
		{"OPT in the answer section", BYTES(HEADER(1, 0, 0), QUESTION, OPT(0)),
			MESSAGE_FORMERR, false},
		{"half an option", BYTES(HEADER(0, 0, 1), QUESTION, OPT(3), 0, 3, 0),
			MESSAGE_FORMERR, false},
		{"an option too long", BYTES(HEADER(0, 0, 1), QUESTION, OPT(4), 0, 3, 0, 9),
			MESSAGE_FORMERR, false},
		{"TSIG before OPT",
			BYTES(HEADER(0, 0, 2), QUESTION, 0, 0, 250, 0, 255, 0, 0, 0, 0, 0, 0,
				OPT(0)),
			MESSAGE_FORMERR, false},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct message message;
		const uint8_t *octets = kit_guarded(cases[i].octets, cases[i].len);

		KIT_NOTE(cases[i].why);
		CHECK_U(message_parse(octets, (uint32_t)cases[i].len, &message), cases[i].status);
		CHECK_U(message_parse_fast(octets, (uint32_t)cases[i].len, &message),
			cases[i].fast);
	}
}

TEST(edns_fields_are_read)
{
	const uint8_t octets[] = {
		HEADER(0, 0, 1), QUESTION, 0, 0, 41, 0x10, 0, 7, 9, 0x80, 1, 0, 0};
	struct message message;

	CHECK(message_parse_fast(octets, sizeof(octets), &message));
	CHECK(message.has_edns && message.edns_do);
	CHECK_U(message.edns_version, 9);
	CHECK_U(message.edns_udp_len, 4096);
	CHECK_U(message.id, 0x1234);
	CHECK_U(message.question_end, 19);
	CHECK_U(message.label_count, 1);
	CHECK_U(message.qname_len, 3);
	CHECK_U(message.qtype, 6);
}

TEST(the_longest_name_passes_and_one_octet_more_does_not)
{
	uint8_t octets[LEN_MAX] = {HEADER(0, 0, 0)};
	struct message message;

	octets[12] = octets[76] = octets[140] = 63;
	octets[204] = 61;
	memcpy(octets + 266, "\0\0\1\0\1", 5);
	CHECK_U(message_parse(octets, 271, &message), MESSAGE_OK);
	CHECK_U(message.qname_len, 255);
	octets[204] = 62;
	memcpy(octets + 267, "\0\0\1\0\1", 5);
	CHECK_U(message_parse(octets, 272, &message), MESSAGE_FORMERR);
	CHECK(!message_parse_fast(octets, 272, &message));
}

static bool same(const struct message *a, const struct message *b)
{
	return a->id == b->id && a->flags == b->flags && a->question_end == b->question_end &&
	       a->qtype == b->qtype && a->qclass == b->qclass && a->label_count == b->label_count &&
	       a->qname_len == b->qname_len &&
	       memcmp(a->label_at, b->label_at, a->label_count + 1u) == 0 &&
	       a->has_edns == b->has_edns && a->edns_do == b->edns_do &&
	       a->edns_version == b->edns_version && a->edns_udp_len == b->edns_udp_len &&
	       a->tsig_at == b->tsig_at;
}

/* A message near a good one: labels, perhaps OPT with options, then a few octets changed or cut off. */
static uint32_t make_message(uint8_t *octets)
{
	uint32_t len = 12;

	memset(octets, 0, LEN_MAX);
	octets[5] = 1;
	for (uint32_t labels = kit_random(4); labels > 0; labels--) {
		uint32_t label = 1 + kit_random(6);
		octets[len] = (uint8_t)label;
		len += label + 1;
	}
	len += 1;
	octets[len + 1] = (uint8_t)kit_random(64);
	octets[len + 3] = 1;
	len += 4;
	if (kit_random(2) == 0) {
		uint32_t options = kit_random(3);
		octets[11] = 1;
		octets[len + 2] = 41;
		octets[len + 3] = (uint8_t)kit_random(256);
		octets[len + 7] = (uint8_t)(kit_random(2) << 7);
		octets[len + 10] = (uint8_t)(options * 12);
		len += 11;
		for (uint32_t i = 0; i < options; i++) {
			octets[len + 1] = 10;
			octets[len + 3] = 8;
			len += 12;
		}
	}
	if (kit_random(3) != 0) {
		for (uint32_t changes = 1 + kit_random(3); changes > 0; changes--) {
			octets[kit_random(len)] = (uint8_t)kit_random(256);
		}
	}
	return kit_random(8) == 0 ? kit_random(len + 1) : len;
}

TEST(what_the_fast_parser_takes_it_reads_like_the_thorough_one)
{
	uint32_t taken = 0, left = 0;

	for (uint32_t round = 0; round < 300000; round++) {
		uint8_t octets[LEN_MAX];
		struct message fast, thorough;
		uint32_t len = make_message(octets);
		const uint8_t *guarded = kit_guarded(octets, len);

		enum message_status status = message_parse(guarded, len, &thorough);
		if (message_parse_fast(guarded, len, &fast)) {
			CHECK_U(status, MESSAGE_OK);
			CHECK(same(&fast, &thorough));
			taken++;
		} else {
			left++;
		}
	}
	CHECK(taken > 50000 && left > 50000);
}
