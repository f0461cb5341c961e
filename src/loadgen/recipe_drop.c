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

static const uint32_t rates[] = {25000, 50000, 75000, 100000, 150000, 200000, 300000};

#define RATE_COUNT (sizeof(rates) / sizeof(rates[0]))

static struct recipe_key key_of(const char *server, size_t rate_idx)
{
	return (struct recipe_key){
		.subject = server, .number_name = "offered", .number = rates[rate_idx]};
}

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

/* All servers at one rate, then at the next. */
static bool take_turn(struct recipe_stage *stage, void *context, uint32_t i)
{
	const struct recipe_peers *peers = context;
	const struct recipe_peer *peer = &peers->items[i % peers->count];
	const struct recipe_key key = key_of(peer->name, i / peers->count);
	const struct run_config config = {.mode = RUN_SWEEP,
		.server = peer->server,
		.kind = &flow_udp,
		.schedule = schedule_rate(key.number),
		.length_ns = (uint64_t)(stage->options->seconds * (double)NOW_NS_A_SECOND),
		.timeout_ns = TIMEOUT_NS,
		.in_flight = IN_FLIGHT,
		.socket_count = SOCKETS,
		.thread_count = 1};

	return recipe_stage_measure(stage, &config, &key);
}

static bool run(struct recipe_stage *stage)
{
	const struct recipe_zone zone = {
		.name = "example.test", .file = "zone", .workers = WORKERS};
	struct recipe_peers peers = {.count = 0};

	bool is_done =
		write_files(stage) && recipe_peer_start_all(stage, &zone, &peers) &&
		recipe_stage_turns(stage, (uint32_t)RATE_COUNT * peers.count, 1, take_turn, &peers);
	recipe_peer_end_all(&peers);
	return is_done;
}

/* Servers are columns: those that were asked at the first rate. */
static void print(FILE *out, const struct recipe_sheet *sheet)
{
	size_t server_count = 0;

	fputs("  now: answers/s and lost; * the tool did not keep to the rate\n  offered/s ", out);
	while (server_count < sheet->count && sheet->rows[server_count].key.number == rates[0]) {
		fprintf(out, " %18s", sheet->rows[server_count++].key.subject);
	}
	fputc('\n', out);
	for (size_t k = 0; k < RATE_COUNT; k++) {
		fprintf(out, "  %-10u", rates[k]);
		for (size_t i = 0; i < server_count; i++) {
			const struct recipe_key key = key_of(sheet->rows[i].key.subject, k);
			const struct recipe_row *row = recipe_sheet_find(sheet, &key);
			struct recipe_figure figure = recipe_sheet_median(row);
			if (row != NULL) {
				fprintf(out, " %8.0f %7.3f%%%c", figure.rate,
					100 * figure.lost_part, figure.is_tool_bound ? '*' : ' ');
			}
		}
		fputc('\n', out);
	}
}

static const char *const remarks[] = {
	"RHEL 6.4 with a receive buffer of 40 MB: none lost up to 180,000 a second, then more and "
	"more; FreeBSD 7: none",
	NULL,
};

const struct recipe recipe_drop = {
	.name = "drop-rate-2014",
	.asked = "why does one system drop more than another at the same rate?",
	.today = "24 workers each, queries from 256 ports at a fixed rate",
	.then = {.how = "BIND, 24 threads and listeners, 2 x 6 cores with 24 hardware threads",
		.remarks = remarks},
	.run = run,
	.print = print,
};
