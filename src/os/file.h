/* file.h - whole files, and what tells whether one changed.
 *
 * thread  any
 */
#ifndef SAKER_OS_FILE_H
#define SAKER_OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

/* A file that has the same identity has the same octets, unless somebody sets clocks back on purpose. */
struct file_identity {
	uint64_t device;
	uint64_t inode;
	uint64_t len;
	int64_t mtime_ns;
	int64_t ctime_ns; /* catches what sets mtime back: cp -p, tar, rsync -t */
};

/* file_read - the whole of a file.
 *
 * shape   octets_out: owned by the caller, free(); one zero octet stands behind len_out
 * errors  STATUS_IO (errno; EISDIR for a folder), STATUS_MEMORY, STATUS_LIMIT: longer than len_max
 */
MUST_USE enum status file_read(
	const char *path, size_t len_max, uint8_t **octets_out, size_t *len_out);

/* file_identify - errors: STATUS_IO (errno). */
MUST_USE enum status file_identify(const char *path, struct file_identity *out);

bool file_identity_equal(const struct file_identity *a, const struct file_identity *b);

/* file_is_readable - true where file_read() would get at it; else errno tells why. */
bool file_is_readable(const char *path);

/* file_raise_limit - lifts the limit of open descriptors as far as we may; returns what it is now. */
uint64_t file_raise_limit(void);

#endif
