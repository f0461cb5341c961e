/* test_updatefile.c - each line of an update file, in wire octets. */
#include "loadgen/updatefile.h"

#include <stdio.h>
#include <string.h>

#include "kit/kit.h"

static char notes[4096];

static void note(void *context, const struct diag *diag)
{
	size_t used = strlen(notes);

	(void)context;
	snprintf(notes + used, sizeof(notes) - used, "%u:%u %s;", diag->line, diag->column,
		diag->text);
}

static enum status read_text(const char *text, bool strict, struct queryfile *out)
{
	const struct diag_sink sink = {.report = note};

	notes[0] = '\0';
	return updatefile_read(kit_temp_file(text, strlen(text)), strict, &sink, out);
}

/* The zone `z.`, one prerequisite or change. */
static const struct {
	const char *line;
	uint8_t counts[4]; /* prerequisites, changes */
	const uint8_t *record;
	size_t len;
} cases[] = {
	{"require a", {0, 1, 0, 0}, BYTES(1, 'a', 1, 'z', 0, 0, 255, 0, 255, 0, 0, 0, 0, 0, 0)},
	{"require a A", {0, 1, 0, 0}, BYTES(1, 'a', 1, 'z', 0, 0, 1, 0, 255, 0, 0, 0, 0, 0, 0)},
	{"require a A 1.2.3.4", {0, 1, 0, 0},
		BYTES(1, 'a', 1, 'z', 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4)},
	{"prohibit x", {0, 1, 0, 0}, BYTES(1, 'x', 1, 'z', 0, 0, 255, 0, 254, 0, 0, 0, 0, 0, 0)},
	{"prohibit x A", {0, 1, 0, 0}, BYTES(1, 'x', 1, 'z', 0, 0, 1, 0, 254, 0, 0, 0, 0, 0, 0)},
	{"add x 3600 A 10.1.2.3", {0, 0, 0, 1},
		BYTES(1, 'x', 1, 'z', 0, 0, 1, 0, 1, 0, 0, 0x0e, 0x10, 0, 4, 10, 1, 2, 3)},
	{"delete y A 10.1.2.3", {0, 0, 0, 1},
		BYTES(1, 'y', 1, 'z', 0, 0, 1, 0, 254, 0, 0, 0, 0, 0, 4, 10, 1, 2, 3)},
	{"delete z A", {0, 0, 0, 1}, BYTES(1, 'z', 1, 'z', 0, 0, 1, 0, 255, 0, 0, 0, 0, 0, 0)},
	{"delete w.", {0, 0, 0, 1}, BYTES(1, 'w', 0, 0, 255, 0, 255, 0, 0, 0, 0, 0, 0)},
};

TEST(each_line_becomes_a_record)
{
	static const uint8_t question[] = {1, 'z', 0, 0, 6, 0, 1};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct queryfile queries;
		char text[100];
		uint32_t len;

		KIT_NOTE(cases[i].line);
		snprintf(text, sizeof(text), "; one\nz\n%s\nsend\n", cases[i].line);
		CHECK_U(read_text(text, true, &queries), STATUS_OK);
		CHECK_U(queries.count, 1);
		CHECK_U(queryfile_flags(&queries, 0), 0x2800);
		const uint8_t *rest = queryfile_rest(&queries, 0, &len);
		CHECK_OCTETS(rest + 4, 4, cases[i].counts, 4);
		CHECK_OCTETS(rest + 10, sizeof(question), question, sizeof(question));
		CHECK_OCTETS(rest + 17, len - 17, cases[i].record, cases[i].len);
		queryfile_fini(&queries);
	}
}

TEST(several_lines_and_messages_follow_each_other)
{
	struct queryfile queries;
	uint32_t len;

	CHECK_U(read_text("z\nrequire a\nadd x 1 A 10.1.2.3\nadd x 1 A 10.1.2.4\nsend\n"
			  "y.\nsend\n",
			true, &queries),
		STATUS_OK);
	CHECK_U(queries.count, 2);
	const uint8_t *rest = queryfile_rest(&queries, 0, &len);
	CHECK_OCTETS(rest, 10, ((const uint8_t[]){0x28, 0, 0, 1, 0, 1, 0, 2, 0, 0}), 10);
	queryfile_fini(&queries);
}

TEST(a_message_with_a_bad_line_is_left_out)
{
	static const struct {
		const char *line;
		const char *want;
	} bad[] = {
		{"add x A 10.1.2.3", "2:5 no TTL"},
		{"add x 1 A 10.1.2.300", "2:11 "},
		{"delete", "2:7 not a domain name"},
		{"delete x NOTYPE", "2:10 not an RR type"},
		{"prohibit x A 10.1.2.3", "2:14 more than"},
		{"remove x", "2:1 not a keyword"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct queryfile queries;
		char text[100];

		KIT_NOTE(bad[i].line);
		snprintf(text, sizeof(text), "z\n%s\nsend\nz\nsend\n", bad[i].line);
		CHECK_U(read_text(text, true, &queries), STATUS_REFUSED);
		CHECK(strstr(notes, bad[i].want) == notes);
		CHECK_U(read_text(text, false, &queries), STATUS_OK);
		CHECK_U(queries.count, 1);
		CHECK_U(queries.bad_count, 1);
		queryfile_fini(&queries);
	}
}

TEST(a_file_without_an_update_is_refused)
{
	struct queryfile queries;

	CHECK_U(read_text("", false, &queries), STATUS_REFUSED);
	CHECK(strstr(notes, "no update in it") != NULL);
	CHECK_U(read_text("z\nadd x 1 A 10.1.2.3\n", false, &queries), STATUS_REFUSED);
	CHECK(strstr(notes, "no send") != NULL);
}
