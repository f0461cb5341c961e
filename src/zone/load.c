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
	uint32_t threads;        /* that may read */
};

struct load *load_new(void)
{
	struct load *load = calloc(1, sizeof(*load));

	if (load == NULL) {
		return NULL;
	}
	load->threads = 1;
	load->builder = image_builder_new();
	if (load->builder == NULL || collect_init(&load->collect) != STATUS_OK) {
		load_free(load);
		return NULL;
	}
	return load;
}

void load_set_threads(struct load *load, uint32_t count)
{
	load->threads = count;
}

void load_free(struct load *load)
{
	if (load != NULL) {
		image_builder_free(load->builder);
		collect_fini(&load->collect);
		free(load);
	}
}

/* Does the record belong to the zone? Where its owner is that of an open run, it does. */
static bool is_inside(const struct load *load, uint32_t part, const struct zonefile_record *record)
{
	return (record->owner_is_same && collect_has_run(&load->collect, part)) ||
	       name_is_below(record->owner, load->origin);
}

static enum status take_record(void *context, const struct zonefile_record *record)
{
	struct load *load = context;

	if (is_inside(load, 0, record)) {
		return collect_add(&load->collect, 0, record);
	}
	char text[NAME_TEXT_MAX];
	collect_break(&load->collect, 0); /* the next of this owner comes here, too */
	if (load->strangers++ < DIAG_ERRORS_MAX) {
		diag_report(load->sink, DIAG_WARNING, record->file, record->line, record->column,
			"%s is outside the zone; the record is left out",
			name_to_text(record->owner, text));
	}
	return STATUS_OK;
}

/* A record of a piece that is read by itself: what there is to say is said when it is read in order. */
static enum status take_part_record(
	void *context, uint32_t part, const struct zonefile_record *record)
{
	struct load *load = context;

	return is_inside(load, part, record) ? collect_add(&load->collect, part, record)
					     : STATUS_REFUSED;
}

static uint64_t mark_part(void *context, uint32_t part)
{
	struct load *load = context;

	return collect_mark(&load->collect, part);
}

static enum status join_part(void *context, const struct zonefile_piece *piece)
{
	struct load *load = context;

	return collect_join(&load->collect, piece);
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
			load->builder, &load->collect, &semantic, key, load->threads, image_out);
	}
	if (status == STATUS_LIMIT) {
		diag_report(load->sink, DIAG_ERROR, file, 0, 0,
			"the zone is too large: 16 GiB, 4294967294 names or 65535 types at a name "
			"are the most");
		status = STATUS_REFUSED;
	}
	return status;
}

static enum status begin(struct load *load, const char *file, const struct name *origin,
	const struct diag_sink *sink, uint32_t threads, struct zonefile_sink *records_out)
{
	load->origin = origin;
	load->sink = sink;
	load->sources = NULL;
	load->strangers = 0;
	*records_out = (struct zonefile_sink){
		.record = take_record, .source = take_source, .context = load, .diag = *sink};
	return collect_begin(&load->collect, origin, file, threads);
}

enum status load_file(struct load *load, const char *path, const struct name *origin,
	const struct hash_key *key, const struct diag_sink *sink, struct sources *sources,
	struct image **image_out)
{
	struct zonefile_parts parts = {
		.record = take_part_record, .mark = mark_part, .join = join_part, .context = load};
	struct zonefile_sink records;
	enum status status = begin(load, path, origin, sink, load->threads, &records);

	load->sources = sources;
	parts.count =
		load->threads < load->collect.part_count ? load->threads : load->collect.part_count;
	if (status == STATUS_OK) {
		status = zonefile_read_parts(path, origin, &records, &parts);
	}
	return status == STATUS_OK ? finish(load, path, key, image_out) : status;
}

enum status load_octets(struct load *load, const char *name, const char *text, size_t len,
	const struct name *origin, const struct hash_key *key, const struct diag_sink *sink,
	struct image **image_out)
{
	struct zonefile_piece all = {.part = 0};
	struct zonefile_sink records;
	enum status status = begin(load, name, origin, sink, 1, &records);

	if (status == STATUS_OK) {
		status = zonefile_read_octets(name, text, len, origin, &records);
	}
	all.to = collect_mark(&load->collect, 0);
	if (status == STATUS_OK) {
		status = collect_join(&load->collect, &all);
	}
	return status == STATUS_OK ? finish(load, name, key, image_out) : status;
}
