/* octets.h - integers in network order, at any alignment.
 *
 * cost  one load or store and a byte swap each
 */
#ifndef SAKER_BASE_OCTETS_H
#define SAKER_BASE_OCTETS_H

#include <stdint.h>
#include <string.h>

static inline uint16_t octets_get_u16(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return __builtin_bswap16(value);
}

static inline uint32_t octets_get_u32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return __builtin_bswap32(value);
}

static inline void octets_put_u16(uint8_t *at, uint16_t value)
{
	value = __builtin_bswap16(value);
	memcpy(at, &value, sizeof(value));
}

static inline void octets_put_u32(uint8_t *at, uint32_t value)
{
	value = __builtin_bswap32(value);
	memcpy(at, &value, sizeof(value));
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "octets.h swaps for little endian");

#endif
