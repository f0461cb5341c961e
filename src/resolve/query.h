/* query.h - a question that clients wait for: look-ups along aliases, then an answer for each of them.
 *
 * Clients that ask the same name and type wait for one query.
 *
 * source  RFC 1034 sec 5.3.3 step 4c, RFC 8767 (stale answers)
 */
#ifndef SAKER_RESOLVE_QUERY_H
#define SAKER_RESOLVE_QUERY_H

#include <stdbool.h>
#include <stdint.h>

#include "resolve/compose.h"
#include "resolve/job.h"
#include "resolve/timers.h"
#include "wire/message.h"

struct resolve_event;

#define QUERY_STALE_AFTER_MS                                                                       \
	1800u /* RFC 8767 sec 5: then what has expired serves, if there is something */
#define QUERY_UDP_MAX 4096u /* octets that we send by datagram to who says that it takes them */

/* query_take - a client's message: answered at once, or a query waits for it. */
void query_take(struct resolve *core, const struct resolve_event *event);

/* query_refresh - looks up again what is about to expire, unless that was done; name: lower case. No client waits.
 *
 * shape   expires_ms: of the answer that is to be renewed, in the cache's time
 */
void query_refresh(
	struct resolve *core, const struct name *name, uint16_t type, int64_t expires_ms);

/* query_restart - gives up all work of the core; clients that wait for some begin anew. */
void query_restart(struct resolve *core);

/* query_udp_limit - octets of an answer by datagram, RFC 6891 sec 6.2.5. */
static inline uint32_t query_udp_limit(const struct message *message)
{
	uint32_t limit = message->has_edns ? message->edns_udp_len : WIRE_UDP_LEN_MIN;

	limit = limit < WIRE_UDP_LEN_MIN ? WIRE_UDP_LEN_MIN : limit;
	return limit > QUERY_UDP_MAX ? QUERY_UDP_MAX : limit;
}

#endif
