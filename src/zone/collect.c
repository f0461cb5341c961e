/* collect.c - records as they are read: an append-only log of runs. */
#include "zone/collect.h"

#include <stddef.h>
#include <string.h>

#include "zone/collect_log.h"
#include "zone/order.h"

enum status collect_init(struct collect *collect)
{
	*collect = (struct collect){.open_run = COLLECT_NONE};
	if (region_init(&collect->log) != STATUS_OK || region_init(&collect->runs) != STATUS_OK ||
		region_init(&collect->spare) != STATUS_OK ||
		region_init(&collect->files) != STATUS_OK) {
		collect_fini(collect);
		return STATUS_MEMORY;
	}
	return STATUS_OK;
}

void collect_begin(struct collect *collect, const struct name *origin)
{
	region_reset(&collect->log);
	region_reset(&collect->runs);
	region_reset(&collect->spare);
	region_reset(&collect->files);
	collect->open_run = COLLECT_NONE;
	collect->last_file = NULL;
	collect->run_count = 0;
	memcpy(&collect->origin, origin, offsetof(struct name, octets) + origin->len);
	name_lower(&collect->origin);
}

void collect_fini(struct collect *collect)
{
	region_fini(&collect->log);
	region_fini(&collect->runs);
	region_fini(&collect->spare);
	region_fini(&collect->files);
}

void collect_break(struct collect *collect)
{
	collect->open_run = COLLECT_NONE;
}

bool collect_has_run(const struct collect *collect)
{
	return collect->open_run != COLLECT_NONE;
}

/* Begins a run: its head, the name in lower case, and the spelling where that differs. */
static enum status open_run(struct collect *collect, const struct name *owner)
{
	uint32_t len = (uint32_t)(owner->len - collect->origin.len);
	struct collect_run *run =
		(struct collect_run *)(void *)region_add(&collect->runs, sizeof(*run));
	uint8_t *out =
		region_add(&collect->log, sizeof(struct collect_run_head) + 2 * (uint64_t)len);

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
		collect->log.len -= len;
	}
	collect->open_run = (uint64_t)(out - collect->log.start);
	*run = (struct collect_run){.prefix = order_prefix(name, len), .log = collect->open_run};
	const struct collect_run_head head = {.name_len = (uint8_t)len,
		.labels = (uint8_t)(owner->label_count - collect->origin.label_count),
		.spelled = spelled};
	memcpy(out, &head, sizeof(head));
	return STATUS_OK;
}

/* Notes the file that a record came from. The reader keeps the pointer as long as the file does not change. */
static enum status note_file(struct collect *collect, const char *file)
{
	if (collect->last_file == file) {
		return STATUS_OK;
	}
	size_t len = strlen(file) + 1;
	uint64_t at = collect->files.len;
	uint8_t *out = region_add(&collect->files, len);
	if (out == NULL || at > UINT32_MAX) {
		return STATUS_LIMIT;
	}
	memcpy(out, file, len);
	collect->file_at = (uint32_t)at;
	collect->last_file = file;
	return STATUS_OK;
}

enum status collect_add(struct collect *collect, const struct zonefile_record *record)
{
	enum status status = note_file(collect, record->file);

	if (status == STATUS_OK && (!record->owner_is_same || collect->open_run == COLLECT_NONE)) {
		status = open_run(collect, record->owner);
	}
	if (status != STATUS_OK) {
		return status;
	}
	uint8_t *out = region_add(
		&collect->log, sizeof(struct collect_log_record) + (uint64_t)record->rdata_len);
	if (out == NULL) {
		return STATUS_LIMIT;
	}
	const struct collect_log_record head = {.ttl = record->ttl,
		.line = record->line,
		.file = collect->file_at,
		.type = record->type,
		.rdata_len = record->rdata_len};
	memcpy(out, &head, sizeof(head));
	if (record->rdata_len != 0) {
		memcpy(out + sizeof(head), record->rdata, record->rdata_len);
	}
	/* The head stands unaligned; it counts what the run holds. */
	uint8_t *count_at = collect->log.start + collect->open_run +
			    offsetof(struct collect_run_head, record_count);
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

uint32_t collect_owner_type(const struct collect_owner *owner, uint16_t type, uint32_t *first_out)
{
	uint32_t count = 0;

	if (type < 64 && (owner->low_types >> type & 1) == 0) {
		return 0;
	}
	for (uint32_t i = 0; i < owner->count && owner->items[i].type <= type; i++) {
		if (owner->items[i].type == type) {
			*first_out = count == 0 ? i : *first_out;
			count++;
		}
	}
	return count;
}
