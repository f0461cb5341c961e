/* shedder.h - reads a UDP socket's queue, asks overload.h, and sets the receive buffer.
 *
 * The worker calls it after each turn of the socket, and once in a while where there was none.
 *
 * thread  the worker's
 */
#ifndef SAKER_SERVER_SHEDDER_H
#define SAKER_SERVER_SHEDDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/counter.h"
#include "base/now.h"
#include "server/overload.h"

struct shedder {
	struct overload overload;
	int fd;                /* borrows: the worker's */
	uint32_t worker_idx;   /* for the log */
	uint32_t drops;        /* of the socket, at the last reading */
	struct counter *total; /* borrows: the worker's count of drops */
};

/* shedder_init - for a socket that has its receive buffer. */
void shedder_init(struct shedder *shedder, int fd, uint32_t worker_idx, struct counter *total);

/* shedder_look - reads the queue where it is time to; busy: the last receive filled its batch.
 *
 * cost  nearly always one comparison; else up to three system calls, and a line in the log seldom
 */
void shedder_look(struct shedder *shedder, bool busy, struct now now);

/* shedder_count - counts what was dropped since the last reading, for totals. */
void shedder_count(struct shedder *shedder);

#endif
