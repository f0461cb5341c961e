/* recipe.c - the list, and what is common to all of it. */
#include "loadgen/recipe.h"

#include <errno.h>
#include <string.h>

#include "loadgen/recipe_drain.h"
#include "loadgen/recipe_drop.h"
#include "loadgen/recipe_front.h"
#include "loadgen/recipe_json.h"
#include "loadgen/recipe_servers.h"
#include "loadgen/recipe_threads.h"

static const struct recipe *const recipes[] = {
	&recipe_servers_platforms,
	&recipe_drain,
	&recipe_threads,
	&recipe_servers_reverse,
	&recipe_front,
	&recipe_drop,
	NULL,
};

const struct recipe *const *recipe_list(void)
{
	return recipes;
}

const struct recipe *recipe_find(const char *name)
{
	for (const struct recipe *const *at = recipes; *at != NULL; at++) {
		if (strcmp((*at)->name, name) == 0) {
			return *at;
		}
	}
	return NULL;
}

bool recipe_run(
	const struct recipe *recipe, const struct recipe_options *options, bool is_json, FILE *out)
{
	struct recipe_stage stage;

	if (!is_json) {
		fprintf(out, "%s: %s\n", recipe->name, recipe->today);
		recipe_then_print(out, &recipe->then);
		fflush(out); /* there is something to read meanwhile */
	}
	if (!recipe_stage_open(&stage, options)) {
		return false;
	}
	bool is_done = recipe->run(&stage);
	recipe_stage_quiet(&stage);
	if (is_json) {
		enum recipe_json_end end = is_done                ? RECIPE_JSON_DONE
					   : stage.is_interrupted ? RECIPE_JSON_INTERRUPTED
								  : RECIPE_JSON_FAILED;
		if (!recipe_json(out, recipe, &stage, end)) {
			is_done = recipe_stage_complain(&stage, "the figures", strerror(errno));
		}
	} else if (stage.sheet.count != 0) {
		recipe->print(out, &stage.sheet);
		if (!is_done) {
			fputs("  ended early: figures of the rounds that were complete\n", out);
		}
	}
	recipe_stage_close(&stage);
	return is_done;
}
