/* frame.h - one captured packet as a file holds it, whatever the file's format.
 *
 * source  the LINKTYPE_ list of tcpdump.org
 */
#ifndef SAKER_CAPTURE_FRAME_H
#define SAKER_CAPTURE_FRAME_H

#include <stdint.h>

#define FRAME_LEN_MAX 262144u /* octets kept of a packet: MAXIMUM_SNAPLEN of tcpdump */

enum frame_link {
	FRAME_NULL =
		0, /* BSD loopback: protocol family in the order of the machine that captured */
	FRAME_ETHERNET = 1,
	FRAME_RAW_OPENBSD = 14, /* as FRAME_RAW */
	FRAME_RAW_BSD = 12,     /* ditto */
	FRAME_RAW = 101,        /* an IPv4 or IPv6 header comes first */
	FRAME_LOOP = 108,       /* OpenBSD loopback: protocol family in network order */
	FRAME_SLL = 113,        /* Linux "any" device */
	FRAME_IPV4 = 228,
	FRAME_IPV6 = 229,
	FRAME_SLL2 = 276 /* Linux "any" device, newer */
};

struct frame {
	uint64_t time_ns;      /* since 1970 */
	uint32_t link;         /* enum frame_link, or another number of the list */
	uint32_t len;          /* octets kept */
	const uint8_t *octets; /* borrows until the next frame is read */
};

enum frame_status {
	FRAME_OK,
	FRAME_END, /* the file ends where it may */
	FRAME_BROKEN /* the file ends inside, or holds what cannot be; nothing can be read behind it */
};

#endif
