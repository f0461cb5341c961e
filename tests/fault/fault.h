/* fault.h - an allocator that fails when it is told to, and knows what was not given back.
 *
 * Linked into a test executable it takes the place of the C library's. Not for builds with a sanitizer.
 *
 * thread  fault_arm and what it counts belong to the calling thread; fault_live to all
 */
#ifndef SAKER_TESTS_FAULT_H
#define SAKER_TESTS_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* fault_arm - the nth allocation of this thread from now on fails, once; 0: none does. */
void fault_arm(uint32_t nth);

/* fault_disarm - true where the armed failure has happened. */
bool fault_disarm(void);

/* fault_live - allocations that were not given back yet, of all threads. */
int64_t fault_live(void);

#endif
