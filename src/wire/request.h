/* request.h - one query and its answer: what every transport hands to the gate.
 *
 * The answer is written over the query: the header and the question stay where they are, and what
 * else the query said is read before the first octet is written.
 *
 * thread  the worker that received it
 */
#ifndef SAKER_WIRE_REQUEST_H
#define SAKER_WIRE_REQUEST_H

#include <stdint.h>

enum request_transport { REQUEST_UDP, REQUEST_TCP };

struct request {
	uint8_t *
		octets; /* borrows: the transport's slot; query in [0..len), answer in [0..answer_len) */
	uint32_t len;        /* octets of the query */
	uint32_t cap;        /* octets that may be written, at least WIRE_UDP_LEN_MIN */
	uint32_t answer_len; /* octets of the answer; 0: the query is not answered */
	uint8_t transport;   /* enum request_transport */
};

#endif
