/* recipe_servers.c - one zone, one list of queries, all servers in turn. */
#include "loadgen/recipe_servers.h"

#include <string.h>

#include "base/now.h"
#include "base/random.h"
#include "loadgen/flow_udp.h"
#include "loadgen/recipe_peer.h"
#include "loadgen/recipe_reverse.h"

#define IN_FLIGHT   100u
#define TIMEOUT_NS  NOW_NS_A_SECOND
#define QUERY_COUNT 100000u
#define SEED        1u

static bool write_platform_files(struct recipe_stage *stage)
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

static bool measure(
	struct recipe_stage *stage, const struct recipe_peer *peer, const struct recipe_key *key)
{
	const struct run_config config = {.mode = RUN_CLOSED,
		.server = peer->server,
		.kind = &flow_udp,
		.length_ns = (uint64_t)(stage->options->seconds * (double)NOW_NS_A_SECOND),
		.timeout_ns = TIMEOUT_NS,
		.in_flight = IN_FLIGHT,
		.socket_count = 1,
		.thread_count = 1};

	return recipe_stage_measure(stage, &config, key);
}

/* The rows of one setting. */
static void print_rows(FILE *out, const struct recipe_sheet *sheet, const char *setting)
{
	fprintf(out, "  %-10s %12s %16s %10s %10s\n", "now", "answers/s", "server us/answer",
		"p99 us", "lost");
	for (size_t i = 0; i < sheet->count; i++) {
		const struct recipe_row *row = &sheet->rows[i];
		struct recipe_figure figure = recipe_sheet_median(row);
		if (setting == NULL || strcmp(row->key.setting, setting) == 0) {
			fprintf(out, "  %-10s %12.0f %16.2f %10.0f %9.3f%%%s\n", row->key.subject,
				figure.rate, figure.server_us, (double)figure.p99_ns / 1e3,
				100 * figure.lost_part,
				figure.is_tool_bound ? "  the tool was the limit" : "");
		}
	}
}

static bool take_platform_turn(struct recipe_stage *stage, void *context, uint32_t i)
{
	const struct recipe_peers *peers = context;
	const struct recipe_key key = {.subject = peers->items[i].name};

	return measure(stage, &peers->items[i], &key);
}

static bool run_platforms(struct recipe_stage *stage)
{
	const struct recipe_zone zone = {.name = "foo.bar", .file = "zone", .workers = 1};
	struct recipe_peers peers = {.count = 0};

	bool is_done = write_platform_files(stage) && recipe_stage_read_queries(stage, "queries") &&
		       recipe_peer_start_all(stage, &zone, &peers) &&
		       recipe_stage_turns(stage, peers.count, 1, take_platform_turn, &peers);
	recipe_peer_end_all(&peers);
	return is_done;
}

static void print_platforms(FILE *out, const struct recipe_sheet *sheet)
{
	print_rows(out, sheet, NULL);
}

static const struct recipe_then_figure platform_figures[] = {
	{"Linux 2.6", "BIND 9.3.2", "answers/s", 38845, 0},
	{"Linux 2.6", "NSD 3.0.1", "answers/s", 59645, 0},
	{"FreeBSD 4.11 SMP", "BIND 9.3.2", "answers/s", 34977, 0},
	{"FreeBSD 4.11 SMP", "NSD 3.0.1", "answers/s", 59417, 0},
	{"FreeBSD 4.11 UP", "BIND 9.3.2", "answers/s", 33926, 0},
	{"FreeBSD 4.11 UP", "NSD 3.0.1", "answers/s", 59547, 0},
	{"FreeBSD 6.1 SMP", "BIND 9.3.2", "answers/s", 14953, 0},
	{"FreeBSD 6.1 SMP", "NSD 3.0.1", "answers/s", 15908, 0},
	{"FreeBSD 6.1 UP", "BIND 9.3.2", "answers/s", 15516, 0},
	{"FreeBSD 6.1 UP", "NSD 3.0.1", "answers/s", 14752, 0},
	{NULL, NULL, NULL, 0, 0},
};

const struct recipe recipe_servers_platforms = {
	.name = "udp-platforms-2006",
	.asked = "why is UDP answering slow on one system and not on another?",
	.today = "nine delegations, NS queries, one worker each",
	.then = {.how = "dual Opteron 2.4 GHz, queryperf from a second machine",
		.figures = platform_figures},
	.run = run_platforms,
	.print = print_platforms,
};

static const struct {
	const char *name;
	const char *about;
	enum recipe_reverse_spread spread;
} lists[] = {
	{"even", "every name equally often", RECIPE_REVERSE_EVEN},
	{"uneven", "the k-th name with a share of 1/k (Zipf)", RECIPE_REVERSE_ZIPF},
};

#define LIST_COUNT (sizeof(lists) / sizeof(lists[0]))

/* All servers with one list, then with the other. */
static bool take_reverse_turn(struct recipe_stage *stage, void *context, uint32_t i)
{
	const struct recipe_peers *peers = context;
	const struct recipe_peer *peer = &peers->items[i % peers->count];
	const struct recipe_key key = {
		.subject = peer->name, .setting = lists[i / peers->count].name};

	return recipe_stage_read_queries(stage, key.setting) && measure(stage, peer, &key);
}

static bool run_reverse(struct recipe_stage *stage)
{
	const struct recipe_zone zone = {.name = RECIPE_REVERSE_ZONE, .file = "zone", .workers = 1};
	struct recipe_peers peers = {.count = 0};
	bool is_done = recipe_reverse_zone(stage, "zone", false);

	for (size_t i = 0; i < LIST_COUNT && is_done; i++) {
		is_done = recipe_reverse_queries(stage, lists[i].name, lists[i].spread);
	}
	is_done = is_done && recipe_stage_read_queries(stage, lists[0].name) &&
		  recipe_peer_start_all(stage, &zone, &peers) &&
		  recipe_stage_turns(
			  stage, (uint32_t)LIST_COUNT * peers.count, 1, take_reverse_turn, &peers);
	recipe_peer_end_all(&peers);
	return is_done;
}

static void print_reverse(FILE *out, const struct recipe_sheet *sheet)
{
	for (size_t i = 0; i < LIST_COUNT; i++) {
		fprintf(out, "%s\n", lists[i].about);
		print_rows(out, sheet, lists[i].name);
	}
}

static const char *const reverse_remarks[] = {"then: proposed, no figures", NULL};

const struct recipe recipe_servers_reverse = {
	.name = "reverse-zone-2007",
	.asked = "what does an authoritative server do where a realistic zone is hard to get?",
	.today = "65,536 PTR records, one worker each",
	.then = {.remarks = reverse_remarks},
	.run = run_reverse,
	.print = print_reverse,
};
