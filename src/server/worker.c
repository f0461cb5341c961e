/* worker.c - the loop of a worker. */
#include "server/worker.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/lines.h"
#include "base/publish.h"
#include "os/clock.h"
#include "os/poll.h"
#include "os/socket.h"
#include "os/thread.h"
#include "os/udp.h"
#include "server/gate.h"
#include "server/resolver.h"
#include "server/shedder.h"

/* Work (stream events and queries) after which the UDP sockets have another turn. A query by TCP costs some
 * 5 us in all, so datagrams wait for about a millisecond however many connections are ready. What a resolver's server said
 * costs some 50 us, with a signature to check several times that.
 */
#define OTHER_WORK_MAX 256u
#define UPSTREAM_WORK  16u

/* While a receive buffer is small the worker wakes up so often to see whether the load has gone. */
#define SHEDDING_WAIT_MS 100

/* A UDP socket of the worker. */
struct port {
	struct datagram datagram; /* first: its source is what the poll gives back */
	struct shedder shedder;
};

_Static_assert(offsetof(struct port, datagram) == 0, "the poll's pointer is the port");
_Static_assert(offsetof(struct datagram, source) == 0, "the poll's pointer is the port");

/* Everything but stop belongs to the worker's thread while that runs. */
struct worker {
	struct worker_counters counters; /* first: on cache lines of its own, as padded is below */
	_Alignas(CACHE_LINE) struct poll poll;
	struct now now; /* of this round */
	struct gate gate;
	struct transport_handler handler;
	struct answerer *answerer;       /* owns */
	struct stream_set *streams;      /* owns */
	struct resolver *resolver;       /* owns; NULL: none */
	struct udp_batch *batch;         /* owns: for sockets on one address; NULL until needed */
	struct udp_batch *batch_pktinfo; /* owns: for wildcard sockets; NULL until needed */
	bool shedding;                   /* the receive buffer of some UDP socket is small */
	uint32_t udp_count;
	struct port udp[WORKER_UDP_MAX];
	uint32_t idx;
	struct thread thread;
	bool started;
	atomic_bool stop; /* [atomic: relaxed, the poll's wake-up comes after it] main writes */
};

/* A request that the gate marked as later. */
static void later(void *context, struct transport_source *source, const struct request *request,
	struct now now)
{
	const struct gate *gate = context;

	resolver_take(gate->resolver, source, request, now);
}

struct worker *worker_new(
	uint32_t idx, const struct worker_config *config, const struct published *zones)
{
	struct worker *worker = lines_new(sizeof(*worker));

	if (worker == NULL) {
		return NULL;
	}
	if (poll_init(&worker->poll) != STATUS_OK) {
		free(worker);
		return NULL;
	}
	worker->idx = idx;
	worker->now = clock_now();
	worker->handler =
		(struct transport_handler){.answer = gate_answer, .context = &worker->gate};
	worker->answerer = answerer_new(zones, &config->answer);
	worker->gate.answerer = worker->answerer;
	worker->streams = stream_set_new(
		&config->stream, &worker->poll, &worker->handler, &worker->counters.tcp);
	if (worker->answerer == NULL || worker->streams == NULL) {
		worker_free(worker);
		return NULL;
	}
	if (config->resolver != NULL) {
		worker->resolver = resolver_new(config->resolver, &worker->poll, worker->streams);
		worker->gate.resolver = worker->resolver;
		worker->handler.later = later;
		if (worker->resolver == NULL ||
			(config->follower != NULL &&
				resolver_follow(worker->resolver, config->follower) != STATUS_OK)) {
			worker_free(worker);
			return NULL;
		}
	}
	return worker;
}

void worker_free(struct worker *worker)
{
	if (worker == NULL) {
		return;
	}
	ASSERT(!worker->started);
	resolver_free(worker->resolver);
	stream_set_free(worker->streams);
	for (uint32_t i = 0; i < worker->udp_count; i++) {
		socket_close(worker->udp[i].datagram.fd);
	}
	udp_batch_free(worker->batch);
	udp_batch_free(worker->batch_pktinfo);
	if (worker->answerer != NULL) {
		answerer_free(worker->answerer);
	}
	poll_fini(&worker->poll);
	free(worker);
}

enum status worker_add_udp(struct worker *worker, int fd, bool pktinfo)
{
	struct udp_batch **batch = pktinfo ? &worker->batch_pktinfo : &worker->batch;

	if (worker->udp_count == WORKER_UDP_MAX) {
		return STATUS_LIMIT;
	}
	if (*batch == NULL) {
		*batch = udp_batch_new(pktinfo);
		if (*batch == NULL) {
			return STATUS_MEMORY;
		}
	}
	struct port *port = &worker->udp[worker->udp_count];
	port->datagram = (struct datagram){.source = {TRANSPORT_DATAGRAM},
		.fd = fd,
		.batch = *batch,
		.counters = &worker->counters.udp};
	shedder_init(&port->shedder, fd, worker->idx, &worker->counters.kernel_drops);
	enum status status = poll_add(&worker->poll, fd, POLL_READ, &port->datagram.source);
	if (status == STATUS_OK) {
		worker->udp_count++;
	}
	return status;
}

enum status worker_add_tcp(struct worker *worker, int fd)
{
	return stream_listen(worker->streams, fd);
}

static void turn_udp(struct worker *worker, struct port *port)
{
	datagram_turn(&port->datagram, &worker->handler, worker->now);
	shedder_look(&port->shedder, port->datagram.busy, worker->now);
	if (UNLIKELY(port->shedder.overload.on)) {
		worker->shedding = true;
	}
}

/* A turn for each UDP socket without asking the poll. */
static void turn_all_udp(struct worker *worker)
{
	for (uint32_t i = 0; i < worker->udp_count; i++) {
		turn_udp(worker, &worker->udp[i]);
	}
}

HOT static void serve_events(struct worker *worker, const struct poll_event *events, uint32_t count)
{
	uint32_t work = 0;

	for (uint32_t i = 0; i < count; i++) {
		const struct transport_source *source = events[i].context;
		if (source->kind == TRANSPORT_DATAGRAM) {
			turn_udp(worker, events[i].context);
		}
	}
	/* A full round of events may hide a UDP socket behind connections. */
	if (count == POLL_EVENTS_MAX) {
		turn_all_udp(worker);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct transport_source *source = events[i].context;
		if (source->kind == TRANSPORT_DATAGRAM) {
			continue;
		}
		if (source->kind == TRANSPORT_UPSTREAM) {
			resolver_event(worker->resolver, source, events[i].flags, worker->now);
			work += UPSTREAM_WORK;
		} else {
			work += 1 +
				stream_event(worker->streams, source, events[i].flags, worker->now);
		}
		if (work >= OTHER_WORK_MAX) {
			turn_all_udp(worker);
			work = 0;
		}
	}
}

/* Readings of sockets that had no turn in this round, since nothing waits there. */
static void look_at_quiet(struct worker *worker)
{
	worker->shedding = false;
	for (uint32_t i = 0; i < worker->udp_count; i++) {
		struct shedder *shedder = &worker->udp[i].shedder;
		shedder_look(shedder, false, worker->now);
		worker->shedding = worker->shedding || shedder->overload.on;
	}
}

/* The sooner of two, -1 being never. */
static int sooner(int a_ms, int b_ms)
{
	return b_ms >= 0 && (a_ms < 0 || b_ms < a_ms) ? b_ms : a_ms;
}

HOT void worker_round(struct worker *worker, int wait_ms)
{
	struct poll_event events[POLL_EVENTS_MAX];

	wait_ms = sooner(wait_ms, stream_wait_ms(worker->streams, worker->now));
	if (UNLIKELY(worker->shedding)) {
		wait_ms = sooner(wait_ms, SHEDDING_WAIT_MS);
	}
	if (worker->resolver != NULL) {
		wait_ms = sooner(wait_ms, resolver_wait_ms(worker->resolver, worker->now));
	}
	publish_offline();
	uint32_t count = poll_wait(&worker->poll, events, wait_ms);
	publish_online();
	worker->now = clock_now();
	counter_add(&worker->counters.rounds, 1);
	serve_events(worker, events, count);
	if (worker->resolver != NULL) {
		resolver_tick(worker->resolver, worker->now);
	}
	stream_expire(worker->streams, worker->now);
	if (UNLIKELY(worker->shedding)) {
		look_at_quiet(worker);
	}
}

static void run(void *context)
{
	struct worker *worker = context;

	publish_register();
	while (!atomic_load_explicit(&worker->stop, memory_order_relaxed)) {
		worker_round(worker, -1);
	}
	publish_unregister();
}

enum status worker_start(struct worker *worker)
{
	char name[THREAD_NAME_MAX];

	snprintf(name, sizeof(name), "saker-%u", worker->idx);
	atomic_store_explicit(&worker->stop, false, memory_order_relaxed);
	enum status status = thread_start(&worker->thread, name, run, worker);
	worker->started = status == STATUS_OK;
	return status;
}

void worker_stop(struct worker *worker)
{
	if (worker->started) {
		atomic_store_explicit(&worker->stop, true, memory_order_relaxed);
		poll_wake(&worker->poll);
		thread_join(&worker->thread);
		worker->started = false;
	}
}

const struct worker_counters *worker_counters(const struct worker *worker)
{
	return &worker->counters;
}

const struct answer_counters *worker_answers(const struct worker *worker)
{
	ASSERT(!worker->started);
	return answerer_counters(worker->answerer);
}

const struct resolve_counters *worker_resolver(const struct worker *worker)
{
	ASSERT(!worker->started);
	return worker->resolver == NULL ? NULL : resolver_counters(worker->resolver);
}

uint64_t worker_kernel_drops(struct worker *worker)
{
	ASSERT(!worker->started);
	for (uint32_t i = 0; i < worker->udp_count; i++) {
		shedder_count(&worker->udp[i].shedder);
	}
	return counter_get(&worker->counters.kernel_drops);
}
