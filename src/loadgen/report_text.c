/* report_text.c - a load test for people. */
#include <inttypes.h>
#include <string.h>

#include "base/now.h"
#include "loadgen/flow.h"
#include "loadgen/flow_tcp.h"
#include "loadgen/queryfile.h"
#include "loadgen/report.h"

#define FOUND_TOLD_MAX 20u /* differing queries that a text lists */
#define NS_A_US        1000.0

/* source: IANA "DNS RCODEs"; those without a name are shown by number. */
static const char *const rcode_names[TALLY_RCODES] = {"NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN",
	"NOTIMP", "REFUSED", "YXDOMAIN", "YXRRSET", "NXRRSET", "NOTAUTH", "NOTZONE", "DSOTYPENI",
	"RCODE12", "RCODE13", "RCODE14", "RCODE15"};

/* The percentiles told, in the order told. */
static const struct {
	uint32_t permille;
	const char *text;
} percentiles[] = {{500, "p50"}, {900, "p90"}, {990, "p99"}, {999, "p99.9"}};

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

/* Why the tool was the bottleneck, or what shows that it was not. */
static void put_reason(const struct run_result *result, char *text)
{
	const struct histogram *lateness = &result->lateness_ns;
	double busy = 100.0 * run_busy(result);
	bool is_bound = run_is_tool_bound(result);
	const char *head =
		is_bound ? "The tool was the bottleneck" : "The tool was not the bottleneck";
	const char *tail = is_bound ? "; the server may be faster than this" : "";

	if (result->mode == RUN_SEARCH && is_bound) {
		snprintf(text, REPORT_VERDICT_MAX,
			"The tool may have been the bottleneck: it was late where the goals were "
			"missed (%u of %u trials)%s.",
			run_bound_trials(result), result->point_count, tail);
	} else if (result->mode != RUN_SEARCH && run_bound_trials(result) != 0) {
		snprintf(text, REPORT_VERDICT_MAX,
			"The tool was the bottleneck in %u of %u trials: they say nothing about "
			"the server.",
			run_bound_trials(result), result->point_count);
	} else if (result->tally.dropped != 0) {
		snprintf(text, REPORT_VERDICT_MAX,
			"%s: %" PRIu64 " answer%s came that its own sockets had no room for%s.",
			head, result->tally.dropped, plural(result->tally.dropped), tail);
	} else if (lateness->count == 0) {
		snprintf(text, REPORT_VERDICT_MAX, "%s: busy %.0f %% of its time%s%s.", head, busy,
			tail, is_bound ? " (try -T)" : "");
	} else if (result->tally.sent < result->due) {
		snprintf(text, REPORT_VERDICT_MAX,
			"%s: %" PRIu64 " of %" PRIu64
			" queries due were sent, 99 %% of them within "
			"%.0f us of their time, busy %.0f %%%s.",
			head, result->tally.sent, result->due,
			us(histogram_percentile(lateness, 990)), busy, tail);
	} else {
		snprintf(text, REPORT_VERDICT_MAX,
			"%s: 99 %% of its queries left within %.0f us of their time, the latest "
			"after "
			"%.0f us, busy %.0f %%%s.",
			head, us(histogram_percentile(lateness, 990)), us(lateness->max), busy,
			tail);
	}
}

void report_text_verdict(const struct run_result *result, char *text)
{
	put_reason(result, text);
	size_t used = strlen(text);
	char *to = text + used;
	size_t room = REPORT_VERDICT_MAX - used;

	switch (result->end) {
	case RUN_INTERRUPTED:
		snprintf(to, room, " Ended early: %" PRIu64 " quer%s still in flight.",
			result->tally.interrupted,
			result->tally.interrupted == 1 ? "y was" : "ies were");
		break;
	case RUN_CROWDED:
		snprintf(to, room, " Ended early: too many queries were unanswered.");
		break;
	case RUN_BEHIND:
		snprintf(to, room, " Ended early: the tool fell behind its schedule.");
		break;
	case RUN_DONE:
	case RUN_SILENT:
		break;
	}
}

const char *report_text_rcode(uint32_t rcode)
{
	return rcode_names[rcode];
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

static void print_schedule(FILE *out, const struct run_result *result)
{
	const struct histogram *lateness = &result->lateness_ns;

	if (lateness->count == 0) {
		return;
	}
	fprintf(out,
		"schedule    %" PRIu64
		" due; sent late by p50 %.0f, p99 %.0f, p99.9 %.0f, max %.0f us\n",
		result->due, us(histogram_percentile(lateness, 500)),
		us(histogram_percentile(lateness, 990)), us(histogram_percentile(lateness, 999)),
		us(lateness->max));
}

/* The first queries whose answers differed, and in what. */
static void print_found(FILE *out, const struct queryfile *queries, const struct run_check *check)
{
	for (uint32_t i = 0; i < check->found_count && i < FOUND_TOLD_MAX; i++) {
		const struct differ_found *found = &check->found[i];
		char text[QUERYFILE_TEXT_MAX];
		const char *separator = "";
		fprintf(out, "            %s: ", queryfile_text(queries, found->query_idx, text));
		for (uint32_t kind = 0; kind < DIFFER_KINDS; kind++) {
			if ((found->kinds >> kind & 1u) != 0) {
				fprintf(out, "%s%s", separator,
					differ_kind_text((enum differ_kind)kind));
				separator = ", ";
			}
		}
		fputc('\n', out);
	}
	if (check->found_count > FOUND_TOLD_MAX) {
		fprintf(out, "            and %u more queries (--json lists all)\n",
			check->found_count - FOUND_TOLD_MAX);
	}
}

static void print_check(FILE *out, const struct run_check *check)
{
	const char *separator = ": ";

	if (!check->is_on) {
		return;
	}
	fprintf(out, "check       %" PRIu64 " answers compared, %" PRIu64 " differ (%.4f %%)",
		check->compared, check->differing, percent(check->differing, check->compared));
	for (uint32_t i = 0; i < DIFFER_KINDS; i++) {
		if (check->by_kind[i] != 0) {
			fprintf(out, "%s%s %" PRIu64, separator,
				differ_kind_text((enum differ_kind)i), check->by_kind[i]);
			separator = ", ";
		}
	}
	fputc('\n', out);
}

static void print_hosts(FILE *out, const struct run_result *result)
{
	const struct tally *tally = &result->tally;
	const struct run_host *host = &result->host;

	fprintf(out, "tool        %.2f us of processor time a query", cpu_us_a_query(tally));
	if (host->tool_dropped != 0 || host->machine_dropped != 0) {
		fprintf(out,
			"; no room for %" PRIu64 " answers, and for %" PRIu64
			" at any socket of this machine",
			host->tool_dropped, host->machine_dropped);
	}
	fputc('\n', out);
	if (host->is_local) {
		fprintf(out,
			"server      %.2f us of processor time an answer (%u process%s here); "
			"%" PRIu64 " queries found no room at its sockets\n",
			tally->answered == 0 ? 0.0
					     : us(host->server_cpu_ns) / (double)tally->answered,
			host->server_processes, host->server_processes == 1 ? "" : "es",
			host->server_dropped);
	}
}

static void print_point(FILE *out, const struct run_result *result, uint32_t at)
{
	const struct run_point *point = &result->points[at];
	const char *note = at == result->point_best ? "  <- the highest that held"
			   : point->is_tool_bound   ? "  the tool was the limit"
						    : "";

	if (result->mode == RUN_SWEEP) {
		note = point->is_tool_bound ? "  the tool was the limit" : "";
	} else if (result->mode == RUN_SEARCH && at != result->point_best) {
		note = point->is_held         ? "  held"
		       : point->is_tool_bound ? "  failed, the tool was late"
					      : "  failed";
	}
	fprintf(out, "%12.0f %12.0f %9.4f %9.0f %9.0f %9.0f%s\n", point->offered, point->rate,
		percent(point->lost, point->sent), us(point->latency_p50_ns),
		us(point->latency_p99_ns), us(point->latency_p99_9_ns), note);
}

/* What trials found; those of a ramp are its intervals, too many for a list. */
static void print_points(FILE *out, const struct run_result *result)
{
	if (result->point_count == 0 || result->mode == RUN_RAMP) {
		return;
	}
	fprintf(out, "\n%12s %12s %9s %9s %9s %9s\n", "offered/s", "answered/s", "lost %", "p50 us",
		"p99 us", "p99.9 us");
	for (uint32_t i = 0; i < result->point_count; i++) {
		print_point(out, result, i);
	}
}

static void print_best(FILE *out, const struct run_result *result)
{
	bool has_best = result->point_best < result->point_count;
	const struct run_point *best = &result->points[result->point_best];

	if (result->mode == RUN_RAMP) {
		if (has_best) {
			fprintf(out,
				"highest     %.0f answers a second, %.0f offered, %.4f %% lost\n",
				best->rate, best->offered, percent(best->lost, best->sent));
		} else {
			fprintf(out, "highest     none: too much was lost from the start\n");
		}
	}
	if (result->mode == RUN_SEARCH) {
		if (has_best) {
			fprintf(out,
				"highest     %.0f queries a second held the goals in %u of %u "
				"confirmations",
				best->offered, result->held_count, result->confirm_count);
		} else {
			fprintf(out, "highest     none: no rate that was tried held the goals");
		}
		if (result->point_above < result->point_count) {
			fprintf(out, "; %.0f did not", result->points[result->point_above].offered);
		}
		fputc('\n', out);
	}
}

void report_text(FILE *out, const struct run_config *config, const struct run_result *result)
{
	const struct tally *tally = &result->tally;
	char server[ADDR_TEXT_MAX], verdict[REPORT_VERDICT_MAX];

	report_text_verdict(result, verdict);
	fprintf(out, "%s\n\n", verdict);
	fprintf(out,
		"asked       %s over %s: %u socket%s, %u in flight (%" PRIu64
		" at most on one socket), %u thread%s, %u quer%s in the file\n",
		addr_to_text(&config->server, server), config->kind->name, config->socket_count,
		plural(config->socket_count), config->in_flight, tally->in_flight_max,
		config->thread_count, plural(config->thread_count), config->queries->count,
		config->queries->count == 1 ? "y" : "ies");
	print_best(out, result);
	fprintf(out, "sent        %" PRIu64 " in %.3f s\n", tally->sent, run_seconds(result));
	print_schedule(out, result);
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
	print_check(out, &result->check);
	print_found(out, config->queries, &result->check);
	if (config->kind == &flow_tcp) {
		print_streams(out, tally);
	}
	print_hosts(out, result);
	print_points(out, result);
}
