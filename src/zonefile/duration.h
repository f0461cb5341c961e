/* duration.h - seconds in text: a number, or numbers with units (1w2d3h4m5s) that are added up.
 *
 * source  units are BIND's, and in every peer by now
 */
#ifndef SAKER_ZONEFILE_DURATION_H
#define SAKER_ZONEFILE_DURATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

/* duration_from_text - errors: false: no duration, or more than 32 bits; out is unchanged. */
MUST_USE bool duration_from_text(const uint8_t *text, uint32_t len, uint32_t *out);

#endif
