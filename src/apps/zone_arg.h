/* zone_arg.h - the NAME and FILE of a zone on the command line.
 */
#ifndef SAKER_APPS_ZONE_ARG_H
#define SAKER_APPS_ZONE_ARG_H

#include "base/check.h"

struct hash_key;
struct image;
struct sources;

/* For images that nobody asks: nobody can choose names that collide in them. */
extern const struct hash_key zone_arg_key;

/* zone_arg_load - the zone of that name out of the file; complaints go to standard error.
 *
 * shape   sources: empty, takes what was read, or NULL
 * effect  APPS_EXIT_OK: image_out is the caller's, image_free(). Else what the command exits with.
 */
MUST_USE int zone_arg_load(const char *name, const char *file, const struct hash_key *key,
	struct sources *sources, struct image **image_out);

#endif
