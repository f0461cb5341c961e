/* recipe_drain.c - what a loop brings, and what it takes from a neighbour. */
#include "loadgen/recipe_drain.h"

#include "base/now.h"
#include "loadgen/flow_udp.h"
#include "loadgen/recipe_responder.h"
#include "loadgen/recipe_stage.h"
#include "os/child.h"

#define BOUND        100u /* what the thread of 2006 suggested */
#define IN_FLIGHT    100u
#define FLOOD_FLIGHT 2000u /* enough that the neighbour's queue is never empty */
#define QUIET_RATE   500.0 /* queries a second at the quiet socket: few beside the flood */
#define TIMEOUT_NS   NOW_NS_A_SECOND
#define QUERY_COUNT  1000u

static const struct {
	const char *name;
	uint32_t bound;
} habits[] = {
	{"one a wake-up", 1},
	{"up to 100", BOUND},
	{"until empty", RECIPE_RESPONDER_DRAIN},
};

#define HABIT_COUNT (sizeof(habits) / sizeof(habits[0]))

static bool write_queries(struct recipe_stage *stage)
{
	FILE *queries = recipe_stage_create(stage, "queries");

	if (queries == NULL) {
		return false;
	}
	for (uint32_t i = 0; i < QUERY_COUNT; i++) {
		fprintf(queries, "host%u.example A\n", i);
	}
	return fclose(queries) == 0 && recipe_stage_read_queries(stage, "queries");
}

static struct run_config closed(const struct recipe_options *options, const struct addr *server)
{
	return (struct run_config){.mode = RUN_CLOSED,
		.server = *server,
		.kind = &flow_udp,
		.length_ns = (uint64_t)(options->seconds * (double)NOW_NS_A_SECOND),
		.timeout_ns = TIMEOUT_NS,
		.in_flight = IN_FLIGHT,
		.socket_count = 1,
		.thread_count = 1};
}

static bool measure_speed(
	struct recipe_stage *stage, const struct recipe_options *options, uint32_t process_count)
{
	struct recipe_rounds rounds[HABIT_COUNT] = {{.count = 0}};

	for (uint32_t round = 0; round < options->rounds; round++) {
		for (size_t i = 0; i < HABIT_COUNT; i++) {
			struct recipe_responder responder;
			bool is_done = recipe_responder_start(
				&responder, 1, process_count, habits[i].bound);
			if (is_done) {
				struct run_config config = closed(options, &responder.servers[0]);
				is_done = recipe_stage_wait(stage, &responder.servers[0]) &&
					  recipe_stage_measure(stage, &config, &rounds[i]);
			}
			recipe_responder_end(&responder);
			if (!is_done) {
				return false;
			}
		}
	}
	for (size_t i = 0; i < HABIT_COUNT; i++) {
		struct recipe_figure figure = recipe_stage_median(&rounds[i]);
		fprintf(options->out, "  %-14s %2u %10.0f %16.2f%s\n", habits[i].name,
			process_count, figure.rate, figure.server_us,
			figure.is_tool_bound ? "  the tool was the limit" : "");
	}
	return true;
}

/* In a child: floods one socket until it is ended. */
struct flood {
	struct run_config config;
	struct queryfile queries;
};

static void run_flood(void *context)
{
	static struct run_result result; /* nearly a megabyte: not for the stack */
	struct flood *flood = context;

	flood->config.queries = &flood->queries;
	enum status status = run_load(&flood->config, &result);
	(void)status; /* the quiet socket's figures tell whether there was a flood */
}

static bool measure_fairness(
	struct recipe_stage *stage, const struct recipe_options *options, size_t habit)
{
	struct recipe_responder responder;
	struct recipe_rounds rounds = {.count = 0};

	bool is_done = recipe_responder_start(&responder, 2, 1, habits[habit].bound) &&
		       recipe_stage_wait(stage, &responder.servers[1]);
	if (is_done) {
		struct flood flood = {.config = closed(options, &responder.servers[0]),
			.queries = stage->queries};
		flood.config.length_ns = 0;
		flood.config.in_flight = FLOOD_FLIGHT;
		struct run_config quiet = closed(options, &responder.servers[1]);
		quiet.mode = RUN_RATE;
		quiet.schedule = schedule_rate(QUIET_RATE);
		quiet.in_flight = FLOOD_FLIGHT;
		pid_t pid = child_fork(run_flood, &flood);
		is_done = pid > 0 && recipe_stage_measure(stage, &quiet, &rounds);
		if (pid > 0) {
			child_end(pid);
		}
	}
	recipe_responder_end(&responder);
	if (is_done) {
		struct recipe_figure figure = recipe_stage_median(&rounds);
		fprintf(options->out, "  %-14s %13.0f %10.0f %9.3f%%%s\n", habits[habit].name,
			(double)figure.p50_ns / 1e3, (double)figure.p99_ns / 1e3,
			100 * figure.lost_part,
			figure.is_tool_bound ? "  the tool was the limit" : "");
	}
	return is_done;
}

int recipe_drain(const struct recipe_options *options)
{
	struct recipe_stage stage;

	fprintf(options->out,
		"drain-2006: a server that select()s and reads datagrams one by one\n"
		"  then (NSD 2.3.4), answers/s            one a wake-up   until empty\n"
		"  localhost, Linux 2.4                          39,000        48,000\n"
		"  gigabit, Linux 2.6, one process               43,000        49,000\n"
		"  gigabit, Linux 2.6, two processes             50,000        55,000\n"
		"  %-14s %2s %10s %16s\n",
		"now", "processes", "answers/s", "server us/answer");
	if (!recipe_stage_open(&stage)) {
		return 1;
	}
	bool is_done = write_queries(&stage) && measure_speed(&stage, options, 1) &&
		       measure_speed(&stage, options, 2);
	if (is_done) {
		fprintf(options->out,
			"  a quiet socket beside a flooded one, %.0f queries a second\n"
			"  %-14s %13s %10s %10s\n",
			QUIET_RATE, "", "p50 us", "p99 us", "lost");
	}
	for (size_t i = 0; is_done && i < HABIT_COUNT; i++) {
		is_done = measure_fairness(&stage, options, i);
	}
	recipe_stage_close(&stage);
	return is_done ? 0 : 1;
}
