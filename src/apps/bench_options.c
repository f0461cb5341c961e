/* bench_options.c - one table of options for all modes. */
#include "apps/bench_options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/bench_dnsperf.h"
#include "loadgen/schedule.h"
#include "loadgen/slots.h"

#define SECONDS_MAX   31536000.0 /* a year: longer is a slip of the finger */
#define TIMEOUT_S_MAX 3600.0     /* the histogram's range is a little more */
#define REPEATS_MAX   1000000000000.0
#define IN_FLIGHT_MAX ((double)RUN_SOCKETS_MAX * SLOTS_WINDOW_MAX)
#define STEPS_MAX     1000.0
#define FIRST_LONG    256 /* options without a letter count from here */

#define IN_RUN    (1u << RUN_CLOSED)
#define IN_RATE   (1u << RUN_RATE)
#define IN_RAMP   (1u << RUN_RAMP)
#define IN_SEARCH (1u << RUN_SEARCH)
#define IN_SWEEP  (1u << RUN_SWEEP)
#define IN_REPLAY (1u << RUN_REPLAY)
#define IN_ALL    (IN_RUN | IN_RATE | IN_RAMP | IN_SEARCH | IN_SWEEP | IN_REPLAY)
#define IN_TRIALS (IN_SEARCH | IN_SWEEP)

enum value {
	VALUE_FLAG,    /* a bool becomes true */
	VALUE_TEXT,    /* a const char * */
	VALUE_COUNT,   /* a whole number, in a double */
	VALUE_NUMBER,  /* a number with or without a point */
	VALUE_PERCENT, /* ditto, with or without % */
	VALUE_SPEED,   /* ditto, with or without x */
	VALUE_TIME,    /* seconds, or a number with us, ms or s behind it */
	/* Words of dnsperf's (bench_dnsperf.h). */
	VALUE_TRANSPORT,
	VALUE_FAMILY,
	VALUE_EDNS,
	VALUE_LONG,
	VALUE_TSIG
};

struct row {
	char letter;      /* 0: none */
	const char *name; /* NULL: none */
	const char *argument;
	unsigned modes;
	enum value value;
	size_t off; /* of the field in struct bench_options */
	double min;
	double max;
	const char *help;
};

#define FIELD(name) offsetof(struct bench_options, name)

static const struct row rows[] = {
	{0, "server", "ADDR:PORT", IN_ALL, VALUE_TEXT, FIELD(server), 0, 0,
		"whom to ask; [ADDR]:PORT for IPv6; a host name will do; port 53"},
	{'s', NULL, "ADDR", IN_ALL, VALUE_TEXT, FIELD(host), 0, 0, "the same without the port"},
	{'p', NULL, "PORT", IN_ALL, VALUE_COUNT, FIELD(port), 1, 65535, "and the port (53)"},
	{'d', NULL, "FILE", IN_ALL, VALUE_TEXT, FIELD(queries), 0, 0,
		"queries, one `NAME TYPE` a line, or a recording: pcap, pcapng, dnstap, "
		"BIND's query log (standard input where absent)"},
	{'q', NULL, "N", IN_RUN, VALUE_COUNT, FIELD(in_flight), 1, IN_FLIGHT_MAX,
		"queries in flight, over all sockets (100)"},
	{'q', NULL, "N", IN_RAMP, VALUE_COUNT, FIELD(in_flight), 1, IN_FLIGHT_MAX,
		"unanswered queries that end the ramp (65536)"},
	{'q', NULL, "N", IN_RATE | IN_TRIALS | IN_REPLAY, VALUE_COUNT, FIELD(in_flight), 1,
		IN_FLIGHT_MAX, "unanswered queries, at most (what the sockets hold)"},
	{'Q', NULL, "N", IN_RUN, VALUE_NUMBER, FIELD(closed_rate_max), SCHEDULE_RATE_MIN,
		SCHEDULE_RATE_MAX, "no more queries a second (no limit)"},
	{'c', NULL, "N", IN_RUN, VALUE_COUNT, FIELD(sockets), 1, RUN_SOCKETS_MAX,
		"sockets, or connections with --tcp (1)"},
	{'c', NULL, "N", IN_ALL & ~IN_RAMP & ~IN_RUN, VALUE_COUNT, FIELD(sockets), 1,
		RUN_SOCKETS_MAX, "sockets, or connections with --tcp (as few as hold the queries)"},
	{'C', NULL, "N", IN_RAMP, VALUE_COUNT, FIELD(sockets), 1, RUN_SOCKETS_MAX,
		"sockets, or connections with --tcp (as few as hold the queries)"},
	{'T', NULL, "N", IN_ALL, VALUE_COUNT, FIELD(threads), 1, RUN_THREADS_MAX, "threads (1)"},
	{'R', "rate", "N", IN_RATE | IN_REPLAY, VALUE_NUMBER, FIELD(rate), SCHEDULE_RATE_MIN,
		SCHEDULE_RATE_MAX, "queries a second, evenly spaced"},
	{0, "speed", "N", IN_REPLAY, VALUE_SPEED, FIELD(speed), 1e-6, 1e6,
		"so many times as fast as recorded (1x)"},
	{'m', NULL, "N", IN_RAMP, VALUE_NUMBER, FIELD(rate_max), SCHEDULE_RATE_MIN,
		SCHEDULE_RATE_MAX, "queries a second at the end of the ramp (100000)"},
	{'r', NULL, "SECONDS", IN_RAMP, VALUE_NUMBER, FIELD(ramp_s), 0, SECONDS_MAX,
		"length of the ramp (60)"},
	{'c', NULL, "SECONDS", IN_RAMP, VALUE_NUMBER, FIELD(hold_s), 0, SECONDS_MAX,
		"go on at -m for so long (0)"},
	{'L', NULL, "PERCENT", IN_RAMP, VALUE_PERCENT, FIELD(loss_percent), 0, 100,
		"the highest rate before more than this is lost (100)"},
	{'i', NULL, "SECONDS", IN_RAMP, VALUE_NUMBER, FIELD(interval_s), 0.01, 3600,
		"length of an interval (0.5)"},
	{'F', NULL, "N", IN_RAMP, VALUE_COUNT, FIELD(behind_max), 0, REPEATS_MAX,
		"queries behind the schedule that end the ramp (1000; 0: none do)"},
	{'P', NULL, "FILE", IN_RAMP, VALUE_TEXT, FIELD(plot), 0, 0,
		"write a line of figures for each interval, as resperf does"},
	{0, "rates", "N,N,...", IN_SWEEP, VALUE_TEXT, FIELD(rates), 0, 0, "rates to try, or:"},
	{0, "from", "N", IN_SWEEP, VALUE_NUMBER, FIELD(rate_from), SCHEDULE_RATE_MIN,
		SCHEDULE_RATE_MAX, "the first rate"},
	{0, "to", "N", IN_SWEEP, VALUE_NUMBER, FIELD(rate_to), SCHEDULE_RATE_MIN, SCHEDULE_RATE_MAX,
		"the last one"},
	{0, "steps", "N", IN_SWEEP, VALUE_COUNT, FIELD(steps), 2, STEPS_MAX, "and how many (10)"},
	{0, "loss", "PERCENT", IN_SEARCH, VALUE_PERCENT, FIELD(loss_goal_percent), 0, 100,
		"goal: no more than this is lost (0.1)"},
	{0, "p50", "TIME", IN_SEARCH, VALUE_TIME, FIELD(p50_goal_s), 1e-6, TIMEOUT_S_MAX,
		"goal: half of the queries are answered in this time, as in 2ms"},
	{0, "p99", "TIME", IN_SEARCH, VALUE_TIME, FIELD(p99_goal_s), 1e-6, TIMEOUT_S_MAX,
		"goal: 99 of 100 are"},
	{0, "p99.9", "TIME", IN_SEARCH, VALUE_TIME, FIELD(p99_9_goal_s), 1e-6, TIMEOUT_S_MAX,
		"goal: 999 of 1000 are"},
	{0, "from", "N", IN_SEARCH, VALUE_NUMBER, FIELD(rate_from), SCHEDULE_RATE_MIN,
		SCHEDULE_RATE_MAX, "the rate to begin with (1000)"},
	{0, "to", "N", IN_SEARCH, VALUE_NUMBER, FIELD(rate_to), SCHEDULE_RATE_MIN,
		SCHEDULE_RATE_MAX, "try no higher rate (100000000)"},
	{0, "resolution", "PERCENT", IN_SEARCH, VALUE_PERCENT, FIELD(resolution_percent), 0.1, 100,
		"how near the rates that held and failed get to each other (5)"},
	{0, "trial", "SECONDS", IN_SEARCH, VALUE_NUMBER, FIELD(trial_s), 0.1, SECONDS_MAX,
		"length of a short trial (1)"},
	{0, "confirm", "SECONDS", IN_SEARCH, VALUE_NUMBER, FIELD(confirm_s), 0.1, SECONDS_MAX,
		"length of a confirmation (5)"},
	{0, "confirmations", "N", IN_SEARCH, VALUE_COUNT, FIELD(confirmations), 1, STEPS_MAX,
		"how many (3)"},
	{'l', NULL, "SECONDS", IN_RUN | IN_RATE | IN_REPLAY, VALUE_NUMBER, FIELD(seconds), 0.001,
		SECONDS_MAX, "stop sending after this time"},
	{'l', NULL, "SECONDS", IN_SWEEP, VALUE_NUMBER, FIELD(seconds), 0.001, SECONDS_MAX,
		"length of each trial (5)"},
	{'n', NULL, "N", IN_RUN | IN_RATE | IN_REPLAY, VALUE_COUNT, FIELD(repeats), 1, REPEATS_MAX,
		"go through the file at most N times (once, or for ever with -l)"},
	{'t', NULL, "SECONDS", IN_RUN | IN_RATE | IN_REPLAY | IN_RAMP, VALUE_NUMBER,
		FIELD(timeout_s), 0.001, TIMEOUT_S_MAX,
		"a query unanswered for so long is lost (5)"},
	{'t', NULL, "SECONDS", IN_TRIALS, VALUE_NUMBER, FIELD(timeout_s), 0.001, TIMEOUT_S_MAX,
		"a query unanswered for so long is lost (1)"},
	{'e', NULL, NULL, IN_ALL, VALUE_FLAG, FIELD(queryfile.edns), 0, 0, "EDNS in every query"},
	{'D', NULL, NULL, IN_ALL, VALUE_FLAG, FIELD(queryfile.dnssec), 0, 0,
		"EDNS with the DO bit"},
	{'u', NULL, NULL, IN_ALL, VALUE_FLAG, FIELD(updates), 0, 0,
		"the file holds dynamic updates, as dnsperf -u reads them"},
	{'B', NULL, NULL, IN_ALL, VALUE_FLAG, FIELD(is_binary), 0, 0,
		"the file holds messages, each behind two octets of length, as TCP carries them"},
	{'E', NULL, "CODE:HEX", IN_ALL, VALUE_EDNS, 0, 0, 0,
		"an EDNS option in every query; may be repeated"},
	{0, "cookie", NULL, IN_ALL, VALUE_FLAG, FIELD(cookie), 0, 0,
		"a DNS cookie a socket, which learns the server's"},
	{0, "padding", "OCTETS", IN_ALL, VALUE_COUNT, FIELD(padding_block), 1, EDNSOPT_BLOCK_MAX,
		"pad queries to a multiple of this, as in 128"},
	{'f', NULL, "FAMILY", IN_ALL, VALUE_FAMILY, 0, 0, 0, "inet, inet6 or any (any)"},
	{'m', NULL, "TRANSPORT", IN_ALL & ~IN_RAMP, VALUE_TRANSPORT, 0, 0, 0, "udp or tcp (udp)"},
	{'M', NULL, "TRANSPORT", IN_RAMP, VALUE_TRANSPORT, 0, 0, 0, "udp or tcp (udp)"},
	{0, "tcp", NULL, IN_ALL, VALUE_FLAG, FIELD(tcp), 0, 0,
		"over TCP; connections are kept, queries pipelined"},
	{0, "queries-per-connection", "N", IN_ALL, VALUE_COUNT, FIELD(per_connection), 1,
		REPEATS_MAX, "with --tcp: then the next connection (no limit)"},
	{'O', NULL, "NAME=VALUE", IN_ALL, VALUE_LONG, 0, 0, 0,
		"num-queries-per-conn=N is the same; suppress=timeouts: -v tells of answers alone"},
	{'y', NULL, "KEY", IN_ALL, VALUE_TSIG, 0, 0, 0,
		"sign queries: [ALGORITHM:]NAME:SECRET (hmac-md5), the secret in base64"},
	{'x', NULL, "PORT", IN_ALL, VALUE_COUNT, FIELD(port_first), 1, 65535,
		"local port of the first socket; the next has the next"},
	{'a', "source", "ADDR", IN_ALL, VALUE_TEXT, FIELD(sources), 0, 0,
		"ask from this address, several with commas between, or a prefix as 127.1.0.0/24"},
	{'b', NULL, "KIB", IN_ALL, VALUE_COUNT, FIELD(buffer_kib), 1, 1048576,
		"buffers of each socket (4096)"},
	{0, "check", "FILE", IN_ALL, VALUE_TEXT, FIELD(check), 0, 0,
		"hold answers against those in FILE, lines of NAME TYPE RCODE [RDATA]"},
	{0, "against", "ADDR:PORT", IN_ALL, VALUE_TEXT, FIELD(against), 0, 0,
		"ask another server all queries first, and hold answers against its"},
	{0, "strict", NULL, IN_ALL, VALUE_FLAG, FIELD(queryfile.strict), 0, 0,
		"a bad line in FILE is an error, not left out"},
	{0, "patience", "SECONDS", IN_ALL, VALUE_NUMBER, FIELD(patience_s), 0, SECONDS_MAX,
		"give up on a server that says nothing at all (0.8; 0: never)"},
	{0, "html", "FILE", IN_ALL, VALUE_TEXT, FIELD(html), 0, 0, "write a page with charts, too"},
	{'S', NULL, "SECONDS", IN_RUN | IN_RATE | IN_REPLAY, VALUE_NUMBER, FIELD(stats_s), 0.1,
		SECONDS_MAX, "tell the rate of answers so often: `unix-time: rate`"},
	{'v', NULL, NULL, IN_ALL & ~IN_RAMP, VALUE_FLAG, FIELD(verbose), 0, 0,
		"a line for each query: its RCODE, T (no answer in time) or I (interrupted)"},
	{'W', NULL, NULL, IN_ALL, VALUE_FLAG, FIELD(warns_on_stdout), 0, 0,
		"warnings and errors to standard output"},
	{'v', NULL, NULL, IN_RAMP, VALUE_FLAG, FIELD(no_effect), 0, 0,
		"resperf's: tell more, as is always done here"},
	{'R', NULL, NULL, IN_RAMP, VALUE_FLAG, FIELD(no_effect), 0, 0,
		"resperf's: go through the file again and again, as is always done here"},
	{0, "live", NULL, IN_ALL, VALUE_FLAG, FIELD(live), 0, 0,
		"a screen that shows the run while it goes on"},
	{0, "json", NULL, IN_ALL, VALUE_FLAG, FIELD(json), 0, 0, "one JSON object instead of text"},
	{'H', NULL, NULL, IN_ALL, VALUE_FLAG, 0, 0, 0, "the arguments of -O"},
	{'h', "help", NULL, IN_ALL, VALUE_FLAG, 0, 0, 0, "this"},
};

#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))

static const char *const abouts[RUN_MODES] = {
	[RUN_CLOSED] = "Keeps a number of queries in flight and tells how the server answered.",
	[RUN_RATE] = "Sends at a fixed rate; latency counts from when a query was due.",
	[RUN_RAMP] = "Sends faster and faster, and tells the highest rate of answers.",
	[RUN_SEARCH] = "Looks for the highest rate at which the server still reaches the goals.",
	[RUN_SWEEP] = "Tries one rate after the other, and tells what was lost at each.",
	[RUN_REPLAY] = "Sends recorded queries at the times at which they were recorded.",
};

static void print_help(FILE *out, enum run_mode mode)
{
	fprintf(out, "usage: saker bench %s --server ADDR:PORT -d FILE [OPTION]...\n\n%s\n\n",
		run_mode_text(mode), abouts[mode]);
	for (size_t i = 0; i < ROW_COUNT; i++) {
		const struct row *row = &rows[i];
		char left[64];
		char letter[] = {'-', row->letter, '\0'};
		if ((row->modes & 1u << mode) != 0) {
			snprintf(left, sizeof(left), "%s%s%s%s%s%s", row->letter != 0 ? letter : "",
				row->letter != 0 && row->name != NULL ? ", " : "",
				row->name != NULL ? "--" : "", row->name != NULL ? row->name : "",
				row->argument != NULL ? " " : "",
				row->argument != NULL ? row->argument : "");
			fprintf(out, "  %-28s %s\n", left, row->help);
		}
	}
}

static bool complain(enum run_mode mode, const char *what, const char *value)
{
	fprintf(stderr, "saker: bench %s: %s%s%s%s\n", run_mode_text(mode), what,
		value == NULL ? "" : " '", value == NULL ? "" : value, value == NULL ? "" : "'");
	return false;
}

/* Digits and a point only: strtod() also reads nan, inf and 0x10. *end_out: behind them. */
static bool parse_number(const char *text, bool is_whole, double *out, const char **end_out)
{
	size_t len = strspn(text, is_whole ? "0123456789" : "0123456789.");
	char *end;
	double value = len == 0 ? 0 : strtod(text, &end);

	if (len == 0 || end != text + len) {
		return false;
	}
	*out = value;
	*end_out = end;
	return true;
}

/* What may stand behind a number, and by what it multiplies it. */
static bool parse_unit(enum value value, const char *text, double *factor_out)
{
	static const struct {
		enum value value;
		const char *text;
		double factor;
	} units[] = {{VALUE_COUNT, "", 1}, {VALUE_NUMBER, "", 1}, {VALUE_PERCENT, "", 1},
		{VALUE_PERCENT, "%", 1}, {VALUE_SPEED, "", 1}, {VALUE_SPEED, "x", 1},
		{VALUE_TIME, "", 1}, {VALUE_TIME, "s", 1}, {VALUE_TIME, "ms", 1e-3},
		{VALUE_TIME, "us", 1e-6}};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (units[i].value == value && strcmp(units[i].text, text) == 0) {
			*factor_out = units[i].factor;
			return true;
		}
	}
	return false;
}

static bool take_number(struct bench_options *options, const struct row *row, const char *text)
{
	const char *end;
	double number;
	double factor;

	if (!parse_number(text, row->value == VALUE_COUNT, &number, &end) ||
		!parse_unit(row->value, end, &factor) || number * factor < row->min ||
		number * factor > row->max) {
		char what[128];
		char letter[] = {'-', row->letter, '\0'};
		snprintf(what, sizeof(what), "%s%s wants %s from %g to %g%s, not",
			row->letter != 0 ? "" : "--", row->letter != 0 ? letter : row->name,
			row->value == VALUE_COUNT ? "a whole number" : "a number", row->min,
			row->max, row->value == VALUE_TIME ? " seconds" : "");
		return complain(options->mode, what, text);
	}
	number *= factor;
	memcpy((char *)options + row->off, &number, sizeof(number));
	return true;
}

static bool taken(const struct bench_options *options, const char *why, const char *text)
{
	return why == NULL || complain(options->mode, why, text);
}

static bool take(struct bench_options *options, const struct row *row, char *text)
{
	bool is_set = true;

	switch (row->value) {
	case VALUE_FLAG:
		memcpy((char *)options + row->off, &is_set, sizeof(is_set));
		return true;
	case VALUE_TEXT:
		memcpy((char *)options + row->off, &text, sizeof(text));
		return true;
	case VALUE_TRANSPORT:
		return taken(options, bench_dnsperf_transport(options, text), text);
	case VALUE_FAMILY:
		return taken(options, bench_dnsperf_family(options, text), text);
	case VALUE_EDNS:
		return taken(options, bench_dnsperf_edns(options, text), text);
	case VALUE_LONG:
		return taken(options, bench_dnsperf_long(options, text), text);
	case VALUE_TSIG:
		return taken(options, bench_dnsperf_tsig(options, text), NULL); /* why is enough */
	case VALUE_COUNT:
	case VALUE_NUMBER:
	case VALUE_PERCENT:
	case VALUE_SPEED:
	case VALUE_TIME:
	default:
		return take_number(options, row, text);
	}
}

static void set_defaults(enum run_mode mode, struct bench_options *out)
{
	bool has_trials = mode == RUN_SEARCH || mode == RUN_SWEEP;

	*out = (struct bench_options){.mode = mode,
		.port = 53,
		.threads = 1,
		.sockets = mode == RUN_CLOSED ? 1 : 0,
		.in_flight = mode == RUN_CLOSED ? 100
			     : mode == RUN_RAMP ? 65536
						: 0,
		.seconds = mode == RUN_SWEEP ? 5 : 0,
		.timeout_s = has_trials ? 1 : 5,
		.patience_s = 0.8, /* who asks a dead server should know it within a second */
		.speed = 1,
		.rate_max = 100000,
		.ramp_s = 60,
		.loss_percent = 100,
		.interval_s = 0.5,
		.behind_max = 1000,
		.rate_from = mode == RUN_SEARCH ? 1000 : 0,
		.rate_to = mode == RUN_SEARCH ? SCHEDULE_RATE_MAX : 0,
		.steps = 10,
		.trial_s = 1,
		.confirm_s = 5,
		.confirmations = 3,
		.resolution_percent = 5,
		.loss_goal_percent = 0.1};
}

/* What the numbers of one mode have to do with each other. */
static bool check_mode(const struct bench_options *options)
{
	switch (options->mode) {
	case RUN_RATE:
		return options->rate != 0 ||
		       complain(options->mode, "--rate is missing (queries a second)", NULL);
	case RUN_RAMP:
		return options->ramp_s + options->hold_s > 0 ||
		       complain(options->mode, "-r and -c are both 0: nothing would be sent", NULL);
	case RUN_SWEEP:
		if (options->rates == NULL && (options->rate_from == 0 || options->rate_to == 0)) {
			return complain(
				options->mode, "--rates is missing, or --from and --to", NULL);
		}
		return true;
	case RUN_SEARCH:
		return options->rate_from <= options->rate_to ||
		       complain(options->mode, "--from is more than --to", NULL);
	case RUN_CLOSED:
	case RUN_REPLAY:
	case RUN_MODES:
	default:
		return true;
	}
}

/* What queries are made of: messages that are ready are sent as they are. */
static bool check_queries(struct bench_options *options)
{
	bool is_open = options->cookie || options->padding_block != 0;
	bool has_options = options->queryfile.edns_options_len != 0;

	if (options->updates && options->is_binary) {
		return complain(options->mode, "-u and -B exclude each other", NULL);
	}
	if ((options->updates || options->is_binary) &&
		(options->queryfile.edns || options->queryfile.dnssec || has_options || is_open)) {
		return complain(options->mode,
			"-u and -B exclude -e, -D, -E, --cookie and --padding", NULL);
	}
	if (options->is_binary && options->is_signed) {
		return complain(options->mode, "-B excludes -y", NULL);
	}
	if (has_options && is_open) {
		return complain(options->mode, "-E excludes --cookie and --padding", NULL);
	}
	options->queryfile.edns_options = options->edns_options;
	options->queryfile.open = is_open;
	return true;
}

/* Standard output has room for one kind of reader. */
static bool check_output(const struct bench_options *options)
{
	if (options->json && options->warns_on_stdout) {
		return complain(options->mode, "-W and --json exclude each other", NULL);
	}
	if (options->live && (options->stats_s != 0 || options->verbose)) {
		return complain(options->mode, "--live excludes -S and -v", NULL);
	}
	return true;
}

static bool check(struct bench_options *options)
{
	if (options->server == NULL) {
		options->server = options->host;
	}
	if (options->server == NULL) {
		return complain(options->mode, "--server ADDR:PORT is missing", NULL);
	}
	if (options->queries == NULL) {
		if (isatty(STDIN_FILENO) != 0) {
			return complain(options->mode, "-d FILE is missing", NULL);
		}
		options->queries = "-";
	}
	if (options->in_flight >
		(options->sockets == 0 ? IN_FLIGHT_MAX : options->sockets * SLOTS_WINDOW_MAX)) {
		return complain(options->mode, "-q is too many: 32768 fit on a socket", NULL);
	}
	if (options->check != NULL && options->against != NULL) {
		return complain(options->mode, "--check and --against exclude each other", NULL);
	}
	if (options->port_first != 0 && options->per_connection != 0) {
		/* The kernel keeps a port that was closed for a minute (TIME-WAIT, RFC 9293 sec 3.6.1). */
		return complain(options->mode, "-x excludes --queries-per-connection", NULL);
	}
	return check_queries(options) && check_output(options) && check_mode(options);
}

/* getopt's tables for one mode. An option without a letter is FIRST_LONG and its row. */
static void make_tables(enum run_mode mode, char *letters, struct option *longs)
{
	for (size_t i = 0; i < ROW_COUNT; i++) {
		const struct row *row = &rows[i];
		if ((row->modes & 1u << mode) == 0) {
			continue;
		}
		if (row->letter != 0) {
			*letters++ = row->letter;
			if (row->argument != NULL) {
				*letters++ = ':';
			}
		}
		if (row->name != NULL) {
			*longs++ = (struct option){.name = row->name,
				.has_arg = row->argument != NULL ? required_argument : no_argument,
				.val = FIRST_LONG + (int)i};
		}
	}
	*letters = '\0';
	*longs = (struct option){0};
}

static const struct row *find_row(enum run_mode mode, int option)
{
	if (option >= FIRST_LONG) {
		return &rows[option - FIRST_LONG];
	}
	for (size_t i = 0; i < ROW_COUNT; i++) {
		if (rows[i].letter == option && (rows[i].modes & 1u << mode) != 0) {
			return &rows[i];
		}
	}
	return NULL; /* getopt has said why */
}

enum bench_options_outcome bench_options_parse(
	enum run_mode mode, int argc, char **argv, struct bench_options *out)
{
	struct option longs[ROW_COUNT + 1];
	char letters[2 * ROW_COUNT + 1];
	int option;

	make_tables(mode, letters, longs);
	set_defaults(mode, out);
	while ((option = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		const struct row *row = find_row(mode, option);
		if (row != NULL && row->letter == 'h') {
			print_help(stdout, mode);
			return BENCH_OPTIONS_HELP;
		}
		if (row != NULL && row->letter == 'H') {
			bench_dnsperf_print_long(stdout);
			return BENCH_OPTIONS_HELP;
		}
		if (row == NULL || !take(out, row, optarg)) {
			return BENCH_OPTIONS_BAD;
		}
	}
	if (optind < argc) {
		complain(mode, "unexpected argument", argv[optind]);
		return BENCH_OPTIONS_BAD;
	}
	return check(out) ? BENCH_OPTIONS_OK : BENCH_OPTIONS_BAD;
}
