/* test_zonefile.c - entries, directives and files: what is read, and what is complained of where. */
#include "zonefile/zonefile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kit/kit.h"
#include "zonefile/generate.h"
#include "zonefile/scanner.h"
#include "zonefile/zone_kit.h"

static void read_text(const char *text)
{
	zone_kit_read(text, strlen(text));
}

/* The origin of every text is `e.`. */
static const struct {
	const char *why;
	const char *text;
	const char *records;
} good[] = {
	{"nothing", "", ""},
	{"blank lines and comments", "\n \n\t; x\n;y\n   \r\n", ""},
	{"relative, absolute, origin",
		"a 1 A 1.2.3.4\na. 1 A 1.2.3.4\n@ 1 A 1.2.3.4\n. 1 A 1.2.3.4",
		"a.e. 1 A 1.2.3.4\na. 1 A 1.2.3.4\ne. 1 A 1.2.3.4\n. 1 A 1.2.3.4\n"},
	{"blank owner", "a 1 A 1.2.3.4\n\t2 A 1.2.3.5\n ; c\n  A 1.2.3.6\n",
		"a.e. 1 A 1.2.3.4\na.e. 2 A 1.2.3.5\na.e. 2 A 1.2.3.6\n"},
	{"TTL and class in each order",
		"a 1 IN A 1.2.3.4\na IN 2 A 1.2.3.4\na 3 A 1.2.3.4\na IN A 1.2.3.4\n"
		"a A 1.2.3.4\na 0 class1 A 1.2.3.4\n",
		"a.e. 1 A 1.2.3.4\na.e. 2 A 1.2.3.4\na.e. 3 A 1.2.3.4\na.e. 3 A 1.2.3.4\n"
		"a.e. 3 A 1.2.3.4\na.e. 0 A 1.2.3.4\n"},
	{"TTL units", "a 1w2d3h4m5s A 1.2.3.4\na 1H30M A 1.2.3.4\na 1s1m1m A 1.2.3.4\n",
		"a.e. 788645 A 1.2.3.4\na.e. 5400 A 1.2.3.4\na.e. 121 A 1.2.3.4\n"},
	{"$TTL beats the last TTL", "$TTL 5\na 1 A 1.2.3.4\na A 1.2.3.5\n$ttl 1h\na A 1.2.3.6\n",
		"a.e. 1 A 1.2.3.4\na.e. 5 A 1.2.3.5\na.e. 3600 A 1.2.3.6\n"},
	{"$TTL 0 is a TTL", "$TTL 0\na A 1.2.3.4\n", "a.e. 0 A 1.2.3.4\n"},
	{"$ORIGIN",
		"$ORIGIN b\na 1 A 1.2.3.4\n@ 1 A 1.2.3.4\n$ORIGIN c.\na 1 NS x\n$ORIGIN .\na 1 NS "
		"x\n",
		"a.b.e. 1 A 1.2.3.4\nb.e. 1 A 1.2.3.4\na.c. 1 NS x.c.\na. 1 NS x.\n"},
	{"the same text under another origin", "a 1 A 1.2.3.4\n$ORIGIN b.\na 1 A 1.2.3.4\n",
		"a.e. 1 A 1.2.3.4\na.b. 1 A 1.2.3.4\n"},
	{"an owner that begins like the last",
		"a 1 A 1.2.3.4\na.b 1 A 1.2.3.4\naa 1 A 1.2.3.4\na\\b 1 A "
		"1.2.3.4\n",
		"a.e. 1 A 1.2.3.4\na.b.e. 1 A 1.2.3.4\naa.e. 1 A 1.2.3.4\nab.e. 1 A 1.2.3.4\n"},
	{"no final line end", "a 1 A 1.2.3.4", "a.e. 1 A 1.2.3.4\n"},
	{"CRLF", "a 1 A 1.2.3.4 ; c\r\na 1 NS (\r\n b )\r\n", "a.e. 1 A 1.2.3.4\na.e. 1 NS b.e.\n"},
	{"byte-order mark",
		"\xef\xbb\xbf"
		"a 1 A 1.2.3.4\n",
		"a.e. 1 A 1.2.3.4\n"},
	{"parentheses", "a 1 SOA b c (1 2 ; x )\n 3\n\n4 5)\na (1\nNS) b\na 1 A ( 1.2.3.4 )\n",
		"a.e. 1 SOA b.e. c.e. 1 2 3 4 5\na.e. 1 NS b.e.\na.e. 1 A 1.2.3.4\n"},
	{"parentheses glued to strings", "a 1 TXT (\"b\"\n\"c\")\na 1 TXT \"x\"(\"y\"\n)\n",
		"a.e. 1 TXT \"b\" \"c\"\na.e. 1 TXT \"x\" \"y\"\n"},
	{"a parenthesis first", "(\na 1 A 1.2.3.4 )\n ( A\n1.2.3.5)\n",
		"a.e. 1 A 1.2.3.4\na.e. 1 A 1.2.3.5\n"},
	{"nested parentheses", "a 1 TXT ( b ( c ) \n d )\n", "a.e. 1 TXT \"b\" \"c\" \"d\"\n"},
	{"glued comments", "a 1 A 1.2.3.4;c\nb 1 TXT \"x;y\";c\nb 1 TXT x\\;y;c\n",
		"a.e. 1 A 1.2.3.4\nb.e. 1 TXT \"x;y\"\nb.e. 1 TXT \"x;y\"\n"},
	{"glued strings", "a 1 TXT \"b\"c\"d\"\n", "a.e. 1 TXT \"b\" \"c\" \"d\"\n"},
	{"a line end inside quotes", "a 1 TXT \"b\nc\"\nd 1 A 1.2.3.4\n",
		"a.e. 1 TXT \"b\\010c\"\nd.e. 1 A 1.2.3.4\n"},
	{"escaped owners",
		"\\@ 1 A 1.2.3.4\na\\.b 1 A 1.2.3.4\n\\097 1 A 1.2.3.4\n\\$x 1 A 1.2.3.4\n"
		"a\\ b 1 A 1.2.3.4\n",
		"\\@.e. 1 A 1.2.3.4\na\\.b.e. 1 A 1.2.3.4\na.e. 1 A 1.2.3.4\n\\$x.e. 1 A 1.2.3.4\n"
		"a\\032b.e. 1 A 1.2.3.4\n"},
	{"octets above 127", "\xc3\xa9 1 TXT \xc3\xa9 \"\xc3\xa9\"\n",
		"\\195\\169.e. 1 TXT \"\\195\\169\" \"\\195\\169\"\n"},
	{"lower case", "a 1 in a 1.2.3.4\na 1 ns B\n", "a.e. 1 A 1.2.3.4\na.e. 1 NS B.e.\n"},
	{"words that look like others", "a 1 IN NS IN\nNS NS NS\n1 1 A 1.2.3.4\n3600 A 1.2.3.4\n",
		"a.e. 1 NS IN.e.\nNS.e. 1 NS NS.e.\n1.e. 1 A 1.2.3.4\n3600.e. 1 A 1.2.3.4\n"},
};

TEST(each_construct_is_read)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		zone_kit_records(good[i].text, good[i].records);
	}
}

/* Each text is complained of in these words, LINE:COLUMN: first; other lines are read all the same. */
static const struct {
	const char *text;
	const char *diags;
} bad[] = {
	{"a\n", "1:2: the entry ends too soon (expected a TTL, a class or an RR type)\n"},
	{"a 1 IN\n", "1:7: the entry ends too soon (expected a TTL, a class or an RR type)\n"},
	{"a 1 IN 2 A 1.2.3.4\n", "1:8: '2' is not a class or type (a TTL stands before it)\n"},
	{"a IN 1 IN A 1.2.3.4\n", "1:8: 'IN' is not a type (a class stands before it)\n"},
	{"a 1 CH TXT b\n", "1:5: 'CH' is not a class of this zone (expected IN)\n"},
	{"a 1 CLASS3 TXT b\n", "1:5: 'CLASS3' is not a class of this zone (expected IN)\n"},
	{"a 1x A 1.2.3.4\n", "1:3: '1x' is not a TTL (expected seconds, or units as in 1h30m)\n"},
	{"a 4294967296 A 1.2.3.4\n",
		"1:3: '4294967296' is not a TTL (expected seconds, or units as in 1h30m)\n"},
	{"a 1 NOPE x\n", "1:5: 'NOPE' is not a TTL, a class or an RR type\n"},
	{"a 1 \"A\" 1.2.3.4\n", "1:5: 'A' is not a TTL, a class or an RR type\n"},
	{"a \"1\" A 1.2.3.4\n", "1:3: '1' is not a TTL, a class or an RR type\n"},
	{"a \"\" A 1.2.3.4\n", "1:3: '' is not a TTL, a class or an RR type\n"},
	{"a 1 ANY x\n", "1:5: 'ANY' is not a type that a zone can hold\n"},
	{"a 1 TYPE0 \\# 0\n", "1:5: 'TYPE0' is not a type that a zone can hold\n"},
	{"a A 1.2.3.4\n",
		"1:1: a record without a TTL (expected one here, on a record before, or $TTL)\n"},
	{" 1 A 1.2.3.4\n", "1:2: no owner, and there is no good one before to take\n"},
	{"\"a\" 1 A 1.2.3.4\n", "1:1: an owner in quotes (expected one without)\n"},
	{"a..b 1 A 1.2.3.4\n", "1:1: a bad domain name: empty label\n"},
	{".a 1 A 1.2.3.4\n", "1:1: a bad domain name: empty label\n"},
	{"\\256 1 A 1.2.3.4\n", "1:1: a bad domain name: bad escape\n"},
	{"a 1 A 1.2.3.4 )\n", "1:15: a closing parenthesis, and none is open\n"},
	{"a 1 TXT (b\nc\n", "1:9: the parenthesis that opens here is not closed\n"},
	{"a 1 TXT b \"c\nd\n", "1:11: the string that opens here has no closing quote\n"},
	{"a 1 TXT \"b\\", "1:9: the string that opens here has no closing quote\n"},
	{"a 1 TXT b\\\nc 1 A 1.2.3.4\n", "1:9: a backslash ends the line\n"},
	{"a 1 TXT b\\", "1:9: a backslash ends the line\n"},
	{"a 1 TXT b\rc\n", "1:10: a carriage return without a line feed\n"},
	{"$NOPE\n", "1:1: '$NOPE' is not a directive (expected $ORIGIN, $TTL, $INCLUDE or "
		    "$GENERATE)\n"},
	{"$ 1 A 1.2.3.4\n",
		"1:1: '$' is not a directive (expected $ORIGIN, $TTL, $INCLUDE or $GENERATE)\n"},
	{"$ORIGIN\n", "1:8: the entry ends too soon (expected a domain name)\n"},
	{"$ORIGIN a b\n", "1:11: 'b' is not expected here: the line is complete\n"},
	{"$TTL x\n", "1:6: 'x' is not a TTL (expected seconds, or units as in 1h30m)\n"},
	{"$TTL 1 2\n", "1:8: '2' is not expected here: the line is complete\n"},
	{"$INCLUDE\n", "1:9: the entry ends too soon (expected a file name)\n"},
	{"$INCLUDE \"\"\n", "1:10: '' is not a file name\n"},
	{"$INCLUDE a\\000b\n", "1:10: 'a\\000b' is not a file name\n"},
	{"$INCLUDE /nowhere/at/all\n",
		"1:10: /nowhere/at/all cannot be read: No such file or directory\n"},
	{"$INCLUDE /dev/zero\n", "1:10: /dev/zero cannot be read: Invalid argument\n"},
	{"$INCLUDE /\n", "1:10: / cannot be read: Is a directory\n"},
};

TEST(each_mistake_is_told_with_its_place)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char text[256], want[256];

		zone_kit_diags(bad[i].text, bad[i].diags);
		CHECK_U(zone_kit.status, STATUS_REFUSED);
		/* The same in the second line, with a good record before it. */
		snprintf(text, sizeof(text), ";\n%s", bad[i].text);
		snprintf(want, sizeof(want), "2%s", bad[i].diags + 1);
		zone_kit_diags(text, want);
	}
}

TEST(reading_goes_on_behind_a_mistake)
{
	zone_kit_diags("a 1 A x\nb 1 A 1.2.3.4\n 1 A (x\n y)\nc..d 1 A 1.2.3.4\n 1 A 1.2.3.4\nf 1 "
		       "A 1.2.3.5\n",
		"1:7: 'x' is not an IPv4 address\n"
		"3:7: 'x' is not an IPv4 address\n"
		"5:1: a bad domain name: empty label\n"
		"6:2: no owner, and there is no good one before to take\n");
	CHECK_S(zone_kit.records, "b.e. 1 A 1.2.3.4\nf.e. 1 A 1.2.3.5\n");
}

TEST(twenty_errors_are_listed_and_the_others_counted)
{
	char text[1024] = "";

	for (uint32_t count = DIAG_ERRORS_MAX; count <= DIAG_ERRORS_MAX + 3; count++) {
		text[0] = '\0';
		for (uint32_t i = 0; i < count; i++) {
			strcat(text, "a 1 A x\n");
		}
		read_text(text);
		CHECK_U(zone_kit.error_count,
			count == DIAG_ERRORS_MAX ? DIAG_ERRORS_MAX : DIAG_ERRORS_MAX + 1);
	}
	CHECK(strstr(zone_kit.diags, "0:0: 3 more errors\n") != NULL);
}

TEST(zero_octets_are_refused_outside_of_quotes)
{
	static const char text[] = "a 1 TXT b\0c\n;\0\nd 1 A 1.2.3.4\ne 1 TXT \"\0\"\n";

	zone_kit_read(text, sizeof(text) - 1);
	CHECK_S(zone_kit.diags, "1:10: a zero octet\n");
	CHECK_S(zone_kit.records, "d.e. 1 A 1.2.3.4\ne.e. 1 TXT \"\\000\"\n");
}

TEST(a_soa_without_ttl_takes_its_minimum_and_makes_it_the_default)
{
	read_text("@ SOA a b 1 2 3 4 77\na A 1.2.3.4\nb 5 A 1.2.3.4\nc A 1.2.3.4\n");
	CHECK_U(zone_kit.error_count, 0);
	CHECK_S(zone_kit.diags, "1:1: no TTL, so it is the minimum of the SOA record, 77\n");
	CHECK_S(zone_kit.records, "e. 77 SOA a.e. b.e. 1 2 3 4 77\na.e. 77 A 1.2.3.4\nb.e. 5 A "
				  "1.2.3.4\nc.e. 77 A 1.2.3.4\n");
}

TEST(a_ttl_above_31_bits_counts_as_zero)
{
	read_text("a 2147483647 A 1.2.3.4\na 2147483648 A 1.2.3.4\n");
	CHECK_S(zone_kit.diags, "2:1: TTL 2147483648 counts as 0 (expected at most 2147483647)\n");
	CHECK_S(zone_kit.records, "a.e. 2147483647 A 1.2.3.4\na.e. 0 A 1.2.3.4\n");
}

TEST(warnings_are_limited_like_errors)
{
	char text[1024] = "";

	for (uint32_t i = 0; i < DIAG_ERRORS_MAX + 2; i++) {
		strcat(text, "a 2147483648 A 1.2.3.4\n");
	}
	read_text(text);
	CHECK_U(zone_kit.error_count, 0);
	CHECK_U(zone_kit.warning_count, DIAG_ERRORS_MAX + 1);
	CHECK(strstr(zone_kit.diags, "0:0: 2 more warnings\n") != NULL);
}

TEST(names_and_strings_have_their_limits)
{
	char text[1024], label[65];

	memset(label, 'x', 64);
	label[64] = '\0';
	for (uint32_t octets = 63; octets <= 64; octets++) {
		snprintf(text, sizeof(text), "%.*s 1 NS %.*s\n", (int)octets, label, (int)octets,
			label);
		read_text(text);
		CHECK_U(zone_kit.error_count, octets - 63);
	}
	/* 3 * 64 + tail + 1 + `e.` of 3 octets: 255, then 256. The same for an absolute name. */
	for (uint32_t tail = 59; tail <= 60; tail++) {
		snprintf(text, sizeof(text),
			"%.63s.%.63s.%.63s.%.*s 1 NS %.63s.%.63s.%.63s.%.*s.\n", label, label,
			label, (int)tail, label, label, label, label, (int)tail + 2, label);
		read_text(text);
		CHECK_U(zone_kit.error_count, tail - 59);
		if (tail == 59) {
			CHECK_U(zone_kit.owner.len, 255);
			CHECK_U(zone_kit.rdata_len, 255);
		}
	}
	for (uint32_t octets = 255; octets <= 256; octets++) {
		memset(text, 'x', sizeof(text));
		memcpy(text, "a 1 TXT ", 8);
		zone_kit_read(text, 8 + octets);
		CHECK_U(zone_kit.error_count, octets - 255);
	}
}

TEST(tokens_and_parentheses_have_their_limits)
{
	static char text[SCANNER_TOKEN_MAX + 64];

	for (uint32_t depth = SCANNER_PARENS_MAX; depth <= SCANNER_PARENS_MAX + 1; depth++) {
		memcpy(text, "a 1 TXT x ", 10);
		memset(text + 10, '(', depth);
		memset(text + 10 + depth, ')', depth);
		zone_kit_read(text, 10 + 2 * depth);
		CHECK_U(zone_kit.error_count > 0, depth > SCANNER_PARENS_MAX);
	}
	for (uint32_t quoted = 0; quoted <= 1; quoted++) {
		memset(text, '1', sizeof(text));
		memcpy(text, "a 1 URI 1 2 ", 12);
		text[12] = quoted == 1 ? '"' : 'x';
		text[13 + SCANNER_TOKEN_MAX] = '"';
		zone_kit_read(text, 14 + SCANNER_TOKEN_MAX);
		CHECK(zone_kit.error_count > 0);
	}
}

TEST(records_say_where_they_start)
{
	read_text("a 1 TXT (\n\n b)\n\n   ; c\n \t A 1.2.3.4\n");
	CHECK_U(zone_kit.line, 6);
	CHECK_U(zone_kit.column, 4);
}

TEST(generate_makes_a_line_for_each_number)
{
	static const struct {
		const char *text;
		const char *records;
	} cases[] = {
		{"$GENERATE 1-2 h$ 5 A 1.2.3.$", "h1.e. 5 A 1.2.3.1\nh2.e. 5 A 1.2.3.2\n"},
		{"$GENERATE 1-5/2 $ 5 IN NS n$.x.",
			"1.e. 5 NS n1.x.\n3.e. 5 NS n3.x.\n5.e. 5 NS n5.x.\n"},
		{"$generate 8-8 o${0,3,o} 5 A 1.2.3.$", "o010.e. 5 A 1.2.3.8\n"},
		{"$GENERATE 250-250 x${0,4,x}.X${1,4,X} 5 A 1.2.3.4",
			"x00fa.X00FB.e. 5 A 1.2.3.4\n"},
		{"$GENERATE 3-3 n${-2}.${+4}.${5} 5 A 1.2.3.4", "n1.7.8.e. 5 A 1.2.3.4\n"},
		{"$GENERATE 3-3 ${0,3} 5 A 1.2.3.4", "003.e. 5 A 1.2.3.4\n"},
		{"$GENERATE 171-171 ${0,5,n}.${0,0,N}.x 5 A 1.2.3.4",
			"b.a.0.B.A.x.e. 5 A 1.2.3.4\n"},
		{"$GENERATE 0-0 l\\$.m$$ 5 A 1.2.3.4", "l\\$.m\\$.e. 5 A 1.2.3.4\n"},
		{"$GENERATE 7-7 $ 5 MX \"10 m$\"", "7.e. 5 MX 10 m7.e.\n"},
		{"$GENERATE 7-7 $ 5 TXT \"a $\" b$ ; c", "7.e. 5 TXT \"a 7\" \"b7\"\n"},
		{"$GENERATE 7-7 $ 5 TXT \"\\\"a $\\\"\"", "7.e. 5 TXT \"a 7\"\n"},
		{"$GENERATE 7-7 @ 5 TXT $\nx 5 A 1.2.3.4\n", "e. 5 TXT \"7\"\nx.e. 5 A 1.2.3.4\n"},
		{"$GENERATE 7-7 ( a$\n 5 A 1.2.3.$ )\n", "a7.e. 5 A 1.2.3.7\n"},
		{"$GENERATE 2147483647-2147483647 $ 5 A 1.2.3.4\n", "2147483647.e. 5 A 1.2.3.4\n"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		zone_kit_records(cases[i].text, cases[i].records);
	}
}

TEST(generate_is_refused_where_it_is_absurd)
{
	static const struct {
		const char *text;
		const char *diag;
	} cases[] = {
		{"$GENERATE", "1:10: the entry ends too soon (expected a range)\n"},
		{"$GENERATE 5-1 x$ A 1.2.3.4", "1:11: a range that starts above its stop\n"},
		{"$GENERATE 1-5/0 x$ A 1.2.3.4",
			"1:11: a range with step 0 (expected 1 or more)\n"},
		{"$GENERATE 1-3/ x$ A 1.2.3.4", "1:11: a bad step (expected 1 to 2147483647)\n"},
		{"$GENERATE 9--10 x$ A 1.2.3.4", "1:11: a bad range (expected start-stop or "
						 "start-stop/step, up to 2147483647)\n"},
		{"$GENERATE 0-2147483648 x$ A 1.2.3.4", "1:11: a bad range (expected start-stop or "
							"start-stop/step, up to 2147483647)\n"},
		{"$GENERATE 1-2x x$ A 1.2.3.4",
			"1:11: a bad range (expected start-stop or start-stop/step)\n"},
		{"$GENERATE 0-4194304 x$ A 1.2.3.4",
			"1:11: a range that makes too many records (expected at most 4194304 in a "
			"zone)\n"},
		{"$GENERATE 1-2 x${0,256} 5 A 1.2.3.4",
			"1:1: in the line for 1: a bad width (expected ${offset,width}, width 0 to "
			"255)\n"},
		{"$GENERATE 1-2 x${0,1 5 A 1.2.3.4",
			"1:1: in the line for 1: a brace that is not closed (expected "
			"${offset[,width[,base]]})\n"},
		{"$GENERATE 1-2 x${0,1,q} 5 A 1.2.3.4",
			"1:1: in the line for 1: a bad base (expected d, o, x, X, n or N)\n"},
		{"$GENERATE 1-2 x${x} 5 A 1.2.3.4",
			"1:1: in the line for 1: a bad offset (expected ${offset[,width[,base]]}, "
			"offset up to 2147483647)\n"},
		{"$GENERATE 1-2 x${2147483647} 5 A 1.2.3.4",
			"1:1: in the line for 1: the number with its offset is not from 0 to "
			"2147483647\n"},
		{"$GENERATE 1-2 x${-2} 5 A 1.2.3.4",
			"1:1: in the line for 1: the number with its offset is not from 0 to "
			"2147483647\n"},
		{"\n$GENERATE 255-258 x$ 5 A 1.2.3.$",
			"2:1: in the line for 256: '1.2.3.256' is not an IPv4 address\n"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		zone_kit_diags(cases[i].text, cases[i].diag);
	}
}

TEST(a_zone_generates_at_most_so_many_records)
{
	/* One line less than the limit in all: the second directive takes what is left, or one more. */
	read_text("$GENERATE 1-4194303 x 1 A 1.2.3.4\n$GENERATE 1-1 x 1 A 1.2.3.4\n");
	CHECK_U(zone_kit.error_count, 0);
	CHECK_U(zone_kit.record_count, GENERATE_LINES_MAX);
	read_text("$GENERATE 1-4194303 x 1 A 1.2.3.4\n$GENERATE 1-2 x 1 A 1.2.3.4\n");
	CHECK_U(zone_kit.error_count, 1);
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "wb");

	CHECK(file != NULL && fwrite(text, 1, strlen(text), file) == strlen(text));
	CHECK(fclose(file) == 0);
}

/* A folder with the files main and main/../sub/..., removed again by the caller's list. */
static char folder[] = "/tmp/saker-test-XXXXXX";
static char path[8][64];

static void make_folder(void)
{
	strcpy(folder, "/tmp/saker-test-XXXXXX");
	CHECK(mkdtemp(folder) != NULL);
	for (uint32_t i = 0; i < 8; i++) {
		snprintf(path[i], sizeof(path[i]), "%s/f%u", folder, i);
	}
}

static void remove_folder(void)
{
	for (uint32_t i = 0; i < 8; i++) {
		unlink(path[i]);
	}
	rmdir(folder);
}

TEST(included_files_are_found_beside_the_file_that_includes)
{
	make_folder();
	write_file(path[0],
		"$TTL 1\na A 1.2.3.4\n$INCLUDE f1;glued\n  A 1.2.3.5\n$INCLUDE \"f2\" s ; c\n"
		"b A 1.2.3.6\n");
	write_file(path[1], "i A 1.1.1.1\n$ORIGIN deep\n@ A 1.1.1.2\n$TTL 7\nj A 1.1.1.3");
	write_file(path[2], "k A 2.2.2.2\n$INCLUDE f3 t.\nl A 2.2.2.3\n");
	write_file(path[3], "m A 3.3.3.3\n");
	zone_kit_read_file(path[0]);
	CHECK_S(zone_kit.diags, "");
	CHECK_S(zone_kit.records,
		"a.e. 1 A 1.2.3.4\ni.e. 1 A 1.1.1.1\ndeep.e. 1 A 1.1.1.2\nj.deep.e. 7 A 1.1.1.3\n"
		"a.e. 7 A 1.2.3.5\nk.s.e. 7 A 2.2.2.2\nm.t. 7 A 3.3.3.3\nl.s.e. 7 A 2.2.2.3\n"
		"b.e. 7 A 1.2.3.6\n");
	remove_folder();
}

TEST(an_included_file_begins_without_an_owner)
{
	make_folder();
	write_file(path[0], "a 1 A 1.2.3.4\n$INCLUDE f1\n");
	write_file(path[1], "\n  A 1.2.3.5\n");
	zone_kit_read_file(path[0]);
	CHECK_S(zone_kit.diags, "2:3: no owner, and there is no good one before to take\n");
	remove_folder();
}

TEST(a_file_that_includes_itself_is_refused)
{
	make_folder();
	write_file(path[0], "$INCLUDE f1\n");
	write_file(path[1], "$INCLUDE f0\n");
	zone_kit_read_file(path[0]);
	CHECK(strstr(zone_kit.diags, "1:10: f0 includes itself\n") == zone_kit.diags);
	remove_folder();
}

TEST(files_include_each_other_only_so_deep)
{
	char name[ZONEFILE_DEPTH_MAX + 1][80];

	make_folder();
	for (uint32_t depth = ZONEFILE_DEPTH_MAX; depth <= ZONEFILE_DEPTH_MAX + 1; depth++) {
		for (uint32_t i = 0; i < depth; i++) {
			char text[64];
			snprintf(text, sizeof(text),
				i + 1 < depth ? "$INCLUDE d%u\n" : "x 1 A 1.2.3.%u\n", i + 1);
			snprintf(name[i], sizeof(name[i]), "%s/d%u", folder, i);
			write_file(name[i], text);
		}
		zone_kit_read_file(name[0]);
		CHECK_U(zone_kit.error_count, depth - ZONEFILE_DEPTH_MAX);
		for (uint32_t i = 0; i < depth; i++) {
			unlink(name[i]);
		}
	}
	CHECK_S(zone_kit.diags, "1:10: files that include each other more than 16 deep\n");
	remove_folder();
}

TEST(an_unreadable_file_is_a_complaint)
{
	zone_kit_read_file("/nowhere/at/all");
	CHECK_U(zone_kit.status, STATUS_REFUSED);
	CHECK_S(zone_kit.diags, "0:0: cannot be read: No such file or directory\n");
	zone_kit_read_file("/");
	CHECK_S(zone_kit.diags, "0:0: cannot be read: Is a directory\n");
}

/* Text made of the pieces that matter; reading it must end, and tell of errors exactly when there are. */
TEST(random_text_is_read_to_its_end)
{
	static const char *const pieces[] = {"a", "b.c", "@", " ", "\t", "\n", "(", ")", ";", "\"",
		"\\", "1", "3600", "IN", "A", "TXT", "NS", "1.2.3.4", "\\#", "\\065", "$ORIGIN",
		"$TTL", "$GENERATE", "1-3", "${0,2,x}", "$", "\r\n", "x 1 A 1.2.3.4\n", "\n", " ",
		" ", "AAAA", "::1", "SVCB", "alpn=", "port=1", "MX 10", "LOC", "N", "APL",
		"1:0.0.0.0/0"};
	uint32_t accepted = 0;
	uint32_t records = 0;

	for (uint32_t round = 0; round < 100000; round++) {
		char text[256] = "";
		uint32_t count = kit_random(20);
		size_t len = 0;

		for (uint32_t i = 0; i < count; i++) {
			const char *piece = pieces[kit_random(sizeof(pieces) / sizeof(pieces[0]))];
			size_t piece_len = strlen(piece);
			if (piece_len > sizeof(text) - len) {
				break;
			}
			memcpy(text + len, piece, piece_len);
			len += piece_len;
		}
		zone_kit_read(text, len);
		accepted += zone_kit.error_count == 0;
		records += zone_kit.record_count;
	}
	CHECK(accepted > 5000 && accepted < 95000);
	CHECK(records > 5000);
}
