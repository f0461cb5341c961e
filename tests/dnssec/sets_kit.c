/* sets_kit.c - records to sets, signatures to what they cover. */
#include "dnssec/sets_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"
#include "wire/rrtype.h"
#include "zonefile/zonefile.h"

#define ARENA_MAX   (4u << 20)
#define RECORDS_MAX 1024u
#define TEXT_MAX    (128u << 10)
#define PATH_LEN    512u

struct record {
	struct name owner;
	uint16_t type, covered;
	uint32_t ttl;
	struct rrset_rdata rdata;
};

struct reading {
	struct arena *arena;
	uint32_t count;
	struct record records[RECORDS_MAX];
};

static enum status take(void *context, const struct zonefile_record *from)
{
	struct reading *reading = context;
	struct record *record = &reading->records[reading->count++];

	CHECK(reading->count < RECORDS_MAX);
	*record = (struct record){.owner = *from->owner,
		.type = from->type,
		.ttl = from->ttl,
		.rdata = {.octets = arena_copy(reading->arena, from->rdata, from->rdata_len),
			.len = from->rdata_len}};
	CHECK(record->rdata.octets != NULL);
	record->covered = record->type == RRTYPE_RRSIG ? octets_get_u16(record->rdata.octets) : 0;
	return STATUS_OK;
}

static void complain(void *context, const struct diag *diag)
{
	(void)context;
	KIT_NOTE(diag->text);
	CHECK(diag->level != DIAG_ERROR);
}

static void make_set(
	struct sets_kit *out, const struct reading *reading, const struct record *first)
{
	struct rrset_rdata records[64], sigs[16];
	uint32_t count = 0, sig_count = 0;

	for (uint32_t i = 0; i < reading->count; i++) {
		const struct record *at = &reading->records[i];
		if (!name_equal(&at->owner, &first->owner)) {
			continue;
		}
		if (at->type == first->type) {
			CHECK(count < 64);
			records[count++] = at->rdata;
		} else if (at->covered == first->type) {
			CHECK(sig_count < 16);
			sigs[sig_count++] = at->rdata;
		}
	}
	CHECK(out->count < SETS_KIT_MAX);
	out->sets[out->count] = rrset_make(&out->arena, &first->owner, first->type, first->ttl,
		records, count, sigs, sig_count);
	CHECK(out->sets[out->count++] != NULL);
}

void sets_kit_read(const char *text, size_t len, struct sets_kit *out)
{
	static struct reading reading;
	const struct name root = {.len = 1};

	arena_init(&out->arena, ARENA_MAX);
	out->count = reading.count = 0;
	reading.arena = &out->arena;
	const struct zonefile_sink sink = {
		.record = take, .context = &reading, .ttl = 3600, .diag = {.report = complain}};
	CHECK_U(zonefile_read_octets("text", text, len, &root, &sink), STATUS_OK);
	for (uint32_t i = 0; i < reading.count; i++) {
		const struct record *at = &reading.records[i];
		bool first = at->type != RRTYPE_RRSIG;
		for (uint32_t before = 0; before < i && first; before++) {
			first = reading.records[before].type != at->type ||
				!name_equal(&reading.records[before].owner, &at->owner);
		}
		if (first) {
			make_set(out, &reading, at);
		}
	}
}

void sets_kit_read_file(const char *file, struct sets_kit *out)
{
	static char text[TEXT_MAX];
	char path[PATH_LEN];
	const char *folder = getenv("SAKER_TESTS_DNSSEC");

	CHECK(folder != NULL);
	snprintf(path, sizeof(path), "%s/%s", folder, file);
	FILE *in = fopen(path, "r");
	CHECK(in != NULL);
	size_t len = fread(text, 1, sizeof(text), in);
	CHECK(len < sizeof(text));
	fclose(in);
	sets_kit_read(text, len, out);
}

void sets_kit_fini(struct sets_kit *sets)
{
	arena_fini(&sets->arena);
}

struct name sets_kit_name(const char *text)
{
	const struct name root = {.len = 1};
	struct name name;

	CHECK_U(name_from_text(text, (uint32_t)strlen(text), &root, &name), WIRE_OK);
	return name;
}

struct rrset *sets_kit_get(const struct sets_kit *sets, const char *owner, uint16_t type)
{
	struct name name = sets_kit_name(owner);

	for (uint32_t i = 0; i < sets->count; i++) {
		if (rrset_is(sets->sets[i], &name, type)) {
			return sets->sets[i];
		}
	}
	KIT_NOTE(owner);
	CHECK(false);
	return NULL;
}
