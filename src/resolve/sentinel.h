/* sentinel.h - tells users whether this resolver trusts a certain key of the root, by names that they ask for.
 *
 * thread  read-only
 * source  RFC 8509
 */
#ifndef SAKER_RESOLVE_SENTINEL_H
#define SAKER_RESOLVE_SENTINEL_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/name.h"

struct anchors;

/* sentinel_fails - does the name ask about a key, and is the answer no? For secure answers to A and AAAA (sec 3.1). */
bool sentinel_fails(const struct anchors *anchors, const struct name *name, uint16_t type);

#endif
