/* tcpstreams.c - segments to messages. */
#include "capture/tcpstreams.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/octets.h"
#include "wire/wire.h"

#define BUCKETS     4096u /* a power of two */
#define LENGTH_LEN  2u
#define PARTIAL_MAX (LENGTH_LEN + WIRE_MESSAGE_LEN_MAX)
#define PARTIAL_CAP 512u /* octets to begin with: nearly every query */
#define KEY_LEN     36u  /* two addresses and two ports */

struct segment {
	struct segment *next; /* owns: the next by sequence number */
	uint32_t sequence;
	uint32_t len;
	uint8_t octets[];
};

struct tcpstreams_stream {
	struct tcpstreams_stream *bucket_next;
	struct tcpstreams_stream *newer;
	struct tcpstreams_stream *older;
	struct segment *waiting; /* owns: sorted, may overlap */
	uint8_t *partial;        /* owns: a message that is not whole, with its length */
	uint32_t partial_len;
	uint32_t partial_cap;
	uint32_t waiting_count;
	uint32_t waiting_len;
	uint32_t next;  /* sequence number of the first octet that was not seen */
	bool is_synced; /* the next octet begins a message, or goes on with partial */
	bool is_lost;   /* given up: its segments are passed over */
	uint8_t key[KEY_LEN];
};

static void make_key(const struct packet *packet, uint8_t key[KEY_LEN])
{
	memcpy(key, packet->from.octets, 16);
	memcpy(key + 16, packet->to.octets, 16);
	octets_put_u16(key + 32, packet->from.port);
	octets_put_u16(key + 34, packet->to.port);
}

static uint32_t bucket_of(const uint8_t key[KEY_LEN])
{
	/* Whoever chooses addresses that collide makes his own capture slow to read, and nothing else. */
	static const struct hash_key fixed = {{0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u}};

	return (uint32_t)hash_octets(&fixed, hash_root(&fixed), key, KEY_LEN) % BUCKETS;
}

/* Signed distance from a to b, which wraps (RFC 9293 sec 3.4). */
static int32_t distance(uint32_t a, uint32_t b)
{
	return (int32_t)(b - a);
}

enum status tcpstreams_init(struct tcpstreams *streams)
{
	memset(streams, 0, sizeof(*streams));
	streams->buckets = calloc(BUCKETS, sizeof(struct tcpstreams_stream *));
	return streams->buckets == NULL ? STATUS_MEMORY : STATUS_OK;
}

static void drop_waiting(struct tcpstreams_stream *stream)
{
	while (stream->waiting != NULL) {
		struct segment *next = stream->waiting->next;
		free(stream->waiting);
		stream->waiting = next;
	}
	stream->waiting_count = 0;
	stream->waiting_len = 0;
}

/* Octets that it keeps for later. */
static uint32_t held(const struct tcpstreams_stream *stream)
{
	return stream->partial_cap + stream->waiting_len;
}

static void unlink_age(struct tcpstreams *streams, struct tcpstreams_stream *stream)
{
	if (stream->newer != NULL) {
		stream->newer->older = stream->older;
	} else {
		streams->recent = stream->older;
	}
	if (stream->older != NULL) {
		stream->older->newer = stream->newer;
	} else {
		streams->stale = stream->newer;
	}
}

static void link_newest(struct tcpstreams *streams, struct tcpstreams_stream *stream)
{
	stream->newer = NULL;
	stream->older = streams->recent;
	if (streams->recent != NULL) {
		streams->recent->newer = stream;
	} else {
		streams->stale = stream;
	}
	streams->recent = stream;
}

static void remove_stream(struct tcpstreams *streams, struct tcpstreams_stream *stream)
{
	struct tcpstreams_stream **at = &streams->buckets[bucket_of(stream->key)];

	while (*at != stream) {
		at = &(*at)->bucket_next;
	}
	*at = stream->bucket_next;
	unlink_age(streams, stream);
	streams->held_len -= held(stream);
	drop_waiting(stream);
	free(stream->partial);
	free(stream);
	streams->count--;
}

void tcpstreams_fini(struct tcpstreams *streams)
{
	while (streams->recent != NULL) {
		remove_stream(streams, streams->recent);
	}
	free(streams->buckets);
	streams->buckets = NULL;
}

static struct tcpstreams_stream *find(struct tcpstreams *streams, const uint8_t key[KEY_LEN])
{
	struct tcpstreams_stream *stream = streams->buckets[bucket_of(key)];

	while (stream != NULL && memcmp(stream->key, key, KEY_LEN) != 0) {
		stream = stream->bucket_next;
	}
	return stream;
}

static struct tcpstreams_stream *add_stream(struct tcpstreams *streams, const uint8_t key[KEY_LEN])
{
	if (streams->count == TCPSTREAMS_MAX) {
		remove_stream(streams, streams->stale);
	}
	struct tcpstreams_stream *stream = calloc(1, sizeof(*stream));
	if (stream == NULL) {
		return NULL;
	}
	struct tcpstreams_stream **bucket = &streams->buckets[bucket_of(key)];
	memcpy(stream->key, key, KEY_LEN);
	stream->bucket_next = *bucket;
	*bucket = stream;
	link_newest(streams, stream);
	streams->count++;
	return stream;
}

static void give_up(struct tcpstreams *streams, struct tcpstreams_stream *stream)
{
	stream->is_lost = true;
	streams->given_up_count++;
	drop_waiting(stream);
	free(stream->partial);
	stream->partial = NULL;
	stream->partial_len = stream->partial_cap = 0;
}

/* Can these octets be a length and the header of a query? QR and opcode zero, one question (RFC 1035 sec 4.1.1). */
static bool looks_like_start(const uint8_t *octets, uint32_t len)
{
	return len >= LENGTH_LEN + WIRE_HEADER_LEN && octets_get_u16(octets) > WIRE_HEADER_LEN &&
	       (octets[4] & 0xf8u) == 0 && octets_get_u16(octets + 6) == 1;
}

static enum status keep_partial(
	struct tcpstreams_stream *stream, const uint8_t *octets, uint32_t len)
{
	uint32_t need = stream->partial_len + len;

	if (need > stream->partial_cap) {
		uint32_t cap = stream->partial_cap == 0 ? PARTIAL_CAP : stream->partial_cap;
		while (cap < need) {
			cap *= 2;
		}
		uint8_t *grown = realloc(stream->partial, cap);
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		stream->partial = grown;
		stream->partial_cap = cap;
	}
	memcpy(stream->partial + stream->partial_len, octets, len);
	stream->partial_len = need;
	return STATUS_OK;
}

/* Octets in order: completes the partial message, then goes from message to message. */
static enum status deliver(struct tcpstreams_stream *stream, const struct packet *packet,
	const uint8_t *octets, uint32_t len, const struct tcpstreams_sink *sink)
{
	while (len != 0) {
		uint8_t head[LENGTH_LEN] = {0};
		uint32_t had = stream->partial_len;
		uint32_t known = had < LENGTH_LEN ? had : LENGTH_LEN;
		uint32_t more = len < LENGTH_LEN - known ? len : LENGTH_LEN - known;
		memcpy(head, stream->partial == NULL ? head : stream->partial, known);
		memcpy(head + known, octets, more);
		uint32_t whole = LENGTH_LEN + octets_get_u16(head);
		if (known + more < LENGTH_LEN || whole - had > len) {
			return keep_partial(stream, octets, len);
		}
		uint32_t take = whole - had;
		enum status status;
		if (had == 0) {
			status = sink->message(
				sink->context, packet, octets + LENGTH_LEN, whole - LENGTH_LEN);
		} else {
			status = keep_partial(stream, octets, take);
			stream->partial_len = 0;
			if (status == STATUS_OK) {
				status = sink->message(sink->context, packet,
					stream->partial + LENGTH_LEN, whole - LENGTH_LEN);
			}
		}
		if (status != STATUS_OK) {
			return status;
		}
		octets += take;
		len -= take;
	}
	return STATUS_OK;
}

/* The part of a segment that was not seen yet; nothing where all of it was. */
static enum status deliver_from(struct tcpstreams_stream *stream, const struct packet *packet,
	uint32_t sequence, const uint8_t *octets, uint32_t len, const struct tcpstreams_sink *sink)
{
	uint32_t seen = stream->next - sequence;

	if (seen >= len) {
		return STATUS_OK;
	}
	stream->next = sequence + len;
	return deliver(stream, packet, octets + seen, len - seen, sink);
}

static enum status wait_for_hole(
	struct tcpstreams *streams, struct tcpstreams_stream *stream, const struct packet *packet)
{
	if (stream->waiting_count == TCPSTREAMS_WAITING_MAX ||
		packet->len > TCPSTREAMS_WAITING_LEN_MAX - stream->waiting_len) {
		give_up(streams, stream);
		return STATUS_OK;
	}
	struct segment *segment = malloc(sizeof(*segment) + packet->len);
	if (segment == NULL) {
		return STATUS_MEMORY;
	}
	segment->sequence = packet->sequence;
	segment->len = packet->len;
	memcpy(segment->octets, packet->payload, packet->len);

	struct segment **at = &stream->waiting;
	while (*at != NULL && distance((*at)->sequence, segment->sequence) >= 0) {
		at = &(*at)->next;
	}
	segment->next = *at;
	*at = segment;
	stream->waiting_count++;
	stream->waiting_len += segment->len;
	return STATUS_OK;
}

static enum status take_waiting(struct tcpstreams_stream *stream, const struct packet *packet,
	const struct tcpstreams_sink *sink)
{
	enum status status = STATUS_OK;

	while (status == STATUS_OK && stream->waiting != NULL &&
		distance(stream->next, stream->waiting->sequence) <= 0) {
		struct segment *segment = stream->waiting;
		stream->waiting = segment->next;
		stream->waiting_count--;
		stream->waiting_len -= segment->len;
		status = deliver_from(
			stream, packet, segment->sequence, segment->octets, segment->len, sink);
		free(segment);
	}
	return status;
}

static enum status take_segment(struct tcpstreams *streams, struct tcpstreams_stream *stream,
	const struct packet *packet, const struct tcpstreams_sink *sink)
{
	if (stream->is_lost || packet->len == 0) {
		return STATUS_OK;
	}
	if (!stream->is_synced) {
		if (!looks_like_start(packet->payload, packet->len)) {
			return STATUS_OK;
		}
		stream->is_synced = true;
		stream->next = packet->sequence;
	}
	if (distance(stream->next, packet->sequence) > 0) {
		return wait_for_hole(streams, stream, packet);
	}
	enum status status =
		deliver_from(stream, packet, packet->sequence, packet->payload, packet->len, sink);
	return status == STATUS_OK ? take_waiting(stream, packet, sink) : status;
}

enum status tcpstreams_add(
	struct tcpstreams *streams, const struct packet *packet, const struct tcpstreams_sink *sink)
{
	uint8_t key[KEY_LEN];

	make_key(packet, key);
	struct tcpstreams_stream *stream = find(streams, key);
	if ((packet->flags & PACKET_SYN) != 0 && stream != NULL &&
		(!stream->is_synced || stream->next != packet->sequence + 1)) {
		remove_stream(streams, stream); /* the ports are used again */
		stream = NULL;
	}
	if (stream == NULL) {
		if ((packet->flags & PACKET_SYN) == 0 && packet->len == 0) {
			return STATUS_OK; /* nothing of it matters yet */
		}
		stream = add_stream(streams, key);
		if (stream == NULL) {
			return STATUS_MEMORY;
		}
	} else {
		unlink_age(streams, stream);
		link_newest(streams, stream);
	}
	uint32_t held_before = held(stream);
	struct packet data = *packet;
	if ((packet->flags & PACKET_SYN) != 0) {
		data.sequence++; /* SYN takes one number; data behind it is TCP Fast Open's */
		stream->is_synced = true;
		stream->next = data.sequence;
	}
	enum status status = take_segment(streams, stream, &data, sink);
	streams->held_len += held(stream);
	streams->held_len -= held_before;
	bool is_over = (packet->flags & PACKET_RST) != 0 ||
		       ((packet->flags & PACKET_FIN) != 0 && stream->waiting == NULL);
	if (status == STATUS_OK && is_over) {
		remove_stream(streams, stream);
	}
	while (streams->held_len > TCPSTREAMS_HELD_MAX) {
		remove_stream(streams, streams->stale);
	}
	return status;
}
