/* svcb.c - checking SVCB parameters. */
#include "wire/svcb.h"

#include <stdbool.h>

#include "base/octets.h"

/* RFC 9460 sec 8: keys ascend, and `mandatory` does not list itself. */
static enum wire_status check_mandatory(const uint8_t *value, uint32_t len)
{
	int32_t before = SVCB_MANDATORY;

	if (len == 0 || len % 2 != 0) {
		return WIRE_VALUE;
	}
	for (uint32_t off = 0; off < len; off += 2) {
		int32_t key = octets_get_u16(value + off);
		if (key <= before) {
			return WIRE_VALUE;
		}
		before = key;
	}
	return WIRE_OK;
}

/* RFC 9460 sec 7.1.1: at least one identifier, none empty, lengths that fill the value exactly. */
static enum wire_status check_alpn(const uint8_t *value, uint32_t len)
{
	uint32_t off = 0;

	if (len == 0) {
		return WIRE_VALUE;
	}
	while (off < len) {
		uint32_t id_len = value[off];
		if (id_len == 0 || id_len > len - off - 1) {
			return WIRE_VALUE;
		}
		off += id_len + 1;
	}
	return WIRE_OK;
}

enum wire_status svcb_check_value(uint16_t key, const uint8_t *value, uint32_t len)
{
	bool good;

	switch (key) {
	case SVCB_MANDATORY:
		return check_mandatory(value, len);
	case SVCB_ALPN:
		return check_alpn(value, len);
	case SVCB_NO_DEFAULT_ALPN:
	case SVCB_OHTTP:
		good = len == 0;
		break;
	case SVCB_PORT:
		good = len == 2;
		break;
	case SVCB_IPV4HINT:
		good = len > 0 && len % 4 == 0;
		break;
	case SVCB_IPV6HINT:
		good = len > 0 && len % 16 == 0;
		break;
	case SVCB_DOHPATH:
		good = len > 0;
		break;
	default:
		good = true;
	}
	return good ? WIRE_OK : WIRE_VALUE;
}

/* Every key that `mandatory` lists is there: both ascend, so one pass over each is enough. */
static bool has_mandatory_keys(
	const uint8_t *octets, uint32_t len, const uint8_t *listed, uint32_t listed_len)
{
	uint32_t off = 0;

	for (uint32_t i = 0; i < listed_len; i += 2) {
		uint16_t want = octets_get_u16(listed + i);
		while (off < len && octets_get_u16(octets + off) < want) {
			off += SVCB_HEAD_LEN + octets_get_u16(octets + off + 2);
		}
		if (off >= len || octets_get_u16(octets + off) != want) {
			return false;
		}
	}
	return true;
}

enum wire_status svcb_check(const uint8_t *octets, uint32_t len)
{
	uint32_t off = 0;
	int32_t key_before = -1;

	while (off < len) {
		if (len - off < SVCB_HEAD_LEN) {
			return WIRE_TRUNCATED;
		}
		uint16_t key = octets_get_u16(octets + off);
		uint32_t value_len = octets_get_u16(octets + off + 2);
		if (value_len > len - off - SVCB_HEAD_LEN) {
			return WIRE_TRUNCATED;
		}
		if (key <= key_before) {
			return WIRE_VALUE;
		}
		enum wire_status status =
			svcb_check_value(key, octets + off + SVCB_HEAD_LEN, value_len);
		if (status != WIRE_OK) {
			return status;
		}
		key_before = key;
		off += SVCB_HEAD_LEN + value_len;
	}
	/* `mandatory` has the lowest key of all, so it stands first. */
	if (len > 0 && octets_get_u16(octets) == SVCB_MANDATORY) {
		uint32_t listed_len = octets_get_u16(octets + 2);
		if (!has_mandatory_keys(octets, len, octets + SVCB_HEAD_LEN, listed_len)) {
			return WIRE_VALUE;
		}
	}
	return WIRE_OK;
}
