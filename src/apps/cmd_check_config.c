/* cmd_check_config.c - `saker check config`: is this configuration good, and what may stand in one. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"
#include "base/diag.h"
#include "conf/conf.h"
#include "conf/conf_table.h"
#include "os/file.h"
#include "resolve/sizes.h"
#include "server/ruleset.h"

static const char usage[] =
	"usage: saker check config FILE\n"
	"       saker check config --schema\n"
	"\n"
	"Reads a configuration and lists what is wrong with it; --schema prints what may\n"
	"stand in one as a JSON schema.\n";

/* A zone whose file cannot be read is no error of the syntax, and still nobody wants it. */
static uint32_t check_files(
	const char *path, const struct server_config *config, const struct diag_sink *sink)
{
	uint32_t errors = 0;

	for (uint32_t i = 0; i < config->zone_count; i++) {
		const struct conf_zone *zone = &config->zones[i];
		if (file_is_readable(zone->file)) {
			continue;
		}
		if (++errors <= DIAG_ERRORS_MAX) {
			diag_report(sink, DIAG_ERROR, path, zone->line, zone->column,
				"zone file '%s' cannot be read: %s", zone->file, strerror(errno));
		}
	}
	return errors;
}

/* What a resolver reads at its start, as it would. */
static bool check_resolver(const struct conf_resolver *conf)
{
	const struct sizes none = {0}; /* no core will run by these rules */
	struct ruleset *ruleset;

	if (conf->enabled == 0) {
		return true;
	}
	enum status status = ruleset_new(conf, RULES_NONE + 1, &none, &ruleset);
	if (status == STATUS_OK) {
		ruleset_free(ruleset);
	} else if (status != STATUS_REFUSED) {
		fprintf(stderr, "saker: %s\n", status_text(status));
	}
	return status == STATUS_OK;
}

int cmd_check_config(int argc, char **argv)
{
	const struct diag_sink sink = {.report = diag_print, .context = stderr};
	struct server_config config;

	if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
		fputs(usage, stdout);
		return APPS_EXIT_OK;
	}
	if (argc == 2 && strcmp(argv[1], "--schema") == 0) {
		conf_table_print_schema(stdout);
		return fflush(stdout) == 0 ? APPS_EXIT_OK : APPS_EXIT_FAIL;
	}
	if (argc != 2 || argv[1][0] == '-') {
		fprintf(stderr,
			"saker: check config wants one thing (expected FILE or --schema)\n%s",
			usage);
		return APPS_EXIT_USAGE;
	}
	conf_init(&config);
	enum status status = conf_load(argv[1], &sink, &config);
	if (status == STATUS_MEMORY) {
		fprintf(stderr, "saker: %s\n", status_text(status));
	}
	bool good = status == STATUS_OK && check_files(argv[1], &config, &sink) == 0 &&
		    check_resolver(&config.resolver);
	if (good) {
		printf("%s: ok, %u zones%s\n", argv[1], config.zone_count,
			config.resolver.enabled != 0 ? ", a resolver" : "");
	}
	conf_fini(&config);
	return good ? APPS_EXIT_OK : APPS_EXIT_FAIL;
}
