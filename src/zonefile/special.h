/* special.h - the RDATA fields that have a grammar of their own, from text.
 *
 * As field.h: each appends to the reader, or says what is wrong and returns false.
 */
#ifndef SAKER_ZONEFILE_SPECIAL_H
#define SAKER_ZONEFILE_SPECIAL_H

#include <stdbool.h>

#include "base/check.h"
#include "zonefile/field.h"

/* To the end of the entry. */
MUST_USE bool special_wks(struct field_reader *reader);
MUST_USE bool special_nxt(struct field_reader *reader);
MUST_USE bool special_apl(struct field_reader *reader);
MUST_USE bool special_hip(struct field_reader *reader);

/* One field of one or several tokens. */
MUST_USE bool special_gateway(struct field_reader *reader);
MUST_USE bool special_relay(struct field_reader *reader);
MUST_USE bool special_nsap(struct field_reader *reader);
MUST_USE bool special_atma(struct field_reader *reader);
MUST_USE bool special_a6(struct field_reader *reader);

#endif
