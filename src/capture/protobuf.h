/* protobuf.h - the fields of a protocol buffer, one after the other, without knowing its description.
 *
 *     | number << 3 | wire type |   varint      then: a varint, 8 octets, 4 octets, or a length and octets
 *
 * thread  no shared state
 * source  protobuf.dev "Encoding"
 */
#ifndef SAKER_CAPTURE_PROTOBUF_H
#define SAKER_CAPTURE_PROTOBUF_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/reader.h"

struct protobuf_field {
	uint64_t number;
	uint64_t value;        /* of numbers, little endian; else 0 */
	const uint8_t *octets; /* of what has a length; borrows: the reader's. Else NULL */
	uint32_t len;          /* ditto; else 0 */
};

/* protobuf_next - reads one field; false where the octets are none: a cut one, a group, a varint beyond 64 bits. */
MUST_USE bool protobuf_next(struct reader *reader, struct protobuf_field *out);

#endif
