/* recipe_front.c - the same small server, alone and behind a front. */
#include "loadgen/recipe_front.h"

#include "base/now.h"
#include "loadgen/flow_udp.h"
#include "loadgen/recipe_responder.h"
#include "loadgen/recipe_stage.h"

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

static bool measure(struct recipe_stage *stage, const struct recipe_options *options, size_t shape,
	uint32_t in_flight, struct recipe_rounds *rounds)
{
	struct recipe_responder responder;
	bool is_done = shapes[shape].has_front
			       ? recipe_responder_start_front(&responder, shapes[shape].bound)
			       : recipe_responder_start(&responder, 1, 1, shapes[shape].bound);

	if (is_done) {
		const struct run_config config = {.mode = RUN_CLOSED,
			.server = responder.servers[0],
			.kind = &flow_udp,
			.length_ns = (uint64_t)(options->seconds * (double)NOW_NS_A_SECOND),
			.timeout_ns = TIMEOUT_NS,
			.in_flight = in_flight,
			.socket_count = 1,
			.thread_count = 1};
		is_done = recipe_stage_wait(stage, &responder.servers[0]) &&
			  recipe_stage_measure(stage, &config, rounds);
	}
	recipe_responder_end(&responder);
	return is_done;
}

static bool compare(
	struct recipe_stage *stage, const struct recipe_options *options, uint32_t in_flight)
{
	struct recipe_rounds rounds[SHAPE_COUNT] = {{.count = 0}};

	for (uint32_t round = 0; round < options->rounds; round++) {
		for (size_t i = 0; i < SHAPE_COUNT; i++) {
			if (!measure(stage, options, i, in_flight, &rounds[i])) {
				return false;
			}
		}
	}
	for (size_t i = 0; i < SHAPE_COUNT; i++) {
		struct recipe_figure figure = recipe_stage_median(&rounds[i]);
		fprintf(options->out, "  %-24s %9u %10.0f %10.2f %10.3f%%%s\n", shapes[i].name,
			in_flight, figure.rate, (double)figure.p50_ns / 1e6, 100 * figure.lost_part,
			figure.is_tool_bound ? "  the tool was the limit" : "");
	}
	return true;
}

int recipe_front(const struct recipe_options *options)
{
	struct recipe_stage stage;

	fprintf(options->out,
		"front-2013: one socket in front, which hands queries to the server and answers "
		"back\n"
		"  then (BIND 10, queryperf, 60 and 100 in flight)\n"
		"  direct                                 48,766       1.22 ms mean   none lost\n"
		"  through the front                      59,869       1.57 ms mean   4 lost\n"
		"  %-24s %9s %10s %10s %11s\n",
		"now", "in flight", "answers/s", "p50 ms", "lost");
	if (!recipe_stage_open(&stage)) {
		return 1;
	}
	bool is_done = write_queries(&stage) && compare(&stage, options, 60) &&
		       compare(&stage, options, 100);
	recipe_stage_close(&stage);
	return is_done ? 0 : 1;
}
