/* report_json.c - one object for a load test.
 *
 * Keys that name a unit are in it; a key that is null tells of nothing that was measured. docs/report.md says what
 * each of them means.
 */
#include <jansson.h>

#include "base/now.h"
#include "loadgen/flow_tcp.h"
#include "loadgen/queryfile.h"
#include "loadgen/report.h"
#include "loadgen/report_origin.h"

#define NS_A_US 1000.0

/* The percentiles told, in the order told. */
static const struct {
	uint32_t permille;
	const char *key;
} percentiles[] = {{500, "p50"}, {900, "p90"}, {990, "p99"}, {999, "p99_9"}};

#define PERCENTILE_COUNT (sizeof(percentiles) / sizeof(percentiles[0]))

static double us(uint64_t ns)
{
	return (double)ns / NS_A_US;
}

static double seconds(uint64_t ns)
{
	return (double)ns / (double)NOW_NS_A_SECOND;
}

static json_t *count(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static void set_count(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, count(value));
}

static void set_us(json_t *object, const char *key, uint64_t ns)
{
	json_object_set_new(object, key, json_real(us(ns)));
}

static json_t *make_latency(const struct histogram *latency_ns)
{
	if (latency_ns->count == 0) {
		return json_null();
	}
	json_t *object = json_pack("{s:f, s:f}", "min", us(latency_ns->min), "mean",
		(double)latency_ns->sum / (double)latency_ns->count / NS_A_US);
	for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
		set_us(object, percentiles[i].key,
			histogram_percentile(latency_ns, percentiles[i].permille));
	}
	set_us(object, "max", latency_ns->max);
	return object;
}

/* [[value, count], ...] of the buckets that are not empty. */
static json_t *make_histogram(const struct histogram *histogram)
{
	json_t *array = json_array();
	uint32_t cursor = 0;
	uint64_t value, times;

	while (histogram_next(histogram, &cursor, &value, &times)) {
		json_array_append_new(array, json_pack("[o, o]", count(value), count(times)));
	}
	return array;
}

static json_t *make_rcodes(const uint64_t rcodes[TALLY_RCODES])
{
	json_t *object = json_object();

	for (uint32_t i = 0; i < TALLY_RCODES; i++) {
		if (rcodes[i] != 0) {
			set_count(object, report_text_rcode(i), rcodes[i]);
		}
	}
	return object;
}

static json_t *make_flows(const struct run_result *result)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < result->flow_count; i++) {
		const struct run_flow *flow = &result->flows[i];
		json_array_append_new(array,
			json_pack("{s:o, s:o, s:o, s:o, s:f}", "answered", count(flow->answered),
				"in_flight_max", count(flow->in_flight_max), "out_of_order",
				count(flow->out_of_order), "reconnects", count(flow->reconnects),
				"send_blocked_us", us(flow->send_blocked_ns)));
	}
	return array;
}

static json_t *make_settings(const struct run_config *config)
{
	char server[ADDR_TEXT_MAX];

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:f, s:o}", "server",
		addr_to_text(&config->server, server), "transport",
		config->kind == &flow_tcp ? "tcp" : "udp", "sockets", count(config->socket_count),
		"in_flight", count(config->in_flight), "threads", count(config->thread_count),
		"queries", count(config->queries->count), "timeout_s", seconds(config->timeout_ns),
		"rate_max", config->rate_max > 0 ? json_real(config->rate_max) : json_null());
}

static json_t *make_interval(const struct interval *interval)
{
	json_t *object = json_pack("{s:f, s:f}", "start_s", seconds(interval->start_ns), "length_s",
		seconds(interval->length_ns));

	set_count(object, "due", interval->due);
	set_count(object, "sent", interval->sent);
	set_count(object, "answered", interval->answered);
	set_count(object, "lost", interval->lost);
	set_count(object, "late", interval->late);
	set_count(object, "interrupted", interval->interrupted);
	set_count(object, "odd", interval->odd);
	json_object_set_new(object, "rcodes", make_rcodes(interval->rcodes));
	bool has_latency = interval->answered != 0 || interval->latency_max_ns != 0;
	json_object_set_new(object, "latency_us",
		!has_latency
			? json_null()
			: json_pack("{s:f, s:f, s:f, s:f}", "mean", us(interval->latency_mean_ns),
				  "p50", us(interval->latency_p50_ns), "p99",
				  us(interval->latency_p99_ns), "max",
				  us(interval->latency_max_ns)));
	set_us(object, "lateness_max_us", interval->lateness_max_ns);
	return object;
}

static json_t *make_intervals(const struct run_result *result)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < result->interval_count; i++) {
		json_array_append_new(array, make_interval(&result->intervals[i]));
	}
	return array;
}

static json_t *make_points(const struct run_result *result)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < result->point_count; i++) {
		const struct run_point *point = &result->points[i];
		json_t *object = json_pack("{s:f, s:f, s:f}", "offered", point->offered, "rate",
			point->rate, "length_s", seconds(point->length_ns));
		set_count(object, "sent", point->sent);
		set_count(object, "answered", point->answered);
		set_count(object, "lost", point->lost);
		json_object_set_new(object, "latency_us",
			json_pack("{s:f, s:f, s:f}", "p50", us(point->latency_p50_ns), "p99",
				us(point->latency_p99_ns), "p99_9", us(point->latency_p99_9_ns)));
		json_object_set_new(object, "tool_bottleneck", json_boolean(point->is_tool_bound));
		if (result->mode == RUN_SEARCH) {
			json_object_set_new(object, "held", json_boolean(point->is_held));
			json_object_set_new(object, "confirmation", json_boolean(point->is_long));
		}
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *point_index(const struct run_result *result, uint32_t at)
{
	return at < result->point_count ? count(at) : json_null();
}

/* Every query whose answers differed: [{"query": "NAME TYPE", "kinds": [...]}, ...]. */
static json_t *make_found(const struct queryfile *queries, const struct run_check *check)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < check->found_count; i++) {
		char text[QUERYFILE_TEXT_MAX];
		json_t *kinds = json_array();
		for (uint32_t kind = 0; kind < DIFFER_KINDS; kind++) {
			if ((check->found[i].kinds >> kind & 1u) != 0) {
				json_array_append_new(kinds,
					json_string(differ_kind_text((enum differ_kind)kind)));
			}
		}
		json_array_append_new(
			array, json_pack("{s:s, s:o}", "query",
				       queryfile_text(queries, check->found[i].query_idx, text),
				       "kinds", kinds));
	}
	return array;
}

static json_t *make_check(const struct queryfile *queries, const struct run_check *check)
{
	if (!check->is_on) {
		return json_null();
	}
	json_t *kinds = json_object();
	for (uint32_t i = 0; i < DIFFER_KINDS; i++) {
		set_count(kinds, differ_kind_text((enum differ_kind)i), check->by_kind[i]);
	}
	return json_pack("{s:o, s:o, s:o, s:o}", "compared", count(check->compared), "differing",
		count(check->differing), "by_kind", kinds, "queries", make_found(queries, check));
}

/* What the server's own processes told; null where they are elsewhere. */
static json_t *make_server(const struct run_result *result)
{
	const struct run_host *host = &result->host;

	if (!host->is_local) {
		return json_null();
	}
	return json_pack("{s:o, s:f, s:o, s:o}", "processes", count(host->server_processes),
		"cpu_s", seconds(host->server_cpu_ns), "cpu_us_an_answer",
		result->tally.answered == 0
			? json_null()
			: json_real(us(host->server_cpu_ns) / (double)result->tally.answered),
		"dropped", count(host->server_dropped));
}

static json_t *make_tool(const struct run_result *result)
{
	json_t *object = json_pack("{s:f}", "cpu_s", seconds(result->tally.cpu_ns));

	set_count(object, "dropped", result->host.tool_dropped);
	set_count(object, "dropped_on_machine", result->host.machine_dropped);
	json_object_set_new(object, "lateness_us", make_latency(&result->lateness_ns));
	json_object_set_new(object, "lateness_histogram_ns", make_histogram(&result->lateness_ns));
	return object;
}

static void set_counts(
	json_t *object, const struct run_config *config, const struct run_result *result)
{
	const struct tally *tally = &result->tally;
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {{"due", result->due}, {"sent", tally->sent}, {"answered", tally->answered},
		{"lost", tally->lost}, {"interrupted", tally->interrupted}, {"late", tally->late},
		{"duplicate", tally->duplicate}, {"mismatched", tally->mismatched},
		{"unmatched", tally->unmatched}, {"malformed", tally->malformed},
		{"truncated", tally->truncated}, {"dropped_by_tool", tally->dropped},
		{"unsent", tally->unsent}, {"refused", tally->refused},
		{"connections", tally->connections}, {"reconnects", tally->reconnects},
		{"resent", tally->resent}, {"out_of_order", tally->out_of_order},
		{"in_flight_max", tally->in_flight_max}, {"octets", tally->octets},
		{"bad_lines", config->queries->bad_count}};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		set_count(object, counts[i].key, counts[i].value);
	}
}

json_t *report_json_make(const struct run_config *config, const struct run_result *result)
{
	char verdict[REPORT_VERDICT_MAX];
	const struct tally *tally = &result->tally;
	json_t *object = report_origin();

	report_text_verdict(result, verdict);
	json_object_set_new(object, "mode", json_string(run_mode_text(result->mode)));
	json_object_set_new(object, "end", json_string(run_end_text(result->end)));
	json_object_set_new(object, "verdict", json_string(verdict));
	set_counts(object, config, result);
	json_object_set_new(object, "seconds", json_real(run_seconds(result)));
	json_object_set_new(object, "rate", json_real(run_rate(result)));
	json_object_set_new(object, "rcodes", make_rcodes(tally->rcodes));
	json_object_set_new(object, "latency_us", make_latency(&result->latency_ns));
	json_object_set_new(object, "latency_histogram_ns", make_histogram(&result->latency_ns));
	json_object_set_new(object, "send_blocked_us", json_real(us(tally->send_blocked_ns)));
	json_object_set_new(object, "flows", make_flows(result));
	json_object_set_new(object, "intervals", make_intervals(result));
	json_object_set_new(object, "points", make_points(result));
	json_object_set_new(object, "point_best", point_index(result, result->point_best));
	json_object_set_new(object, "point_above", point_index(result, result->point_above));
	json_object_set_new(object, "confirmations",
		result->mode != RUN_SEARCH
			? json_null()
			: json_pack("{s:o, s:o}", "held", count(result->held_count), "made",
				  count(result->confirm_count)));
	json_object_set_new(object, "tool_bottleneck", json_boolean(run_is_tool_bound(result)));
	json_object_set_new(object, "tool_busy", json_real(run_busy(result)));
	json_object_set_new(object, "tool_cpu_us_a_query",
		json_real(tally->sent == 0 ? 0.0 : us(tally->cpu_ns) / (double)tally->sent));
	json_object_set_new(object, "check", make_check(config->queries, &result->check));
	json_object_set_new(object, "tool", make_tool(result));
	json_object_set_new(object, "server", make_server(result));
	json_object_set_new(object, "settings", make_settings(config));
	return object;
}

bool report_json(FILE *out, const struct run_config *config, const struct run_result *result)
{
	return report_json_write(out, report_json_make(config, result));
}

bool report_json_write(FILE *out, json_t *object)
{
	bool is_written = object != NULL &&
			  json_dumpf(object, out,
				  JSON_COMPACT | JSON_REAL_PRECISION(REPORT_ORIGIN_DIGITS)) == 0 &&
			  fputc('\n', out) != EOF;

	json_decref(object);
	return is_written;
}
