/* answer.c - batches of queries to answers: parse all, fetch all, answer all.
 *
 * The memory that one query needs is fetched while the others are worked on. A group of a batch passes four stages:
 *
 *     read      header, question and EDNS; hash of every suffix; the zone; prefetch of the bucket
 *     probe     the bucket's likely node; prefetch of the node
 *     aim       the block that the node would answer with; prefetch of it
 *     write     respond.c, which now finds all of it near
 *
 * Probe and aim only guess: a wrong guess costs a prefetch, never an answer.
 */
#include "answer/answer.h"

#include <stdlib.h>
#include <string.h>

#include "answer/respond.h"
#include "base/octets.h"
#include "wire/rrtype.h"

#define TSIG_RDATA_LEN                                                                             \
	16u /* octets behind the algorithm name of a TSIG without MAC, RFC 8945 sec 4.2 */
#define TSIG_BADKEY   17u /* RFC 8945 sec 3 */
#define TSIG_TIME_LEN 6u

/* One query on its way through the stages. */
struct item {
	struct request *request;
	const struct zone *zone;   /* what the question is for; NULL: none of ours */
	const struct image *image; /* NULL: nothing to prefetch */
	uint32_t node;             /* the likely one */
	bool is_fast;              /* message holds it and nothing was wrong */
	struct message message;
	struct link link;
};

/* Requests that go through the stages together: as many as have their items and slots in the first-level cache, and enough
 * for the memory to be asked for all lines at once (docs/decisions/0008).
 */
#define ANSWER_GROUP 16u

struct answerer {
	const struct published *zones; /* borrows: the server's */
	struct answer_config config;
	struct answer_counters counters; /* [worker] */
	struct respond respond;
	struct reply_scratch scratch;
	struct link spare_links[RESPOND_CHAIN_MAX];
	struct item items[ANSWER_GROUP];
};

struct answerer *answerer_new(const struct published *zones, const struct answer_config *config)
{
	struct answerer *answerer = aligned_alloc(
		CACHE_LINE, (sizeof(*answerer) + CACHE_LINE - 1) & ~(size_t)(CACHE_LINE - 1));

	if (answerer == NULL) {
		return NULL;
	}
	memset(answerer, 0, sizeof(*answerer));
	answerer->zones = zones;
	answerer->config = *config;
	return answerer;
}

void answerer_free(struct answerer *answerer)
{
	free(answerer);
}

const struct answer_counters *answerer_counters(const struct answerer *answerer)
{
	return &answerer->counters;
}

/* Counters are read by another thread: whole words, no order needed. */
static inline void count_one(uint64_t *counter)
{
	__atomic_store_n(counter, *counter + 1, __ATOMIC_RELAXED);
}

static uint32_t length_limit(const struct answerer *answerer, const struct request *request,
	const struct message *message)
{
	uint32_t limit = request->cap < WIRE_MESSAGE_LEN_MAX ? request->cap : WIRE_MESSAGE_LEN_MAX;

	if (request->transport != REQUEST_UDP) {
		return limit;
	}
	uint32_t client = WIRE_UDP_LEN_MIN;                        /* RFC 1035 sec 4.2.1 */
	if (message->has_edns && message->edns_udp_len > client) { /* RFC 6891 sec 6.2.3 */
		client = message->edns_udp_len;
	}
	client = client < answerer->config.udp_len_max ? client : answerer->config.udp_len_max;
	return client < limit ? client : limit;
}

/* The OPT record of an answer: RFC 6891 sec 6.1.1 to 6.1.4; unknown flags stay clear, unknown options unsaid. */
static void put_opt(const struct answerer *answerer, const struct message *message,
	enum wire_rcode rcode, uint8_t *out)
{
	out[0] = 0;
	octets_put_u16(out + 1, RRTYPE_OPT);
	octets_put_u16(out + 3, answerer->config.udp_len_max);
	octets_put_u32(out + 5, (uint32_t)rcode >> 4 << 24 | (message->edns_do ? 0x8000u : 0u));
	octets_put_u16(out + 9, 0);
}

/* Writes the header and closes the answer. question: octets that are repeated, 0 for none. */
static void finish(struct answerer *answerer, struct request *request,
	const struct message *message, enum wire_rcode rcode, uint32_t flags,
	const uint16_t counts[WIRE_SECTIONS], uint32_t end)
{
	uint8_t *octets = request->octets;
	uint32_t additional = counts[SECTION_ADDITIONAL];

	if (message->has_edns) {
		put_opt(answerer, message, rcode, octets + end);
		end += MESSAGE_OPT_LEN;
		additional++;
	}
	/* RFC 1035 sec 4.1.1: ID, opcode and RD are the query's. RFC 4035 sec 3.1.6: CD and AD are clear. */
	flags |= WIRE_FLAG_QR | (message->flags & (WIRE_OPCODE_MASK | WIRE_FLAG_RD)) |
		 ((uint32_t)rcode & WIRE_RCODE_MASK);
	octets_put_u16(octets + 2, (uint16_t)flags);
	octets_put_u16(octets + 4, message->question_end != 0 ? 1 : 0);
	octets_put_u16(octets + 6, counts[SECTION_ANSWER]);
	octets_put_u16(octets + 8, counts[SECTION_AUTHORITY]);
	octets_put_u16(octets + 10, (uint16_t)additional);
	request->answer_len = end;
	count_one(&answerer->counters.by_rcode[rcode]);
	if ((flags & WIRE_FLAG_TC) != 0) {
		count_one(&answerer->counters.truncated);
	}
}

/* An answer of header, question where there is one, and OPT. */
static void finish_bare(struct answerer *answerer, struct request *request,
	const struct message *message, enum wire_rcode rcode)
{
	static const uint16_t none[WIRE_SECTIONS] = {0};
	uint32_t end = message->question_end != 0 ? message->question_end : WIRE_HEADER_LEN;

	if (end + MESSAGE_OPT_LEN > request->cap) {
		request->answer_len = 0; /* a transport gives more room than that */
		return;
	}
	finish(answerer, request, message, rcode, 0, none, end);
}

/* A question that the zones answer. */
static HOT void answer_question(struct answerer *answerer, struct request *request,
	const struct message *message, const struct link *link, const struct zone_set *zones,
	const struct zone *zone)
{
	struct respond *respond = &answerer->respond;
	uint32_t limit = length_limit(answerer, request, message);

	respond->zones = zones;
	respond->message = message;
	respond->transport = request->transport;
	respond->with_sigs = message->edns_do;
	respond->spare_links = answerer->spare_links;
	respond->link_count = respond->proof_count = respond->dname_count = 0;
	respond->truncated = false;
	respond->rcode = RCODE_NOERROR;
	respond->reply = (struct reply){.octets = request->octets,
		.at = message->question_end,
		.limit = limit - (message->has_edns ? MESSAGE_OPT_LEN : 0),
		.scratch = &answerer->scratch};
	respond_to(respond, link, zone);
	finish(answerer, request, message, respond->rcode,
		(respond->authoritative ? WIRE_FLAG_AA : 0u) |
			(respond->truncated ? WIRE_FLAG_TC : 0u),
		respond->reply.counts, respond->reply.at);
}

/* What is refused before any zone is looked at; RCODE_NOERROR: nothing is wrong. */
static enum wire_rcode check_question(const struct message *message)
{
	if (message->has_edns && message->edns_version != 0) {
		return RCODE_BADVERS; /* RFC 6891 sec 6.1.3 */
	}
	if (message->qclass != CLASS_IN) {
		return RCODE_REFUSED;
	}
	switch (message->qtype) {
	case RRTYPE_AXFR:
	case RRTYPE_IXFR:
		return RCODE_REFUSED;
	case RRTYPE_OPT: /* a pseudo-record, RFC 6891 sec 6.1.1; nothing to ask for */
		return RCODE_FORMERR;
	default:
		return RCODE_NOERROR;
	}
}

/* No key of ours: RFC 8945 sec 5.2.1, NOTAUTH with a TSIG that says BADKEY and carries no MAC. */
static COLD void finish_tsig(
	struct answerer *answerer, struct request *request, const struct message *message)
{
	struct reader msg = {
		.octets = request->octets, .len = request->len, .off = message->tsig_at};
	struct name key, algorithm;
	uint8_t time_and_id[TSIG_TIME_LEN + 4];
	uint32_t end = message->question_end;
	static const uint16_t counts[WIRE_SECTIONS] = {[SECTION_ADDITIONAL] = 1};

	if (name_parse(&msg, &key) != WIRE_OK || !reader_skip(&msg, 10) ||
		name_parse(&msg, &algorithm) != WIRE_OK || reader_left(&msg) < TSIG_RDATA_LEN) {
		finish_bare(answerer, request, message, RCODE_FORMERR);
		return;
	}
	memcpy(time_and_id, msg.octets + msg.off, TSIG_TIME_LEN + 2); /* time signed and fudge */
	uint32_t len = key.len + 10u + algorithm.len + TSIG_RDATA_LEN;
	if (end == 0 || end + len + MESSAGE_OPT_LEN > length_limit(answerer, request, message)) {
		finish_bare(answerer, request, message, RCODE_NOTAUTH);
		return;
	}
	uint8_t *out = request->octets + end;
	memcpy(out, key.octets, key.len);
	out += key.len;
	octets_put_u16(out, RRTYPE_TSIG);
	octets_put_u16(out + 2, CLASS_ANY);
	octets_put_u32(out + 4, 0);
	octets_put_u16(out + 8, (uint16_t)(algorithm.len + TSIG_RDATA_LEN));
	out += 10;
	memcpy(out, algorithm.octets, algorithm.len);
	out += algorithm.len;
	memcpy(out, time_and_id, TSIG_TIME_LEN + 2);
	octets_put_u16(out + 8, 0); /* no MAC */
	octets_put_u16(out + 10, message->id);
	octets_put_u16(out + 12, TSIG_BADKEY);
	octets_put_u16(out + 14, 0);
	struct message without_edns = *message;
	without_edns.has_edns =
		false; /* TSIG is the last record, so the OPT would have to stand before it */
	finish(answerer, request, &without_edns, RCODE_NOTAUTH, 0, counts, end + len);
}

/* Everything that message_parse_fast() says no to. The same zones, the same respond_to(). */
static COLD void answer_item(
	struct answerer *answerer, struct item *item, const struct zone_set *zones)
{
	struct request *request = item->request;
	struct message *message = &item->message;

	count_one(&answerer->counters.full_path);
	switch (message_parse(request->octets, request->len, message)) {
	case MESSAGE_DROP:
		request->answer_len = 0;
		return;
	case MESSAGE_FORMERR:
		/* An opcode that is not known is said before what its message should look like, RFC 1035 sec 4.1.1. */
		finish_bare(answerer, request, message,
			(message->flags & WIRE_OPCODE_MASK) != 0 ? RCODE_NOTIMP : RCODE_FORMERR);
		return;
	case MESSAGE_OK:
		break;
	}
	if ((message->flags & WIRE_OPCODE_MASK) != 0) {
		finish_bare(answerer, request, message, RCODE_NOTIMP);
		return;
	}
	if (message->tsig_at != 0) {
		finish_tsig(answerer, request, message);
		return;
	}
	enum wire_rcode rcode = check_question(message);
	if (rcode == RCODE_NOERROR && zones == NULL && answerer->config.leave_foreign) {
		request->foreign = true;
		return;
	}
	if (rcode != RCODE_NOERROR || zones == NULL) {
		finish_bare(
			answerer, request, message, rcode != RCODE_NOERROR ? rcode : RCODE_REFUSED);
		return;
	}
	link_from_question(&item->link, zone_set_key(zones), request->octets, message);
	const struct zone *zone = respond_zone(zones, &item->link.key, message->qtype);
	if (zone == NULL && answerer->config.leave_foreign) {
		request->foreign = true;
		return;
	}
	answer_question(answerer, request, message, &item->link, zones, zone);
}

/* Stage one. */
static inline void read_query(
	struct item *item, struct request *request, const struct zone_set *zones)
{
	item->request = request;
	item->image = NULL;
	item->node = 0;
	item->is_fast = zones != NULL &&
			message_parse_fast(request->octets, request->len, &item->message) &&
			check_question(&item->message) == RCODE_NOERROR;
	if (UNLIKELY(!item->is_fast)) {
		return;
	}
	link_from_question(&item->link, &zones->key, request->octets, &item->message);
	item->zone = respond_zone(zones, &item->link.key, item->message.qtype);
	item->image = item->zone == NULL ? NULL : publish_get(&item->zone->image);
	if (LIKELY(item->image != NULL)) {
		uint32_t labels = image_first_probe(item->image, item->link.key.label_count);
		image_prefetch_bucket(item->image, item->link.key.hashes[labels]);
	}
}

/* Stage two. */
static inline void probe(struct item *item)
{
	if (item->image != NULL) {
		uint32_t labels = image_first_probe(item->image, item->link.key.label_count);
		item->node = image_candidate(item->image, item->link.key.hashes[labels]);
		if (item->node != 0) {
			__builtin_prefetch(image_node(item->image, item->node));
		}
	}
}

/* Stage three. */
static inline void aim(struct item *item)
{
	if (item->node == 0) {
		return;
	}
	const struct image_node *node = image_node(item->image, item->node);
	uint16_t type = (node->flags & IMAGE_NODE_CUT) != 0 ? RRTYPE_NS : item->message.qtype;
	uint32_t block = image_node_set(node, type);
	if (block != 0) {
		const uint8_t *at = (const uint8_t *)image_block(item->image, block);
		__builtin_prefetch(at);
		__builtin_prefetch(at + CACHE_LINE);
	}
}

/* Up to ANSWER_GROUP requests, all through one stage after the other. */
static inline void answer_group(struct answerer *answerer, const struct zone_set *zones,
	struct request *requests, uint32_t count)
{
	struct item *items = answerer->items;

	for (uint32_t i = 0; i < count; i++) {
		read_query(&items[i], &requests[i], zones);
	}
	for (uint32_t i = 0; i < count; i++) {
		probe(&items[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		aim(&items[i]);
	}
	for (uint32_t i = 0; i < count; i++) {
		struct item *item = &items[i];
		count_one(&answerer->counters.queries);
		if (LIKELY(item->is_fast)) {
			if (item->zone == NULL && answerer->config.leave_foreign) {
				item->request->foreign = true;
				continue;
			}
			answer_question(answerer, item->request, &item->message, &item->link, zones,
				item->zone);
		} else {
			answer_item(answerer, item, zones);
		}
		if (item->request->answer_len == 0 && !item->request->foreign) {
			count_one(&answerer->counters.dropped);
		}
	}
}

HOT void answer_batch(
	struct answerer *answerer, struct request *requests, uint32_t count, struct now now)
{
	const struct zone_set *zones = publish_get(answerer->zones);

	(void)now; /* no answer depends on the time yet */
	DASSERT(count <= ANSWER_BATCH_MAX);
	if (answerer->config.leave_foreign && (zones == NULL || zones->count == 0)) {
		for (uint32_t i = 0; i < count; i++) {
			requests[i].foreign = true;
		}
		return;
	}
	for (uint32_t done = 0; done < count; done += ANSWER_GROUP) {
		uint32_t left = count - done;
		answer_group(answerer, zones, requests + done,
			left < ANSWER_GROUP ? left : ANSWER_GROUP);
	}
}

void answer_refuse(struct answerer *answerer, struct request *request)
{
	struct message *message = &answerer->items[0].message;

	if (message_parse(request->octets, request->len, message) == MESSAGE_OK) {
		finish_bare(answerer, request, message, RCODE_REFUSED);
	}
}

void answer_full(struct answerer *answerer, struct request *request, struct now now)
{
	struct item *item = &answerer->items[0];

	(void)now;
	item->request = request;
	count_one(&answerer->counters.queries);
	answer_item(answerer, item, publish_get(answerer->zones));
	if (request->answer_len == 0) {
		count_one(&answerer->counters.dropped);
	}
}
