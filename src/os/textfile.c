/* textfile.c - reading text files whole. */
#include "os/textfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "os/textsource.h"

#define FIRST_CAP (1u << 16) /* octets for what tells no size: pipes, /proc. A guess; doubled */

static enum status grow(struct textfile *file, size_t len)
{
	uint8_t *octets = realloc(file->octets, len + TEXTFILE_PADDING);

	if (octets == NULL) {
		return STATUS_MEMORY;
	}
	file->octets = octets;
	file->room = len;
	return STATUS_OK;
}

static enum status read_all(const struct textsource *source, size_t len_max, struct textfile *file)
{
	for (;;) {
		size_t got;
		if (file->len > len_max) {
			return STATUS_LIMIT;
		}
		if (file->len == file->room && grow(file, file->room * 2) != STATUS_OK) {
			return STATUS_MEMORY;
		}
		enum status status = textsource_read(
			source, file->len, file->octets + file->len, file->room - file->len, &got);
		if (status != STATUS_OK || got == 0) {
			return status;
		}
		file->len += got;
	}
}

enum status textfile_read(const char *path, bool regular_only, size_t len_max, struct textfile *out)
{
	struct textfile file = {.octets = NULL};
	struct textsource source;
	enum status status = textsource_open(path, regular_only, &source);

	if (status != STATUS_OK) {
		return status;
	}
	if (source.len > len_max) {
		status = STATUS_LIMIT;
	} else {
		/* One octet more than the size, so that the end is met without growing. */
		status = grow(&file, source.can_seek ? (size_t)source.len + 1 : FIRST_CAP);
	}
	if (status == STATUS_OK) {
		status = read_all(&source, len_max, &file);
	}
	int saved = errno;
	textsource_close(&source);
	if (status == STATUS_OK) {
		memset(file.octets + file.len, 0, TEXTFILE_PADDING);
		*out = file;
	} else {
		textfile_free(&file);
	}
	errno = saved;
	return status;
}

void textfile_free(struct textfile *file)
{
	free(file->octets);
	*file = (struct textfile){.octets = NULL};
}
