/* test_field_faults_message.c - faults that servers had in the field: sizes, EDNS, opcodes, classes, octets that are no
 * message.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_kit.h"
#include "base/octets.h"
#include "kit/kit.h"
#include "wire/name.h"
#include "wire/rrtype.h"

#define MESSAGE_MAX 65535u
#define UDP_MAX     1232u /* octets of the longest answer that answer_kit's server sends */
#define OPT_FIXED   11u   /* octets of an OPT record before its options, RFC 6891 sec 6.1.2 */

static const char *const sizes_of[] = {"1", "7", "28", "29", "30", "44", "58", "73", "74", "76"};

/* field.example. with N addresses at aN, a referral with glue, an MX with addresses. */
static struct answer_kit *new_kit(void)
{
	static char text[1u << 16];
	const char *const zones[] = {"field.example.", text};
	char *at = text;

	at += sprintf(at, "$TTL 300\n@ SOA ns host 1 2 3 4 60\n@ NS ns\nns A 192.0.2.53\n");
	for (size_t i = 0; i < sizeof(sizes_of) / sizeof(sizes_of[0]); i++) {
		for (int n = atoi(sizes_of[i]); n > 0; n--) {
			at += sprintf(at, "a%s A 192.0.2.%d\n", sizes_of[i], n);
		}
	}
	for (uint32_t i = 0; i < 13; i++) {
		at += sprintf(at,
			"@ MX %u mail-%u\nmail-%u A 192.0.2.%u\nmail-%u AAAA 2001:db8::%u\n"
			"away NS ns%u.away\nns%u.away A 192.0.2.%u\nns%u.away AAAA 2001:db8::%u\n",
			i, i, i, i, i, i, i, i, i, i, i);
	}
	return answer_kit_new(zones, 1);
}

/* Puts an OPT at the end of a query that has none; the new length. */
static uint32_t add_opt(uint8_t *query, uint32_t len, uint32_t size, uint32_t ttl,
	const uint8_t *options, uint32_t options_len)
{
	query[11] = 1;
	query[len] = 0;
	octets_put_u16(query + len + 1, RRTYPE_OPT);
	octets_put_u16(query + len + 3, (uint16_t)size);
	octets_put_u32(query + len + 5, ttl);
	octets_put_u16(query + len + 9, (uint16_t)options_len);
	memcpy(query + len + OPT_FIXED, options, options_len);
	return len + OPT_FIXED + options_len;
}

/* Octets of an answer's OPT; 0 where there is none. ttl_out: its TTL field. */
static uint32_t opt_len_of(const uint8_t *answer, uint32_t len, uint32_t *ttl_out)
{
	struct reader msg = {.octets = answer, .len = len, .off = WIRE_HEADER_LEN};
	uint32_t records = (uint32_t)octets_get_u16(answer + 6) + octets_get_u16(answer + 8) +
			   octets_get_u16(answer + 10);
	uint32_t opt_len = 0;
	struct name owner;

	if (octets_get_u16(answer + 4) == 1) {
		CHECK_U(name_parse(&msg, &owner), WIRE_OK);
		CHECK(reader_skip(&msg, 4));
	}
	for (; records > 0; records--) {
		uint16_t type = 0, class = 0, rdlength = 0;
		uint32_t ttl = 0, start = msg.off;
		CHECK_U(name_parse(&msg, &owner), WIRE_OK);
		CHECK(reader_u16(&msg, &type) && reader_u16(&msg, &class) &&
			reader_u32(&msg, &ttl) && reader_u16(&msg, &rdlength) &&
			reader_skip(&msg, rdlength));
		if (type == RRTYPE_OPT) {
			CHECK(opt_len == 0 && owner.len == 1);
			opt_len = msg.off - start;
			*ttl_out = ttl;
		}
	}
	CHECK_U(msg.off, len);
	return opt_len;
}

/* The octets of an answer to a question in text, without EDNS. */
static uint32_t ask_plain(struct answer_kit *kit, const char *question, uint8_t *out)
{
	uint8_t query[512];
	enum request_transport transport;
	uint32_t len = answer_kit_query(question, query, &transport);

	return answer_kit_send(kit, query, len, transport, out, MESSAGE_MAX);
}

static bool is_cut(const uint8_t *answer)
{
	return (octets_get_u16(answer + 2) & WIRE_FLAG_TC) != 0;
}

static uint32_t rcode_of(const uint8_t *answer)
{
	return octets_get_u16(answer + 2) & WIRE_RCODE_MASK;
}

static uint32_t counts_of(const uint8_t *answer)
{
	return (uint32_t)octets_get_u16(answer + 6) + octets_get_u16(answer + 8) +
	       octets_get_u16(answer + 10);
}

static uint8_t answer[MESSAGE_MAX];

/* Sizes: RFC 1035 sec 4.2.1, RFC 2181 sec 9, RFC 6891 sec 6.2. */

TEST(without_edns_an_answer_is_whole_in_512_octets_or_says_tc)
{
	struct answer_kit *kit = new_kit();
	uint32_t whole = 0, cut = 0;
	char question[64];

	for (size_t i = 0; i < sizeof(sizes_of) / sizeof(sizes_of[0]); i++) {
		uint32_t count = (uint32_t)atoi(sizes_of[i]);
		snprintf(question, sizeof(question), "a%s.field.example. A +tcp", sizes_of[i]);
		KIT_NOTE(question);
		uint32_t full = ask_plain(kit, question, answer);
		CHECK(!is_cut(answer));
		CHECK_U(octets_get_u16(answer + 6), count);
		CHECK(full <= 64 + 16 * count); /* owners are pointers */
		*strstr(question, " +tcp") = '\0';
		uint32_t len = ask_plain(kit, question, answer);
		CHECK(len <= WIRE_UDP_LEN_MIN);
		CHECK_U(is_cut(answer), full > WIRE_UDP_LEN_MIN);
		if (is_cut(answer)) {
			CHECK(octets_get_u16(answer + 6) < count);
			cut++;
		} else {
			CHECK_U(len, full);
			whole++;
		}
	}
	CHECK(whole >= 3 && cut >= 3);
	answer_kit_free(kit);
}

static const struct {
	const char *why;
	uint32_t len;
	uint8_t octets[32];
} options[] = {
	{"no option", 0, {0}},
	{"a client cookie", 12, {0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8}},
	{"NSID", 4, {0, 3, 0, 0}},
	{"an unknown option", 9, {0xfd, 0xf3, 0, 5, 'h', 'e', 'l', 'l', 'o'}},
	{"several", 25,
		{0, 3, 0, 0, 0, 10, 0, 8, 8, 7, 6, 5, 4, 3, 2, 1, 0xfd, 0xf3, 0, 1, 9, 0, 12, 0,
			0}},
};
#define OPTIONS (sizeof(options) / sizeof(options[0]))

/* Octets that a client may be sent that says it takes size. */
static uint32_t limit_of(uint32_t size)
{
	return size < WIRE_UDP_LEN_MIN ? WIRE_UDP_LEN_MIN : size > UDP_MAX ? UDP_MAX : size;
}

/* Sends the question with an OPT and checks what holds of every answer; octets of the OPT in it. */
static uint32_t ask_sized(struct answer_kit *kit, const char *question, uint32_t size, uint32_t ttl,
	size_t option, uint32_t *len_out)
{
	uint8_t query[512];
	enum request_transport transport;
	uint32_t opt_ttl = 0;
	uint32_t len = answer_kit_query(question, query, &transport);

	len = add_opt(query, len, size, ttl, options[option].octets, options[option].len);
	*len_out = answer_kit_send(kit, query, len, transport, answer, sizeof(answer));
	CHECK(*len_out <= limit_of(size));
	uint32_t opt_len = opt_len_of(answer, *len_out, &opt_ttl);
	CHECK(opt_len >= OPT_FIXED); /* RFC 6891 sec 7 */
	CHECK_U(opt_ttl, ttl & 0x8000);
	return opt_len;
}

TEST(at_every_size_the_opt_counts_and_tc_is_set_just_when_records_are_missing)
{
	static const uint32_t large[] = {1300, 1500, 4096, 65535};
	struct answer_kit *kit = new_kit();
	uint32_t whole = 0, cut = 0, exact = 0;
	char question[64];

	for (size_t i = 0; i < sizeof(sizes_of) / sizeof(sizes_of[0]); i++) {
		uint32_t count = (uint32_t)atoi(sizes_of[i]);
		snprintf(question, sizeof(question), "a%s.field.example. A +tcp", sizes_of[i]);
		uint32_t full = ask_plain(kit, question, answer);
		*strstr(question, " +tcp") = '\0';
		for (uint32_t n = 0; n < 1250 + 4; n++) {
			uint32_t size = n < 1250 ? n : large[n - 1250];
			for (size_t o = 0; o < 2 * OPTIONS; o++) {
				uint32_t len;
				KIT_NOTE(options[o / 2].why);
				uint32_t opt_len =
					ask_sized(kit, question, size, o % 2 * 0x8000, o / 2, &len);
				bool fits = full + opt_len <= limit_of(size);
				CHECK_U(is_cut(answer), !fits);
				if (fits) {
					CHECK_U(octets_get_u16(answer + 6), count);
					CHECK_U(len, full + opt_len);
					whole++;
					exact += len == size;
				} else {
					CHECK(octets_get_u16(answer + 6) < count);
					cut++;
				}
			}
		}
	}
	CHECK(whole > 10000 && cut > 10000 && exact >= 5 * OPTIONS);
	answer_kit_free(kit);
}

TEST(at_every_size_a_referral_has_all_its_glue_or_says_tc)
{
	struct answer_kit *kit = new_kit();
	uint32_t full = ask_plain(kit, "www.away.field.example. A +tcp", answer);
	uint32_t whole = 0, cut = 0;

	CHECK_U(octets_get_u16(answer + 8), 13);
	CHECK_U(octets_get_u16(answer + 10), 26);
	for (uint32_t size = 0; size < 1250; size++) {
		uint32_t len, opt_len = ask_sized(kit, "www.away.field.example. A", size, 0,
				      size % OPTIONS, &len);
		bool fits = full + opt_len <= limit_of(size);
		CHECK_U(is_cut(answer), !fits);
		if (fits) {
			CHECK_U(len, full + opt_len);
			whole++;
		} else {
			cut++;
		}
	}
	CHECK(whole > 100 && cut > 100);
	answer_kit_free(kit);
}

TEST(at_every_size_addresses_that_are_a_courtesy_leave_room_for_the_opt)
{
	struct answer_kit *kit = new_kit();
	uint32_t least = UINT32_MAX, most = 0;

	for (uint32_t size = 0; size < 1250; size++) {
		uint32_t len;
		(void)ask_sized(kit, "field.example. MX", size, 0, size % OPTIONS, &len);
		CHECK_U(is_cut(answer), octets_get_u16(answer + 6) != 13);
		uint32_t additional = octets_get_u16(answer + 10);
		least = additional < least ? additional : least;
		most = additional > most ? additional : most;
	}
	CHECK(least < most && most == 27);
	answer_kit_free(kit);
}

/* EDNS: RFC 6891 sec 6.1, RFC 8906 sec 3.2. */

TEST(an_option_that_nobody_knows_is_neither_an_error_nor_sent_back)
{
	static const uint16_t codes[] = {17, 100, 26946, 65000, 65001, 65534};
	struct answer_kit *kit = new_kit();
	uint8_t query[512], plain[512], option[4 + 24] = {0};
	enum request_transport transport;
	uint32_t question_len = answer_kit_query("ns.field.example. A", query, &transport);
	uint32_t len = add_opt(query, question_len, 1232, 0, NULL, 0);
	uint32_t plain_len = answer_kit_send(kit, query, len, transport, plain, sizeof(plain));

	CHECK_S(answer_kit_read(kit, plain, plain_len),
		"NOERROR aa\nan ns.field.example. 300 A 192.0.2.53\nopt 1232\n");
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		for (uint32_t data = 0; data <= 24; data++) {
			octets_put_u16(option, codes[i]);
			octets_put_u16(option + 2, (uint16_t)data);
			memset(option + 4, 0xa5, data);
			len = add_opt(query, question_len, 1232, 0, option, 4 + data);
			len = answer_kit_send(kit, query, len, transport, answer, sizeof(answer));
			CHECK_OCTETS(answer, len, plain, plain_len);
		}
	}
	answer_kit_free(kit);
}

TEST(edns_flags_without_a_meaning_are_clear_in_the_answer)
{
	struct answer_kit *kit = new_kit();

	for (uint32_t bit = 0; bit < 16; bit++) {
		uint32_t len;
		/* ask_sized() checks the flags of the answer. */
		(void)ask_sized(kit, "ns.field.example. A", 1232, 1u << bit, 0, &len);
		CHECK_U(rcode_of(answer), 0);
		CHECK_U(octets_get_u16(answer + 6), 1);
	}
	answer_kit_free(kit);
}

TEST(an_edns_version_to_come_is_badvers_and_names_ours)
{
	struct answer_kit *kit = new_kit();
	uint8_t query[512];
	enum request_transport transport;
	uint32_t question_len = answer_kit_query("ns.field.example. A", query, &transport);

	for (uint32_t version = 1; version <= 255; version++) {
		uint32_t ttl = 0;
		uint32_t len = add_opt(query, question_len, 1232, version << 16, NULL, 0);
		len = answer_kit_send(kit, query, len, transport, answer, sizeof(answer));
		CHECK_U(len, question_len + OPT_FIXED);
		CHECK_U(opt_len_of(answer, len, &ttl), OPT_FIXED);
		CHECK_U(ttl, 1u << 24); /* BADVERS is 16: the high octet is 1 */
		CHECK_U(rcode_of(answer), 0);
	}
	answer_kit_free(kit);
}

/* NOTIMP is for opcodes and for nothing else: RFC 8906 sec 3.1. */

TEST(an_opcode_that_is_not_known_is_notimp_and_comes_back)
{
	static const uint8_t opcodes[] = {1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
	struct answer_kit *kit = new_kit();
	uint8_t query[512];
	enum request_transport transport;

	for (size_t i = 0; i < sizeof(opcodes); i++) {
		uint32_t len = answer_kit_query("ns.field.example. A", query, &transport);
		query[2] = (uint8_t)(opcodes[i] << 3);
		for (uint32_t take = len; take != 0; take = take == len ? WIRE_HEADER_LEN : 0) {
			/* The whole query, and a header whose question is missing. */
			uint32_t got = answer_kit_send(
				kit, query, take, transport, answer, sizeof(answer));
			CHECK(got >= WIRE_HEADER_LEN);
			CHECK_U(octets_get_u16(answer), octets_get_u16(query));
			CHECK_U(octets_get_u16(answer + 2),
				WIRE_FLAG_QR | (uint32_t)opcodes[i] << WIRE_OPCODE_SHIFT | 4);
			CHECK_U(counts_of(answer), 0);
		}
	}
	answer_kit_free(kit);
}

TEST(a_type_that_is_not_known_is_a_type_that_is_not_there)
{
	struct answer_kit *kit = new_kit();
	uint8_t query[512], want[512];
	enum request_transport transport;
	uint32_t len = answer_kit_query("ns.field.example. TYPE65280", query, &transport);
	uint32_t want_len = answer_kit_send(kit, query, len, transport, want, sizeof(want));

	CHECK_S(answer_kit_read(kit, want, want_len),
		"NOERROR aa\nns field.example. 60 SOA ns.field.example. host.field.example. 1 2 3 "
		"4 60\n");
	for (uint32_t type = 1; type <= 65535; type++) {
		octets_put_u16(query + len - 4, (uint16_t)type);
		octets_put_u16(want + len - 4, (uint16_t)type);
		uint32_t got = answer_kit_send(kit, query, len, transport, answer, sizeof(answer));
		if (type == RRTYPE_A || type == RRTYPE_OPT || (type >= 249 && type <= 255)) {
			CHECK(rcode_of(answer) != 4); /* not data: other rules, but never NOTIMP */
		} else {
			CHECK_OCTETS(answer, got, want, want_len);
		}
	}
	answer_kit_free(kit);
}

TEST(no_header_flag_of_a_query_keeps_it_from_its_answer)
{
	struct answer_kit *kit = new_kit();
	uint8_t query[512];
	enum request_transport transport;
	uint32_t len = answer_kit_query("ns.field.example. A", query, &transport);

	/* AA, TC, RD, RA, Z, AD, CD in all their sums, and an RCODE, which is the answer's to set. */
	for (uint32_t flags = 0; flags < 0x800; flags++) {
		octets_put_u16(query + 2, (uint16_t)flags);
		uint32_t got = answer_kit_send(kit, query, len, transport, answer, sizeof(answer));
		CHECK_S(answer_kit_read(kit, answer, got),
			"NOERROR aa\nan ns.field.example. 300 A 192.0.2.53\n");
		/* RFC 1035 sec 4.1.1: RD is copied, Z is zero; RA is not ours to promise. */
		CHECK_U(octets_get_u16(answer + 2) & 0x01c0, flags & WIRE_FLAG_RD);
	}
	answer_kit_free(kit);
}

/* What is not served: RFC 1035 sec 4.1.1. */

TEST(a_name_outside_of_every_zone_is_refused_and_nothing_is_said_of_it)
{
	static const char *const names[] = {"www.elsewhere.", "example.", ".", "xfield.example.",
		"field.example.invalid.", "ns.field.", "*."};
	struct answer_kit *kit = new_kit();
	uint8_t query[512];
	enum request_transport transport;
	char question[64];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(question, sizeof(question), "%s A", names[i]);
		KIT_NOTE(question);
		uint32_t len = answer_kit_query(question, query, &transport);
		for (uint32_t recursion = 0; recursion <= 1; recursion++) {
			query[2] = (uint8_t)recursion;
			uint32_t got =
				answer_kit_send(kit, query, len, transport, answer, sizeof(answer));
			CHECK_U(got, len);
			CHECK_U(octets_get_u16(answer + 2), WIRE_FLAG_QR | recursion << 8 | 5);
			CHECK_U(counts_of(answer), 0);
		}
	}
	answer_kit_free(kit);
}

TEST(a_question_in_another_class_gets_no_data_of_class_in)
{
	static const char *const questions[] = {"version.bind. TXT", "id.server. TXT",
		"hostname.bind. TXT", "version.server. TXT", "ns.field.example. A",
		"field.example. SOA", "gone.field.example. A"};
	static const uint16_t classes[] = {0, 2, 3, 4, 254, 65280};
	struct answer_kit *kit = new_kit();
	uint8_t query[512];
	enum request_transport transport;

	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		for (size_t c = 0; c < sizeof(classes) / sizeof(classes[0]); c++) {
			KIT_NOTE(questions[i]);
			uint32_t len = answer_kit_query(questions[i], query, &transport);
			octets_put_u16(query + len - 2, classes[c]);
			uint32_t got =
				answer_kit_send(kit, query, len, transport, answer, sizeof(answer));
			CHECK_U(got, len);
			CHECK_U(rcode_of(answer), 5);
			CHECK_U(octets_get_u16(answer + 2) & WIRE_FLAG_AA, 0);
			CHECK_U(counts_of(answer), 0);
			CHECK_U(octets_get_u16(answer + len - 2), classes[c]);
		}
	}
	CHECK_S(answer_kit_ask(kit, "version.bind. TXT"), "REFUSED\n");
	answer_kit_free(kit);
}

/* Octets that are no query: RFC 1035 sec 4.1.4, RFC 9267, RFC 6891 sec 6.1.1, RFC 9619. */

#define DROPPED  1u
#define FORMERR  2u
#define REFUSED  4u
#define ANSWERED 8u

#define HEAD(qd, an, ns, ar) 0x51, 0x73, 0, 0, 0, qd, 0, an, 0, ns, 0, ar
#define Q_NAME               2, 'n', 's', 5, 'f', 'i', 'e', 'l', 'd', 7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 0
#define Q_A                  Q_NAME, 0, 1, 0, 1 /* octets 12 to 33 */
#define OPT(rdlength)        0, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, rdlength
#define RR_FIXED             0, 1, 0, 1, 0, 0, 0, 0, 0, 0

static const struct packet {
	const char *why;
	const uint8_t *octets;
	uint32_t len;
	uint32_t allowed;
} packets[] = {
	{"a pointer to itself", BYTES(HEAD(1, 0, 0, 0), 0xc0, 12, 0, 1, 0, 1), DROPPED | FORMERR},
	{"a pointer to what follows", BYTES(HEAD(1, 0, 0, 0), 0xc0, 18, 0, 1, 0, 1, 1, 'x', 0),
		DROPPED | FORMERR},
	{"a label and a pointer to it", BYTES(HEAD(1, 0, 0, 0), 2, 'n', 's', 0xc0, 12, 0, 1, 0, 1),
		DROPPED | FORMERR},
	{"a pointer into the header", BYTES(HEAD(1, 0, 0, 0), 0xc0, 2, 0, 1, 0, 1),
		DROPPED | FORMERR},
	{"a pointer beyond the end", BYTES(HEAD(1, 0, 0, 0), 0xff, 0xff, 0, 1, 0, 1),
		DROPPED | FORMERR},
	{"half a pointer", BYTES(HEAD(1, 0, 0, 0), 2, 'n', 's', 0xc0), DROPPED | FORMERR},
	{"a label of type 01", BYTES(HEAD(1, 0, 0, 0), 0x41, 8, 0xff, 0, 0, 1, 0, 1),
		DROPPED | FORMERR},
	{"a label of type 10", BYTES(HEAD(1, 0, 0, 0), 0x82, 'n', 's', 0, 0, 1, 0, 1),
		DROPPED | FORMERR},
	{"a label that is longer than the message", BYTES(HEAD(1, 0, 0, 0), 63, 'n', 's', 0),
		DROPPED | FORMERR},
	{"no root label", BYTES(HEAD(1, 0, 0, 0), 2, 'n', 's'), DROPPED | FORMERR},
	{"no type", BYTES(HEAD(1, 0, 0, 0), Q_NAME), DROPPED | FORMERR},
	{"half a class", BYTES(HEAD(1, 0, 0, 0), Q_NAME, 0, 1, 0), DROPPED | FORMERR},
	{"a response", BYTES(0x51, 0x73, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, Q_A), DROPPED},
	{"a response that is broken, too", BYTES(0x51, 0x73, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0),
		DROPPED},
	{"no question", BYTES(HEAD(0, 0, 0, 0)), DROPPED | FORMERR | REFUSED},
	{"no question, but an OPT", BYTES(HEAD(0, 0, 0, 1), OPT(0)), DROPPED | FORMERR | REFUSED},
	{"two questions", BYTES(HEAD(2, 0, 0, 0), Q_A, Q_A), DROPPED | FORMERR},
	{"two questions announced", BYTES(HEAD(2, 0, 0, 0), Q_A), DROPPED | FORMERR},
	{"65535 questions announced", BYTES(0x51, 0x73, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, Q_A),
		DROPPED | FORMERR},
	{"65535 records announced",
		BYTES(0x51, 0x73, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, Q_A),
		DROPPED | FORMERR},
	{"two OPTs", BYTES(HEAD(1, 0, 0, 2), Q_A, OPT(0), OPT(0)), DROPPED | FORMERR},
	{"an OPT announced", BYTES(HEAD(1, 0, 0, 1), Q_A), DROPPED | FORMERR},
	{"an OPT with an owner", BYTES(HEAD(1, 0, 0, 1), Q_A, 1, 'o', OPT(0)), DROPPED | FORMERR},
	{"an OPT whose owner points to itself",
		BYTES(HEAD(1, 0, 0, 1), Q_A, 0xc0, 34, 0, 41, 4, 0xd0, 0, 0, 0, 0, 0, 0),
		DROPPED | FORMERR},
	{"an OPT among the answers", BYTES(HEAD(1, 1, 0, 0), Q_A, OPT(0)), DROPPED | FORMERR},
	{"an OPT longer than the message", BYTES(HEAD(1, 0, 0, 1), Q_A, OPT(7), 0, 3, 0, 0),
		DROPPED | FORMERR},
	{"an OPT that leaves octets over", BYTES(HEAD(1, 0, 0, 1), Q_A, OPT(0), 0, 3, 0, 0),
		DROPPED | FORMERR},
	{"an option longer than its OPT", BYTES(HEAD(1, 0, 0, 1), Q_A, OPT(5), 0, 10, 0, 8, 1),
		DROPPED | FORMERR},
	{"an option one octet longer than its OPT",
		BYTES(HEAD(1, 0, 0, 1), Q_A, OPT(12), 0, 10, 0, 9, 1, 2, 3, 4, 5, 6, 7, 8),
		DROPPED | FORMERR},
	{"half an option", BYTES(HEAD(1, 0, 0, 1), Q_A, OPT(3), 0, 10, 0), DROPPED | FORMERR},
	{"a record whose owner points to itself", BYTES(HEAD(1, 1, 0, 0), Q_A, 0xc0, 34, RR_FIXED),
		DROPPED | FORMERR},
	{"two owners that point to each other",
		BYTES(HEAD(1, 2, 0, 0), Q_A, 0xc0, 46, RR_FIXED, 0xc0, 34, RR_FIXED),
		DROPPED | FORMERR},
	{"octets behind the question", BYTES(HEAD(1, 0, 0, 0), Q_A, 0), DROPPED | FORMERR},
};

/* What came of a datagram, one of the outcomes above. */
static uint32_t outcome_of(struct answer_kit *kit, const uint8_t *octets, uint32_t len)
{
	uint32_t got = answer_kit_send(kit, octets, len, REQUEST_UDP, answer, sizeof(answer));

	if (got == 0) {
		return DROPPED;
	}
	const char *text = answer_kit_read(kit, answer, got); /* or the test fails */
	CHECK_U(octets_get_u16(answer), octets_get_u16(octets));
	if (rcode_of(answer) == 0) {
		CHECK(strncmp(text, "NOERROR aa\nan ns.field.example. 300 A 192.0.2.53\n", 48) ==
			0);
		return ANSWERED;
	}
	CHECK_U(octets_get_u16(answer + 6) + octets_get_u16(answer + 8), 0);
	CHECK(rcode_of(answer) == 1 || rcode_of(answer) == 5);
	return rcode_of(answer) == 1 ? FORMERR : REFUSED;
}

/* The same outcome whatever an earlier message left behind this one, and good queries are answered after it. */
static uint32_t check_outcome(
	struct answer_kit *kit, const uint8_t *octets, uint32_t len, uint32_t allowed)
{
	uint8_t before[512];
	uint32_t first = 0;

	for (uint32_t fill = 0; fill <= 255; fill += 51) {
		memset(before, (int)fill, sizeof(before));
		before[2] = 0;
		(void)answer_kit_send(
			kit, before, sizeof(before), REQUEST_UDP, answer, sizeof(answer));
		uint32_t outcome = outcome_of(kit, octets, len);
		first = fill == 0 ? outcome : first;
		CHECK_U(outcome, first);
		CHECK((outcome & allowed) != 0);
	}
	CHECK_S(answer_kit_ask(kit, "ns.field.example. A"),
		"NOERROR aa\nan ns.field.example. 300 A 192.0.2.53\n");
	return first;
}

TEST(octets_that_are_no_query_are_dropped_or_a_formerr_and_harm_nobody)
{
	struct answer_kit *kit = new_kit();
	uint32_t seen = 0;

	for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++) {
		KIT_NOTE(packets[i].why);
		seen |= check_outcome(kit, packets[i].octets, packets[i].len, packets[i].allowed);
	}
	CHECK((seen & (DROPPED | FORMERR)) == (DROPPED | FORMERR));
	answer_kit_free(kit);
}

TEST(a_query_that_is_cut_anywhere_is_no_query)
{
	static const uint8_t query[] = {
		HEAD(1, 0, 0, 1), Q_A, OPT(12), 0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8};
	struct answer_kit *kit = new_kit();

	for (uint32_t len = 0; len < sizeof(query); len++) {
		(void)check_outcome(
			kit, query, len, len < WIRE_HEADER_LEN ? DROPPED : DROPPED | FORMERR);
	}
	CHECK_U(check_outcome(kit, query, sizeof(query), ANSWERED), ANSWERED);
	answer_kit_free(kit);
}

TEST(a_question_of_255_octets_is_one_and_of_256_is_none)
{
	struct answer_kit *kit = new_kit();
	uint8_t query[512] = {HEAD(1, 0, 0, 0)};

	for (uint32_t last = 60; last <= 63; last++) {
		uint32_t at = WIRE_HEADER_LEN;
		for (uint32_t label = 0; label < 4; label++) {
			uint32_t len = label < 3 ? 63 : last;
			query[at] = (uint8_t)len;
			memset(query + at + 1, 'q', len);
			at += len + 1;
		}
		query[at++] = 0; /* 3 * 64 + last + 2 octets */
		octets_put_u16(query + at, RRTYPE_A);
		octets_put_u16(query + at + 2, CLASS_IN);
		(void)check_outcome(kit, query, at + 4, last <= 61 ? REFUSED : DROPPED | FORMERR);
	}
	answer_kit_free(kit);
}
