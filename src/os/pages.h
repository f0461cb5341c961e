/* pages.h - large runs of memory straight from the kernel, given back whole.
 *
 * thread  any
 */
#ifndef SAKER_OS_PAGES_H
#define SAKER_OS_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/check.h"

/* pages_reserve - len octets of address space, not yet to be touched; NULL: none.
 *
 * effect  costs no memory, and is no promise of memory that a kernel with strict accounting would have to back
 */
MUST_USE void *pages_reserve(size_t len);

/* pages_commit - makes [start, start + len) of a reservation readable and writable, zero; false: no memory. */
MUST_USE bool pages_commit(void *start, size_t len);

/* pages_trim - keeps the first used octets of a reservation of len; returns the length that is kept. */
size_t pages_trim(void *start, size_t len, size_t used);

/* pages_huge - asks the kernel for huge pages behind [start, start + len); a hint. */
void pages_huge(void *start, size_t len);

/* pages_protect - makes them read-only: what is published does not change. */
void pages_protect(void *start, size_t len);

/* pages_discard - gives what was written back; the addresses stay and read as zero. */
void pages_discard(void *start, size_t len);

/* pages_free - gives len octets back; NULL is accepted. */
void pages_free(void *start, size_t len);

#endif
