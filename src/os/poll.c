/* poll.c - epoll(7), woken by an eventfd. */
#include "os/poll.h"

#include <errno.h>
#include <limits.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/now.h"

static uint32_t to_kernel(unsigned flags)
{
	return ((flags & POLL_READ) != 0 ? (uint32_t)EPOLLIN : 0u) |
	       ((flags & POLL_WRITE) != 0 ? (uint32_t)EPOLLOUT : 0u);
}

static enum status control(struct poll *poll, int op, int fd, unsigned flags, void *context)
{
	struct epoll_event event = {.events = to_kernel(flags), .data = {.ptr = context}};

	return epoll_ctl(poll->fd, op, fd, &event) == 0 ? STATUS_OK : STATUS_IO;
}

enum status poll_init(struct poll *poll)
{
	poll->fd = epoll_create1(EPOLL_CLOEXEC);
	if (poll->fd < 0) {
		return STATUS_IO;
	}
	poll->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (poll->wake_fd < 0 || poll_add(poll, poll->wake_fd, POLL_READ, poll) != STATUS_OK) {
		poll_fini(poll);
		return STATUS_IO;
	}
	return STATUS_OK;
}

void poll_fini(struct poll *poll)
{
	if (poll->wake_fd >= 0) {
		close(poll->wake_fd);
	}
	if (poll->fd >= 0) {
		close(poll->fd);
	}
	poll->fd = poll->wake_fd = -1;
}

enum status poll_add(struct poll *poll, int fd, unsigned flags, void *context)
{
	return control(poll, EPOLL_CTL_ADD, fd, flags, context);
}

enum status poll_change(struct poll *poll, int fd, unsigned flags, void *context)
{
	return control(poll, EPOLL_CTL_MOD, fd, flags, context);
}

void poll_remove(struct poll *poll, int fd)
{
	epoll_ctl(poll->fd, EPOLL_CTL_DEL, fd, NULL);
}

/* What the kernel told, in our terms; the token of poll_wake() is taken out. */
static uint32_t translate(
	const struct poll *poll, const struct epoll_event *got, int n, struct poll_event *events)
{
	uint32_t count = 0;

	for (int i = 0; i < n; i++) {
		if (got[i].data.ptr == poll) {
			uint64_t token;
			ssize_t drained = read(poll->wake_fd, &token, sizeof(token));
			(void)drained;
			continue;
		}
		unsigned flags = 0;
		if ((got[i].events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0) {
			flags |= POLL_READ;
		}
		if ((got[i].events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) != 0) {
			flags |= POLL_WRITE;
		}
		events[count++] = (struct poll_event){.context = got[i].data.ptr, .flags = flags};
	}
	return count;
}

uint32_t poll_wait(struct poll *poll, struct poll_event events[POLL_EVENTS_MAX], int timeout_ms)
{
	struct epoll_event got[POLL_EVENTS_MAX];

	return translate(poll, got, epoll_wait(poll->fd, got, POLL_EVENTS_MAX, timeout_ms), events);
}

uint32_t poll_wait_ns(
	struct poll *poll, struct poll_event events[POLL_EVENTS_MAX], uint64_t timeout_ns)
{
	struct epoll_event got[POLL_EVENTS_MAX];
	struct timespec timeout = {.tv_sec = (time_t)(timeout_ns / NOW_NS_A_SECOND),
		.tv_nsec = (long)(timeout_ns % NOW_NS_A_SECOND)};
	int n = epoll_pwait2(poll->fd, got, POLL_EVENTS_MAX, &timeout, NULL);

	if (n < 0 && errno == ENOSYS) {
		uint64_t ms = (timeout_ns + NOW_NS_A_MILLISECOND - 1) / NOW_NS_A_MILLISECOND;
		return poll_wait(poll, events, ms < INT_MAX ? (int)ms : INT_MAX);
	}
	return translate(poll, got, n, events);
}

void poll_wake(const struct poll *poll)
{
	int saved = errno;
	uint64_t one = 1;
	ssize_t written = write(poll->wake_fd, &one, sizeof(one));

	(void)written; /* EAGAIN: the counter is full, so the owner is awake anyway */
	errno = saved;
}
