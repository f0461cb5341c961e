/* recipe_front.c - the same small server, alone and behind a front. */
#include "loadgen/recipe_front.h"

#include <errno.h>
#include <string.h>

#include "base/now.h"
#include "loadgen/flow_udp.h"
#include "loadgen/recipe_responder.h"

#define BATCH       64u
#define TIMEOUT_NS  NOW_NS_A_SECOND
#define QUERY_COUNT 1000u

static const struct {
	const char *name;
	uint32_t bound;
	bool has_front;
} shapes[] = {
	{"direct, one a wake-up", 1, false},
	{"direct, up to 64", BATCH, false},
	{"front, one a wake-up", 1, true},
	{"front, up to 64", BATCH, true},
};

#define SHAPE_COUNT (sizeof(shapes) / sizeof(shapes[0]))

static const uint32_t in_flights[] = {60, 100}; /* as then */

#define IN_FLIGHT_COUNT (sizeof(in_flights) / sizeof(in_flights[0]))
#define TURN_COUNT      (SHAPE_COUNT * IN_FLIGHT_COUNT)

static struct recipe_key key_of(uint32_t turn)
{
	return (struct recipe_key){.subject = shapes[turn % SHAPE_COUNT].name,
		.number_name = "in_flight",
		.number = in_flights[turn / SHAPE_COUNT]};
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

static bool take_turn(struct recipe_stage *stage, void *context, uint32_t i)
{
	const struct recipe_key key = key_of(i);
	uint32_t bound = shapes[i % SHAPE_COUNT].bound;
	struct recipe_responder responder;

	(void)context;
	bool is_done = shapes[i % SHAPE_COUNT].has_front
			       ? recipe_responder_start_front(&responder, bound)
			       : recipe_responder_start(&responder, 1, 1, bound);
	if (!is_done) {
		recipe_stage_complain(stage, "a small server cannot be started", strerror(errno));
	} else {
		const struct run_config config = {.mode = RUN_CLOSED,
			.server = responder.servers[0],
			.kind = &flow_udp,
			.length_ns = (uint64_t)(stage->options->seconds * (double)NOW_NS_A_SECOND),
			.timeout_ns = TIMEOUT_NS,
			.in_flight = key.number,
			.socket_count = 1,
			.thread_count = 1};
		is_done = recipe_stage_wait(
				  stage, key.subject, responder.pids[0], &responder.servers[0]) &&
			  recipe_stage_measure(stage, &config, &key);
	}
	recipe_responder_end(&responder);
	return is_done;
}

static bool run(struct recipe_stage *stage)
{
	return write_queries(stage) && recipe_stage_turns(stage, TURN_COUNT, 1, take_turn, NULL);
}

static void print(FILE *out, const struct recipe_sheet *sheet)
{
	fprintf(out, "  %-24s %9s %10s %10s %11s\n", "now", "in flight", "answers/s", "p50 ms",
		"lost");
	for (uint32_t i = 0; i < TURN_COUNT; i++) {
		const struct recipe_key key = key_of(i);
		const struct recipe_row *row = recipe_sheet_find(sheet, &key);
		struct recipe_figure figure = recipe_sheet_median(row);
		if (row != NULL) {
			fprintf(out, "  %-24s %9u %10.0f %10.2f %10.3f%%%s\n", key.subject,
				key.number, figure.rate, (double)figure.p50_ns / 1e6,
				100 * figure.lost_part,
				figure.is_tool_bound ? "  the tool was the limit" : "");
		}
	}
}

static const struct recipe_then_figure figures[] = {
	{"direct", "rate", "answers/s", 48766, 0},
	{"direct", "mean latency", "ms", 1.22, 2},
	{"direct", "lost", "queries", 0, 0},
	{"through the front", "rate", "answers/s", 59869, 0},
	{"through the front", "mean latency", "ms", 1.57, 2},
	{"through the front", "lost", "queries", 4, 0},
	{NULL, NULL, NULL, 0, 0},
};

const struct recipe recipe_front = {
	.name = "front-2013",
	.asked = "what does a front process cost that hands queries on?",
	.today = "one socket in front, which hands queries to the server and answers back",
	.then = {.how = "BIND 10, queryperf, 60 and 100 in flight", .figures = figures},
	.run = run,
	.print = print,
};
