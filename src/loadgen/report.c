/* report.c - text and JSON. */
#include "loadgen/report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/now.h"
#include "loadgen/flow.h"
#include "loadgen/flow_tcp.h"
#include "loadgen/queryfile.h"

#define NS_A_US 1000.0

/* source: IANA "DNS RCODEs"; those without a name are shown by number. */
static const char *const rcode_names[TALLY_RCODES] = {"NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN",
	"NOTIMP", "REFUSED", "YXDOMAIN", "YXRRSET", "NXRRSET", "NOTAUTH", "NOTZONE", "DSOTYPENI",
	"RCODE12", "RCODE13", "RCODE14", "RCODE15"};

/* The percentiles told, in the order told. */
static const struct {
	uint32_t permille;
	const char *text;
	const char *key;
} percentiles[] = {
	{500, "p50", "p50"}, {900, "p90", "p90"}, {990, "p99", "p99"}, {999, "p99.9", "p99_9"}};

#define PERCENTILE_COUNT (sizeof(percentiles) / sizeof(percentiles[0]))

static double us(uint64_t ns)
{
	return (double)ns / NS_A_US;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole == 0 ? 0.0 : 100.0 * (double)part / (double)whole;
}

/* Processor time of the tool for each query that it sent. */
static double cpu_us_a_query(const struct tally *tally)
{
	return tally->sent == 0 ? 0.0 : us(tally->cpu_ns) / (double)tally->sent;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static void print_verdict(FILE *out, const struct run_result *result)
{
	double busy = 100.0 * run_busy(result);

	if (result->tally.dropped != 0) {
		fprintf(out,
			"The tool was the bottleneck: %" PRIu64
			" answer%s came that its own sockets "
			"had no room for; the server may be faster than this.\n",
			result->tally.dropped, plural(result->tally.dropped));
	} else if (run_is_tool_bound(result)) {
		fprintf(out,
			"The tool was the bottleneck: busy %.0f %% of its time; the server may be "
			"faster than this (try -T).\n",
			busy);
	} else {
		fprintf(out, "The tool was not the bottleneck: busy %.0f %% of its time.\n", busy);
	}
	if (result->end == RUN_INTERRUPTED) {
		fprintf(out, "Ended early: %" PRIu64 " quer%s still in flight.\n",
			result->tally.interrupted,
			result->tally.interrupted == 1 ? "y was" : "ies were");
	}
}

static void print_rcodes(FILE *out, const struct tally *tally)
{
	const char *separator = "";

	fprintf(out, "rcodes      ");
	for (uint32_t i = 0; i < TALLY_RCODES; i++) {
		if (tally->rcodes[i] != 0) {
			fprintf(out, "%s%s %" PRIu64 " (%.2f %%)", separator, rcode_names[i],
				tally->rcodes[i], percent(tally->rcodes[i], tally->answered));
			separator = ", ";
		}
	}
	fprintf(out, "%s\n", tally->answered == 0 ? "none" : "");
}

static void print_latency(FILE *out, const struct histogram *latency_ns)
{
	if (latency_ns->count == 0) {
		fprintf(out, "latency     none: no query was answered in time\n");
		return;
	}
	fprintf(out, "latency     ");
	for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
		fprintf(out, "%s %.0f, ", percentiles[i].text,
			us(histogram_percentile(latency_ns, percentiles[i].permille)));
	}
	fprintf(out, "max %.0f us (min %.0f, mean %.0f)\n", us(latency_ns->max),
		us(latency_ns->min), us(histogram_mean(latency_ns)));
}

static void print_streams(FILE *out, const struct tally *tally)
{
	fprintf(out,
		"connections %" PRIu64 " opened, %" PRIu64 " of them again after the server had "
		"closed; %" PRIu64 " quer%s asked again there\n"
		"            %" PRIu64 " answers out of order, %.1f ms blocked on sending\n",
		tally->connections, tally->reconnects, tally->resent,
		tally->resent == 1 ? "y" : "ies", tally->out_of_order,
		(double)tally->send_blocked_ns / (double)NOW_NS_A_MILLISECOND);
}

void report_text(FILE *out, const struct run_config *config, const struct run_result *result)
{
	const struct tally *tally = &result->tally;
	char server[ADDR_TEXT_MAX];

	print_verdict(out, result);
	fprintf(out,
		"\nasked       %s over %s: %u socket%s, %u in flight (%" PRIu64
		" at most on one socket), %u thread%s, %u quer%s in the file\n",
		addr_to_text(&config->server, server), config->kind->name, config->socket_count,
		plural(config->socket_count), config->in_flight, tally->in_flight_max,
		config->thread_count, plural(config->thread_count), config->queries->count,
		config->queries->count == 1 ? "y" : "ies");
	fprintf(out, "sent        %" PRIu64 " in %.3f s\n", tally->sent, run_seconds(result));
	fprintf(out, "answered    %" PRIu64 " (%.4f %%), %.1f octets on average\n", tally->answered,
		percent(tally->answered, tally->sent),
		tally->answered == 0 ? 0.0 : (double)tally->octets / (double)tally->answered);
	fprintf(out, "lost        %" PRIu64 " (%.4f %%), %" PRIu64 " of them answered too late\n",
		tally->lost, percent(tally->lost, tally->sent), tally->late);
	print_rcodes(out, tally);
	fprintf(out, "rate        %.0f answers a second\n", run_rate(result));
	print_latency(out, &result->latency_ns);
	fprintf(out,
		"odd         %" PRIu64 " truncated; not counted as answers: %" PRIu64
		" unmatched, %" PRIu64 " to another question, %" PRIu64 " duplicate, %" PRIu64
		" malformed\n",
		tally->truncated, tally->unmatched, tally->mismatched, tally->duplicate,
		tally->malformed);
	if (tally->unsent != 0 || tally->refused != 0) {
		fprintf(out,
			"errors      %" PRIu64 " times the kernel did not send, %" PRIu64
			" times nobody listened\n",
			tally->unsent, tally->refused);
	}
	if (config->kind == &flow_tcp) {
		print_streams(out, tally);
	}
	fprintf(out, "tool        %.2f us of processor time a query\n", cpu_us_a_query(tally));
}

static json_t *count(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *make_latency(const struct histogram *latency_ns)
{
	if (latency_ns->count == 0) {
		return json_null();
	}
	json_t *object = json_pack("{s:f, s:f}", "min", us(latency_ns->min), "mean",
		(double)latency_ns->sum / (double)latency_ns->count / NS_A_US);
	for (size_t i = 0; i < PERCENTILE_COUNT; i++) {
		json_object_set_new(object, percentiles[i].key,
			json_real(us(histogram_percentile(latency_ns, percentiles[i].permille))));
	}
	json_object_set_new(object, "max", json_real(us(latency_ns->max)));
	return object;
}

static json_t *make_rcodes(const struct tally *tally)
{
	json_t *object = json_object();

	for (uint32_t i = 0; i < TALLY_RCODES; i++) {
		if (tally->rcodes[i] != 0) {
			json_object_set_new(object, rcode_names[i], count(tally->rcodes[i]));
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

	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:f}", "server",
		addr_to_text(&config->server, server), "transport",
		config->kind == &flow_tcp ? "tcp" : "udp", "sockets", count(config->socket_count),
		"in_flight", count(config->in_flight), "threads", count(config->thread_count),
		"queries", count(config->queries->count), "timeout_s",
		(double)config->timeout_ns / (double)NOW_NS_A_SECOND);
}

bool report_json(FILE *out, const struct run_config *config, const struct run_result *result)
{
	static const char *const ends[] = {[RUN_DONE] = "done",
		[RUN_INTERRUPTED] = "interrupted",
		[RUN_SILENT] = "silent",
		[RUN_CROWDED] = "crowded",
		[RUN_BEHIND] = "behind"};
	const struct tally *tally = &result->tally;
	const struct {
		const char *key;
		uint64_t value;
	} counts[] = {{"sent", tally->sent}, {"answered", tally->answered}, {"lost", tally->lost},
		{"interrupted", tally->interrupted}, {"late", tally->late},
		{"duplicate", tally->duplicate}, {"mismatched", tally->mismatched},
		{"unmatched", tally->unmatched}, {"malformed", tally->malformed},
		{"truncated", tally->truncated}, {"dropped_by_tool", tally->dropped},
		{"unsent", tally->unsent}, {"refused", tally->refused},
		{"connections", tally->connections}, {"reconnects", tally->reconnects},
		{"resent", tally->resent}, {"out_of_order", tally->out_of_order},
		{"in_flight_max", tally->in_flight_max}, {"octets", tally->octets},
		{"bad_lines", config->queries->bad_count}};
	json_t *object = json_object();

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		json_object_set_new(object, counts[i].key, count(counts[i].value));
	}
	json_object_set_new(object, "seconds", json_real(run_seconds(result)));
	json_object_set_new(object, "rate", json_real(run_rate(result)));
	json_object_set_new(object, "rcodes", make_rcodes(tally));
	json_object_set_new(object, "latency_us", make_latency(&result->latency_ns));
	json_object_set_new(object, "send_blocked_us", json_real(us(tally->send_blocked_ns)));
	json_object_set_new(object, "flows", make_flows(result));
	json_object_set_new(object, "tool_bottleneck", json_boolean(run_is_tool_bound(result)));
	json_object_set_new(object, "tool_busy", json_real(run_busy(result)));
	json_object_set_new(object, "tool_cpu_us_a_query", json_real(cpu_us_a_query(tally)));
	json_object_set_new(object, "end", json_string(ends[result->end]));
	json_object_set_new(object, "settings", make_settings(config));

	bool is_written = json_dumpf(object, out, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0 &&
			  fputc('\n', out) != EOF;
	json_decref(object);
	return is_written;
}
