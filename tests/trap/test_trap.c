/* test_trap.c - the trap catches what it is for, and nothing else. */
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/trap.h"
#include "kit/kit.h"

static void *volatile kept; /* or the compiler would leave the calls out */

static void use_malloc(void)
{
	kept = malloc(10);
}

static void use_calloc(void)
{
	kept = calloc(1, 10);
}

static void use_realloc(void)
{
	kept = realloc(kept, 20);
}

static void use_aligned_alloc(void)
{
	kept = aligned_alloc(64, 64);
}

static void use_free(void)
{
	free(kept);
	kept = NULL;
}

static void (*const uses[])(void) = {
	use_malloc, use_calloc, use_realloc, use_aligned_alloc, use_free};

/* The signal that ended a child which does it between the marks. */
static int signal_inside(void (*use)(void))
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		const struct rlimit no_core = {0};
		setrlimit(RLIMIT_CORE, &no_core);
		close(STDERR_FILENO);
		signal(SIGABRT, SIG_DFL); /* cmocka handles it */
		trap_enter();
		use();
		_exit(0);
	}
	CHECK(child > 0);
	CHECK_U(waitpid(child, &status, 0), (uint64_t)child);
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(allocating_between_the_marks_aborts)
{
	kept = malloc(10);
	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		CHECK_U(signal_inside(uses[i]), SIGABRT);
	}
	free(kept);
}

TEST(allocating_outside_is_fine)
{
	trap_enter();
	trap_enter();
	trap_leave();
	trap_leave();
	kept = malloc(10);
	use_realloc();
	use_free();
	use_aligned_alloc();
	use_free();
}
