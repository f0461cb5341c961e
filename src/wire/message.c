/* message.c - taking query messages apart, quickly or thoroughly. */
#include "wire/message.h"

#include "base/octets.h"
#include "wire/rrtype.h"

#define QUESTION_FIXED_LEN 4u      /* type and class */
#define RECORD_FIXED_LEN   10u     /* type, class, TTL, RDLENGTH */
#define EDNS_DO            0x8000u /* in the low half of OPT's TTL, RFC 3225 sec 3 */
#define OPTION_FIXED_LEN   4u      /* code and length, RFC 6891 sec 6.1.2 */

/* The QNAME: never compressed, since nothing stands before it. */
static bool parse_qname(const uint8_t *octets, uint32_t len, struct message *out)
{
	uint32_t at = WIRE_HEADER_LEN;
	uint32_t count = 0;

	for (;;) {
		if (at >= len) {
			return false;
		}
		uint32_t head = octets[at];
		uint32_t start = at - WIRE_HEADER_LEN;
		if (head > NAME_LABEL_LEN_MAX || start + head + 1 > NAME_LEN_MAX) {
			return false;
		}
		out->label_at[count] = (uint8_t)start;
		at += head + 1;
		if (head == 0) {
			break;
		}
		count++;
	}
	if (at > len) {
		return false;
	}
	out->label_count = (uint8_t)count;
	out->qname_len = (uint8_t)(at - WIRE_HEADER_LEN);
	return true;
}

/* The options of an OPT record fill it exactly. Which they are is nobody's business yet. */
static bool options_are_whole(const uint8_t *rdata, uint32_t len)
{
	while (len > 0) {
		if (len < OPTION_FIXED_LEN) {
			return false;
		}
		uint32_t take = OPTION_FIXED_LEN + octets_get_u16(rdata + 2);
		if (take > len) {
			return false;
		}
		rdata += take;
		len -= take;
	}
	return true;
}

/* fixed: the ten octets behind an OPT's owner name. */
static void take_opt(const uint8_t *fixed, struct message *out)
{
	uint32_t ttl = octets_get_u32(fixed + 4);

	out->has_edns = true;
	out->edns_udp_len = octets_get_u16(fixed + 2);
	out->edns_version = (uint8_t)(ttl >> 16);
	out->edns_do = (ttl & EDNS_DO) != 0;
}

static void take_header(const uint8_t *octets, struct message *out)
{
	out->id = octets_get_u16(octets);
	out->flags = octets_get_u16(octets + 2);
	out->question_end = 0;
	out->tsig_at = 0;
	out->has_edns = out->edns_do = false;
	out->edns_version = 0;
	out->edns_udp_len = 0;
}

HOT bool message_parse_fast(const uint8_t *octets, uint32_t len, struct message *out)
{
	if (len < WIRE_HEADER_LEN + 1 + QUESTION_FIXED_LEN) {
		return false;
	}
	uint32_t counts = octets_get_u32(octets + 4); /* QDCOUNT, ANCOUNT */
	uint32_t more = octets_get_u32(octets + 8);   /* NSCOUNT, ARCOUNT */
	if (counts != 0x00010000u || more > 1) {
		return false;
	}
	take_header(octets, out);
	if ((out->flags & (WIRE_FLAG_QR | WIRE_OPCODE_MASK)) != 0 ||
		!parse_qname(octets, len, out)) {
		return false;
	}
	uint32_t at = WIRE_HEADER_LEN + out->qname_len;
	if (len - at < QUESTION_FIXED_LEN) {
		return false;
	}
	out->qtype = octets_get_u16(octets + at);
	out->qclass = octets_get_u16(octets + at + 2);
	at += QUESTION_FIXED_LEN;
	out->question_end = (uint16_t)at;
	if (more == 0) {
		return at == len;
	}
	if (len - at < MESSAGE_OPT_LEN || octets[at] != 0 ||
		octets_get_u16(octets + at + 1) != RRTYPE_OPT) {
		return false;
	}
	uint32_t rdlength = octets_get_u16(octets + at + 9);
	if (rdlength != len - at - MESSAGE_OPT_LEN ||
		!options_are_whole(octets + at + MESSAGE_OPT_LEN, rdlength)) {
		return false;
	}
	take_opt(octets + at + 1, out);
	return true;
}

/* One record of a query's sections; OPT and TSIG are noted, the others only have to be whole. */
static bool parse_record(struct reader *msg, bool additional, bool last, struct message *out)
{
	struct name owner;
	uint32_t start = msg->off;

	if (name_parse(msg, &owner) != WIRE_OK || reader_left(msg) < RECORD_FIXED_LEN) {
		return false;
	}
	const uint8_t *fixed = msg->octets + msg->off;
	uint16_t type = octets_get_u16(fixed);
	uint32_t rdlength = octets_get_u16(fixed + 8);
	msg->off += RECORD_FIXED_LEN;
	if (reader_left(msg) < rdlength) {
		return false;
	}
	const uint8_t *rdata = msg->octets + msg->off;
	msg->off += rdlength;
	if (type == RRTYPE_OPT) {
		/* RFC 6891 sec 6.1.1: at most one, in the additional section; its owner is the root itself. */
		if (!additional || out->has_edns || msg->octets[start] != 0 ||
			!options_are_whole(rdata, rdlength)) {
			return false;
		}
		take_opt(fixed, out);
	}
	if (type == RRTYPE_TSIG) {
		if (!additional || !last) { /* RFC 8945 sec 5.1: FORMERR elsewhere */
			return false;
		}
		out->tsig_at = (uint16_t)start;
	}
	return true;
}

enum message_status message_parse(const uint8_t *octets, uint32_t len, struct message *out)
{
	if (len < WIRE_HEADER_LEN) {
		return MESSAGE_DROP;
	}
	take_header(octets, out);
	if ((out->flags & WIRE_FLAG_QR) != 0) {
		return MESSAGE_DROP;
	}
	/* RFC 9619 sec 4: a query has one question. */
	if (octets_get_u16(octets + 4) != 1 || !parse_qname(octets, len, out)) {
		return MESSAGE_FORMERR;
	}
	struct reader msg = {.octets = octets, .len = len, .off = WIRE_HEADER_LEN + out->qname_len};
	if (!reader_u16(&msg, &out->qtype) || !reader_u16(&msg, &out->qclass)) {
		return MESSAGE_FORMERR;
	}
	out->question_end = (uint16_t)msg.off;
	uint32_t plain = (uint32_t)octets_get_u16(octets + 6) + octets_get_u16(octets + 8);
	uint32_t additional = octets_get_u16(octets + 10);
	for (uint32_t i = 0; i < plain + additional; i++) {
		if (!parse_record(&msg, i >= plain, i + 1 == plain + additional, out)) {
			return MESSAGE_FORMERR;
		}
	}
	return msg.off == len ? MESSAGE_OK : MESSAGE_FORMERR;
}
