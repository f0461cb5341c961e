/* recipe_threads.h - recursion with 1 to 8 workers, from a cold and from a warm cache: threads-2007. */
#ifndef SAKER_LOADGEN_RECIPE_THREADS_H
#define SAKER_LOADGEN_RECIPE_THREADS_H

#include "loadgen/recipe.h"

extern const struct recipe recipe_threads;

#endif
