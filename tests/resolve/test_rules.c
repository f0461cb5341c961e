/* test_rules.c - other rules while a core runs: who waits begins anew, the cache forgets what they change. */
#include "resolve/rules.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/publish.h"
#include "kit/kit.h"
#include "resolve/anchors.h"
#include "resolve/hints.h"
#include "resolve/inspect.h"
#include "resolve/local.h"
#include "resolve/outside.h"
#include "wire/rrtype.h"

static const char records[] = "www.one.example. 300 A 192.0.2.1\n"
			      "www.two.example. 300 A 192.0.2.2\n";

static struct outside outside;
static struct published published;
static struct rules now;

static void complain(void *context, const struct diag *diag)
{
	(void)context;
	KIT_NOTE(diag->text);
	CHECK(diag->level != DIAG_ERROR);
}

static struct name name_of(const char *text)
{
	const struct name root = {.len = 1};
	struct name name;

	CHECK_U(name_from_text(text, (uint32_t)strlen(text), &root, &name), WIRE_OK);
	return name;
}

/* The root at home, and forwarders where `forward` is a zone. */
static struct hints *make_hints(const char *forward, const char *to)
{
	const struct name root = {.len = 1};
	struct hints *hints = hints_new();
	struct addr addr;

	CHECK(hints != NULL && addr_parse("192.0.2.53", 53, &addr));
	CHECK_U(hints_add(hints, HINT_STUB, &root, &addr, 1, false), STATUS_OK);
	if (forward != NULL) {
		const struct name zone = name_of(forward);
		CHECK(addr_parse(to, 53, &addr));
		CHECK_U(hints_add(hints, HINT_FORWARD, &zone, &addr, 1, false), STATUS_OK);
	}
	return hints;
}

static struct localdata *make_local(const char *text)
{
	const struct diag_sink sink = {.report = complain};
	struct localdata *local = local_new();

	CHECK(local != NULL);
	CHECK_U(local_add_text(local, "local", text, strlen(text), &sink), STATUS_OK);
	return local;
}

static struct anchors *make_anchors(const char *text, const char *negative)
{
	const struct diag_sink sink = {.report = complain};
	struct anchors *anchors = anchors_new();

	CHECK(anchors != NULL);
	CHECK_U(anchors_add_text(anchors, "anchors", text, strlen(text), &sink), STATUS_OK);
	if (negative != NULL) {
		const struct name name = name_of(negative);
		CHECK_U(anchors_add_negative(anchors, &name), STATUS_OK);
	}
	return anchors;
}

/* A core that obeys `now`, which is to be filled but for what has a default here. */
static void open_core(void)
{
	struct resolve_shared shared = {.rules = &published};

	now = (struct rules){.number = 1, .config = RESOLVE_CONFIG_DEFAULT};
	now.config.validate = false;
	now.hints = make_hints(NULL, NULL);
	now.anchors = make_anchors("", NULL);
	publish_set(&published, &now);
	outside_open(&outside, records, NULL, &shared);
}

static void close_core(void)
{
	outside_close(&outside);
	hints_free((struct hints *)(uintptr_t)now.hints);
	anchors_free((struct anchors *)(uintptr_t)now.anchors);
}

static const char *ask(const char *name)
{
	return outside_text(outside_ask(&outside, name, RRTYPE_A, NULL), SECTION_ANSWER);
}

static uint64_t obey(const struct rules *next)
{
	static struct rules old;

	old = now;
	now = *next;
	now.number++;
	/* The place is the same: the number tells. */
	return rules_forget(outside.shared.cache, &old, &now);
}

TEST(who_waits_is_answered_by_the_new_rules)
{
	open_core();
	outside.is_silent = true;
	for (uint64_t client = 1; client <= 5; client++) {
		outside_post(&outside, client < 4 ? "www.one.example." : "www.two.example.",
			RRTYPE_A, NULL, client);
	}
	CHECK_U(outside.answered, 0);

	struct rules next = now;
	struct localdata *local = make_local("www.one.example. 60 A 198.51.100.1\n");
	next.local = local;
	obey(&next);
	outside.is_silent = false;
	outside_pass(&outside, 5000);
	CHECK_U(outside.answered, 5); /* each once */
	CHECK_S(ask("www.one.example."), "www.one.example. 60 A 198.51.100.1;");
	CHECK(strstr(ask("www.two.example."), "A 192.0.2.2;") != NULL);
	const struct resolve_counters *counters = resolve_counters(outside.core);
	CHECK_U(counters->failures, 0);
	CHECK_U(counters->answers + counters->hits, 7);
	close_core();
	local_free(local);
}

TEST(a_client_keeps_its_place_and_gives_it_back)
{
	open_core();
	outside.is_silent = true;
	/* Half of all places are one prefix's: with what is lost at each round there would soon be none. */
	for (uint32_t round = 0; round < 50; round++) {
		for (uint32_t i = 0; i < 100; i++) {
			char name[32];
			snprintf(name, sizeof(name), "n%u.r%u.example.", i, round);
			outside_post(&outside, name, RRTYPE_A, NULL, i);
		}
		const struct rules next = now;
		obey(&next);
		outside_pass(&outside, 12000);
		CHECK_U(outside.answered, (round + 1) * 100);
	}
	CHECK_U(resolve_counters(outside.core)->refused, 0);
	close_core();
}

TEST(names_that_others_are_asked_for_are_forgotten)
{
	open_core();
	for (int round = 0; round < 3; round++) {
		CHECK_S(ask("www.one.example."), "www.one.example. 300 A 192.0.2.1;");
		CHECK_S(ask("www.two.example."), "www.two.example. 300 A 192.0.2.2;");
	}
	uint32_t asked = outside.asked;
	struct rules next = now;
	struct hints *before = (struct hints *)(uintptr_t)now.hints;
	next.hints = make_hints("one.example.", "192.0.2.99");
	CHECK(obey(&next) > 0);
	hints_free(before);
	CHECK_S(ask("www.two.example."), "www.two.example. 300 A 192.0.2.2;");
	CHECK_U(outside.asked, asked);
	CHECK_S(ask("www.one.example."), "www.one.example. 300 A 192.0.2.1;");
	CHECK(outside.asked > asked);

	/* Back again, to another address, and the same: what changes goes, and nothing else. */
	static const char *const to[] = {"192.0.2.98", "192.0.2.98", NULL, NULL};
	static const bool changes[] = {true, false, true, false};
	for (uint32_t i = 0; i < 4; i++) {
		before = (struct hints *)(uintptr_t)now.hints;
		next.hints = make_hints(to[i] != NULL ? "one.example." : NULL, to[i]);
		next.number = now.number;
		obey(&next);
		hints_free(before);
		asked = outside.asked;
		CHECK_S(ask("www.one.example."), "www.one.example. 300 A 192.0.2.1;");
		CHECK_U(outside.asked != asked, changes[i]);
	}
	close_core();
}

static uint64_t entries_of(const char *text)
{
	const struct name name = name_of(text);
	FILE *nowhere = fopen("/dev/null", "w");

	CHECK(nowhere != NULL);
	uint64_t count = inspect_name(outside.shared.cache, 0, &name, INSPECT_ALL_TYPES, nowhere);
	fclose(nowhere);
	return count;
}

TEST(names_below_other_anchors_are_forgotten)
{
	static const char ds[] =
		"example. IN DS 1 13 2 "
		"000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n";

	open_core();
	for (uint32_t i = 0; i < 4; i++) {
		/* An anchor comes; a negative one comes, and goes; the anchor goes. */
		struct anchors *before = (struct anchors *)(uintptr_t)now.anchors;
		struct rules next = now;
		CHECK_S(ask("www.one.example."), "www.one.example. 300 A 192.0.2.1;");
		CHECK_S(ask("www.two.example."), "www.two.example. 300 A 192.0.2.2;");
		CHECK(entries_of("www.one.example.") > 0 && entries_of("www.two.example.") > 0);
		next.anchors = make_anchors(i < 3 ? ds : "", i == 1 ? "one.example." : NULL);
		obey(&next);
		anchors_free(before);
		CHECK_U(entries_of("www.one.example."), 0);
		CHECK_U(entries_of("www.two.example.") == 0, i == 0 || i == 3);
	}
	close_core();
}

TEST(names_that_do_not_exist_are_asked_for_again)
{
	open_core();
	outside_ask(&outside, "no.example.", RRTYPE_A, NULL);
	CHECK_U(outside.last.rcode, RCODE_NXDOMAIN);
	struct rules next = now;
	struct hints *before = (struct hints *)(uintptr_t)now.hints;
	next.hints = make_hints("below.no.example.", "192.0.2.99");
	obey(&next);
	hints_free(before);
	CHECK_U(entries_of("no.example."), 0); /* it stood for all below it */
	close_core();
}
