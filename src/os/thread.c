/* thread.c - pthreads. */
#include "os/thread.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define LOWER_NICE 10 /* a tenth of the share of a thread that is not nice, man 7 sched */

static void *enter(void *context)
{
	struct thread *thread = context;

	pthread_setname_np(pthread_self(), thread->name);
	thread->run(thread->context);
	return NULL;
}

enum status thread_start(
	struct thread *thread, const char *name, void (*run)(void *context), void *context)
{
	sigset_t all, before;

	thread->run = run;
	thread->context = context;
	snprintf(thread->name, sizeof(thread->name), "%s", name);

	/* A thread inherits the mask, so that no signal finds it between its start and its first line. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int error = pthread_create(&thread->handle, NULL, enter, thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return error == 0 ? STATUS_OK : STATUS_LIMIT;
}

void thread_join(struct thread *thread)
{
	int error = pthread_join(thread->handle, NULL);

	ASSERT(error == 0);
}

void thread_lower(void)
{
	/* Linux counts each thread for itself, whatever POSIX says. A wish: nothing is wrong where it is not heard. */
	(void)setpriority(PRIO_PROCESS, 0, LOWER_NICE);
}

uint32_t thread_processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0) {
		return (uint32_t)CPU_COUNT(&set);
	}
	/* More processors than a cpu_set_t has bits: the number online is close enough. */
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (uint32_t)online : 1;
}
