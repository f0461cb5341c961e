/* hints.h - servers that are known beforehand: those of the root, of stub zones, and forwarders.
 *
 * thread  read-only once filled
 * source  RFC 8109 (priming); the root's addresses: IANA root hints of 2026
 */
#ifndef SAKER_RESOLVE_HINTS_H
#define SAKER_RESOLVE_HINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "wire/name.h"

#define HINTS_SERVERS_MAX 13u /* the root has as many */
#define HINTS_ADDRS_MAX   4u  /* of one server */

struct hint_server {
	struct name name;
	uint32_t addr_count;
	struct addr addrs[HINTS_ADDRS_MAX];
};

enum hint_kind {
	HINT_ROOT,   /* asked once for the root's own NS set */
	HINT_STUB,   /* authoritative servers of a zone, instead of what its parent says */
	HINT_FORWARD /* resolvers */
};

struct hint {
	struct name zone;
	enum hint_kind kind;
	bool fall_back; /* FORWARD: where they fail, ask on our own */
	uint32_t server_count;
	struct hint_server servers[HINTS_SERVERS_MAX];
};

struct hints;

MUST_USE struct hints *hints_new(void);
void hints_free(struct hints *hints);

/* hints_add_builtin - the root servers. errors: STATUS_MEMORY */
MUST_USE enum status hints_add_builtin(struct hints *hints);

/* hints_add_root - from text in master form: NS records of the root, addresses of their names.
 *
 * errors  STATUS_REFUSED: complaints went to the sink; STATUS_MEMORY
 */
MUST_USE enum status hints_add_root(struct hints *hints, const char *path, const char *text,
	size_t len, const struct diag_sink *sink);

/* hints_add - one with addresses only, each a server of its own. errors: STATUS_MEMORY, STATUS_LIMIT: too many */
MUST_USE enum status hints_add(struct hints *hints, enum hint_kind kind, const struct name *zone,
	const struct addr *addrs, uint32_t count, bool fall_back);

/* hints_find - the hint whose zone is closest above a name, or the name itself; NULL: none. */
const struct hint *hints_find(const struct hints *hints, const struct name *name);

/* hints_find_servers - the same of authoritative servers alone: forwarders are passed over. */
const struct hint *hints_find_servers(const struct hints *hints, const struct name *name);

/* hints_same - do two say the same? */
bool hints_same(const struct hint *a, const struct hint *b);

/* hints_find_root - the servers of the root; NULL: none. */
const struct hint *hints_find_root(const struct hints *hints);

#endif
