/* cmd_check.c - `saker check THING ...`: finds what is to be checked. */
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"

static const char usage[] = "usage: saker check config FILE | --schema\n"
			    "       saker check zone NAME FILE [--stats [--json]]\n";

int cmd_check(int argc, char **argv)
{
	if (argc >= 2 && strcmp(argv[1], "config") == 0) {
		return cmd_check_config(argc - 1, argv + 1);
	}
	if (argc >= 2 && strcmp(argv[1], "zone") == 0) {
		return cmd_check_zone(argc - 1, argv + 1);
	}
	if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		fputs(usage, stdout);
		return APPS_EXIT_OK;
	}
	fprintf(stderr, "saker: check what? (expected config or zone)\n%s", usage);
	return APPS_EXIT_USAGE;
}
