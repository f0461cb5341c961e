/* recipe_stage.c - folders, ports, turns and runs. */
#include "loadgen/recipe_stage.h"

#include <errno.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/now.h"
#include "loadgen/flow_udp.h"
#include "loadgen/ramp.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/socket.h"

/* The slowest server loads these zones in a few seconds; one that a sanitizer slows down, on a busy machine, in many. */
#define WAIT_NS     (180 * NOW_NS_A_SECOND)
#define LOOK_NS     (100 * NOW_NS_A_MILLISECOND)
#define LOOK_NS_MAX (2 * NOW_NS_A_SECOND)
#define FTW_FILES   16 /* open at a time */

void recipe_stage_quiet(struct recipe_stage *stage)
{
	if (stage->options->progress != NULL) {
		stage->options->progress(stage->options->progress_context, NULL);
	}
}

bool recipe_stage_complain(struct recipe_stage *stage, const char *what, const char *why)
{
	recipe_stage_quiet(stage);
	fprintf(stderr, "saker: bench recipe: %s%s%s\n", what, why == NULL ? "" : ": ",
		why == NULL ? "" : why);
	return false;
}

/* Says what is done now. answered_rate: negative: nothing is measured */
static void tell(struct recipe_stage *stage, const char *doing, double part, double answered_rate)
{
	struct recipe_progress *progress = &stage->progress;

	if (stage->options->progress == NULL) {
		return;
	}
	progress->doing = doing;
	progress->part = part;
	progress->answered_rate = answered_rate;
	progress->elapsed_ns = clock_mono_ns() - stage->rounds_ns;
	stage->options->progress(stage->options->progress_context, progress);
}

static void block_signals(int how)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigprocmask(how, &signals, NULL);
}

bool recipe_stage_open(struct recipe_stage *stage, const struct recipe_options *options)
{
	const char *base = getenv("TMPDIR");

	memset(stage, 0, sizeof(*stage));
	stage->options = options;
	recipe_sheet_init(&stage->sheet);
	snprintf(stage->folder, sizeof(stage->folder), "%.200s/saker-recipe-XXXXXX",
		base == NULL ? "/tmp" : base);
	if (mkdtemp(stage->folder) == NULL) {
		return recipe_stage_complain(stage, stage->folder, strerror(errno));
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
	recipe_sheet_fini(&stage->sheet);
	nftw(stage->folder, remove_entry, FTW_FILES, FTW_DEPTH | FTW_PHYS);
	block_signals(SIG_UNBLOCK);
}

const char *recipe_stage_path(const struct recipe_stage *stage, const char *name, char *path)
{
	snprintf(path, RECIPE_STAGE_PATH_MAX, "%.200s/%.50s", stage->folder, name);
	return path;
}

FILE *recipe_stage_create(struct recipe_stage *stage, const char *name)
{
	char path[RECIPE_STAGE_PATH_MAX];
	FILE *file = fopen(recipe_stage_path(stage, name, path), "we");

	if (file == NULL) {
		recipe_stage_complain(stage, path, strerror(errno));
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

/* Is the first query answered within a time? */
static bool is_answering(struct recipe_stage *stage, const struct addr *server, uint64_t timeout_ns)
{
	static struct run_result result; /* nearly a megabyte: not for the stack */
	struct queryfile first = stage->queries;
	const struct run_config config = {.server = *server,
		.kind = &flow_udp,
		.queries = &first,
		.repeats = 1,
		.timeout_ns = timeout_ns,
		.in_flight = 1,
		.socket_count = 1,
		.thread_count = 1};

	first.count = 1;
	bool is_run = run_load(&config, &result) == STATUS_OK;
	bool is_answered = is_run && result.tally.rcodes[0] != 0;
	stage->is_interrupted = was_interrupted() || (is_run && result.end == RUN_INTERRUPTED);
	run_result_fini(&result);
	return is_answered;
}

bool recipe_stage_wait(
	struct recipe_stage *stage, const char *who, pid_t pid, const struct addr *server)
{
	char doing[RECIPE_SHEET_LABEL_MAX];
	uint64_t end_ns = clock_mono_ns() + WAIT_NS;
	uint64_t look_ns = LOOK_NS;

	snprintf(doing, sizeof(doing), "starting %.60s", who);
	tell(stage, doing, 0, -1);
	while (clock_mono_ns() < end_ns && child_is_running(pid)) {
		bool is_answered = is_answering(stage, server, look_ns);
		if (is_answered || stage->is_interrupted) {
			return !stage->is_interrupted;
		}
		/* On a busy machine an answer may take long, and nobody is slower for waiting longer. */
		look_ns = 2 * look_ns > LOOK_NS_MAX ? LOOK_NS_MAX : 2 * look_ns;
		clock_sleep_until(clock_mono_ns() + LOOK_NS);
	}
	return false;
}

bool recipe_stage_turns(struct recipe_stage *stage, uint32_t turn_count, uint32_t measurements,
	recipe_stage_turn turn, void *context)
{
	struct recipe_progress *progress = &stage->progress;

	ASSERT(stage->options->rounds <= RECIPE_SHEET_ROUNDS_MAX);
	stage->rounds_ns = clock_mono_ns();
	progress->round_count = stage->options->rounds;
	progress->measurement_count = progress->round_count * turn_count * measurements;
	for (progress->round = 0; progress->round < progress->round_count; progress->round++) {
		for (uint32_t i = 0; i < turn_count; i++) {
			if (!turn(stage, context, i)) {
				return false;
			}
			/* Also where it was left out. */
			progress->measured = (progress->round * turn_count + i + 1) * measurements;
		}
	}
	return true;
}

/* A measurement under way, for its progress. */
struct watch {
	struct recipe_stage *stage;
	const char *label;
};

static void take_progress(void *context, const struct run_progress *progress)
{
	const struct watch *watch = context;

	tell(watch->stage, watch->label, progress->done < 0 ? 0 : progress->done,
		progress->answered_rate);
}

static struct recipe_figure make_figure(const struct run_result *result)
{
	const struct tally *tally = &result->tally;
	double answered = (double)tally->answered;

	return (struct recipe_figure){.rate = run_rate(result),
		.server_us = tally->answered == 0
				     ? 0
				     : (double)result->host.server_cpu_ns / 1e3 / answered,
		.lost_part = tally->sent == 0 ? 0 : (double)tally->lost / (double)tally->sent,
		.error_part = tally->answered == 0 ? 0 : 1 - (double)tally->rcodes[0] / answered,
		.p50_ns = histogram_percentile(&result->latency_ns, 500),
		.p99_ns = histogram_percentile(&result->latency_ns, 990),
		.is_tool_bound = run_is_tool_bound(result),
		.end = result->end};
}

/* Of a ramp: what it found before too much was lost. */
static enum status make_ramp_figure(
	struct run_result *result, double loss_max, struct recipe_figure *out)
{
	enum status status = ramp_points(result, loss_max);

	*out = make_figure(result);
	out->rate = out->lost_part = 0;
	if (status == STATUS_OK && result->point_best < result->point_count) {
		const struct run_point *best = &result->points[result->point_best];
		out->rate = best->rate;
		out->lost_part = best->sent == 0 ? 0 : (double)best->lost / (double)best->sent;
	}
	return status;
}

/* loss_max: of a ramp */
static bool measure(struct recipe_stage *stage, const struct run_config *config, double loss_max,
	const struct recipe_key *key)
{
	static struct run_result result; /* nearly a megabyte: not for the stack */
	char label[RECIPE_SHEET_LABEL_MAX];
	struct run_config whole = *config;
	struct watch watch = {.stage = stage, .label = recipe_sheet_label(key, label)};

	whole.queries = &stage->queries;
	whole.progress = take_progress;
	whole.progress_context = &watch;
	tell(stage, label, 0, -1);
	enum status status = run_load(&whole, &result);
	int error = errno;
	stage->is_interrupted = status == STATUS_OK && result.end == RUN_INTERRUPTED;
	if (status == STATUS_OK && !stage->is_interrupted) {
		struct recipe_figure figure = {.rate = 0};
		if (config->mode == RUN_RAMP) {
			status = make_ramp_figure(&result, loss_max, &figure);
		} else {
			figure = make_figure(&result);
		}
		if (status == STATUS_OK) {
			status = recipe_sheet_add(&stage->sheet, key, &figure);
		}
		stage->progress.measured++;
	}
	run_result_fini(&result);
	if (status != STATUS_OK) {
		return recipe_stage_complain(
			stage, status_text(status), status == STATUS_IO ? strerror(error) : NULL);
	}
	return !stage->is_interrupted;
}

bool recipe_stage_measure(
	struct recipe_stage *stage, const struct run_config *config, const struct recipe_key *key)
{
	ASSERT(config->mode != RUN_RAMP);
	return measure(stage, config, 0, key);
}

bool recipe_stage_ramp(struct recipe_stage *stage, const struct run_config *config, double loss_max,
	const struct recipe_key *key)
{
	ASSERT(config->mode == RUN_RAMP);
	return measure(stage, config, loss_max, key);
}
