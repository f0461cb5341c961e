/* textsource.c - open(2) and pread(2), or memcpy(). */
#include "os/textsource.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does what the descriptor is suit us? errno tells where not. */
static bool is_suitable(int fd, bool regular_only, struct stat *about)
{
	if (fstat(fd, about) != 0) {
		return false;
	}
	if (S_ISDIR(about->st_mode)) {
		errno = EISDIR;
		return false;
	}
	if (regular_only && !S_ISREG(about->st_mode)) {
		errno = EINVAL;
		return false;
	}
	return true;
}

enum status textsource_open(const char *path, bool regular_only, struct textsource *out)
{
	struct textsource source = {.is_file = true};
	struct stat about;

	/* Opening a pipe that nobody writes to would wait for ever. */
	source.fd = open(path, O_RDONLY | O_CLOEXEC | (regular_only ? O_NONBLOCK : 0));
	if (source.fd < 0) {
		return STATUS_IO;
	}
	if (!is_suitable(source.fd, regular_only, &about) ||
		file_identify_open(source.fd, &source.identity) != STATUS_OK) {
		int saved = errno;
		close(source.fd);
		errno = saved;
		return STATUS_IO;
	}
	source.can_seek = S_ISREG(about.st_mode);
	source.len = source.can_seek ? (uint64_t)about.st_size : 0;
	*out = source;
	return STATUS_OK;
}

struct textsource textsource_of(const void *octets, size_t len)
{
	return (struct textsource){
		.octets = octets, .len = len, .can_seek = true, .is_file = false};
}

enum status textsource_read(
	const struct textsource *source, uint64_t off, uint8_t *out, size_t len, size_t *got_out)
{
	ssize_t got;

	if (!source->is_file) {
		uint64_t left = off < source->len ? source->len - off : 0;
		*got_out = left < len ? (size_t)left : len;
		if (*got_out != 0) {
			memcpy(out, source->octets + off, *got_out);
		}
		return STATUS_OK;
	}
	do {
		got = source->can_seek ? pread(source->fd, out, len, (off_t)off)
				       : read(source->fd, out, len);
	} while (got < 0 && errno == EINTR);
	if (got < 0) {
		return STATUS_IO;
	}
	*got_out = (size_t)got;
	return STATUS_OK;
}

void textsource_close(struct textsource *source)
{
	if (source->is_file) {
		close(source->fd);
	}
	*source = (struct textsource){.octets = NULL};
}
