/* trap.h - marks the stretches of code in which this thread must not allocate.
 *
 * The marks cost an increment a batch and do nothing by themselves. The test build links an allocator
 * (tests/trap/trap.c) that aborts where it is called between them.
 *
 * thread  the mark belongs to the calling thread
 */
#ifndef SAKER_BASE_TRAP_H
#define SAKER_BASE_TRAP_H

#include <stdint.h>

extern _Thread_local uint32_t trap_depth; /* 0: the thread may allocate */

/* trap_enter, trap_leave - around a stretch without allocation; they nest. */
static inline void trap_enter(void)
{
	trap_depth++;
}

static inline void trap_leave(void)
{
	trap_depth--;
}

#endif
