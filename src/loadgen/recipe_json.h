/* recipe_json.h - a recipe's figures of then and now as one JSON object; docs/report.md tells of its keys.
 *
 * thread  any, one at a time
 */
#ifndef SAKER_LOADGEN_RECIPE_JSON_H
#define SAKER_LOADGEN_RECIPE_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "base/check.h"

struct recipe;
struct recipe_stage;

enum recipe_json_end { RECIPE_JSON_DONE, RECIPE_JSON_INTERRUPTED, RECIPE_JSON_FAILED };

/* recipe_json - one object on one line: where it comes from, then, and now with each round and the medians.
 *
 * errors  false: no memory, or it could not be written
 */
MUST_USE bool recipe_json(FILE *out, const struct recipe *recipe, const struct recipe_stage *stage,
	enum recipe_json_end end);

#endif
