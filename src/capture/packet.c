/* packet.c - headers, one inside the other. */
#include "capture/packet.h"

#include <string.h>

#include "base/reader.h"

#define ETHERTYPE_IPV4   0x0800u
#define ETHERTYPE_IPV6   0x86ddu
#define ETHERTYPE_VLAN   0x8100u /* IEEE 802.1Q */
#define ETHERTYPE_QINQ   0x88a8u /* IEEE 802.1ad */
#define ETHERTYPE_QINQ_1 0x9100u /* what was used before it */
#define MAC_PAIR_LEN     12u
#define SLL_TYPE_AT      14u /* octets before the ethertype */
#define SLL2_SKIP        18u /* octets between the ethertype and the packet */
#define LOOPBACK_LEN     4u

#define IPV4_LEN_MIN 20u
#define IPV4_MORE    0x2000u
#define IPV4_OFFSET  0x1fffu
#define IPV6_LEN     40u
#define IPV6_MORE    0x0001u
#define IPV6_OFFSET  0xfff8u
#define FRAGMENT_LEN 8u
#define EXTENSIONS_MAX                                                                             \
	8u /* RFC 8200 sec 4.1 names six, one of them twice; more is a riddle, not a query */

/* source: IANA "Assigned Internet Protocol Numbers" */
#define PROTOCOL_HOPOPTS  0u
#define PROTOCOL_TCP      6u
#define PROTOCOL_UDP      17u
#define PROTOCOL_ROUTING  43u
#define PROTOCOL_FRAGMENT 44u
#define PROTOCOL_AUTH     51u
#define PROTOCOL_DSTOPTS  60u

#define UDP_LEN     8u
#define TCP_LEN_MIN 20u

static const uint8_t *here(const struct reader *reader)
{
	return reader->octets + reader->off;
}

static enum packet_kind parse_udp(struct reader *reader, struct packet *out)
{
	uint16_t len;

	if (!reader_u16(reader, &out->from.port) || !reader_u16(reader, &out->to.port) ||
		!reader_u16(reader, &len) || !reader_skip(reader, 2)) {
		return PACKET_CUT;
	}
	if (len < UDP_LEN) {
		return PACKET_OTHER;
	}
	if (len - UDP_LEN > reader_left(reader)) {
		return PACKET_CUT;
	}
	out->payload = here(reader);
	out->len = len - UDP_LEN;
	return PACKET_UDP;
}

static enum packet_kind parse_tcp(struct reader *reader, struct packet *out)
{
	uint8_t offset;

	if (!reader_u16(reader, &out->from.port) || !reader_u16(reader, &out->to.port) ||
		!reader_u32(reader, &out->sequence) || !reader_skip(reader, 4) ||
		!reader_u8(reader, &offset) || !reader_u8(reader, &out->flags)) {
		return PACKET_CUT;
	}
	uint32_t head = (uint32_t)(offset >> 4) * 4;
	if (head < TCP_LEN_MIN) {
		return PACKET_OTHER;
	}
	if (!reader_skip(reader, head - reader->off)) {
		return PACKET_CUT;
	}
	out->payload = here(reader);
	out->len = reader_left(reader);
	return PACKET_TCP;
}

enum packet_kind packet_parse_transport(const uint8_t *octets, uint32_t len, struct packet *out)
{
	struct reader reader = {.octets = octets, .len = len};

	switch (out->protocol) {
	case PROTOCOL_UDP:
		return parse_udp(&reader, out);
	case PROTOCOL_TCP:
		return parse_tcp(&reader, out);
	default:
		return PACKET_OTHER;
	}
}

/* What IP carries: a whole datagram or a piece of one. is_cut: the capture did not keep all of it. */
static enum packet_kind parse_carried(struct reader *reader, bool is_cut, struct packet *out)
{
	bool is_ours = out->protocol == PROTOCOL_UDP || out->protocol == PROTOCOL_TCP;

	if (!is_ours) {
		return PACKET_OTHER;
	}
	if (is_cut) {
		return PACKET_CUT;
	}
	if (out->has_more || out->offset != 0) {
		out->payload = here(reader);
		out->len = reader_left(reader);
		return PACKET_FRAGMENT;
	}
	return packet_parse_transport(here(reader), reader_left(reader), out);
}

/* The packet ends where IP says, not where the frame does: Ethernet pads short ones. A length of zero is left by
 * cards that cut long segments themselves. */
static bool limit(struct reader *reader, uint32_t end)
{
	if (end > reader->len) {
		return false;
	}
	if (end > reader->off) {
		reader->len = end;
	}
	return true;
}

static enum packet_kind parse_ipv4(struct reader *reader, struct packet *out)
{
	uint32_t start = reader->off;
	uint8_t version;
	uint16_t total, id, fragment;

	if (!reader_u8(reader, &version) || !reader_skip(reader, 1) ||
		!reader_u16(reader, &total) || !reader_u16(reader, &id) ||
		!reader_u16(reader, &fragment) || !reader_skip(reader, 1) ||
		!reader_u8(reader, &out->protocol) || !reader_skip(reader, 2) ||
		reader_left(reader) < 8) {
		return PACKET_OTHER;
	}
	uint32_t head = (version & 0x0fu) * 4u;
	memcpy(out->from.octets, here(reader), 4);
	memcpy(out->to.octets, here(reader) + 4, 4);
	out->from.family = out->to.family = ADDR_V4;
	out->datagram_id = id;
	out->offset = (fragment & IPV4_OFFSET) * 8u;
	out->has_more = (fragment & IPV4_MORE) != 0;
	if (head < IPV4_LEN_MIN || !reader_skip(reader, head - (reader->off - start))) {
		return PACKET_OTHER;
	}
	bool is_cut = !limit(reader, start + total);
	return parse_carried(reader, is_cut, out);
}

/* Goes over the extension headers to what is carried; false where they do not end well. */
static bool skip_extensions(struct reader *reader, struct packet *out)
{
	for (uint32_t i = 0; i < EXTENSIONS_MAX; i++) {
		uint8_t next, len;
		uint16_t offset;

		switch (out->protocol) {
		case PROTOCOL_HOPOPTS:
		case PROTOCOL_ROUTING:
		case PROTOCOL_DSTOPTS:
			if (!reader_u8(reader, &next) || !reader_u8(reader, &len) ||
				!reader_skip(reader, 6 + 8u * len)) {
				return false;
			}
			break;
		case PROTOCOL_AUTH:
			if (!reader_u8(reader, &next) || !reader_u8(reader, &len) ||
				!reader_skip(reader, 6 + 4u * len)) {
				return false;
			}
			break;
		case PROTOCOL_FRAGMENT:
			if (!reader_u8(reader, &next) || !reader_skip(reader, 1) ||
				!reader_u16(reader, &offset) ||
				!reader_u32(reader, &out->datagram_id)) {
				return false;
			}
			out->offset = offset & IPV6_OFFSET;
			out->has_more = (offset & IPV6_MORE) != 0;
			out->protocol = next;
			/* What follows a later fragment is no header. */
			return true;
		default:
			return true;
		}
		out->protocol = next;
	}
	return false;
}

static enum packet_kind parse_ipv6(struct reader *reader, struct packet *out)
{
	uint32_t start = reader->off;
	uint16_t len;

	if (!reader_skip(reader, 4) || !reader_u16(reader, &len) ||
		!reader_u8(reader, &out->protocol) || !reader_skip(reader, 1) ||
		reader_left(reader) < 32) {
		return PACKET_OTHER;
	}
	memcpy(out->from.octets, here(reader), 16);
	memcpy(out->to.octets, here(reader) + 16, 16);
	out->from.family = out->to.family = ADDR_V6;
	if (!reader_skip(reader, 32)) {
		return PACKET_OTHER;
	}
	bool is_cut = !limit(reader, start + IPV6_LEN + len);
	if (!skip_extensions(reader, out)) {
		return is_cut ? PACKET_CUT : PACKET_OTHER;
	}
	return parse_carried(reader, is_cut, out);
}

static enum packet_kind parse_ip(struct reader *reader, struct packet *out)
{
	uint32_t version = reader_left(reader) == 0 ? 0 : *here(reader) >> 4;

	return version == 4   ? parse_ipv4(reader, out)
	       : version == 6 ? parse_ipv6(reader, out)
			      : PACKET_OTHER;
}

static bool is_vlan(uint16_t type)
{
	return type == ETHERTYPE_VLAN || type == ETHERTYPE_QINQ || type == ETHERTYPE_QINQ_1;
}

/* The ethertype comes next, and skip octets behind it what it speaks of. */
static enum packet_kind parse_typed(struct reader *reader, uint32_t skip, struct packet *out)
{
	uint16_t type;

	if (!reader_u16(reader, &type) || !reader_skip(reader, skip)) {
		return PACKET_OTHER;
	}
	while (is_vlan(type)) {
		if (!reader_skip(reader, 2) || !reader_u16(reader, &type)) {
			return PACKET_OTHER;
		}
	}
	return type == ETHERTYPE_IPV4 || type == ETHERTYPE_IPV6 ? parse_ip(reader, out)
								: PACKET_OTHER;
}

enum packet_kind packet_parse(const struct frame *frame, struct packet *out)
{
	struct reader reader = {.octets = frame->octets, .len = frame->len};
	uint32_t head = 0;

	memset(out, 0, sizeof(*out));
	switch (frame->link) {
	case FRAME_ETHERNET:
		return reader_skip(&reader, MAC_PAIR_LEN) ? parse_typed(&reader, 0, out)
							  : PACKET_OTHER;
	case FRAME_SLL:
		return reader_skip(&reader, SLL_TYPE_AT) ? parse_typed(&reader, 0, out)
							 : PACKET_OTHER;
	case FRAME_SLL2:
		return parse_typed(&reader, SLL2_SKIP, out);
	case FRAME_NULL:
	case FRAME_LOOP:
		head = LOOPBACK_LEN;
		break;
	case FRAME_RAW:
	case FRAME_RAW_BSD:
	case FRAME_RAW_OPENBSD:
	case FRAME_IPV4:
	case FRAME_IPV6:
		break;
	default:
		return PACKET_LINK;
	}
	/* The family before a loopback packet differs from system to system; the IP header says it as well. */
	return reader_skip(&reader, head) ? parse_ip(&reader, out) : PACKET_OTHER;
}
