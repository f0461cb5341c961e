/* cmd_bench_compare.c - `saker bench compare`: reports beside each other. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"
#include "base/diag.h"
#include "loadgen/compare.h"

static const char usage[] =
	"usage: saker bench compare A.json[,A2.json]... B.json[,B2.json]... [C.json]... [--json]\n"
	"\n"
	"Tells how reports of `saker bench MODE --json` differ from the first, and which\n"
	"of the differences are noise. Several reports of the same thing, with commas\n"
	"between, make one side: how they differ among themselves is noise, too.\n";

static int compare(const char **paths, uint32_t count, bool json)
{
	struct diag_sink sink = {.report = diag_print, .context = stderr};
	static struct compare_side sides[COMPARE_SIDES_MAX]; /* 75 kilobytes, zero */
	enum status status = STATUS_OK;
	uint32_t read = 0;

	while (status == STATUS_OK && read < count) {
		status = compare_read(paths[read], &sink, &sides[read]);
		if (status == STATUS_OK && sides[read].is_search != sides[0].is_search) {
			diag_report(&sink, DIAG_ERROR, paths[read], 0, 0,
				"a %s cannot be compared with a %s", sides[read].mode,
				sides[0].mode);
			compare_fini(&sides[read]);
			status = STATUS_REFUSED;
		}
		read += status == STATUS_OK ? 1 : 0;
	}
	if (status == STATUS_OK) {
		status = json ? compare_json(stdout, sides, count)
			      : compare_text(stdout, sides, count);
	}
	if (status != STATUS_OK && status != STATUS_REFUSED) {
		fprintf(stderr, "saker: bench compare: %s%s%s\n", status_text(status),
			status == STATUS_IO ? ": " : "",
			status == STATUS_IO ? strerror(errno) : "");
	}
	for (uint32_t i = 0; i < read; i++) {
		compare_fini(&sides[i]);
	}
	return status == STATUS_OK ? APPS_EXIT_OK : APPS_EXIT_FAIL;
}

int cmd_bench_compare(int argc, char **argv)
{
	const char *paths[COMPARE_SIDES_MAX];
	uint32_t count = 0;
	bool json = false;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			fputs(usage, stdout);
			return APPS_EXIT_OK;
		}
		if (strcmp(argv[i], "--json") == 0) {
			json = true;
		} else if (argv[i][0] == '-' || count == COMPARE_SIDES_MAX) {
			fprintf(stderr, "saker: bench compare: unexpected argument '%s'\n%s",
				argv[i], usage);
			return APPS_EXIT_USAGE;
		} else {
			paths[count++] = argv[i];
		}
	}
	if (count < 2) {
		fprintf(stderr, "saker: bench compare wants two reports or more\n%s", usage);
		return APPS_EXIT_USAGE;
	}
	return compare(paths, count, json);
}
