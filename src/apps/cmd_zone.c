/* cmd_zone.c - `saker zone print`: what a zone holds once it is loaded. */
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"
#include "apps/zone_arg.h"
#include "zone/load.h"

static const char usage[] =
	"usage: saker zone print NAME FILE\n"
	"\n"
	"Loads a zone and prints its records in canonical order, one a line: owner, TTL,\n"
	"class, type and RDATA, with a tab between.\n";

static int print_zone(const char *name, const char *file)
{
	struct image *image;
	int exit_status = zone_arg_load(name, file, &image);

	if (exit_status != APPS_EXIT_OK) {
		return exit_status;
	}
	enum status status = image_print(image, stdout);
	if (status == STATUS_OK && fflush(stdout) != 0) {
		status = STATUS_IO;
	}
	image_free(image);
	if (status != STATUS_OK) {
		fprintf(stderr, "saker: the zone cannot be printed: %s\n", status_text(status));
		return APPS_EXIT_FAIL;
	}
	return APPS_EXIT_OK;
}

int cmd_zone(int argc, char **argv)
{
	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		fputs(usage, stdout);
		return APPS_EXIT_OK;
	}
	if (argc == 4 && strcmp(argv[1], "print") == 0) {
		return print_zone(argv[2], argv[3]);
	}
	fprintf(stderr, "saker: zone wants to know what to do (expected print NAME FILE)\n%s",
		usage);
	return APPS_EXIT_USAGE;
}
