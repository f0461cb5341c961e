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

struct transport_source;

/* Who answers. answer() sets answer_len of requests[0..count), count <= TRANSPORT_BATCH_MAX; those that it marks as later
 * are handed to later(), one by one, while their octets still stand; it may be NULL where none is ever marked.
 */
struct transport_handler {
	void (*answer)(void *context, struct request *requests, uint32_t count, struct now now);
	void (*later)(void *context, struct transport_source *source, const struct request *request,
		struct now now);
	void *context; /* borrows: the server's */
};

enum transport_kind {
	TRANSPORT_DATAGRAM,
	TRANSPORT_LISTENER,
	TRANSPORT_STREAM,
	TRANSPORT_UPSTREAM
};

/* The first field of everything that is registered with a poll, so that its owner can tell them apart. */
struct transport_source {
	_Alignas(void *) enum transport_kind kind; /* aligned like what it is the first field of */
};

#endif
