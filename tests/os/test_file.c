/* test_file.c - whole files, limits, and identity. */
#include "os/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

TEST(a_file_is_read_whole_with_a_zero_behind_it)
{
	static char text[10000];
	uint8_t *octets;
	size_t len;

	memset(text, 'x', sizeof(text));
	for (size_t want = 0; want <= sizeof(text); want += 2500) {
		CHECK_U(file_read(kit_temp_file(text, want), sizeof(text), &octets, &len),
			STATUS_OK);
		CHECK_OCTETS(octets, len, text, want);
		CHECK_U(octets[len], 0);
		free(octets);
	}
}

TEST(a_file_without_a_size_is_read_whole_too)
{
	uint8_t *octets;
	size_t len;

	CHECK_U(file_read("/proc/self/status", 1 << 20, &octets, &len), STATUS_OK);
	CHECK(len > 100);
	free(octets);
	CHECK_U(file_read("/proc/self/status", 100, &octets, &len), STATUS_LIMIT);
}

TEST(what_cannot_be_read_says_why)
{
	uint8_t *octets;
	size_t len;

	CHECK_U(file_read("/nonexistent", 10, &octets, &len), STATUS_IO);
	CHECK_U(errno, ENOENT);
	CHECK(!file_is_readable("/nonexistent"));
	CHECK_U(errno, ENOENT);
	CHECK_U(file_read("/tmp", 1 << 20, &octets, &len), STATUS_IO);
	CHECK_U(errno, EISDIR);
	CHECK(!file_is_readable("/tmp"));
	CHECK_U(errno, EISDIR);
	CHECK_U(file_read(kit_temp_file("12345", 5), 4, &octets, &len), STATUS_LIMIT);
	CHECK_U(file_read(kit_temp_file("12345", 5), 5, &octets, &len), STATUS_OK);
	free(octets);
}

TEST(a_changed_file_has_another_identity)
{
	const char *path = kit_temp_file("one", 3);
	struct file_identity before, again, after;

	CHECK_U(file_identify(path, &before), STATUS_OK);
	CHECK_U(file_identify(path, &again), STATUS_OK);
	CHECK(file_identity_equal(&before, &again));
	FILE *file = fopen(path, "a");
	CHECK(file != NULL);
	fputs("two", file);
	fclose(file);
	CHECK_U(file_identify(path, &after), STATUS_OK);
	CHECK(!file_identity_equal(&before, &after));
	CHECK_U(file_identify("/nonexistent", &after), STATUS_IO);
}
