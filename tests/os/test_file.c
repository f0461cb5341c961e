/* test_file.c - readable or not, and identity. */
#include "os/file.h"

#include <errno.h>
#include <stdio.h>

#include "base/now.h"
#include "kit/kit.h"

TEST(what_cannot_be_read_says_why)
{
	CHECK(file_is_readable(kit_temp_file("", 0)));
	CHECK(!file_is_readable("/nonexistent"));
	CHECK_U(errno, ENOENT);
	CHECK(!file_is_readable("/tmp"));
	CHECK_U(errno, EISDIR);
}

TEST(an_identity_is_old_when_the_clock_has_ticked)
{
	struct file_identity identity = {.ctime_ns = 1000 * (int64_t)NOW_NS_A_SECOND};

	CHECK(!file_identity_is_old(&identity, 0));
	CHECK(!file_identity_is_old(&identity, 1000));
	CHECK(!file_identity_is_old(&identity, 1000 + FILE_TICK_S));
	CHECK(file_identity_is_old(&identity, 1000 + FILE_TICK_S + 1));
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
