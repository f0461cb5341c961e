/* source_set.c - lists and prefixes. */
#include "loadgen/source_set.h"

#include <stdlib.h>
#include <string.h>

#define BITS_AN_OCTET 8u
#define HOST_BITS_MAX 32u /* more addresses than there are sockets */

static uint32_t address_len(enum addr_family family)
{
	return family == ADDR_V6 ? 16 : 4;
}

/* The address plus a number, as if it were one large integer. */
static struct addr plus(struct addr addr, uint64_t number)
{
	uint32_t at = address_len((enum addr_family)addr.family);

	while (at > 0 && number != 0) {
		at--;
		number += addr.octets[at];
		addr.octets[at] = (uint8_t)number;
		number >>= BITS_AN_OCTET;
	}
	return addr;
}

static bool parse_address(const char *text, uint32_t len, enum addr_family family, struct addr *out)
{
	*out = (struct addr){.family = (uint8_t)family};
	return family == ADDR_V6 ? addr_parse_v6(text, len, out->octets)
				 : addr_parse_v4(text, len, out->octets);
}

static void clear_host_bits(struct addr *addr, uint32_t host_bits)
{
	for (uint32_t bit = 0; bit < host_bits; bit++) {
		uint32_t octet =
			address_len((enum addr_family)addr->family) - 1 - bit / BITS_AN_OCTET;
		addr->octets[octet] &= (uint8_t) ~(1u << bit % BITS_AN_OCTET);
	}
}

static bool parse_prefix(const char *text, uint32_t len, const char *bits_text,
	enum addr_family family, struct source_set *out, const char **why_out)
{
	uint32_t bits_max = address_len(family) * BITS_AN_OCTET;
	char *end;
	unsigned long bits = strtoul(bits_text, &end, 10);

	if (bits_text[0] < '0' || bits_text[0] > '9' || *end != '\0' || bits > bits_max) {
		*why_out = "not a prefix length";
		return false;
	}
	if (!parse_address(text, len, family, &out->list[0])) {
		*why_out = "not an address of the server's family";
		return false;
	}
	uint32_t host_bits = bits_max - (uint32_t)bits;
	if (host_bits > HOST_BITS_MAX) {
		host_bits = HOST_BITS_MAX;
	}
	clear_host_bits(&out->list[0], host_bits);
	uint64_t all = 1ull << host_bits;
	if (all > 2) {
		out->list[0] = plus(out->list[0], 1);
		all -= 2;
	}
	out->list_count = 1;
	out->prefix_count = all;
	return true;
}

bool source_set_parse(
	const char *text, enum addr_family family, struct source_set *out, const char **why_out)
{
	const char *slash = strchr(text, '/');

	*out = (struct source_set){0};
	if (slash != NULL) {
		return parse_prefix(
			text, (uint32_t)(slash - text), slash + 1, family, out, why_out);
	}
	for (;;) {
		uint32_t len = (uint32_t)strcspn(text, ",");
		if (out->list_count == SOURCE_SET_MAX) {
			*why_out = "more than 256 addresses (a prefix holds more)";
			return false;
		}
		if (!parse_address(text, len, family, &out->list[out->list_count])) {
			*why_out = "not an address of the server's family";
			return false;
		}
		out->list_count++;
		if (text[len] == '\0') {
			return true;
		}
		text += len + 1;
	}
}

struct addr source_set_get(const struct source_set *sources, uint32_t nth)
{
	if (sources->list_count == 0) {
		return (struct addr){.family = ADDR_NONE};
	}
	return sources->prefix_count != 0 ? plus(sources->list[0], nth % sources->prefix_count)
					  : sources->list[nth % sources->list_count];
}
