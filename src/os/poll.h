/* poll.h - waiting for descriptors (epoll), each with a pointer that comes back.
 *
 * thread  one owner a struct poll; poll_wake() may be called by any thread and from signal handlers
 */
#ifndef SAKER_OS_POLL_H
#define SAKER_OS_POLL_H

#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

#define POLL_EVENTS_MAX 64u /* events that one wait brings */

enum poll_flag { POLL_READ = 1, POLL_WRITE = 2 };

struct poll_event {
	void *context;  /* what poll_add() was given */
	unsigned flags; /* enum poll_flag; errors and hang-ups come as both */
};

struct poll {
	int fd;
	int wake_fd;
};

/* poll_init - errors: STATUS_IO. */
MUST_USE enum status poll_init(struct poll *poll);
void poll_fini(struct poll *poll);

/* poll_add, poll_change, poll_remove - level-triggered; flags: enum poll_flag. errors: STATUS_IO */
MUST_USE enum status poll_add(struct poll *poll, int fd, unsigned flags, void *context);
MUST_USE enum status poll_change(struct poll *poll, int fd, unsigned flags, void *context);
void poll_remove(struct poll *poll, int fd);

/* poll_wait - waits at most timeout_ms (-1: without end); returns how many events were written.
 *
 * effect  a poll_wake() ends the wait and is no event itself
 */
uint32_t poll_wait(struct poll *poll, struct poll_event events[POLL_EVENTS_MAX], int timeout_ms);

/* poll_wait_ns - the same to the nanosecond, as far as the kernel's timers go (before Linux 5.11 to the millisecond). */
uint32_t poll_wait_ns(
	struct poll *poll, struct poll_event events[POLL_EVENTS_MAX], uint64_t timeout_ns);

/* poll_wake - makes the owner's current or next wait return. */
void poll_wake(const struct poll *poll);

#endif
