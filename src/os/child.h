/* child.h - processes that this one starts and ends, by their ids.
 *
 * A child ends with its parent, whatever that dies of (PR_SET_PDEATHSIG), and has no signal blocked. Streams are flushed
 * before it is made: it has nothing left to write that is not its own.
 *
 * thread  the main thread, before others are started: a fork copies only the one that calls it
 */
#ifndef SAKER_OS_CHILD_H
#define SAKER_OS_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/check.h"

/* child_start - runs a program with its output in a file. words: ended by NULL, the first is looked for in PATH and in
 * the folders of system programs. Returns its id, or -1 with errno.
 */
MUST_USE pid_t child_start(const char *const *words, const char *output_path);

/* child_fork - runs run(context) in a child, which ends when that returns. Returns its id, or -1 with errno. */
MUST_USE pid_t child_fork(void (*run)(void *context), void *context);

/* child_is_running - false where it has ended. */
bool child_is_running(pid_t pid);

/* child_end - SIGTERM, and where that is not obeyed within three seconds SIGKILL; waits for its end. */
void child_end(pid_t pid);

/* child_is_installed - can child_start() find a program of that name? */
bool child_is_installed(const char *name);

#endif
