/* recipe_drop.c - an open loop from many ports, faster and faster. */
#include "loadgen/recipe_drop.h"

#include "base/now.h"
#include "loadgen/flow_udp.h"
#include "loadgen/recipe_peer.h"

#define WORKERS     24u  /* as the machine of 2014 had hardware threads */
#define SOCKETS     256u /* source ports: ten for each of the servers' sockets */
#define IN_FLIGHT   (SOCKETS * 4096u)
#define TIMEOUT_NS  NOW_NS_A_SECOND
#define NAME_COUNT  1000u
#define QUERY_COUNT 100000u

static const double rates[] = {25e3, 50e3, 75e3, 100e3, 150e3, 200e3, 300e3};

#define RATE_COUNT (sizeof(rates) / sizeof(rates[0]))

static bool write_files(struct recipe_stage *stage)
{
	FILE *zone = recipe_stage_create(stage, "zone");
	FILE *queries = recipe_stage_create(stage, "queries");

	if (zone != NULL) {
		fputs("$TTL 3600\n@ IN SOA ns hostmaster 1 3600 600 86400 300\n@ IN NS ns\n"
		      "ns IN A 192.0.2.1\n",
			zone);
		for (uint32_t i = 0; i < NAME_COUNT; i++) {
			fprintf(zone, "host%u IN A 192.0.2.%u\n", i, i % 256);
		}
	}
	for (uint32_t i = 0; queries != NULL && i < QUERY_COUNT; i++) {
		fprintf(queries, "host%u.example.test A\n", i * 7919u % NAME_COUNT);
	}
	bool is_written = zone != NULL && queries != NULL;
	is_written &= zone == NULL || fclose(zone) == 0;
	is_written &= queries == NULL || fclose(queries) == 0;
	return is_written && recipe_stage_read_queries(stage, "queries");
}

static bool measure(struct recipe_stage *stage, const struct recipe_options *options,
	const struct recipe_peer *peer, double rate, struct recipe_rounds *rounds)
{
	const struct run_config config = {.mode = RUN_SWEEP,
		.server = peer->server,
		.kind = &flow_udp,
		.schedule = schedule_rate(rate),
		.length_ns = (uint64_t)(options->seconds * (double)NOW_NS_A_SECOND),
		.timeout_ns = TIMEOUT_NS,
		.in_flight = IN_FLIGHT,
		.socket_count = SOCKETS,
		.thread_count = 1};

	return recipe_stage_measure(stage, &config, rounds);
}

static bool sweep(struct recipe_stage *stage, const struct recipe_options *options,
	const struct recipe_peers *peers)
{
	fprintf(options->out, "  %-10s", "offered/s");
	for (uint32_t i = 0; i < peers->count; i++) {
		fprintf(options->out, " %18s", peers->items[i].name);
	}
	fprintf(options->out, "  answers/s and lost; * the tool did not keep to the rate\n");
	for (size_t k = 0; k < RATE_COUNT; k++) {
		fprintf(options->out, "  %-10.0f", rates[k]);
		for (uint32_t i = 0; i < peers->count; i++) {
			struct recipe_rounds rounds = {.count = 0};
			for (uint32_t round = 0; round < options->rounds; round++) {
				if (!measure(stage, options, &peers->items[i], rates[k], &rounds)) {
					fputc('\n', options->out);
					return false;
				}
			}
			struct recipe_figure figure = recipe_stage_median(&rounds);
			fprintf(options->out, " %8.0f %7.3f%%%c", figure.rate,
				100 * figure.lost_part, figure.is_tool_bound ? '*' : ' ');
		}
		fputc('\n', options->out);
		fflush(options->out);
	}
	return true;
}

int recipe_drop(const struct recipe_options *options)
{
	const struct recipe_zone zone = {
		.name = "example.test", .file = "zone", .workers = WORKERS};
	struct recipe_stage stage;
	struct recipe_peers peers = {.count = 0};

	fprintf(options->out,
		"drop-rate-2014: 24 workers each, queries from 256 ports at a fixed rate\n"
		"  then (BIND, 24 threads and listeners, 2 x 6 cores with 24 hardware threads):\n"
		"  RHEL 6.4 with a receive buffer of 40 MB: none lost up to 180,000 a second, then "
		"more "
		"and more; FreeBSD 7: none\n");
	if (!recipe_stage_open(&stage)) {
		return 1;
	}
	bool is_done = write_files(&stage) && recipe_peer_start_all(&stage, &zone, &peers) &&
		       sweep(&stage, options, &peers);
	recipe_peer_end_all(&peers);
	recipe_stage_close(&stage);
	return is_done ? 0 : 1;
}
