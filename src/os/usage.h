/* usage.h - what the calling thread has cost, how long it stood in the queue for a processor, and what there is.
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

/* usage_memory - octets of memory that the machine has. */
uint64_t usage_memory(void);

#endif
