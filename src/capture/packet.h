/* packet.h - a frame taken apart down to what UDP or TCP carries.
 *
 *     link header -> [VLAN tags] -> IPv4, or IPv6 with extension headers -> UDP, TCP, or a piece of either
 *
 * Checksums are not looked at: who captures where the card computes them sees wrong ones.
 *
 * thread  no shared state
 * source  RFC 791 sec 3.1, RFC 8200 sec 3 and 4, RFC 768, RFC 9293 sec 3.1
 */
#ifndef SAKER_CAPTURE_PACKET_H
#define SAKER_CAPTURE_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "capture/frame.h"

enum packet_kind {
	PACKET_UDP,
	PACKET_TCP,
	PACKET_FRAGMENT, /* a piece of an IP datagram: payload is what stands behind the IP headers */
	PACKET_OTHER,    /* something else, whole or not */
	PACKET_CUT,      /* UDP or TCP, but the capture did not keep all of it */
	PACKET_LINK      /* a link type that we cannot read */
};

enum packet_flag { PACKET_FIN = 0x01, PACKET_SYN = 0x02, PACKET_RST = 0x04 };

struct packet {
	struct addr from; /* ports are 0 in a fragment */
	struct addr to;
	const uint8_t *payload; /* borrows: the frame's */
	uint32_t len;
	uint32_t sequence; /* TCP */
	uint8_t flags;     /* TCP, enum packet_flag and others */
	uint8_t protocol;  /* of what IP carries */
	/* Fragments. */
	uint32_t datagram_id;
	uint32_t offset; /* octets */
	bool has_more;
};

/* packet_parse - takes a frame apart; out is filled as far as its kind says. */
MUST_USE enum packet_kind packet_parse(const struct frame *frame, struct packet *out);

/* packet_parse_transport - takes apart what IP carries: out holds addresses and protocol already.
 *
 * effect  PACKET_UDP, PACKET_TCP, PACKET_OTHER or PACKET_CUT; never PACKET_FRAGMENT
 */
MUST_USE enum packet_kind packet_parse_transport(
	const uint8_t *octets, uint32_t len, struct packet *out);

#endif
