/* rdata_read.h - RDATA from text, by the field letters of rrtype.def.
 *
 * source  RFC 1035 sec 5.1, RFC 3597 sec 5, and the RFC of each type (rrtype.def)
 */
#ifndef SAKER_ZONEFILE_RDATA_READ_H
#define SAKER_ZONEFILE_RDATA_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "zonefile/field.h"

/* rdata_read - the RDATA of a record of that type, to the end of its entry.
 *
 * shape   fields: the field letters of the type; NULL where the table has none (then \# only)
 * effect  true: reader->octets[0..len) is RDATA that rdata_check() accepts, and the scanner stands
 *         behind the entry. false: reader->why and reader->token tell; the rest of the entry is unread,
 *         unless the token is its end.
 */
MUST_USE bool rdata_read(struct field_reader *reader, uint16_t type, const char *fields);

#endif
