/* test_queryfile.c - query files: what becomes of each kind of line, in wire octets. */
#include "loadgen/queryfile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

#define NOTES_LEN 4096u

static char notes[NOTES_LEN]; /* complaints of the last read: `LINE:COLUMN text;` */

static void note(void *context, const struct diag *diag)
{
	size_t used = strlen(notes);

	(void)context;
	snprintf(notes + used, NOTES_LEN - used, "%u:%u %s;", diag->line, diag->column, diag->text);
}

static enum status read_path(
	const char *path, const struct queryfile_options *options, struct queryfile *out)
{
	struct diag_sink sink = {.report = note};

	notes[0] = '\0';
	return queryfile_read(path, options, &sink, out);
}

static enum status read_text(
	const char *text, const struct queryfile_options *options, struct queryfile *out)
{
	return read_path(kit_temp_file(text, strlen(text)), options, out);
}

#define HEAD_LEN 10u /* octets of a header behind the ID */

static const struct queryfile_options plain;
static const uint8_t plain_head[HEAD_LEN] = {1, 0, 0, 1};

TEST(names_become_wire_octets)
{
	const struct {
		const char *line;
		const uint8_t *tail;
		size_t len;
	} cases[] = {
		{"a.b A", BYTES(1, 'a', 1, 'b', 0, 0, 1, 0, 1)},
		{"a.b. A", BYTES(1, 'a', 1, 'b', 0, 0, 1, 0, 1)},
		{". NS", BYTES(0, 0, 2, 0, 1)},
		{"@ A", BYTES(1, '@', 0, 0, 1, 0, 1)},
		{"#x A", BYTES(2, '#', 'x', 0, 0, 1, 0, 1)},
		{"  a\t \taaaa  \r", BYTES(1, 'a', 0, 0, 28, 0, 1)},
		{"q MX ; comment", BYTES(1, 'q', 0, 0, 15, 0, 1)},
		{"q TYPE65280", BYTES(1, 'q', 0, 0xff, 0, 0, 1)},
		{"q ANY", BYTES(1, 'q', 0, 0, 255, 0, 1)},
		{"MiXed TXT", BYTES(5, 'M', 'i', 'X', 'e', 'd', 0, 0, 16, 0, 1)},
		/* Escapes are one octet on the wire, and an escaped dot ends no label. */
		{"\\; A", BYTES(1, ';', 0, 0, 1, 0, 1)},
		{"k\\.l.m A", BYTES(3, 'k', '.', 'l', 1, 'm', 0, 0, 1, 0, 1)},
		{"\\009\\092.z A", BYTES(2, 9, '\\', 1, 'z', 0, 0, 1, 0, 1)},
		{"x\\ y A", BYTES(3, 'x', ' ', 'y', 0, 0, 1, 0, 1)},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct queryfile queries;
		uint32_t len;

		KIT_NOTE(cases[i].line);
		CHECK_U(read_text(cases[i].line, &plain, &queries), STATUS_OK);
		CHECK_U(queries.count, 1);
		const uint8_t *rest = queryfile_rest(&queries, 0, &len);
		CHECK(len > HEAD_LEN);
		CHECK_OCTETS(rest, HEAD_LEN, plain_head, HEAD_LEN);
		CHECK_OCTETS(rest + HEAD_LEN, len - HEAD_LEN, cases[i].tail, cases[i].len);
		CHECK_U(queries.items[0].question_len, cases[i].len);
		CHECK_S(notes, "");
		queryfile_fini(&queries);
	}
}

TEST(a_bad_line_is_named_and_left_out)
{
	struct queryfile queries;

	CHECK_U(read_text("; comment\n"
			  "good.example A\n"
			  "\n"
			  "lonely.example\n"
			  "two..dots A\n"
			  "good.example NOTYPE\n"
			  "good.example IN A\n"
			  "# another comment\n"
			  "#\n"
			  "good.example AAAA",
			&plain, &queries),
		STATUS_OK);
	CHECK_U(queries.count, 2);
	CHECK_U(queries.bad_count, 4);
	CHECK(strstr(notes, "4:15 no type") != NULL);
	CHECK(strstr(notes, "5:1 not a domain name") != NULL);
	CHECK(strstr(notes, "6:14 not an RR type") != NULL);
	CHECK(strstr(notes, "7:14 not an RR type") != NULL);
	queryfile_fini(&queries);
}

TEST(a_name_of_256_octets_is_left_out_and_one_of_255_is_not)
{
	for (uint32_t extra = 0; extra < 2; extra++) {
		struct queryfile queries;
		char line[300] = "";
		uint32_t len = 0;

		for (uint32_t label = 0; label < 4; label++) {
			uint32_t label_len = label < 3 ? 63 : 61 + extra;
			memset(line + len, 'x', label_len);
			len += label_len;
			line[len++] = '.';
		}
		memcpy(line + len, " A\nshort A\n", 12);
		CHECK_U(read_text(line, &plain, &queries), STATUS_OK);
		CHECK_U(queries.count, 2 - extra);
		CHECK_U(queries.bad_count, extra);
		queryfile_fini(&queries);
	}
}

TEST(a_bad_line_is_fatal_where_strict)
{
	struct queryfile_options options = {.strict = true};
	struct queryfile queries;

	CHECK_U(read_text("good A\nbad\n", &options, &queries), STATUS_REFUSED);
	CHECK(strstr(notes, "2:4 no type") != NULL);
	CHECK_U(read_text("good A\n", &options, &queries), STATUS_OK);
	queryfile_fini(&queries);
}

TEST(no_query_at_all_is_refused)
{
	struct queryfile queries;

	CHECK_U(read_text("", &plain, &queries), STATUS_REFUSED);
	CHECK(strstr(notes, "no query") != NULL);
	CHECK_U(read_text(";\n\nbad\n", &plain, &queries), STATUS_REFUSED);
	CHECK_U(read_path("/nonexistent/queries", &plain, &queries), STATUS_REFUSED);
	CHECK(strstr(notes, "No such file") != NULL);
	CHECK_U(read_path("/", &plain, &queries), STATUS_REFUSED);
	CHECK(strstr(notes, "directory") != NULL);
}

TEST(only_so_many_complaints_are_listed)
{
	struct queryfile queries;
	char text[1024];
	size_t len = 0;
	uint32_t listed_count = 0;

	for (uint32_t i = 0; i < 100; i++) {
		memcpy(text + len, "bad\n", 4);
		len += 4;
	}
	memcpy(text + len, "good A\n", 8);
	CHECK_U(read_text(text, &plain, &queries), STATUS_OK);
	for (const char *at = notes; (at = strstr(at, "no type")) != NULL; at++) {
		listed_count++;
	}
	CHECK_U(listed_count, DIAG_ERRORS_MAX);
	CHECK(strstr(notes, "100 bad lines") != NULL);
	queryfile_fini(&queries);
}

TEST(edns_and_do_are_in_every_query)
{
	struct queryfile_options options = {.dnssec = true};
	struct queryfile queries;
	uint32_t len;

	CHECK_U(read_text("a A\nb A\n", &options, &queries), STATUS_OK);
	const uint8_t *rest = queryfile_rest(&queries, 1, &len);
	static const uint8_t want[] = {1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 'b', 0, 0, 1, 0, 1, 0, 0,
		41, 0x04, 0xd0, 0, 0, 0x80, 0, 0, 0};
	CHECK_OCTETS(rest, len, want, sizeof(want));
	CHECK_U(queries.items[1].question_len, 7);
	queryfile_fini(&queries);
}

TEST(a_message_is_kept_but_for_its_id)
{
	static const uint8_t update[] = {
		0xab, 0xcd, 0x28, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 'z', 0, 0, 6, 0, 1, 0xee, 0xff};
	struct queryfile queries;
	uint32_t len;

	CHECK_U(queryfile_init(&queries), STATUS_OK);
	CHECK_U(queryfile_add(&queries, update, sizeof(update)), STATUS_OK);
	const uint8_t *rest = queryfile_rest(&queries, 0, &len);
	CHECK_OCTETS(rest, len, update + 2, sizeof(update) - 2);
	CHECK_U(queryfile_flags(&queries, 0), 0x2800);
	CHECK(queryfile_is_question(&queries, 0, update + 12, 7));
	queryfile_fini(&queries);
}

TEST(a_message_that_is_no_query_is_refused)
{
	const struct {
		const char *why;
		const uint8_t *octets;
		size_t len;
	} cases[] = {
		{"no header", BYTES(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0)},
		{"a response", BYTES(0, 0, 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1)},
		{"no question", BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)},
		{"two questions", BYTES(0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1)},
		{"half a name", BYTES(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 'a')},
		{"no class", BYTES(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0)},
		{"a pointer", BYTES(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 12, 0, 1, 0, 1)},
	};
	struct queryfile queries;

	CHECK_U(queryfile_init(&queries), STATUS_OK);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		KIT_NOTE(cases[i].why);
		CHECK_U(queryfile_add(&queries, kit_guarded(cases[i].octets, cases[i].len),
				(uint32_t)cases[i].len),
			STATUS_REFUSED);
	}
	CHECK_U(queries.count, 0);
	queryfile_fini(&queries);
}

TEST(messages_of_any_length_find_room)
{
	static uint8_t message[65536] = {[5] = 1, [14] = 1, [16] = 1};
	struct queryfile queries;
	uint32_t len;

	CHECK_U(queryfile_init(&queries), STATUS_OK);
	CHECK_U(queryfile_add(&queries, message, 65536), STATUS_REFUSED);
	for (uint32_t i = 0; i < 2000; i++) {
		CHECK_U(queryfile_add(&queries, message, i % 2 == 0 ? 17 + i : 65535 - i),
			STATUS_OK);
	}
	queryfile_rest(&queries, 1999, &len);
	CHECK_U(len, 65535 - 1999 - 2);
	queryfile_fini(&queries);
}

TEST(a_question_is_known_in_any_case_and_no_other)
{
	struct queryfile queries;
	static const uint8_t same[] = {1, 'A', 1, 'b', 0, 0, 1, 0, 1, 0xc0, 12};
	static const uint8_t type[] = {1, 'a', 1, 'b', 0, 0, 2, 0, 1};
	static const uint8_t name[] = {1, 'a', 1, 'c', 0, 0, 1, 0, 1};
	static const uint8_t part[] = {1, 'a', 1, 'b', 0, 0, 1, 0};

	CHECK_U(read_text("a.b A\n", &plain, &queries), STATUS_OK);
	CHECK(queryfile_is_question(&queries, 0, kit_guarded(same, sizeof(same)), sizeof(same)));
	CHECK(!queryfile_is_question(&queries, 0, kit_guarded(type, sizeof(type)), sizeof(type)));
	CHECK(!queryfile_is_question(&queries, 0, kit_guarded(name, sizeof(name)), sizeof(name)));
	CHECK(!queryfile_is_question(&queries, 0, kit_guarded(part, sizeof(part)), sizeof(part)));
	queryfile_fini(&queries);
}

TEST(lines_may_cross_the_edges_of_what_is_read_at_once)
{
	/* Longer than several blocks, in line lengths that fall on every offset of their edges. */
	size_t cap = 600000;
	char *text = malloc(cap);
	struct queryfile queries;
	size_t len = 0;
	uint32_t line_count = 0;

	CHECK(text != NULL);
	while (len + 100 < cap) {
		uint32_t label_len = 1 + kit_random(60);
		memset(text + len, 'x', label_len);
		memcpy(text + len + label_len, " A\n", 3);
		len += label_len + 3;
		line_count++;
	}
	CHECK_U(read_path(kit_temp_file(text, len), &plain, &queries), STATUS_OK);
	CHECK_U(queries.count, line_count);
	CHECK_S(notes, "");
	queryfile_fini(&queries);

	memset(text, 'y', cap); /* one line that never ends, then a good one */
	memcpy(text + cap - 5, "\nz A\n", 5);
	CHECK_U(read_path(kit_temp_file(text, cap), &plain, &queries), STATUS_OK);
	CHECK_U(queries.count, 1);
	CHECK_U(queries.bad_count, 1);
	CHECK_S(notes, "1:0 the line is too long;");
	queryfile_fini(&queries);
	free(text);
}
