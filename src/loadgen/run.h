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
#include "loadgen/differ.h"
#include "loadgen/ednsopt.h"
#include "loadgen/interval.h"
#include "loadgen/schedule.h"
#include "loadgen/tally.h"

#define RUN_THREADS_MAX    256u   /* more than any machine's processors; a guess */
#define RUN_SOCKETS_MAX    16384u /* source ports: a quarter of all that one address has */
#define RUN_FLOWS_TOLD_MAX 64u    /* connections that a report lists one by one */

struct answerbook;
struct answerline;
struct flow_kind;
struct queryfile;
struct querysign_key;
struct source_set;

/* How `saker bench` was called: what a report is about. */
enum run_mode {
	RUN_CLOSED, /* run */
	RUN_RATE,
	RUN_RAMP,
	RUN_SEARCH,
	RUN_SWEEP,
	RUN_REPLAY,
	RUN_MODES
};

/* What is known while a run goes on. */
struct run_progress {
	uint64_t elapsed_ns;
	uint64_t length_ns; /* of the sending, as planned; 0: unknown */
	uint64_t sent;
	uint64_t answered;
	uint64_t lost;
	double done; /* part of all that is to be sent, 0 to 1; negative: unknown */
	/* Since the last time. */
	double sent_rate;
	double answered_rate;
	double offered_rate; /* of the schedule just now; 0 in a closed loop */
	const struct interval
		*intervals;      /* borrows for the call: the last ones that are complete */
	uint32_t interval_count; /* new since the last time */
};

struct run_config {
	enum run_mode mode;
	struct schedule schedule; /* borrows the times of a recording until run_load() returns */
	struct addr server;
	const struct flow_kind *kind;    /* flow_udp or flow_tcp */
	const struct queryfile *queries; /* borrows until run_load() returns */
	uint64_t repeats;                /* passes over the queries; 0: without end */
	uint64_t length_ns;              /* of the sending; 0: until the repeats are done */
	uint64_t timeout_ns;             /* a query without an answer for so long is lost */
	uint64_t
		patience_ns; /* a server that says nothing at all for so long ends the run; 0: never */
	uint64_t interval_ns; /* of result.intervals; 0: NOW_NS_A_SECOND */
	uint32_t
		behind_max; /* of a ramp: so many queries behind the schedule end it; 0: it goes on */
	bool ends_crowded; /* of a ramp: in_flight unanswered queries end it */
	const struct source_set
		*sources; /* borrows until run_load() returns: addresses to ask from; NULL: any */
	struct answerbook
		*judge; /* borrows until run_load() returns: answers are held against it; or NULL */
	struct answerbook *learn;        /* ditto: answers are noted in it; or NULL */
	const struct answerline *told;   /* ditto: gets a line a query; or NULL */
	struct ednsopt edns;             /* of queries that were read with their OPT records open */
	const struct querysign_key *key; /* ditto: signs queries; or NULL */
	uint32_t
		buffer_len; /* octets of each socket's buffers; 0: 4 MiB, of a stream as the kernel likes */
	uint32_t
		per_connection; /* queries of a stream before it is closed and opened again; 0: no limit */
	double rate_max;        /* of a closed loop: no more queries a second; 0: no limit */
	uint32_t port_first; /* local port of the first socket, the next one has the next; 0: any */
	uint32_t in_flight;  /* over all sockets */
	uint32_t socket_count; /* at least thread_count */
	uint32_t thread_count;
	void (*progress)(
		void *context, const struct run_progress *progress); /* now and then; or NULL */
	uint64_t progress_ns;   /* how often; 0: once a second */
	void *progress_context; /* borrows: the caller's */
};

enum run_end {
	RUN_DONE,        /* all that was asked for */
	RUN_INTERRUPTED, /* by a signal */
	RUN_SILENT,      /* nothing came from the server */
	RUN_CROWDED,     /* of a ramp: as many in flight as the sockets hold */
	RUN_BEHIND       /* of a ramp: too far behind the schedule */
};

/* One socket's share, for the report. */
struct run_flow {
	uint64_t answered;
	uint64_t out_of_order;
	uint64_t reconnects;
	uint64_t send_blocked_ns;
	uint32_t in_flight_max;
};

/* One trial at one rate: of a sweep or a search each trial, of a ramp each interval. */
struct run_point {
	double offered; /* queries a second that the schedule had */
	double rate;    /* answers a second */
	uint64_t length_ns;
	uint64_t due;
	uint64_t sent;
	uint64_t answered;
	uint64_t lost;
	/* As in struct run_result: the lost count with the time-out. */
	uint64_t latency_p50_ns;
	uint64_t latency_p99_ns;
	uint64_t latency_p99_9_ns; /* of a ramp, which keeps no such: the largest */
	bool is_tool_bound;        /* says nothing bad about the server then */
	bool is_held;              /* of a search: all goals were reached */
	bool is_long;              /* of a search: a confirmation */
};

/* What --check or --against found. */
struct run_check {
	bool is_on;
	uint64_t compared;  /* answers looked at */
	uint64_t differing; /* of those, in at least one kind */
	uint64_t by_kind[DIFFER_KINDS];
	uint32_t found_count;
	struct differ_found *found; /* owns: queries of the file with a difference, by query_idx */
};

/* What the machines say. */
struct run_host {
	uint64_t tool_dropped; /* answers that found no room at the tool's own sockets */
	uint64_t
		machine_dropped; /* ditto at any UDP socket of the tool's network namespace (RcvbufErrors) */
	bool is_local; /* the server's processes were found on this machine; the rest is 0 otherwise */
	uint32_t server_processes;
	uint64_t server_cpu_ns;  /* processor time that they used meanwhile, all threads */
	uint64_t server_dropped; /* queries that found no room at the server's sockets */
};

struct run_result {
	enum run_mode mode;
	enum run_end end;
	struct tally tally; /* of all trials */
	/* What was felt: an open loop counts each lost query with the time-out, so that percentiles tell of it; a
	 * closed loop holds timely answers alone, as dnsperf's.
	 */
	struct histogram latency_ns;
	struct histogram lateness_ns; /* sent after it was due, of each query of an open loop */
	uint64_t due; /* queries that the schedule had in that time; tally.sent where all got out */
	uint32_t interval_count;
	struct interval
		*intervals; /* owns: in order of time; of several trials one after the other */
	uint32_t point_count;
	struct run_point *points; /* owns: in the order in which they were made */
	uint32_t point_best;      /* the answer of ramp and search; point_count: none */
	uint32_t point_above;     /* of a search: the lowest rate that failed; point_count: none */
	uint32_t held_count;      /* of a search: confirmations at point_best that held */
	uint32_t confirm_count;   /* and that were made */
	struct run_check check;
	struct run_host host;
	uint32_t flow_count; /* entries of flows: the first RUN_FLOWS_TOLD_MAX sockets */
	struct run_flow flows[RUN_FLOWS_TOLD_MAX];
};

/* run_load - runs it.
 *
 * effect  STATUS_OK: *out is filled, also where the run was ended early
 * errors  STATUS_IO (errno: no sockets, no threads), STATUS_MEMORY; run_result_fini() undoes either
 */
MUST_USE enum status run_load(const struct run_config *config, struct run_result *out);

/* run_result_init - nothing found. */
void run_result_init(struct run_result *result);
void run_result_fini(struct run_result *result);

/* run_result_add - adds what a trial found, its intervals behind those that are there; points stay as they are.
 *
 * errors  STATUS_MEMORY
 */
MUST_USE enum status run_result_add(struct run_result *sum, const struct run_result *trial);

/* run_result_add_point - one more point. errors: STATUS_MEMORY */
MUST_USE enum status run_result_add_point(struct run_result *result, const struct run_point *point);

/* run_mode_text - `rate` and so on, as on the command line. */
const char *run_mode_text(enum run_mode mode);

/* run_end_text - `done` and so on: why it ended, in a word. */
const char *run_end_text(enum run_end end);

/* run_seconds - first query to last query or answer; never 0. */
double run_seconds(const struct run_result *result);

/* run_rate - answers a second over run_seconds(). */
double run_rate(const struct run_result *result);

/* run_busy - the part of its time, 0 to 1, in which the tool was not waiting for the server. */
double run_busy(const struct run_result *result);

/* run_is_tool_bound - did the figures come from the tool's limits rather than the server's?
 *
 * effect  true: its own sockets dropped answers; a closed loop hardly ever waited for the server; one in a hundred
 *         queries of an open loop was sent more than a millisecond late, or one in a thousand not at all
 */
bool run_is_tool_bound(const struct run_result *result);

/* run_bound_trials - points in which it was; of a search those alone that missed their goals. */
uint32_t run_bound_trials(const struct run_result *result);

#endif
