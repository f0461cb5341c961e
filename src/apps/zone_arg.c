/* zone_arg.c - loads a zone that the command line names. */
#include "apps/zone_arg.h"

#include <stdio.h>
#include <string.h>

#include "apps/apps.h"
#include "base/diag.h"
#include "base/hash.h"
#include "os/thread.h"
#include "wire/name.h"
#include "zone/load.h"

const struct hash_key zone_arg_key = {{0x243f6a8885a308d3, 0x13198a2e03707344}};

int zone_arg_load(const char *name, const char *file, const struct hash_key *key,
	struct sources *sources, struct image **image_out)
{
	static const struct name root = {.len = 1, .octets = {0}};
	const struct diag_sink sink = {.report = diag_print, .context = stderr};
	struct name origin;

	enum wire_status bad = name_from_text(name, (uint32_t)strlen(name), &root, &origin);
	if (bad != WIRE_OK) {
		fprintf(stderr, "saker: '%s' is not a zone name: %s\n", name,
			wire_status_text(bad));
		return APPS_EXIT_USAGE;
	}
	struct load *load = load_new();
	enum status status = STATUS_MEMORY;
	if (load != NULL) {
		load_set_threads(load, thread_processors());
		status = load_file(load, file, &origin, key, &sink, sources, image_out);
	}
	load_free(load);
	if (status == STATUS_OK) {
		return APPS_EXIT_OK;
	}
	if (status != STATUS_REFUSED) { /* what was refused was told already */
		fprintf(stderr, "saker: %s: %s\n", file, status_text(status));
	}
	return APPS_EXIT_FAIL;
}
