/* tally.h - what one sender has counted, and the sum of several.
 *
 *     sent  =  answered  +  lost  +  interrupted          at the end of a run
 *                           late is the part of lost whose answer came after all
 *
 * thread  one owner until its sender has ended
 */
#ifndef SAKER_LOADGEN_TALLY_H
#define SAKER_LOADGEN_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "loadgen/differ.h"
#include "loadgen/histogram.h"

#define TALLY_RCODES 16u /* the four bits of the header, RFC 1035 sec 4.1.1 */

struct tally {
	/* Queries. */
	uint64_t sent;
	uint64_t answered;
	uint64_t lost;        /* no answer within the time-out */
	uint64_t interrupted; /* still in flight when the run was ended early */
	uint64_t unsent;      /* the kernel would not take them; not in sent */
	uint64_t refused;     /* times that the system said that nobody listens there */
	int error;            /* errno of the last unsent query or failed connection; 0: none */

	/* Messages that came. */
	uint64_t heard;      /* all of them */
	uint64_t late;       /* the answer to a query that had been given up */
	uint64_t duplicate;  /* a second answer to a query */
	uint64_t mismatched; /* right socket and ID, but another question */
	uint64_t unmatched;  /* an ID that was not asked with */
	uint64_t malformed;  /* no DNS answer at all */
	uint64_t truncated;  /* answers with TC; they are answered, too */
	uint64_t dropped;    /* by the kernel at our own sockets: we were too slow */
	uint64_t octets;     /* of all answers that are answered */
	uint64_t rcodes[TALLY_RCODES];
	/* Answers held against what was expected (answerbook.h). */
	uint64_t compared;
	uint64_t differing; /* of those, in at least one kind */
	uint64_t differing_by_kind[DIFFER_KINDS];
	struct histogram latency_ns; /* of what is answered */
	struct histogram
		lateness_ns; /* sent after it was due; of an open loop, for each query sent */

	/* Streams. */
	uint64_t connections;     /* opened, the first ones too */
	uint64_t reconnects;      /* closed by the other side and opened again */
	uint64_t resent;          /* queries asked again on the next connection */
	uint64_t out_of_order;    /* answers that overtook an older query's */
	uint64_t send_blocked_ns; /* time that a connection took no more, summed over connections */
	uint64_t in_flight_max;   /* most in flight on one socket */

	/* The run. */
	uint64_t first_ns;     /* first query; 0: none yet */
	uint64_t last_sent_ns; /* last query */
	uint64_t last_ns;      /* last query or timely answer */
	uint64_t busy_ns;      /* not waiting for the server */
	uint64_t span_ns;      /* all of the sender's time */
	uint64_t cpu_ns;       /* processor time */
};

/* tally_init - nothing counted. */
void tally_init(struct tally *tally);

/* tally_add_all - adds what from has counted. */
void tally_add_all(struct tally *tally, const struct tally *from);

/* tally_is_valid - the equation above, and rcodes and latencies for each answer. */
bool tally_is_valid(const struct tally *tally);

#endif
