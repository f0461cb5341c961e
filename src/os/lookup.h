/* lookup.h - the address of a server that may be given by name.
 *
 * thread  any
 */
#ifndef SAKER_OS_LOOKUP_H
#define SAKER_OS_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/addr.h"
#include "base/check.h"

/* Octets of a host name with its zero: longer ones are no domain name. */
#define LOOKUP_HOST_MAX 256u

/* lookup_server - `HOST:PORT`, `[ADDRESS]:PORT`, HOST or ADDRESS to an address; port_default where no port is given.
 *
 * shape   family: ADDR_NONE: of a name whichever the system prefers; else an address of another family is refused
 * errors  false: *why_out says what is wrong; a static text
 * cost    waits for the system's resolver, but no longer than 0.8 s
 */
MUST_USE bool lookup_server(const char *text, uint16_t port_default, enum addr_family family,
	struct addr *out, const char **why_out);

#endif
