/* duration.c - seconds with units. */
#include "zonefile/duration.h"

static uint32_t unit_seconds(uint8_t unit)
{
	switch (unit | 0x20u) {
	case 's':
		return 1;
	case 'm':
		return 60;
	case 'h':
		return 3600;
	case 'd':
		return 86400;
	case 'w':
		return 604800;
	default:
		return 0;
	}
}

HOT bool duration_from_text(const uint8_t *text, uint32_t len, uint32_t *out)
{
	uint64_t total = 0;
	uint64_t number = 0;
	bool open = false; /* a number waits for its unit */
	bool units = false;

	if (len == 0) {
		return false;
	}
	for (uint32_t i = 0; i < len; i++) {
		uint32_t digit = text[i] - 0u - '0';
		if (digit < 10) {
			number = number * 10 + digit;
			open = true;
			if (number > UINT32_MAX) {
				return false;
			}
			continue;
		}
		uint32_t seconds = unit_seconds(text[i]);
		if (seconds == 0 || !open) {
			return false;
		}
		total += number * seconds;
		number = 0;
		open = false;
		units = true;
		if (total > UINT32_MAX) {
			return false;
		}
	}
	if (open && units) { /* 1h30: nobody knows thirty of what */
		return false;
	}
	total += number;
	if (total > UINT32_MAX) {
		return false;
	}
	*out = (uint32_t)total;
	return true;
}
