/* startline.h - a run's time begins when all of its threads are running.
 *
 * On a busy machine a new thread may have to wait longer for a processor than a short measurement takes. So the zero
 * of the run is not a moment that somebody guesses beforehand: the last thread to arrive sets it, and runs then. With
 * one thread nobody waits for anybody.
 *
 *     thread 1   ----| waits       |--> sends
 *     thread 2   ------------------|--> sends
 *     main       --| waits         |--> watches
 *                                  zero = now + lead
 *
 * thread  any number; startline_init() and startline_fini() one, before and after the others
 */
#ifndef SAKER_LOADGEN_STARTLINE_H
#define SAKER_LOADGEN_STARTLINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct startline {
	pthread_mutex_t lock;
	pthread_cond_t opened;
	uint64_t lead_ns;  /* [ro] from the last arrival to zero */
	uint64_t *zero_ns; /* [ro] borrows: written once, by who opens, before anybody is let go */
	uint32_t missing;  /* [mu: lock] threads that have not arrived */
	bool is_open;      /* [mu: lock] */
};

/* startline_init - for so many threads, at least one; *zero_ns becomes the clock's (clock_mono_ns()) plus the lead. */
void startline_init(struct startline *line, uint32_t count, uint64_t lead_ns, uint64_t *zero_ns);
void startline_fini(struct startline *line);

/* startline_arrive - one of the threads; returns when all are there, or somebody opened. */
void startline_arrive(struct startline *line);

/* startline_wait - somebody else; returns with them. */
void startline_wait(struct startline *line);

/* startline_open - lets go who is there, without those that are missing. */
void startline_open(struct startline *line);

#endif
