/* check.h - assertions and compiler attributes, the lowest header of all.
 *
 * ASSERT is always on: O(1) conditions outside the per-packet loop. DASSERT is on in debug, test and
 * fuzz builds. Neither may depend on octets from the network that were not parsed yet.
 */
#ifndef SAKER_BASE_CHECK_H
#define SAKER_BASE_CHECK_H

#include "base/config.h"

#define MUST_USE        __attribute__((warn_unused_result))
#define HOT             __attribute__((hot))
#define COLD            __attribute__((cold, noinline))
#define NORETURN        __attribute__((noreturn))
#define PRINTF(fmt, va) __attribute__((format(printf, fmt, va)))
#define LIKELY(x)       __builtin_expect(!!(x), 1)
#define UNLIKELY(x)     __builtin_expect(!!(x), 0)
#define CACHE_LINE      64u /* octets; x86-64 and most arm64 */

/* check_failed - print where and what to standard error, then abort. */
NORETURN COLD void check_failed(const char *file, int line, const char *condition);

#define ASSERT(condition)                                                                          \
	(LIKELY(condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

#if SAKER_DEBUG
#define DASSERT(condition) ASSERT(condition)
#else
#define DASSERT(condition) ((void)sizeof(condition))
#endif

#endif
