/* file.c - telling files apart. */
#include "os/file.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/now.h"

static int64_t to_ns(struct timespec at)
{
	return (int64_t)at.tv_sec * (int64_t)NOW_NS_A_SECOND + at.tv_nsec;
}

static struct file_identity identity_of(const struct stat *about)
{
	return (struct file_identity){.device = about->st_dev,
		.inode = about->st_ino,
		.len = (uint64_t)about->st_size,
		.mtime_ns = to_ns(about->st_mtim),
		.ctime_ns = to_ns(about->st_ctim)};
}

enum status file_identify(const char *path, struct file_identity *out)
{
	struct stat about;

	if (stat(path, &about) != 0) {
		return STATUS_IO;
	}
	*out = identity_of(&about);
	return STATUS_OK;
}

enum status file_identify_open(int fd, struct file_identity *out)
{
	struct stat about;

	if (fstat(fd, &about) != 0) {
		return STATUS_IO;
	}
	*out = identity_of(&about);
	return STATUS_OK;
}

bool file_identity_is_old(const struct file_identity *identity, int64_t wall_s)
{
	return identity->ctime_ns / (int64_t)NOW_NS_A_SECOND + FILE_TICK_S < wall_s;
}

bool file_identity_equal(const struct file_identity *a, const struct file_identity *b)
{
	return a->device == b->device && a->inode == b->inode && a->len == b->len &&
	       a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns;
}

bool file_is_readable(const char *path)
{
	struct stat about;

	if (access(path, R_OK) != 0 || stat(path, &about) != 0) {
		return false;
	}
	if (S_ISDIR(about.st_mode)) {
		errno = EISDIR;
		return false;
	}
	return true;
}

uint64_t file_raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
		return 0;
	}
	rlim_t before = limit.rlim_cur;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : before;
}
