/* diag.h - one complaint about a text file, and where complaints go.
 *
 * Zone files and configuration report through a struct diag_sink; what is printed is
 * `FILE:LINE:COLUMN: what is wrong (what was expected)`.
 *
 * thread  a sink is used by one thread at a time
 */
#ifndef SAKER_BASE_DIAG_H
#define SAKER_BASE_DIAG_H

#include <stdint.h>
#include <stdio.h>

#include "base/check.h"

#define DIAG_TEXT_MAX   512u /* octets of one message with its zero; longer ones are cut */
#define DIAG_ERRORS_MAX 20u  /* errors listed for one file; more are only counted */

enum diag_level {
	DIAG_ERROR,  /* the file is refused */
	DIAG_WARNING /* the file is accepted, and somebody should look */
};

struct diag {
	enum diag_level level;
	const char *file; /* borrows until the report returns */
	uint32_t line;    /* from 1; 0: the whole file */
	uint32_t column;  /* from 1, octets; 0: the whole line */
	const char *text; /* borrows until the report returns */
};

struct diag_sink {
	void (*report)(void *context, const struct diag *diag);
	void *context; /* borrows: the caller's */
};

/* diag_report - formats one message and hands it to sink->report. */
void diag_report(const struct diag_sink *sink, enum diag_level level, const char *file,
	uint32_t line, uint32_t column, const char *format, ...) PRINTF(6, 7);

/* diag_print - a report function that prints `saker: FILE:LINE:COLUMN: text` to the FILE * context.
 *
 * thread  any: a line is printed whole
 */
void diag_print(void *context, const struct diag *diag);

#endif
