/* usage.h - what the calling thread has cost, and how long it stood in the queue for a processor.
 *
 * thread  each asks for itself
 */
#ifndef SAKER_OS_USAGE_H
#define SAKER_OS_USAGE_H

#include <stdint.h>

struct usage {
	uint64_t cpu_ns;   /* processor time of this thread */
	uint64_t delay_ns; /* runnable, but not running; 0 where the kernel does not tell */
};

/* usage_thread - both since the thread began. Reads a file: not for the packet path. */
struct usage usage_thread(void);

#endif
