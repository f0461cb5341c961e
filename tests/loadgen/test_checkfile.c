/* test_checkfile.c - expected answers: each kind of line, and what is said of bad ones. */
#include "loadgen/checkfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "kit/kit.h"
#include "wire/wire.h"

static char notes[4096]; /* complaints: `LINE:COLUMN text;` */

static void note(void *context, const struct diag *diag)
{
	size_t used = strlen(notes);

	(void)context;
	snprintf(notes + used, sizeof(notes) - used, "%u:%u %s;", diag->line, diag->column,
		diag->text);
}

static const struct diag_sink sink = {.report = note};

struct bench {
	struct queryfile queries;
	struct answerbook book;
};

static enum status expect(struct bench *bench, const char *queries, const char *text)
{
	static const struct queryfile_options plain;

	notes[0] = '\0';
	CHECK_U(queryfile_read(
			kit_temp_file(queries, strlen(queries)), &plain, &sink, &bench->queries),
		STATUS_OK);
	CHECK_U(answerbook_init(&bench->book, bench->queries.count), STATUS_OK);
	return checkfile_read(
		kit_temp_file(text, strlen(text)), &bench->queries, &sink, &bench->book);
}

static void end(struct bench *bench)
{
	answerbook_fini(&bench->book);
	queryfile_fini(&bench->queries);
}

/* The kinds in which an answer of a rcode and some addresses with a TTL differs. */
static uint32_t judge(
	struct bench *bench, uint32_t idx, uint16_t rcode, const char *addresses, uint32_t ttl)
{
	uint8_t octets[512] = {0};
	uint32_t len;
	uint32_t kinds = 0;
	const uint8_t *rest = queryfile_rest(&bench->queries, idx, &len);

	memcpy(octets + 2, rest, len);
	octets_put_u16(octets + 2, 0x8400 | rcode);
	uint32_t end_len = 2 + len;
	for (const char *at = addresses; *at != '\0'; at++) {
		const uint8_t head[] = {0xc0, 12, 0, 1, 0, 1, 0, 0, (uint8_t)(ttl >> 8),
			(uint8_t)ttl, 0, 4, 192, 0, 2, (uint8_t)(*at - '0')};
		memcpy(octets + end_len, head, sizeof(head));
		end_len += sizeof(head);
		octets[7]++;
	}
	CHECK(answerbook_judge(&bench->book, idx, octets, end_len, &kinds));
	return kinds;
}

TEST(one_line_tells_rcode_and_records)
{
	struct bench bench;

	CHECK_U(expect(&bench, "a.test A\nb.test A\nc.test A\nA.TEST. A\n",
			"; expected\n"
			"a.test A NOERROR 192.0.2.1\n"
			"b.test. A NXDOMAIN   ; gone\n"
			"c.test A NOERROR *\n"),
		STATUS_OK);
	CHECK_S(notes, "");
	CHECK_U(judge(&bench, 0, RCODE_NOERROR, "1", 77), 0);
	CHECK_U(judge(&bench, 3, RCODE_NOERROR, "1", 5), 0);
	CHECK_U(judge(&bench, 0, RCODE_NOERROR, "2", 5), 1u << DIFFER_ANSWER);
	CHECK_U(judge(&bench, 0, RCODE_NOERROR, "", 5), 1u << DIFFER_ANSWER);
	CHECK_U(judge(&bench, 1, RCODE_NXDOMAIN, "", 5), 0);
	CHECK_U(judge(&bench, 1, RCODE_NOERROR, "", 5), 1u << DIFFER_RCODE);
	CHECK_U(judge(&bench, 2, RCODE_NOERROR, "123", 5), 0);
	end(&bench);
}

TEST(indented_lines_are_records_with_or_without_ttls)
{
	struct bench bench;

	CHECK_U(expect(&bench, "a.test A\nb.test A\n",
			"a.test A NOERROR\n"
			"\ta.test. 300 A 192.0.2.1\n"
			"    a.test. 300 IN A 192.0.2.2 ; the other\n"
			"b.test A NOERROR\n"
			"  b.test. A 192.0.2.3\n"),
		STATUS_OK);
	CHECK_U(judge(&bench, 0, RCODE_NOERROR, "21", 300), 0);
	CHECK_U(judge(&bench, 0, RCODE_NOERROR, "21", 299), 1u << DIFFER_TTL);
	CHECK_U(judge(&bench, 0, RCODE_NOERROR, "1", 300), 1u << DIFFER_ANSWER);
	CHECK_U(judge(&bench, 1, RCODE_NOERROR, "3", 299), 0);
	end(&bench);
}

TEST(queries_that_it_does_not_tell_of_may_be_answered_in_any_way)
{
	uint8_t octets[12] = {0};
	struct bench bench;
	uint32_t kinds;

	CHECK_U(expect(&bench, "a.test A\na.test AAAA\n", "a.test A NXDOMAIN\nz.test A NXDOMAIN\n"),
		STATUS_OK);
	CHECK(strstr(notes, "1 of its questions are not") != NULL);
	CHECK(!answerbook_judge(&bench.book, 1, octets, sizeof(octets), &kinds));
	CHECK(answerbook_judge(&bench.book, 0, NULL, 0, &kinds));
	CHECK_U(kinds, 1u << DIFFER_MISSING);
	struct differ_found *list;
	uint32_t count;
	CHECK_U(answerbook_list(&bench.book, &list, &count), STATUS_OK);
	CHECK_U(count, 1);
	CHECK_U(list[0].query_idx, 0);
	CHECK_U(list[0].kinds, 1u << DIFFER_MISSING);
	free(list);
	end(&bench);
}

TEST(bad_lines_are_named_where_they_are)
{
	static const struct {
		const char *text;
		const char *want;
	} cases[] = {
		{"a..test A NOERROR\n", "1:1 not a domain name"},
		{"a.test NOTYPE NOERROR\n", "1:8 not an RR type"},
		{"a.test\n", "1:7 not an RR type"},
		{"\na.test A NOSUCH\n", "2:10 not an rcode"},
		{"a.test A\n", "1:9 not an rcode"},
		{"  a.test. A 192.0.2.1\n", "1:3 a record before"},
		{"a.test A NOERROR 192.0.2.256\n", "1:18 "},
		{"a.test A NOERROR\n   a.test. A nonsense\n", "2:14 "},
		{"a.test A NOERROR\n   $INCLUDE x\n", "2:4 not a record"},
		{"a.test A NOERROR\nA.test A NOERROR\n", "2:1 the same question"},
		{"", "0:0 no answer in it"},
		{"other.test A NOERROR\n", "0:0 none of its questions"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench bench;

		KIT_NOTE(cases[i].text);
		CHECK_U(expect(&bench, "a.test A\n", cases[i].text), STATUS_REFUSED);
		CHECK(strstr(notes, cases[i].want) == notes);
		end(&bench);
	}
}
