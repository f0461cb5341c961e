/* recipe_drop.h - what is lost at which offered rate, with 24 workers: drop-rate-2014. */
#ifndef SAKER_LOADGEN_RECIPE_DROP_H
#define SAKER_LOADGEN_RECIPE_DROP_H

#include "loadgen/recipe.h"

extern const struct recipe recipe_drop;

#endif
