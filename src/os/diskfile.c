/* diskfile.c - pread(2), and write, fsync, rename, fsync. */
#include "os/diskfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char part[] = ".new"; /* behind the name while it is written */

enum status diskfile_open(const char *path, struct diskfile *out)
{
	struct stat about;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0) {
		return STATUS_IO;
	}
	if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
		close(fd);
		errno = EINVAL;
		return STATUS_IO;
	}
	*out = (struct diskfile){.fd = fd, .len = (uint64_t)about.st_size};
	return STATUS_OK;
}

enum status diskfile_read(const struct diskfile *file, uint64_t off, void *out, size_t len)
{
	uint8_t *at = out;

	while (len > 0) {
		ssize_t got = pread(file->fd, at, len, (off_t)off);
		if (got == 0) {
			errno = EIO;
			return STATUS_IO;
		}
		if (got < 0) {
			if (errno == EINTR) {
				continue;
			}
			return STATUS_IO;
		}
		at += got;
		off += (uint64_t)got;
		len -= (size_t)got;
	}
	return STATUS_OK;
}

void diskfile_close(struct diskfile *file)
{
	if (file->fd >= 0) {
		close(file->fd);
	}
	file->fd = -1;
}

enum status diskfile_create(const char *path, struct diskfile *out)
{
	char name[DISKFILE_PATH_MAX];
	struct diskfile file = {.path = strdup(path), .buffer = malloc(DISKFILE_BUFFER)};
	enum status status = STATUS_MEMORY;

	if (file.path == NULL || file.buffer == NULL) {
		goto undo_memory;
	}
	status = STATUS_LIMIT;
	if ((size_t)snprintf(name, sizeof(name), "%s%s", path, part) >= sizeof(name)) {
		goto undo_memory;
	}
	status = STATUS_IO;
	/* What an earlier crash left may have another mode, or be a link to elsewhere. */
	unlink(name);
	file.fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (file.fd >= 0) {
		*out = file;
		return STATUS_OK;
	}

undo_memory:
	free(file.path);
	free(file.buffer);
	return status;
}

static enum status flush(struct diskfile *file)
{
	const uint8_t *at = file->buffer;

	while (file->buffered > 0) {
		ssize_t put = write(file->fd, at, file->buffered);
		if (put < 0) {
			if (errno == EINTR) {
				continue;
			}
			return STATUS_IO;
		}
		at += put;
		file->buffered -= (size_t)put;
	}
	return STATUS_OK;
}

enum status diskfile_write(struct diskfile *file, const void *octets, size_t len)
{
	const uint8_t *at = octets;

	while (len > 0) {
		size_t take = DISKFILE_BUFFER - file->buffered;
		take = take < len ? take : len;
		memcpy(file->buffer + file->buffered, at, take);
		file->buffered += take;
		file->len += take;
		at += take;
		len -= take;
		if (file->buffered == DISKFILE_BUFFER && flush(file) != STATUS_OK) {
			return STATUS_IO;
		}
	}
	return STATUS_OK;
}

static void release(struct diskfile *file)
{
	if (file->fd >= 0) {
		close(file->fd);
	}
	free(file->path);
	free(file->buffer);
	*file = (struct diskfile){.fd = -1};
}

/* The name itself is on the disk when the folder is. */
static enum status sync_folder(const char *path)
{
	char folder[DISKFILE_PATH_MAX];
	const char *slash = strrchr(path, '/');

	if (slash == NULL) {
		memcpy(folder, ".", 2);
	} else {
		snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path) + 1, path);
	}
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		return STATUS_IO;
	}
	int result = fsync(fd);
	close(fd);
	return result == 0 ? STATUS_OK : STATUS_IO;
}

enum status diskfile_commit(struct diskfile *file)
{
	char name[DISKFILE_PATH_MAX];

	snprintf(name, sizeof(name), "%s%s", file->path, part);
	bool good = flush(file) == STATUS_OK && fsync(file->fd) == 0 &&
		    rename(name, file->path) == 0 && sync_folder(file->path) == STATUS_OK;
	int saved = errno;
	if (good) {
		release(file);
	} else {
		diskfile_abort(file);
	}
	errno = saved;
	return good ? STATUS_OK : STATUS_IO;
}

void diskfile_abort(struct diskfile *file)
{
	char name[DISKFILE_PATH_MAX];
	int saved = errno;

	if (file->path != NULL) {
		snprintf(name, sizeof(name), "%s%s", file->path, part);
		unlink(name);
	}
	release(file);
	errno = saved;
}

void diskfile_remove(const char *path)
{
	unlink(path);
}

enum status diskfile_make_folder(const char *path)
{
	return mkdir(path, 0700) == 0 || errno == EEXIST ? STATUS_OK : STATUS_IO;
}

int diskfile_lock_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
		int saved = errno;
		close(fd);
		errno = saved;
		return -1;
	}
	return fd;
}

void diskfile_unlock_folder(int fd)
{
	if (fd >= 0) {
		close(fd);
	}
}
