/* transport.h - what all transports share: who answers, and how an event finds its transport.
 *
 * This floor is below the server's, so it calls up through a pointer that the server gives it.
 */
#ifndef SAKER_TRANSPORT_TRANSPORT_H
#define SAKER_TRANSPORT_TRANSPORT_H

#include <stdint.h>

#include "base/now.h"
#include "wire/request.h"

#define TRANSPORT_BATCH_MAX 64u /* requests in one call of answer() */

/* Who answers. answer() sets answer_len of requests[0..count), count <= TRANSPORT_BATCH_MAX. */
struct transport_handler {
	void (*answer)(void *context, struct request *requests, uint32_t count, struct now now);
	void *context; /* borrows: the server's */
};

enum transport_kind { TRANSPORT_DATAGRAM, TRANSPORT_LISTENER, TRANSPORT_STREAM };

/* The first field of everything that is registered with a poll, so that its owner can tell them apart. */
struct transport_source {
	_Alignas(void *) enum transport_kind kind; /* aligned like what it is the first field of */
};

#endif
