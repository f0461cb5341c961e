/* acl.c - prefixes, compared octet by octet and bit by bit. */
#include "access/acl.h"

#include <string.h>

static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff}; /* RFC 4291 sec 2.5.5.2 */

static uint32_t bits_of(uint8_t family)
{
	return family == ADDR_V4 ? 32u : 128u;
}

/* Are the first len bits the same? */
static bool same_bits(const uint8_t *a, const uint8_t *b, uint32_t len)
{
	uint32_t whole = len / 8;
	uint8_t mask = (uint8_t)(0xff00u >> len % 8);

	return memcmp(a, b, whole) == 0 && (len % 8 == 0 || ((a[whole] ^ b[whole]) & mask) == 0);
}

bool acl_prefix_parse(const char *text, struct acl_prefix *out)
{
	const char *slash = strchr(text, '/');
	size_t addr_len = slash == NULL ? strlen(text) : (size_t)(slash - text);
	struct acl_prefix prefix = {.family = ADDR_V4};
	uint32_t len = 0;

	if (addr_len >= ADDR_TEXT_MAX) {
		return false;
	}
	if (!addr_parse_v4(text, (uint32_t)addr_len, prefix.octets)) {
		prefix.family = ADDR_V6;
		if (!addr_parse_v6(text, (uint32_t)addr_len, prefix.octets)) {
			return false;
		}
	}
	if (slash == NULL) {
		len = bits_of(prefix.family);
	} else {
		size_t digits = strspn(slash + 1, "0123456789");
		if (digits == 0 || digits > 3 || slash[1 + digits] != '\0') {
			return false;
		}
		for (size_t i = 0; i < digits; i++) {
			len = len * 10 + (uint32_t)(slash[1 + i] - '0');
		}
	}
	if (len > bits_of(prefix.family)) {
		return false;
	}
	for (uint32_t bit = len; bit < bits_of(prefix.family); bit++) {
		if ((prefix.octets[bit / 8] >> (7 - bit % 8) & 1) != 0) {
			return false; /* 192.0.2.1/24 is most likely a slip */
		}
	}
	prefix.len = (uint8_t)len;
	*out = prefix;
	return true;
}

bool acl_add(struct acl *acl, const struct acl_prefix *prefix)
{
	if (acl->count == ACL_PREFIXES_MAX) {
		return false;
	}
	acl->prefixes[acl->count++] = *prefix;
	return true;
}

bool acl_allows(const struct acl *acl, const struct addr *addr)
{
	const uint8_t *octets = addr->octets;
	uint8_t family = addr->family;

	if (family == ADDR_V6 && memcmp(octets, mapped, sizeof(mapped)) == 0) {
		octets += sizeof(mapped);
		family = ADDR_V4;
	}
	for (uint32_t i = 0; i < acl->count; i++) {
		const struct acl_prefix *prefix = &acl->prefixes[i];
		if (prefix->family == family && same_bits(prefix->octets, octets, prefix->len)) {
			return true;
		}
	}
	return false;
}
