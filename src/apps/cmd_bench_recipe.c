/* cmd_bench_recipe.c - `saker bench recipe`: an experiment of long ago, today. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/apps.h"
#include "loadgen/recipe.h"
#include "os/terminal.h"

#define SECONDS_DEFAULT 3.0
#define SECONDS_MAX     3600.0
#define ROUNDS_DEFAULT  3u

static void print_help(FILE *out)
{
	fputs("usage: saker bench recipe NAME [-l SECONDS] [-n ROUNDS] [--json]\n\n"
	      "Repeats an experiment with saker and whichever other servers are installed.\n\n",
		out);
	for (const struct recipe *const *at = recipe_list(); *at != NULL; at++) {
		fprintf(out, "  %-20s %s\n", (*at)->name, (*at)->asked);
	}
	fprintf(out,
		"\n  -l SECONDS           length of each measurement (%.0f)\n"
		"  -n ROUNDS            rounds in which the servers take turns; medians are told "
		"(%u)\n"
		"  --json               one JSON object instead of tables: each round, too\n",
		SECONDS_DEFAULT, ROUNDS_DEFAULT);
}

/* A line on standard error, over the one before. */
static void show_progress(void *context, const struct recipe_progress *progress)
{
	char text[RECIPE_PROGRESS_TEXT_MAX];
	uint32_t columns, rows;

	(void)context;
	if (progress == NULL) {
		fputs("\r\x1b[K", stderr);
	} else {
		terminal_size(STDERR_FILENO, &columns, &rows);
		/* A line that fills the last column would be wrapped by some terminals. */
		recipe_progress_text(progress, columns > 1 ? columns - 1 : 1, text);
		fprintf(stderr, "\r%s\x1b[K", text);
	}
	fflush(stderr);
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
	static const struct option longs[] = {
		{"help", no_argument, NULL, 'h'}, {"json", no_argument, NULL, 'j'}, {0}};
	struct recipe_options options = {.seconds = SECONDS_DEFAULT, .rounds = ROUNDS_DEFAULT};
	bool is_json = false;
	double rounds = ROUNDS_DEFAULT;
	int option;

	while ((option = getopt_long(argc, argv, "l:n:h", longs, NULL)) != -1) {
		if (option == 'h') {
			print_help(stdout);
			return APPS_EXIT_OK;
		}
		is_json |= option == 'j';
		if ((option == 'l' && !parse(optarg, 0.1, SECONDS_MAX, &options.seconds)) ||
			(option == 'n' && !parse(optarg, 1, RECIPE_SHEET_ROUNDS_MAX, &rounds))) {
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
	options.progress = isatty(STDERR_FILENO) != 0 ? show_progress : NULL;
	bool is_done = recipe_run(recipe, &options, is_json, stdout);
	if (fflush(stdout) != 0 || ferror(stdout) != 0) {
		fprintf(stderr, "saker: bench recipe: the figures could not be written\n");
		return APPS_EXIT_FAIL;
	}
	return is_done ? APPS_EXIT_OK : APPS_EXIT_FAIL;
}
