/* request.h - one query and its answer: what every transport hands to the gate.
 *
 * The answer is written over the query: the header and the question stay where they are, and what
 * else the query said is read before the first octet is written. An answer that has to wait for others is marked `later`:
 * its transport tells the server how to send it, before the slot serves the next query.
 *
 * thread  the worker that received it
 */
#ifndef SAKER_WIRE_REQUEST_H
#define SAKER_WIRE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

enum request_transport { REQUEST_UDP, REQUEST_TCP };

struct request {
	uint8_t *
		octets; /* borrows: the transport's slot; query in [0..len), answer in [0..answer_len) */
	uint32_t len;        /* octets of the query */
	uint32_t cap;        /* octets that may be written, at least WIRE_UDP_LEN_MIN */
	uint32_t answer_len; /* octets of the answer; 0: the query is not answered */
	uint8_t transport;   /* enum request_transport */
	bool foreign;        /* no zone of ours holds the name; octets are as they came */
	bool later;          /* the answer comes later, by another way */
	const void *
		origin; /* borrows: UDP: the struct udp_batch, TCP: the struct stream that it came from */
	uint32_t place; /* UDP: its slot there */
};

#endif
