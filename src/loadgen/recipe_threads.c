/* recipe_threads.c - each resolver afresh with each number of workers: first all names once, then some again, and at
 * last some at a rate that rises, as resperf does.
 */
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

/* The ramp ends at so many times the rate at which the closed loop was answered: beyond what can be answered, wherever
 * that is, and soon there. It takes so many times as long as another measurement.
 */
#define RAMP_TOP        2.0
#define RAMP_TIMES      2u
#define RAMP_RATE_MIN   1000.0
#define RAMP_INTERVALS  20u
#define RAMP_IN_FLIGHT  65536u /* and behind: resperf's own limits */
#define RAMP_BEHIND_MAX 1000u
/* More than what a moment without a processor costs, less than what a full queue does. A guess. */
#define RAMP_LOSS_MAX 0.01

static const uint32_t workers[] = {1, 2, 4, 8};

#define WORKERS_COUNT (sizeof(workers) / sizeof(workers[0]))

/* What one process is asked, in this order. */
static const struct {
	const char *name;
	const char *file;
	enum recipe_reverse_spread spread;
	bool is_cold;
	bool is_ramp;
} phases[] = {
	{"cold", "cold", RECIPE_REVERSE_ONCE, true, false},
	{"warm", "warm", RECIPE_REVERSE_ZIPF, false, false},
	{"pruned", "pruned", RECIPE_REVERSE_PRUNED, false, false},
	{"ramp", "pruned", RECIPE_REVERSE_PRUNED, false, true},
};

#define PHASE_COUNT (sizeof(phases) / sizeof(phases[0]))
#define BEFORE_RAMP (PHASE_COUNT - 2)
#define TURN_COUNT  (WORKERS_COUNT * RECIPE_RESOLVER_KINDS)

/* What the turns have in common. */
struct turns {
	struct addr upstream;
	bool is_left_out[TURN_COUNT]; /* it did not answer once */
};

static struct recipe_key key_of(uint32_t kind, size_t workers_idx, size_t phase)
{
	return (struct recipe_key){.subject = recipe_resolver_name(kind),
		.setting = phases[phase].name,
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

/* What is common to all measurements of a resolver. */
static struct run_config config_of(const struct recipe_peer *resolver)
{
	return (struct run_config){.mode = RUN_CLOSED,
		.server = resolver->server,
		.kind = &flow_udp,
		.timeout_ns = TIMEOUT_NS,
		.in_flight = IN_FLIGHT,
		.socket_count = SOCKETS,
		.thread_count = 1};
}

/* top: the rate at its end */
static struct run_config ramp_of(const struct recipe_peer *resolver, double top, uint64_t length_ns)
{
	struct run_config config = config_of(resolver);

	config.mode = RUN_RAMP;
	config.schedule = schedule_ramp(top < RAMP_RATE_MIN ? RAMP_RATE_MIN : top, length_ns);
	config.length_ns = length_ns;
	config.interval_ns = length_ns / RAMP_INTERVALS;
	config.in_flight = RAMP_IN_FLIGHT;
	config.ends_crowded = true;
	config.behind_max = RAMP_BEHIND_MAX;
	return config;
}

/* At which rate the closed loop was answered in the last round. */
static double last_rate(const struct recipe_stage *stage, uint32_t kind, size_t workers_idx)
{
	const struct recipe_key key = key_of(kind, workers_idx, BEFORE_RAMP);
	const struct recipe_row *row = recipe_sheet_find(&stage->sheet, &key);

	return row == NULL ? 0 : row->rounds[row->count - 1].rate;
}

static bool measure(struct recipe_stage *stage, const struct recipe_peer *resolver, uint32_t kind,
	size_t workers_idx)
{
	uint64_t length_ns = (uint64_t)(stage->options->seconds * (double)NOW_NS_A_SECOND);

	for (size_t i = 0; i < PHASE_COUNT; i++) {
		const struct recipe_key key = key_of(kind, workers_idx, i);
		struct run_config config = config_of(resolver);
		bool is_done = recipe_stage_read_queries(stage, phases[i].file);
		if (is_done && phases[i].is_ramp) {
			config = ramp_of(resolver, RAMP_TOP * last_rate(stage, kind, workers_idx),
				RAMP_TIMES * length_ns);
			is_done = recipe_stage_ramp(stage, &config, RAMP_LOSS_MAX, &key);
		} else if (is_done) {
			config.repeats = phases[i].is_cold ? 1 : 0;
			config.length_ns = phases[i].is_cold ? COLD_TIMES * length_ns : length_ns;
			is_done = recipe_stage_measure(stage, &config, &key);
		}
		if (!is_done) {
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

	fprintf(out, "  %-8s %7u", recipe_resolver_name(kind), workers[workers_idx]);
	for (size_t i = 0; i < PHASE_COUNT; i++) {
		const struct recipe_key key = key_of(kind, workers_idx, i);
		struct recipe_figure figure = recipe_sheet_median(recipe_sheet_find(sheet, &key));
		double a_cpu_second = figure.server_us > 0 ? US_A_SECOND / figure.server_us : 0;
		fprintf(out, " %8.0f%c", figure.rate, figure.is_tool_bound ? '*' : ' ');
		if (!phases[i].is_ramp) {
			fprintf(out, " %9.0f", a_cpu_second);
			lost = figure.lost_part > lost ? figure.lost_part : lost;
		}
		errors = figure.error_part > errors ? figure.error_part : errors;
	}
	if (lost >= NOTABLE_PART) {
		fprintf(out, "  lost up to %.1f%%", 100 * lost);
	}
	if (errors >= NOTABLE_PART) {
		fprintf(out, "  errors up to %.1f%%", 100 * errors);
	}
	fputc('\n', out);
}

static void print(FILE *out, const struct recipe_sheet *sheet)
{
	fprintf(out,
		"  now: answers a second, and a second of the resolver's processor time; ramp: the "
		"highest rate before %.0f %% is lost;\n"
		"  * the tool was the limit\n"
		"  %-8s %7s %19s %19s %19s %9s\n  %-8s %7s",
		100 * RAMP_LOSS_MAX, "", "", "cold ", "warm ", "warm, pruned ", "ramp ", "",
		"workers");
	for (size_t i = 0; i < PHASE_COUNT - 1; i++) {
		fprintf(out, " %9s %9s", "wall ", "processor");
	}
	fprintf(out, " %9s\n", "wall ");
	for (uint32_t kind = 0; kind < RECIPE_RESOLVER_KINDS; kind++) {
		for (size_t w = 0; w < WORKERS_COUNT && recipe_resolver_name(kind) != NULL; w++) {
			const struct recipe_key key = key_of(kind, w, 0);
			if (recipe_sheet_find(sheet, &key) != NULL) {
				print_line(out, sheet, kind, w);
			}
		}
	}
}

static const struct recipe_then_figure figures[] = {
	{"BIND 9.4.1", "warm, more than", "answers/s", 120000, 0},
	{NULL, NULL, NULL, 0, 0},
};

static const char *const remarks[] = {
	"no gain beyond 4 worker threads; FreeBSD 7.0 about 60 % above 6.2",
	NULL,
};

const struct recipe recipe_threads = {
	.name = "threads-2007",
	.asked = "does recursion scale with threads?",
	.today = "recursion, 1 to 8 workers, PTR queries from 256 ports; 65,536 names are all the "
		 "Internet",
	.then = {.how = "8 Opteron cores, resperf, a web server's access log",
		.figures = figures,
		.remarks = remarks},
	.run = run,
	.print = print,
};
