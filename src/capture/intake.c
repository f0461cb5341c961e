/* intake.c - look ahead, then pass. */
#include "capture/intake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum status intake_init(struct intake *intake, FILE *file)
{
	*intake = (struct intake){.file = file, .octets = malloc(INTAKE_CAP)};
	return intake->octets == NULL ? STATUS_MEMORY : STATUS_OK;
}

void intake_fini(struct intake *intake)
{
	free(intake->octets);
	intake->octets = NULL;
}

/* Fills the buffer as far as one read goes. */
static void refill(struct intake *intake)
{
	if (intake->at != 0) {
		memmove(intake->octets, intake->octets + intake->at, intake_left(intake));
		intake->len -= intake->at;
		intake->at = 0;
	}
	errno = 0;
	size_t got = fread(intake->octets + intake->len, 1, INTAKE_CAP - intake->len, intake->file);
	intake->len += got;
	if (got == 0) {
		intake->is_ended = true;
		intake->error = ferror(intake->file) != 0 ? errno : 0;
	}
}

bool intake_want(struct intake *intake, size_t want)
{
	ASSERT(want <= INTAKE_CAP);
	while (intake_left(intake) < want && !intake->is_ended) {
		refill(intake);
	}
	return intake_left(intake) >= want;
}

bool intake_pass(struct intake *intake, uint64_t len)
{
	while (len > intake_left(intake)) {
		len -= intake_left(intake);
		intake->at = intake->len;
		if (intake->is_ended) {
			return false;
		}
		refill(intake);
	}
	intake->at += (size_t)len;
	return true;
}

/* Passes the rest of a line that is too long. */
static void pass_line(struct intake *intake)
{
	const uint8_t *end = NULL;

	while (end == NULL) {
		intake->at = intake->len;
		if (intake->is_ended) {
			return;
		}
		refill(intake);
		end = memchr(intake_look(intake), '\n', intake_left(intake));
	}
	intake->at = (size_t)(end - intake->octets) + 1;
}

bool intake_line(struct intake *intake, size_t max, const char **out, size_t *len_out)
{
	size_t searched = 0;

	ASSERT(max < INTAKE_CAP);
	for (;;) {
		size_t left = intake_left(intake);
		const uint8_t *start = intake_look(intake);
		const uint8_t *end = memchr(start + searched, '\n', left - searched);
		if (end == NULL && !intake->is_ended && left <= max) {
			searched = left;
			refill(intake);
			continue;
		}
		*out = (const char *)start;
		*len_out = end != NULL ? (size_t)(end - start) : left;
		if (end != NULL) {
			intake->at += *len_out + 1;
		} else if (intake->is_ended) {
			intake->at = intake->len;
		} else {
			pass_line(intake);
		}
		return end != NULL || left != 0;
	}
}
