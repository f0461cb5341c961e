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

#include <stdint.h>
#include <stdio.h>

struct recipe_options {
	double seconds;  /* of each measurement */
	uint32_t rounds; /* in which the servers take turns */
	FILE *out;       /* borrows: the figures */
};

struct recipe {
	const char *name;
	const char *asked; /* then */
	int (*run)(
		const struct recipe_options *options); /* 0; or 1, and why went to standard error */
};

/* recipe_find - NULL: there is none of that name. recipe_list - all of them, ended by one without a name. */
const struct recipe *recipe_find(const char *name);
const struct recipe *recipe_list(void);

#endif
