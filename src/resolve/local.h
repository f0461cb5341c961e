/* local.h - names that are answered here, without asking anybody.
 *
 * Built in: the special names of RFC 6761 and the reverse zones of private addresses of RFC 6303 and RFC 7793; local zones
 * and records of the configuration. The closest zone decides; in it a name that is not there does not exist.
 *
 * thread  read-only once filled
 */
#ifndef SAKER_RESOLVE_LOCAL_H
#define SAKER_RESOLVE_LOCAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/diag.h"
#include "base/status.h"
#include "wire/name.h"

struct localdata;
struct search_result;

MUST_USE struct localdata *local_new(void);
void local_free(struct localdata *local);

/* local_add_builtin - RFC 6761 and RFC 6303. errors: STATUS_MEMORY */
MUST_USE enum status local_add_builtin(struct localdata *local);

/* local_add_zone - a zone that is empty but for what is added. errors: STATUS_MEMORY */
MUST_USE enum status local_add_zone(struct localdata *local, const struct name *zone);

/* local_add_pass - a name below which nothing is local: it is resolved as any other. errors: STATUS_MEMORY */
MUST_USE enum status local_add_pass(struct localdata *local, const struct name *name);

/* local_add_text - records in master form; each in the closest local zone, or one of its own at its name.
 *
 * errors  STATUS_REFUSED: complaints went to the sink; STATUS_MEMORY
 */
MUST_USE enum status local_add_text(struct localdata *local, const char *path, const char *text,
	size_t len, const struct diag_sink *sink);

/* local_holds - is something said of a name here, be it that it does not exist? */
bool local_holds(const struct localdata *local, const struct name *name);

/* local_find - what is said of a name here; false: nothing, it is to be resolved.
 *
 * effect  the result is insecure (it is not signed); sets are in the arena or in *local
 */
MUST_USE bool local_find(const struct localdata *local, const struct name *name, uint16_t type,
	struct arena *arena, struct search_result *out);

#endif
