/* test_signals.c - signals become something to read. */
#include "os/signals.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kit/kit.h"

TEST(signals_are_read_in_kinds)
{
	int fd = signals_open();

	CHECK(fd >= 0);
	CHECK_U(signals_read(fd), 0);
	kill(getpid(), SIGHUP);
	kill(getpid(), SIGHUP);
	CHECK_U(signals_read(fd), SIGNALS_RELOAD);
	kill(getpid(), SIGHUP);
	kill(getpid(), SIGTERM);
	CHECK_U(signals_read(fd), (unsigned)SIGNALS_RELOAD | (unsigned)SIGNALS_STOP);
	kill(getpid(), SIGINT);
	CHECK_U(signals_read(fd), SIGNALS_STOP);
	kill(getpid(), SIGPIPE); /* ignored */
	CHECK_U(signals_read(fd), 0);
	signals_close(fd);
}

TEST(after_the_release_a_signal_ends_the_process)
{
	for (uint32_t waiting = 0; waiting < 2; waiting++) {
		int status;
		pid_t child = fork();

		if (child == 0) {
			int fd = signals_open();
			if (waiting != 0) { /* one that came before the release ends it, too */
				kill(getpid(), SIGTERM);
			}
			signals_release();
			kill(getpid(), SIGTERM);
			signals_close(fd);
			_exit(0);
		}
		CHECK_U(waitpid(child, &status, 0), (uint64_t)child);
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	}
}
