/* test_inspect.c - a cache filled by questions, listed and emptied. */
#include "resolve/inspect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"
#include "kit/kit.h"
#include "resolve/core.h"
#include "resolve/outside.h"
#include "resolve/search.h"
#include "resolve/spans.h"
#include "wire/rrtype.h"

static const char records[] = "www.example. 300 A 192.0.2.1\n"
			      "www.example. 300 TXT words\n"
			      "alias.example. 300 CNAME www.example.\n"
			      "a.b.example. 300 A 192.0.2.2\n"
			      "other. 300 A 192.0.2.3\n";

static struct name name_of(const char *text)
{
	const struct name root = {.len = 1};
	struct name name;

	CHECK_U(name_from_text(text, (uint32_t)strlen(text), &root, &name), WIRE_OK);
	return name;
}

static int64_t now_ms(const struct outside *outside)
{
	return (int64_t)(outside->now.mono_ns / NOW_NS_A_MILLISECOND);
}

/* All lines, of one name where there is one; valid until the next call. */
static const char *lines(struct outside *outside, const char *text, uint16_t type, uint64_t *count)
{
	static char *kept;
	size_t len;

	free(kept);
	FILE *out = open_memstream(&kept, &len);
	CHECK(out != NULL);
	if (text == NULL) {
		*count = inspect_dump(outside->shared.cache, now_ms(outside), out);
	} else {
		const struct name name = name_of(text);
		*count = inspect_name(outside->shared.cache, now_ms(outside), &name, type, out);
	}
	fclose(out);
	return kept;
}

static uint64_t flush(struct outside *outside, const char *text, uint16_t type, bool below)
{
	const struct name name = name_of(text);
	const struct inspect_what what = {.name = &name, .type = type, .below = below};

	return inspect_flush(outside->shared.cache, &what);
}

static void fill(struct outside *outside)
{
	static const struct {
		const char *name;
		uint16_t type;
	} questions[] = {{"www.example.", RRTYPE_A}, {"WWW.example.", RRTYPE_TXT},
		{"alias.example.", RRTYPE_A}, {"a.b.example.", RRTYPE_A},
		{"a.b.example.", RRTYPE_MX}, {"nothing.example.", RRTYPE_A}, {"other.", RRTYPE_A}};

	for (size_t i = 0; i < 2 * sizeof(questions) / sizeof(questions[0]); i++) {
		size_t at = i % (sizeof(questions) / sizeof(questions[0]));
		outside_ask(outside, questions[at].name, questions[at].type, NULL);
	}
}

/* Does it take a question to the server to answer this? */
static bool is_asked(struct outside *outside, const char *name, uint16_t type)
{
	uint32_t before = outside->asked;

	outside_ask(outside, name, type, NULL);
	return outside->asked != before;
}

TEST(each_entry_has_a_line)
{
	static struct outside outside;
	struct cache_stats stats;
	uint64_t count, found = 0;

	outside_open(&outside, records, NULL, NULL);
	fill(&outside);
	outside_pass(&outside, 10000);
	const char *text = lines(&outside, NULL, 0, &count);
	for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++) {
		found++;
	}
	cache_stats(outside.shared.cache, &stats);
	CHECK_U(found, count);
	CHECK_U(count, stats.entries);
	CHECK(strstr(text, "www.example. 290 A insecure set hits=1\n") != NULL);
	CHECK(strstr(text, "www.example. 290 TXT insecure set hits=1\n") != NULL);
	CHECK(strstr(text, "alias.example. 290 CNAME insecure set hits=1\n") != NULL);
	CHECK(strstr(text, "a.b.example. 290 MX insecure absent hits=1\n") != NULL);
	CHECK(strstr(text, "nothing.example. 290 - insecure absent-name hits=1\n") != NULL);
	CHECK(strstr(text, "alias.example. 290 A - message hits=0\n") != NULL);
	outside_pass(&outside, 300000);
	CHECK(strstr(lines(&outside, NULL, 0, &count), "www.example. expired A insecure set") !=
		NULL);
	outside_close(&outside);
}

TEST(failures_and_delegations_are_told)
{
	static struct outside outside;
	uint64_t count;

	outside_open(&outside, records, NULL, NULL);
	outside_ask(&outside, "www.example.", RRTYPE_A, NULL);
	outside.is_failing = true;
	outside_post(&outside, "broken.example.", RRTYPE_A, NULL, 1);
	outside_pass(&outside, 3000);
	CHECK(strstr(lines(&outside, "broken.example.", 0, &count), " A unchecked failure ") !=
		NULL);
	CHECK(strstr(lines(&outside, ".", 0, &count), " - unchecked cut ") != NULL);
	outside_close(&outside);
}

TEST(one_name_is_looked_up)
{
	static struct outside outside;
	uint64_t count;

	outside_open(&outside, records, NULL, NULL);
	fill(&outside);
	lines(&outside, "www.EXAMPLE.", INSPECT_ALL_TYPES, &count);
	CHECK_U(count, 4); /* two sets and their messages */
	lines(&outside, "www.example.", RRTYPE_TXT, &count);
	CHECK_U(count, 2);
	CHECK_S(lines(&outside, "nothing.example.", RRTYPE_MX, &count),
		"nothing.example. 300 - insecure absent-name hits=1\n");
	CHECK_S(lines(&outside, "never.example.", INSPECT_ALL_TYPES, &count), "");
	CHECK_U(count, 0);
	outside_close(&outside);
}

TEST(a_name_and_type_are_forgotten_and_nothing_else)
{
	static struct outside outside;

	outside_open(&outside, records, NULL, NULL);
	fill(&outside);
	CHECK_U(flush(&outside, "www.example.", RRTYPE_A, false), 1);
	CHECK(!is_asked(&outside, "www.example.", RRTYPE_TXT));
	CHECK(!is_asked(&outside, "a.b.example.", RRTYPE_A));
	/* An answer that led there through an alias is not served from memory either. */
	CHECK(is_asked(&outside, "alias.example.", RRTYPE_A));
	CHECK(!is_asked(&outside, "www.example.", RRTYPE_A));
	CHECK_U(flush(&outside, "nothing.example.", RRTYPE_MX, false), 1);
	CHECK(is_asked(&outside, "nothing.example.", RRTYPE_A));
	outside_close(&outside);
}

TEST(a_name_is_forgotten_with_all_its_types)
{
	static struct outside outside;

	outside_open(&outside, records, NULL, NULL);
	fill(&outside);
	CHECK_U(flush(&outside, "Www.Example.", INSPECT_ALL_TYPES, false), 2);
	CHECK(is_asked(&outside, "www.example.", RRTYPE_A));
	CHECK(is_asked(&outside, "www.example.", RRTYPE_TXT));
	CHECK(!is_asked(&outside, "a.b.example.", RRTYPE_A));
	outside_close(&outside);
}

TEST(all_below_a_name_is_forgotten)
{
	static struct outside outside;
	uint64_t count;

	outside_open(&outside, records, NULL, NULL);
	fill(&outside);
	CHECK(flush(&outside, "b.example.", INSPECT_ALL_TYPES, true) >= 2);
	CHECK(is_asked(&outside, "a.b.example.", RRTYPE_A));
	CHECK(is_asked(&outside, "a.b.example.", RRTYPE_MX));
	CHECK(!is_asked(&outside, "www.example.", RRTYPE_A));
	CHECK(!is_asked(&outside, "other.", RRTYPE_A));
	CHECK(flush(&outside, ".", INSPECT_ALL_TYPES, true) > 5);
	CHECK_S(lines(&outside, NULL, 0, &count), "");
	CHECK(is_asked(&outside, "other.", RRTYPE_A));
	outside_close(&outside);
}

/* The proof that nothing is between two names, as a secure denial would bring it. */
static const struct rrset *nsec(struct arena *arena, const char *from, const char *to)
{
	static const uint8_t types[] = {0, 1, 0x40}; /* A, RFC 4034 sec 4.1.2 */
	const struct name owner = name_of(from), next = name_of(to);
	uint8_t rdata[NAME_LEN_MAX + sizeof(types)], sig[RRSIG_FIXED_LEN + 32] = {0, RRTYPE_NSEC};
	const struct rrset_rdata record = {
		.octets = rdata, .len = (uint16_t)(next.len + sizeof(types))};
	const struct rrset_rdata sigs = {.octets = sig, .len = sizeof(sig)};

	memcpy(rdata, next.octets, next.len);
	memcpy(rdata + next.len, types, sizeof(types));
	sig[3] = owner.label_count;
	memcpy(sig + RRSIG_FIXED_LEN, name_of("example.").octets, 9);
	return rrset_make(arena, &owner, RRTYPE_NSEC, 300, &record, 1, &sigs, 1);
}

TEST(what_a_core_knows_of_gaps_is_forgotten)
{
	static struct outside outside;
	static const char *const names[] = {"x.b.example.", "example.", "."};
	const struct name zone = name_of("example."), absent = name_of("b.example.");
	const struct name other = name_of("other.");
	uint8_t soa[26] = {0, 0, 0};
	const struct rrset_rdata record = {.octets = soa, .len = 22};
	struct search_result result;
	struct arena arena;

	outside_open(&outside, records, NULL, NULL);
	outside_ask(&outside, "other.", RRTYPE_A, NULL); /* the core has seen a time */
	arena_init(&arena, 0);
	soa[21] = 255;
	const struct rrset *const sets[] = {
		rrset_make(&arena, &zone, RRTYPE_SOA, 300, &record, 1, NULL, 0),
		nsec(&arena, "example.", "a.example."), nsec(&arena, "a.example.", "c.example.")};
	const uint32_t ttls[] = {255, 255, 255};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct name name = name_of(names[i]);
		struct spans *spans = outside.core->spans;
		spans_learn(spans, outside.core, &zone, sets, ttls, 3);
		CHECK(spans_deny(spans, outside.core, &absent, RRTYPE_A, &arena, &result));
		resolve_forget(outside.core, &other);
		CHECK(spans_deny(spans, outside.core, &absent, RRTYPE_A, &arena, &result));
		resolve_forget(outside.core, &name);
		CHECK(!spans_deny(spans, outside.core, &absent, RRTYPE_A, &arena, &result));
	}
	arena_fini(&arena);
	outside_close(&outside);
}
