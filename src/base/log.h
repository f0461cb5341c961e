/* log.h - lines for the operator, one event each: `level=info event=zone-served zone=example.com. records=5`.
 *
 * Written to standard error in logfmt with one write(2) a line. Not for the packet path: what happens
 * there is counted.
 *
 * thread  any; log_set_level() before threads start
 */
#ifndef SAKER_BASE_LOG_H
#define SAKER_BASE_LOG_H

#include "base/check.h"

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARNING, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };

/* log_set_level - lines below this importance are left out (default: info). */
void log_set_level(enum log_level level);

/* log_error, log_warning, log_info, log_debug - one line; format gives the `key=value` pairs after the level.
 *
 * cost  one write(2); lines are cut at 2048 octets
 */
void log_error(const char *format, ...) PRINTF(1, 2) COLD;
void log_warning(const char *format, ...) PRINTF(1, 2) COLD;
void log_info(const char *format, ...) PRINTF(1, 2) COLD;
void log_debug(const char *format, ...) PRINTF(1, 2) COLD;

#endif
