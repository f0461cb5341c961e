/* recipe.c - the list, and the one that has to wait. */
#include "loadgen/recipe.h"

#include <string.h>

#include "loadgen/recipe_drain.h"
#include "loadgen/recipe_drop.h"
#include "loadgen/recipe_front.h"
#include "loadgen/recipe_servers.h"

static int run_threads_2007(const struct recipe_options *options)
{
	fputs("threads-2007 asks how recursion scales with threads. It needs a resolver, and an "
	      "Internet "
	      "for it to ask, made up on this machine. That is not there yet.\n"
	      "Then (BIND 9.4.1, 8 Opteron cores): no gain beyond 4 worker threads; over 120,000 "
	      "answers a "
	      "second from a warm cache.\n",
		options->out);
	return 0;
}

static const struct recipe recipes[] = {
	{"udp-platforms-2006", "why is UDP answering slow on one system and not on another?",
		recipe_servers_platforms},
	{"drain-2006",
		"what does it bring to read a socket until it is empty, and does it starve others?",
		recipe_drain},
	{"threads-2007", "does recursion scale with threads?", run_threads_2007},
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
