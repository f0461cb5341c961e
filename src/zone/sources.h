/* sources.h - the files that a zone was read from, and whether they still are what they were.
 *
 * thread  one owner
 */
#ifndef SAKER_ZONE_SOURCES_H
#define SAKER_ZONE_SOURCES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/status.h"
#include "os/file.h"

struct source {
	char *path;     /* owns: as it was opened */
	bool is_absent; /* nothing was there when an included file was looked for */
	struct file_identity
		identity; /* before it was read; without the device, which no restart keeps */
};

/* The first is the zone file itself. All zero is empty. */
struct sources {
	struct source *items; /* owns */
	uint32_t count;
	uint32_t cap;
};

/* sources_add - one more; identity NULL: there is no such file. errors: STATUS_MEMORY */
MUST_USE enum status sources_add(
	struct sources *sources, const char *path, const struct file_identity *identity);

/* sources_are_old - true where a change of any of them since wall_s would show (file_identity_is_old()). */
bool sources_are_old(const struct sources *sources, int64_t wall_s);

/* sources_unchanged - true where all are as they were; path: of the zone file, which may have moved.
 *
 * cost  a system call each
 */
bool sources_unchanged(const struct sources *sources, const char *path);

/* sources_move - to takes over what from has, which is empty then; what to had is given back. */
void sources_move(struct sources *to, struct sources *from);

/* sources_fini - empty again. */
void sources_fini(struct sources *sources);

#endif
