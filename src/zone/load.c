/* load.c - zone text to an image: read, sort, check, build. */
#include "zone/load.h"

#include <stdlib.h>

#include "wire/rrtype.h"
#include "zone/collect.h"
#include "zone/image.h"
#include "zone/image_builder.h"
#include "zone/semantic.h"
#include "zone/sources.h"
#include "zonefile/zonefile.h"

struct load {
	struct collect collect;
	struct builder *builder; /* owns */
	/* of the zone at hand */
	const struct name *origin;
	const struct diag_sink *sink;
	struct sources *sources; /* NULL: nobody wants them */
	uint32_t strangers;      /* records outside the zone */
};

struct load *load_new(void)
{
	struct load *load = calloc(1, sizeof(*load));

	if (load == NULL) {
		return NULL;
	}
	load->builder = image_builder_new();
	if (load->builder == NULL || collect_init(&load->collect) != STATUS_OK) {
		load_free(load);
		return NULL;
	}
	return load;
}

void load_free(struct load *load)
{
	if (load != NULL) {
		image_builder_free(load->builder);
		collect_fini(&load->collect);
		free(load);
	}
}

static enum status take_record(void *context, const struct zonefile_record *record)
{
	struct load *load = context;

	if (record->owner_is_same && collect_has_run(&load->collect)) {
		return collect_add(&load->collect, record);
	}
	if (!name_is_below(record->owner, load->origin)) {
		char text[NAME_TEXT_MAX];
		collect_break(&load->collect); /* the next of this owner comes here, too */
		if (load->strangers++ < DIAG_ERRORS_MAX) {
			diag_report(load->sink, DIAG_WARNING, record->file, record->line,
				record->column, "%s is outside the zone; the record is left out",
				name_to_text(record->owner, text));
		}
		return STATUS_OK;
	}
	return collect_add(&load->collect, record);
}

static enum status take_source(
	void *context, const char *path, const struct file_identity *identity)
{
	struct load *load = context;

	return load->sources != NULL ? sources_add(load->sources, path, identity) : STATUS_OK;
}

static enum status finish(
	struct load *load, const char *file, const struct hash_key *key, struct image **image_out)
{
	struct semantic semantic = {.collect = &load->collect, .file = file, .sink = load->sink};
	enum status status = collect_sort(&load->collect);

	if (load->strangers > DIAG_ERRORS_MAX) {
		diag_report(load->sink, DIAG_WARNING, file, 0, 0,
			"%u more records outside the zone, left out",
			load->strangers - DIAG_ERRORS_MAX);
	}
	if (status == STATUS_OK) {
		status = image_builder_make(
			load->builder, &load->collect, &semantic, key, image_out);
	}
	if (status == STATUS_LIMIT) {
		diag_report(load->sink, DIAG_ERROR, file, 0, 0,
			"the zone is too large: 16 GiB, 4294967294 names or 65535 types at a name "
			"are the most");
		status = STATUS_REFUSED;
	}
	return status;
}

static struct zonefile_sink begin(
	struct load *load, const struct name *origin, const struct diag_sink *sink)
{
	load->origin = origin;
	load->sink = sink;
	load->sources = NULL;
	load->strangers = 0;
	collect_begin(&load->collect, origin);
	return (struct zonefile_sink){
		.record = take_record, .source = take_source, .context = load, .diag = *sink};
}

enum status load_file(struct load *load, const char *path, const struct name *origin,
	const struct hash_key *key, const struct diag_sink *sink, struct sources *sources,
	struct image **image_out)
{
	const struct zonefile_sink records = begin(load, origin, sink);

	load->sources = sources;
	enum status status = zonefile_read(path, origin, &records);

	return status == STATUS_OK ? finish(load, path, key, image_out) : status;
}

enum status load_octets(struct load *load, const char *name, const char *text, size_t len,
	const struct name *origin, const struct hash_key *key, const struct diag_sink *sink,
	struct image **image_out)
{
	const struct zonefile_sink records = begin(load, origin, sink);
	enum status status = zonefile_read_octets(name, text, len, origin, &records);

	return status == STATUS_OK ? finish(load, name, key, image_out) : status;
}
