/* test_textwindow.c - windows that grow, slide and jump over files and memory show every octet of the text. */
#include "os/textwindow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kit/kit.h"

#define TEXT_MAX 3000u

/* Lines of random lengths; the last may have no end. */
static size_t random_text(char *text)
{
	size_t len = kit_random(TEXT_MAX);

	for (size_t i = 0; i < len; i++) {
		text[i] = (char)(kit_random(40) == 0 ? '\n' : 'a' + (char)kit_random(26));
	}
	return len;
}

static void check_window(const struct textwindow *window, const char *text, size_t len)
{
	size_t shown = (size_t)(window->end - window->octets);
	size_t off = (size_t)textwindow_off(window, window->octets);

	CHECK(off + shown <= len);
	CHECK_OCTETS(window->octets, shown, text + off, shown);
	CHECK_U(*window->end, 0);
	CHECK(shown == 0 || window->is_last || window->end[-1] == '\n');
	CHECK(shown != 0 || window->is_last);
}

/* To the end, growing now and then, and back to some place. */
static uint32_t walk(struct textwindow *window, const char *text, size_t len, bool can_seek)
{
	uint32_t steps = 0;

	for (bool more = true; more; steps++) {
		check_window(window, text, len);
		const uint8_t *end_before = window->end;
		uint64_t off_before = textwindow_off(window, end_before);
		switch (kit_random(can_seek ? 4 : 2)) {
		case 0:
			if (textwindow_grow(window)) {
				CHECK(window->end > end_before);
			} else {
				CHECK_U(off_before, len);
			}
			break;
		case 1:
			more = textwindow_slide(window);
			if (more) {
				CHECK_U(textwindow_off(window, window->octets), off_before);
			} else {
				CHECK_U(off_before, len);
			}
			break;
		case 2:
			if (kit_random(20) == 0) {
				uint64_t off = kit_random((uint32_t)off_before + 1);
				const uint8_t *at = textwindow_seek(window, off);
				CHECK_U(textwindow_off(window, at), off);
			}
			break;
		default:
			break;
		}
	}
	CHECK_U(window->status, STATUS_OK);
	return steps;
}

TEST(windows_of_each_size_show_all_of_the_text)
{
	static char text[TEXT_MAX];
	uint32_t steps = 0;

	for (uint32_t round = 0; round < 1500; round++) {
		size_t len = random_text(text);
		struct textsource source = textsource_of(text, len);
		struct textwindow window;
		CHECK_U(textwindow_open(
				&source, 1 + kit_random(round % 2 == 0 ? 100 : 4000), &window),
			STATUS_OK);
		steps += walk(&window, text, len, true);
		textwindow_close(&window);
	}
	CHECK(steps > 10000);
}

TEST(files_are_read_like_memory)
{
	static char text[TEXT_MAX];

	for (uint32_t round = 0; round < 10; round++) {
		size_t len = random_text(text);
		const char *path = kit_temp_file(text, len);
		struct textsource source;
		struct textwindow window;
		CHECK_U(textsource_open(path, true, &source), STATUS_OK);
		CHECK(source.can_seek);
		CHECK_U(source.len, len);
		CHECK_U(textwindow_open(&source, 1 + kit_random(200), &window), STATUS_OK);
		(void)walk(&window, text, len, true);
		textwindow_close(&window);
		textsource_close(&source);
	}
}

TEST(a_file_that_grew_since_it_was_opened_is_read_to_its_end)
{
	const char *path = kit_temp_file("ab\n", 3);
	struct textsource source;
	struct textwindow window;

	CHECK_U(textsource_open(path, true, &source), STATUS_OK);
	int fd = open(path, O_WRONLY | O_APPEND);
	CHECK(fd >= 0 && write(fd, "cd\nef", 5) == 5);
	close(fd);
	CHECK_U(textwindow_open(&source, 100, &window), STATUS_OK);
	while (textwindow_grow(&window)) {
	}
	CHECK_OCTETS(window.octets, (size_t)(window.end - window.octets), "ab\ncd\nef", 8);
	textwindow_close(&window);
	textsource_close(&source);
}

TEST(pipes_are_read_in_order)
{
	static char text[TEXT_MAX];
	int ends[2];
	char path[64];
	size_t len = random_text(text);
	struct textsource source;
	struct textwindow window;

	CHECK(pipe(ends) == 0);
	CHECK(write(ends[1], text, len) == (ssize_t)len);
	close(ends[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", ends[0]);
	CHECK_U(textsource_open(path, true, &source), STATUS_IO);
	CHECK_U(errno, EINVAL);
	CHECK_U(textsource_open(path, false, &source), STATUS_OK);
	CHECK(!source.can_seek);
	CHECK_U(textwindow_open(&source, 64, &window), STATUS_OK);
	(void)walk(&window, text, len, false);
	textwindow_close(&window);
	textsource_close(&source);
	close(ends[0]);
}

TEST(what_cannot_be_read_ends_the_window_and_says_why)
{
	const char *path = kit_temp_file("ab\ncd\n", 6);
	struct textsource source;
	struct textwindow window;

	CHECK_U(textsource_open("/", false, &source), STATUS_IO);
	CHECK_U(errno, EISDIR);
	CHECK_U(textsource_open(path, true, &source), STATUS_OK);
	CHECK_U(textwindow_open(&source, 2, &window), STATUS_OK);
	close(source.fd);
	CHECK(!textwindow_grow(&window));
	CHECK_U(window.status, STATUS_IO);
	CHECK_U(window.error, EBADF);
	CHECK_OCTETS(window.octets, (size_t)(window.end - window.octets), "ab\n", 3);
	CHECK(!textwindow_slide(&window));
	textwindow_close(&window);
	source.fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	textsource_close(&source);
}
