/* diaglog.h - complaints that are kept, to be told later and elsewhere.
 *
 * thread  one owner at a time
 */
#ifndef SAKER_BASE_DIAGLOG_H
#define SAKER_BASE_DIAGLOG_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/diag.h"

struct diaglog_entry;

struct diaglog {
	struct arena memory;
	struct diaglog_entry *first, *last;
	bool is_cut; /* memory ended before the complaints did */
};

/* diaglog_init - an empty log. */
void diaglog_init(struct diaglog *log);

/* diaglog_keep - a report function; context: a struct diaglog. Names of files are borrowed until diaglog_fini(). */
void diaglog_keep(void *context, const struct diag *diag);

/* diaglog_tell - all that is kept, in order. */
void diaglog_tell(const struct diaglog *log, const struct diag_sink *sink);

void diaglog_fini(struct diaglog *log);

#endif
