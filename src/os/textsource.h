/* textsource.h - a text file, or text in memory, that is read from any place.
 *
 * thread  textsource_read() on any thread where can_seek; the others on the owner's
 */
#ifndef SAKER_OS_TEXTSOURCE_H
#define SAKER_OS_TEXTSOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "os/file.h"

/* All zero is one that is not open. */
struct textsource {
	const uint8_t *octets; /* borrows: text in memory; NULL: a file */
	uint64_t len; /* of the text; of a file as it was opened, 0 where that tells none */
	int fd;       /* owns, where is_file */
	bool is_file;
	bool can_seek; /* a pipe or a device cannot: it gives what is next, whatever the place */
	struct file_identity identity; /* as the descriptor told when it was opened; zero: memory */
};

/* textsource_open - a file.
 *
 * shape   regular_only: refuse pipes and devices, which have no end or make us wait
 * errors  STATUS_IO (errno; EISDIR, or EINVAL for what is no regular file)
 */
MUST_USE enum status textsource_open(const char *path, bool regular_only, struct textsource *out);

/* textsource_of - text in memory, which stays the caller's. */
struct textsource textsource_of(const void *octets, size_t len);

/* textsource_read - up to len octets from off on; *got_out is 0 at the end only. errors: STATUS_IO (errno) */
MUST_USE enum status textsource_read(
	const struct textsource *source, uint64_t off, uint8_t *out, size_t len, size_t *got_out);

/* textsource_close - accepts one that is not open, and text in memory. */
void textsource_close(struct textsource *source);

#endif
