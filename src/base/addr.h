/* addr.h - an IPv4 or IPv6 address with a port: our own struct, and its text form.
 *
 * Text: `192.0.2.1:53`, `[2001:db8::1]:53`; a scope is written `[fe80::1%3]:53` with the interface's index.
 * os/socket.h turns it into what the kernel wants.
 */
#ifndef SAKER_BASE_ADDR_H
#define SAKER_BASE_ADDR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"

#define ADDR_TEXT_MAX 64u /* octets of the longest text form with its zero */

enum addr_family { ADDR_NONE = 0, ADDR_V4 = 4, ADDR_V6 = 6 };

struct addr {
	uint8_t octets[16]; /* network order; IPv4 uses the first four, the rest are zero */
	uint32_t scope;     /* interface index of a link-local IPv6 address, else 0 */
	uint16_t port;      /* host order */
	uint8_t family;     /* enum addr_family */
};

/* addr_parse - reads `ADDRESS:PORT`, `[ADDRESS]:PORT`, or an address alone (the port is then port_default).
 *
 * errors  false: not an address, or a port outside 0..65535; out is unchanged
 */
MUST_USE bool addr_parse(const char *text, uint16_t port_default, struct addr *out);

/* addr_to_text - writes the text form with the port into text[ADDR_TEXT_MAX], returns text. */
const char *addr_to_text(const struct addr *addr, char *text);

/* addr_equal - true where family, octets, scope and port are the same. */
bool addr_equal(const struct addr *a, const struct addr *b);

/* addr_is_wildcard - true for 0.0.0.0 and ::. */
bool addr_is_wildcard(const struct addr *addr);

/* addr_parse_v4 / addr_parse_v6 - the address alone, len octets of text, no zero needed.
 *
 * errors  false: not one; out is unchanged
 * source  RFC 1035 sec 3.4.1 (dotted quad, no leading zeros, no short forms), RFC 4291 sec 2.2
 */
MUST_USE bool addr_parse_v4(const char *text, uint32_t len, uint8_t out[4]);
MUST_USE bool addr_parse_v6(const char *text, uint32_t len, uint8_t out[16]);

/* addr_v4_to_text, addr_v6_to_text - RFC 5952 form into text[ADDR_TEXT_MAX]; the length without the zero. */
uint32_t addr_v4_to_text(const uint8_t octets[4], char *text);
uint32_t addr_v6_to_text(const uint8_t octets[16], char *text);

#endif
