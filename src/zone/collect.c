/* collect.c - records as they are read: an append-only log of runs. */
#include "zone/collect.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "zone/collect_log.h"
#include "zone/order.h"

#define PIECES_FIRST 16u /* most zones are one piece, large ones hundreds */

enum status collect_init(struct collect *collect)
{
	*collect = (struct collect){.log = NULL};
	if (region_init(&collect->spare) != STATUS_OK ||
		region_init(&collect->files) != STATUS_OK) {
		collect_fini(collect);
		return STATUS_MEMORY;
	}
	return STATUS_OK;
}

static void free_parts(struct collect *collect)
{
	for (uint32_t i = 0; i < collect->part_count; i++) {
		region_fini(&collect->parts[i].log);
		region_fini(&collect->parts[i].runs);
	}
	collect->part_count = 0;
}

static enum status make_parts(struct collect *collect, uint32_t count)
{
	struct region logs[COLLECT_PARTS_MAX], runs[COLLECT_PARTS_MAX];

	if (region_init_many(logs, count) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	if (region_init_many(runs, count) != STATUS_OK) {
		for (uint32_t i = 0; i < count; i++) {
			region_fini(&logs[i]);
		}
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < count; i++) {
		collect->parts[i] = (struct collect_part){.log = logs[i], .runs = runs[i]};
	}
	collect->part_count = count;
	collect->log = logs[0].start;
	return STATUS_OK;
}

/* As many parts as are wanted, or as there are addresses for. */
static enum status want_parts(struct collect *collect, uint32_t count)
{
	count = count < COLLECT_PARTS_MAX ? count : COLLECT_PARTS_MAX;
	if (count <= collect->part_count) {
		return STATUS_OK;
	}
	free_parts(collect);
	enum status status = make_parts(collect, count);
	return status == STATUS_OK ? status : make_parts(collect, 1);
}

/* Notes the file that a record came from. The reader keeps the pointer as long as the file does not change. */
static enum status note_file(struct collect *collect, struct collect_part *part, const char *file)
{
	if (part->last_file == file) {
		return STATUS_OK;
	}
	ASSERT(part == &collect->parts[0]);
	size_t len = strlen(file) + 1;
	uint64_t at = collect->files.len;
	uint8_t *out = region_add(&collect->files, len);
	if (out == NULL || at > UINT32_MAX) {
		return STATUS_LIMIT;
	}
	memcpy(out, file, len);
	part->file_at = (uint32_t)at;
	part->last_file = file;
	return STATUS_OK;
}

enum status collect_begin(
	struct collect *collect, const struct name *origin, const char *file, uint32_t parts)
{
	if (want_parts(collect, parts) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	for (uint32_t i = 0; i < collect->part_count; i++) {
		struct collect_part *part = &collect->parts[i];
		region_reset(&part->log);
		region_reset(&part->runs);
		part->open_run = COLLECT_NONE;
		part->last_file = i == 0 ? NULL : file;
		part->file_at = 0;
	}
	region_reset(&collect->spare);
	region_reset(&collect->files);
	collect->run_count = 0;
	collect->piece_count = 0;
	memcpy(&collect->origin, origin, offsetof(struct name, octets) + origin->len);
	name_lower(&collect->origin);
	return note_file(collect, &collect->parts[0], file); /* at 0, for all parts */
}

void collect_fini(struct collect *collect)
{
	free_parts(collect);
	region_fini(&collect->spare);
	region_fini(&collect->files);
	free(collect->pieces);
	collect->pieces = NULL;
}

void collect_break(struct collect *collect, uint32_t part)
{
	collect->parts[part].open_run = COLLECT_NONE;
}

bool collect_has_run(const struct collect *collect, uint32_t part)
{
	return collect->parts[part].open_run != COLLECT_NONE;
}

uint64_t collect_mark(struct collect *collect, uint32_t part)
{
	collect_break(collect, part);
	return collect->parts[part].runs.len / sizeof(struct collect_run);
}

enum status collect_join(struct collect *collect, const struct zonefile_piece *piece)
{
	const struct collect_run *runs =
		(const struct collect_run *)(const void *)collect->parts[piece->part].runs.start;

	if (piece->from == piece->to) {
		return STATUS_OK;
	}
	if (collect->piece_count == collect->piece_cap) {
		uint32_t cap = collect->piece_cap == 0 ? PIECES_FIRST : collect->piece_cap * 2;
		struct collect_piece *grown =
			realloc(collect->pieces, cap * sizeof(collect->pieces[0]));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		collect->pieces = grown;
		collect->piece_cap = cap;
	}
	uint32_t order = collect->piece_count++;
	collect->pieces[order] = (struct collect_piece){.log = runs[piece->from].log,
		.part = piece->part,
		.order = order,
		.line_before = piece->lines_before,
		.from = piece->from,
		.count = piece->to - piece->from};
	return STATUS_OK;
}

/* Begins a run: its head, the name in lower case, and the spelling where that differs. */
static enum status open_run(
	struct collect *collect, struct collect_part *part, const struct name *owner)
{
	uint32_t len = (uint32_t)(owner->len - collect->origin.len);
	struct collect_run *run =
		(struct collect_run *)(void *)region_add(&part->runs, sizeof(*run));
	uint8_t *out = region_add(&part->log, sizeof(struct collect_run_head) + 2 * (uint64_t)len);

	if (run == NULL || out == NULL) {
		return STATUS_LIMIT;
	}
	DASSERT(owner->len >= collect->origin.len);
	uint8_t *name = out + sizeof(struct collect_run_head);
	name_octets_lower(name, owner->octets, len);
	bool spelled = memcmp(name, owner->octets, len) != 0;
	if (spelled) {
		memcpy(name + len, owner->octets, len);
	} else {
		part->log.len -= len;
	}
	part->open_run = (uint64_t)(out - part->log.start);
	*run = (struct collect_run){.prefix = order_prefix(name, len),
		.more = order_more(name, len) & ((1u << ORDER_MORE_BITS) - 1),
		.log = (uint64_t)(out - collect->log) & (((uint64_t)1 << COLLECT_LOG_BITS) - 1)};
	const struct collect_run_head head = {.name_len = (uint8_t)len,
		.labels = (uint8_t)(owner->label_count - collect->origin.label_count),
		.spelled = spelled};
	memcpy(out, &head, sizeof(head));
	return STATUS_OK;
}

enum status collect_add(
	struct collect *collect, uint32_t part_idx, const struct zonefile_record *record)
{
	struct collect_part *part = &collect->parts[part_idx];
	enum status status = note_file(collect, part, record->file);

	if (status == STATUS_OK && (!record->owner_is_same || part->open_run == COLLECT_NONE)) {
		status = open_run(collect, part, record->owner);
	}
	if (status != STATUS_OK) {
		return status;
	}
	uint8_t *out = region_add(
		&part->log, sizeof(struct collect_log_record) + (uint64_t)record->rdata_len);
	if (out == NULL) {
		return STATUS_LIMIT;
	}
	const struct collect_log_record head = {.ttl = record->ttl,
		.line = record->line,
		.file = part->file_at,
		.type = record->type,
		.rdata_len = record->rdata_len};
	memcpy(out, &head, sizeof(head));
	if (record->rdata_len != 0) {
		memcpy(out + sizeof(head), record->rdata, record->rdata_len);
	}
	/* The head stands unaligned; it counts what the run holds. */
	uint8_t *count_at =
		part->log.start + part->open_run + offsetof(struct collect_run_head, record_count);
	uint32_t count;
	memcpy(&count, count_at, sizeof(count));
	count++;
	memcpy(count_at, &count, sizeof(count));
	return STATUS_OK;
}

const char *collect_file(const struct collect *collect, const struct collect_item *item)
{
	return (const char *)collect->files.start + item->file;
}

/* The piece that holds an offset of the logs: they are in rising order after the sort. */
static const struct collect_piece *piece_at(const struct collect *collect, uint64_t log)
{
	uint32_t low = 0, high = collect->piece_count;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (collect->pieces[middle].log <= log) {
			low = middle;
		} else {
			high = middle;
		}
	}
	return &collect->pieces[low];
}

uint32_t collect_line(const struct collect *collect, const struct collect_item *item)
{
	/* Empty RDATA stands where the next record does, its own head before. */
	uint64_t at = (uint64_t)(item->rdata - collect->log) - sizeof(struct collect_log_record);

	return item->line + piece_at(collect, at)->line_before;
}

bool collect_is_before(const struct collect *collect, uint64_t log, uint64_t other)
{
	const struct collect_piece *piece = piece_at(collect, log);
	const struct collect_piece *other_piece = piece_at(collect, other);

	return piece == other_piece ? log < other : piece->order < other_piece->order;
}

uint32_t collect_owner_type_slow(
	const struct collect_owner *owner, uint16_t type, uint32_t *first_out)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < owner->count && owner->items[i].type <= type; i++) {
		if (owner->items[i].type == type) {
			*first_out = count == 0 ? i : *first_out;
			count++;
		}
	}
	return count;
}
