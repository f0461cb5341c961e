/* textwindow.h - a part of a text that slides over it, for scanners that look ahead.
 *
 *     source  ....................a line\n|another line\n|a li............
 *                                 ^ octets               ^ end, where a zero stands meanwhile
 *
 * The window ends behind a line feed, or where the text ends. It grows at its end in place, so that what points into it
 * stays good while an entry is being read, and moves only when it is told to, between entries. So a text of any size
 * costs a few pages, which stay in the cache, and an entry may be as long as it likes.
 *
 * The text is read, not mapped: somebody who cuts a mapped file short while we read it would end the process with
 * SIGBUS.
 *
 * invariant  *end is zero, and TEXTWINDOW_PADDING - 1 octets behind it may be loaded, whatever they are
 * thread     one owner
 */
#ifndef SAKER_OS_TEXTWINDOW_H
#define SAKER_OS_TEXTWINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "os/region.h"
#include "os/textsource.h"

#define TEXTWINDOW_PADDING 64u /* octets: a cache line */
/* Octets read at a time: half of a second-level cache, and a system call for thousands of entries. Guess; 256 KiB to 2 MiB
 * differ by less than what can be measured here.
 */
#define TEXTWINDOW_LEN ((size_t)512 << 10)

/* All zero is one that is not open. Read-only for others: octets, end, is_last, status, error. */
struct textwindow {
	const struct textsource *source; /* borrows */
	uint8_t *octets;                 /* owns: in memory, or the allocator's */
	const uint8_t *end;
	bool is_last;         /* nothing comes behind end */
	bool was_cut;         /* what stood at end is in at_end */
	uint8_t at_end;       /* instead of the zero */
	enum status status;   /* what ended the text before its end: STATUS_IO, STATUS_MEMORY */
	int error;            /* errno of STATUS_IO */
	size_t len;           /* octets read at a time */
	size_t filled;        /* octets read so far, from octets on */
	size_t room;          /* octets that can be read without growing */
	uint64_t off;         /* in the text, of what is read next */
	struct region memory; /* start NULL: the allocator's */
};

/* textwindow_open - at the start of a source, which stays in place until textwindow_close().
 *
 * shape   len: octets to be read at a time, at least 1
 * errors  STATUS_IO (errno), STATUS_MEMORY
 */
MUST_USE enum status textwindow_open(
	const struct textsource *source, size_t len, struct textwindow *out);

/* textwindow_grow - more text behind end; before it nothing moves.
 *
 * effect  false: end is where it was, for the text ends there, or status says why it cannot be read
 */
MUST_USE bool textwindow_grow(struct textwindow *window);

/* textwindow_slide - leaves all before end behind: what stands at octets then is what stood at end.
 *
 * effect  false: nothing stands there, for the text has ended, or status says why it cannot be read
 */
MUST_USE bool textwindow_slide(struct textwindow *window);

/* textwindow_seek - to another place, not behind the end, of a source that can seek; returns where in the window it is.
 *
 * effect  where nothing stands there, or it cannot be read, that is end
 */
MUST_USE const uint8_t *textwindow_seek(struct textwindow *window, uint64_t off);

/* textwindow_off - the place in the text of an octet of the window, or of its end. */
uint64_t textwindow_off(const struct textwindow *window, const uint8_t *at);

/* textwindow_close - the memory; the source stays. Accepts one that is not open. */
void textwindow_close(struct textwindow *window);

#endif
