/* cmd_check_zone.c - `saker check zone`: would this zone be served, and what is in it. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"
#include "apps/zone_arg.h"
#include "zone/image_measure.h"
#include "zone/load.h"

static const char usage[] =
	"usage: saker check zone NAME FILE [--stats [--json]]\n"
	"\n"
	"Loads a zone as the server would, and lists what is wrong with it; --stats tells\n"
	"how much of what is in it, and what its image takes for it; --json the same for\n"
	"programs.\n";

/* What is told, one line or one member each. */
static void print_number(bool json, const char *name, uint64_t number)
{
	printf(json ? "  \"%s\": %" PRIu64 ",\n" : "%-22s %" PRIu64 "\n", name, number);
}

static void print_ratio(bool json, const char *name, double ratio)
{
	printf(json ? "  \"%s\": %.3f,\n" : "%-22s %.3f\n", name, ratio);
}

static double share(uint64_t part, uint64_t whole)
{
	return whole == 0 ? 0.0 : (double)part / (double)whole;
}

static void print_stats(
	const struct image_stats *stats, const struct image_measure *measure, bool json)
{
	printf("%s", json ? "{\n" : "");
	print_number(json, "records", stats->record_count);
	print_number(json, "rrsets", stats->rrset_count);
	print_number(json, "owners", stats->owner_count);
	print_number(json, "delegations", stats->delegation_count);
	print_number(json, "serial", stats->serial);
	printf(json ? "  \"%s\": %s,\n" : "%-22s %s\n", "signed",
		json ? (stats->is_signed ? "true" : "false") : (stats->is_signed ? "yes" : "no"));
	print_number(json, "memory", stats->memory_len);
	print_number(json, "image-octets", measure->image_len);
	print_ratio(json, "octets-a-record", share(measure->image_len, stats->record_count));
	print_number(json, "wire-octets", measure->wire_len);
	print_ratio(json, "image-to-wire", share(measure->image_len, measure->wire_len));
	for (uint32_t i = 0; i < IMAGE_SECTIONS; i++) {
		const char *name = image_measure_section(i);
		uint64_t len = measure->section_len[i];
		if (json) {
			printf("%s\"%s\": %" PRIu64 "%s", i == 0 ? "  \"sections\": {" : "", name,
				len, i + 1 < IMAGE_SECTIONS ? ", " : "}\n}\n");
		} else {
			printf("  %-20s %" PRIu64 " (%.3f of wire-octets)\n", name, len,
				share(len, measure->wire_len));
		}
	}
}

int cmd_check_zone(int argc, char **argv)
{
	struct image_stats stats;
	struct image_measure measure;
	struct image *image;
	bool json = argc == 5 && strcmp(argv[4], "--json") == 0;
	bool with_stats = (argc == 4 || json) && strcmp(argv[3], "--stats") == 0;

	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		fputs(usage, stdout);
		return APPS_EXIT_OK;
	}
	if (argc != 3 && !with_stats) {
		fprintf(stderr, "saker: check zone wants two things (expected NAME FILE)\n%s",
			usage);
		return APPS_EXIT_USAGE;
	}
	int exit_status = zone_arg_load(argv[1], argv[2], &zone_arg_key, NULL, &image);
	if (exit_status != APPS_EXIT_OK) {
		return exit_status;
	}
	enum status status = with_stats ? image_measure(image, &measure) : STATUS_OK;
	if (with_stats && status == STATUS_OK) {
		image_stats(image, &stats);
		print_stats(&stats, &measure, json);
	}
	image_free(image);
	if (status != STATUS_OK) {
		fprintf(stderr, "saker: %s: %s\n", argv[2], status_text(status));
	}
	return status == STATUS_OK && fflush(stdout) == 0 ? APPS_EXIT_OK : APPS_EXIT_FAIL;
}
