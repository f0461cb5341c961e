/* test_field_faults_zone.c - faults that zone loaders had in the field: what the loaded zone must hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "kit/kit.h"
#include "zone/load.h"

#define TEXT_MAX 65536u

static const struct hash_key key = {{1, 2}};
static char records[TEXT_MAX]; /* what image_print() gave */
static char diags[TEXT_MAX];   /* `LINE:COLUMN: text` a line */
static uint32_t diags_len;

static void keep_diag(void *context, const struct diag *diag)
{
	(void)context;
	diags_len += (uint32_t)snprintf(diags + diags_len, TEXT_MAX - diags_len, "%u:%u: %s\n",
		diag->line, diag->column, diag->text);
	CHECK(diags_len < TEXT_MAX);
}

/* Loads text as the zone zone.example.; records and diags tell what came of it. */
static enum status load_zone(const char *text, struct image_stats *stats)
{
	static struct load *load; /* one for all, so that no zone may leave anything to the next */
	static const uint8_t origin_octets[] = "\4zone\7example";
	const struct diag_sink sink = {.report = keep_diag, .context = NULL};
	struct name origin = {.len = sizeof(origin_octets), .label_count = 2};
	struct image *image = NULL;

	memcpy(origin.octets, origin_octets, sizeof(origin_octets));
	load = load != NULL ? load : load_new();
	CHECK(load != NULL);
	diags[0] = records[0] = '\0';
	diags_len = 0;
	KIT_NOTE(text);
	enum status status =
		load_octets(load, "z", text, strlen(text), &origin, &key, &sink, &image);
	if (status == STATUS_OK) {
		FILE *out = fmemopen(records, sizeof(records), "w");
		CHECK(out != NULL);
		CHECK_U(image_print(image, out), STATUS_OK);
		CHECK(fclose(out) == 0);
		image_stats(image, stats);
		image_free(image);
	}
	return status;
}

#define APEX                                                                                       \
	"@ 60 SOA ns host 1 2 3 4 5\n"                                                             \
	"@ 60 NS ns\n"                                                                             \
	"ns 60 A 198.51.100.53\n"
#define APEX_PRINTED                                                                               \
	"zone.example.\t60\tIN\tSOA\tns.zone.example. host.zone.example. 1 2 3 4 5\n"              \
	"zone.example.\t60\tIN\tNS\tns.zone.example.\n"
#define NS_PRINTED "ns.zone.example.\t60\tIN\tA\t198.51.100.53\n"

/* RFC 1035 sec 5.2: all data in the file lies within the zone. What does not is left out with a warning. */

TEST(a_name_of_another_zone_is_left_out_wherever_it_stands)
{
	static const char *const foreign[] = {
		"aaa.invalid.",          /* sorts behind the apex */
		"early.a.",              /* sorts before it */
		"example.",              /* its parent */
		".", "xzone.example.",   /* ends in the same letters */
		"x\\.zone.example.",     /* and in the same text: a dot that separates nothing */
		"zone.example.invalid.", /* begins with it */
	};
	char text[512], want[256];
	struct image_stats stats;

	for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		for (uint32_t line = 1; line <= 4; line += 3) {
			snprintf(text, sizeof(text), "%s%s 60 A 203.0.113.1\n%s",
				line == 1 ? "" : APEX, foreign[i], line == 1 ? APEX : "");
			snprintf(want, sizeof(want),
				"%u:1: %s is outside the zone; the record is left out\n", line,
				foreign[i]);
			CHECK_U(load_zone(text, &stats), STATUS_OK);
			CHECK_S(diags, want);
			CHECK_S(records, APEX_PRINTED NS_PRINTED);
			CHECK_U(stats.owner_count, 2);
			CHECK_U(stats.record_count, 3);
		}
	}
}

TEST(records_without_owner_behind_a_foreign_name_are_left_out_with_it)
{
	struct image_stats stats;

	CHECK_U(load_zone("early.a. 60 A 203.0.113.1\n"
			  "\tA 203.0.113.2\n"
			  "\tTXT \"not ours\"\n" APEX "host 60 A 198.51.100.1\n"
			  "late.net. 60 A 203.0.113.3\n"
			  " 60 AAAA 2001:db8:7::1\n"
			  "host 60 A 198.51.100.2\n",
			&stats),
		STATUS_OK);
	CHECK_S(records, APEX_PRINTED "host.zone.example.\t60\tIN\tA\t198.51.100.1\n"
				      "host.zone.example.\t60\tIN\tA\t198.51.100.2\n" NS_PRINTED);
	CHECK_S(diags, "1:1: early.a. is outside the zone; the record is left out\n"
		       "2:2: early.a. is outside the zone; the record is left out\n"
		       "3:2: early.a. is outside the zone; the record is left out\n"
		       "8:1: late.net. is outside the zone; the record is left out\n"
		       "9:2: late.net. is outside the zone; the record is left out\n");
}

TEST(foreign_names_beyond_the_first_twenty_are_counted)
{
	char text[4096] = APEX;
	struct image_stats stats;

	for (uint32_t i = 0; i < DIAG_ERRORS_MAX + 3; i++) {
		strcat(text, "early.a. 60 A 203.0.113.1\n");
	}
	CHECK_U(load_zone(text, &stats), STATUS_OK);
	CHECK_U(stats.record_count, 3);
	CHECK(strstr(diags, "0:0: 3 more records outside the zone, left out\n") != NULL);
}

TEST(a_foreign_soa_does_not_make_a_zone)
{
	struct image_stats stats;

	CHECK_U(load_zone("example. 60 SOA ns host 1 2 3 4 5\nexample. 60 NS ns.zone.example.\n"
			  "ns 60 A 198.51.100.53\n",
			&stats),
		STATUS_REFUSED);
	CHECK(strstr(diags, "outside the zone") != NULL);
}

TEST(a_ttl_of_zero_stays_zero_in_the_loaded_zone)
{
	struct image_stats stats;

	CHECK_U(load_zone("$TTL 900\n" APEX "host 0 A 198.51.100.1\n", &stats), STATUS_OK);
	CHECK_S(diags, "");
	CHECK_S(records, APEX_PRINTED "host.zone.example.\t0\tIN\tA\t198.51.100.1\n" NS_PRINTED);
}

TEST(one_line_that_cannot_be_read_refuses_the_zone_and_not_the_line_alone)
{
	struct image_stats stats;

	CHECK_U(load_zone(APEX "host 60 IN\nlast 60 A 198.51.100.1\n", &stats), STATUS_REFUSED);
	CHECK_S(diags, "4:11: the entry ends too soon (expected a TTL, a class or an RR type)\n");
}

TEST(a_name_spelled_with_an_escaped_dot_is_one_label_below_the_apex)
{
	struct image_stats stats;

	CHECK_U(load_zone(APEX "a\\046b 60 A 198.51.100.1\na\\.b 60 A 198.51.100.2\n"
			       "a.b 60 A 198.51.100.3\n",
			&stats),
		STATUS_OK);
	CHECK_S(diags, "");
	CHECK_U(stats.owner_count, 4);
	CHECK_S(records, APEX_PRINTED "a\\.b.zone.example.\t60\tIN\tA\t198.51.100.1\n"
				      "a\\.b.zone.example.\t60\tIN\tA\t198.51.100.2\n"
				      "a.b.zone.example.\t60\tIN\tA\t198.51.100.3\n" NS_PRINTED);
}

TEST(an_nsec3_record_at_the_apex_is_told_of_and_left_out)
{
	struct image_stats stats;

	CHECK_U(load_zone(APEX "@ 60 NSEC3 1 0 0 - 0P9MHAVEQVM6T7VBL5LOP2U3T2RP3TOM A\n", &stats),
		STATUS_OK);
	CHECK(strstr(diags, "an NSEC3 record at the apex belongs to no chain") != NULL);
	CHECK(strstr(records, "NSEC3") == NULL);
}
