/* textfile.h - a whole text file in memory, with zero octets behind it for scanners that look ahead.
 *
 * For small files; textwindow.h is for those that may be large. The file is read, not mapped: somebody who cuts a mapped
 * file short while we read it would end the process with SIGBUS.
 *
 * thread  any
 */
#ifndef SAKER_OS_TEXTFILE_H
#define SAKER_OS_TEXTFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"

#define TEXTFILE_PADDING 64u /* zero octets behind the text: a cache line */

struct textfile {
	uint8_t *octets; /* owns */
	size_t len;
	size_t room; /* octets of memory, the padding not counted */
};

/* textfile_read - reads the whole file.
 *
 * shape   regular_only: refuse pipes and devices, which have no end or make us wait
 * errors  STATUS_IO (errno; EISDIR, or EINVAL for what is no regular file), STATUS_MEMORY,
 *         STATUS_LIMIT: longer than len_max
 */
MUST_USE enum status textfile_read(
	const char *path, bool regular_only, size_t len_max, struct textfile *out);

/* textfile_free - accepts one that was never read (all zero). */
void textfile_free(struct textfile *file);

#endif
