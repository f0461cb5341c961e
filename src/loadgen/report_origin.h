/* report_origin.h - where figures come from, as the first keys of each JSON that the tool prints.
 *
 * thread  any, one at a time
 */
#ifndef SAKER_LOADGEN_REPORT_ORIGIN_H
#define SAKER_LOADGEN_REPORT_ORIGIN_H

struct json_t;

#define REPORT_ORIGIN_FORMAT 1 /* counted up when a key changes its meaning or goes */
#define REPORT_ORIGIN_DIGITS 9 /* of numbers with a point */

/* report_origin - {"format", "version", "command", "made_at_s", "machine"}, which the caller releases; NULL: no memory. */
struct json_t *report_origin(void);

#endif
