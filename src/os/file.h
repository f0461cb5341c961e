/* file.h - what tells whether a file changed, or can be read at all; and how many may be open.
 *
 * thread  any
 */
#ifndef SAKER_OS_FILE_H
#define SAKER_OS_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

#define FILE_TICK_S                                                                                \
	2 /* seconds: FAT keeps times in steps of two, others in steps of 10 ms or less */

/* A file that has the same identity has the same octets, unless somebody sets clocks back on purpose. */
struct file_identity {
	uint64_t device;
	uint64_t inode;
	uint64_t len;
	int64_t mtime_ns;
	int64_t ctime_ns; /* catches what sets mtime back: cp -p, tar, rsync -t */
};

/* file_identify - errors: STATUS_IO (errno). */
MUST_USE enum status file_identify(const char *path, struct file_identity *out);

/* file_identify_open - the same of an open descriptor. errors: STATUS_IO (errno). */
MUST_USE enum status file_identify_open(int fd, struct file_identity *out);

/* file_identity_is_old - true where another change would show: clocks of file systems tick slowly, so of two
 * changes within FILE_TICK_S the second may leave the identity as it was.
 */
bool file_identity_is_old(const struct file_identity *identity, int64_t wall_s);

bool file_identity_equal(const struct file_identity *a, const struct file_identity *b);

/* file_is_readable - true where the file can be opened for reading and is no folder; else errno tells why. */
bool file_is_readable(const char *path);

/* file_raise_limit - lifts the limit of open descriptors as far as we may; returns what it is now. */
uint64_t file_raise_limit(void);

#endif
