/* addr.c - addresses and their text forms. */
#include "base/addr.h"

#include <stdio.h>
#include <string.h>

#define GROUPS 8u /* of 16 bits in an IPv6 address */

bool addr_parse_v4(const char *text, uint32_t len, uint8_t out[4])
{
	uint8_t octets[4];
	uint32_t at = 0;

	for (uint32_t i = 0; i < 4; i++) {
		uint32_t value = 0;
		uint32_t start = at;

		if (i > 0 && (at >= len || text[at++] != '.')) {
			return false;
		}
		start = at;
		while (at < len && at - start < 3 && text[at] >= '0' && text[at] <= '9') {
			value = value * 10 + (uint32_t)(text[at++] - '0');
		}
		bool leading_zero = at - start > 1 && text[start] == '0';
		if (at == start || value > 255 || leading_zero) {
			return false;
		}
		octets[i] = (uint8_t)value;
	}
	if (at != len) {
		return false;
	}
	memcpy(out, octets, sizeof(octets));
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool addr_parse_v6(const char *text, uint32_t len, uint8_t out[16])
{
	uint8_t octets[16] = {0};
	uint32_t used = 0;         /* octets written */
	uint32_t gap = UINT32_MAX; /* where `::` stood, in octets */
	uint32_t at = 0;

	if (len >= 2 && text[0] == ':' && text[1] == ':') {
		gap = 0;
		at = 2;
	}
	while (at < len) {
		uint32_t start = at;
		uint32_t value = 0;

		if (used == sizeof(octets)) {
			return false;
		}
		while (at < len && at - start < 4 && hex_digit(text[at]) >= 0) {
			value = value << 4 | (uint32_t)hex_digit(text[at++]);
		}
		if (at == start) {
			return false;
		}
		if (at < len && text[at] == '.') { /* the last 32 bits as a dotted quad */
			if (used > 12 || !addr_parse_v4(text + start, len - start, octets + used)) {
				return false;
			}
			used += 4;
			at = len;
			break;
		}
		octets[used++] = (uint8_t)(value >> 8);
		octets[used++] = (uint8_t)value;
		if (at == len) {
			break;
		}
		if (text[at++] != ':') {
			return false;
		}
		if (at < len && text[at] == ':') {
			if (gap != UINT32_MAX) {
				return false;
			}
			gap = used;
			at++;
		} else if (at == len) {
			return false; /* one colon at the end */
		}
	}
	if (gap == UINT32_MAX ? used != sizeof(octets) : used > sizeof(octets) - 2) {
		return false;
	}
	if (gap != UINT32_MAX) {
		uint32_t tail = used - gap;
		memmove(octets + sizeof(octets) - tail, octets + gap, tail);
		memset(octets + gap, 0, sizeof(octets) - used);
	}
	memcpy(out, octets, sizeof(octets));
	return true;
}

/* Digits only: the text of a port or a scope. */
static bool parse_number(const char *text, size_t len, uint32_t most, uint32_t *out)
{
	uint64_t value = 0;

	if (len == 0 || len > 10) {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9') {
			return false;
		}
		value = value * 10 + (uint64_t)(text[i] - '0');
	}
	if (value > most) {
		return false;
	}
	*out = (uint32_t)value;
	return true;
}

static bool parse_v6_scoped(const char *text, size_t len, struct addr *out)
{
	const char *percent = memchr(text, '%', len);
	size_t addr_len = percent == NULL ? len : (size_t)(percent - text);

	if (percent != NULL &&
		!parse_number(percent + 1, len - addr_len - 1, UINT32_MAX, &out->scope)) {
		return false;
	}
	out->family = ADDR_V6;
	return addr_parse_v6(text, (uint32_t)addr_len, out->octets);
}

bool addr_parse(const char *text, uint16_t port_default, struct addr *out)
{
	struct addr addr = {.port = port_default};
	size_t len = strlen(text);
	const char *port = NULL;
	uint32_t number;

	if (text[0] == '[') {
		const char *close = strchr(text, ']');
		if (close == NULL ||
			!parse_v6_scoped(text + 1, (size_t)(close - text) - 1, &addr)) {
			return false;
		}
		if (close[1] == ':') {
			port = close + 2;
		} else if (close[1] != '\0') {
			return false;
		}
	} else {
		const char *colon = strchr(text, ':');
		if (colon != NULL && strchr(colon + 1, ':') != NULL) {
			if (!parse_v6_scoped(text, len, &addr)) {
				return false;
			}
		} else {
			size_t addr_len = colon == NULL ? len : (size_t)(colon - text);
			addr.family = ADDR_V4;
			if (!addr_parse_v4(text, (uint32_t)addr_len, addr.octets)) {
				return false;
			}
			port = colon == NULL ? NULL : colon + 1;
		}
	}
	if (port != NULL) {
		if (!parse_number(port, strlen(port), UINT16_MAX, &number)) {
			return false;
		}
		addr.port = (uint16_t)number;
	}
	*out = addr;
	return true;
}

uint32_t addr_v4_to_text(const uint8_t octets[4], char *text)
{
	return (uint32_t)snprintf(
		text, ADDR_TEXT_MAX, "%u.%u.%u.%u", octets[0], octets[1], octets[2], octets[3]);
}

uint32_t addr_v6_to_text(const uint8_t octets[16], char *text)
{
	uint32_t group[GROUPS];
	uint32_t best = 0, best_len = 0;
	uint32_t len = 0;

	for (uint32_t i = 0; i < GROUPS; i++) {
		group[i] = (uint32_t)octets[2 * i] << 8 | octets[2 * i + 1];
	}
	/* RFC 5952 sec 4.2.3: the longest run of zero groups, the first of equals, never one alone. */
	for (uint32_t i = 0; i < GROUPS; i++) {
		uint32_t run = 0;
		while (i + run < GROUPS && group[i + run] == 0) {
			run++;
		}
		if (run > best_len) {
			best = i;
			best_len = run;
		}
	}
	if (best_len < 2) {
		best_len = 0;
	}
	for (uint32_t i = 0; i < GROUPS; i++) {
		if (best_len != 0 && i == best) {
			text[len++] = ':';
			if (best + best_len == GROUPS) {
				text[len++] = ':';
			}
			i += best_len - 1;
			continue;
		}
		len += (uint32_t)snprintf(
			text + len, ADDR_TEXT_MAX - len, i == 0 ? "%x" : ":%x", group[i]);
	}
	text[len] = '\0';
	return len;
}

const char *addr_to_text(const struct addr *addr, char *text)
{
	char bare[ADDR_TEXT_MAX];

	if (addr->family == ADDR_V6) {
		addr_v6_to_text(addr->octets, bare);
		if (addr->scope != 0) {
			snprintf(text, ADDR_TEXT_MAX, "[%.39s%%%u]:%u", bare, addr->scope,
				addr->port);
		} else {
			snprintf(text, ADDR_TEXT_MAX, "[%.39s]:%u", bare, addr->port);
		}
	} else {
		addr_v4_to_text(addr->octets, bare);
		snprintf(text, ADDR_TEXT_MAX, "%.15s:%u", bare, addr->port);
	}
	return text;
}

bool addr_equal(const struct addr *a, const struct addr *b)
{
	return a->family == b->family && a->port == b->port && a->scope == b->scope &&
	       memcmp(a->octets, b->octets, sizeof(a->octets)) == 0;
}

bool addr_is_wildcard(const struct addr *addr)
{
	static const uint8_t zero[16];

	return memcmp(addr->octets, zero, sizeof(zero)) == 0;
}
