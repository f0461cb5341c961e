/* compare.c - read, computed, told. */
#include "loadgen/compare.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE 0.9 /* of the usual length: a shorter interval is the end of a run, or of a trial */

/* How each figure is told. */
static const struct {
	const char *name;
	const char *key;
	const char *unit;
	double scale;       /* of what is printed */
	bool is_difference; /* it may well be 0 */
} figures[COMPARE_FIGURES] = {
	[COMPARE_RATE] = {"rate", "rate", "answers/s", 1, false},
	[COMPARE_LOSS] = {"lost", "loss", "%", 100, true},
	[COMPARE_MEAN] = {"latency, mean", "latency_mean", "us", 1, false},
	[COMPARE_P50] = {"latency, p50 of a second", "latency_p50", "us", 1, false},
	[COMPARE_P99] = {"latency, p99 of a second", "latency_p99", "us", 1, false},
};

struct outcome {
	struct bootstrap_result result;
	double a, b;
};

static enum status refuse(const struct diag_sink *sink, const char *path, const char *what)
{
	diag_report(sink, DIAG_ERROR, path, 0, 0, "%s", what);
	return STATUS_REFUSED;
}

static double number(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static uint64_t whole(const json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value < 0 ? 0 : (uint64_t)value;
}

static void copy_text(const json_t *object, const char *key, char *to, size_t cap)
{
	const char *text = json_string_value(json_object_get(object, key));

	snprintf(to, cap, "%s", text == NULL ? "" : text);
}

/* What an interval adds to each figure. Latencies of an interval weigh as many queries as it had. */
static void take_interval(struct compare_side *side, const json_t *interval)
{
	const json_t *latency = json_object_get(interval, "latency_us");
	double answered = number(interval, "answered"), sent = number(interval, "sent");
	double weight = json_is_object(latency) ? fmax(sent, answered) : 0;
	uint32_t at = side->count++;

	side->parts[COMPARE_RATE][at] =
		(struct bootstrap_part){answered, number(interval, "length_s")};
	side->parts[COMPARE_LOSS][at] = (struct bootstrap_part){number(interval, "lost"), sent};
	side->parts[COMPARE_MEAN][at] =
		(struct bootstrap_part){weight * number(latency, "mean"), weight};
	side->parts[COMPARE_P50][at] =
		(struct bootstrap_part){weight * number(latency, "p50"), weight};
	side->parts[COMPARE_P99][at] =
		(struct bootstrap_part){weight * number(latency, "p99"), weight};
}

/* Room for count more intervals of each figure. */
static enum status make_room(struct compare_side *side, size_t count)
{
	for (uint32_t i = 0; i < COMPARE_FIGURES; i++) {
		size_t len = (side->count + count + 1) * sizeof(**side->parts);
		struct bootstrap_part *grown = realloc(side->parts[i], len);
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		side->parts[i] = grown;
	}
	return STATUS_OK;
}

static enum status take_intervals(struct compare_side *side, const json_t *intervals)
{
	size_t count = json_array_size(intervals);
	double longest = 0;

	if (make_room(side, count) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	for (size_t i = 0; i < count; i++) {
		longest = fmax(longest, number(json_array_get(intervals, i), "length_s"));
	}
	uint32_t before = side->count;
	for (size_t i = 0; i < count && longest > 0; i++) {
		const json_t *interval = json_array_get(intervals, i);
		if (number(interval, "length_s") >= WHOLE * longest) {
			take_interval(side, interval);
		}
	}
	for (uint32_t i = 0; i < COMPARE_FIGURES; i++) {
		side->runs[i][side->run_count].count = side->count - before;
	}
	side->run_count++;
	return STATUS_OK;
}

/* The parts stay where they are now. */
static void point_runs(struct compare_side *side)
{
	for (uint32_t i = 0; i < COMPARE_FIGURES; i++) {
		const struct bootstrap_part *at = side->parts[i];
		for (uint32_t r = 0; r < side->run_count; r++) {
			side->runs[i][r].parts = at;
			at += side->runs[i][r].count;
		}
	}
}

static double offered_at(const json_t *object, const char *key)
{
	const json_t *at = json_object_get(object, key);

	if (!json_is_integer(at) || json_integer_value(at) < 0) {
		return 0;
	}
	return number(
		json_array_get(json_object_get(object, "points"), (size_t)json_integer_value(at)),
		"offered");
}

/* What the first report says of the whole side, and the others agree with. */
static enum status take_settings(const char *path, const json_t *object, const json_t *settings,
	const struct diag_sink *sink, struct compare_side *out)
{
	char mode[sizeof(out->mode)];

	copy_text(object, "mode", mode, sizeof(mode));
	if (strcmp(mode, "sweep") == 0 || strcmp(mode, "ramp") == 0) {
		diag_report(sink, DIAG_ERROR, path, 0, 0,
			"a %s has no rate of its own to compare (expected run, rate, replay or "
			"search)",
			mode);
		return STATUS_REFUSED;
	}
	if (out->run_count != 0 && strcmp(mode, out->mode) != 0) {
		diag_report(sink, DIAG_ERROR, path, 0, 0, "a %s beside a %s (expected the same)",
			mode, out->mode);
		return STATUS_REFUSED;
	}
	memcpy(out->mode, mode, sizeof(mode));
	copy_text(settings, "server", out->server, sizeof(out->server));
	copy_text(settings, "transport", out->transport, sizeof(out->transport));
	out->in_flight = whole(settings, "in_flight");
	out->sockets = whole(settings, "sockets");
	out->threads = whole(settings, "threads");
	out->queries = whole(settings, "queries");
	out->is_search = strcmp(mode, "search") == 0;
	return STATUS_OK;
}

static void take_figures(const json_t *object, struct compare_side *out)
{
	const json_t *server_us =
		json_object_get(json_object_get(object, "server"), "cpu_us_an_answer");
	double held = offered_at(object, "point_best"), failed = offered_at(object, "point_above");
	bool is_first = out->run_count == 0;

	out->is_tool_bound |= json_is_true(json_object_get(object, "tool_bottleneck"));
	out->held = is_first ? held : fmin(out->held, held);
	/* One that found no rate that failed leaves the side without an upper bound. */
	out->failed = is_first || (failed > 0 && out->failed > 0) ? fmax(out->failed, failed) : 0;
	if (!json_is_number(server_us) || (!is_first && out->server_us < 0)) {
		out->server_us = -1;
	} else {
		out->server_us +=
			(json_number_value(server_us) - out->server_us) / (out->run_count + 1);
	}
}

static enum status take_report(const char *path, const json_t *object, const struct diag_sink *sink,
	struct compare_side *out)
{
	const json_t *settings = json_object_get(object, "settings");
	const json_t *intervals = json_object_get(object, "intervals");

	if (!json_is_string(json_object_get(object, "mode")) || !json_is_object(settings) ||
		!json_is_array(intervals)) {
		return refuse(sink, path,
			"not a report (expected what `saker bench MODE --json` prints)");
	}
	if (out->run_count == COMPARE_RUNS_MAX) {
		return refuse(sink, path, "more than 32 reports of one side");
	}
	enum status status = take_settings(path, object, settings, sink, out);
	if (status != STATUS_OK) {
		return status;
	}
	take_figures(object, out);
	return take_intervals(out, intervals);
}

static enum status read_report(
	const char *path, const struct diag_sink *sink, struct compare_side *out)
{
	json_error_t error;
	json_t *object = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

	if (object == NULL) {
		diag_report(sink, DIAG_ERROR, path, error.line < 0 ? 0 : (uint32_t)error.line,
			error.column < 0 ? 0 : (uint32_t)error.column, "%s", error.text);
		return STATUS_REFUSED;
	}
	enum status status = take_report(path, object, sink, out);
	json_decref(object);
	return status;
}

enum status compare_read(const char *paths, const struct diag_sink *sink, struct compare_side *out)
{
	enum status status = STATUS_OK;
	char *copy = strdup(paths), *rest = copy;

	memset(out, 0, sizeof(*out));
	out->paths = paths;
	if (copy == NULL) {
		return STATUS_MEMORY;
	}
	for (char *path = strsep(&rest, ","); path != NULL && status == STATUS_OK;
		path = strsep(&rest, ",")) {
		status = read_report(path, sink, out);
	}
	free(copy);
	point_runs(out);
	if (status != STATUS_OK) {
		compare_fini(out);
	}
	return status;
}

void compare_fini(struct compare_side *side)
{
	for (uint32_t i = 0; i < COMPARE_FIGURES; i++) {
		free(side->parts[i]);
		side->parts[i] = NULL;
	}
}

static enum status compute(const struct compare_side *a, const struct compare_side *b,
	enum compare_figure figure, struct outcome *out)
{
	struct bootstrap_side a_side = {.runs = a->runs[figure], .run_count = a->run_count};
	struct bootstrap_side b_side = {.runs = b->runs[figure], .run_count = b->run_count};

	out->a = bootstrap_figure(&a_side);
	out->b = bootstrap_figure(&b_side);
	return figures[figure].is_difference ? bootstrap_difference(&a_side, &b_side, &out->result)
					     : bootstrap_ratio(&a_side, &b_side, &out->result);
}

/* Two searches: the truth of each lies between what held and what failed. */
static struct outcome compute_search(const struct compare_side *a, const struct compare_side *b)
{
	struct outcome outcome = {.a = a->held, .b = b->held};

	if (a->held > 0 && b->held > 0) {
		outcome.result.value = b->held / a->held;
		if (a->failed > 0 && b->failed > 0) {
			outcome.result.low = b->held / a->failed;
			outcome.result.high = b->failed / a->held;
			outcome.result.is_known = true;
		}
	}
	return outcome;
}

/* Nothing differs where the same value is inside the interval. */
static const char *judge(const struct bootstrap_result *result, bool is_difference)
{
	double same = is_difference ? 0 : 1;

	if (!result->is_known) {
		return "unknown";
	}
	if (result->low == same && result->high == same) {
		return "same"; /* nothing was lost in either, and the like */
	}
	return result->low > same ? "higher" : result->high < same ? "lower" : "noise";
}

static void print_outcome(FILE *out, const char *name, const char *unit, double scale,
	bool is_difference, const struct outcome *outcome)
{
	const struct bootstrap_result *result = &outcome->result;
	double factor = is_difference ? scale : 1;
	int digits = is_difference ? 4 : 3;

	fprintf(out, "%-25s %12.6g %12.6g %-9s ", name, scale * outcome->a, scale * outcome->b,
		unit);
	if (is_difference) {
		fprintf(out, "%+9.4f", factor * result->value);
	} else {
		fprintf(out, "x %7.3f", result->value);
	}
	if (result->is_known) {
		fprintf(out, "  %.*f to %.*f  %s\n", digits, factor * result->low, digits,
			factor * result->high, judge(result, is_difference));
	} else {
		fprintf(out, "  unknown\n");
	}
}

static void print_setting(FILE *out, char letter, const char *name, uint64_t a, uint64_t b)
{
	if (a != b) {
		fprintf(out, "A and %c were asked differently: %s %llu and %llu.\n", letter, name,
			(unsigned long long)a, (unsigned long long)b);
	}
}

/* What makes the comparison less than it seems. */
static void print_doubts(
	FILE *out, char letter, const struct compare_side *a, const struct compare_side *b)
{
	if (b->is_tool_bound) {
		fprintf(out, "The tool was the bottleneck in %c: its figures are the tool's.\n",
			letter);
	}
	if (strcmp(a->mode, b->mode) != 0 || strcmp(a->transport, b->transport) != 0) {
		fprintf(out, "A and %c were asked differently: %s over %s and %s over %s.\n",
			letter, a->mode, a->transport, b->mode, b->transport);
	}
	print_setting(out, letter, "in flight", a->in_flight, b->in_flight);
	print_setting(out, letter, "sockets", a->sockets, b->sockets);
	print_setting(out, letter, "threads", a->threads, b->threads);
	print_setting(out, letter, "queries", a->queries, b->queries);
	if (b->is_search) {
		return;
	}
	uint32_t fewest = UINT32_MAX;
	for (uint32_t r = 0; r < a->run_count || r < b->run_count; r++) {
		fewest = r < a->run_count && a->runs[0][r].count < fewest ? a->runs[0][r].count
									  : fewest;
		fewest = r < b->run_count && b->runs[0][r].count < fewest ? b->runs[0][r].count
									  : fewest;
	}
	if (fewest < BOOTSTRAP_INTERVALS_MIN) {
		fprintf(out,
			"Too few intervals to tell a difference from noise: %u in a run (expected "
			"at "
			"least %u: run longer).\n",
			fewest, BOOTSTRAP_INTERVALS_MIN);
	} else if (a->run_count == 1 || b->run_count == 1) {
		fprintf(out, "How one run differs from the next is not known: what is not noise "
			     "here may "
			     "be the day (several reports of each, with commas between, tell).\n");
	}
}

static enum status print_pair(
	FILE *out, char letter, const struct compare_side *a, const struct compare_side *b)
{
	struct outcome outcome;

	fprintf(out, "\n%-25s %12s %12c %-9s %9s  95 %% sure\n", "", "A", letter, "", "change");
	if (a->is_search) {
		outcome = compute_search(a, b);
		print_outcome(out, "highest rate that held", "queries/s", 1, false, &outcome);
	}
	for (uint32_t i = 0; i < COMPARE_FIGURES && !a->is_search; i++) {
		enum status status = compute(a, b, (enum compare_figure)i, &outcome);
		if (status != STATUS_OK) {
			return status;
		}
		print_outcome(out, figures[i].name, figures[i].unit, figures[i].scale,
			figures[i].is_difference, &outcome);
	}
	if (a->server_us > 0 && b->server_us >= 0) {
		outcome = (struct outcome){.a = a->server_us,
			.b = b->server_us,
			.result = {.value = b->server_us / a->server_us}};
		print_outcome(out, "server, time an answer", "us", 1, false, &outcome);
	}
	print_doubts(out, letter, a, b);
	return STATUS_OK;
}

enum status compare_text(FILE *out, const struct compare_side *sides, uint32_t count)
{
	ASSERT(count >= 2 && count <= COMPARE_SIDES_MAX);
	for (uint32_t i = 0; i < count; i++) {
		fprintf(out, "%c  %s: %s, %s over %s, %u run%s, %u intervals\n", (char)('A' + i),
			sides[i].paths, sides[i].mode, sides[i].server, sides[i].transport,
			sides[i].run_count, sides[i].run_count == 1 ? "" : "s", sides[i].count);
	}
	if (sides[0].is_tool_bound) {
		fprintf(out, "The tool was the bottleneck in A: its figures are the tool's.\n");
	}
	for (uint32_t i = 1; i < count; i++) {
		enum status status = print_pair(out, (char)('A' + i), &sides[0], &sides[i]);
		if (status != STATUS_OK) {
			return status;
		}
	}
	return fflush(out) == 0 && ferror(out) == 0 ? STATUS_OK : STATUS_IO;
}

static json_t *make_outcome(const struct outcome *outcome, bool is_difference)
{
	const struct bootstrap_result *result = &outcome->result;
	json_t *object = json_pack("{s:f, s:f, s:f, s:s}", "a", outcome->a, "b", outcome->b,
		is_difference ? "difference" : "ratio", result->value, "verdict",
		judge(result, is_difference));

	json_object_set_new(object, "low", result->is_known ? json_real(result->low) : json_null());
	json_object_set_new(
		object, "high", result->is_known ? json_real(result->high) : json_null());
	return object;
}

static json_t *make_pair(const struct compare_side *a, const struct compare_side *b)
{
	json_t *object = json_pack("{s:s, s:s, s:b, s:b}", "a", a->paths, "b", b->paths,
		"tool_bottleneck_a", a->is_tool_bound, "tool_bottleneck_b", b->is_tool_bound);
	struct outcome outcome;

	json_object_set_new(object, "runs_a", json_integer(a->run_count));
	json_object_set_new(object, "runs_b", json_integer(b->run_count));
	json_object_set_new(object, "intervals_a", json_integer(a->count));
	json_object_set_new(object, "intervals_b", json_integer(b->count));
	if (a->is_search) {
		outcome = compute_search(a, b);
		json_object_set_new(object, "held", make_outcome(&outcome, false));
		return object;
	}
	for (uint32_t i = 0; i < COMPARE_FIGURES; i++) {
		if (compute(a, b, (enum compare_figure)i, &outcome) != STATUS_OK) {
			json_decref(object);
			return NULL;
		}
		json_object_set_new(
			object, figures[i].key, make_outcome(&outcome, figures[i].is_difference));
	}
	return object;
}

enum status compare_json(FILE *out, const struct compare_side *sides, uint32_t count)
{
	ASSERT(count >= 2 && count <= COMPARE_SIDES_MAX);
	json_t *array = json_array();

	for (uint32_t i = 1; i < count; i++) {
		json_t *pair = make_pair(&sides[0], &sides[i]);
		if (pair == NULL || json_array_append_new(array, pair) != 0) {
			json_decref(array);
			return STATUS_MEMORY;
		}
	}
	bool is_written = json_dumpf(array, out, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0 &&
			  fputc('\n', out) != EOF && fflush(out) == 0;
	json_decref(array);
	return is_written ? STATUS_OK : STATUS_IO;
}
