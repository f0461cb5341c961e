/* thread.h - threads with names, and how many processors there are for them.
 *
 * thread  any
 */
#ifndef SAKER_OS_THREAD_H
#define SAKER_OS_THREAD_H

#include <pthread.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

#define THREAD_NAME_MAX 16u /* octets of a name with its zero, man 3 pthread_setname_np */

/* Stays in place from thread_start() to thread_join(). */
struct thread {
	pthread_t handle;
	void (*run)(void *context);
	void *context;              /* borrows until thread_join() */
	char name[THREAD_NAME_MAX]; /* what ps and a debugger show */
};

/* thread_start - runs run(context) on a new thread, on which every signal is blocked.
 *
 * shape   name: longer ones are cut
 * errors  STATUS_LIMIT: no more threads; nothing was started
 */
MUST_USE enum status thread_start(
	struct thread *thread, const char *name, void (*run)(void *context), void *context);

/* thread_join - waits for its end. */
void thread_join(struct thread *thread);

/* thread_lower - the calling thread gives way to others that are busy, and loses little where none are. */
void thread_lower(void);

/* thread_processors - processors that this process may run on (its affinity mask), at least 1. */
uint32_t thread_processors(void);

#endif
