/* intake.h - a file that is read from its start to its end through one buffer: look ahead, then pass.
 *
 *     |  passed  |  at: seen, not passed  |  not read yet ...
 *
 * Captures are larger than memory, and come through pipes as well; so nothing is mapped or read whole.
 *
 * invariant  at <= len <= INTAKE_CAP
 * thread     one owner
 */
#ifndef SAKER_CAPTURE_INTAKE_H
#define SAKER_CAPTURE_INTAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/check.h"
#include "base/status.h"

/* Octets that can be seen at once: four times the largest packet that tcpdump keeps (MAXIMUM_SNAPLEN 262144). */
#define INTAKE_CAP (1u << 20)

struct intake {
	FILE *file;      /* borrows: the caller's */
	uint8_t *octets; /* owns */
	size_t at;
	size_t len;
	int error; /* errno of a failed read, after which the file counts as ended; 0: none */
	bool is_ended;
};

/* intake_init - errors: STATUS_MEMORY; nothing is left to be undone */
MUST_USE enum status intake_init(struct intake *intake, FILE *file);

void intake_fini(struct intake *intake);

/* intake_want - reads until want <= INTAKE_CAP octets can be seen; false where the file ends before. */
MUST_USE bool intake_want(struct intake *intake, size_t want);

/* intake_look - what can be seen without reading; it stays in place until the next intake_want(). */
static inline const uint8_t *intake_look(const struct intake *intake)
{
	return intake->octets + intake->at;
}

/* intake_left - octets that can be seen without reading. */
static inline size_t intake_left(const struct intake *intake)
{
	return intake->len - intake->at;
}

/* intake_pass - goes len octets on, read or not; false where the file ends before. */
MUST_USE bool intake_pass(struct intake *intake, uint64_t len);

/* intake_line - sees a whole line without its line end, and passes it; false at the end of the file.
 *
 * effect  *len_out > max: the line is longer; it is passed, and *out is not to be looked at
 * shape   max < INTAKE_CAP; *out stays in place until the next call
 */
MUST_USE bool intake_line(struct intake *intake, size_t max, const char **out, size_t *len_out);

#endif
