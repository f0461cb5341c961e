/* recipe_servers.c - one zone, one list of queries, all servers in turn. */
#include "loadgen/recipe_servers.h"

#include "base/now.h"
#include "base/random.h"
#include "loadgen/flow_udp.h"
#include "loadgen/recipe_peer.h"
#include "loadgen/recipe_reverse.h"

#define IN_FLIGHT   100u
#define TIMEOUT_NS  NOW_NS_A_SECOND
#define QUERY_COUNT 100000u
#define SEED        1u

static bool write_platform_files(const struct recipe_stage *stage)
{
	struct random random;
	FILE *zone = recipe_stage_create(stage, "zone");
	FILE *queries = recipe_stage_create(stage, "queries");

	random_init(&random, SEED);
	if (zone != NULL) {
		fputs("$TTL 86400\n@ IN SOA foo.dns.bar. hostmaster.foo.bar. 2006090601 1800 900 "
		      "604800 "
		      "900\n@ IN NS foo.dns.bar.\n",
			zone);
		for (uint32_t i = 1; i <= 9; i++) {
			fprintf(zone, "test%u IN NS qq%u.bsd.\n", i, i);
		}
	}
	for (uint32_t i = 0; queries != NULL && i < QUERY_COUNT; i++) {
		fprintf(queries, "test%u.foo.bar NS\n", 1 + random_below(&random, 9));
	}
	bool is_written = zone != NULL && queries != NULL;
	is_written &= zone == NULL || fclose(zone) == 0;
	is_written &= queries == NULL || fclose(queries) == 0;
	return is_written;
}

/* Asks each server in turn, round by round, and prints a line for each. */
static bool ask_all(struct recipe_stage *stage, const struct recipe_peers *peers,
	const struct recipe_options *options)
{
	struct recipe_rounds rounds[RECIPE_PEERS_MAX] = {{.count = 0}};

	for (uint32_t round = 0; round < options->rounds; round++) {
		for (uint32_t i = 0; i < peers->count; i++) {
			struct run_config config = {.mode = RUN_CLOSED,
				.server = peers->items[i].server,
				.kind = &flow_udp,
				.length_ns = (uint64_t)(options->seconds * (double)NOW_NS_A_SECOND),
				.timeout_ns = TIMEOUT_NS,
				.in_flight = IN_FLIGHT,
				.socket_count = 1,
				.thread_count = 1};
			if (!recipe_stage_measure(stage, &config, &rounds[i])) {
				return false;
			}
		}
	}
	fprintf(options->out, "  %-10s %12s %16s %10s %10s\n", "now", "answers/s",
		"server us/answer", "p99 us", "lost");
	for (uint32_t i = 0; i < peers->count; i++) {
		struct recipe_figure figure = recipe_stage_median(&rounds[i]);
		fprintf(options->out, "  %-10s %12.0f %16.2f %10.0f %9.3f%%%s\n",
			peers->items[i].name, figure.rate, figure.server_us,
			(double)figure.p99_ns / 1e3, 100 * figure.lost_part,
			figure.is_tool_bound ? "  the tool was the limit" : "");
	}
	return true;
}

int recipe_servers_platforms(const struct recipe_options *options)
{
	const struct recipe_zone zone = {.name = "foo.bar", .file = "zone", .workers = 1};
	struct recipe_stage stage;
	struct recipe_peers peers = {.count = 0};

	fprintf(options->out,
		"udp-platforms-2006: nine delegations, NS queries, one worker each\n"
		"  then (dual Opteron 2.4 GHz, queryperf from a second machine), answers/s:\n"
		"                   Linux 2.6  FreeBSD 4.11 SMP / UP  FreeBSD 6.1 SMP / UP\n"
		"  BIND 9.3.2         38,845         34,977 / 33,926       14,953 / 15,516\n"
		"  NSD 3.0.1          59,645         59,417 / 59,547       15,908 / 14,752\n");
	if (!recipe_stage_open(&stage)) {
		return 1;
	}
	bool is_done =
		write_platform_files(&stage) && recipe_stage_read_queries(&stage, "queries") &&
		recipe_peer_start_all(&stage, &zone, &peers) && ask_all(&stage, &peers, options);
	recipe_peer_end_all(&peers);
	recipe_stage_close(&stage);
	return is_done ? 0 : 1;
}

int recipe_servers_reverse(const struct recipe_options *options)
{
	const struct recipe_zone zone = {.name = RECIPE_REVERSE_ZONE, .file = "zone", .workers = 1};
	struct recipe_stage stage;
	struct recipe_peers peers = {.count = 0};

	fprintf(options->out, "reverse-zone-2007: 65,536 PTR records, one worker each; then: "
			      "proposed, no figures\n");
	if (!recipe_stage_open(&stage)) {
		return 1;
	}
	bool is_done = recipe_reverse_zone(&stage, "zone", false) &&
		       recipe_reverse_queries(&stage, "even", RECIPE_REVERSE_EVEN) &&
		       recipe_reverse_queries(&stage, "uneven", RECIPE_REVERSE_ZIPF) &&
		       recipe_stage_read_queries(&stage, "even") &&
		       recipe_peer_start_all(&stage, &zone, &peers);
	if (is_done) {
		fprintf(options->out, "every name equally often\n");
		is_done = ask_all(&stage, &peers, options) &&
			  recipe_stage_read_queries(&stage, "uneven");
	}
	if (is_done) {
		fprintf(options->out, "the k-th name with a share of 1/k (Zipf)\n");
		is_done = ask_all(&stage, &peers, options);
	}
	recipe_peer_end_all(&peers);
	recipe_stage_close(&stage);
	return is_done ? 0 : 1;
}
