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

#include "base/check.h"
#include "wire/name.h"

struct client;
struct query;
struct resolve;

#define QUERY_STALE_AFTER_MS                                                                       \
	1800u /* RFC 8767 sec 5: then what has expired serves, if there is something */

/* Part of what a query is known by. */
#define QUERY_CD     1u
#define QUERY_FRESH  2u /* not from the cache: it is about to expire */
#define QUERY_NO_NAT 4u /* no DNS64: who validates itself wants what is there */

/* query_begin - the query in work for a question, or a new one, which nobody waits for yet. errors: NULL: no memory */
MUST_USE struct query *query_begin(
	struct resolve *core, const struct name *name, uint16_t type, uint16_t flags);

/* query_attach - the client waits for it; it is the query's until it is answered. */
void query_attach(struct query *query, struct client *client);

/* query_catch_up - who came late need not wait where others have waited for long enough: what has expired serves. */
void query_catch_up(struct query *query);

/* query_dismiss - a client that was answered before its query ends is forgotten; without any the query is called off. */
void query_dismiss(struct client *client);

/* query_detach_all - all clients that wait, in a list by next; the queries have none any more. */
struct client *query_detach_all(struct resolve *core);

/* query_refresh - looks up again what is about to expire, unless that was done; name: lower case. No client waits.
 *
 * shape   expires_ms: of the answer that is to be renewed, in the cache's time
 */
void query_refresh(
	struct resolve *core, const struct name *name, uint16_t type, int64_t expires_ms);

#endif
