/* loc.h - LOC records in text, both ways.
 *
 * source  RFC 1876 sec 2 and 3
 */
#ifndef SAKER_ZONEFILE_LOC_H
#define SAKER_ZONEFILE_LOC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "zonefile/field.h"

#define LOC_LEN      16u  /* octets of version 0 */
#define LOC_TEXT_MAX 128u /* octets of the longest text with its zero */

/* loc_read - the whole RDATA, to the end of the entry; as field.h. */
MUST_USE bool loc_read(struct field_reader *reader);

/* loc_to_text - the text of rdata[LOC_LEN], version 0, into text[LOC_TEXT_MAX]; its length.
 *
 * effect  0 where the octets have no text that reads back as the same
 */
uint32_t loc_to_text(const uint8_t *rdata, char *text);

#endif
