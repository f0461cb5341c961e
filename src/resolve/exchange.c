/* exchange.c - the table of open exchanges, and the octets of questions. */
#include "resolve/exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/reader.h"
#include "base/siphash.h"
#include "resolve/core.h"
#include "resolve/servers.h"
#include "wire/rrtype.h"

#define OPTION_COOKIE     10u
#define CLIENT_COOKIE_LEN 8u

/* ids are slot | generation << 16, the generation never 0: an event for one that was closed finds nothing. Slots that were
 * never used come first, so that memory for many is taken where many are open.
 */
struct exchanges {
	struct exchange *open[EXCHANGE_MOST];
	uint16_t generations[EXCHANGE_MOST];
	uint32_t fresh; /* slots below it were used; 0 to EXCHANGE_MOST */
	uint32_t
		free[EXCHANGE_MOST]; /* of those that were: which became free first is used first */
	uint32_t free_first, free_count;
};

struct exchanges *exchange_table_new(void)
{
	return calloc(1, sizeof(struct exchanges));
}

void exchange_table_free(struct exchanges *exchanges)
{
	free(exchanges);
}

/* RFC 7873 sec 5.1 and RFC 9018: 8 octets that only we know, another for each server. */
static void put_client_cookie(const struct resolve *core, const struct addr *addr, uint8_t *out)
{
	uint8_t input[20] = {0};

	memcpy(input, addr->octets, sizeof(addr->octets));
	octets_put_u16(input + 16, addr->port);
	uint64_t cookie = siphash_24(core->secret + SIPHASH_KEY_LEN, input, sizeof(input));
	memcpy(out, &cookie, CLIENT_COOKIE_LEN);
}

static uint8_t *put_opt(const struct exchange *exchange, uint8_t *at)
{
	struct resolve *core = exchange->core;
	const struct server *server =
		servers_get(core->servers, &exchange->addr, core_now_ms(core));
	uint8_t cookie_len = CLIENT_COOKIE_LEN;
	uint8_t cookie[SERVERS_COOKIE_MAX];

	put_client_cookie(core, &exchange->addr, cookie);
	if (server->cookie_len > CLIENT_COOKIE_LEN &&
		memcmp(server->cookie, cookie, CLIENT_COOKIE_LEN) == 0) {
		cookie_len = server->cookie_len;
		memcpy(cookie, server->cookie, cookie_len);
	}
	*at = 0;
	octets_put_u16(at + 1, RRTYPE_OPT);
	octets_put_u16(at + 3, core->config.udp_len);
	octets_put_u32(at + 5, 0x8000); /* DO: signatures serve caching and validation alike */
	octets_put_u16(at + 9, (uint16_t)(4 + cookie_len));
	octets_put_u16(at + 11, OPTION_COOKIE);
	octets_put_u16(at + 13, cookie_len);
	memcpy(at + 15, cookie, cookie_len);
	return at + 15 + cookie_len;
}

static void make_query(struct exchange *exchange)
{
	uint8_t *at = exchange->query;

	exchange->message_id = (uint16_t)core_random(exchange->core);
	memset(at, 0, WIRE_HEADER_LEN);
	octets_put_u16(at, exchange->message_id);
	octets_put_u16(at + 2, exchange->recurse ? WIRE_FLAG_RD | WIRE_FLAG_CD : 0);
	octets_put_u16(at + 4, 1);
	octets_put_u16(at + 10, exchange->edns);
	at += WIRE_HEADER_LEN;
	memcpy(at, exchange->name.octets, exchange->name.len);
	at += exchange->name.len;
	octets_put_u16(at, exchange->type);
	octets_put_u16(at + 2, CLASS_IN);
	at += 4;
	if (exchange->edns) {
		at = put_opt(exchange, at);
	}
	exchange->query_len = (uint32_t)(at - exchange->query);
}

static void time_out(struct timer *timer)
{
	struct exchange *exchange =
		(struct exchange *)(void *)((char *)timer - offsetof(struct exchange, timer));

	exchange->core->counters.timeouts++;
	exchange_drop(exchange);
	exchange->done(exchange, EXCHANGE_TIMEOUT, NULL, 0);
}

bool exchange_ask(struct exchange *exchange, uint32_t wait_ms)
{
	struct resolve *core = exchange->core;
	struct exchanges *exchanges = core->exchanges;

	ASSERT(exchange->id == EXCHANGE_NONE);
	if ((exchanges->fresh == EXCHANGE_MOST && exchanges->free_count == 0) ||
		!timers_reserve(&core->timers, core->timers.count + 1 > core->timers.cap
						       ? 2 * core->timers.count + 64
						       : core->timers.count)) {
		return false;
	}
	make_query(exchange);
	bool is_fresh = exchanges->fresh < EXCHANGE_MOST;
	uint32_t slot = is_fresh ? exchanges->fresh : exchanges->free[exchanges->free_first];
	uint16_t generation = is_fresh ? 1 : exchanges->generations[slot];
	exchange->id = slot | (uint32_t)generation << 16;
	exchange->sent_ns = core->now.mono_ns;
	const struct resolve_action send = {
		.kind = exchange->stream ? RESOLVE_SEND_STREAM : RESOLVE_SEND_DATAGRAM,
		.exchange = exchange->id,
		.addr = exchange->addr,
		.octets = exchange->query,
		.len = exchange->query_len};
	if (!core_act(core, &send)) {
		exchange->id = EXCHANGE_NONE;
		return false;
	}
	if (is_fresh) {
		exchanges->fresh++;
	} else {
		exchanges->free_first = (exchanges->free_first + 1) % EXCHANGE_MOST;
		exchanges->free_count--;
	}
	exchanges->generations[slot] = generation;
	exchanges->open[slot] = exchange;
	timers_prepare(&exchange->timer, time_out);
	timers_set(&core->timers, &exchange->timer,
		core->now.mono_ns + wait_ms * NOW_NS_A_MILLISECOND);
	core->counters.sent++;
	return true;
}

void exchange_drop(struct exchange *exchange)
{
	struct resolve *core = exchange->core;

	if (exchange->id == EXCHANGE_NONE) {
		return;
	}
	struct exchanges *exchanges = core->exchanges;
	uint32_t slot = exchange->id & 0xffffu;
	timers_clear(&core->timers, &exchange->timer);
	exchanges->open[slot] = NULL;
	if (++exchanges->generations[slot] == 0) {
		exchanges->generations[slot] = 1;
	}
	exchanges->free[(exchanges->free_first + exchanges->free_count) % EXCHANGE_MOST] = slot;
	exchanges->free_count++;
	const struct resolve_action close = {.kind = RESOLVE_CLOSE, .exchange = exchange->id};
	exchange->id = EXCHANGE_NONE;
	if (!core_act(core, &close)) {
		core->counters
			.ignored++; /* its socket ends with the process; memory is gone anyway */
	}
}

/* Is it the answer to what was asked? Some servers leave the question out of an error. */
static bool is_answer(const struct exchange *exchange, const uint8_t *octets, uint32_t len)
{
	struct reader reader = {.octets = octets, .len = len, .off = WIRE_HEADER_LEN};
	struct name name;
	uint16_t type, class;

	if (len < WIRE_HEADER_LEN || octets_get_u16(octets) != exchange->message_id) {
		return false;
	}
	uint16_t flags = octets_get_u16(octets + 2);
	if ((flags & WIRE_FLAG_QR) == 0 || (flags & WIRE_OPCODE_MASK) != 0) {
		return false;
	}
	uint16_t count = octets_get_u16(octets + 4);
	if (count == 0) {
		uint16_t rcode = flags & WIRE_RCODE_MASK;
		return rcode == RCODE_FORMERR || rcode == RCODE_SERVFAIL || rcode == RCODE_NOTIMP ||
		       rcode == RCODE_REFUSED;
	}
	return count == 1 && name_parse(&reader, &name) == WIRE_OK && reader_u16(&reader, &type) &&
	       reader_u16(&reader, &class) && type == exchange->type && class == CLASS_IN &&
	       name_equal(&name, &exchange->name);
}

void exchange_take(struct resolve *core, uint32_t id, const uint8_t *octets, uint32_t len)
{
	struct exchange *exchange = core->exchanges->open[id & 0xffffu];

	if (exchange == NULL || exchange->id != id) {
		core->counters.ignored++;
		return;
	}
	if (octets != NULL && !is_answer(exchange, octets, len)) {
		core->counters.ignored++;
		if (!exchange->stream) {
			return; /* somebody guesses; the true one may still come */
		}
		octets = NULL; /* a stream carries one message, and this was not it */
	}
	exchange_drop(exchange);
	if (octets != NULL) {
		core->counters.received++;
	}
	exchange->done(exchange, octets != NULL ? EXCHANGE_REPLY : EXCHANGE_FAILURE, octets, len);
}
