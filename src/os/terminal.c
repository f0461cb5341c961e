/* terminal.c - in by one sequence, out by another. */
#include "os/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char enter[] = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J";
static const char leave[] = "\x1b[?25h\x1b[?1049l";

/* Signals that end or stop a process that does not expect them. */
static const int endings[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTSTP};

#define ENDINGS (sizeof(endings) / sizeof(endings[0]))

/* [signal handlers of the thread that the signal is delivered to; written by the owner while they cannot run] */
static volatile sig_atomic_t screen_fd = -1; /* -1: none */
static struct sigaction before[ENDINGS];
static bool is_hooked; /* atexit() was called */

/* All of it, or as much as there is room for: a handler cannot wait. */
static bool put(int fd, const char *text, size_t len)
{
	while (len != 0) {
		ssize_t done = write(fd, text, len);
		if (done < 0 && errno == EINTR) {
			continue;
		}
		if (done <= 0) {
			return false;
		}
		text += done;
		len -= (size_t)done;
	}
	return true;
}

static void handle(int signal_number)
{
	int error = errno, fd = screen_fd;
	struct sigaction usual = {.sa_handler = SIG_DFL}, ours;
	sigset_t only;

	if (fd >= 0) {
		put(fd, leave, sizeof(leave) - 1);
	}
	sigaction(signal_number, &usual, &ours);
	sigemptyset(&only);
	sigaddset(&only, signal_number);
	raise(signal_number);
	pthread_sigmask(SIG_UNBLOCK, &only, NULL); /* here it ends, or stops */
	/* Only who was stopped comes back. */
	sigaction(signal_number, &ours, NULL);
	if (fd >= 0) {
		put(fd, enter, sizeof(enter) - 1);
	}
	errno = error;
}

void terminal_size(int fd, uint32_t *columns_out, uint32_t *rows_out)
{
	struct winsize size;
	bool is_told = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 && size.ws_row != 0;

	*columns_out = is_told ? size.ws_col : 80;
	*rows_out = is_told ? size.ws_row : 24;
	*columns_out = *columns_out > TERMINAL_COLUMNS_MAX ? TERMINAL_COLUMNS_MAX : *columns_out;
	*rows_out = *rows_out > TERMINAL_ROWS_MAX ? TERMINAL_ROWS_MAX : *rows_out;
}

bool terminal_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);
		if (value != NULL && value[0] != '\0') {
			return strcasestr(value, "utf-8") != NULL ||
			       strcasestr(value, "utf8") != NULL;
		}
	}
	return false;
}

void terminal_enter(int fd)
{
	struct sigaction action = {.sa_handler = handle};

	ASSERT(screen_fd == -1);
	if (!is_hooked) {
		is_hooked = atexit(terminal_leave) == 0;
	}
	sigemptyset(&action.sa_mask);
	screen_fd = fd;
	put(fd, enter, sizeof(enter) - 1);
	for (size_t i = 0; i < ENDINGS; i++) {
		sigaction(endings[i], &action, &before[i]);
	}
}

void terminal_leave(void)
{
	int fd = screen_fd;

	if (fd < 0) {
		return;
	}
	put(fd, leave, sizeof(leave) - 1);
	screen_fd = -1;
	for (size_t i = 0; i < ENDINGS; i++) {
		sigaction(endings[i], &before[i], NULL);
	}
}

bool terminal_show(const char *text, size_t len)
{
	return screen_fd >= 0 && put(screen_fd, text, len);
}
