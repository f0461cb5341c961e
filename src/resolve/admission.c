/* admission.c - local data, the cache, a place. */
#include "resolve/admission.h"

#include <stddef.h>
#include <stdlib.h>

#include "resolve/client.h"
#include "resolve/core.h"
#include "resolve/dns64.h"
#include "resolve/job.h"
#include "resolve/known.h"
#include "resolve/local.h"
#include "resolve/query.h"
#include "resolve/recall.h"
#include "resolve/search.h"
#include "resolve/sentinel.h"
#include "wire/rrtype.h"

#define TYPE_AXFR 252u
#define TYPE_IXFR 251u

/* A query that is not about a name of class IN, or that we do not answer this way; true: it is answered. */
static bool refuse(struct resolve *core, const struct client *client, const struct message *message)
{
	if ((message->flags & WIRE_OPCODE_MASK) != 0) {
		client_answer_error(core, client, RCODE_NOTIMP, EDE_NONE);
	} else if (message->edns_version != 0) {
		client_answer_error(core, client, RCODE_BADVERS, EDE_NONE);
	} else if (message->qclass != CLASS_IN || message->qtype == TYPE_AXFR ||
		   message->qtype == TYPE_IXFR) {
		client_answer_error(core, client, RCODE_REFUSED, EDE_NOT_SUPPORTED);
	} else {
		return false;
	}
	return true;
}

/* Out of the cache alone; true: it is answered. */
static bool answer_cached(
	struct resolve *core, const struct client *client, const struct name *name, bool stale_ok)
{
	const struct recall_how how = {.type = client->how.qtype,
		.stale_ok = stale_ok,
		.nat = (client_flags(core, client) & QUERY_NO_NAT) == 0};
	struct recall recall;

	if (!recall_answer(core, name, &how, &core->answers, &recall) ||
		(recall.answer.secure &&
			sentinel_fails(core_anchors(core), name, client->how.qtype))) {
		return false;
	}
	core->counters.stale += recall.is_stale;
	client_answer(core, client, &recall.answer, !recall.is_stale && !recall.is_derived);
	return true;
}

/* Without RD: what the cache knows, failures too. */
static void answer_without_recursion(
	struct resolve *core, const struct client *client, const struct name *name)
{
	uint8_t status;
	int16_t ede;

	if (known_failure(core, name, client->how.qtype, &status, &ede)) {
		client_answer_error(core, client, RCODE_SERVFAIL, ede);
	} else {
		core->counters.refused++;
		client_answer_error(core, client, RCODE_REFUSED, EDE_PROHIBITED);
	}
}

/* There is no place for another query of this client's: what has expired, or SERVFAIL, at once. */
static void answer_full(struct resolve *core, const struct client *client, const struct name *name)
{
	bool stale_ok = core->config.stale_s > 0 && (client->how.flags & WIRE_FLAG_CD) == 0;

	if (!stale_ok || !answer_cached(core, client, name, true)) {
		core->counters.refused++;
		client_answer_error(core, client, RCODE_SERVFAIL, EDE_NOT_READY);
	}
}

/* One that waits gives way to who comes; false: nobody has to. */
static bool displace(struct resolve *core, const struct client *comer)
{
	struct place *place = places_richer(core->places, &comer->place, &core->random);

	if (place == NULL) {
		return false;
	}
	struct client *client =
		(struct client *)(void *)((char *)place - offsetof(struct client, place));
	struct name name = client->how.qname;
	name_lower(&name);
	answer_full(core, client, &name);
	query_dismiss(client);
	return true;
}

/* A copy of the client waits for the query of its question; NULL: no memory. */
static struct query *take_place(
	struct resolve *core, const struct client *client, const struct name *name)
{
	struct client *waiting = malloc(sizeof(*waiting));

	if (waiting == NULL) {
		return NULL;
	}
	*waiting = *client;
	if (!places_take(core->places, &waiting->place)) {
		free(waiting);
		return NULL;
	}
	struct query *query =
		query_begin(core, name, client->how.qtype, client_flags(core, client));
	if (query == NULL) {
		client_forget(core, waiting);
		return NULL;
	}
	query_attach(query, waiting);
	return query;
}

/* Local data are nobody else's business, and cost nothing; true: it is answered. An alias has to be followed, if that is
 * wanted.
 */
static bool answer_local(struct resolve *core, const struct client *client, const struct name *name)
{
	struct search_result local;
	struct compose_answer answer = {.ede = EDE_NONE, .part_count = 1};

	if (core->shared.local == NULL ||
		(client->how.qtype == RRTYPE_PTR &&
			dns64_reverse(&core->config.dns64, name, &core->answers, &local)) ||
		!local_find(core->shared.local, name, client->how.qtype, &core->answers, &local) ||
		(local.end == SEARCH_ALIAS && (client->how.flags & WIRE_FLAG_RD) != 0)) {
		return false;
	}
	answer.rcode = local.end == SEARCH_NXDOMAIN ? RCODE_NXDOMAIN : RCODE_NOERROR;
	answer.parts[0] = (struct compose_part){.result = &local, .name = name};
	client_answer(core, client, &answer, false);
	return true;
}

void admission_take(struct resolve *core, const struct resolve_event *event)
{
	struct message message;
	struct client client;
	struct name name;

	core->counters.queries++;
	if (!client_read(core, event, &client, &message, &name)) {
		client_answer_formerr(core, event);
		return;
	}
	if (refuse(core, &client, &message) || answer_local(core, &client, &name)) {
		return;
	}
	if (answer_cached(core, &client, &name, false)) {
		return;
	}
	if ((message.flags & WIRE_FLAG_RD) == 0) {
		answer_without_recursion(core, &client, &name);
		return;
	}
	client.place = places_of(core->places, &event->peer);
	if (places_are_full(core->places) && !displace(core, &client)) {
		answer_full(core, &client, &name);
		return;
	}
	struct query *query = take_place(core, &client, &name);
	if (query == NULL) {
		client_answer_error(core, &client, RCODE_SERVFAIL, EDE_OTHER);
	} else {
		query_catch_up(query);
	}
}

void admission_restart(struct resolve *core)
{
	struct client *clients = query_detach_all(core);

	job_free_all(core);
	while (clients != NULL) {
		struct client *client = clients;
		struct name name = client->how.qname;
		clients = client->next;
		name_lower(&name);
		if (answer_local(core, client, &name) ||
			answer_cached(core, client, &name, false)) {
			client_forget(core, client);
			continue;
		}
		struct query *query =
			query_begin(core, &name, client->how.qtype, client_flags(core, client));
		if (query == NULL) {
			client_answer_error(core, client, RCODE_SERVFAIL, EDE_OTHER);
			client_forget(core, client);
			continue;
		}
		query_attach(query, client);
	}
}
