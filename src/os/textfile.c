/* textfile.c - reading text files whole. */
#include "os/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_CAP (1u << 16) /* octets for what tells no size: pipes, /proc. A guess; doubled */

/* From here on memory comes straight from the kernel, in huge pages where it has them, so that a large
 * zone costs few faults and leaves no hole behind. Smaller files are the allocator's: a hundred thousand
 * small zones would pay for two system calls each.
 */
#define MAP_LEN_MIN (2u << 20) /* octets: a huge page of x86-64 */

static uint8_t *map_pages(size_t len)
{
	void *pages = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED) {
		return NULL;
	}
	(void)madvise(pages, len, MADV_HUGEPAGE); /* advice: nothing is lost without */
	return pages;
}

static enum status reserve(struct textfile *file, size_t len)
{
	if (len > SIZE_MAX - TEXTFILE_PADDING) {
		return STATUS_MEMORY;
	}
	file->cap = len + TEXTFILE_PADDING;
	file->is_mapped = file->cap >= MAP_LEN_MIN;
	file->octets = file->is_mapped ? map_pages(file->cap) : malloc(file->cap);
	return file->octets != NULL ? STATUS_OK : STATUS_MEMORY;
}

static enum status grow(struct textfile *file)
{
	struct textfile larger = *file;
	enum status status = reserve(&larger, (file->cap - TEXTFILE_PADDING) * 2);

	if (status != STATUS_OK) {
		return status;
	}
	memcpy(larger.octets, file->octets, file->len);
	textfile_free(file);
	*file = larger;
	return STATUS_OK;
}

static void put_padding(struct textfile *file)
{
	memset(file->octets + file->len, 0, TEXTFILE_PADDING);
}

static enum status read_all(int fd, size_t len_max, struct textfile *file)
{
	for (;;) {
		if (file->len > len_max) {
			return STATUS_LIMIT;
		}
		if (file->len == file->cap - TEXTFILE_PADDING) {
			enum status status = grow(file);
			if (status != STATUS_OK) {
				return status;
			}
		}
		ssize_t got = read(
			fd, file->octets + file->len, file->cap - TEXTFILE_PADDING - file->len);
		if (got < 0 && errno != EINTR) {
			return STATUS_IO;
		}
		if (got == 0) {
			put_padding(file);
			return STATUS_OK;
		}
		file->len += got > 0 ? (size_t)got : 0;
	}
}

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

enum status textfile_read(const char *path, bool regular_only, size_t len_max, struct textfile *out)
{
	struct textfile file = {0};
	struct file_identity identity;
	struct stat about;
	enum status status = STATUS_IO;
	/* Opening a pipe that nobody writes to would wait for ever. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | (regular_only ? O_NONBLOCK : 0));

	if (fd < 0) {
		return STATUS_IO;
	}
	if (!is_suitable(fd, regular_only, &about) ||
		file_identify_open(fd, &identity) != STATUS_OK) {
		goto close_file;
	}
	size_t hint = S_ISREG(about.st_mode) ? (size_t)about.st_size : FIRST_CAP;
	if (hint > len_max) {
		status = STATUS_LIMIT;
		goto close_file;
	}
	/* One octet more than the size, so that the end is met without growing. */
	status = reserve(&file, hint + 1);
	if (status == STATUS_OK) {
		status = read_all(fd, len_max, &file);
	}
	if (status != STATUS_OK) {
		int saved = errno;
		textfile_free(&file);
		errno = saved;
		goto close_file;
	}
	file.identity = identity;
	*out = file;

close_file:;
	int saved = errno;
	close(fd);
	errno = saved;
	return status;
}

enum status textfile_copy(const void *octets, size_t len, struct textfile *out)
{
	struct textfile file = {.len = len};
	enum status status = reserve(&file, len);

	if (status != STATUS_OK) {
		return status;
	}
	if (len > 0) {
		memcpy(file.octets, octets, len);
	}
	put_padding(&file);
	*out = file;
	return STATUS_OK;
}

void textfile_free(struct textfile *file)
{
	if (file->is_mapped && file->octets != NULL) {
		munmap(file->octets, file->cap);
	} else if (!file->is_mapped) {
		free(file->octets);
	}
	*file = (struct textfile){0};
}
