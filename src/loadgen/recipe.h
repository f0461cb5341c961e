/* recipe.h - the experiments that this project started from, each repeated with one call.
 *
 * Five public mailing-list threads, 2006 to 2014. A recipe makes zones and queries in a temporary folder, starts
 * `saker serve` and whichever peers are installed (nsd, knotd, named, pdns_server; as resolvers unbound and named) on
 * loopback, asks them in turn, and prints the figures of then beside those of today. docs/experiments.md tells what
 * they mean.
 *
 * thread  the process's main thread; SIGINT and SIGTERM end a recipe early, with its children
 */
#ifndef SAKER_LOADGEN_RECIPE_H
#define SAKER_LOADGEN_RECIPE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/check.h"
#include "loadgen/recipe_sheet.h"
#include "loadgen/recipe_stage.h"
#include "loadgen/recipe_then.h"

struct recipe {
	const char *name;
	const char *asked; /* then */
	const char *today; /* what is measured */
	struct recipe_then then;

	/* Measures into the stage's sheet. errors  false: why went to standard error; or Ctrl-C */
	bool (*run)(struct recipe_stage *stage);

	/* The table of now, of as many rows as there are. */
	void (*print)(FILE *out, const struct recipe_sheet *sheet);
};

/* recipe_find - NULL: there is none of that name. recipe_list - all of them, ended by NULL. */
const struct recipe *recipe_find(const char *name);
const struct recipe *const *recipe_list(void);

/* recipe_run - measures, and prints figures of then and now.
 *
 * shape   is_json: one object on one line instead of tables
 * effect  a recipe that ended early prints what it has
 * errors  false: it did not get to its end; why went to standard error, but for Ctrl-C
 */
MUST_USE bool recipe_run(
	const struct recipe *recipe, const struct recipe_options *options, bool is_json, FILE *out);

#endif
