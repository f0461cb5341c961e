/* pcapng.h - the frames of a pcapng file: sections of either byte order, any number of interfaces in each.
 *
 *     | type | length | body ... | length again |       every block
 *
 * Section Header, Interface Description, Enhanced Packet, Simple Packet and the old Packet blocks are read, all
 * others passed over. A Simple Packet block tells no time: its frame has that of the packet before.
 *
 * source  draft-ietf-opsawg-pcapng
 */
#ifndef SAKER_CAPTURE_PCAPNG_H
#define SAKER_CAPTURE_PCAPNG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "capture/frame.h"
#include "capture/intake.h"

#define PCAPNG_LOOK_LEN       12u  /* octets that tell the format */
#define PCAPNG_INTERFACES_MAX 256u /* of a section; a guess: more than a machine has */

struct pcapng_interface {
	uint64_t unit_divisor; /* ticks a second */
	int64_t offset_s;
	uint32_t link;
};

struct pcapng {
	struct intake *intake; /* borrows: the caller's */
	const char *why;       /* after FRAME_BROKEN: a phrase */
	uint64_t last_ns;
	bool is_swapped;
	uint32_t interface_count;
	struct pcapng_interface interfaces[PCAPNG_INTERFACES_MAX];
};

/* pcapng_is - do these PCAPNG_LOOK_LEN octets begin a pcapng file? */
bool pcapng_is(const uint8_t *octets);

/* pcapng_open - the file's first block comes next. */
void pcapng_open(struct pcapng *file, struct intake *intake);

/* pcapng_next - the next frame. */
MUST_USE enum frame_status pcapng_next(struct pcapng *file, struct frame *out);

#endif
