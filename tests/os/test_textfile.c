/* test_textfile.c - whole files, their padding, and what is refused. */
#include "os/textfile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/kit.h"

#define LARGE (3u << 20) /* octets */

static void check_padding(const struct textfile *file)
{
	for (uint32_t i = 0; i < TEXTFILE_PADDING; i++) {
		CHECK_U(file->octets[file->len + i], 0);
	}
}

TEST(files_of_each_size_are_read_whole_and_padded)
{
	static const size_t lens[] = {0, 1, 4095, 4096, 65536, LARGE};
	char *text = malloc(LARGE);

	CHECK(text != NULL);
	memset(text, 'x', LARGE);
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		const char *path = kit_temp_file(text, lens[i]);
		struct textfile file = {0};

		CHECK_U(textfile_read(path, true, LARGE, &file), STATUS_OK);
		CHECK_OCTETS(file.octets, file.len, text, lens[i]);
		check_padding(&file);
		textfile_free(&file);
	}
	free(text);
}

TEST(the_limit_is_the_longest_file)
{
	const char *path = kit_temp_file("abcd", 4);
	struct textfile file = {0};

	CHECK_U(textfile_read(path, true, 4, &file), STATUS_OK);
	textfile_free(&file);
	CHECK_U(textfile_read(path, true, 3, &file), STATUS_LIMIT);
	CHECK(file.octets == NULL);
}

TEST(pipes_are_read_only_where_they_are_welcome)
{
	char text[100000];
	struct textfile file = {0};
	int ends[2];

	memset(text, 'y', sizeof(text));
	CHECK(pipe(ends) == 0);
	char path[32];
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	CHECK_U(textfile_read(path, true, LARGE, &file), STATUS_IO);
	CHECK_U(errno, EINVAL);
	/* More than the first buffer has room for, less than the pipe has. */
	CHECK(write(ends[1], text, 65536) == 65536);
	CHECK(close(ends[1]) == 0);
	CHECK_U(textfile_read(path, false, LARGE, &file), STATUS_OK);
	CHECK_OCTETS(file.octets, file.len, text, 65536);
	check_padding(&file);
	textfile_free(&file);
	close(ends[0]);
}

TEST(a_pipe_that_nobody_writes_to_makes_nobody_wait)
{
	char path[] = "/tmp/saker-test-XXXXXX";
	struct textfile file = {0};

	CHECK(mkdtemp(path) != NULL);
	char fifo[64];
	snprintf(fifo, sizeof(fifo), "%s/fifo", path);
	CHECK(mkfifo(fifo, 0600) == 0);
	CHECK_U(textfile_read(fifo, true, LARGE, &file), STATUS_IO);
	CHECK_U(errno, EINVAL);
	unlink(fifo);
	rmdir(path);
}

TEST(folders_and_absent_files_are_refused)
{
	struct textfile file = {0};

	CHECK_U(textfile_read("/", false, LARGE, &file), STATUS_IO);
	CHECK_U(errno, EISDIR);
	CHECK_U(textfile_read("/nowhere/at/all", false, LARGE, &file), STATUS_IO);
	CHECK_U(errno, ENOENT);
	textfile_free(&file);
}
