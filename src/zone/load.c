/* load.c - zone text to an image: read, sort, check, build. */
#include "zone/load.h"

#include <string.h>

#include "wire/rrtype.h"
#include "zone/collect.h"
#include "zone/image.h"
#include "zone/image_builder.h"
#include "zone/semantic.h"
#include "zonefile/zonefile.h"

struct loading {
	struct collect collect;
	const struct name *origin;
	const struct hash_key *key;
	const struct diag_sink *sink;
	uint32_t strangers; /* records outside the zone */
};

static enum status take_record(void *context, const struct zonefile_record *record)
{
	struct loading *loading = context;

	if (record->owner_is_same && collect_has_run(&loading->collect)) {
		return collect_add(&loading->collect, record);
	}
	if (!name_is_below(record->owner, loading->origin)) {
		char text[NAME_TEXT_MAX];
		collect_break(&loading->collect); /* the next of this owner comes here, too */
		if (loading->strangers++ < DIAG_ERRORS_MAX) {
			diag_report(loading->sink, DIAG_WARNING, record->file, record->line,
				record->column, "%s is outside the zone; the record is left out",
				name_to_text(record->owner, text));
		}
		return STATUS_OK;
	}
	return collect_add(&loading->collect, record);
}

static enum status finish(struct loading *loading, const char *file, struct image **image_out)
{
	struct semantic semantic = {
		.collect = &loading->collect, .file = file, .sink = loading->sink};
	enum status status = collect_sort(&loading->collect);

	if (loading->strangers > DIAG_ERRORS_MAX) {
		diag_report(loading->sink, DIAG_WARNING, file, 0, 0,
			"%u more records outside the zone, left out",
			loading->strangers - DIAG_ERRORS_MAX);
	}
	if (status == STATUS_OK) {
		status = image_builder_make(&loading->collect, &semantic, loading->key, image_out);
	}
	if (status == STATUS_LIMIT) {
		diag_report(loading->sink, DIAG_ERROR, file, 0, 0,
			"the zone is too large: 16 GiB, 4294967294 names or 65535 types at a name "
			"are the most");
		status = STATUS_REFUSED;
	}
	return status;
}

/* What both ways to load share; text is NULL for a file. */
static enum status load(const char *path, const char *text, size_t len, const struct name *origin,
	const struct hash_key *key, const struct diag_sink *sink, struct image **image_out)
{
	struct loading loading = {.origin = origin, .key = key, .sink = sink};
	const struct zonefile_sink records = {
		.record = take_record, .context = &loading, .diag = *sink};
	enum status status = collect_init(&loading.collect, origin);

	if (status != STATUS_OK) {
		return status;
	}
	status = text == NULL ? zonefile_read(path, origin, &records)
			      : zonefile_read_octets(path, text, len, origin, &records);
	if (status == STATUS_OK) {
		status = finish(&loading, path, image_out);
	}
	collect_fini(&loading.collect);
	return status;
}

enum status load_file(const char *path, const struct name *origin, const struct hash_key *key,
	const struct diag_sink *sink, struct image **image_out)
{
	return load(path, NULL, 0, origin, key, sink, image_out);
}

enum status load_octets(const char *name, const char *text, size_t len, const struct name *origin,
	const struct hash_key *key, const struct diag_sink *sink, struct image **image_out)
{
	return load(name, text, len, origin, key, sink, image_out);
}
