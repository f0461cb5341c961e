/* recipe_threads.c - each resolver afresh with each number of workers: first all names once, then some again. */
#include "loadgen/recipe_threads.h"

#include "base/now.h"
#include "loadgen/flow_udp.h"
#include "loadgen/recipe_peer.h"
#include "loadgen/recipe_resolver.h"
#include "loadgen/recipe_reverse.h"

#define SOCKETS        256u /* source ports: enough to reach each of eight sockets evenly */
#define IN_FLIGHT      256u /* about what a receive buffer holds that nobody enlarged */
#define TIMEOUT_NS     (2 * NOW_NS_A_SECOND)
#define UPSTREAM_COUNT 2u  /* workers of the Internet */
#define COLD_TIMES     10u /* the cold list may take so much longer than a measurement */
#define US_A_SECOND    1e6
#define NOTABLE_PART   0.001 /* of queries lost or answered with an error: is told */

static const uint32_t workers[] = {1, 2, 4, 8};

#define WORKERS_COUNT (sizeof(workers) / sizeof(workers[0]))

/* What one process is asked, in this order. */
static const struct {
	const char *file;
	enum recipe_reverse_spread spread;
	bool is_cold;
} phases[] = {
	{"cold", RECIPE_REVERSE_ONCE, true},
	{"warm", RECIPE_REVERSE_ZIPF, false},
	{"pruned", RECIPE_REVERSE_PRUNED, false},
};

#define PHASE_COUNT (sizeof(phases) / sizeof(phases[0]))

/* One line of the table. */
struct line {
	bool is_left_out; /* it did not answer once */
	struct recipe_rounds rounds[PHASE_COUNT];
};

struct table {
	struct line lines[WORKERS_COUNT][RECIPE_RESOLVER_KINDS];
};

static bool write_files(const struct recipe_stage *stage)
{
	bool is_written = recipe_reverse_zone(stage, "zone", true);

	for (size_t i = 0; i < PHASE_COUNT && is_written; i++) {
		is_written = recipe_reverse_queries(stage, phases[i].file, phases[i].spread);
	}
	return is_written;
}

static bool measure(struct recipe_stage *stage, const struct recipe_options *options,
	const struct recipe_peer *resolver, struct line *line)
{
	uint64_t length_ns = (uint64_t)(options->seconds * (double)NOW_NS_A_SECOND);

	for (size_t i = 0; i < PHASE_COUNT; i++) {
		const struct run_config config = {.mode = RUN_CLOSED,
			.server = resolver->server,
			.kind = &flow_udp,
			.repeats = phases[i].is_cold ? 1 : 0,
			.length_ns = phases[i].is_cold ? COLD_TIMES * length_ns : length_ns,
			.timeout_ns = TIMEOUT_NS,
			.in_flight = IN_FLIGHT,
			.socket_count = SOCKETS,
			.thread_count = 1};
		if (!recipe_stage_read_queries(stage, phases[i].file) ||
			!recipe_stage_measure(stage, &config, &line->rounds[i])) {
			return false;
		}
	}
	return true;
}

/* errors  false: saker does not answer, a measurement could not be made, or Ctrl-C */
static bool turn(struct recipe_stage *stage, const struct recipe_options *options,
	const struct addr *upstream, uint32_t kind, uint32_t worker_count, struct line *line)
{
	struct recipe_peer resolver;

	if (line->is_left_out || recipe_resolver_name(kind) == NULL) {
		line->is_left_out = true;
		return true;
	}
	if (!recipe_resolver_start(
		    stage, kind, worker_count, RECIPE_REVERSE_ZONE, upstream, &resolver)) {
		line->is_left_out = true;
		return kind != 0 && !stage->is_interrupted;
	}
	bool is_measured = measure(stage, options, &resolver, line);
	recipe_resolver_end(&resolver);
	return is_measured;
}

static bool ask_all(struct recipe_stage *stage, const struct recipe_options *options,
	const struct addr *upstream, struct table *table)
{
	for (uint32_t round = 0; round < options->rounds; round++) {
		for (size_t w = 0; w < WORKERS_COUNT; w++) {
			for (uint32_t kind = 0; kind < RECIPE_RESOLVER_KINDS; kind++) {
				if (!turn(stage, options, upstream, kind, workers[w],
					    &table->lines[w][kind])) {
					return false;
				}
			}
		}
	}
	return true;
}

static void print_line(FILE *out, const char *name, uint32_t worker_count, const struct line *line)
{
	double lost = 0;
	double errors = 0;
	bool is_tool_bound = false;

	fprintf(out, "  %-8s %7u", name, worker_count);
	for (size_t i = 0; i < PHASE_COUNT; i++) {
		struct recipe_figure figure = recipe_stage_median(&line->rounds[i]);
		double server_us = recipe_stage_median_us(&line->rounds[i]);
		double a_cpu_second = server_us > 0 ? US_A_SECOND / server_us : 0;
		fprintf(out, " %9.0f %9.0f", figure.rate, a_cpu_second);
		lost = figure.lost_part > lost ? figure.lost_part : lost;
		errors = figure.error_part > errors ? figure.error_part : errors;
		is_tool_bound |= figure.is_tool_bound;
	}
	if (lost >= NOTABLE_PART) {
		fprintf(out, "  lost up to %.1f%%", 100 * lost);
	}
	if (errors >= NOTABLE_PART) {
		fprintf(out, "  errors up to %.1f%%", 100 * errors);
	}
	fprintf(out, "%s\n", is_tool_bound ? "  *" : "");
}

static void print_table(FILE *out, const struct table *table)
{
	fprintf(out,
		"  now: answers a second, and a second of the resolver's processor time; * the "
		"tool was the limit\n"
		"  %-8s %7s %19s %19s %19s\n  %-8s %7s",
		"", "", "cold", "warm", "warm, pruned", "", "workers");
	for (size_t i = 0; i < PHASE_COUNT; i++) {
		fprintf(out, " %9s %9s", "wall", "processor");
	}
	fputc('\n', out);
	for (uint32_t kind = 0; kind < RECIPE_RESOLVER_KINDS; kind++) {
		for (size_t w = 0; w < WORKERS_COUNT; w++) {
			const struct line *line = &table->lines[w][kind];
			if (!line->is_left_out) {
				print_line(out, recipe_resolver_name(kind), workers[w], line);
			}
		}
	}
}

int recipe_threads(const struct recipe_options *options)
{
	const struct recipe_zone zone = {
		.name = RECIPE_REVERSE_ZONE, .file = "zone", .workers = UPSTREAM_COUNT};
	static struct table table; /* tens of kilobytes: not for the stack */
	struct recipe_stage stage;
	struct recipe_peers upstream = {.count = 0};

	fputs("threads-2007: recursion, 1 to 8 workers, PTR queries from 256 ports; 65,536 "
	      "names are all the Internet\n"
	      "  then (BIND 9.4.1, 8 Opteron cores, resperf, a web server's access log):\n"
	      "  no gain beyond 4 worker threads; over 120,000 answers a second from a warm "
	      "cache,\n"
	      "  and not at the limit; FreeBSD 7.0 about 60 % above 6.2\n",
		options->out);
	fflush(options->out);
	if (!recipe_stage_open(&stage)) {
		return 1;
	}
	bool is_done = write_files(&stage) && recipe_stage_read_queries(&stage, phases[0].file) &&
		       recipe_peer_start_own(&stage, &zone, &upstream) &&
		       ask_all(&stage, options, &upstream.items[0].server, &table);
	if (is_done) {
		print_table(options->out, &table);
	}
	recipe_peer_end_all(&upstream);
	recipe_stage_close(&stage);
	return is_done ? 0 : 1;
}
