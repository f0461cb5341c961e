/* child.c - fork, exec, and an end. */
#include "os/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATH_LEN    4096u
#define STATUS_EXEC 127            /* what a shell says of a program that it cannot run */
#define LOOK_NS     (20 * 1000000) /* between two looks at a child that is to end */
#define LOOKS_MAX   150            /* three seconds */

static const char *const folders[] = {"/usr/sbin", "/usr/local/sbin", "/sbin"};

/* The path of a program; name itself where it holds a slash. */
static bool find(const char *name, char path[PATH_LEN])
{
	const char *list = getenv("PATH");

	if (strchr(name, '/') != NULL) {
		snprintf(path, PATH_LEN, "%s", name);
		return access(path, X_OK) == 0;
	}
	while (list != NULL && *list != '\0') {
		size_t len = strcspn(list, ":");
		snprintf(path, PATH_LEN, "%.*s/%s", (int)len, list, name);
		if (len != 0 && access(path, X_OK) == 0) {
			return true;
		}
		list += len + (list[len] == ':' ? 1 : 0);
	}
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		snprintf(path, PATH_LEN, "%s/%s", folders[i], name);
		if (access(path, X_OK) == 0) {
			return true;
		}
	}
	return false;
}

bool child_is_installed(const char *name)
{
	char path[PATH_LEN];

	return find(name, path);
}

/* In the child: it ends with its parent, and hears signals. */
static void settle_child(pid_t parent)
{
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, (unsigned long)SIGTERM, 0ul, 0ul, 0ul);
	if (getppid() != parent) {
		_exit(EXIT_SUCCESS); /* it was gone before that */
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void exec_child(const char *path, const char *const *words, const char *output_path)
{
	int output = open(output_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	/* execv() does not write to the words; its type is older than const. */
	union {
		const char *const *from;
		char *const *to;
	} pun = {.from = words};

	if (output >= 0 && input >= 0 && dup2(input, STDIN_FILENO) >= 0 &&
		dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0) {
		execv(path, pun.to);
	}
	_exit(STATUS_EXEC);
}

/* What is buffered would be copied, and written twice where something flushes the copy: exit(), or the _exit() of
 * ThreadSanitizer.
 */
static pid_t flush_and_fork(void)
{
	fflush(NULL);
	return fork();
}

pid_t child_start(const char *const *words, const char *output_path)
{
	char path[PATH_LEN];
	pid_t parent = getpid();

	if (!find(words[0], path)) {
		errno = ENOENT;
		return -1;
	}
	pid_t pid = flush_and_fork();
	if (pid == 0) {
		settle_child(parent);
		exec_child(path, words, output_path);
	}
	return pid;
}

pid_t child_fork(void (*run)(void *context), void *context)
{
	pid_t parent = getpid();
	pid_t pid = flush_and_fork();

	if (pid == 0) {
		settle_child(parent);
		run(context);
		_exit(EXIT_SUCCESS);
	}
	return pid;
}

bool child_is_running(pid_t pid)
{
	siginfo_t info = {0};

	/* Looks without taking its status: child_end() does that. */
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == 0;
}

void child_end(pid_t pid)
{
	const struct timespec pause = {.tv_nsec = LOOK_NS};

	kill(pid, SIGTERM);
	for (uint32_t i = 0; i < LOOKS_MAX && child_is_running(pid); i++) {
		nanosleep(&pause, NULL);
	}
	if (child_is_running(pid)) {
		kill(pid, SIGKILL);
	}
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR) {
		continue;
	}
}
