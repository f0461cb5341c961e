/* protobuf.c - varints and wire types. */
#include "capture/protobuf.h"

#define VARINT_LEN_MAX 10u /* octets of 64 bits, seven in each */

enum wire_type { TYPE_VARINT = 0, TYPE_FIXED64 = 1, TYPE_OCTETS = 2, TYPE_FIXED32 = 5 };

static bool read_varint(struct reader *reader, uint64_t *out)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < VARINT_LEN_MAX; i++) {
		uint8_t octet;
		if (!reader_u8(reader, &octet)) {
			return false;
		}
		value |= (uint64_t)(octet & 0x7fu) << (7 * i);
		if ((octet & 0x80u) == 0) {
			*out = value;
			return i + 1 < VARINT_LEN_MAX || octet <= 1;
		}
	}
	return false;
}

static bool read_fixed(struct reader *reader, uint32_t len, uint64_t *out)
{
	uint64_t value = 0;

	for (uint32_t i = 0; i < len; i++) {
		uint8_t octet;
		if (!reader_u8(reader, &octet)) {
			return false;
		}
		value |= (uint64_t)octet << (8 * i);
	}
	*out = value;
	return true;
}

bool protobuf_next(struct reader *reader, struct protobuf_field *out)
{
	uint64_t key, len;

	*out = (struct protobuf_field){.number = 0};
	if (!read_varint(reader, &key) || key >> 3 == 0) {
		return false;
	}
	out->number = key >> 3;
	switch (key & 7u) {
	case TYPE_VARINT:
		return read_varint(reader, &out->value);
	case TYPE_FIXED64:
		return read_fixed(reader, 8, &out->value);
	case TYPE_FIXED32:
		return read_fixed(reader, 4, &out->value);
	case TYPE_OCTETS:
		if (!read_varint(reader, &len) || len > reader_left(reader)) {
			return false;
		}
		out->octets = reader->octets + reader->off;
		out->len = (uint32_t)len;
		return reader_skip(reader, out->len);
	default:
		return false;
	}
}
