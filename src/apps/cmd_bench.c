/* cmd_bench.c - `saker bench`: the load tool's command line. */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/apps.h"
#include "base/diag.h"
#include "base/now.h"
#include "loadgen/flow_tcp.h"
#include "loadgen/flow_udp.h"
#include "loadgen/queryfile.h"
#include "loadgen/report.h"
#include "loadgen/run.h"
#include "loadgen/slots.h"
#include "os/lookup.h"

#define PORT_DEFAULT       53
#define IN_FLIGHT_DEFAULT  100 /* these three as in dnsperf */
#define TIMEOUT_S_DEFAULT  5.0
#define SECONDS_MAX        31536000.0 /* a year: longer is a slip of the finger */
#define TIMEOUT_S_MAX      3600.0     /* the histogram's range is a little more */
#define PATIENCE_S_DEFAULT 0.8        /* who asks a dead server should know it within a second */
#define REPEATS_MAX        1000000000000.0
#define IN_FLIGHT_MAX      ((double)RUN_SOCKETS_MAX * SLOTS_WINDOW_MAX)

struct bench_options {
	const char *server;
	const char *queries;
	struct queryfile_options queryfile;
	double in_flight;
	double sockets;
	double threads;
	double seconds; /* 0: not given */
	double repeats; /* 0: not given */
	double timeout_s;
	double patience_s;
	bool tcp;
	bool json;
};

enum { OPTION_SERVER = 256, OPTION_STRICT, OPTION_TCP, OPTION_JSON, OPTION_PATIENCE, OPTION_HELP };

static const struct option long_options[] = {
	{"server", required_argument, NULL, OPTION_SERVER},
	{"strict", no_argument, NULL, OPTION_STRICT},
	{"tcp", no_argument, NULL, OPTION_TCP},
	{"json", no_argument, NULL, OPTION_JSON},
	{"patience", required_argument, NULL, OPTION_PATIENCE},
	{"help", no_argument, NULL, OPTION_HELP},
	{NULL, 0, NULL, 0},
};

static void print_run_help(FILE *out)
{
	fputs("usage: saker bench run --server ADDR:PORT -d QUERYFILE [OPTION]...\n"
	      "\n"
	      "Keeps a number of queries in flight and tells how the server answered.\n"
	      "\n"
	      "  --server ADDR:PORT  whom to ask; [ADDR]:PORT for IPv6; a host name will do; port "
	      "53\n"
	      "  -d FILE             queries, one `NAME TYPE` a line (standard input where "
	      "absent)\n"
	      "  -q N                queries in flight, over all sockets (100)\n"
	      "  -c N                sockets, or connections with --tcp (1)\n"
	      "  -T N                threads (1)\n"
	      "  -l SECONDS          stop sending after this time\n"
	      "  -n N                go through the file at most N times (once, or for ever with "
	      "-l)\n"
	      "  -t SECONDS          a query unanswered for so long is lost (5)\n"
	      "  -e                  EDNS in every query\n"
	      "  -D                  EDNS with the DO bit\n"
	      "  --tcp               over TCP; connections are kept, queries pipelined\n"
	      "  --strict            a bad line in FILE is an error, not left out\n"
	      "  --patience SECONDS  give up on a server that says nothing at all (0.8; 0: never)\n"
	      "  --json              one JSON object instead of text\n",
		out);
}

/* A number in [min, max]; whole numbers where whole is set. */
static bool parse_number(const char *text, double min, double max, bool whole, double *out)
{
	char *end;

	/* Digits and a point only: strtod() also reads nan, inf and 0x10. */
	if (text[0] == '\0' || strspn(text, whole ? "0123456789" : "0123456789.") != strlen(text)) {
		return false;
	}
	double value = strtod(text, &end);
	if (*end != '\0' || value < min || value > max) {
		return false;
	}
	*out = value;
	return true;
}

static bool usage_error(const char *what, const char *value)
{
	fprintf(stderr, "saker: bench run: %s%s%s%s\n", what, value == NULL ? "" : " '",
		value == NULL ? "" : value, value == NULL ? "" : "'");
	return false;
}

static bool take_option(struct bench_options *options, int option, const char *value)
{
	switch (option) {
	case OPTION_SERVER:
		options->server = value;
		return true;
	case 'd':
		options->queries = value;
		return true;
	case 'e':
		options->queryfile.edns = true;
		return true;
	case 'D':
		options->queryfile.dnssec = true;
		return true;
	case OPTION_STRICT:
		options->queryfile.strict = true;
		return true;
	case OPTION_TCP:
		options->tcp = true;
		return true;
	case OPTION_JSON:
		options->json = true;
		return true;
	case 'q':
		return parse_number(value, 1, IN_FLIGHT_MAX, true, &options->in_flight) ||
		       usage_error("-q wants a number of queries, not", value);
	case 'c':
		return parse_number(value, 1, RUN_SOCKETS_MAX, true, &options->sockets) ||
		       usage_error("-c wants a number of sockets from 1 to 16384, not", value);
	case 'T':
		return parse_number(value, 1, RUN_THREADS_MAX, true, &options->threads) ||
		       usage_error("-T wants a number of threads from 1 to 256, not", value);
	case 'l':
		return parse_number(value, 0.001, SECONDS_MAX, false, &options->seconds) ||
		       usage_error("-l wants seconds, not", value);
	case 'n':
		return parse_number(value, 1, REPEATS_MAX, true, &options->repeats) ||
		       usage_error("-n wants a number of repeats, not", value);
	case 't':
		return parse_number(value, 0.001, TIMEOUT_S_MAX, false, &options->timeout_s) ||
		       usage_error("-t wants seconds from 0.001 to 3600, not", value);
	case OPTION_PATIENCE:
		return parse_number(value, 0, SECONDS_MAX, false, &options->patience_s) ||
		       usage_error("--patience wants seconds, not", value);
	default:
		return false; /* getopt has said why */
	}
}

static bool check_options(struct bench_options *options)
{
	if (options->server == NULL) {
		return usage_error("--server ADDR:PORT is missing", NULL);
	}
	if (options->queries == NULL) {
		if (isatty(STDIN_FILENO) != 0) {
			return usage_error("-d QUERYFILE is missing", NULL);
		}
		options->queries = "-";
	}
	if (options->threads > options->in_flight) {
		options->threads = options->in_flight;
	}
	if (options->sockets < options->threads) {
		options->sockets = options->threads;
	}
	if (options->in_flight > options->sockets * SLOTS_WINDOW_MAX) {
		return usage_error("-q is too many: 32768 fit on a socket, see -c", NULL);
	}
	return true;
}

static void show_progress(void *context, const struct run_progress *progress)
{
	bool *is_shown = context;

	fprintf(stderr, "\r%4.0f s: %12.0f sent %12.0f answered %10.0f answers a second ",
		(double)progress->elapsed_ns / (double)NOW_NS_A_SECOND, (double)progress->sent,
		(double)progress->answered, progress->answered_rate);
	fflush(stderr);
	*is_shown = true;
}

/* Why nothing was answered, in one line. */
static void explain_silence(const struct run_config *config, const struct tally *tally)
{
	char server[ADDR_TEXT_MAX];

	addr_to_text(&config->server, server);
	if (tally->error != 0 && tally->heard == 0) {
		fprintf(stderr, "saker: no answer from %s over %s: %s\n", server,
			config->kind->name, strerror(tally->error));
	} else if (tally->heard == 0) {
		fprintf(stderr,
			"saker: no answer from %s over %s: nothing came for %.0f queries "
			"(--patience waits longer)\n",
			server, config->kind->name, (double)tally->sent);
	} else {
		fprintf(stderr,
			"saker: no answer in time from %s over %s: %.0f late, %.0f to another "
			"question, %.0f that were no answers\n",
			server, config->kind->name, (double)tally->late, (double)tally->mismatched,
			(double)(tally->unmatched + tally->malformed));
	}
}

static int tell(const struct bench_options *options, const struct run_config *config,
	const struct run_result *result)
{
	bool is_told = true;

	if (options->json) {
		is_told = report_json(stdout, config, result);
	} else {
		report_text(stdout, config, result);
	}
	if (!is_told || fflush(stdout) != 0 || ferror(stdout) != 0) {
		fprintf(stderr, "saker: bench run: the report could not be written\n");
		return APPS_EXIT_FAIL;
	}
	if (result->tally.answered == 0) {
		explain_silence(config, &result->tally);
		return APPS_EXIT_FAIL;
	}
	return APPS_EXIT_OK;
}

static int run_and_report(const struct bench_options *options, struct run_config *config)
{
	static struct run_result result; /* a quarter of a megabyte: not for the stack */
	bool is_shown = false;

	if (isatty(STDERR_FILENO) != 0) {
		config->progress = show_progress;
		config->progress_context = &is_shown;
	}
	enum status status = run_load(config, &result);
	if (is_shown) {
		fputc('\n', stderr);
	}
	if (status != STATUS_OK) {
		fprintf(stderr, "saker: bench run: %s%s%s\n", status_text(status),
			status == STATUS_IO ? ": " : "",
			status == STATUS_IO ? strerror(errno) : "");
		run_result_fini(&result);
		return APPS_EXIT_FAIL;
	}
	int exit_status = tell(options, config, &result);
	run_result_fini(&result);
	return exit_status;
}

static int bench_run(int argc, char **argv)
{
	struct bench_options options = {.in_flight = IN_FLIGHT_DEFAULT,
		.sockets = 1,
		.threads = 1,
		.timeout_s = TIMEOUT_S_DEFAULT,
		.patience_s = PATIENCE_S_DEFAULT};
	struct diag_sink sink = {.report = diag_print, .context = stderr};
	struct run_config config = {0};
	struct queryfile queries;
	const char *why;
	int option;

	while ((option = getopt_long(argc, argv, "d:q:c:l:n:eDt:T:h", long_options, NULL)) != -1) {
		if (option == 'h' || option == OPTION_HELP) {
			print_run_help(stdout);
			return APPS_EXIT_OK;
		}
		if (!take_option(&options, option, optarg)) {
			return APPS_EXIT_USAGE;
		}
	}
	if (optind < argc) {
		usage_error("unexpected argument", argv[optind]);
		return APPS_EXIT_USAGE;
	}
	if (!check_options(&options)) {
		return APPS_EXIT_USAGE;
	}
	if (!lookup_server(options.server, PORT_DEFAULT, &config.server, &why)) {
		fprintf(stderr, "saker: --server '%s': %s\n", options.server, why);
		return APPS_EXIT_FAIL;
	}
	enum status status = queryfile_read(options.queries, &options.queryfile, &sink, &queries);
	if (status != STATUS_OK) {
		if (status != STATUS_REFUSED) {
			fprintf(stderr, "saker: %s: %s\n", options.queries, status_text(status));
		}
		return APPS_EXIT_FAIL;
	}
	config.kind = options.tcp ? &flow_tcp : &flow_udp;
	config.queries = &queries;
	config.repeats = options.repeats != 0.0   ? (uint64_t)options.repeats
			 : options.seconds != 0.0 ? 0
						  : 1;
	config.length_ns = (uint64_t)(options.seconds * (double)NOW_NS_A_SECOND);
	config.timeout_ns = (uint64_t)(options.timeout_s * (double)NOW_NS_A_SECOND);
	config.patience_ns = (uint64_t)(options.patience_s * (double)NOW_NS_A_SECOND);
	config.in_flight = (uint32_t)options.in_flight;
	config.socket_count = (uint32_t)options.sockets;
	config.thread_count = (uint32_t)options.threads;
	int exit_status = run_and_report(&options, &config);
	queryfile_fini(&queries);
	return exit_status;
}

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *about;
} modes[] = {
	{"run", bench_run, "keep queries in flight, tell how they were answered"},
	{"queries", cmd_bench_queries, "make a query file of a zone, a log or a recording"},
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
