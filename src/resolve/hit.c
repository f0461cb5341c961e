/* hit.c - the warm path. */
#include "resolve/hit.h"

#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "cache/cache.h"
#include "resolve/client.h"
#include "resolve/core.h"
#include "wire/message.h"
#include "wire/rrtype.h"

#define QUESTION_FIXED_LEN 4u
#define PREFETCH_TENTH     10u   /* of its time left: it is fetched anew while it still serves */
#define PREFETCH_LEAST_MS  10000 /* what lives shorter is not worth it */

struct head {
	uint16_t flags; /* RCODE and AD */
	uint16_t counts[2];
	uint16_t ttl_count;
	int16_t ede;
	uint16_t body_len;
};

/* A query between the stages. */
struct hit_item {
	bool good; /* of the kind that can be known */
	uint32_t key_len;
	uint64_t hash;
	struct message message;
	uint8_t key[CACHE_KEY_MAX + 8];
};

struct hit_item *hit_new(void)
{
	return calloc(RESOLVE_HITS_MAX, sizeof(struct hit_item));
}

static uint32_t make_key(
	uint8_t *key, const uint8_t *qname, uint32_t len, uint16_t qtype, bool dnssec_ok, bool cd)
{
	key[0] = HIT_KEY_KIND;
	key[1] = (uint8_t)(dnssec_ok | cd << 1);
	octets_put_u16(key + 2, qtype);
	name_octets_lower(key + HIT_KEY_FIXED_LEN, qname, len);
	return HIT_KEY_FIXED_LEN + len;
}

void hit_keep(struct resolve *core, const struct compose_client *client,
	const struct compose_answer *answer, const uint8_t *octets, uint32_t len,
	const struct compose_ttls *ttls)
{
	uint32_t body_at = WIRE_HEADER_LEN + client->qname.len + QUESTION_FIXED_LEN;
	uint8_t key[CACHE_KEY_MAX];
	bool cd = (client->flags & WIRE_FLAG_CD) != 0;

	if (ttls->count > COMPOSE_TTLS_MAX || ttls->count == 0 || ttls->least_s == 0 ||
		len - body_at > UINT16_MAX) {
		return;
	}
	uint32_t key_len = make_key(
		key, client->qname.octets, client->qname.len, client->qtype, client->dnssec_ok, cd);
	uint32_t value_len = (uint32_t)sizeof(struct head) + ttls->count * 2u + len - body_at;
	uint8_t *value = arena_alloc(&core->answers, value_len);
	if (value == NULL) {
		return;
	}
	const struct head head = {
		.flags = (uint16_t)(answer->rcode | (answer->secure && !cd ? WIRE_FLAG_AD : 0)),
		.counts = {octets_get_u16(octets + 6), octets_get_u16(octets + 8)},
		.ttl_count = (uint16_t)ttls->count,
		.ede = answer->ede,
		.body_len = (uint16_t)(len - body_at)};
	memcpy(value, &head, sizeof(head));
	uint8_t *at = value + sizeof(head);
	for (uint32_t i = 0; i < ttls->count; i++, at += 2) {
		const uint16_t off = (uint16_t)(ttls->offsets[i] - body_at);
		memcpy(at, &off, sizeof(off));
	}
	memcpy(at, octets + body_at, len - body_at);
	cache_put(core->shared.cache, cache_hash(core->shared.cache, key, key_len), key, key_len,
		value, value_len, core_now_ms(core),
		core_now_ms(core) + ttls->least_s * (int64_t)1000);
}

/* Time is nearly up: somebody should ask again before clients have to wait. */
static void prefetch(struct resolve *core, const struct cache_entry *entry, int64_t now_ms,
	const struct hit_item *item)
{
	int64_t life = entry->expires_ms - entry->stored_ms;

	if (life < PREFETCH_LEAST_MS || entry->expires_ms - now_ms >= life / PREFETCH_TENTH ||
		core->refresh_count == CORE_REFRESHES_MAX) {
		return;
	}
	struct core_refresh *refresh = &core->refreshes[core->refresh_count++];
	refresh->type = item->message.qtype;
	refresh->expires_ms = entry->expires_ms;
	refresh->name.len = item->message.qname_len;
	refresh->name.label_count = item->message.label_count;
	memcpy(refresh->name.octets, item->key + HIT_KEY_FIXED_LEN, refresh->name.len);
}

/* Stage one: the key; the bucket is fetched. */
static inline void read_query(
	const struct resolve *core, struct hit_item *item, const struct resolve_hit *hit)
{
	const struct message *message = &item->message;

	item->good = message_parse_fast(hit->octets, hit->len, &item->message) &&
		     message->qclass == CLASS_IN && message->edns_version == 0 &&
		     (message->flags & WIRE_FLAG_RD) != 0;
	if (item->good) {
		item->key_len = make_key(item->key, hit->octets + WIRE_HEADER_LEN,
			message->qname_len, message->qtype, message->edns_do,
			(message->flags & WIRE_FLAG_CD) != 0);
		item->hash = cache_hash(core->shared.cache, item->key, item->key_len);
		cache_prefetch(core->shared.cache, item->hash);
	}
}

/* Stage three: the answer over the query; its length, 0: there is none. */
static inline uint32_t write_answer(
	struct resolve *core, const struct hit_item *item, struct resolve_hit *hit, int64_t now_ms)
{
	const struct message *message = &item->message;
	uint8_t *octets = hit->octets;
	struct cache_entry entry;
	struct head head;

	if (!cache_get(core->shared.cache, item->hash, item->key, item->key_len, &entry) ||
		entry.expires_ms <= now_ms) {
		return 0;
	}
	memcpy(&head, entry.value, sizeof(head));
	uint8_t opt[COMPOSE_OPT_MAX];
	uint32_t opt_len = message->has_edns ? compose_opt(message->edns_do, head.ede, NULL,
						       head.flags & WIRE_RCODE_MASK, opt)
					     : 0;
	uint32_t limit = hit->over_stream ? hit->cap : client_udp_limit(message);
	uint32_t body_at = message->question_end;
	limit = limit < hit->cap ? limit : hit->cap;
	if (body_at + head.body_len + opt_len > limit) {
		return 0;
	}
	const uint8_t *offsets = entry.value + sizeof(head);
	uint8_t *body = octets + body_at;
	memcpy(body, offsets + 2u * head.ttl_count, head.body_len);
	uint32_t age_s = (uint32_t)((now_ms - entry.stored_ms) / 1000);
	for (uint32_t i = 0; age_s != 0 && i < head.ttl_count; i++) {
		uint16_t off;
		memcpy(&off, offsets + 2 * i, sizeof(off));
		uint32_t ttl = octets_get_u32(body + off);
		octets_put_u32(body + off, ttl > age_s ? ttl - age_s : 0);
	}
	memcpy(body + head.body_len, opt, opt_len);
	bool asked = message->edns_do || (message->flags & WIRE_FLAG_AD) != 0;
	uint16_t flags = WIRE_FLAG_QR | WIRE_FLAG_RA |
			 (message->flags & (WIRE_FLAG_RD | WIRE_FLAG_CD)) |
			 (head.flags & WIRE_RCODE_MASK) | (asked ? head.flags & WIRE_FLAG_AD : 0);
	octets_put_u16(octets + 2, flags);
	octets_put_u16(octets + 6, head.counts[0]);
	octets_put_u16(octets + 8, head.counts[1]);
	octets_put_u16(octets + 10, opt_len > 0);
	core->counters.queries++;
	core->counters.hits++;
	prefetch(core, &entry, now_ms, item);
	return body_at + head.body_len + opt_len;
}

HOT void resolve_hits(
	struct resolve *core, struct resolve_hit *hits, uint32_t count, struct now now)
{
	struct hit_item *items = core->hit_items;

	DASSERT(count <= RESOLVE_HITS_MAX);
	core->now = now;
	core_look(core, now);
	for (uint32_t i = 0; i < count; i++) {
		read_query(core, &items[i], &hits[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		if (items[i].good) {
			cache_prefetch_entry(core->shared.cache, items[i].hash);
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		hits[i].answer_len =
			items[i].good ? write_answer(core, &items[i], &hits[i], core_now_ms(core))
				      : 0;
	}
}
