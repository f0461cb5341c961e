/* reader.h - a bounds-checked cursor over octets that somebody else owns.
 *
 * invariant  off <= len; octets[0..len) is readable.
 * Every read either succeeds and moves the cursor, or fails and leaves it where it was.
 */
#ifndef SAKER_BASE_READER_H
#define SAKER_BASE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/octets.h"

struct reader {
	const uint8_t *octets; /* borrows: the caller's */
	uint32_t len;
	uint32_t off;
};

static inline bool reader_is_valid(const struct reader *reader)
{
	return reader->off <= reader->len && (reader->octets != NULL || reader->len == 0);
}

/* reader_left - octets that were not read yet. */
static inline uint32_t reader_left(const struct reader *reader)
{
	return reader->len - reader->off;
}

MUST_USE static inline bool reader_u8(struct reader *reader, uint8_t *out)
{
	if (reader_left(reader) < 1) {
		return false;
	}
	*out = reader->octets[reader->off++];
	return true;
}

MUST_USE static inline bool reader_u16(struct reader *reader, uint16_t *out)
{
	if (reader_left(reader) < 2) {
		return false;
	}
	*out = octets_get_u16(reader->octets + reader->off);
	reader->off += 2;
	return true;
}

MUST_USE static inline bool reader_u32(struct reader *reader, uint32_t *out)
{
	if (reader_left(reader) < 4) {
		return false;
	}
	*out = octets_get_u32(reader->octets + reader->off);
	reader->off += 4;
	return true;
}

MUST_USE static inline bool reader_skip(struct reader *reader, uint32_t len)
{
	if (reader_left(reader) < len) {
		return false;
	}
	reader->off += len;
	return true;
}

#endif
