/* sets_kit.h - RRsets with their signatures, out of zone text. */
#ifndef SAKER_TESTS_SETS_KIT_H
#define SAKER_TESTS_SETS_KIT_H

#include <stdint.h>

#include "base/arena.h"
#include "wire/name.h"
#include "wire/rrset.h"

#define SETS_KIT_MAX 256u

struct sets_kit {
	struct arena arena;
	uint32_t count;
	struct rrset *sets[SETS_KIT_MAX];
};

/* sets_kit_read - all sets of a text; relative names are below the root. A text with errors fails the test. */
void sets_kit_read(const char *text, size_t len, struct sets_kit *out);
/* sets_kit_read_file - the same of a file below tests/dnssec. */
void sets_kit_read_file(const char *file, struct sets_kit *out);
void sets_kit_fini(struct sets_kit *sets);

/* sets_kit_get - a set that is there. */
struct rrset *sets_kit_get(const struct sets_kit *sets, const char *owner, uint16_t type);

/* sets_kit_name - a name from text. */
struct name sets_kit_name(const char *text);

#endif
