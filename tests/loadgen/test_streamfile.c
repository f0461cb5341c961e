/* test_streamfile.c - messages with lengths, good ones and others. */
#include "loadgen/streamfile.h"

#include <stdio.h>
#include <string.h>

#include "kit/kit.h"

#define HEAD "\0\0\1\0\0\1\0\0\0\0\0\0"
#define A    HEAD "\1a\0\0\1\0\1"
#define BB   HEAD "\2bb\0\0\34\0\1"

static struct queryfile queries;
static char last[256];
static uint32_t told;

static void take(void *context, const struct diag *diag)
{
	(void)context;
	told++;
	snprintf(last, sizeof(last), "%s", diag->text);
}

static enum status read_octets(const char *octets, size_t len, bool strict)
{
	const struct diag_sink sink = {.report = take};

	told = 0;
	last[0] = '\0';
	return streamfile_read(kit_temp_file(octets, len), strict, &sink, &queries);
}

TEST(messages_are_kept_as_they_are)
{
	static const char octets[] = "\0\23" A "\0\24" BB;
	char text[QUERYFILE_TEXT_MAX];
	uint32_t len;

	CHECK(read_octets(octets, sizeof(octets) - 1, true) == STATUS_OK);
	CHECK_U(queries.count, 2);
	CHECK_U(told, 0);
	CHECK_S(queryfile_text(&queries, 0, text), "a. A");
	CHECK_S(queryfile_text(&queries, 1, text), "bb. AAAA");
	const uint8_t *rest = queryfile_rest(&queries, 1, &len);
	CHECK_OCTETS(rest, len, &(BB)[2], sizeof(BB) - 1 - 2);
	queryfile_fini(&queries);
}

TEST(what_is_no_query_is_named_and_left_out)
{
	/* Too short; a response; two questions. */
	static const char octets[] =
		"\0\1x\0\23" HEAD "\1a\0\0\1\0\1\0\23\0\0\201\0\0\1\0\0\0\0\0\0\1a\0\0\1\0\1"
		"\0\23\0\0\1\0\0\2\0\0\0\0\0\0\1a\0\0\1\0\1";

	CHECK(read_octets(octets, sizeof(octets) - 1, false) == STATUS_OK);
	CHECK_U(queries.count, 1);
	CHECK_U(queries.bad_count, 3);
	CHECK_U(told, 3);
	CHECK(strncmp(last, "message 4 is no query", 21) == 0);
	queryfile_fini(&queries);
	CHECK(read_octets(octets, sizeof(octets) - 1, true) == STATUS_REFUSED);
}

TEST(every_cut_is_seen)
{
	static const char octets[] = "\0\23" A "\0\24" BB;
	uint32_t good = 0;

	for (size_t len = 0; len < sizeof(octets); len++) {
		enum status status = read_octets(octets, len, false);
		bool is_whole = len == 21 || len == sizeof(octets) - 1;
		CHECK(status == (is_whole ? STATUS_OK : STATUS_REFUSED));
		CHECK(is_whole || told == 1);
		CHECK(len == 0 || is_whole || strstr(last, "cut short") != NULL);
		if (status == STATUS_OK) {
			good++;
			queryfile_fini(&queries);
		}
	}
	CHECK_U(good, 2);
	const struct diag_sink sink = {.report = take};
	CHECK(streamfile_read("/nonexistent/file", false, &sink, &queries) == STATUS_REFUSED);
	CHECK(strstr(last, "cannot be opened") != NULL);
}
