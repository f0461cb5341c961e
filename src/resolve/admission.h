/* admission.h - what becomes of a client's message: an error, an answer out of local data or the cache, or a query it waits for.
 *
 * thread  the core's
 * source  RFC 1034 sec 4.3.2, RFC 8767 sec 5, RFC 9520
 */
#ifndef SAKER_RESOLVE_ADMISSION_H
#define SAKER_RESOLVE_ADMISSION_H

struct resolve;
struct resolve_event;

/* admission_take - a client's message: answered at once, or the client waits for a query. */
void admission_take(struct resolve *core, const struct resolve_event *event);

/* admission_restart - gives up all work of the core; clients that wait for some begin anew. */
void admission_restart(struct resolve *core);

#endif
