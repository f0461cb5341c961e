/* offer.c - is it a query? */
#include "capture/offer.h"

#include "base/octets.h"
#include "wire/message.h"
#include "wire/wire.h"

static bool is_whole(const uint8_t *octets, uint32_t len)
{
	struct message message;

	return message_parse_fast(octets, len, &message) ||
	       message_parse(octets, len, &message) == MESSAGE_OK;
}

enum status offer_message(struct offer *offer, const struct capture_query *query)
{
	struct capture_counts *counts = offer->counts;
	bool has_header = query->len >= WIRE_HEADER_LEN && query->len <= WIRE_MESSAGE_LEN_MAX;
	uint16_t flags = has_header ? octets_get_u16(query->octets + 2) : 0;

	if (has_header && (flags & WIRE_FLAG_QR) != 0) {
		counts->responses++;
	} else if (!has_header || (flags & WIRE_OPCODE_MASK) != 0) {
		counts->other++; /* OPCODE_QUERY is 0; a replay of updates would change zones */
	} else if (!is_whole(query->octets, query->len)) {
		counts->broken++;
	} else {
		counts->queries++;
		return offer->sink->query(offer->sink->context, query);
	}
	return STATUS_OK;
}

void offer_damage(struct offer *offer, uint32_t line, uint32_t column, const char *what)
{
	offer->counts->is_damaged = true;
	if (++offer->complaint_count <= DIAG_ERRORS_MAX) {
		diag_report(&offer->sink->diag, offer->options->strict ? DIAG_ERROR : DIAG_WARNING,
			offer->name, line, column, "%s", what);
	}
}
