/* cmd_serve.c - `saker serve`: options and the configuration file make what the server runs with. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "apps/apps.h"
#include "base/diag.h"
#include "conf/conf.h"
#include "server/server.h"

#define APEX_LEN_MAX                                                                               \
	1024u /* octets of a zone's name in --zone with its zero: more than any name's text */

static const char usage[] =
	"usage: saker serve [-c FILE] [--listen ADDR:PORT]... [--zone NAME=FILE]...\n"
	"                   [--workers N|auto] [--state DIR] [--resolve]\n"
	"\n"
	"Answers for zones until SIGTERM or SIGINT. SIGHUP reads the configuration and\n"
	"the zone files again; what cannot be read leaves the version before serving.\n"
	"\n"
	"  -c, --config FILE    configuration (YAML; `saker check config --schema`)\n"
	"  --listen ADDR:PORT   answer there, instead of where the file says; again for\n"
	"                       more addresses; [::1]:53 is IPv6; port 0 is any that is free\n"
	"  --zone NAME=FILE     serve this zone, too; .=FILE is the root\n"
	"  --workers N|auto     threads that answer (auto: one a usable processor)\n"
	"  --state DIR          keep images of the zones there, for the next start\n"
	"  --resolve            resolve what no zone here holds, for clients on this host\n"
	"                       (others: resolver.allow in the configuration)\n"
	"  --help               this text\n";

/* The command line, kept for every reload. */
struct options {
	const char *config_file; /* NULL: none */
	const char *workers;     /* NULL: as the file says */
	const char *state;       /* NULL: as the file says */
	bool resolve;            /* whatever the file says */
	int argc;
	char **argv; /* borrows: for --listen and --zone, which may come more than once */
};

static int complain(const char *what, const char *expected)
{
	fprintf(stderr, "saker: %s (expected %s)\n%s", what, expected, usage);
	return APPS_EXIT_USAGE;
}

/* Does argv[*at] say name, with its value behind `=` or in the next word?
 *
 * effect  then *value_out is the value, or NULL where it is missing, and *at stands on the last word used
 */
static bool take(int argc, char **argv, int *at, const char *name, const char **value_out)
{
	size_t len = strlen(name);

	if (strncmp(argv[*at], name, len) != 0) {
		return false;
	}
	if (argv[*at][len] == '=' && name[1] == '-') {
		*value_out = argv[*at] + len + 1;
		return true;
	}
	if (argv[*at][len] != '\0') {
		return false;
	}
	*value_out = *at + 1 < argc ? argv[++*at] : NULL;
	return true;
}

/* One `NAME=FILE`. */
static enum status put_zone(struct server_config *config, const char *text, char *why)
{
	char name[APEX_LEN_MAX];
	const char *equals = strchr(text, '=');

	if (equals == NULL || equals == text || (size_t)(equals - text) >= sizeof(name)) {
		snprintf(why, CONF_WHY_MAX, "'%.64s' is no zone with its file (expected NAME=FILE)",
			text);
		return STATUS_REFUSED;
	}
	memcpy(name, text, (size_t)(equals - text));
	name[equals - text] = '\0';
	return conf_put_zone(config, name, equals + 1, why);
}

/* The options over what config holds. */
static enum status apply(const struct options *options, struct server_config *config, char *why)
{
	bool listen_given = false;
	enum status status = STATUS_OK;
	const char *value;

	if (options->workers != NULL) {
		status = conf_set(config, "server.workers", options->workers, why);
	}
	if (options->state != NULL && status == STATUS_OK) {
		status = conf_put_state(config, options->state, why);
	}
	if (options->resolve && status == STATUS_OK) {
		status = conf_set(config, "resolver.enabled", "true", why);
	}
	for (int i = 1; i < options->argc && status == STATUS_OK; i++) {
		if (take(options->argc, options->argv, &i, "--listen", &value)) {
			config->listen_count = listen_given ? config->listen_count : 0;
			listen_given = true;
			status = conf_set(config, "server.listen", value, why);
		} else if (take(options->argc, options->argv, &i, "--zone", &value)) {
			status = put_zone(config, value, why);
		} else {
			/* Known already; their values are no options. */
			(void)(take(options->argc, options->argv, &i, "-c", &value) ||
				take(options->argc, options->argv, &i, "--config", &value) ||
				take(options->argc, options->argv, &i, "--workers", &value) ||
				take(options->argc, options->argv, &i, "--state", &value));
		}
	}
	return status;
}

static enum status read_config(void *context, struct server_config *out)
{
	const struct options *options = context;
	const struct diag_sink sink = {.report = diag_print, .context = stderr};
	char why[CONF_WHY_MAX] = "out of memory";

	conf_init(out);
	if (options->config_file != NULL) {
		enum status status = conf_load(options->config_file, &sink, out);
		if (status != STATUS_OK) {
			conf_fini(out);
			return status;
		}
	}
	enum status status = apply(options, out, why);
	if (status != STATUS_OK) {
		fprintf(stderr, "saker: %s\n", why);
		conf_fini(out);
	}
	return status;
}

/* What can be wrong with the options alone. */
static int check_options(const struct options *options)
{
	struct server_config config;
	char why[CONF_WHY_MAX] = "out of memory";
	int result = APPS_EXIT_OK;

	conf_init(&config);
	enum status status = apply(options, &config, why);
	if (status != STATUS_OK) {
		fprintf(stderr, "saker: %s\n", why);
		result = status == STATUS_REFUSED ? APPS_EXIT_USAGE : APPS_EXIT_FAIL;
	} else if (options->config_file == NULL && config.zone_count == 0 && !options->resolve) {
		result = complain("nothing to serve", "-c FILE, --zone NAME=FILE or --resolve");
	}
	conf_fini(&config);
	return result;
}

int cmd_serve(int argc, char **argv)
{
	struct options options = {.argc = argc, .argv = argv};

	for (int i = 1; i < argc; i++) {
		const char *name = argv[i];
		const char *value = "";
		if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
			fputs(usage, stdout);
			return APPS_EXIT_OK;
		}
		if (strcmp(name, "--resolve") == 0) {
			options.resolve = true;
			continue;
		}
		if (take(argc, argv, &i, "-c", &value) ||
			take(argc, argv, &i, "--config", &value)) {
			options.config_file = value;
		} else if (take(argc, argv, &i, "--workers", &value)) {
			options.workers = value;
		} else if (take(argc, argv, &i, "--state", &value)) {
			options.state = value;
		} else if (!take(argc, argv, &i, "--listen", &value) &&
			   !take(argc, argv, &i, "--zone", &value)) {
			fprintf(stderr, "saker: '%s' is no option of serve\n%s", name, usage);
			return APPS_EXIT_USAGE;
		}
		if (value == NULL) {
			fprintf(stderr, "saker: %s without a value\n%s", name, usage);
			return APPS_EXIT_USAGE;
		}
	}
	int result = check_options(&options);
	if (result != APPS_EXIT_OK) {
		return result;
	}
	struct server_source source = {.read = read_config, .context = &options};
	return server_run(&source) == STATUS_OK ? APPS_EXIT_OK : APPS_EXIT_FAIL;
}
