/* sender.h - one thread of a load test: sends its share of queries until there are no more, time is up or it is told
 * to stop; then waits for what is still in flight.
 *
 *     send to the sockets in turn -> wait -> receive -> give up what is overdue -> send ...
 *
 * In a closed loop it waits until something comes, and sends what then has room. In an open loop it sleeps until the
 * next query is due and sends all that is due then; answers are read when it is awake anyway, since the kernel
 * says when they came (flow_kind.has_stamps).
 *
 * The clock is read once a turn, in an open loop also for each batch, and nothing is allocated or locked but once an
 * interval. (Sleeping for a moment between turns of a closed loop, so that more answers gather, was tried with named:
 * batches were 16 to 20 queries with and without, and the processor time the same; 2026-11.)
 *
 * thread  sender_run() is the thread; the atomic fields may be used by others while it runs
 */
#ifndef SAKER_LOADGEN_SENDER_H
#define SAKER_LOADGEN_SENDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "base/status.h"
#include "loadgen/flow.h"
#include "loadgen/source_set.h"

struct sender_config {
	const struct flow_kind *kind;
	const struct queryfile *queries; /* borrows: the run's */
	const struct addr *server;       /* borrows: the run's */
	struct supply *supply;           /* borrows: the run's */
	struct recorder_sink *sink;      /* borrows: the run's */
	uint64_t timeout_ns;
	uint64_t length_ns; /* of the sending, from the supply's start; 0: until the supply ends */
	const struct source_set *sources; /* borrows: the run's */
	struct answerbook *judge;         /* see flow_context */
	struct answerbook *learn;         /* ditto */
	const struct answerline *told;    /* ditto */
	const struct ednsopt *edns;       /* borrows: the run's */
	const struct querysign_key *key;  /* ditto; NULL: queries are not signed */
	uint32_t
		port_first; /* local port of the run's first socket, the next one has the next; 0: any */
	uint32_t first_flow;     /* number of its first socket among all of the run */
	uint32_t buffer_len;     /* see flow_context */
	uint32_t per_connection; /* ditto */
	uint32_t
		rank; /* of rank_count senders: in an open loop each wakes up for queries of its own */
	uint32_t rank_count;
	uint32_t behind_max; /* of a ramp: queries behind the schedule that end it; 0: it goes on */
	bool ends_crowded;   /* of a ramp: as many in flight as there may be end it */
	uint32_t in_flight;  /* at most, over all flows */
	uint32_t flow_count;
};

struct sender {
	struct sender_config config;
	struct flow *flows; /* owns: config.flow_count of them */
	struct flow_context context;
	double answer_ns; /* between two answers, a moving average */
	uint64_t tick_ns; /* overdue queries are looked for then */
	uint64_t read_ns; /* an open loop looks at answers again from then on */
	struct sender_stop {
		atomic_bool asked; /* [atomic: relaxed, set by sender_stop()] */
	} stop;
	struct sender_progress {
		_Atomic uint64_t sent; /* [atomic: relaxed, written by the thread once a turn] */
		_Atomic uint64_t answered; /* [atomic: relaxed, ditto] */
		_Atomic uint64_t heard;    /* [atomic: relaxed, ditto] */
		_Atomic uint64_t lost;     /* [atomic: relaxed, ditto] */
		_Atomic uint64_t failed;   /* [atomic: relaxed, ditto: refused or unsent queries] */
		atomic_bool
			is_crowded; /* [atomic: relaxed, ditto: ended the ramp, see sender_config] */
		atomic_bool is_behind; /* [atomic: relaxed, ditto] */
	} progress;
};

/* sender_init - opens the sockets. key: 64 unpredictable bits for the message IDs.
 *
 * errors  STATUS_IO (errno), STATUS_MEMORY; sender_fini() undoes either
 */
MUST_USE enum status sender_init(
	struct sender *sender, const struct sender_config *config, uint64_t key);
void sender_fini(struct sender *sender);

/* sender_run - sends and receives until all is done; the tally is then complete but for drops, which sender_close() adds. */
void sender_run(struct sender *sender);

/* sender_stop - makes sender_run() return soon; what is in flight then counts as interrupted. Any thread. */
void sender_stop(struct sender *sender);

/* sender_close - closes the sockets and adds up what each flow counted. */
void sender_close(struct sender *sender);

#endif
