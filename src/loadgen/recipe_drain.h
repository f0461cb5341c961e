/* recipe_drain.h - one datagram a wake-up against a bounded and an unbounded drain: drain-2006. */
#ifndef SAKER_LOADGEN_RECIPE_DRAIN_H
#define SAKER_LOADGEN_RECIPE_DRAIN_H

#include "loadgen/recipe.h"

extern const struct recipe recipe_drain;

#endif
