/* bench_load.c - settings for a run, its progress on a terminal, and what is said at its end. */
#include "apps/bench_load.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/apps.h"
#include "apps/bench_input.h"
#include "apps/bench_live.h"
#include "apps/bench_options.h"
#include "base/diag.h"
#include "base/now.h"
#include "loadgen/answerbook.h"
#include "loadgen/answerline.h"
#include "loadgen/checkfile.h"
#include "loadgen/flow_tcp.h"
#include "loadgen/flow_udp.h"
#include "loadgen/ramp.h"
#include "loadgen/rate_search.h"
#include "loadgen/report.h"
#include "loadgen/slots.h"
#include "loadgen/source_set.h"
#include "loadgen/sweep.h"
#include "os/clock.h"
#include "os/lookup.h"

#define OCTETS_A_KIB      1024u
#define AGAINST_IN_FLIGHT 100u /* at the other server: correct answers are wanted, not speed */

static uint64_t to_ns(double seconds)
{
	return (uint64_t)(seconds * (double)NOW_NS_A_SECOND);
}

/* The rates of a sweep: a list, or so many steps of the same size. */
static bool list_rates(const struct bench_options *options, struct sweep_config *sweep)
{
	if (options->rates == NULL) {
		uint32_t steps = (uint32_t)options->steps;
		for (uint32_t i = 0; i < steps; i++) {
			sweep->rates[i] = options->rate_from +
					  (options->rate_to - options->rate_from) * i / (steps - 1);
		}
		sweep->rate_count = steps;
		return true;
	}
	const char *at = options->rates;
	for (;;) {
		size_t len = strspn(at, "0123456789.");
		char *end;
		double rate = len == 0 ? 0 : strtod(at, &end);
		if (len == 0 || end != at + len || rate < SCHEDULE_RATE_MIN ||
			rate > SCHEDULE_RATE_MAX || (*end != '\0' && *end != ',') ||
			sweep->rate_count == SWEEP_RATES_MAX) {
			fprintf(stderr,
				"saker: bench sweep: --rates wants up to %u rates with commas "
				"between, not '%s'\n",
				SWEEP_RATES_MAX, options->rates);
			return false;
		}
		sweep->rates[sweep->rate_count++] = rate;
		if (*end == '\0') {
			return true;
		}
		at = end + 1;
	}
}

/* A recording's busiest seconds beside its mean; a guess. */
#define BURST 4

/* The highest rate that may be asked for, by which an open loop chooses its sockets; 0 in a closed loop. */
static double top_rate(const struct bench_options *options, const struct run_config *config,
	const struct sweep_config *sweep)
{
	double top = 0;

	switch (options->mode) {
	case RUN_RATE:
		return options->rate;
	case RUN_REPLAY:
		return BURST * schedule_rate_at(&config->schedule, 0);
	case RUN_RAMP:
		return options->rate_max;
	case RUN_SEARCH:
		return fmin(options->rate_to, 1e6); /* few machines answer more */
	case RUN_SWEEP:
		for (uint32_t i = 0; i < sweep->rate_count; i++) {
			top = fmax(top, sweep->rates[i]);
		}
		return top;
	case RUN_CLOSED:
	case RUN_MODES:
	default:
		return 0;
	}
}

/* Sockets that are opened unasked: eight million unanswered queries, which take 500 MB. */
#define SOCKETS_OWN_MAX 256

/* Sockets and queries in flight. An open loop must never have to wait for room: all that it sends within a time-out
 * may be lost.
 */
static void set_room(const struct bench_options *options, double rate, struct run_config *config)
{
	double in_flight = options->in_flight;
	double sockets = options->sockets;

	if (sockets == 0) {
		double need = in_flight != 0 ? in_flight : rate * (options->timeout_s + 1);
		sockets = fmin(fmax(ceil(need / SLOTS_WINDOW_MAX), 1), SOCKETS_OWN_MAX);
	}
	if (in_flight == 0) {
		in_flight = sockets * SLOTS_WINDOW_MAX;
	}
	config->thread_count = (uint32_t)fmin(options->threads, in_flight);
	config->socket_count = (uint32_t)fmax(sockets, config->thread_count);
	config->in_flight = (uint32_t)in_flight;
}

static void set_config(const struct bench_options *options, const struct bench_input *input,
	struct run_config *config)
{
	config->mode = options->mode;
	config->kind = options->tcp ? &flow_tcp : &flow_udp;
	config->repeats = options->repeats != 0.0   ? (uint64_t)options->repeats
			  : options->seconds != 0.0 ? 0
						    : 1;
	config->length_ns = to_ns(options->seconds);
	config->timeout_ns = to_ns(options->timeout_s);
	config->patience_ns = to_ns(options->patience_s);
	config->edns = (struct ednsopt){
		.cookie = options->cookie, .block = (uint32_t)options->padding_block};
	config->buffer_len = (uint32_t)options->buffer_kib * OCTETS_A_KIB;
	config->key = options->is_signed ? &options->key : NULL;
	config->rate_max = options->closed_rate_max;
	config->port_first = (uint32_t)options->port_first;
	config->per_connection = (uint32_t)fmin(options->per_connection, UINT32_MAX);
	if (options->mode == RUN_RATE || (options->mode == RUN_REPLAY && options->rate != 0)) {
		config->schedule = schedule_rate(options->rate);
	} else if (options->mode == RUN_REPLAY) {
		config->schedule = schedule_times(
			input->timeline.times_ns, input->timeline.queries.count, options->speed);
	}
	if (options->mode == RUN_RAMP) {
		config->schedule = schedule_ramp(options->rate_max, to_ns(options->ramp_s));
		config->repeats = 0;
		config->length_ns = to_ns(options->ramp_s + options->hold_s);
		config->interval_ns = to_ns(options->interval_s);
		config->behind_max = (uint32_t)fmin(options->behind_max, UINT32_MAX);
		config->ends_crowded = true;
	}
}

/* Clears what the last line may have had more. */
#define LINE_END "\x1b[K"

static void show_progress(void *context, const struct run_progress *progress)
{
	bool *is_shown = context;
	double left_s = progress->done > 0
				? (double)progress->elapsed_ns * (1 / progress->done - 1) /
					  (double)NOW_NS_A_SECOND
				: 0;

	fprintf(stderr, "\r%4.0f s", (double)progress->elapsed_ns / (double)NOW_NS_A_SECOND);
	if (progress->done >= 0) {
		fprintf(stderr, " %3.0f %%, %.0f s left", 100 * progress->done, left_s);
	}
	if (progress->offered_rate > 0) {
		fprintf(stderr, ": %.0f offered", progress->offered_rate);
	} else {
		fprintf(stderr, ": %.0f sent", progress->sent_rate);
	}
	fprintf(stderr, ", %.0f answers a second, %.0f lost" LINE_END, progress->answered_rate,
		(double)progress->lost);
	fflush(stderr);
	*is_shown = true;
}

/* A line of -S, as dnsperf writes it. */
static void show_stats(void *context, const struct run_progress *progress)
{
	double now_s = (double)clock_wall_ns() / (double)NOW_NS_A_SECOND;

	fprintf(context, "%.6f: %.6f\n", now_s, progress->answered_rate);
	fflush(context);
}

/* Where lines about queries and seconds go: an object of JSON on standard output is not to be mixed with them. */
static FILE *lines_of(const struct bench_options *options)
{
	return options->json ? stderr : stdout;
}

/* On a terminal a trial leaves a line, over that of its progress. */
static void show_trial(void *context, const struct run_point *point)
{
	(void)context;
	fprintf(stderr, "\r%10.0f a second: %.3f %% lost, p99 %.0f us%s" LINE_END "\n",
		point->offered,
		point->sent == 0 ? 0 : 100.0 * (double)point->lost / (double)point->sent,
		(double)point->latency_p99_ns / 1e3,
		point->is_tool_bound ? " (the tool was the limit)" : "");
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

static int fail(const struct bench_options *options, const char *what, const char *why)
{
	fprintf(stderr, "saker: bench %s: %s%s%s\n", run_mode_text(options->mode), what,
		why == NULL ? "" : ": ", why == NULL ? "" : why);
	return APPS_EXIT_FAIL;
}

static int write_plot(const struct bench_options *options, const struct run_config *config,
	const struct run_result *result)
{
	FILE *file = fopen(options->plot, "we");

	if (file == NULL) {
		return fail(options, options->plot, strerror(errno));
	}
	bool is_written = ramp_plot(file, &config->schedule, result);
	if (fclose(file) != 0 || !is_written) {
		return fail(options, options->plot, strerror(errno));
	}
	return APPS_EXIT_OK;
}

static int write_page(const struct bench_options *options, const struct run_config *config,
	const struct run_result *result)
{
	FILE *file = fopen(options->html, "we");

	if (file == NULL) {
		return fail(options, options->html, strerror(errno));
	}
	bool is_written = report_html(file, config, result);
	if (fclose(file) != 0 || !is_written) {
		return fail(options, options->html, "could not be written");
	}
	return APPS_EXIT_OK;
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
		return fail(options, "the report could not be written", NULL);
	}
	if (options->plot != NULL && write_plot(options, config, result) != APPS_EXIT_OK) {
		return APPS_EXIT_FAIL;
	}
	if (options->html != NULL && write_page(options, config, result) != APPS_EXIT_OK) {
		return APPS_EXIT_FAIL;
	}
	if (result->tally.answered == 0) {
		explain_silence(config, &result->tally);
		return APPS_EXIT_FAIL;
	}
	return APPS_EXIT_OK;
}

static enum status search(const struct bench_options *options, const struct run_config *config,
	struct run_result *out)
{
	struct rate_search_config search = {.goals = {.loss = options->loss_goal_percent / 100,
						    .p50_ns = to_ns(options->p50_goal_s),
						    .p99_ns = to_ns(options->p99_goal_s),
						    .p99_9_ns = to_ns(options->p99_9_goal_s)},
		.from = options->rate_from,
		.to = options->rate_to,
		.resolution = options->resolution_percent / 100,
		.trial_ns = to_ns(options->trial_s),
		.confirm_ns = to_ns(options->confirm_s),
		.confirmations = (uint32_t)options->confirmations,
		.trial = config->progress == show_progress ? show_trial : NULL};

	return rate_search_run(config, &search, out);
}

static enum status load(const struct bench_options *options, const struct run_config *config,
	struct sweep_config *sweep, struct run_result *out)
{
	enum status status;

	switch (options->mode) {
	case RUN_SWEEP:
		sweep->trial_ns = to_ns(options->seconds);
		sweep->trial = config->progress == show_progress ? show_trial : NULL;
		return sweep_run(config, sweep, out);
	case RUN_SEARCH:
		return search(options, config, out);
	case RUN_RAMP:
		status = run_load(config, out);
		return status == STATUS_OK ? ramp_points(out, options->loss_percent / 100) : status;
	case RUN_CLOSED:
	case RUN_RATE:
	case RUN_REPLAY:
	case RUN_MODES:
	default:
		return run_load(config, out);
	}
}

/* Asks the other server each query once; what it answers is expected. */
static bool learn_answers(const struct bench_options *options, const struct run_config *config,
	struct answerbook *book)
{
	static struct run_result result; /* nearly a megabyte: not for the stack */
	struct run_config other = *config;
	const char *why;

	if (!lookup_server(options->against, (uint16_t)options->port, options->family,
		    &other.server, &why)) {
		fprintf(stderr, "saker: --against '%s': %s\n", options->against, why);
		return false;
	}
	other.mode = RUN_CLOSED;
	other.schedule = schedule_closed();
	other.repeats = 1;
	other.length_ns = 0;
	other.in_flight = AGAINST_IN_FLIGHT;
	other.socket_count = 1;
	other.thread_count = 1;
	other.ends_crowded = false;
	other.behind_max = 0;
	other.judge = NULL;
	other.learn = book;
	other.rate_max = 0;
	other.port_first = 0;
	other.told = NULL;
	other.progress = NULL;
	answerbook_expect_none(book);
	enum status status = run_load(&other, &result);
	bool is_learned =
		status == STATUS_OK && result.tally.answered != 0 && result.end != RUN_INTERRUPTED;
	if (status != STATUS_OK) {
		fail(options, status_text(status), status == STATUS_IO ? strerror(errno) : NULL);
	} else if (result.tally.answered == 0) {
		explain_silence(&other, &result.tally);
	} else if (result.end == RUN_INTERRUPTED) {
		fail(options, "ended while --against was asked", NULL);
	}
	run_result_fini(&result);
	return is_learned;
}

/* What is expected of the answers, if anything: *book is then to be undone. False: why went to standard error. */
static bool expect_answers(
	const struct bench_options *options, struct run_config *config, struct answerbook *book)
{
	struct diag_sink sink = {.report = diag_print, .context = stderr};

	if (options->check == NULL && options->against == NULL) {
		return true;
	}
	enum status status = answerbook_init(book, config->queries->count);
	if (status == STATUS_OK && options->check != NULL) {
		status = checkfile_read(options->check, config->queries, &sink, book);
	}
	if (status != STATUS_OK) {
		if (status != STATUS_REFUSED) {
			fail(options, status_text(status), NULL);
		}
		return false;
	}
	config->judge = book;
	return options->against == NULL || learn_answers(options, config, book);
}

static int load_and_tell(
	const struct bench_options *options, struct run_config *config, struct sweep_config *sweep)
{
	static struct run_result result; /* nearly a megabyte: not for the stack */
	bool is_shown = false;
	const struct answerline line = {
		.out = lines_of(options), .hides_lost = options->hides_lost};

	config->told = options->verbose ? &line : NULL;
	if (options->stats_s != 0) {
		config->progress = show_stats;
		config->progress_ns = to_ns(options->stats_s);
		config->progress_context = lines_of(options);
	} else if (options->live && isatty(STDOUT_FILENO) != 0) {
		bench_live_begin(config);
	} else if (isatty(STDERR_FILENO) != 0 && !options->warns_on_stdout && !options->verbose) {
		config->progress = show_progress;
		config->progress_context = &is_shown;
	}
	enum status status = load(options, config, sweep, &result);
	bench_live_end();
	if (is_shown) {
		fputc('\n', stderr);
	}
	int exit_status;
	if (status == STATUS_OK) {
		exit_status = tell(options, config, &result);
	} else if (status == STATUS_IO && errno == EADDRINUSE && options->port_first != 0) {
		fprintf(stderr, "saker: -x %.0f: a local port is in use\n", options->port_first);
		exit_status = APPS_EXIT_FAIL;
	} else if (status == STATUS_IO && errno == EADDRNOTAVAIL && options->sources != NULL) {
		fprintf(stderr, "saker: --source '%s': not this machine's\n", options->sources);
		exit_status = APPS_EXIT_FAIL;
	} else {
		exit_status = fail(
			options, status_text(status), status == STATUS_IO ? strerror(errno) : NULL);
	}
	run_result_fini(&result);
	return exit_status;
}

int bench_load(enum run_mode mode, int argc, char **argv)
{
	static struct sweep_config sweep; /* eight kilobytes, zero */
	static struct source_set sources; /* seven */
	struct run_config config = {0};
	struct bench_options options;
	struct bench_input input;
	struct answerbook book = {0};
	const char *why;

	switch (bench_options_parse(mode, argc, argv, &options)) {
	case BENCH_OPTIONS_HELP:
		return APPS_EXIT_OK;
	case BENCH_OPTIONS_BAD:
		return APPS_EXIT_USAGE;
	case BENCH_OPTIONS_OK:
	default:
		break;
	}
	if (options.warns_on_stdout && dup2(STDOUT_FILENO, STDERR_FILENO) < 0) {
		return APPS_EXIT_FAIL;
	}
	if (mode == RUN_SWEEP && !list_rates(&options, &sweep)) {
		return APPS_EXIT_USAGE;
	}
	if (!lookup_server(
		    options.server, (uint16_t)options.port, options.family, &config.server, &why)) {
		fprintf(stderr, "saker: --server '%s': %s\n", options.server, why);
		return APPS_EXIT_FAIL;
	}
	if (options.sources != NULL &&
		!source_set_parse(
			options.sources, (enum addr_family)config.server.family, &sources, &why)) {
		fprintf(stderr, "saker: --source '%s': %s\n", options.sources, why);
		return APPS_EXIT_FAIL;
	}
	if (!bench_input_read(&options, &input)) {
		return APPS_EXIT_FAIL;
	}
	set_config(&options, &input, &config);
	set_room(&options, top_rate(&options, &config, &sweep), &config);
	if (options.port_first + config.socket_count > UINT16_MAX + 1u) {
		fprintf(stderr,
			"saker: -x %.0f: no port above 65535 for the last of %u sockets (-c, -T)\n",
			options.port_first, config.socket_count);
		bench_input_fini(&input);
		return APPS_EXIT_USAGE;
	}
	config.queries = &input.timeline.queries;
	config.sources = options.sources == NULL ? NULL : &sources;
	int exit_status = expect_answers(&options, &config, &book)
				  ? load_and_tell(&options, &config, &sweep)
				  : APPS_EXIT_FAIL;
	answerbook_fini(&book);
	bench_input_fini(&input);
	return exit_status;
}
