/* cmd_check_zone.c - `saker check zone`: would this zone be served, and what is in it. */
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"
#include "apps/zone_arg.h"
#include "zone/load.h"

static const char usage[] =
	"usage: saker check zone NAME FILE [--stats]\n"
	"\n"
	"Loads a zone as the server would, and lists what is wrong with it; --stats tells\n"
	"how much of what is in it.\n";

static void print_stats(const struct image_stats *stats)
{
	printf("records      %llu\n", (unsigned long long)stats->record_count);
	printf("rrsets       %llu\n", (unsigned long long)stats->rrset_count);
	printf("owners       %llu\n", (unsigned long long)stats->owner_count);
	printf("delegations  %llu\n", (unsigned long long)stats->delegation_count);
	printf("memory       %llu\n", (unsigned long long)stats->memory_len);
	printf("serial       %u\n", stats->serial);
	printf("signed       %s\n", stats->is_signed ? "yes" : "no");
}

int cmd_check_zone(int argc, char **argv)
{
	struct image_stats stats;
	struct image *image;
	bool with_stats = argc == 4 && strcmp(argv[3], "--stats") == 0;

	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		fputs(usage, stdout);
		return APPS_EXIT_OK;
	}
	if (argc != (with_stats ? 4 : 3)) {
		fprintf(stderr, "saker: check zone wants two things (expected NAME FILE)\n%s",
			usage);
		return APPS_EXIT_USAGE;
	}
	int exit_status = zone_arg_load(argv[1], argv[2], &image);
	if (exit_status != APPS_EXIT_OK) {
		return exit_status;
	}
	image_stats(image, &stats);
	if (with_stats) {
		print_stats(&stats);
	}
	image_free(image);
	return fflush(stdout) == 0 ? APPS_EXIT_OK : APPS_EXIT_FAIL;
}
