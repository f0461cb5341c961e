/* diskfile.h - files of our own: read at any place, and written whole or not at all.
 *
 * Writing goes to a second file in the same folder, which takes the name of the first when all of it is on the disk.
 * Whoever reads sees the old one or the new one; what is cut off by a crash is overwritten the next time.
 *
 * thread  one owner
 */
#ifndef SAKER_OS_DISKFILE_H
#define SAKER_OS_DISKFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

#define DISKFILE_PATH_MAX 4096u  /* octets with the zero: PATH_MAX of Linux */
#define DISKFILE_BUFFER   65536u /* octets a system call: a small zone is a few hundred */

struct diskfile {
	int fd;
	uint64_t len; /* of the file, as it was opened; or written so far */
	/* of writing only */
	char *path;      /* owns: the final name */
	uint8_t *buffer; /* owns */
	size_t buffered;
};

/* diskfile_open - for reading. errors: STATUS_IO (errno; EINVAL: no regular file) */
MUST_USE enum status diskfile_open(const char *path, struct diskfile *out);

/* diskfile_read - len octets from off on. errors: STATUS_IO (errno; EIO: the file ends before) */
MUST_USE enum status diskfile_read(
	const struct diskfile *file, uint64_t off, void *out, size_t len);

/* diskfile_close - after reading. */
void diskfile_close(struct diskfile *file);

/* diskfile_create - for writing, for the owner alone (mode 0600).
 *
 * errors  STATUS_IO (errno), STATUS_MEMORY, STATUS_LIMIT: the path is too long
 */
MUST_USE enum status diskfile_create(const char *path, struct diskfile *out);

/* diskfile_write - appends. errors: STATUS_IO (errno) */
MUST_USE enum status diskfile_write(struct diskfile *file, const void *octets, size_t len);

/* diskfile_commit - the new file is on the disk, and has its name; the file is closed, whatever comes of it.
 *
 * errors  STATUS_IO (errno): the old one stays
 */
MUST_USE enum status diskfile_commit(struct diskfile *file);

/* diskfile_abort - instead of committing: the old one stays. */
void diskfile_abort(struct diskfile *file);

/* diskfile_remove - it need not be there. */
void diskfile_remove(const char *path);

/* diskfile_make_folder - for the owner alone (mode 0700), where it is not there yet. errors: STATUS_IO (errno) */
MUST_USE enum status diskfile_make_folder(const char *path);

/* diskfile_lock_folder - a descriptor that holds the folder for us alone until it is closed or we end.
 *
 * errors  -1 with errno; EWOULDBLOCK: another process has it
 */
MUST_USE int diskfile_lock_folder(const char *path);

void diskfile_unlock_folder(int fd);

#endif
