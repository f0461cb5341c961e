/* typemap.h - the types that an NSEC or NSEC3 says are there.
 *
 * thread  no shared state
 * cost    O(windows of the bitmap)
 * source  RFC 4034 sec 4.1.2, RFC 5155 sec 3.2.1
 */
#ifndef SAKER_DNSSEC_TYPEMAP_H
#define SAKER_DNSSEC_TYPEMAP_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/rrset.h"

/* typemap_has - is the bit of a type set? set: NSEC or NSEC3, of any content */
bool typemap_has(const struct rrset *set, uint16_t type);

/* typemap_is_border - the parent's record at a cut, or one at a DNAME: it says nothing of names below (RFC 6840 sec 4.1). */
bool typemap_is_border(const struct rrset *set);

/* typemap_lacks - does the record of a name prove that it has neither the type nor an alias?
 *
 * effect  the parent's record at a cut speaks of DS alone, the child's at its apex not of DS (RFC 6840 sec 4.1, 4.4)
 */
bool typemap_lacks(const struct rrset *set, uint16_t type);

#endif
