/* signals.c - signalfd(2). */
#include "os/signals.h"

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

int signals_open(void)
{
	sigset_t set;

	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) {
		return -1;
	}
	return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

unsigned signals_read(int fd)
{
	struct signalfd_siginfo info;
	unsigned flags = 0;

	while (read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
		flags |= info.ssi_signo == SIGHUP ? (unsigned)SIGNALS_RELOAD
						  : (unsigned)SIGNALS_STOP;
	}
	return flags;
}

void signals_release(void)
{
	sigset_t set;

	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void signals_close(int fd)
{
	close(fd);
}
