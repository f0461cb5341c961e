/* rebinding.h - answers from outside do not name addresses of the inside (DNS rebinding).
 *
 * A page from outside that makes a browser ask for a name of its own, and then answers with an address behind the
 * firewall, talks to that host with the browser's rights. So addresses of the prefixes in the configuration are taken out of what
 * goes to clients, but for names that may have such. The cache keeps the truth, with its signatures.
 *
 * thread  read-only
 */
#ifndef SAKER_RESOLVE_REBINDING_H
#define SAKER_RESOLVE_REBINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "access/acl.h"
#include "base/arena.h"
#include "base/check.h"
#include "wire/name.h"

struct search_result;

struct rebinding {
	const struct acl *prefixes; /* borrows */
	const struct name *exempt;  /* borrows: at and below them any address is good */
	uint32_t exempt_count;
};

/* rebinding_scrub - takes the addresses out of a result's A and AAAA sets, and SVCB and HTTPS records that have one as a hint.
 *
 * effect  where there is one: *out is the result without them, which is not secure any more, in memory of the arena; a set
 *         that becomes empty is NODATA. *result stays.
 *         true: out is filled; false: there was none
 * errors  no memory: *out holds no record at all
 */
MUST_USE bool rebinding_scrub(const struct rebinding *rebinding, const struct search_result *result,
	struct arena *arena, struct search_result *out);

#endif
