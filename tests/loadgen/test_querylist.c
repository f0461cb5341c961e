/* test_querylist.c - what is pruned, and what is written; and access logs, which end in one. */
#include "loadgen/querylist.h"

#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"
#include "loadgen/accesslog.h"

#define TEXT_MAX 65536u

static char notes[4096];

static void note(void *context, const struct diag *diag)
{
	size_t used = strlen(notes);

	(void)context;
	snprintf(notes + used, sizeof(notes) - used, "%u %s;", diag->line, diag->text);
}

static const char *written(const struct querylist *list, uint64_t limit)
{
	static char text[TEXT_MAX];

	memset(text, 0, sizeof(text));
	FILE *file = fmemopen(text, sizeof(text), "w");
	querylist_write(list, limit, file);
	CHECK_U(ferror(file), 0);
	fclose(file);
	return text;
}

static void add(struct querylist *list, char name)
{
	const uint8_t octets[] = {1, (uint8_t)name, 0};

	CHECK_U(querylist_add(list, octets, sizeof(octets), name >= 'a' ? 1 : 28), STATUS_OK);
}

static void add_all(struct querylist *list, const char *names)
{
	CHECK_U(querylist_init(list), STATUS_OK);
	for (; *names != '\0'; names++) {
		add(list, *names);
	}
}

TEST(the_most_frequent_are_pruned)
{
	const struct {
		const char *names;
		uint32_t prune;
		const char *left;
	} cases[] = {
		{"abacab", 0, "a. A\nb. A\na. A\nc. A\na. A\nb. A\n"},
		{"abacab", 1, "b. A\nc. A\nb. A\n"},
		{"abacab", 2, "c. A\n"},
		{"abacab", 3, ""},
		{"abacab", 1000, ""},
		{"abba", 1, "b. A\nb. A\n"}, /* of two alike the one that came first goes */
		{"aAA", 1, "a. A\n"},        /* another type is another query */
		{"", 1, ""},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct querylist list;
		uint64_t dropped;

		KIT_NOTE(cases[i].left);
		add_all(&list, cases[i].names);
		CHECK_U(querylist_prune(&list, cases[i].prune, &dropped), STATUS_OK);
		CHECK_U(dropped + list.count, strlen(cases[i].names));
		CHECK_S(written(&list, UINT64_MAX), cases[i].left);
		querylist_fini(&list);
	}
}

TEST(no_more_than_the_limit_are_written)
{
	struct querylist list;

	add_all(&list, "abc");
	CHECK_S(written(&list, 2), "a. A\nb. A\n");
	querylist_fini(&list);
}

static enum status read_log(const char *text, bool strict, struct querylist *list)
{
	struct diag_sink sink = {.report = note};

	notes[0] = '\0';
	CHECK_U(querylist_init(list), STATUS_OK);
	return accesslog_read(kit_temp_file(text, strlen(text)), strict, &sink, list);
}

TEST(addresses_become_reverse_names)
{
	struct querylist list;

	CHECK_U(read_log("192.0.2.1 - - [30/Nov/2026:18:55:34 +0000] \"GET / HTTP/1.1\" 200 512\n"
			 "www.example.com:443 2001:db8::f - - [30/Nov/2026\r\n"
			 "\n"
			 "::ffff:198.51.100.255\t- -\n"
			 "0.0.0.0",
			true, &list),
		STATUS_OK);
	CHECK_S(notes, "");
	CHECK_S(written(&list, UINT64_MAX),
		"1.2.0.192.in-addr.arpa. PTR\n"
		"f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa. PTR\n"
		"255.100.51.198.in-addr.arpa. PTR\n"
		"0.0.0.0.in-addr.arpa. PTR\n");
	querylist_fini(&list);
}

TEST(lines_without_an_address_are_named)
{
	static const char text[] = "host.example - - [x]\n192.0.2.1 -\n192.0.2.256 x\n";
	static const char said[] = "1 no address (expected it as the first or the second word);"
				   "3 no address (expected it as the first or the second word);";
	struct querylist list;

	CHECK_U(read_log(text, false, &list), STATUS_OK);
	CHECK_S(notes, said);
	CHECK_U(list.count, 1);
	querylist_fini(&list);
	CHECK_U(read_log(text, true, &list), STATUS_REFUSED);
	CHECK_S(notes, said);
	querylist_fini(&list);
}

TEST(a_log_without_any_address_is_refused)
{
	const char *const texts[] = {"", "\n\n", "host - -\n"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct querylist list;

		CHECK_U(read_log(texts[i], false, &list), STATUS_REFUSED);
		CHECK(strstr(notes, "no address in it") != NULL);
		querylist_fini(&list);
	}
}
