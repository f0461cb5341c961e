/* test_child.c - children are started, seen, and gone afterwards. */
#include "os/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kit/kit.h"

TEST(a_programs_output_goes_to_a_file)
{
	const char *path = kit_temp_file("", 0);
	const char *const words[] = {"sh", "-c", "echo out; echo err >&2; exec sleep 60", NULL};
	char text[64] = "";

	pid_t pid = child_start(words, path);
	CHECK(pid > 0);
	for (uint32_t i = 0; i < 500 && strlen(text) < 8; i++) {
		FILE *file = fopen(path, "r");
		CHECK(file != NULL);
		text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
		fclose(file);
		usleep(10000);
	}
	CHECK_S(text, "out\nerr\n");
	CHECK(child_is_running(pid));
	child_end(pid);
	CHECK(!child_is_running(pid));
	CHECK(kill(pid, 0) != 0 && errno == ESRCH);
}

static void ignore_and_wait(void *context)
{
	(void)context;
	signal(SIGTERM, SIG_IGN);
	for (;;) {
		pause();
	}
}

TEST(who_does_not_obey_is_killed)
{
	pid_t pid = child_fork(ignore_and_wait, NULL);

	CHECK(pid > 0);
	usleep(50000); /* until it ignores; killed in any case */
	child_end(pid);
	CHECK(kill(pid, 0) != 0 && errno == ESRCH);
}

static void flush(void *context)
{
	fflush(context);
}

TEST(what_was_buffered_is_written_once)
{
	const char *path = kit_temp_file("", 0);
	FILE *file = fopen(path, "w");
	char text[64] = "";

	CHECK(file != NULL);
	fputs("once\n", file);
	pid_t pid = child_fork(flush, file);
	CHECK(pid > 0);
	for (uint32_t i = 0; i < 500 && child_is_running(pid); i++) {
		usleep(10000);
	}
	child_end(pid);
	fclose(file);
	file = fopen(path, "r");
	CHECK(file != NULL);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	CHECK_S(text, "once\n");
}

TEST(a_program_that_is_not_there_is_not_started)
{
	const char *const words[] = {"no-such-program-here", NULL};

	CHECK(child_start(words, "/dev/null") == -1 && errno == ENOENT);
	CHECK(!child_is_installed(words[0]));
	CHECK(child_is_installed("sh"));
}
