/* recipe_servers.h - recipes that ask each server the same: the platforms of 2006 and the reverse zone of 2007. */
#ifndef SAKER_LOADGEN_RECIPE_SERVERS_H
#define SAKER_LOADGEN_RECIPE_SERVERS_H

#include "loadgen/recipe.h"

/* recipe_servers_platforms - nine delegations, NS queries: udp-platforms-2006. */
extern const struct recipe recipe_servers_platforms;

/* recipe_servers_reverse - 65,536 PTR records, asked evenly and unevenly: reverse-zone-2007. */
extern const struct recipe recipe_servers_reverse;

#endif
