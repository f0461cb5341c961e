/* client.c - from a message to who asks, and back. */
#include "resolve/client.h"

#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "dnssec/dnssec.h"
#include "resolve/core.h"
#include "resolve/hit.h"
#include "resolve/query.h"
#include "wire/rrtype.h"

#define TYPE_ANY 255u

static void give(struct resolve *core, uint64_t token, const uint8_t *octets, uint32_t len)
{
	const struct resolve_action answer = {
		.kind = RESOLVE_ANSWER, .client = token, .octets = octets, .len = len};

	core->counters.answers++;
	if (!core_act(core, &answer)) {
		core->counters.failures++; /* the client asks again */
	}
}

void client_answer(struct resolve *core, const struct client *client,
	const struct compose_answer *answer, bool keep)
{
	uint32_t cap = client->how.limit;
	uint8_t *out = arena_alloc(&core->answers, cap);
	struct compose_ttls ttls;

	if (out == NULL) {
		core->counters.failures++;
		return;
	}
	uint32_t len = compose(&client->how, answer, out, cap, keep ? &ttls : NULL);
	core->counters.failures += answer->rcode == RCODE_SERVFAIL;
	if (keep) {
		uint8_t opt[COMPOSE_OPT_MAX];
		uint32_t opt_len = client->how.has_edns
					   ? compose_opt(client->how.dnssec_ok, answer->ede,
						     answer->cause, answer->rcode, opt)
					   : 0;
		hit_keep(core, &client->how, answer, out, len - opt_len, &ttls);
	}
	give(core, client->token, out, len);
}

void client_answer_error(
	struct resolve *core, const struct client *client, uint16_t rcode, int16_t ede)
{
	const struct compose_answer answer = {.rcode = rcode, .ede = ede};

	client_answer(core, client, &answer, false);
}

void client_answer_formerr(struct resolve *core, const struct resolve_event *event)
{
	uint8_t *out = arena_alloc(&core->answers, WIRE_HEADER_LEN);

	if (event->len < WIRE_HEADER_LEN || out == NULL ||
		(octets_get_u16(event->octets + 2) & WIRE_FLAG_QR) != 0) {
		give(core, event->client, NULL, 0); /* nothing goes out */
		return;
	}
	memset(out, 0, WIRE_HEADER_LEN);
	memcpy(out, event->octets, 2);
	octets_put_u16(out + 2,
		(uint16_t)(WIRE_FLAG_QR | WIRE_FLAG_RA |
			   (octets_get_u16(event->octets + 2) & (WIRE_OPCODE_MASK | WIRE_FLAG_RD)) |
			   RCODE_FORMERR));
	give(core, event->client, out, WIRE_HEADER_LEN);
}

bool client_read(const struct resolve *core, const struct resolve_event *event,
	struct client *client, struct message *message, struct name *name)
{
	enum message_status status = message_parse(event->octets, event->len, message);

	*client = (struct client){.token = event->client,
		.how = {.id = message->id,
			.flags = message->flags,
			.qtype = message->qtype,
			.has_edns = message->has_edns,
			.dnssec_ok = message->edns_do,
			.one_set = message->qtype == TYPE_ANY && !event->over_stream &&
				   core->config.minimal_any,
			.limit = event->over_stream ? WIRE_MESSAGE_LEN_MAX
						    : client_udp_limit(message)}};
	if (status != MESSAGE_OK || message->question_end == 0) {
		return false;
	}
	name->len = message->qname_len;
	name->label_count = message->label_count;
	memcpy(name->octets, event->octets + WIRE_HEADER_LEN, name->len);
	client->how.qname = *name;
	name_lower(name);
	return true;
}

uint16_t client_flags(const struct resolve *core, const struct client *client)
{
	bool cd = (client->how.flags & WIRE_FLAG_CD) != 0;
	/* RFC 6147 sec 3: with DO and CD the client checks on its own, and what is made here would not hold. */
	bool no_nat = cd && client->how.dnssec_ok && core->config.dns64.len != 0;

	return (uint16_t)((cd ? QUERY_CD : 0) | (no_nat ? QUERY_NO_NAT : 0));
}

void client_forget(struct resolve *core, struct client *client)
{
	places_give(core->places, &client->place);
	free(client);
}
