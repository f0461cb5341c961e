/* image_measure.h - how large an image is, and how large its records would be on the wire.
 *
 * thread  any
 */
#ifndef SAKER_ZONE_IMAGE_MEASURE_H
#define SAKER_ZONE_IMAGE_MEASURE_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "zone/image_memory.h"

struct image;

struct image_measure {
	uint64_t wire_len; /* octets of all records with their names in full, RFC 1035 sec 3.2.1 */
	uint64_t section_len[IMAGE_SECTIONS];
	uint64_t image_len; /* octets of all sections */
};

/* image_measure - errors: STATUS_MEMORY. cost: a walk over all records */
MUST_USE enum status image_measure(const struct image *image, struct image_measure *out);

/* image_measure_section - what is in a section, in a word. */
const char *image_measure_section(enum image_section section);

#endif
