/* run.c - threads and signals of a load test. */
#include "loadgen/run.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/now.h"
#include "loadgen/answerbook.h"
#include "loadgen/flow_tcp.h"
#include "loadgen/sender.h"
#include "loadgen/startline.h"
#include "os/clock.h"
#include "os/local_server.h"
#include "os/seed.h"

#define LOOK_NS     (100 * NOW_NS_A_MILLISECOND) /* how often the main thread looks at the others */
#define PROGRESS_NS NOW_NS_A_SECOND
/* From the moment in which all threads run to the first query of an open loop: they have got to their loops then. */
#define LEAD_NS (2 * NOW_NS_A_MILLISECOND)
/* An open loop whose queries are sent this late, one in a hundred of them, tells of the tool; a guess: the latencies
 * of a server at work are of this size.
 */
#define LATENESS_LIMIT_NS NOW_NS_A_MILLISECOND
/* An open loop that got fewer than this of its queries out offered another rate than it was told to. */
#define SENT_LIMIT 0.999
#define NEWS_MAX   16u /* intervals told with one progress */
/* A sender that waits less than a twentieth of its time is the limit; a guess. */
#define BUSY_LIMIT 0.95

struct worker {
	struct sender sender;
	struct run *run; /* borrows: the run's */
	pthread_t thread;
	bool is_started;
};

struct run {
	const struct run_config *config; /* borrows: the caller's */
	struct supply supply;
	struct startline startline; /* where supply.start_ns is set */
	struct recorder_sink sink;
	struct local_server server; /* its processes, where they are on this machine */
	struct local_server_usage usage_before;
	uint64_t machine_dropped_before;
	uint64_t planned_ns;    /* of the sending; 0: as long as the queries last */
	struct worker *workers; /* owns: config->thread_count of them */
	pthread_t main_thread;
	atomic_uint done_count; /* [atomic: release in work(), pairs with acquire in watch()] */
	bool is_stopped;
};

static void *work(void *argument)
{
	struct worker *worker = argument;

	startline_arrive(&worker->run->startline);
	sender_run(&worker->sender);
	atomic_fetch_add_explicit(&worker->run->done_count, 1, memory_order_release);
	pthread_kill(worker->run->main_thread, SIGUSR1);
	return NULL;
}

static void stop_all(struct run *run)
{
	run->is_stopped = true;
	for (uint32_t i = 0; i < run->config->thread_count; i++) {
		if (run->workers[i].is_started) {
			sender_stop(&run->workers[i].sender);
		}
	}
}

/* The sockets of a big run are more than the usual soft limit of 1024 files. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static enum status init_workers(struct run *run)
{
	static const struct source_set any = {0};
	uint32_t first_flow = 0;
	const struct run_config *config = run->config;
	uint32_t threads = config->thread_count;

	run->workers = calloc(threads, sizeof(*run->workers));
	if (run->workers == NULL) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < threads; i++) {
		uint64_t key;
		struct sender_config part = {.kind = config->kind,
			.queries = config->queries,
			.server = &config->server,
			.supply = &run->supply,
			.sink = &run->sink,
			.timeout_ns = config->timeout_ns,
			.length_ns = config->length_ns,
			.sources = config->sources != NULL ? config->sources : &any,
			.first_flow = first_flow,
			.edns = &config->edns,
			.key = config->key,
			.judge = config->judge,
			.learn = config->learn,
			.told = config->told,
			.port_first = config->port_first,
			.buffer_len = config->buffer_len,
			.per_connection = config->per_connection,
			.rank = i,
			.rank_count = threads,
			.behind_max = config->behind_max,
			.ends_crowded = config->ends_crowded,
			.in_flight = config->in_flight / threads +
				     (i < config->in_flight % threads ? 1 : 0),
			.flow_count = config->socket_count / threads +
				      (i < config->socket_count % threads ? 1 : 0)};

		seed_octets(&key, sizeof(key));
		first_flow += part.flow_count;
		run->workers[i].run = run;
		enum status status = sender_init(&run->workers[i].sender, &part, key);
		if (status != STATUS_OK) {
			return status;
		}
	}
	return STATUS_OK;
}

static enum status start_workers(struct run *run)
{
	local_server_find(&run->config->server, run->config->kind == &flow_tcp, &run->server);
	run->usage_before = local_server_usage(&run->server);
	run->machine_dropped_before = local_server_machine_drops();
	for (uint32_t i = 0; i < run->config->thread_count; i++) {
		struct worker *worker = &run->workers[i];
		int error = pthread_create(&worker->thread, NULL, work, worker);
		if (error != 0) {
			errno = error;
			return STATUS_IO;
		}
		worker->is_started = true;
	}
	startline_wait(&run->startline);
	return STATUS_OK;
}

struct glance {
	uint64_t sent;
	uint64_t answered;
	uint64_t lost;
	uint64_t heard;
	uint64_t failed;
};

static struct glance look(struct run *run)
{
	struct glance glance = {0};

	for (uint32_t i = 0; i < run->config->thread_count; i++) {
		struct sender_progress *progress = &run->workers[i].sender.progress;
		glance.sent += atomic_load_explicit(&progress->sent, memory_order_relaxed);
		glance.answered += atomic_load_explicit(&progress->answered, memory_order_relaxed);
		glance.lost += atomic_load_explicit(&progress->lost, memory_order_relaxed);
		glance.heard += atomic_load_explicit(&progress->heard, memory_order_relaxed);
		glance.failed += atomic_load_explicit(&progress->failed, memory_order_relaxed);
	}
	return glance;
}

/* Part of the sending that is done: of its time, or of its queries. */
static double part_done(const struct run *run, uint64_t elapsed_ns, uint64_t sent)
{
	const struct run_config *config = run->config;
	double of_time =
		config->length_ns == 0 ? -1.0 : (double)elapsed_ns / (double)config->length_ns;
	double of_queries =
		config->repeats == 0
			? -1.0
			: (double)sent / ((double)config->repeats * (double)config->queries->count);
	double done = of_time > of_queries ? of_time : of_queries;

	return done > 1.0 ? 1.0 : done;
}

static void tell_progress(struct run *run, const struct glance *now, const struct glance *before,
	uint64_t elapsed_ns, uint64_t since_ns, uint64_t *told)
{
	const struct run_config *config = run->config;
	double seconds = (double)since_ns / (double)NOW_NS_A_SECOND;
	struct interval news[NEWS_MAX];
	uint32_t news_count = recorder_sink_copy(&run->sink, *told, news, NEWS_MAX);
	struct run_progress progress = {.elapsed_ns = elapsed_ns,
		.length_ns = config->length_ns,
		.sent = now->sent,
		.answered = now->answered,
		.lost = now->lost,
		.done = part_done(run, elapsed_ns, now->sent),
		.sent_rate = (double)(now->sent - before->sent) / seconds,
		.answered_rate = (double)(now->answered - before->answered) / seconds,
		.offered_rate = schedule_rate_at(&config->schedule, elapsed_ns),
		.intervals = news,
		.interval_count = news_count};

	*told += news_count;
	config->progress(config->progress_context, &progress);
}

/* Until all senders are done: ends the run at a signal, or where the server is not there. */
static enum run_end watch(struct run *run, const sigset_t *signals)
{
	const struct run_config *config = run->config;
	uint64_t start_ns = run->supply.start_ns;
	uint64_t before_ns = start_ns;
	uint64_t told = 0;
	struct glance before = {0};
	uint64_t progress_ns = config->progress_ns == 0 ? PROGRESS_NS : config->progress_ns;
	enum run_end end = RUN_DONE;

	for (;;) {
		struct timespec wait = {.tv_nsec = LOOK_NS};
		int got = sigtimedwait(signals, NULL, &wait);
		/* Also where all were done before: who made several runs would begin the next one. */
		if ((got == SIGINT || got == SIGTERM) && !run->is_stopped) {
			end = RUN_INTERRUPTED;
			stop_all(run);
		}
		if (atomic_load_explicit(&run->done_count, memory_order_acquire) ==
			config->thread_count) {
			return end;
		}
		struct glance glance = look(run);
		uint64_t now_ns = clock_mono_ns();
		uint64_t elapsed_ns = now_ns > start_ns ? now_ns - start_ns : 0;
		bool is_impatient = config->patience_ns != 0 && elapsed_ns >= config->patience_ns &&
				    glance.sent != 0;
		if (glance.heard == 0 && !run->is_stopped && (glance.failed != 0 || is_impatient)) {
			end = RUN_SILENT;
			stop_all(run);
		}
		if (config->progress != NULL && now_ns >= before_ns + progress_ns) {
			tell_progress(run, &glance, &before, elapsed_ns, now_ns - before_ns, &told);
			before_ns = now_ns;
			before = glance;
		}
	}
}

/* What the server did, as those who asked felt it. */
static void collect_open(struct run *run, struct run_result *out, uint64_t end_ns)
{
	const struct run_config *config = run->config;
	uint64_t due = schedule_first(&config->schedule, end_ns);

	histogram_add_count(&out->latency_ns, config->timeout_ns, out->tally.lost);
	histogram_add_all(&out->lateness_ns, &out->tally.lateness_ns);
	out->due = due < run->sink.limit ? due : run->sink.limit;
}

/* A ramp that the tool could not keep to was ended by a sender. */
static void collect_end(struct run *run, struct run_result *out)
{
	for (uint32_t i = 0; i < run->config->thread_count; i++) {
		struct sender_progress *progress = &run->workers[i].sender.progress;
		if (atomic_load_explicit(&progress->is_crowded, memory_order_relaxed)) {
			out->end = RUN_CROWDED;
		} else if (atomic_load_explicit(&progress->is_behind, memory_order_relaxed)) {
			out->end = RUN_BEHIND;
		}
	}
	if (out->tally.heard == 0 && out->end == RUN_DONE) {
		out->end = RUN_SILENT;
	}
}

/* How long was sent: as planned, or up to the last query where it ended before. */
static uint64_t sending_ns(const struct run *run, const struct run_result *out)
{
	uint64_t start_ns = run->supply.start_ns;
	uint64_t last_ns = out->tally.last_sent_ns;

	if (out->end == RUN_DONE && run->planned_ns != 0) {
		return run->planned_ns;
	}
	return last_ns > start_ns ? last_ns - start_ns + 1 : 1;
}

static void collect_host(const struct run *run, struct run_host *out)
{
	struct local_server_usage after = local_server_usage(&run->server);

	out->machine_dropped = local_server_machine_drops() - run->machine_dropped_before;
	out->is_local = run->server.process_count != 0;
	out->server_processes = run->server.process_count;
	/* A server that was ended meanwhile has less than before. */
	out->server_cpu_ns = after.cpu_ns > run->usage_before.cpu_ns
				     ? after.cpu_ns - run->usage_before.cpu_ns
				     : 0;
	out->server_dropped = after.dropped > run->usage_before.dropped
				      ? after.dropped - run->usage_before.dropped
				      : 0;
}

static enum status collect_check(const struct run *run, struct run_result *out)
{
	if (run->config->judge == NULL) {
		return STATUS_OK;
	}
	out->check.is_on = true;
	out->check.compared = out->tally.compared;
	out->check.differing = out->tally.differing;
	memcpy(out->check.by_kind, out->tally.differing_by_kind, sizeof(out->check.by_kind));
	return answerbook_list(run->config->judge, &out->check.found, &out->check.found_count);
}

static void collect(struct run *run, struct run_result *out)
{
	for (uint32_t i = 0; i < run->config->thread_count; i++) {
		struct sender *sender = &run->workers[i].sender;
		sender_close(sender);
		tally_add_all(&out->tally, &sender->context.tally);
		for (uint32_t k = 0; k < sender->config.flow_count; k++) {
			const struct flow *flow = &sender->flows[k];
			if (out->flow_count < RUN_FLOWS_TOLD_MAX) {
				out->flows[out->flow_count++] =
					(struct run_flow){.answered = flow->answered,
						.out_of_order = flow->out_of_order,
						.reconnects = flow->reconnects,
						.send_blocked_ns = flow->send_blocked_ns,
						.in_flight_max = flow->in_flight_max};
			}
		}
	}
	ASSERT(tally_is_valid(&out->tally));
	collect_end(run, out);
	histogram_add_all(&out->latency_ns, &out->tally.latency_ns);
	uint64_t end_ns = sending_ns(run, out);
	out->due = out->tally.sent;
	if (schedule_is_open(&run->config->schedule)) {
		collect_open(run, out, end_ns);
	}
	out->intervals = recorder_sink_end(&run->sink, end_ns, &out->interval_count);
	out->host.tool_dropped = out->tally.dropped;
}

/* True: somebody asked to end when all was done; else the signal would wait for the next run, or for the end of the
 * process before it has reported.
 */
static bool join_all(struct run *run, const sigset_t *signals)
{
	struct timespec at_once = {0};
	bool is_interrupted = false;
	int got;

	for (uint32_t i = 0; i < run->config->thread_count; i++) {
		if (run->workers[i].is_started) {
			pthread_join(run->workers[i].thread, NULL);
		}
	}
	/* Nor must what they said at their end be left to be delivered when the signal is unblocked. */
	while ((got = sigtimedwait(signals, NULL, &at_once)) > 0) {
		is_interrupted |= got != SIGUSR1;
	}
	return is_interrupted;
}

/* What is sent, and for how long. An open loop's time ends it by the number of queries that are due in it. */
static enum status plan(struct run *run)
{
	const struct run_config *config = run->config;
	uint64_t limit = supply_init(&run->supply, config->queries->count, config->repeats,
		schedule_is_open(&config->schedule) && config->length_ns != 0
			? schedule_first(&config->schedule, config->length_ns)
			: UINT64_MAX,
		&config->schedule);

	if (config->rate_max > 0) {
		ASSERT(!schedule_is_open(&config->schedule));
		run->supply.pace = schedule_rate(config->rate_max);
	}
	run->planned_ns =
		config->repeats == 0 || limit < config->repeats * (uint64_t)config->queries->count
			? config->length_ns
			: 0;
	return recorder_sink_init(&run->sink, &config->schedule, limit,
		config->interval_ns == 0 ? NOW_NS_A_SECOND : config->interval_ns,
		config->timeout_ns, config->thread_count);
}

const char *run_mode_text(enum run_mode mode)
{
	static const char *const texts[RUN_MODES] = {[RUN_CLOSED] = "run",
		[RUN_RATE] = "rate",
		[RUN_RAMP] = "ramp",
		[RUN_SEARCH] = "search",
		[RUN_SWEEP] = "sweep",
		[RUN_REPLAY] = "replay"};

	ASSERT((unsigned)mode < RUN_MODES);
	return texts[mode];
}

const char *run_end_text(enum run_end end)
{
	static const char *const texts[] = {[RUN_DONE] = "done",
		[RUN_INTERRUPTED] = "interrupted",
		[RUN_SILENT] = "silent",
		[RUN_CROWDED] = "crowded",
		[RUN_BEHIND] = "behind"};

	ASSERT((unsigned)end < sizeof(texts) / sizeof(texts[0]));
	return texts[end];
}

enum status run_load(const struct run_config *config, struct run_result *out)
{
	struct run run = {.config = config, .main_thread = pthread_self()};
	sigset_t signals;
	sigset_t before;

	run_result_init(out);
	out->mode = config->mode;
	ASSERT(config->thread_count >= 1 && config->thread_count <= RUN_THREADS_MAX);
	ASSERT(config->socket_count >= config->thread_count);
	ASSERT(config->in_flight >= config->thread_count);

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &signals, &before);
	raise_file_limit();
	startline_init(&run.startline, config->thread_count,
		schedule_is_open(&config->schedule) ? LEAD_NS : 0, &run.supply.start_ns);

	enum status status = plan(&run);
	if (status == STATUS_OK) {
		status = init_workers(&run);
	}
	if (status == STATUS_OK) {
		status = start_workers(&run);
		if (status == STATUS_OK) {
			out->end = watch(&run, &signals);
		} else {
			stop_all(&run);
			startline_open(&run.startline);
		}
		int error = errno;
		collect_host(&run, &out->host);
		if (join_all(&run, &signals)) {
			out->end = RUN_INTERRUPTED;
		}
		errno = error;
	}
	int error = errno;
	if (run.workers != NULL) {
		collect(&run, out);
		if (status == STATUS_OK) {
			status = collect_check(&run, out);
		}
		for (uint32_t i = 0; i < config->thread_count; i++) {
			sender_fini(&run.workers[i].sender);
		}
	}
	free(run.workers);
	recorder_sink_fini(&run.sink);
	startline_fini(&run.startline);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return status;
}

double run_seconds(const struct run_result *result)
{
	uint64_t span_ns = result->tally.last_ns - result->tally.first_ns;

	return span_ns == 0 ? 1e-9 : (double)span_ns / (double)NOW_NS_A_SECOND;
}

double run_rate(const struct run_result *result)
{
	return (double)result->tally.answered / run_seconds(result);
}

double run_busy(const struct run_result *result)
{
	return result->tally.span_ns == 0
		       ? 0.0
		       : (double)result->tally.busy_ns / (double)result->tally.span_ns;
}

uint32_t run_bound_trials(const struct run_result *result)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < result->point_count; i++) {
		/* Goals that were reached although the tool was late were reached. */
		count += result->points[i].is_tool_bound && !result->points[i].is_held ? 1 : 0;
	}
	return count;
}

bool run_is_tool_bound(const struct run_result *result)
{
	/* Trials were judged one by one; the intervals of a ramp were not. */
	if (result->point_count != 0 && result->mode != RUN_RAMP) {
		return result->mode == RUN_SEARCH
			       ? result->point_above < result->point_count &&
					 result->points[result->point_above].is_tool_bound
			       : run_bound_trials(result) != 0;
	}
	if (result->tally.dropped != 0) {
		return true;
	}
	if (result->lateness_ns.count == 0) {
		return run_busy(result) >= BUSY_LIMIT;
	}
	return histogram_percentile(&result->lateness_ns, 990) > LATENESS_LIMIT_NS ||
	       (double)result->tally.sent < SENT_LIMIT * (double)result->due;
}
