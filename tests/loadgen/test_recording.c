/* test_recording.c - recordings to timelines and lists. */
#include "loadgen/recording.h"

#include <stdio.h>
#include <string.h>

#include "capture/capture.h"
#include "kit/kit.h"
#include "loadgen/queryfile.h"
#include "loadgen/querylist.h"
#include "loadgen/timeline.h"

static char notes[4096];

static void note(void *context, const struct diag *diag)
{
	size_t used = strlen(notes);

	(void)context;
	snprintf(notes + used, sizeof(notes) - used, "%u %s;", diag->line, diag->text);
}

static enum status read_text(const char *text, bool strict, struct timeline *out, bool *has_times)
{
	struct capture_options options = {.port = 0};
	struct queryfile_options queryfile = {.strict = strict, .edns = true};
	struct diag_sink sink = {.report = note};

	notes[0] = '\0';
	return recording_read(
		kit_temp_file(text, strlen(text)), &options, &queryfile, &sink, out, has_times);
}

TEST(a_query_log_is_played_in_its_order_of_time)
{
	struct timeline timeline;
	bool has_times;
	uint32_t len;

	CHECK_U(read_text("30-Nov-2026 18:55:34.500 client 192.0.2.1#1: query: b IN A -\n"
			  "30-Nov-2026 18:55:34.123 client 192.0.2.1#1: query: a IN AAAA +ED\n"
			  "30-Nov-2026 18:55:34.500 client 192.0.2.1#1: query: c CH TXT +C\n",
			true, &timeline, &has_times),
		STATUS_OK);
	CHECK(has_times);
	CHECK_U(timeline.queries.count, 3);
	CHECK_U(timeline.times_ns[0], 0);
	CHECK_U(timeline.times_ns[1], 377000000);
	CHECK_U(timeline.times_ns[2], 377000000);
	static const uint8_t want[] = {1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 'a', 0, 0, 28, 0, 1, 0, 0,
		41, 4, 0xd0, 0, 0, 0x80, 0, 0, 0};
	const uint8_t *rest = queryfile_rest(&timeline.queries, 0, &len);
	CHECK_OCTETS(rest, len, want, sizeof(want));
	CHECK_U(queryfile_flags(&timeline.queries, 1), 0);
	CHECK_U(queryfile_flags(&timeline.queries, 2), 0x0110);
	timeline_fini(&timeline);
}

TEST(lists_and_logs_without_times_say_so)
{
	const char *const texts[] = {"a.test A\nb.test MX\n",
		"client 192.0.2.1#1: query: a IN A +\nclient 192.0.2.1#1: query: b IN A +\n"};

	for (size_t i = 0; i < 2; i++) {
		struct timeline timeline;
		bool has_times;
		uint32_t len;

		CHECK_U(read_text(texts[i], true, &timeline, &has_times), STATUS_OK);
		CHECK(!has_times);
		CHECK_U(timeline.queries.count, 2);
		const uint8_t *rest = queryfile_rest(&timeline.queries, 1, &len);
		CHECK_U(rest[11], 'b');
		CHECK_U(len,
			i == 0 ? 10 + 12 + 11 : 10 + 7); /* the list's options count for lists */
		timeline_fini(&timeline);
	}
}

TEST(bad_input_is_refused_and_leaves_nothing)
{
	const struct {
		const char *text;
		bool strict;
		const char *why;
	} cases[] = {{"", false, "no query in it"},
		{"a.test A\nb..test A\n", true, "not a domain name"},
		{"client 192.0.2.1#1: query: a IN A +\nclient 192.0.2.1#1: query: b..c IN A +\n",
			true, "not a domain name"},
		{"client 192.0.2.1#1: query: a IN A\n", false, "no DNS query in it"}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct timeline timeline;
		bool has_times;

		KIT_NOTE(cases[i].why);
		CHECK_U(read_text(cases[i].text, cases[i].strict, &timeline, &has_times),
			STATUS_REFUSED);
		CHECK(strstr(notes, cases[i].why) != NULL);
	}
}

TEST(a_list_is_of_class_in)
{
	static const char text[] = "client 192.0.2.1#1: query: B.test IN A +\n"
				   "client 192.0.2.1#1: query: version.bind CH TXT +\n"
				   "client 192.0.2.1#1: query: a IN MX +\n";
	struct capture_options options = {.port = 0};
	struct diag_sink sink = {.report = note};
	struct querylist list;
	uint64_t left_out;
	char out[256] = "";

	notes[0] = '\0';
	CHECK_U(querylist_init(&list), STATUS_OK);
	CHECK_U(recording_list(
			kit_temp_file(text, strlen(text)), &options, &sink, &list, &left_out),
		STATUS_OK);
	CHECK_U(left_out, 1);
	FILE *file = fmemopen(out, sizeof(out), "w");
	querylist_write(&list, UINT64_MAX, file);
	fclose(file);
	CHECK_S(out, "b.test. A\na. MX\n");
	querylist_fini(&list);
}
