/* calendar.h - the times of RRSIG records: YYYYMMDDHHmmSS in UTC, 32 bits that wrap.
 *
 * source  RFC 4034 sec 3.1.5 (serial arithmetic) and 3.2
 */
#ifndef SAKER_ZONEFILE_CALENDAR_H
#define SAKER_ZONEFILE_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define CALENDAR_TEXT_LEN 14u /* YYYYMMDDHHmmSS */

/* calendar_from_text - fourteen digits, or up to ten that are seconds since 1970.
 *
 * errors  false: neither, no such day or hour, seconds beyond 32 bits, a year before 1970
 */
MUST_USE bool calendar_from_text(const uint8_t *text, uint32_t len, uint32_t *out);

/* calendar_to_text - the time between 1970 and 2106 in CALENDAR_TEXT_LEN characters, no zero. */
void calendar_to_text(uint32_t time, char *text);

#endif
