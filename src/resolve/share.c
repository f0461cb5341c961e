/* share.c - two rows of counters. */
#include "resolve/share.h"

#include <string.h>

#include "base/check.h"

#define MAPPED_LEN 12u /* octets of ::ffff:0:0/96, RFC 4291 sec 2.5.5.2 */

void share_init(struct share *share, const uint8_t key[SIPHASH_KEY_LEN])
{
	memset(share->counts, 0, sizeof(share->counts));
	memcpy(share->key, key, SIPHASH_KEY_LEN);
}

struct share_place share_place_of(const struct share *share, const struct addr *addr)
{
	static const uint8_t mapped[MAPPED_LEN] = {[10] = 0xff, [11] = 0xff};
	uint8_t prefix[1 + SHARE_BITS_V6 / 8] = {addr->family};

	if (addr->family == ADDR_V6 && memcmp(addr->octets, mapped, MAPPED_LEN) == 0) {
		prefix[0] = ADDR_V4;
		memcpy(prefix + 1, addr->octets + MAPPED_LEN, SHARE_BITS_V4 / 8);
	} else if (addr->family == ADDR_V4) {
		memcpy(prefix + 1, addr->octets, SHARE_BITS_V4 / 8);
	} else {
		memcpy(prefix + 1, addr->octets, SHARE_BITS_V6 / 8);
	}
	uint64_t hash = siphash_13(share->key, prefix, sizeof(prefix));
	return (struct share_place){.columns = {(uint16_t)(hash % SHARE_COLUMNS),
					    (uint16_t)((hash >> 32) % SHARE_COLUMNS)}};
}

uint32_t share_held(const struct share *share, struct share_place place)
{
	uint32_t least = UINT32_MAX;

	for (uint32_t row = 0; row < SHARE_ROWS; row++) {
		uint32_t count = share->counts[row][place.columns[row]];
		least = count < least ? count : least;
	}
	return least;
}

void share_take(struct share *share, struct share_place place)
{
	for (uint32_t row = 0; row < SHARE_ROWS; row++) {
		uint16_t *count = &share->counts[row][place.columns[row]];
		ASSERT(*count < UINT16_MAX); /* there are fewer places in all */
		++*count;
	}
}

void share_give(struct share *share, struct share_place place)
{
	for (uint32_t row = 0; row < SHARE_ROWS; row++) {
		uint16_t *count = &share->counts[row][place.columns[row]];
		ASSERT(*count > 0);
		--*count;
	}
}
