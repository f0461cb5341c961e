/* recipe_progress.h - how far a recipe is, in a line for a terminal.
 *
 * A recipe is a number of measurements of about the same length, with servers being started in between; so the time
 * that is left follows from the time that went by and from the measurements made.
 *
 * thread  one
 */
#ifndef SAKER_LOADGEN_RECIPE_PROGRESS_H
#define SAKER_LOADGEN_RECIPE_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

#define RECIPE_PROGRESS_TEXT_MAX 512u

struct recipe_progress {
	const char *doing; /* borrows for the call: `saker, warm, workers 4`, or who is started */
	uint32_t round;    /* from 0 */
	uint32_t round_count;       /* 0: the rounds have not begun */
	uint32_t measured;          /* complete measurements */
	uint32_t measurement_count; /* of all rounds */
	double part;                /* of the measurement that goes on, 0 to 1 */
	uint64_t elapsed_ns;        /* since the rounds began */
	double answered_rate;       /* just now; negative: nothing is measured */
};

/* recipe_progress_done - part of all measurements, 0 to 1. */
double recipe_progress_done(const struct recipe_progress *progress);

/* recipe_progress_left_ns - time left, if it goes on as it went; UINT64_MAX: nothing is known yet. */
uint64_t recipe_progress_left_ns(const struct recipe_progress *progress);

/* recipe_progress_text - a line of at most columns characters without an end of line.
 *
 * shape   columns >= 1; text: RECIPE_PROGRESS_TEXT_MAX octets
 * effect  what finds no room is cut at its end, where the least important stands
 */
const char *recipe_progress_text(
	const struct recipe_progress *progress, uint32_t columns, char *text);

#endif
