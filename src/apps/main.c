/* main.c - finds the subcommand and runs it. */
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *about;
} commands[] = {
	{"serve", cmd_serve, "answer queries for zones"},
	{"check", cmd_check, "look for errors in a configuration or a zone"},
	{"zone", cmd_zone, "print a zone, or make its image"},
	{"bench", cmd_bench, "put load on a name server and measure it"},
	{"version", cmd_version, "print the version"},
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(commands[0]))

static void print_usage(FILE *out)
{
	fprintf(out, "usage: saker COMMAND [OPTION]...\n\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].about);
	}
	fprintf(out, "\n`saker COMMAND --help` tells the options of each.\n");
}

int main(int argc, char **argv)
{
	if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		print_usage(stdout);
		return APPS_EXIT_OK;
	}
	if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
		return cmd_version(argc, argv);
	}
	for (size_t i = 0; argc >= 2 && i < COMMAND_COUNT; i++) {
		if (strcmp(argv[1], commands[i].name) == 0) {
			return commands[i].run(argc - 1, argv + 1);
		}
	}
	if (argc >= 2) {
		fprintf(stderr, "saker: unknown command '%s'\n", argv[1]);
	}
	print_usage(stderr);
	return APPS_EXIT_USAGE;
}
