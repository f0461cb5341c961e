/* test_zonequeries.c - which names are asked for, how often, and which do not exist. */
#include "loadgen/zonequeries.h"

#include <stdio.h>
#include <string.h>

#include "kit/kit.h"
#include "wire/name.h"
#include "wire/rrtype.h"

#define DRAWS 20000u

static const char zone[] =
	"$TTL 60\n"
	"@ SOA a b 1 2 3 4 5\n"
	"@ NS ns\n"
	"NS A 192.0.2.1\n" /* the same as ns */
	"ns AAAA 2001:db8::1\n"
	"www A 192.0.2.2\n"
	"www TXT x\n"
	"www A 192.0.2.3\n"
	"cut NS ns.cut\n"
	"ns.cut A 192.0.2.4\n" /* glue: hidden */
	"old DNAME new\n"
	"a.old A 192.0.2.5\n" /* hidden */
	"a.b.c MX 1 www\n"
	"*.wild A 192.0.2.6\n"
	"x.wild A 192.0.2.7\n"
	"0p9mhaveqvm6t7vbl5lop2u3t2rp3tom NSEC3 1 0 0 - 0p9mhaveqvm6t7vbl5lop2u3t2rp3ton A\n";

static char notes[4096];

static void note(void *context, const struct diag *diag)
{
	size_t used = strlen(notes);

	(void)context;
	snprintf(notes + used, sizeof(notes) - used, "%u %s;", diag->line, diag->text);
}

static enum status init(
	struct zonequeries *queries, const char *text, const struct zonequeries_options *options)
{
	const struct name origin = {.len = 3, .label_count = 1, .octets = {1, 'Z', 0}};
	struct diag_sink sink = {.report = note};

	notes[0] = '\0';
	return zonequeries_init(
		queries, kit_temp_file(text, strlen(text)), &origin, options, &sink);
}

static void draw(struct zonequeries *queries, char text[NAME_TEXT_MAX], uint16_t *type)
{
	struct name name;

	CHECK(zonequeries_draw(queries, &name, type));
	CHECK(name_is_valid(&name));
	name_to_text(&name, text);
}

TEST(every_name_that_can_be_asked_for_is_and_no_other)
{
	const struct {
		const char *name;
		uint16_t types[2];
	} names[] = {{"z.", {RRTYPE_SOA, RRTYPE_NS}}, {"ns.z.", {RRTYPE_A, RRTYPE_AAAA}},
		{"www.z.", {RRTYPE_A, RRTYPE_TXT}}, {"cut.z.", {RRTYPE_NS, RRTYPE_NS}},
		{"old.z.", {RRTYPE_DNAME, RRTYPE_DNAME}}, {"a.b.c.z.", {RRTYPE_MX, RRTYPE_MX}},
		{"x.wild.z.", {RRTYPE_A, RRTYPE_A}}};
	uint32_t counts[7] = {0}, wild = 0;
	struct zonequeries_options options = {.seed = 3};
	struct zonequeries queries;

	CHECK_U(init(&queries, zone, &options), STATUS_OK);
	CHECK_U(queries.askable_count, 8);
	for (uint32_t i = 0; i < DRAWS; i++) {
		char text[NAME_TEXT_MAX];
		uint16_t type;
		size_t k = 0;

		draw(&queries, text, &type);
		while (k < 7 && strcmp(text, names[k].name) != 0) {
			k++;
		}
		if (k == 7) { /* what the wildcard stands for */
			CHECK(text[0] == 'x' && strlen(text) == 11 + 8 &&
				strcmp(text + 11, ".wild.z.") == 0);
			wild++;
			continue;
		}
		CHECK(type == names[k].types[0] || type == names[k].types[1]);
		counts[k]++;
	}
	for (size_t k = 0; k < 7; k++) {
		CHECK(counts[k] > DRAWS / 10 && counts[k] < DRAWS / 7);
	}
	CHECK(wild > DRAWS / 10 && wild < DRAWS / 7);
	zonequeries_fini(&queries);
}

TEST(names_that_do_not_exist_are_beside_those_that_do)
{
	struct zonequeries_options options = {.seed = 3, .missing = 0.25};
	struct zonequeries queries;
	uint32_t missing = 0, deep = 0;

	CHECK_U(init(&queries, zone, &options), STATUS_OK);
	for (uint32_t i = 0; i < DRAWS; i++) {
		char text[NAME_TEXT_MAX];
		uint16_t type;

		draw(&queries, text, &type);
		if (text[0] == 'x' && text[1] != '.' && strstr(text, ".wild.z.") == NULL) {
			CHECK(strcmp(text + 11, ".z.") == 0 || strcmp(text + 11, ".b.c.z.") == 0);
			deep += strcmp(text + 11, ".b.c.z.") == 0;
			missing++;
		}
	}
	CHECK(missing > DRAWS / 5 && missing < DRAWS * 3 / 10);
	CHECK(deep > 0);
	zonequeries_fini(&queries);
}

TEST(the_mix_decides_the_types_and_the_seed_all)
{
	struct zonequeries_options options = {.seed = 9,
		.exponent = 1,
		.missing = 0.1,
		.mix = {.count = 2, .types = {RRTYPE_A, RRTYPE_HTTPS}, .weights = {3, 1}}};
	struct zonequeries queries[3];
	uint32_t https = 0, differing = 0;

	CHECK_U(init(&queries[0], zone, &options), STATUS_OK);
	CHECK_U(init(&queries[1], zone, &options), STATUS_OK);
	options.seed = 10;
	CHECK_U(init(&queries[2], zone, &options), STATUS_OK);
	for (uint32_t i = 0; i < DRAWS; i++) {
		char text[3][NAME_TEXT_MAX];
		uint16_t type[3];

		for (uint32_t k = 0; k < 3; k++) {
			draw(&queries[k], text[k], &type[k]);
		}
		CHECK_S(text[1], text[0]);
		CHECK_U(type[1], type[0]);
		CHECK(type[0] == RRTYPE_A || type[0] == RRTYPE_HTTPS);
		https += type[0] == RRTYPE_HTTPS;
		differing += strcmp(text[2], text[0]) != 0;
	}
	CHECK(https > DRAWS / 5 && https < DRAWS * 3 / 10);
	CHECK(differing > DRAWS / 2);
	for (uint32_t k = 0; k < 3; k++) {
		zonequeries_fini(&queries[k]);
	}
}

TEST(zones_that_cannot_do_are_refused)
{
	struct zonequeries_options options = {.missing = 1};
	struct zonequeries queries;
	struct name name;
	uint16_t type;

	CHECK_U(init(&queries, "@ 60 SOA a b 1 2 3 4 5\nbad\n", &options), STATUS_REFUSED);
	CHECK(notes[0] == '2');
	zonequeries_fini(&queries);
	CHECK_U(init(&queries, "a.other. 60 A 192.0.2.1\n", &options), STATUS_REFUSED);
	CHECK(strstr(notes, "no name of the zone in it") != NULL);
	zonequeries_fini(&queries);
	CHECK_U(init(&queries, "@ 60 SOA a b 1 2 3 4 5\n* 60 A 192.0.2.1\n", &options), STATUS_OK);
	CHECK(!zonequeries_draw(&queries, &name, &type));
	zonequeries_fini(&queries);
}
