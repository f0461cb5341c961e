/* dns64.h - AAAA records for names that have none, made of their A records: for clients without IPv4 behind a NAT64.
 *
 *     bits      0        32       40       48       56       64   72       80       88       96       104      128
 *     /96       |                      prefix                                         |      IPv4               |
 *     /64       |           prefix                           | 0  |       IPv4                | 0                 |
 *     /32       |prefix  |    IPv4                           | 0  | 0                                             |
 *
 * Bits 64 to 71 are zero. What the reverse zone of the prefix says is an alias to that of the IPv4 address.
 *
 * thread  no shared state
 * source  RFC 6147 sec 5, RFC 6052 sec 2.2
 */
#ifndef SAKER_RESOLVE_DNS64_H
#define SAKER_RESOLVE_DNS64_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "wire/name.h"

#define DNS64_TTL 600u /* of what has no SOA to bound it, RFC 6147 sec 5.1.7 */

struct search_result;

struct dns64 {
	uint8_t octets[16];
	uint8_t len; /* bits: 32, 40, 48, 56, 64 or 96; 0: no DNS64 */
};

/* dns64_is_prefix - may a prefix of len bits be one? octets behind it are zero */
bool dns64_is_prefix(const uint8_t octets[16], uint32_t len);

/* dns64_embed - the IPv6 address that stands for an IPv4 address. */
void dns64_embed(const struct dns64 *dns64, const uint8_t v4[4], uint8_t out[16]);

/* dns64_lacks - has the name no AAAA that counts? NODATA, a failure of the servers (sec 5.1.2), or a set of nothing but IPv4
 * addresses in the form of ::ffff:0:0/96 (sec 5.1.4). What is bogus is not touched.
 */
bool dns64_lacks(const struct search_result *aaaa);

/* dns64_make - the AAAA set out of an A set.
 *
 * shape   aaaa: as dns64_lacks() found it; a: of the same name
 * effect  true: *out is the result for AAAA, in the arena; secure where both were
 * errors  false: there is no A record that may be used, or no memory
 */
MUST_USE bool dns64_make(const struct dns64 *dns64, const struct search_result *aaaa,
	const struct search_result *a, struct arena *arena, struct search_result *out);

/* dns64_reverse - a name below the prefix's reverse zone, written as an alias of the IPv4 address's (sec 5.3.1).
 *
 * effect  true: *out holds a CNAME of name, in the arena
 * errors  false: the name is no whole address with the prefix, or no memory
 */
MUST_USE bool dns64_reverse(const struct dns64 *dns64, const struct name *name, struct arena *arena,
	struct search_result *out);

#endif
