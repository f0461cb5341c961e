/* run.h - one load test from its settings to its result: threads, Ctrl-C, and a server that says nothing.
 *
 * thread  the process's main thread: run_load() takes SIGINT, SIGTERM and SIGUSR1 for itself while it runs
 */
#ifndef SAKER_LOADGEN_RUN_H
#define SAKER_LOADGEN_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "base/status.h"
#include "loadgen/tally.h"

#define RUN_THREADS_MAX    256u   /* more than any machine's processors; a guess */
#define RUN_SOCKETS_MAX    16384u /* source ports: a quarter of all that one address has */
#define RUN_FLOWS_TOLD_MAX 64u    /* connections that a report lists one by one */

struct flow_kind;
struct queryfile;

/* What is known while a run goes on. */
struct run_progress {
	uint64_t elapsed_ns;
	uint64_t sent;
	uint64_t answered;
};

struct run_config {
	struct addr server;
	const struct flow_kind *kind;    /* flow_udp or flow_tcp */
	const struct queryfile *queries; /* borrows until run_load() returns */
	uint64_t repeats;                /* passes over the queries; 0: without end */
	uint64_t length_ns;              /* of the sending; 0: until the repeats are done */
	uint64_t timeout_ns;             /* a query without an answer for so long is lost */
	uint64_t
		patience_ns; /* a server that says nothing at all for so long ends the run; 0: never */
	uint32_t in_flight;    /* over all sockets */
	uint32_t socket_count; /* at least thread_count */
	uint32_t thread_count;
	void (*progress)(
		void *context, const struct run_progress *progress); /* once a second; or NULL */
	void *progress_context;                                      /* borrows: the caller's */
};

enum run_end {
	RUN_DONE,        /* all that was asked for */
	RUN_INTERRUPTED, /* by a signal */
	RUN_SILENT       /* nothing came from the server */
};

/* One socket's share, for the report. */
struct run_flow {
	uint64_t answered;
	uint64_t out_of_order;
	uint64_t reconnects;
	uint64_t send_blocked_ns;
	uint32_t in_flight_max;
};

struct run_result {
	enum run_end end;
	struct tally tally;
	uint32_t flow_count; /* entries of flows: the first RUN_FLOWS_TOLD_MAX sockets */
	struct run_flow flows[RUN_FLOWS_TOLD_MAX];
};

/* run_load - runs it.
 *
 * effect  STATUS_OK: *out is filled, also where the run was ended early
 * errors  STATUS_IO (errno: no sockets, no threads), STATUS_MEMORY
 */
MUST_USE enum status run_load(const struct run_config *config, struct run_result *out);

/* run_seconds - first query to last query or answer; never 0. */
double run_seconds(const struct run_result *result);

/* run_rate - answers a second over run_seconds(). */
double run_rate(const struct run_result *result);

/* run_busy - the part of its time, 0 to 1, in which the tool was not waiting for the server. */
double run_busy(const struct run_result *result);

/* run_is_tool_bound - did the figures come from the tool's limits rather than the server's? */
bool run_is_tool_bound(const struct run_result *result);

#endif
