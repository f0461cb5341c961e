/* cmd_bench_recipe.c - `saker bench recipe`: an experiment of long ago, today. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/apps.h"
#include "loadgen/recipe.h"
#include "loadgen/recipe_stage.h"

#define SECONDS_DEFAULT 3.0
#define SECONDS_MAX     3600.0
#define ROUNDS_DEFAULT  3u

static void print_help(FILE *out)
{
	fputs("usage: saker bench recipe NAME [-l SECONDS] [-n ROUNDS]\n\n"
	      "Repeats an experiment with saker and whichever other servers are installed.\n\n",
		out);
	for (const struct recipe *recipe = recipe_list(); recipe->name != NULL; recipe++) {
		fprintf(out, "  %-20s %s\n", recipe->name, recipe->asked);
	}
	fprintf(out,
		"\n  -l SECONDS           length of each measurement (%.0f)\n"
		"  -n ROUNDS            rounds in which the servers take turns; medians are told "
		"(%u)\n",
		SECONDS_DEFAULT, ROUNDS_DEFAULT);
}

static bool parse(const char *text, double min, double max, double *out)
{
	char *end;

	if (text[0] == '\0' || strspn(text, "0123456789.") != strlen(text)) {
		return false;
	}
	*out = strtod(text, &end);
	return *end == '\0' && *out >= min && *out <= max;
}

int cmd_bench_recipe(int argc, char **argv)
{
	static const struct option longs[] = {{"help", no_argument, NULL, 'h'}, {0}};
	struct recipe_options options = {
		.seconds = SECONDS_DEFAULT, .rounds = ROUNDS_DEFAULT, .out = stdout};
	double rounds = ROUNDS_DEFAULT;
	int option;

	while ((option = getopt_long(argc, argv, "l:n:h", longs, NULL)) != -1) {
		if (option == 'h') {
			print_help(stdout);
			return APPS_EXIT_OK;
		}
		if ((option == 'l' && !parse(optarg, 0.1, SECONDS_MAX, &options.seconds)) ||
			(option == 'n' && !parse(optarg, 1, RECIPE_STAGE_ROUNDS_MAX, &rounds))) {
			fprintf(stderr, "saker: bench recipe: -%c does not take '%s'\n", option,
				optarg);
			return APPS_EXIT_USAGE;
		}
		if (option == '?') {
			return APPS_EXIT_USAGE;
		}
	}
	options.rounds = (uint32_t)rounds;
	const struct recipe *recipe = optind + 1 == argc ? recipe_find(argv[optind]) : NULL;
	if (recipe == NULL) {
		fprintf(stderr, "saker: bench recipe: %s\n",
			optind == argc ? "which one?" : "no such recipe");
		print_help(stderr);
		return APPS_EXIT_USAGE;
	}
	int status = recipe->run(&options);
	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
		fprintf(stderr, "saker: bench recipe: the figures could not be written\n");
		return APPS_EXIT_FAIL;
	}
	return status == 0 ? APPS_EXIT_OK : APPS_EXIT_FAIL;
}
