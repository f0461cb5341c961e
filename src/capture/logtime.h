/* logtime.h - the time at the start of a line of a log.
 *
 *     30-Nov-2026 18:55:34.123     BIND, print-time local
 *     2026-11-30T18:55:34.123Z     BIND, print-time iso8601 and iso8601-utc; syslog with any zone
 *     Nov 30 18:55:34              syslog, which tells no year: 1972, so that every date is one
 *
 * Zones are not looked at.
 */
#ifndef SAKER_CAPTURE_LOGTIME_H
#define SAKER_CAPTURE_LOGTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"

/* logtime_read - nanoseconds since 1970. errors: false: the text begins with no time; out is unchanged */
MUST_USE bool logtime_read(const char *text, size_t len, uint64_t *out);

#endif
