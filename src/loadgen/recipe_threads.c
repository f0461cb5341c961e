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
#define TURN_COUNT  (WORKERS_COUNT * RECIPE_RESOLVER_KINDS)

/* What the turns have in common. */
struct turns {
	struct addr upstream;
	bool is_left_out[TURN_COUNT]; /* it did not answer once */
};

static struct recipe_key key_of(uint32_t kind, size_t workers_idx, size_t phase)
{
	return (struct recipe_key){.subject = recipe_resolver_name(kind),
		.setting = phases[phase].file,
		.number_name = "workers",
		.number = workers[workers_idx]};
}

static bool write_files(struct recipe_stage *stage)
{
	bool is_written = recipe_reverse_zone(stage, "zone", true);

	for (size_t i = 0; i < PHASE_COUNT && is_written; i++) {
		is_written = recipe_reverse_queries(stage, phases[i].file, phases[i].spread);
	}
	return is_written;
}

static bool measure(struct recipe_stage *stage, const struct recipe_peer *resolver, uint32_t kind,
	size_t workers_idx)
{
	uint64_t length_ns = (uint64_t)(stage->options->seconds * (double)NOW_NS_A_SECOND);

	for (size_t i = 0; i < PHASE_COUNT; i++) {
		const struct recipe_key key = key_of(kind, workers_idx, i);
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
			!recipe_stage_measure(stage, &config, &key)) {
			return false;
		}
	}
	return true;
}

/* A resolver with a number of workers. */
static bool take_turn(struct recipe_stage *stage, void *context, uint32_t i)
{
	struct turns *turns = context;
	uint32_t kind = i % RECIPE_RESOLVER_KINDS;
	size_t workers_idx = i / RECIPE_RESOLVER_KINDS;
	struct recipe_peer resolver;

	if (turns->is_left_out[i] || recipe_resolver_name(kind) == NULL) {
		return true;
	}
	if (!recipe_resolver_start(stage, kind, workers[workers_idx], RECIPE_REVERSE_ZONE,
		    &turns->upstream, &resolver)) {
		turns->is_left_out[i] = true;
		return kind != 0 && !stage->is_interrupted; /* saker itself has to answer */
	}
	bool is_measured = measure(stage, &resolver, kind, workers_idx);
	recipe_resolver_end(&resolver);
	return is_measured;
}

static bool run(struct recipe_stage *stage)
{
	const struct recipe_zone zone = {
		.name = RECIPE_REVERSE_ZONE, .file = "zone", .workers = UPSTREAM_COUNT};
	struct recipe_peers upstream = {.count = 0};
	struct turns turns = {.is_left_out = {false}};
	bool is_done = write_files(stage) && recipe_stage_read_queries(stage, phases[0].file) &&
		       recipe_peer_start_own(stage, &zone, &upstream);

	if (is_done) {
		turns.upstream = upstream.items[0].server;
		is_done = recipe_stage_turns(stage, TURN_COUNT, PHASE_COUNT, take_turn, &turns);
	}
	recipe_peer_end_all(&upstream);
	return is_done;
}

static void print_line(
	FILE *out, const struct recipe_sheet *sheet, uint32_t kind, size_t workers_idx)
{
	double lost = 0;
	double errors = 0;
	bool is_tool_bound = false;

	fprintf(out, "  %-8s %7u", recipe_resolver_name(kind), workers[workers_idx]);
	for (size_t i = 0; i < PHASE_COUNT; i++) {
		const struct recipe_key key = key_of(kind, workers_idx, i);
		struct recipe_figure figure = recipe_sheet_median(recipe_sheet_find(sheet, &key));
		double a_cpu_second = figure.server_us > 0 ? US_A_SECOND / figure.server_us : 0;
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

static void print(FILE *out, const struct recipe_sheet *sheet)
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
		for (size_t w = 0; w < WORKERS_COUNT && recipe_resolver_name(kind) != NULL; w++) {
			const struct recipe_key key = key_of(kind, w, 0);
			if (recipe_sheet_find(sheet, &key) != NULL) {
				print_line(out, sheet, kind, w);
			}
		}
	}
}

static const char *const remarks[] = {
	"no gain beyond 4 worker threads; over 120,000 answers a second from a warm cache, and not "
	"at the limit",
	"FreeBSD 7.0 about 60 % above 6.2",
	NULL,
};

const struct recipe recipe_threads = {
	.name = "threads-2007",
	.asked = "does recursion scale with threads?",
	.today = "recursion, 1 to 8 workers, PTR queries from 256 ports; 65,536 names are all the "
		 "Internet",
	.then = {.how = "BIND 9.4.1, 8 Opteron cores, resperf, a web server's access log",
		.remarks = remarks},
	.run = run,
	.print = print,
};
