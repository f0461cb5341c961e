/* server.c - the main thread. */
#include "server/server.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "conf/conf.h"
#include "os/file.h"
#include "os/poll.h"
#include "os/pool.h"
#include "os/seed.h"
#include "os/signals.h"
#include "os/thread.h"
#include "resolve/resolve.h"
#include "server/listeners.h"
#include "server/recursion.h"
#include "server/state.h"
#include "server/worker.h"
#include "server/zonelist.h"

/* Descriptors beside the connections: a worker's poll and wake-up, standard streams, zone files. */
#define SPARE_DESCRIPTORS    64u
#define A_WORKER_DESCRIPTORS 2u

#define FAIL_MAX 512u /* octets of one reason with its zero; cut behind that */
#define ADDRESSES_TEXT_MAX                                                                         \
	1024u /* octets of the list of addresses in a log line; cut behind that */

_Static_assert(WORKER_UDP_MAX >= CONF_LISTEN_MAX, "a worker has a socket for each address");

struct server {
	const struct server_source *source; /* borrows */
	struct server_config config;        /* as it was at the start, but for the zones */
	struct addr bound[CONF_LISTEN_MAX]; /* config.listen with real ports */
	struct poll poll;
	int signal_fd;
	struct pool *pool;           /* owns */
	struct state *state;         /* owns; NULL: nothing is kept */
	struct zonelist *zonelist;   /* owns */
	struct recursion *recursion; /* owns; NULL: nothing is resolved */
	struct worker **workers;     /* owns: worker_count */
	uint32_t worker_count;
	bool ready;        /* the first load is over */
	bool reload_again; /* SIGHUP came while loading */
	bool stop;
	enum status outcome;
};

/* Why the server does not start. */
PRINTF(1, 2) static enum status fail(const char *format, ...)
{
	char why[FAIL_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	fprintf(stderr, "saker: %s\n", why); /* one call: other threads may complain, too */
	return STATUS_REFUSED;
}

static enum status fail_status(const char *what, enum status status)
{
	return fail("%s: %s", what, status == STATUS_IO ? strerror(errno) : status_text(status));
}

/* A limit that is too low shows itself under load only, so it is told at the start. */
static void check_descriptors(const struct server *server)
{
	const struct server_config *config = &server->config;
	uint64_t limit = file_raise_limit();
	uint64_t wanted =
		SPARE_DESCRIPTORS + config->tcp_connections +
		(uint64_t)server->worker_count * (A_WORKER_DESCRIPTORS + 2 * config->listen_count);

	if (server->recursion != NULL) { /* a socket for each question that is out */
		wanted += (uint64_t)server->worker_count * RESOLVE_QUERIES_MAX;
	}
	if (limit < wanted) {
		log_warning(
			"event=descriptors-limited limit=%" PRIu64 " wanted=%" PRIu64
			" hint=\"raise the limit of open files, or lower server.tcp.connections\"",
			limit, wanted);
	}
}

static uint32_t worker_count_wanted(const struct server_config *config)
{
	return config->workers != CONF_WORKERS_AUTO ? config->workers : thread_processors();
}

/* Workers with their sockets, not running yet. */
static enum status open_workers(struct server *server)
{
	const struct server_config *config = &server->config;
	uint32_t processors = thread_processors();
	uint32_t count = worker_count_wanted(config);
	uint32_t udp_count = count < processors ? count : processors;
	char why[LISTENERS_WHY_MAX];
	struct worker_config worker_config = {
		.stream = STREAM_CONFIG_DEFAULT, .answer = ANSWER_CONFIG_DEFAULT};

	worker_config.stream.connections_max = (config->tcp_connections + count - 1) / count;
	worker_config.stream.idle_timeout_ms = config->tcp_idle_timeout_s * 1000;
	worker_config.answer.udp_len_max = (uint16_t)config->udp_payload_max;
	if (server->recursion != NULL) {
		worker_config.resolver = recursion_config(server->recursion);
		worker_config.answer.leave_foreign = true;
	}
	server->workers = calloc(count, sizeof(server->workers[0]));
	if (server->workers == NULL) {
		return fail_status("workers", STATUS_MEMORY);
	}
	for (; server->worker_count < count; server->worker_count++) {
		worker_config.follower = server->recursion != NULL && server->worker_count == 0
						 ? recursion_follower(server->recursion)
						 : NULL;
		struct worker *worker = worker_new(
			server->worker_count, &worker_config, zonelist_published(server->zonelist));
		if (worker == NULL) {
			return fail("workers: out of memory or descriptors");
		}
		server->workers[server->worker_count] = worker;
	}
	check_descriptors(server);
	memcpy(server->bound, config->listen, sizeof(server->bound));
	if (listeners_open(server->bound, config->listen_count, server->workers, count, udp_count,
		    why) != STATUS_OK) {
		return fail("%s", why);
	}
	return STATUS_OK;
}

static enum status start_workers(const struct server *server)
{
	for (uint32_t i = 0; i < server->worker_count; i++) {
		enum status status = worker_start(server->workers[i]);
		if (status != STATUS_OK) {
			return fail_status("threads", status);
		}
	}
	return STATUS_OK;
}

static void log_ready(const struct server *server)
{
	struct zonelist_counts counts = zonelist_counts(server->zonelist);
	char list[ADDRESSES_TEXT_MAX] = "";
	size_t len = 0;

	for (uint32_t i = 0; i < server->config.listen_count && len < sizeof(list); i++) {
		char text[ADDR_TEXT_MAX];
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i == 0 ? "" : ",",
			addr_to_text(&server->bound[i], text));
	}
	log_info("event=ready workers=%u zones=%u serving=%u addresses=%s", server->worker_count,
		counts.zones, counts.serving, list);
}

/* The zones are there, or are not: a load is over. */
static void loaded(void *context)
{
	struct server *server = context;
	struct zonelist_counts counts = zonelist_counts(server->zonelist);

	if (server->ready) {
		log_info("event=reloaded zones=%u serving=%u failed=%u unchanged=%u", counts.zones,
			counts.serving, counts.failed, counts.unchanged);
		return;
	}
	if (counts.serving == 0 && server->recursion == NULL) {
		server->outcome =
			fail("no zone could be loaded (expected at least one of %u)", counts.zones);
		server->stop = true;
		return;
	}
	server->ready = true;
	log_ready(server);
}

/* What a running server cannot change, key by key. */
static void log_fixed(const struct server *server, const struct server_config *config)
{
	uint32_t idx = 0;
	const char *key;

	while ((key = conf_next_fixed(&server->config, config, &idx)) != NULL) {
		log_warning("event=restart-needed key=%s reason=\"changes at a restart only\" "
			    "kept=\"the value before\"",
			key);
	}
}

static void fail_reload(const char *what, enum status status)
{
	log_error("event=reload-failed reason=\"%s: %s\" kept=\"what was served\"", what,
		status_text(status));
}

/* The resolver first: where one of its files is bad, all stays as it is. */
static void apply_reload(struct server *server, const struct server_config *config)
{
	enum status status = server->recursion != NULL
				     ? recursion_reload(server->recursion, &config->resolver)
				     : STATUS_OK;

	if (status != STATUS_OK) {
		fail_reload("resolver", status);
		return;
	}
	log_fixed(server, config);
	status = zonelist_load(server->zonelist, config, server->pool);
	if (status != STATUS_OK) {
		fail_reload("zones", status);
	}
}

static void reload(struct server *server)
{
	struct server_config config;

	if (zonelist_is_loading(server->zonelist)) {
		server->reload_again = true; /* files may have changed behind the load */
		return;
	}
	server->reload_again = false;
	log_info("event=reload");
	enum status status = server->source->read(server->source->context, &config);
	if (status != STATUS_OK) {
		fail_reload("configuration", status);
		return;
	}
	apply_reload(server, &config);
	conf_fini(&config);
}

static void run_loop(struct server *server)
{
	struct poll_event events[POLL_EVENTS_MAX];

	while (!server->stop) {
		uint32_t count = poll_wait(&server->poll, events, -1);
		unsigned signals = count > 0 ? signals_read(server->signal_fd) : 0;
		if ((signals & SIGNALS_STOP) != 0) {
			log_info("event=stopping");
			signals_release();
			server->stop = true;
			return;
		}
		if ((signals & SIGNALS_RELOAD) != 0) {
			reload(server);
		}
		recursion_collect(server->recursion);
		pool_collect(server->pool); /* a wake-up by the pool is no event of its own */
		if (server->reload_again && !server->stop &&
			!zonelist_is_loading(server->zonelist)) {
			reload(server);
		}
	}
}

static void log_totals(const struct server *server)
{
	uint64_t udp_queries = 0, udp_answers = 0, tcp_queries = 0, tcp_answers = 0;
	uint64_t connections = 0, drops = 0, refused = 0;

	for (uint32_t i = 0; i < server->worker_count; i++) {
		const struct worker_counters *counters = worker_counters(server->workers[i]);
		udp_queries += counter_get(&counters->udp.queries);
		udp_answers += counter_get(&counters->udp.answers);
		refused += counter_get(&counters->udp.refused);
		tcp_queries += counter_get(&counters->tcp.queries);
		tcp_answers += counter_get(&counters->tcp.answers);
		connections += counter_get(&counters->tcp.accepted);
		drops += worker_kernel_drops(server->workers[i]);
	}
	log_info("event=stopped queries=%" PRIu64 " answers=%" PRIu64 " udp-queries=%" PRIu64
		 " tcp-queries=%" PRIu64 " tcp-connections=%" PRIu64 " kernel-drops=%" PRIu64
		 " unsent=%" PRIu64,
		udp_queries + tcp_queries, udp_answers + tcp_answers, udp_queries, tcp_queries,
		connections, drops, refused);
}

/* What the resolvers did, where there are any. */
static void log_recursion(const struct server *server)
{
	struct resolve_counters sum = {.queries = 0};

	if (server->recursion == NULL) {
		return;
	}
	for (uint32_t i = 0; i < server->worker_count; i++) {
		const struct resolve_counters *counters = worker_resolver(server->workers[i]);
		sum.queries += counters->queries;
		sum.hits += counters->hits;
		sum.failures += counters->failures;
		sum.refused += counters->refused;
		sum.sent += counters->sent;
		sum.timeouts += counters->timeouts;
		sum.ignored += counters->ignored;
		sum.checks += counters->checks;
		sum.stale += counters->stale;
		sum.prefetched += counters->prefetched;
	}
	log_info("event=resolver-stopped queries=%" PRIu64 " hits=%" PRIu64 " failures=%" PRIu64
		 " refused=%" PRIu64 " stale=%" PRIu64 " prefetched=%" PRIu64
		 " upstream-queries=%" PRIu64 " upstream-timeouts=%" PRIu64
		 " upstream-ignored=%" PRIu64 " signature-checks=%" PRIu64,
		sum.queries, sum.hits, sum.failures, sum.refused, sum.stale, sum.prefetched,
		sum.sent, sum.timeouts, sum.ignored, sum.checks);
}

static enum status start(struct server *server)
{
	struct hash_key key;

	enum status status = server->source->read(server->source->context, &server->config);
	if (status != STATUS_OK) {
		return status;
	}
	log_set_level((enum log_level)server->config.log_level);
	if (server->config.zone_count == 0 && server->config.resolver.enabled == 0) {
		return fail("nothing to serve (expected zones: or resolver: {enabled: true} in the "
			    "configuration, --zone NAME=FILE or --resolve)");
	}
	server->signal_fd = signals_open();
	if (server->signal_fd < 0 || poll_init(&server->poll) != STATUS_OK ||
		poll_add(&server->poll, server->signal_fd, POLL_READ, server) != STATUS_OK) {
		return fail_status("signals", STATUS_IO);
	}
	if (server->config.state != NULL) {
		server->state = state_open(server->config.state, &key);
		if (server->state == NULL) {
			return fail_status("state", STATUS_MEMORY);
		}
	} else {
		seed_octets(&key, sizeof(key));
	}
	server->zonelist = zonelist_new(&key, server->state, loaded, server);
	if (server->zonelist == NULL) {
		return fail_status("zones", STATUS_MEMORY);
	}
	server->pool = pool_new(thread_processors(), &server->poll);
	if (server->pool == NULL) {
		return fail_status("background threads", STATUS_LIMIT);
	}
	if (server->config.resolver.enabled != 0) {
		const struct recursion_setup setup = {.conf = &server->config.resolver,
			.workers = worker_count_wanted(&server->config),
			.state = server->config.state,
			.can_save = server->state != NULL && state_can_save(server->state),
			.poll = &server->poll};
		status = recursion_new(&setup, &server->recursion);
		if (status != STATUS_OK) {
			return status == STATUS_REFUSED ? status : fail_status("resolver", status);
		}
	}
	/* Sockets before zones: a server that cannot have its addresses says so at once. Zones before
	 * threads: no query may find a server that does not know yet what it serves.
	 */
	status = open_workers(server);
	if (status != STATUS_OK) {
		return status;
	}
	status = zonelist_load(server->zonelist, &server->config, server->pool);
	if (status != STATUS_OK) {
		return fail_status("zones", status);
	}
	return start_workers(server);
}

static void finish(struct server *server)
{
	for (uint32_t i = 0; i < server->worker_count; i++) {
		worker_stop(server->workers[i]);
	}
	if (server->ready) {
		log_totals(server);
		log_recursion(server);
	}
	for (uint32_t i = 0; i < server->worker_count; i++) {
		worker_free(server->workers[i]);
	}
	free(server->workers);
	recursion_free(server->recursion);
	if (server->zonelist != NULL) {
		zonelist_stop(server->zonelist);
	}
	pool_free(server->pool);
	zonelist_free(server->zonelist);
	state_close(server->state);
	poll_fini(&server->poll);
	if (server->signal_fd >= 0) {
		signals_close(server->signal_fd);
	}
	conf_fini(&server->config);
}

enum status server_run(const struct server_source *source)
{
	struct server server = {
		.source = source, .poll = {.fd = -1, .wake_fd = -1}, .signal_fd = -1};

	server.outcome = start(&server);
	if (server.outcome == STATUS_OK) {
		run_loop(&server);
	}
	finish(&server);
	return server.outcome;
}
