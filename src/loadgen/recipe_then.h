/* recipe_then.h - the figures of then, as data: a table for people, and a list for programs.
 *
 * thread  any
 */
#ifndef SAKER_LOADGEN_RECIPE_THEN_H
#define SAKER_LOADGEN_RECIPE_THEN_H

#include <stdio.h>

struct json_t;

struct recipe_then_figure {
	const char *subject; /* NULL: the end of the list */
	const char *column;
	const char *unit;
	double value;
	int digits; /* behind the point */
};

struct recipe_then {
	const char *how; /* program, machine and load tool; NULL: nobody measured */
	const struct recipe_then_figure
		*figures;           /* row by row, all rows with the same columns; NULL: none */
	const char *const *remarks; /* what was said without a table, ended by NULL; NULL: none */
};

/* recipe_then_print - a line a subject, a column a column. */
void recipe_then_print(FILE *out, const struct recipe_then *then);

/* recipe_then_json - {"how": ..., "figures": [{"subject", "column", "unit", "value"}, ...], "remarks": [...]}, which
 * the caller releases; NULL: no memory.
 */
struct json_t *recipe_then_json(const struct recipe_then *then);

#endif
