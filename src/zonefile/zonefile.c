/* zonefile.c - opens what is to be read. */
#include "zonefile/zonefile.h"

#include <errno.h>
#include <string.h>

#include "os/textsource.h"
#include "os/textwindow.h"
#include "zonefile/reading.h"

/* Octets that one thread reads at a time of a large file; smaller ones are read in order. A guess: many make threads wait for
 * each other seldom at the end, and few cost little at their edges.
 */
#define PIECE_LEN ((size_t)512 << 10)

enum status zonefile_read_parts(const char *path, const struct name *origin,
	const struct zonefile_sink *sink, const struct zonefile_parts *parts)
{
	const struct reading reading = {.path = path,
		.origin = origin,
		.sink = sink,
		.parts = parts,
		.window_len = TEXTWINDOW_LEN,
		.piece_len = PIECE_LEN};
	struct textsource text;

	if (textsource_open(path, false, &text) != STATUS_OK) {
		diag_report(
			&sink->diag, DIAG_ERROR, path, 0, 0, "cannot be read: %s", strerror(errno));
		return STATUS_REFUSED;
	}
	return reading_run(&reading, &text);
}

enum status zonefile_read(
	const char *path, const struct name *origin, const struct zonefile_sink *sink)
{
	return zonefile_read_parts(path, origin, sink, NULL);
}

enum status zonefile_read_octets(const char *name, const char *text, size_t len,
	const struct name *origin, const struct zonefile_sink *sink)
{
	const struct reading reading = {
		.path = name, .origin = origin, .sink = sink, .window_len = TEXTWINDOW_LEN};
	const struct textsource source = textsource_of(text, len);

	return reading_run(&reading, &source);
}
