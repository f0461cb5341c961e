/* pcapfile.h - the frames of a pcap file, of either byte order, with microseconds or nanoseconds.
 *
 *     | head, 24 octets | record head, 16 | packet | record head, 16 | packet | ...
 *
 * source  draft-ietf-opsawg-pcap
 */
#ifndef SAKER_CAPTURE_PCAPFILE_H
#define SAKER_CAPTURE_PCAPFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "capture/frame.h"
#include "capture/intake.h"

#define PCAPFILE_LOOK_LEN 4u /* octets that tell the format */

struct pcapfile {
	struct intake *intake; /* borrows: the caller's */
	const char *why;       /* after FRAME_BROKEN: a phrase */
	uint32_t link;
	bool is_swapped; /* big endian */
	bool has_ns;
};

/* pcapfile_is - do these PCAPFILE_LOOK_LEN octets begin a pcap file? */
bool pcapfile_is(const uint8_t *octets);

/* pcapfile_open - reads the head. errors: FRAME_BROKEN */
MUST_USE enum frame_status pcapfile_open(struct pcapfile *file, struct intake *intake);

/* pcapfile_next - the next frame. */
MUST_USE enum frame_status pcapfile_next(struct pcapfile *file, struct frame *out);

#endif
