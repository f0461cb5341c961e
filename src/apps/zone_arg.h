/* zone_arg.h - the NAME and FILE of a zone on the command line.
 */
#ifndef SAKER_APPS_ZONE_ARG_H
#define SAKER_APPS_ZONE_ARG_H

#include "base/check.h"

struct image;

/* zone_arg_load - the zone of that name out of the file; complaints go to standard error.
 *
 * effect  APPS_EXIT_OK: image_out is the caller's, image_free(). Else what the command exits with.
 */
MUST_USE int zone_arg_load(const char *name, const char *file, struct image **image_out);

#endif
