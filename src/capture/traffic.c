/* traffic.c - from frames to messages. */
#include "capture/traffic.h"

#include <stdlib.h>

#include "capture/fragments.h"
#include "capture/offer.h"
#include "capture/packet.h"
#include "capture/pcapfile.h"
#include "capture/pcapng.h"
#include "capture/tcpstreams.h"

struct traffic {
	struct offer *offer; /* borrows: the caller's */
	uint64_t time_ns;    /* of the frame being looked at */
	struct fragments fragments;
	struct tcpstreams streams;
	uint64_t unread_link_count;
	uint32_t unread_link;
};

static enum status take_message(
	void *context, const struct packet *packet, const uint8_t *octets, uint32_t len)
{
	struct traffic *traffic = context;
	struct capture_query query = {.time_ns = traffic->time_ns,
		.client = packet->from,
		.transport = CAPTURE_TCP,
		.octets = octets,
		.len = len};

	return offer_message(traffic->offer, &query);
}

static bool is_wanted(const struct traffic *traffic, const struct packet *packet)
{
	uint16_t port = traffic->offer->options->port;

	return port == 0 || packet->to.port == port;
}

/* What comes from the port that queries go to is a response, or the server's part of a connection. */
static void count_unwanted(struct traffic *traffic, const struct packet *packet)
{
	if (packet->from.port == traffic->offer->options->port) {
		traffic->offer->counts->responses++;
	} else {
		traffic->offer->counts->elsewhere++;
	}
}

static enum status take_packet(
	struct traffic *traffic, enum packet_kind kind, const struct packet *packet)
{
	struct tcpstreams_sink sink = {.message = take_message, .context = traffic};
	struct capture_query query = {.time_ns = traffic->time_ns,
		.client = packet->from,
		.transport = CAPTURE_UDP,
		.octets = packet->payload,
		.len = packet->len};
	const uint8_t *whole;
	uint32_t whole_len;

	switch (kind) {
	case PACKET_UDP:
		if (!is_wanted(traffic, packet)) {
			count_unwanted(traffic, packet);
			return STATUS_OK;
		}
		return offer_message(traffic->offer, &query);
	case PACKET_TCP:
		if (!is_wanted(traffic, packet)) {
			count_unwanted(traffic, packet);
			return STATUS_OK;
		}
		return tcpstreams_add(&traffic->streams, packet, &sink);
	case PACKET_FRAGMENT: {
		enum status status = fragments_add(&traffic->fragments, packet, &whole, &whole_len);
		if (status != STATUS_OK || whole == NULL) {
			return status;
		}
		struct packet inner = *packet;
		return take_packet(
			traffic, packet_parse_transport(whole, whole_len, &inner), &inner);
	}
	case PACKET_CUT:
		traffic->offer->counts->cut++;
		return STATUS_OK;
	case PACKET_LINK:
		traffic->unread_link_count++;
		traffic->offer->counts->other++;
		return STATUS_OK;
	case PACKET_OTHER:
		traffic->offer->counts->other++;
		return STATUS_OK;
	}
	return STATUS_OK;
}

static enum status take_frame(struct traffic *traffic, const struct frame *frame)
{
	struct packet packet;

	traffic->offer->counts->records++;
	traffic->time_ns = frame->time_ns;
	enum packet_kind kind = packet_parse(frame, &packet);
	if (kind == PACKET_LINK) {
		traffic->unread_link = frame->link;
	}
	return take_packet(traffic, kind, &packet);
}

static enum status init(struct traffic *traffic, struct offer *offer)
{
	*traffic = (struct traffic){.offer = offer};
	fragments_init(&traffic->fragments);
	return tcpstreams_init(&traffic->streams);
}

static void finish(struct traffic *traffic)
{
	struct offer *offer = traffic->offer;

	offer->counts->cut += traffic->fragments.given_up_count + traffic->streams.given_up_count;
	if (traffic->unread_link_count != 0) {
		diag_report(&offer->sink->diag, DIAG_WARNING, offer->name, 0, 0,
			"%llu packets of link type %u, which is not read (expected Ethernet, raw "
			"IP, Linux cooked or loopback)",
			(unsigned long long)traffic->unread_link_count, traffic->unread_link);
	}
	fragments_fini(&traffic->fragments);
	tcpstreams_fini(&traffic->streams);
}

enum status traffic_read_pcap(struct offer *offer)
{
	struct traffic traffic;
	struct pcapfile file;
	struct frame frame;
	enum status status = init(&traffic, offer);

	if (status != STATUS_OK) {
		return status;
	}
	enum frame_status got = pcapfile_open(&file, offer->intake);
	while (got == FRAME_OK && status == STATUS_OK &&
		(got = pcapfile_next(&file, &frame)) == FRAME_OK) {
		status = take_frame(&traffic, &frame);
	}
	if (got == FRAME_BROKEN) {
		offer_damage(offer, 0, 0, file.why);
	}
	finish(&traffic);
	return status;
}

enum status traffic_read_pcapng(struct offer *offer)
{
	struct traffic traffic;
	struct pcapng file;
	struct frame frame;
	enum frame_status got = FRAME_OK;
	enum status status = init(&traffic, offer);

	if (status != STATUS_OK) {
		return status;
	}
	pcapng_open(&file, offer->intake);
	while (status == STATUS_OK && (got = pcapng_next(&file, &frame)) == FRAME_OK) {
		status = take_frame(&traffic, &frame);
	}
	if (got == FRAME_BROKEN) {
		offer_damage(offer, 0, 0, file.why);
	}
	finish(&traffic);
	return status;
}
