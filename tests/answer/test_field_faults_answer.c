/* test_field_faults_answer.c - faults that servers had in the field: which zone, which name, which records answer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_kit.h"
#include "base/octets.h"
#include "crypto/sha1.h"
#include "kit/kit.h"
#include "wire/name.h"
#include "zonefile/encode.h"

/* The questions of one zone, field.example., which has the records of text beside its apex. */
static void check_zone(const char *text, const struct ask *asks, size_t count)
{
	static char whole[65536];
	const char *const zones[] = {"field.example.", whole};

	snprintf(whole, sizeof(whole),
		"$TTL 300\n@ SOA ns host 1 2 3 4 60\n@ NS ns\nns A 192.0.2.53\n%s", text);
	struct answer_kit *kit = answer_kit_new(zones, 1);
	answer_kit_check(kit, asks, count);
	answer_kit_free(kit);
}
#define CHECK_ZONE(text, asks) check_zone(text, asks, sizeof(asks) / sizeof((asks)[0]))

#define SOA_RDATA "ns.field.example. host.field.example. 1 2 3 4 60"
#define SOA       "ns field.example. 60 SOA " SOA_RDATA "\n"

/* Existence: RFC 4592 sec 2.2, RFC 8020 sec 2. */

TEST(a_name_exists_when_something_lies_below_it)
{
	static const struct ask asks[] = {
		{"tree.field.example. A", "NOERROR aa\n" SOA},
		{"mid.tree.field.example. A", "NOERROR aa\n" SOA},
		{"low.mid.tree.field.example. A",
			"NOERROR aa\nan low.mid.tree.field.example. 300 A 192.0.2.1\n"},
		{"other.tree.field.example. A", "NXDOMAIN aa\n" SOA},
		{"other.mid.tree.field.example. A", "NXDOMAIN aa\n" SOA},
	};

	CHECK_ZONE("low.mid.tree A 192.0.2.1\n", asks);
}

TEST(a_star_that_only_has_names_below_it_exists_and_matches_without_data)
{
	static const struct ask asks[] = {
		{"crate.field.example. A", "NOERROR aa\n" SOA},
		{"*.crate.field.example. A", "NOERROR aa\n" SOA},
		{"any.crate.field.example. A", "NOERROR aa\n" SOA},
		{"two.any.crate.field.example. A", "NOERROR aa\n" SOA},
		{"pear.*.crate.field.example. A",
			"NOERROR aa\nan pear.*.crate.field.example. 300 A 192.0.2.1\n"},
		/* A star in the middle synthesises nothing. */
		{"pear.any.crate.field.example. A", "NOERROR aa\n" SOA},
		{"plum.*.crate.field.example. A", "NXDOMAIN aa\n" SOA},
		/* What exists beside the star hides it from what is below. */
		{"any.lid.crate.field.example. A", "NXDOMAIN aa\n" SOA},
	};

	CHECK_ZONE("pear.*.crate A 192.0.2.1\nlid.crate A 192.0.2.2\n", asks);
}

TEST(an_escaped_dot_is_no_border_between_labels)
{
	static const struct ask asks[] = {
		{"left\\.right.field.example. A",
			"NOERROR aa\nan left\\.right.field.example. 300 A 192.0.2.1\n"},
		{"left\\046right.field.example. A",
			"NOERROR aa\nan left\\.right.field.example. 300 A 192.0.2.1\n"},
		{"left.right.field.example. A", "NXDOMAIN aa\n" SOA},
		{"right.field.example. A", "NXDOMAIN aa\n" SOA},
		{"ns\\.field.example. A", "REFUSED\n"},
	};

	CHECK_ZONE("left\\046right A 192.0.2.1\n", asks);
}

/* Aliases: RFC 1034 sec 4.3.2, RFC 6604 sec 3, RFC 2308 sec 2. */

TEST(a_star_in_an_alias_target_is_a_label_like_any_other)
{
	static const struct ask asks[] = {
		{"to.field.example. A",
			"NXDOMAIN aa\nan to.field.example. 300 CNAME srv.*.field.example.\n" SOA},
		{"to.field.example. CNAME",
			"NOERROR aa\nan to.field.example. 300 CNAME srv.*.field.example.\n"},
		{"star.field.example. A",
			"NXDOMAIN aa\nan star.field.example. 300 CNAME *.field.example.\n" SOA},
	};

	CHECK_ZONE("to CNAME srv.*\nstar CNAME *\n", asks);
}

TEST(asked_for_its_own_type_an_alias_that_was_made_up_ends_the_answer)
{
	static const struct ask asks[] = {
		{"q.made.field.example. CNAME",
			"NOERROR aa\nan q.made.field.example. 300 CNAME step.field.example.\n"},
		{"q.made.field.example. A",
			"NOERROR aa\nan q.made.field.example. 300 CNAME step.field.example.\n"
			"an step.field.example. 300 CNAME far.elsewhere.\n"},
		{"q.lost.field.example. CNAME",
			"NOERROR aa\nan q.lost.field.example. 300 CNAME gone.field.example.\n"},
		{"q.old.field.example. CNAME",
			"NOERROR aa\nan old.field.example. 300 DNAME new.field.example.\n"
			"an q.old.field.example. 300 CNAME q.new.field.example.\n"},
		{"q.old.field.example. A",
			"NXDOMAIN aa\nan old.field.example. 300 DNAME new.field.example.\n"
			"an q.old.field.example. 300 CNAME q.new.field.example.\n" SOA},
		{"old.field.example. A", "NOERROR aa\n" SOA},
		{"old.field.example. CNAME", "NOERROR aa\n" SOA},
	};

	CHECK_ZONE("*.made CNAME step\nstep CNAME far.elsewhere.\n*.lost CNAME gone\n"
		   "old DNAME new\n",
		asks);
}

TEST(the_last_name_of_a_chain_decides_rcode_and_soa)
{
	static const struct ask asks[] = {
		{"one.field.example. A",
			"NXDOMAIN aa\n"
			"an one.field.example. 300 CNAME two.field.example.\n"
			"an two.field.example. 300 CNAME three.field.example.\n"
			"an three.field.example. 300 CNAME gone.field.example.\n" SOA},
		{"bare.field.example. A",
			"NOERROR aa\nan bare.field.example. 300 CNAME text.field.example.\n" SOA},
		{"ent.field.example. A",
			"NOERROR aa\nan ent.field.example. 300 CNAME b.field.example.\n" SOA},
	};

	CHECK_ZONE("one CNAME two\ntwo CNAME three\nthree CNAME gone\n"
		   "bare CNAME text\ntext TXT t\nent CNAME b\na.b A 192.0.2.1\n",
		asks);
}

/* DNAME: RFC 6672 sec 2.2 and 3.2. */

TEST(one_dname_may_be_followed_several_times_and_is_said_once)
{
	static const struct ask asks[] = {
		{"end.up.up.up.field.example. A",
			"NOERROR aa\nan up.field.example. 300 DNAME field.example.\n"
			"an end.up.up.up.field.example. 300 CNAME end.up.up.field.example.\n"
			"an end.up.up.field.example. 300 CNAME end.up.field.example.\n"
			"an end.up.field.example. 300 CNAME end.field.example.\n"
			"an end.field.example. 300 A 192.0.2.1\n"},
		{"no.up.up.field.example. A",
			"NXDOMAIN aa\nan up.field.example. 300 DNAME field.example.\n"
			"an no.up.up.field.example. 300 CNAME no.up.field.example.\n"
			"an no.up.field.example. 300 CNAME no.field.example.\n" SOA},
	};

	CHECK_ZONE("up DNAME field.example.\nend A 192.0.2.1\n", asks);
}

TEST(a_substitution_of_255_octets_fits_and_one_of_256_is_yxdomain)
{
#define L60    "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
#define TARGET L60 "." L60 "." L60 ".elsewhere." /* 3 * 61 + 10 + 1 = 194 octets */
	const char *const zones[] = {"field.example.",
		"$TTL 300\n@ SOA ns host 1 2 3 4 60\n@ NS ns\nns A 192.0.2.53\nlong DNAME " TARGET
		"\n"};
	struct answer_kit *kit = answer_kit_new(zones, 1);
	static char question[512], want[1024], prefix[64];
	uint32_t fit = 0, too_long = 0;

	for (uint32_t label = 1; label <= 63; label++) {
		memset(prefix, 'p', label);
		prefix[label] = '\0';
		snprintf(question, sizeof(question), "%s.long.field.example. A", prefix);
		KIT_NOTE(question);
		if (label + 1 + 194 <= 255) {
			fit++;
			snprintf(want, sizeof(want),
				"NOERROR aa\nan long.field.example. 300 DNAME " TARGET
				"\nan %s.long.field.example. 300 CNAME %s." TARGET "\n",
				prefix, prefix);
		} else {
			too_long++;
			snprintf(want, sizeof(want),
				"YXDOMAIN aa\nan long.field.example. 300 DNAME " TARGET "\n");
		}
		strcat(question, " +edns=1232");
		strcat(want, "opt 1232\n");
		CHECK_S(answer_kit_ask(kit, question), want);
	}
	CHECK(fit == 60 && too_long == 3);
	answer_kit_free(kit);
}

/* Which zone answers: RFC 1034 sec 4.3.2 step 2, RFC 4035 sec 3.1.4.1. */

#define DIGEST     "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
#define DIGEST_OUT "00112233445566778899AABBCCDDEEFF00112233445566778899AABBCCDDEEFF"

TEST(ds_comes_from_the_zone_that_holds_the_cut_however_many_are_served)
{
	static const char *const zones[] = {"top.example.",
		"$TTL 300\n@ SOA ns host 1 2 3 4 60\n@ NS ns\nns A 192.0.2.1\n"
		"sub NS ns.sub\nns.sub A 192.0.2.2\nsub DS 1 13 2 " DIGEST "\n",
		"sub.top.example.",
		"$TTL 300\n@ SOA ns host 5 2 3 4 60\n@ NS ns\nns A 192.0.2.2\n"
		"away NS ns.away\nns.away A 192.0.2.3\naway DS 2 13 2 " DIGEST "\n"
		"bare NS ns.away\n"};
	static const struct ask asks[] = {
		{"sub.top.example. DS",
			"NOERROR aa\nan sub.top.example. 300 DS 1 13 2 " DIGEST_OUT "\n"},
		{"away.sub.top.example. DS",
			"NOERROR aa\nan away.sub.top.example. 300 DS 2 13 2 " DIGEST_OUT "\n"},
		{"bare.sub.top.example. DS",
			"NOERROR aa\nns sub.top.example. 60 SOA ns.sub.top.example. "
			"host.sub.top.example. 5 2 3 4 60\n"},
		{"none.sub.top.example. DS",
			"NXDOMAIN aa\nns sub.top.example. 60 SOA ns.sub.top.example. "
			"host.sub.top.example. 5 2 3 4 60\n"},
		{"sub.top.example. NS",
			"NOERROR aa\nan sub.top.example. 300 NS ns.sub.top.example.\n"
			"ar ns.sub.top.example. 300 A 192.0.2.2\n"},
		{"www.away.sub.top.example. A",
			"NOERROR\nns away.sub.top.example. 300 NS ns.away.sub.top.example.\n"
			"ar ns.away.sub.top.example. 300 A 192.0.2.3\n"},
	};
	struct answer_kit *kit = answer_kit_new(zones, 2);

	answer_kit_check(kit, asks, sizeof(asks) / sizeof(asks[0]));
	answer_kit_free(kit);
}

TEST(a_child_zone_answers_though_its_parent_does_not_delegate_it)
{
	static const char parent[] = /* which knows another www.sub, even */
		"$TTL 300\n@ SOA ns host 1 2 3 4 60\n@ NS ns\nns A 192.0.2.1\n"
		"* TXT parent\nwww.sub A 192.0.2.9\n";
	static const char *const zones[] = {"top.example.", parent, "sub.top.example.",
		"$TTL 300\n@ SOA ns host 5 2 3 4 60\n@ NS ns\nns A 192.0.2.2\nwww A 192.0.2.3\n"};
	static const struct ask asks[] = {
		{"www.sub.top.example. A", "NOERROR aa\nan www.sub.top.example. 300 A 192.0.2.3\n"},
		{"none.sub.top.example. TXT",
			"NXDOMAIN aa\nns sub.top.example. 60 SOA ns.sub.top.example. "
			"host.sub.top.example. 5 2 3 4 60\n"},
		{"none.top.example. TXT", "NOERROR aa\nan none.top.example. 300 TXT \"parent\"\n"},
	};
	struct answer_kit *kit = answer_kit_new(zones, 2);

	answer_kit_check(kit, asks, sizeof(asks) / sizeof(asks[0]));
	answer_kit_free(kit);
}

TEST(a_zone_without_usable_data_is_servfail_whatever_is_served_above_it)
{
#define TOP "$TTL 300\n@ SOA ns host 1 2 3 4 60\n@ NS ns\nns A 192.0.2.1\n"
	static const char *const parents[] = {
		TOP,
		TOP "void NS ns\n",
		TOP "* A 192.0.2.9\nwww.void A 192.0.2.9\n",
	};
	static const char *const questions[] = {"void.top.example. SOA", "void.top.example. NS",
		"www.void.top.example. A", "a.b.void.top.example. TXT",
		"void.top.example. ANY +tcp"};

	for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]); i++) {
		const char *const zones[] = {"top.example.", parents[i], "void.top.example.", NULL};
		struct answer_kit *kit = answer_kit_new(zones, 2);
		for (size_t q = 0; q < sizeof(questions) / sizeof(questions[0]); q++) {
			KIT_NOTE(questions[q]);
			CHECK_S(answer_kit_ask(kit, questions[q]), "SERVFAIL\n");
		}
		CHECK_S(answer_kit_ask(kit, "ns.top.example. A"),
			"NOERROR aa\nan ns.top.example. 300 A 192.0.2.1\n");
		answer_kit_free(kit);
	}
}

/* ANY: RFC 8482 sec 4, RFC 1034 sec 4.3.2 step 3a. */

TEST(any_is_answered_with_what_the_name_has_and_denied_only_where_there_is_none)
{
	static const struct ask asks[] = {
		{"host.field.example. ANY", "NOERROR aa\nan host.field.example. 300 A 192.0.2.1\n"},
		{"host.field.example. ANY +tcp", "NOERROR aa\n"
						 "an host.field.example. 300 A 192.0.2.1\n"
						 "an host.field.example. 300 TXT \"t\"\n"
						 "an host.field.example. 300 AAAA 2001:db8::1\n"},
		{"to.field.example. ANY",
			"NOERROR aa\nan to.field.example. 300 CNAME host.field.example.\n"},
		{"to.field.example. ANY +tcp",
			"NOERROR aa\nan to.field.example. 300 CNAME host.field.example.\n"},
		{"gone.field.example. ANY", "NXDOMAIN aa\n" SOA},
		{"ent.field.example. ANY", "NOERROR aa\n" SOA},
		{"q.wild.field.example. ANY",
			"NOERROR aa\nan q.wild.field.example. 300 TXT \"w\"\n"},
	};

	CHECK_ZONE("host A 192.0.2.1\nhost AAAA 2001:db8::1\nhost TXT t\nto CNAME host\n"
		   "x.ent A 192.0.2.2\n*.wild TXT w\n",
		asks);
}

/* Letters: RFC 4343 sec 3 and 4.1, RFC 5452 sec 9.1. */

TEST(letters_match_in_either_case_and_come_back_as_they_were_asked)
{
	static const char *const names[] = {
		"host.field.example.", "any.wild.field.example.", "old.alias.field.example."};
	const char *const zones[] = {"Field.EXAMPLE.",
		"$TTL 300\n@ SOA ns host 1 2 3 4 60\n@ NS ns\nns A 192.0.2.53\n"
		"hOST A 192.0.2.1\n*.WiLD A 192.0.2.1\nOLD.alias A 192.0.2.1\n"};
	struct answer_kit *kit = answer_kit_new(zones, 1);
	uint32_t changed = 0;

	for (uint32_t round = 0; round < 300; round++) {
		char name[64], question[80], want[128];
		uint8_t query[512], answer[512];
		enum request_transport transport;

		strcpy(name, names[round % 3]);
		for (char *at = name; *at != '\0'; at++) {
			if (*at != '.' && kit_random(2) == 0) {
				*at = (char)(*at - 'a' + 'A');
				changed++;
			}
		}
		snprintf(question, sizeof(question), "%s A", name);
		snprintf(want, sizeof(want), "NOERROR aa\nan %s 300 A 192.0.2.1\n", name);
		KIT_NOTE(question);
		CHECK_S(answer_kit_ask(kit, question), want);
		uint32_t len = answer_kit_query(question, query, &transport);
		CHECK(answer_kit_send(kit, query, len, transport, answer, sizeof(answer)) > len);
		CHECK_OCTETS(answer + 12, len - 12, query + 12, len - 12);
	}
	CHECK(changed > 1000);
	answer_kit_free(kit);
}

/* Opt-out: RFC 5155 sec 7.2.4, 7.2.7 and 8.6. The chain is made here; nobody checks its signatures. */

#define CHAIN 8u

struct link_of_chain {
	const char *name; /* `` for the apex */
	const char *types;
	uint8_t hash[SHA1_LEN];
	char text[33];
	char owner[33]; /* the same in lower case, as an answer has it */
};

static void hash_name(const char *name, uint8_t out[SHA1_LEN])
{
	const struct name root = {.len = 1, .octets = {0}};
	struct name wire;
	char full[128];

	snprintf(full, sizeof(full), "%s%sfield.example.", name, name[0] == '\0' ? "" : ".");
	CHECK_U(name_from_text(full, (uint32_t)strlen(full), &root, &wire), WIRE_OK);
	sha1_nsec3(wire.octets, wire.len, NULL, 0, 0, out);
}

static int by_hash(const void *a, const void *b)
{
	return memcmp(((const struct link_of_chain *)a)->hash,
		((const struct link_of_chain *)b)->hash, SHA1_LEN);
}

/* The NSEC3 that matches or covers a name, as an answer has it, with its signature. */
static void put_proof(const struct link_of_chain chain[CHAIN], const char *name, char *out)
{
	uint8_t hash[SHA1_LEN];
	uint32_t at = CHAIN - 1; /* before the first: the last one covers it */

	hash_name(name, hash);
	for (uint32_t i = 0; i < CHAIN && memcmp(chain[i].hash, hash, SHA1_LEN) <= 0; i++) {
		at = i;
	}
	sprintf(out,
		"ns %s.field.example. 60 NSEC3 1 1 0 - %s %s\n"
		"ns %s.field.example. 60 RRSIG NSEC3 13 3 60 20380119031407 20200101000000 1 "
		"field.example. AAAA\n",
		chain[at].owner, chain[(at + 1) % CHAIN].text, chain[at].types, chain[at].owner);
}

TEST(below_an_opt_out_span_the_closest_encloser_and_the_cover_deny_and_no_more)
{
	static struct link_of_chain chain[CHAIN] = {
		{.name = "", .types = "NS SOA RRSIG DNSKEY NSEC3PARAM"},
		{.name = "ns", .types = "A RRSIG"}, {.name = "a1", .types = "A RRSIG"},
		{.name = "a2", .types = "A RRSIG"}, {.name = "a3", .types = "A RRSIG"},
		{.name = "a4", .types = "A RRSIG"}, {.name = "a5", .types = "A RRSIG"},
		{.name = "a6", .types = "A RRSIG"}};
#define SIG(type, ttl)                                                                             \
	" RRSIG " type " 13 2 " ttl " 20380119031407 20200101000000 1 field.example. AAAA\n"
	static char text[8192] = "$TTL 300\n@ SOA ns host 1 2 3 4 60\n@" SIG(
		"SOA", "300") "@ NS ns\n"
			      "@ DNSKEY 257 3 13 AAAA\n@" SIG("DNSKEY",
				      "300") "@ NSEC3PARAM 1 0 0 -\nns A 192.0.2.53\n"
					     "a1 A 192.0.2.1\na2 A 192.0.2.2\na3 A 192.0.2.3\na4 A "
					     "192.0.2.4\na5 "
					     "A 192.0.2.5\n"
					     "a6 A 192.0.2.6\nopen.empty NS ns.elsewhere.\n";
	static const char *const negative[] = {"empty.field.example. DS +do",
		"open.empty.field.example. DS +do", "empty.field.example. A +do"};
	static char proofs[1024], want[2048];
	char apex_proof[512], cover[512];
	const char *const zones[] = {"field.example.", text};

	for (uint32_t i = 0; i < CHAIN; i++) {
		hash_name(chain[i].name, chain[i].hash);
		chain[i].text[encode_write_base32hex(chain[i].hash, SHA1_LEN, chain[i].text)] =
			'\0';
		for (uint32_t k = 0; k <= 32; k++) {
			char letter = chain[i].text[k];
			chain[i].owner[k] = (char)(letter >= 'A' ? letter - 'A' + 'a' : letter);
		}
	}
	qsort(chain, CHAIN, sizeof(chain[0]), by_hash);
	for (uint32_t i = 0; i < CHAIN; i++) {
		sprintf(text + strlen(text),
			"%s 60 NSEC3 1 1 0 - %s %s\n%s 60 RRSIG NSEC3 13 3 60 "
			"20380119031407 20200101000000 1 field.example. AAAA\n",
			chain[i].text, chain[(i + 1) % CHAIN].text, chain[i].types, chain[i].text);
	}
	put_proof(chain, "", apex_proof);
	put_proof(chain, "empty", cover);
	CHECK(strcmp(apex_proof, cover) != 0); /* or the test would show nothing */
	snprintf(proofs, sizeof(proofs), "%s%s", apex_proof, cover);

	struct answer_kit *kit = answer_kit_new(zones, 1);
	for (size_t i = 0; i < sizeof(negative) / sizeof(negative[0]); i++) {
		snprintf(want, sizeof(want),
			"NOERROR aa\n" SOA
			"ns field.example. 60" SIG("SOA", "300") "%sopt 1232 do\n",
			proofs);
		KIT_NOTE(negative[i]);
		CHECK_S(answer_kit_ask(kit, negative[i]), want);
	}
	snprintf(want, sizeof(want),
		"NOERROR\nns open.empty.field.example. 300 NS ns.elsewhere.\n"
		"%sopt 1232 do\n",
		proofs);
	CHECK_S(answer_kit_ask(kit, "www.open.empty.field.example. A +do"), want);
	CHECK_S(answer_kit_ask(kit, "empty.field.example. DS"), "NOERROR aa\n" SOA);
	answer_kit_free(kit);
}
