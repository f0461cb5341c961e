/* flow_tcp.h - queries over TCP connections that are used for as long as the server lets them, pipelined.
 *
 * Where the server closes a connection, another is opened, and what it left unanswered is asked again there,
 * with the same IDs and the time of the first asking: an answer's latency tells what the user waited.
 * A server that closes without an answer is tried again more and more slowly.
 *
 *     in flight, oldest first:   a - b - c - d - e - f
 *                                            ^ next_write: from here on nothing is in the buffer yet
 *
 * source  RFC 1035 sec 4.2.2, RFC 7766 sec 6.2 and 8 (length and message in one write)
 */
#ifndef SAKER_LOADGEN_FLOW_TCP_H
#define SAKER_LOADGEN_FLOW_TCP_H

#include <stdint.h>

#include "loadgen/flow.h"
#include "loadgen/slots.h"

struct flow_tcp;

extern const struct flow_kind flow_tcp;

/* flow_tcp_forget - the slot is about to leave flight: it need not be written any more. */
void flow_tcp_forget(struct flow_tcp *tcp, const struct slots *slots, uint32_t slot);

#endif
