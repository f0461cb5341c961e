/* lines.h - memory on cache lines of its own, for what one thread writes all the time.
 *
 * What malloc() gives may begin and end in the middle of a line, and the other half be another thread's: then
 * both wait for each other at each write, and no line of the code shows it.
 *
 * thread  any
 */
#ifndef SAKER_BASE_LINES_H
#define SAKER_BASE_LINES_H

#include <stddef.h>

#include "base/check.h"

/* lines_new - len octets, zero, that begin and end with a line; NULL where there is no memory. free() gives it back. */
MUST_USE void *lines_new(size_t len);

#endif
