/* dnstap.c - frames to messages. */
#include "capture/dnstap.h"

#include <string.h>

#include "base/now.h"
#include "base/octets.h"
#include "capture/intake.h"
#include "capture/offer.h"
#include "capture/protobuf.h"

#define CONTROL_START 2u
#define CONTROL_MAX   512u /* FSTRM_CONTROL_FRAME_LENGTH_MAX */
#define FRAME_MAX                                                                                  \
	(1u << 19)      /* octets: a query and a response of 65,535 and all other fields fit well */
#define CONTENT_TYPE 1u /* field of a control frame */

static const char content_type[] = "protobuf:dnstap.Dnstap";

enum dnstap_field { DNSTAP_MESSAGE = 14, DNSTAP_KIND = 15 };
#define KIND_MESSAGE 1u

enum message_field {
	FIELD_TYPE = 1,
	FIELD_PROTOCOL = 3,
	FIELD_ADDRESS = 4,
	FIELD_PORT = 6,
	FIELD_TIME_S = 8,
	FIELD_TIME_NS = 9,
	FIELD_QUERY = 10
};

/* Message types are odd for queries: AUTH 1, RESOLVER 3, CLIENT 5, FORWARDER 7, STUB 9, TOOL 11, UPDATE 13. */
#define TYPE_MAX 14u
static const bool is_received[TYPE_MAX + 1] = {[1] = true, [5] = true};

/* SocketProtocol of dnstap.proto; index 0 is none. */
static const enum capture_transport transports[] = {CAPTURE_UDP, CAPTURE_UDP, CAPTURE_TCP,
	CAPTURE_TLS, CAPTURE_HTTPS, CAPTURE_DNSCRYPT, CAPTURE_DNSCRYPT, CAPTURE_QUIC};

struct event {
	uint64_t type;
	uint64_t protocol;
	uint64_t port;
	uint64_t time_s;
	uint32_t time_ns;
	struct protobuf_field address; /* len 0: absent */
	struct protobuf_field query;   /* ditto */
};

bool dnstap_is(const uint8_t *octets)
{
	return octets_get_u32(octets) == 0 && octets_get_u32(octets + 4) <= CONTROL_MAX &&
	       octets_get_u32(octets + 8) == CONTROL_START;
}

static bool read_event(const struct protobuf_field *message, struct event *out)
{
	struct reader reader = {.octets = message->octets, .len = message->len};
	struct protobuf_field field;

	memset(out, 0, sizeof(*out));
	while (reader_left(&reader) != 0) {
		if (!protobuf_next(&reader, &field)) {
			return false;
		}
		switch (field.number) {
		case FIELD_TYPE:
			out->type = field.value;
			break;
		case FIELD_PROTOCOL:
			out->protocol = field.value;
			break;
		case FIELD_ADDRESS:
			out->address = field;
			break;
		case FIELD_PORT:
			out->port = field.value;
			break;
		case FIELD_TIME_S:
			out->time_s = field.value;
			break;
		case FIELD_TIME_NS:
			out->time_ns = (uint32_t)field.value;
			break;
		case FIELD_QUERY:
			out->query = field;
			break;
		default:
			break;
		}
	}
	return true;
}

static struct addr client_of(const struct event *event)
{
	struct addr client = {.family = ADDR_NONE};

	if (event->address.len == 4 || event->address.len == 16) {
		memcpy(client.octets, event->address.octets, event->address.len);
		client.family = event->address.len == 4 ? ADDR_V4 : ADDR_V6;
		client.port = event->port <= UINT16_MAX ? (uint16_t)event->port : 0;
	}
	return client;
}

static enum status take_event(struct offer *offer, const struct event *event)
{
	struct capture_counts *counts = offer->counts;

	if (event->type == 0 || event->type > TYPE_MAX) {
		counts->other++;
	} else if (event->type % 2 == 0) {
		counts->responses++;
	} else if (is_received[event->type] == offer->options->upstream) {
		counts->elsewhere++;
	} else if (event->query.len == 0) {
		counts->cut++;
	} else {
		bool is_known = event->protocol < sizeof(transports) / sizeof(transports[0]);
		struct capture_query query = {
			.time_ns = event->time_s * NOW_NS_A_SECOND + event->time_ns,
			.client = client_of(event),
			.transport = is_known ? transports[event->protocol] : CAPTURE_UDP,
			.octets = event->query.octets,
			.len = event->query.len};
		return offer_message(offer, &query);
	}
	return STATUS_OK;
}

static enum status take_frame(struct offer *offer, const uint8_t *octets, uint32_t len)
{
	struct reader reader = {.octets = octets, .len = len};
	struct protobuf_field field, message = {.len = 0};
	struct event event;
	uint64_t kind = KIND_MESSAGE;
	bool is_good = true;

	offer->counts->records++;
	while (is_good && reader_left(&reader) != 0) {
		is_good = protobuf_next(&reader, &field);
		if (is_good && field.number == DNSTAP_MESSAGE) {
			message = field;
		} else if (is_good && field.number == DNSTAP_KIND) {
			kind = field.value;
		}
	}
	if (!is_good || !read_event(&message, &event)) {
		offer->counts->broken++;
		return STATUS_OK;
	}
	if (kind != KIND_MESSAGE || message.len == 0) {
		offer->counts->other++;
		return STATUS_OK;
	}
	return take_event(offer, &event);
}

/* The fields of a START frame: content types, of which one must be ours where there are any. */
static bool is_content_ours(const uint8_t *octets, uint32_t len)
{
	struct reader reader = {.octets = octets, .len = len};
	uint32_t field, field_len;
	bool has_any = false;

	while (reader_u32(&reader, &field) && reader_u32(&reader, &field_len)) {
		const uint8_t *text = reader.octets + reader.off;
		if (!reader_skip(&reader, field_len)) {
			return false;
		}
		if (field == CONTENT_TYPE) {
			has_any = true;
			if (field_len == sizeof(content_type) - 1 &&
				memcmp(text, content_type, field_len) == 0) {
				return true;
			}
		}
	}
	return !has_any;
}

enum control { CONTROL_GO_ON, CONTROL_ENDS };

/* The escape, four zero octets, was seen and not passed. */
static enum control take_control(struct offer *offer)
{
	struct intake *intake = offer->intake;

	if (!intake_want(intake, 12)) {
		offer_damage(offer, 0, 0, "the file ends inside a control frame");
		return CONTROL_ENDS;
	}
	uint32_t len = octets_get_u32(intake_look(intake) + 4);
	if (len < 4 || len > CONTROL_MAX || !intake_want(intake, 8 + (size_t)len)) {
		offer_damage(offer, 0, 0, "a control frame of an impossible length");
		return CONTROL_ENDS;
	}
	uint32_t type = octets_get_u32(intake_look(intake) + 8);
	const uint8_t *fields = intake_look(intake) + 12;
	intake->at += 8 + len;
	if (type == CONTROL_START && !is_content_ours(fields, len - 4)) {
		offer_damage(offer, 0, 0,
			"frames of another content type (expected protobuf:dnstap.Dnstap)");
		return CONTROL_ENDS;
	}
	return CONTROL_GO_ON; /* behind a STOP another stream may begin: files are concatenated */
}

enum status dnstap_read(struct offer *offer)
{
	struct intake *intake = offer->intake;
	enum status status = STATUS_OK;

	while (status == STATUS_OK && intake_want(intake, 4)) {
		uint32_t len = octets_get_u32(intake_look(intake));
		if (len == 0) {
			if (take_control(offer) == CONTROL_ENDS) {
				return STATUS_OK;
			}
			continue;
		}
		if (len > FRAME_MAX) {
			offer_damage(offer, 0, 0, "a frame of more than 524288 octets");
			return STATUS_OK;
		}
		if (!intake_want(intake, 4 + (size_t)len)) {
			offer_damage(offer, 0, 0, "the file ends inside a frame");
			return STATUS_OK;
		}
		const uint8_t *octets = intake_look(intake) + 4;
		intake->at += 4 + len;
		status = take_frame(offer, octets, len);
	}
	if (status == STATUS_OK && intake_left(intake) != 0) {
		offer_damage(offer, 0, 0, "the file ends inside the length of a frame");
	}
	return status;
}
