/* message.h - a query message, taken apart.
 *
 * Two parsers give the same struct: message_parse() reads any message and is the truth;
 * message_parse_fast() reads the shape that nearly all queries have and says no to the rest. A test holds
 * the two against each other.
 *
 * thread  no shared state
 * source  RFC 1035 sec 4.1, RFC 6891 sec 6.1, RFC 8945 sec 5.1
 */
#ifndef SAKER_WIRE_MESSAGE_H
#define SAKER_WIRE_MESSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "wire/name.h"

#define MESSAGE_OPT_LEN 11u /* octets of an OPT record without options, RFC 6891 sec 6.1.2 */

enum message_status {
	MESSAGE_OK = 0,
	MESSAGE_DROP, /* no header, or a response: never answered */
	MESSAGE_FORMERR, /* the header can be answered and no more; question_end tells whether the question can */
};

struct message {
	uint16_t id;
	uint16_t flags; /* octets 2 and 3, enum wire_flag and opcode */
	uint16_t
		question_end; /* offset behind the question; 0: there is none that can be repeated */
	uint16_t qtype, qclass;
	uint8_t label_count; /* of the QNAME, which stands uncompressed at WIRE_HEADER_LEN */
	uint8_t qname_len;   /* with the root label */
	uint8_t label_at[NAME_LABELS_MAX +
			 1]; /* offsets of its labels, the root last, from its own start */
	bool has_edns;
	bool edns_do;
	uint8_t edns_version;
	uint16_t edns_udp_len; /* as the client sent it */
	uint16_t tsig_at;      /* offset of a TSIG record at the end; 0: none */
};

/* message_parse_fast - opcode QUERY, one question, no records but one OPT at the end; false for all else.
 *
 * effect  true: out is what message_parse() would give, with MESSAGE_OK
 * cost    one pass over the QNAME and the options
 */
MUST_USE bool message_parse_fast(const uint8_t *octets, uint32_t len, struct message *out);

/* message_parse - any message.
 *
 * effect  id and flags are set unless MESSAGE_DROP comes back
 * errors  MESSAGE_FORMERR: not exactly one question (opcodes QUERY, NOTIFY, UPDATE), a record that is not
 *         whole, octets left over, two OPT records, an OPT whose owner is not the root, options that do not
 *         fill it, a TSIG that is not the last record
 */
MUST_USE enum message_status message_parse(
	const uint8_t *octets, uint32_t len, struct message *out);

#endif
