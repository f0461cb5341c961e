/* recipe.c - the list. */
#include "loadgen/recipe.h"

#include <string.h>

#include "loadgen/recipe_drain.h"
#include "loadgen/recipe_drop.h"
#include "loadgen/recipe_front.h"
#include "loadgen/recipe_servers.h"
#include "loadgen/recipe_threads.h"

static const struct recipe recipes[] = {
	{"udp-platforms-2006", "why is UDP answering slow on one system and not on another?",
		recipe_servers_platforms},
	{"drain-2006",
		"what does it bring to read a socket until it is empty, and does it starve others?",
		recipe_drain},
	{"threads-2007", "does recursion scale with threads?", recipe_threads},
	{"reverse-zone-2007",
		"what does an authoritative server do where a realistic zone is hard to get?",
		recipe_servers_reverse},
	{"front-2013", "what does a front process cost that hands queries on?", recipe_front},
	{"drop-rate-2014", "why does one system drop more than another at the same rate?",
		recipe_drop},
	{NULL, NULL, NULL},
};

const struct recipe *recipe_list(void)
{
	return recipes;
}

const struct recipe *recipe_find(const char *name)
{
	for (const struct recipe *recipe = recipes; recipe->name != NULL; recipe++) {
		if (strcmp(recipe->name, name) == 0) {
			return recipe;
		}
	}
	return NULL;
}
