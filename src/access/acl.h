/* acl.h - who may: a list of address prefixes.
 *
 * Text: `192.0.2.0/24`, `2001:db8::/32`, or an address alone. An IPv4 address that comes as IPv6 (::ffff:192.0.2.1) counts as
 * IPv4.
 *
 * thread  read-only once filled
 */
#ifndef SAKER_ACCESS_ACL_H
#define SAKER_ACCESS_ACL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"

#define ACL_PREFIXES_MAX 256u /* of one list; a guess: a provider's prefixes are some dozens */

struct acl_prefix {
	uint8_t octets[16];
	uint8_t family; /* enum addr_family */
	uint8_t len;    /* bits */
};

struct acl {
	uint32_t count;
	struct acl_prefix prefixes[ACL_PREFIXES_MAX];
};

/* acl_prefix_parse - errors: false: no prefix, or bits set behind its length; out is unchanged */
MUST_USE bool acl_prefix_parse(const char *text, struct acl_prefix *out);

/* acl_add - errors: false: ACL_PREFIXES_MAX are there */
MUST_USE bool acl_add(struct acl *acl, const struct acl_prefix *prefix);

/* acl_allows - is the address below one of the prefixes? cost: O(prefixes), a few ns each */
bool acl_allows(const struct acl *acl, const struct addr *addr);

#endif
