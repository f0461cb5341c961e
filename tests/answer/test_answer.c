/* test_answer.c - what is answered, shape by shape. Every question goes through the fast and the full path. */
#include <stdio.h>
#include <string.h>

#include "answer/answer_kit.h"
#include "kit/kit.h"

#define CHECK_ALL(kit, asks) answer_kit_check(kit, asks, sizeof(asks) / sizeof((asks)[0]))

static const char plain[] =
	"$TTL 300\n"
	"@ SOA ns1 host 7 3600 600 86400 60\n"
	"@ NS ns1\n"
	"@ NS ns.other.test.\n"
	"@ MX 10 mail\n"
	"@ MX 20 mail.other.test.\n"
	"ns1 A 192.0.2.1\n"
	"mail A 192.0.2.2\n"
	"mail AAAA 2001:db8::2\n"
	"WWW A 192.0.2.3\n"
	"www A 192.0.2.4\n"
	"a.b.c TXT deep\n"
	"*.wild TXT star\n"
	"sub.wild A 192.0.2.5\n"
	"alias CNAME www\n"
	"alias2 CNAME alias\n"
	"loop1 CNAME loop2\n"
	"loop2 CNAME loop1\n"
	"dangling CNAME nowhere\n"
	"out CNAME www.other.test.\n"
	"away CNAME www.elsewhere.invalid.\n"
	"*.cn CNAME www\n"
	"kid NS ns.kid\n"
	"kid NS ns1\n"
	"ns.kid A 192.0.2.6\n"
	"ns.kid AAAA 2001:db8::6\n"
	"secure NS ns.other.test.\n"
	"secure DS 1 13 2 00000000000000000000000000000000000000000000000000000000000000ff\n"
	"old DNAME new\n"
	"x.new A 192.0.2.7\n"
	"_sip._tcp SRV 0 0 5060 mail\n";

static const char other[] = "$TTL 300\n"
			    "@ SOA ns host 1 3600 600 86400 900\n"
			    "@ NS ns\n"
			    "ns A 192.0.2.101\n"
			    "www A 192.0.2.102\n"
			    "mail A 192.0.2.103\n";

#define SOA_EX    "ns ex.test. 60 SOA ns1.ex.test. host.ex.test. 7 3600 600 86400 60\n"
#define SOA_OTHER "ns other.test. 300 SOA ns.other.test. host.other.test. 1 3600 600 86400 900\n"

static struct answer_kit *two_zones(void)
{
	static const char *const zones[] = {
		"ex.test.", plain, "other.test.", other, "broken.test.", NULL};

	return answer_kit_new(zones, 3);
}

TEST(positive_answers_bring_addresses_along)
{
	static const struct ask asks[] = {
		{"www.ex.test. A", "NOERROR aa\nan www.ex.test. 300 A 192.0.2.3\nan www.ex.test. "
				   "300 A 192.0.2.4\n"},
		{"wWw.eX.test. A", "NOERROR aa\nan wWw.eX.test. 300 A 192.0.2.3\nan wWw.eX.test. "
				   "300 A 192.0.2.4\n"},
		{"ex.test. MX", "NOERROR aa\n"
				"an ex.test. 300 MX 10 mail.ex.test.\n"
				"an ex.test. 300 MX 20 mail.other.test.\n"
				"ar mail.ex.test. 300 A 192.0.2.2\n"
				"ar mail.ex.test. 300 AAAA 2001:db8::2\n"},
		{"ex.test. NS", "NOERROR aa\n"
				"an ex.test. 300 NS ns.other.test.\n"
				"an ex.test. 300 NS ns1.ex.test.\n"
				"ar ns1.ex.test. 300 A 192.0.2.1\n"},
		{"_sip._tcp.ex.test. SRV", "NOERROR aa\n"
					   "an _sip._tcp.ex.test. 300 SRV 0 0 5060 mail.ex.test.\n"
					   "ar mail.ex.test. 300 A 192.0.2.2\n"
					   "ar mail.ex.test. 300 AAAA 2001:db8::2\n"},
		{"ex.test. SOA", "NOERROR aa\nan ex.test. 300 SOA ns1.ex.test. host.ex.test. 7 "
				 "3600 600 86400 60\n"},
		{"www.ex.test. A +edns=4096", "NOERROR aa\nan www.ex.test. 300 A 192.0.2.3\n"
					      "an www.ex.test. 300 A 192.0.2.4\nopt 1232\n"},
		{"www.ex.test. A +do", "NOERROR aa\nan www.ex.test. 300 A 192.0.2.3\n"
				       "an www.ex.test. 300 A 192.0.2.4\nopt 1232 do\n"},
	};
	struct answer_kit *kit = two_zones();

	CHECK_ALL(kit, asks);
	answer_kit_free(kit);
}

TEST(negative_answers_carry_the_soa_with_the_smaller_ttl)
{
	static const struct ask asks[] = {
		{"www.ex.test. AAAA", "NOERROR aa\n" SOA_EX},
		{"nope.ex.test. A", "NXDOMAIN aa\n" SOA_EX},
		{"nope.www.ex.test. A", "NXDOMAIN aa\n" SOA_EX},
		{"nope.other.test. A", "NXDOMAIN aa\n" SOA_OTHER},
		{"b.c.ex.test. TXT", "NOERROR aa\n" SOA_EX}, /* empty non-terminals exist */
		{"c.ex.test. ANY", "NOERROR aa\n" SOA_EX},
		{"x.c.ex.test. TXT", "NXDOMAIN aa\n" SOA_EX},
		{"a.b.c.d.e.f.ex.test. TXT", "NXDOMAIN aa\n" SOA_EX},
	};
	struct answer_kit *kit = two_zones();

	CHECK_ALL(kit, asks);
	answer_kit_free(kit);
}

TEST(wildcards_answer_for_what_is_not_there)
{
	static const struct ask asks[] = {
		{"any.wild.ex.test. TXT", "NOERROR aa\nan any.wild.ex.test. 300 TXT \"star\"\n"},
		{"a.b.wild.ex.test. TXT", "NOERROR aa\nan a.b.wild.ex.test. 300 TXT \"star\"\n"},
		{"any.wild.ex.test. A", "NOERROR aa\n" SOA_EX},
		{"sub.wild.ex.test. TXT", "NOERROR aa\n" SOA_EX},
		{"x.sub.wild.ex.test. TXT",
			"NXDOMAIN aa\n" SOA_EX}, /* sub is the closest encloser */
		{"wild.ex.test. TXT", "NOERROR aa\n" SOA_EX},
		{"*.wild.ex.test. TXT", "NOERROR aa\nan *.wild.ex.test. 300 TXT \"star\"\n"},
		{"q.cn.ex.test. A",
			"NOERROR aa\nan q.cn.ex.test. 300 CNAME www.ex.test.\n"
			"an www.ex.test. 300 A 192.0.2.3\nan www.ex.test. 300 A 192.0.2.4\n"},
	};
	struct answer_kit *kit = two_zones();

	CHECK_ALL(kit, asks);
	answer_kit_free(kit);
}

TEST(aliases_are_followed_inside_and_across_zones)
{
	static const struct ask asks[] = {
		{"alias.ex.test. A",
			"NOERROR aa\nan alias.ex.test. 300 CNAME www.ex.test.\n"
			"an www.ex.test. 300 A 192.0.2.3\nan www.ex.test. 300 A 192.0.2.4\n"},
		{"alias2.ex.test. AAAA", "NOERROR aa\nan alias2.ex.test. 300 CNAME alias.ex.test.\n"
					 "an alias.ex.test. 300 CNAME www.ex.test.\n" SOA_EX},
		{"alias.ex.test. CNAME", "NOERROR aa\nan alias.ex.test. 300 CNAME www.ex.test.\n"},
		{"loop1.ex.test. A", "NOERROR aa\nan loop1.ex.test. 300 CNAME loop2.ex.test.\n"
				     "an loop2.ex.test. 300 CNAME loop1.ex.test.\n"},
		{"dangling.ex.test. A",
			"NXDOMAIN aa\nan dangling.ex.test. 300 CNAME nowhere.ex.test.\n" SOA_EX},
		{"out.ex.test. A", "NOERROR aa\nan out.ex.test. 300 CNAME www.other.test.\n"
				   "an www.other.test. 300 A 192.0.2.102\n"},
		{"out.ex.test. TXT",
			"NOERROR aa\nan out.ex.test. 300 CNAME www.other.test.\n" SOA_OTHER},
		{"away.ex.test. A",
			"NOERROR aa\nan away.ex.test. 300 CNAME www.elsewhere.invalid.\n"},
		{"x.old.ex.test. A", "NOERROR aa\nan old.ex.test. 300 DNAME new.ex.test.\n"
				     "an x.old.ex.test. 300 CNAME x.new.ex.test.\n"
				     "an x.new.ex.test. 300 A 192.0.2.7\n"},
		{"y.old.ex.test. A", "NXDOMAIN aa\nan old.ex.test. 300 DNAME new.ex.test.\n"
				     "an y.old.ex.test. 300 CNAME y.new.ex.test.\n" SOA_EX},
		{"old.ex.test. DNAME", "NOERROR aa\nan old.ex.test. 300 DNAME new.ex.test.\n"},
		{"old.ex.test. A", "NOERROR aa\n" SOA_EX},
		{"x.old.ex.test. CNAME", "NOERROR aa\nan old.ex.test. 300 DNAME new.ex.test.\n"
					 "an x.old.ex.test. 300 CNAME x.new.ex.test.\n"},
	};
	struct answer_kit *kit = two_zones();

	CHECK_ALL(kit, asks);
	answer_kit_free(kit);
}

TEST(delegations_are_referred_with_glue)
{
#define REFERRAL                                                                                   \
	"NOERROR\nns kid.ex.test. 300 NS ns.kid.ex.test.\nns kid.ex.test. 300 NS ns1.ex.test.\n"   \
	"ar ns.kid.ex.test. 300 A 192.0.2.6\nar ns.kid.ex.test. 300 AAAA 2001:db8::6\n"            \
	"ar ns1.ex.test. 300 A 192.0.2.1\n"
	static const struct ask asks[] = {
		{"kid.ex.test. A", REFERRAL},
		{"kid.ex.test. NS", REFERRAL},
		{"a.b.kid.ex.test. A", REFERRAL},
		{"ns.kid.ex.test. A", REFERRAL},
		{"kid.ex.test. DS", "NOERROR aa\n" SOA_EX},
		{"x.kid.ex.test. DS", REFERRAL},
		{"secure.ex.test. DS",
			"NOERROR aa\nan secure.ex.test. 300 DS 1 13 2 "
			"00000000000000000000000000000000000000000000000000000000000000FF\n"},
		{"secure.ex.test. A", "NOERROR\nns secure.ex.test. 300 NS ns.other.test.\n"},
	};
	struct answer_kit *kit = two_zones();

	CHECK_ALL(kit, asks);
	answer_kit_free(kit);
}

TEST(what_is_not_served_is_refused_and_what_did_not_load_fails)
{
	static const struct ask asks[] = {
		{"elsewhere.invalid. A", "REFUSED\n"},
		{"test. NS", "REFUSED\n"},
		{". NS", "REFUSED\n"},
		{"xex.test. A", "REFUSED\n"},
		{"broken.test. SOA", "SERVFAIL\n"},
		{"a.broken.test. A +edns=1232", "SERVFAIL\nopt 1232\n"},
		{"ex.test. AXFR", "REFUSED\n"},
		{"ex.test. IXFR +tcp", "REFUSED\n"},
	};
	struct answer_kit *kit = two_zones();

	CHECK_ALL(kit, asks);
	answer_kit_free(kit);
}

TEST(any_gets_one_set_over_udp_and_all_over_tcp)
{
	static const struct ask asks[] = {
		{"mail.ex.test. ANY", "NOERROR aa\nan mail.ex.test. 300 A 192.0.2.2\n"},
		{"mail.ex.test. ANY +tcp", "NOERROR aa\nan mail.ex.test. 300 A 192.0.2.2\n"
					   "an mail.ex.test. 300 AAAA 2001:db8::2\n"},
		{"nope.ex.test. ANY", "NXDOMAIN aa\n" SOA_EX},
		{"alias.ex.test. ANY", "NOERROR aa\nan alias.ex.test. 300 CNAME www.ex.test.\n"},
	};
	struct answer_kit *kit = two_zones();

	CHECK_ALL(kit, asks);
	answer_kit_free(kit);
}

TEST(ds_is_asked_of_the_parent_where_it_is_served_too)
{
	static const char *const zones[] = {"ex.test.", plain, "kid.ex.test.",
		"@ 300 SOA ns host 1 2 3 4 5\n@ 300 NS ns\nns 300 A 192.0.2.6\n", "lost.ex.test.",
		"@ 300 SOA ns host 1 2 3 4 5\n@ 300 NS ns\nns 300 A 192.0.2.6\n"};
	static const struct ask asks[] = {
		{"kid.ex.test. SOA", "NOERROR aa\nan kid.ex.test. 300 SOA ns.kid.ex.test. "
				     "host.kid.ex.test. 1 2 3 4 5\n"},
		{"kid.ex.test. DS", "NOERROR aa\n" SOA_EX},
		/* The parent knows nothing of it: the child says that there is none. */
		{"lost.ex.test. DS", "NOERROR aa\nns lost.ex.test. 5 SOA ns.lost.ex.test. "
				     "host.lost.ex.test. 1 2 3 4 5\n"},
	};
	struct answer_kit *kit = answer_kit_new(zones, 3);

	CHECK_ALL(kit, asks);
	answer_kit_free(kit);
}

TEST(the_root_zone_is_a_zone_like_any_other)
{
	static const char *const zones[] = {".",
		". 300 SOA a.servers.test. host.test. 1 2 3 4 60\n. 300 NS a.servers.test.\n"
		"test. 300 NS a.servers.test.\na.servers.test. 300 A 192.0.2.1\nx. 300 TXT t\n"};
	static const struct ask asks[] = {
		{". NS", "NOERROR aa\nan . 300 NS a.servers.test.\nar a.servers.test. 300 A "
			 "192.0.2.1\n"},
		{". A", "NOERROR aa\nns . 60 SOA a.servers.test. host.test. 1 2 3 4 60\n"},
		{"nope. A", "NXDOMAIN aa\nns . 60 SOA a.servers.test. host.test. 1 2 3 4 60\n"},
		{"a.servers.test. A", "NOERROR\nns test. 300 NS a.servers.test.\nar "
				      "a.servers.test. 300 A 192.0.2.1\n"},
		{"x. TXT", "NOERROR aa\nan x. 300 TXT \"t\"\n"},
	};
	struct answer_kit *kit = answer_kit_new(zones, 1);

	CHECK_ALL(kit, asks);
	answer_kit_free(kit);
}

TEST(a_dname_target_that_gets_too_long_is_yxdomain)
{
#define L63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	static const char *const zones[] = {"ex.test.",
		"@ 300 SOA ns host 1 2 3 4 5\n@ 300 NS ns.else.\n"
		"d 300 DNAME " L63 "." L63 "." L63 ".ex.test.\n"};
	struct answer_kit *kit = answer_kit_new(zones, 1);

	CHECK_S(answer_kit_ask(kit, L63 ".d.ex.test. A"),
		"YXDOMAIN aa\nan d.ex.test. 300 DNAME " L63 "." L63 "." L63 ".ex.test.\n");
	CHECK_S(answer_kit_ask(kit, "a.d.ex.test. CNAME"),
		"NOERROR aa\nan d.ex.test. 300 DNAME " L63 "." L63 "." L63 ".ex.test.\n"
		"an a.d.ex.test. 300 CNAME a." L63 "." L63 "." L63 ".ex.test.\n");
	answer_kit_free(kit);
}

/* A TXT set of count records of 100 octets. */
static void big_zone(char *text, uint32_t count)
{
	char *at = text + sprintf(text, "@ 300 SOA ns host 1 2 3 4 5\n@ 300 NS ns.else.\n");

	for (uint32_t i = 0; i < count; i++) {
		at += sprintf(at, "big 300 TXT \"%04u%094u\"\n", i, 0);
	}
}

TEST(what_does_not_fit_is_left_out_whole_and_tc_says_so)
{
	static char text[200000];
	const char *const zones[] = {"ex.test.", text};
	const char *answer;

	big_zone(text, 5);
	struct answer_kit *kit = answer_kit_new(zones, 1);
	CHECK_S(answer_kit_ask(kit, "big.ex.test. TXT"), "NOERROR aa tc\n");
	CHECK_S(answer_kit_ask(kit, "big.ex.test. TXT +edns=512"), "NOERROR aa tc\nopt 1232\n");
	answer = answer_kit_ask(kit, "big.ex.test. TXT +edns=1232");
	CHECK(strncmp(answer, "NOERROR aa\nan big", 17) == 0);
	answer_kit_free(kit);

	big_zone(text, 500); /* a large block, and beyond where pointers reach */
	kit = answer_kit_new(zones, 1);
	CHECK_S(answer_kit_ask(kit, "big.ex.test. TXT +edns=65000"), "NOERROR aa tc\nopt 1232\n");
	answer = answer_kit_ask(kit, "big.ex.test. TXT +tcp");
	CHECK(strncmp(answer, "NOERROR aa\nan big", 17) == 0);
	uint32_t lines = 0;
	for (const char *at = answer; (at = strchr(at, '\n')) != NULL; at++) {
		lines++;
	}
	CHECK_U(lines, 501);
	answer_kit_free(kit);

	big_zone(text, 700); /* more than any message holds */
	kit = answer_kit_new(zones, 1);
	CHECK_S(answer_kit_ask(kit, "big.ex.test. TXT +tcp"), "NOERROR aa tc\n");
	answer_kit_free(kit);
}
