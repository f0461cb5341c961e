/* gate.h - the one function that every transport hands its requests to.
 *
 * What is allowed, limited, signed and counted is decided here, once for all transports: the zones are asked first; what none
 * of them holds goes to the resolver, from clients that may ask it.
 *
 * thread  a struct gate belongs to one worker
 */
#ifndef SAKER_SERVER_GATE_H
#define SAKER_SERVER_GATE_H

#include <stdint.h>

#include "base/now.h"

struct answerer;
struct request;
struct resolver;

struct gate {
	struct answerer *answerer; /* borrows: the worker's */
	struct resolver *resolver; /* borrows: the worker's; NULL: there is none */
};

/* gate_answer - answers requests[0..count) in place; a transport_handler's function.
 *
 * shape   context: a struct gate; count: at most TRANSPORT_BATCH_MAX
 * effect  the worker is quiescent: nothing that it fetched before may be used after
 * cost    no allocation, no lock
 * thread  the worker's, registered as a reader and online
 */
void gate_answer(void *context, struct request *requests, uint32_t count, struct now now);

#endif
