/* cmd_bench_queries.c - `saker bench queries`: makes query files. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/apps.h"
#include "base/diag.h"
#include "capture/capture.h"
#include "loadgen/accesslog.h"
#include "loadgen/querylist.h"
#include "loadgen/recording.h"
#include "loadgen/zonequeries.h"
#include "wire/name.h"
#include "wire/rrtype.h"

#define COUNT_MAX 1000000000ull /* a billion lines are 30 GB: more is a slip of the finger */

static const char usage[] =
	"usage: saker bench queries --zone NAME=FILE | --access-log FILE | --recording FILE\n"
	"                           [OPTION]...\n"
	"\n"
	"Writes a query file, one `NAME TYPE` a line.\n"
	"\n"
	"  --zone NAME=FILE     names of a zone, drawn at random\n"
	"  --access-log FILE    PTR queries for the addresses in the log of a web server\n"
	"  --recording FILE     the queries of a pcap, pcapng or dnstap file or a BIND query log\n"
	"  -n N                 queries at most (as many as there are; of a zone: as it has "
	"names)\n"
	"  -o FILE              write there, not to standard output\n"
	"\n"
	"of a zone:\n"
	"  --missing PERCENT    so many are for names that do not exist (0)\n"
	"  --types TYPE:WEIGHT,...  ask for these (the types that each name has)\n"
	"  --zipf S             popularity of the k-th name is as 1 / k^S (0: all alike)\n"
	"  --seed N             another seed, other draws (1)\n"
	"\n"
	"of logs and recordings:\n"
	"  --prune N            leave out the N most frequent queries\n"
	"  --port N             only packets to this port\n"
	"  --upstream           of dnstap, what the server itself asked, not what it was asked\n"
	"  --strict             a bad line or a damaged file is an error, not a warning\n";

enum {
	OPTION_ZONE = 256,
	OPTION_ACCESS_LOG,
	OPTION_RECORDING,
	OPTION_MISSING,
	OPTION_TYPES,
	OPTION_ZIPF,
	OPTION_SEED,
	OPTION_PRUNE,
	OPTION_PORT,
	OPTION_UPSTREAM,
	OPTION_STRICT
};

static const struct option long_options[] = {
	{"zone", required_argument, NULL, OPTION_ZONE},
	{"access-log", required_argument, NULL, OPTION_ACCESS_LOG},
	{"recording", required_argument, NULL, OPTION_RECORDING},
	{"missing", required_argument, NULL, OPTION_MISSING},
	{"types", required_argument, NULL, OPTION_TYPES},
	{"zipf", required_argument, NULL, OPTION_ZIPF},
	{"seed", required_argument, NULL, OPTION_SEED},
	{"prune", required_argument, NULL, OPTION_PRUNE},
	{"port", required_argument, NULL, OPTION_PORT},
	{"upstream", no_argument, NULL, OPTION_UPSTREAM},
	{"strict", no_argument, NULL, OPTION_STRICT},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

struct options {
	const char *zone; /* NAME=FILE */
	const char *access_log;
	const char *recording;
	const char *out;
	uint64_t count; /* 0: not given */
	uint64_t prune;
	bool has_zone_option; /* one that makes sense with a zone alone */
	bool has_log_option;
	struct zonequeries_options zonequeries;
	struct capture_options capture;
	int argc;
	char **argv; /* borrows: main()'s, for the head of the file */
};

static bool complain(const char *what, const char *value)
{
	fprintf(stderr, "saker: bench queries: %s%s%s%s\n", what, value == NULL ? "" : " '",
		value == NULL ? "" : value, value == NULL ? "" : "'");
	return false;
}

static bool parse_count(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
	char *end;

	errno = 0;
	unsigned long long value = strtoull(text, &end, 10);
	if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value < min ||
		value > max) {
		return false;
	}
	*out = value;
	return true;
}

/* A number in [min, max], perhaps with a `%` behind it. */
static bool parse_real(const char *text, double min, double max, double *out)
{
	char *end;

	if (strspn(text, "0123456789.") == 0) {
		return false;
	}
	double value = strtod(text, &end);
	if (*end == '%') {
		end++;
	}
	if (*end != '\0' || !(value >= min && value <= max)) {
		return false;
	}
	*out = value;
	return true;
}

/* `A:70,AAAA:20,MX` */
static bool parse_types(const char *text, struct zonequeries_mix *out)
{
	while (*text != '\0') {
		size_t len = strcspn(text, ",");
		size_t type_len = strcspn(text, ":,");
		double weight = 1;
		if (out->count == ZONEQUERIES_TYPES_MAX ||
			!rrtype_from_text(text, (uint32_t)type_len, &out->types[out->count])) {
			return false;
		}
		if (type_len < len) {
			char *end;
			weight = strtod(text + type_len + 1, &end);
			if (end != text + len || !(weight > 0 && weight <= 1e9)) {
				return false;
			}
		}
		out->weights[out->count++] = weight;
		text += len + (text[len] == ',' ? 1 : 0);
	}
	return out->count != 0;
}

static bool take_option(struct options *options, int option, const char *value)
{
	uint64_t number;
	double percent;

	options->has_zone_option |= option >= OPTION_MISSING && option <= OPTION_SEED;
	options->has_log_option |= option >= OPTION_PRUNE && option <= OPTION_STRICT;
	switch (option) {
	case OPTION_ZONE:
		options->zone = value;
		return true;
	case OPTION_ACCESS_LOG:
		options->access_log = value;
		return true;
	case OPTION_RECORDING:
		options->recording = value;
		return true;
	case 'o':
		options->out = value;
		return true;
	case 'n':
		return parse_count(value, 1, COUNT_MAX, &options->count) ||
		       complain("-n wants a number of queries, not", value);
	case OPTION_MISSING:
		if (!parse_real(value, 0, 100, &percent)) {
			return complain("--missing wants a percentage, not", value);
		}
		options->zonequeries.missing = percent / 100;
		return true;
	case OPTION_TYPES:
		options->zonequeries.mix.count = 0;
		return parse_types(value, &options->zonequeries.mix) ||
		       complain("--types wants TYPE:WEIGHT,..., not", value);
	case OPTION_ZIPF:
		return parse_real(value, 0, ZIPF_EXPONENT_MAX, &options->zonequeries.exponent) ||
		       complain("--zipf wants an exponent from 0 to 10, not", value);
	case OPTION_SEED:
		return parse_count(value, 0, UINT64_MAX, &options->zonequeries.seed) ||
		       complain("--seed wants a number, not", value);
	case OPTION_PRUNE:
		return parse_count(value, 0, COUNT_MAX, &options->prune) ||
		       complain("--prune wants a number of queries, not", value);
	case OPTION_PORT:
		if (!parse_count(value, 1, UINT16_MAX, &number)) {
			return complain("--port wants a port, not", value);
		}
		options->capture.port = (uint16_t)number;
		return true;
	case OPTION_UPSTREAM:
		options->capture.upstream = true;
		return true;
	case OPTION_STRICT:
		options->capture.strict = true;
		return true;
	default:
		return false; /* getopt has said why */
	}
}

static bool check_options(const struct options *options)
{
	int sources = (options->zone != NULL) + (options->access_log != NULL) +
		      (options->recording != NULL);

	if (sources != 1) {
		return complain(
			"one of --zone, --access-log and --recording is wanted, and no more", NULL);
	}
	if (options->zone == NULL && options->has_zone_option) {
		return complain("--missing, --types, --zipf and --seed go with --zone", NULL);
	}
	if (options->zone != NULL && options->has_log_option) {
		return complain(
			"--prune, --port, --upstream and --strict do not go with --zone", NULL);
	}
	return true;
}

static int explain(const char *path, enum status status)
{
	if (status != STATUS_REFUSED) { /* what was refused was told already */
		fprintf(stderr, "saker: %s: %s\n", path,
			status == STATUS_IO ? strerror(errno) : status_text(status));
	}
	return APPS_EXIT_FAIL;
}

/* How the file came about, in a comment that every reader of query files passes over. */
static void write_head(FILE *out, int argc, char **argv)
{
	fputs("; made by: saker bench", out);
	for (int i = 0; i < argc; i++) {
		fputc(' ', out);
		for (const char *c = argv[i]; *c != '\0'; c++) {
			fputc((unsigned char)*c < ' ' ? '?' : *c, out);
		}
	}
	fputc('\n', out);
}

/* Opened when there is something to write, so that what cannot be read leaves the file before as it was. */
static FILE *open_out(const struct options *options)
{
	FILE *out = options->out == NULL ? stdout : fopen(options->out, "we");

	if (out == NULL) {
		fprintf(stderr, "saker: %s: cannot be written: %s\n", options->out,
			strerror(errno));
		return NULL;
	}
	write_head(out, options->argc, options->argv);
	return out;
}

static int close_out(FILE *out, int exit_status)
{
	bool is_written = fflush(out) == 0 && ferror(out) == 0;

	if (out != stdout && fclose(out) != 0) {
		is_written = false;
	}
	if (exit_status == APPS_EXIT_OK && !is_written) {
		fprintf(stderr, "saker: bench queries: the queries could not be written\n");
		return APPS_EXIT_FAIL;
	}
	return exit_status;
}

static int write_zone(struct zonequeries *queries, const struct options *options)
{
	char text[NAME_TEXT_MAX], type_text[RRTYPE_TEXT_MAX];
	uint64_t count = options->count == 0 ? queries->askable_count : options->count;
	struct name name;
	uint16_t type;
	FILE *out = open_out(options);

	if (out == NULL) {
		return APPS_EXIT_FAIL;
	}
	for (uint64_t i = 0; i < count; i++) {
		if (!zonequeries_draw(queries, &name, &type)) {
			fprintf(stderr,
				"saker: %s: no place for a name that does not exist: wildcards "
				"stand for all of them (expected --missing 0)\n",
				options->zone);
			return close_out(out, APPS_EXIT_FAIL);
		}
		fprintf(out, "%s %s\n", name_to_text(&name, text), rrtype_to_text(type, type_text));
	}
	return close_out(out, APPS_EXIT_OK);
}

static int make_from_zone(const struct options *options, const struct diag_sink *sink)
{
	static const struct name root = {.len = 1};
	static struct zonequeries queries;
	const char *equals = strchr(options->zone, '=');
	struct name origin;

	if (equals == NULL || equals[1] == '\0' ||
		name_from_text(options->zone, (uint32_t)(equals - options->zone), &root, &origin) !=
			WIRE_OK) {
		complain("--zone wants NAME=FILE, not", options->zone);
		return APPS_EXIT_USAGE;
	}
	enum status status =
		zonequeries_init(&queries, equals + 1, &origin, &options->zonequeries, sink);
	int exit_status =
		status != STATUS_OK ? explain(equals + 1, status) : write_zone(&queries, options);
	zonequeries_fini(&queries);
	return exit_status;
}

static enum status read_list(
	const struct options *options, const struct diag_sink *sink, struct querylist *list)
{
	uint64_t left_out = 0;

	if (options->access_log != NULL) {
		return accesslog_read(options->access_log, options->capture.strict, sink, list);
	}
	enum status status =
		recording_list(options->recording, &options->capture, sink, list, &left_out);
	if (status == STATUS_OK && left_out != 0) {
		diag_report(sink, DIAG_WARNING, options->recording, 0, 0,
			"%llu queries of other classes than IN are left out",
			(unsigned long long)left_out);
	}
	return status;
}

static int write_list(const struct querylist *list, const struct options *options)
{
	FILE *out = open_out(options);

	if (out == NULL) {
		return APPS_EXIT_FAIL;
	}
	querylist_write(list, options->count == 0 ? UINT64_MAX : options->count, out);
	return close_out(out, APPS_EXIT_OK);
}

static int make_from_list(const struct options *options, const struct diag_sink *sink)
{
	const char *path = options->access_log != NULL ? options->access_log : options->recording;
	struct querylist list;
	uint64_t dropped = 0;
	int exit_status = APPS_EXIT_FAIL;
	enum status status = querylist_init(&list);

	if (status == STATUS_OK) {
		status = read_list(options, sink, &list);
	}
	if (status == STATUS_OK && options->prune != 0) {
		status = querylist_prune(&list, (uint32_t)options->prune, &dropped);
	}
	if (status != STATUS_OK) {
		exit_status = explain(path, status);
	} else if (list.count == 0) {
		fprintf(stderr, "saker: %s: nothing is left: --prune dropped all of %llu queries\n",
			path, (unsigned long long)dropped);
	} else {
		exit_status = write_list(&list, options);
	}
	querylist_fini(&list);
	return exit_status;
}

int cmd_bench_queries(int argc, char **argv)
{
	const struct diag_sink sink = {.report = diag_print, .context = stderr};
	struct options options = {.zonequeries = {.seed = 1}, .argc = argc, .argv = argv};
	int option;

	while ((option = getopt_long(argc, argv, "n:o:h", long_options, NULL)) != -1) {
		if (option == 'h') {
			fputs(usage, stdout);
			return APPS_EXIT_OK;
		}
		if (!take_option(&options, option, optarg)) {
			return APPS_EXIT_USAGE;
		}
	}
	if (optind < argc) {
		complain("unexpected argument", argv[optind]);
		return APPS_EXIT_USAGE;
	}
	if (!check_options(&options)) {
		return APPS_EXIT_USAGE;
	}
	return options.zone != NULL ? make_from_zone(&options, &sink)
				    : make_from_list(&options, &sink);
}
