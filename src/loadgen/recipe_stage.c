/* recipe_stage.c - folders, ports, and medians. */
#include "loadgen/recipe_stage.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/now.h"
#include "loadgen/flow_udp.h"
#include "os/clock.h"
#include "os/socket.h"

#define WAIT_NS   (30 * NOW_NS_A_SECOND) /* the slowest server loads these zones in a few */
#define LOOK_NS   (100 * NOW_NS_A_MILLISECOND)
#define FTW_FILES 16 /* open at a time */

static bool complain(const char *what)
{
	fprintf(stderr, "saker: bench recipe: %s: %s\n", what, strerror(errno));
	return false;
}

static void block_signals(int how)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(how, &signals, NULL);
}

bool recipe_stage_open(struct recipe_stage *stage)
{
	const char *base = getenv("TMPDIR");

	memset(stage, 0, sizeof(*stage));
	snprintf(stage->folder, sizeof(stage->folder), "%.200s/saker-recipe-XXXXXX",
		base == NULL ? "/tmp" : base);
	if (mkdtemp(stage->folder) == NULL) {
		return complain(stage->folder);
	}
	block_signals(SIG_BLOCK);
	return true;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place)
{
	(void)status;
	(void)kind;
	(void)place;
	return remove(path);
}

void recipe_stage_close(struct recipe_stage *stage)
{
	queryfile_fini(&stage->queries);
	nftw(stage->folder, remove_entry, FTW_FILES, FTW_DEPTH | FTW_PHYS);
	block_signals(SIG_UNBLOCK);
}

const char *recipe_stage_path(const struct recipe_stage *stage, const char *name, char *path)
{
	snprintf(path, RECIPE_STAGE_PATH_MAX, "%.200s/%.50s", stage->folder, name);
	return path;
}

FILE *recipe_stage_create(const struct recipe_stage *stage, const char *name)
{
	char path[RECIPE_STAGE_PATH_MAX];
	FILE *file = fopen(recipe_stage_path(stage, name, path), "we");

	if (file == NULL) {
		complain(path);
	}
	return file;
}

bool recipe_stage_read_queries(struct recipe_stage *stage, const char *name)
{
	const struct queryfile_options options = {.strict = true};
	const struct diag_sink sink = {.report = diag_print, .context = stderr};
	char path[RECIPE_STAGE_PATH_MAX];

	queryfile_fini(&stage->queries);
	return queryfile_read(recipe_stage_path(stage, name, path), &options, &sink,
		       &stage->queries) == STATUS_OK;
}

uint16_t recipe_stage_port(struct addr *out)
{
	struct addr any;
	bool is_found = addr_parse("127.0.0.1:0", 0, &any);
	int fd = is_found ? socket_udp_bind(&any, 0) : -1;

	is_found = fd >= 0 && socket_local(fd, out);
	if (fd >= 0) {
		socket_close(fd);
	}
	return is_found ? out->port : 0;
}

static bool was_interrupted(void)
{
	const struct timespec at_once = {0};
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	return sigtimedwait(&signals, NULL, &at_once) > 0;
}

bool recipe_stage_wait(struct recipe_stage *stage, const struct addr *server)
{
	static struct run_result result; /* nearly a megabyte: not for the stack */
	struct queryfile first = stage->queries;
	struct run_config config = {.server = *server,
		.kind = &flow_udp,
		.queries = &first,
		.repeats = 1,
		.timeout_ns = LOOK_NS,
		.patience_ns = LOOK_NS,
		.in_flight = 1,
		.socket_count = 1,
		.thread_count = 1};
	uint64_t end_ns = clock_mono_ns() + WAIT_NS;

	first.count = 1;
	while (clock_mono_ns() < end_ns && !stage->is_interrupted) {
		bool is_run = run_load(&config, &result) == STATUS_OK;
		bool is_answered = is_run && result.tally.rcodes[0] != 0;
		stage->is_interrupted =
			was_interrupted() || (is_run && result.end == RUN_INTERRUPTED);
		run_result_fini(&result);
		if (is_answered) {
			return true;
		}
		clock_sleep_until(clock_mono_ns() + LOOK_NS);
	}
	return false;
}

bool recipe_stage_measure(
	struct recipe_stage *stage, const struct run_config *config, struct recipe_rounds *rounds)
{
	static struct run_result result; /* nearly a megabyte: not for the stack */
	struct run_config whole = *config;

	ASSERT(rounds->count < RECIPE_STAGE_ROUNDS_MAX);
	whole.queries = &stage->queries;
	enum status status = run_load(&whole, &result);
	if (status != STATUS_OK) {
		complain(status_text(status));
		run_result_fini(&result);
		return false;
	}
	const struct tally *tally = &result.tally;
	rounds->figures[rounds->count++] = (struct recipe_figure){.rate = run_rate(&result),
		.server_us = tally->answered == 0 ? 0
						  : (double)result.host.server_cpu_ns / 1e3 /
							    (double)tally->answered,
		.lost_part = tally->sent == 0 ? 0 : (double)tally->lost / (double)tally->sent,
		.error_part = tally->answered == 0
				      ? 0
				      : 1 - (double)tally->rcodes[0] / (double)tally->answered,
		.p50_ns = histogram_percentile(&result.latency_ns, 500),
		.p99_ns = histogram_percentile(&result.latency_ns, 990),
		.is_tool_bound = run_is_tool_bound(&result)};
	stage->is_interrupted = result.end == RUN_INTERRUPTED;
	run_result_fini(&result);
	return !stage->is_interrupted;
}

static int by_rate(const void *left, const void *right)
{
	double a = ((const struct recipe_figure *)left)->rate;
	double b = ((const struct recipe_figure *)right)->rate;

	return a < b ? -1 : a > b;
}

static int by_server_us(const void *left, const void *right)
{
	double a = ((const struct recipe_figure *)left)->server_us;
	double b = ((const struct recipe_figure *)right)->server_us;

	return a < b ? -1 : a > b;
}

static struct recipe_figure median(
	const struct recipe_rounds *rounds, int (*order)(const void *left, const void *right))
{
	struct recipe_rounds sorted = *rounds;

	if (rounds->count == 0) {
		return (struct recipe_figure){0};
	}
	qsort(sorted.figures, sorted.count, sizeof(sorted.figures[0]), order);
	return sorted.figures[sorted.count / 2];
}

struct recipe_figure recipe_stage_median(const struct recipe_rounds *rounds)
{
	return median(rounds, by_rate);
}

double recipe_stage_median_us(const struct recipe_rounds *rounds)
{
	return median(rounds, by_server_us).server_us;
}
