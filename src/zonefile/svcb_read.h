/* svcb_read.h - the parameters of SVCB and HTTPS records, from text.
 *
 * A value is a character-string, whose escapes are undone first; where it is a list, its own escapes
 * (`\,` and `\\`) are undone in a second round.
 *
 * source  RFC 9460 sec 2.1, 7, 8 and appendix A
 */
#ifndef SAKER_ZONEFILE_SVCB_READ_H
#define SAKER_ZONEFILE_SVCB_READ_H

#include <stdbool.h>

#include "base/check.h"
#include "zonefile/field.h"

/* svcb_read - all parameters to the end of the entry, in the order of their keys; as field.h. */
MUST_USE bool svcb_read(struct field_reader *reader);

#endif
