/* cmd_version.c - `saker version`. */
#include <stdio.h>

#include "apps/apps.h"
#include "base/config.h"

int cmd_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	printf("saker %s\n", SAKER_VERSION);
	return APPS_EXIT_OK;
}
