/* file.c - reading files and telling them apart. */
#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/now.h"

/* Room for the first read where the kernel tells no size (pipes, /proc); doubled from there on. */
#define FIRST_CAP 4096u

static ssize_t read_once(int fd, uint8_t *octets, size_t len)
{
	ssize_t got;

	do {
		got = read(fd, octets, len);
	} while (got < 0 && errno == EINTR);
	return got;
}

/* Reads to the end, growing the buffer: st_size is a hint only, files grow and pipes have none. */
static enum status read_all(
	int fd, size_t cap, size_t len_max, uint8_t **octets_out, size_t *len_out)
{
	uint8_t *octets = malloc(cap + 1);
	size_t len = 0;

	while (octets != NULL) {
		ssize_t got = read_once(fd, octets + len, cap - len);
		if (got < 0) {
			int saved = errno;
			free(octets);
			errno = saved;
			return STATUS_IO;
		}
		len += (size_t)got;
		if (len > len_max) {
			free(octets);
			return STATUS_LIMIT;
		}
		if (got == 0) {
			octets[len] = 0;
			*octets_out = octets;
			*len_out = len;
			return STATUS_OK;
		}
		if (len == cap) {
			cap *= 2;
			uint8_t *more = realloc(octets, cap + 1);
			if (more == NULL) {
				free(octets);
			}
			octets = more;
		}
	}
	return STATUS_MEMORY;
}

enum status file_read(const char *path, size_t len_max, uint8_t **octets_out, size_t *len_out)
{
	struct stat about;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &about) != 0) {
		int saved = errno;
		if (fd >= 0) {
			close(fd);
		}
		errno = saved;
		return STATUS_IO;
	}
	/* One octet more than the size, so that the end is met without growing. */
	size_t cap = about.st_size > 0 ? (size_t)about.st_size + 1 : FIRST_CAP;
	enum status status = (uint64_t)about.st_size > len_max
				     ? STATUS_LIMIT
				     : read_all(fd, cap, len_max, octets_out, len_out);
	int saved = errno;
	close(fd);
	errno = saved;
	return status;
}

static int64_t to_ns(struct timespec at)
{
	return (int64_t)at.tv_sec * (int64_t)NOW_NS_A_SECOND + at.tv_nsec;
}

enum status file_identify(const char *path, struct file_identity *out)
{
	struct stat about;

	if (stat(path, &about) != 0) {
		return STATUS_IO;
	}
	*out = (struct file_identity){.device = about.st_dev,
		.inode = about.st_ino,
		.len = (uint64_t)about.st_size,
		.mtime_ns = to_ns(about.st_mtim),
		.ctime_ns = to_ns(about.st_ctim)};
	return STATUS_OK;
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
