/* recipe_drain.c - what a loop brings, and what it takes from a neighbour. */
#include "loadgen/recipe_drain.h"

#include <errno.h>
#include <string.h>

#include "base/now.h"
#include "loadgen/flow_udp.h"
#include "loadgen/recipe_responder.h"
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

#define HABIT_COUNT   (sizeof(habits) / sizeof(habits[0]))
#define PROCESSES_MAX 2u

/* Turns: each habit with one process, with two, and beside a flooded neighbour. */
#define SPEED_TURNS (HABIT_COUNT * PROCESSES_MAX)
#define TURN_COUNT  (SPEED_TURNS + HABIT_COUNT)

static struct recipe_key key_of(uint32_t turn)
{
	const char *name = habits[turn % HABIT_COUNT].name;

	if (turn >= SPEED_TURNS) {
		return (struct recipe_key){.subject = name, .setting = "beside a flood"};
	}
	return (struct recipe_key){
		.subject = name, .number_name = "processes", .number = 1 + turn / HABIT_COUNT};
}

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

static bool measure_speed(struct recipe_stage *stage, const struct recipe_responder *responder,
	const struct recipe_key *key)
{
	struct run_config config = closed(stage->options, &responder->servers[0]);

	return recipe_stage_wait(stage, key->subject, responder->pids[0], &responder->servers[0]) &&
	       recipe_stage_measure(stage, &config, key);
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

static bool measure_fairness(struct recipe_stage *stage, const struct recipe_responder *responder,
	const struct recipe_key *key)
{
	if (!recipe_stage_wait(stage, key->subject, responder->pids[0], &responder->servers[1])) {
		return false;
	}
	struct flood flood = {.config = closed(stage->options, &responder->servers[0]),
		.queries = stage->queries};
	flood.config.length_ns = 0;
	flood.config.in_flight = FLOOD_FLIGHT;
	struct run_config quiet = closed(stage->options, &responder->servers[1]);
	quiet.mode = RUN_RATE;
	quiet.schedule = schedule_rate(QUIET_RATE);
	quiet.in_flight = FLOOD_FLIGHT;
	pid_t pid = child_fork(run_flood, &flood);
	if (pid <= 0) {
		return recipe_stage_complain(stage, "the flood", strerror(errno));
	}
	bool is_done = recipe_stage_measure(stage, &quiet, key);
	child_end(pid);
	return is_done;
}

static bool take_turn(struct recipe_stage *stage, void *context, uint32_t i)
{
	const struct recipe_key key = key_of(i);
	bool is_fairness = i >= SPEED_TURNS;
	struct recipe_responder responder;

	(void)context;
	bool is_done = recipe_responder_start(&responder, is_fairness ? 2 : 1,
		is_fairness ? 1 : key.number, habits[i % HABIT_COUNT].bound);
	if (!is_done) {
		recipe_stage_complain(stage, "a small server cannot be started", strerror(errno));
	} else {
		is_done = is_fairness ? measure_fairness(stage, &responder, &key)
				      : measure_speed(stage, &responder, &key);
	}
	recipe_responder_end(&responder);
	return is_done;
}

static bool run(struct recipe_stage *stage)
{
	return write_queries(stage) && recipe_stage_turns(stage, TURN_COUNT, 1, take_turn, NULL);
}

static void print_turn(FILE *out, const struct recipe_sheet *sheet, uint32_t turn)
{
	const struct recipe_key key = key_of(turn);
	const struct recipe_row *row = recipe_sheet_find(sheet, &key);
	struct recipe_figure figure = recipe_sheet_median(row);
	const char *note = figure.is_tool_bound ? "  the tool was the limit" : "";

	if (row == NULL) {
		return;
	}
	if (turn < SPEED_TURNS) {
		fprintf(out, "  %-14s %9u %10.0f %16.2f%s\n", key.subject, key.number, figure.rate,
			figure.server_us, note);
	} else {
		fprintf(out, "  %-14s %9.0f %10.0f %15.3f%%%s\n", key.subject,
			(double)figure.p50_ns / 1e3, (double)figure.p99_ns / 1e3,
			100 * figure.lost_part, note);
	}
}

static void print(FILE *out, const struct recipe_sheet *sheet)
{
	fprintf(out, "  %-14s %9s %10s %16s\n", "now", "processes", "answers/s",
		"server us/answer");
	for (uint32_t i = 0; i < SPEED_TURNS; i++) {
		print_turn(out, sheet, i);
	}
	fprintf(out,
		"  a quiet socket beside a flooded one, %.0f queries a second\n"
		"  %-14s %9s %10s %16s\n",
		QUIET_RATE, "", "p50 us", "p99 us", "lost");
	for (uint32_t i = SPEED_TURNS; i < TURN_COUNT; i++) {
		print_turn(out, sheet, i);
	}
}

static const struct recipe_then_figure figures[] = {
	{"localhost, Linux 2.4", "one a wake-up", "answers/s", 39000, 0},
	{"localhost, Linux 2.4", "until empty", "answers/s", 48000, 0},
	{"gigabit, Linux 2.6", "one a wake-up", "answers/s", 43000, 0},
	{"gigabit, Linux 2.6", "until empty", "answers/s", 49000, 0},
	{"the same, two processes", "one a wake-up", "answers/s", 50000, 0},
	{"the same, two processes", "until empty", "answers/s", 55000, 0},
	{NULL, NULL, NULL, 0, 0},
};

const struct recipe recipe_drain = {
	.name = "drain-2006",
	.asked =
		"what does it bring to read a socket until it is empty, and does it starve others?",
	.today = "a server that select()s and reads datagrams one by one",
	.then = {.how = "NSD 2.3.4", .figures = figures},
	.run = run,
	.print = print,
};
