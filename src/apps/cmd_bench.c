/* cmd_bench.c - `saker bench`: which of the load tool's modes is meant. */
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"
#include "apps/bench_load.h"

static int bench_run(int argc, char **argv)
{
	return bench_load(RUN_CLOSED, argc, argv);
}

static int bench_rate(int argc, char **argv)
{
	return bench_load(RUN_RATE, argc, argv);
}

static int bench_ramp(int argc, char **argv)
{
	return bench_load(RUN_RAMP, argc, argv);
}

static int bench_search(int argc, char **argv)
{
	return bench_load(RUN_SEARCH, argc, argv);
}

static int bench_sweep(int argc, char **argv)
{
	return bench_load(RUN_SWEEP, argc, argv);
}

static int bench_replay(int argc, char **argv)
{
	return bench_load(RUN_REPLAY, argc, argv);
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *about;
} modes[] = {
	{"run", bench_run, "keep queries in flight, tell how they were answered"},
	{"rate", bench_rate, "send at a fixed rate"},
	{"ramp", bench_ramp, "send faster and faster, as resperf does"},
	{"search", bench_search, "find the highest rate at which goals are reached"},
	{"sweep", bench_sweep, "what is lost at each of several rates"},
	{"replay", bench_replay, "send recorded queries at their own times"},
	{"queries", cmd_bench_queries, "make a query file of a zone, a log or a recording"},
	{"compare", cmd_bench_compare, "how reports differ, and what of it is noise"},
	{"recipe", cmd_bench_recipe, "repeat an experiment of long ago"},
};

#define MODE_COUNT (sizeof(modes) / sizeof(modes[0]))

static void print_help(FILE *out)
{
	fprintf(out, "usage: saker bench MODE [OPTION]...\n\n");
	for (size_t i = 0; i < MODE_COUNT; i++) {
		fprintf(out, "  %-10s %s\n", modes[i].name, modes[i].about);
	}
	fprintf(out, "\n`saker bench MODE --help` tells the options of each.\n");
}

int cmd_bench(int argc, char **argv)
{
	if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		print_help(stdout);
		return APPS_EXIT_OK;
	}
	for (size_t i = 0; argc >= 2 && i < MODE_COUNT; i++) {
		if (strcmp(argv[1], modes[i].name) == 0) {
			return modes[i].run(argc - 1, argv + 1);
		}
	}
	if (argc >= 2) {
		fprintf(stderr, "saker: bench: unknown mode '%s'\n", argv[1]);
	}
	print_help(stderr);
	return APPS_EXIT_USAGE;
}
