/* client.h - who asks a core: what the message says of it, and its answers.
 *
 * thread  the core's
 * source  RFC 1035 sec 4.1.1, RFC 6891 sec 6.2.5, RFC 8482 sec 4.1
 */
#ifndef SAKER_RESOLVE_CLIENT_H
#define SAKER_RESOLVE_CLIENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "resolve/compose.h"
#include "resolve/places.h"
#include "wire/message.h"
#include "wire/name.h"

struct query;
struct resolve;
struct resolve_event;

#define CLIENT_UDP_MAX 4096u /* octets that we send by datagram to who says that it takes them */

struct client {
	struct client *next, *prev; /* of those that wait for the same query */
	struct query *query;        /* that it waits for */
	uint64_t token;
	struct place place; /* held while it waits */
	struct compose_client how;
};

/* client_read - the message of an event of kind RESOLVE_QUERY; *name: the question's, in lower case.
 *
 * errors  false: no message that a question can be read of
 */
MUST_USE bool client_read(const struct resolve *core, const struct resolve_event *event,
	struct client *client, struct message *message, struct name *name);

/* client_flags - which queries the client may wait for: QUERY_CD, QUERY_NO_NAT */
uint16_t client_flags(const struct resolve *core, const struct client *client);

/* client_answer - composes and gives it; keep: it is kept whole for others who ask alike (resolve/hit.h). */
void client_answer(struct resolve *core, const struct client *client,
	const struct compose_answer *answer, bool keep);
void client_answer_error(
	struct resolve *core, const struct client *client, uint16_t rcode, int16_t ede);

/* client_answer_formerr - to what client_read() could not read; nothing to what is no query at all. */
void client_answer_formerr(struct resolve *core, const struct resolve_event *event);

/* client_udp_limit - octets of an answer by datagram, RFC 6891 sec 6.2.5. */
static inline uint32_t client_udp_limit(const struct message *message)
{
	uint32_t limit = message->has_edns ? message->edns_udp_len : WIRE_UDP_LEN_MIN;

	limit = limit < WIRE_UDP_LEN_MIN ? WIRE_UDP_LEN_MIN : limit;
	return limit > CLIENT_UDP_MAX ? CLIENT_UDP_MAX : limit;
}

/* client_forget - frees what waited, and its place. */
void client_forget(struct resolve *core, struct client *client);

#endif
