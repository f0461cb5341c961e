/* recipe_front.h - a front process that hands queries to another against direct answers: front-2013. */
#ifndef SAKER_LOADGEN_RECIPE_FRONT_H
#define SAKER_LOADGEN_RECIPE_FRONT_H

#include "loadgen/recipe.h"

extern const struct recipe recipe_front;

#endif
