/* anchors.c - lists of DS sets and of names. */
#include "resolve/anchors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/signature.h"
#include "dnssec/keyset.h"
#include "wire/rrtype.h"
#include "zonefile/zonefile.h"

#define ANCHOR_DS_MAX    16u /* of one zone: the root has two, and two more while its key changes */
#define ANCHOR_TTL       86400u
#define ANCHOR_FIXED_LEN 4u /* octets of RDATA before digest or key, RFC 4034 sec 2.1 and 5.1 */

struct anchor {
	struct name zone;
	uint32_t count;
	struct rrset_rdata records[ANCHOR_DS_MAX];
	const struct rrset *set;
};

struct anchors {
	struct arena arena;
	struct anchor *items; /* owns */
	uint32_t count, cap;
	struct name *negative; /* owns */
	uint32_t negative_count, negative_cap;
};

/* https://data.iana.org/root-anchors/root-anchors.xml: KSK-2017 and KSK-2024. */
static const char builtin[] =
	". 86400 IN DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D\n"
	". 86400 IN DS 38696 8 2 "
	"683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16\n";

struct anchors *anchors_new(void)
{
	struct anchors *anchors = calloc(1, sizeof(*anchors));

	if (anchors != NULL) {
		arena_init(&anchors->arena, 0);
	}
	return anchors;
}

void anchors_free(struct anchors *anchors)
{
	if (anchors != NULL) {
		arena_fini(&anchors->arena);
		free(anchors->items);
		free(anchors->negative);
		free(anchors);
	}
}

static struct anchor *find_zone(const struct anchors *anchors, const struct name *zone)
{
	for (uint32_t i = 0; i < anchors->count; i++) {
		if (name_equal(&anchors->items[i].zone, zone)) {
			return &anchors->items[i];
		}
	}
	return NULL;
}

static struct anchor *anchor_of(struct anchors *anchors, const struct name *zone)
{
	struct anchor *known = find_zone(anchors, zone);

	if (known != NULL) {
		return known;
	}
	if (anchors->count == anchors->cap) {
		uint32_t cap = anchors->cap == 0 ? 4 : 2 * anchors->cap;
		struct anchor *grown = realloc(anchors->items, cap * sizeof(grown[0]));
		if (grown == NULL) {
			return NULL;
		}
		anchors->items = grown;
		anchors->cap = cap;
	}
	struct anchor *anchor = &anchors->items[anchors->count++];
	*anchor = (struct anchor){.zone = *zone};
	name_lower(&anchor->zone);
	return anchor;
}

static enum status add_ds(
	struct anchors *anchors, const struct name *zone, const uint8_t *rdata, uint16_t len)
{
	struct anchor *anchor = anchor_of(anchors, zone);
	uint8_t *copy = arena_copy(&anchors->arena, rdata, len);

	if (anchor == NULL || copy == NULL) {
		return STATUS_MEMORY;
	}
	if (anchor->count < ANCHOR_DS_MAX) {
		anchor->records[anchor->count++] = (struct rrset_rdata){.octets = copy, .len = len};
	}
	anchor->set = rrset_make(&anchors->arena, &anchor->zone, RRTYPE_DS, ANCHOR_TTL,
		anchor->records, anchor->count, NULL, 0);
	return anchor->set != NULL ? STATUS_OK : STATUS_MEMORY;
}

/* Each record of the anchors of a zone that names the key, dropped or just found; how many. */
static uint32_t match(struct anchor *anchor, const struct rrset_rdata *key, bool drop)
{
	uint32_t kept = 0, found = 0;

	for (uint32_t i = 0; i < anchor->count; i++) {
		if (keyset_ds_names(&anchor->zone, key, &anchor->records[i])) {
			found++;
			if (drop) {
				continue;
			}
		}
		anchor->records[kept++] = anchor->records[i];
	}
	anchor->count = kept;
	return found;
}

bool anchors_name_key(
	const struct anchors *anchors, const struct name *zone, const struct rrset_rdata *key)
{
	struct anchor *anchor = find_zone(anchors, zone);

	return anchor != NULL && match(anchor, key, false) > 0;
}

enum status anchors_add_key(
	struct anchors *anchors, const struct name *zone, const struct rrset_rdata *key)
{
	uint8_t ds[KEYSET_DS_LEN];

	if (anchors_name_key(anchors, zone, key)) {
		return STATUS_OK;
	}
	return keyset_make_ds(zone, key, ds) ? add_ds(anchors, zone, ds, sizeof(ds))
					     : STATUS_MEMORY;
}

enum status anchors_drop_key(
	struct anchors *anchors, const struct name *zone, const struct rrset_rdata *key)
{
	struct anchor *anchor = find_zone(anchors, zone);

	if (anchor == NULL || match(anchor, key, true) == 0) {
		return STATUS_OK;
	}
	anchor->set = anchor->count == 0
			      ? NULL
			      : rrset_make(&anchors->arena, &anchor->zone, RRTYPE_DS, ANCHOR_TTL,
					anchor->records, anchor->count, NULL, 0);
	return anchor->count == 0 || anchor->set != NULL ? STATUS_OK : STATUS_MEMORY;
}

const struct name *anchors_zone(const struct anchors *anchors, uint32_t i)
{
	return i < anchors->count ? &anchors->items[i].zone : NULL;
}

const struct rrset *anchors_of(const struct anchors *anchors, const struct name *zone)
{
	const struct anchor *anchor = find_zone(anchors, zone);

	return anchor == NULL ? NULL : anchor->set;
}

struct reading {
	struct anchors *anchors;
	const struct diag_sink *sink;
	uint32_t bad_count;
};

/* Octets of a digest by its type, RFC 4034 sec A.2, RFC 4509, RFC 6605; 0: none that can be checked. */
static uint32_t digest_len(uint8_t type)
{
	static const uint8_t lens[] = {[1] = 20, [2] = 32, [4] = 48};

	return type < sizeof(lens) ? lens[type] : 0;
}

/* An anchor that nothing can be checked with would leave its zone insecure, or bogus, in silence. NULL: it is good. */
static const char *what_is_wrong(const struct zonefile_record *record)
{
	const uint8_t *rdata = record->rdata;

	if (record->type != RRTYPE_DS && record->type != RRTYPE_DNSKEY) {
		return "no trust anchor (expected a DS or DNSKEY record)";
	}
	if (record->rdata_len <= ANCHOR_FIXED_LEN) {
		return "no key (expected octets behind the numbers)";
	}
	if (!signature_is_known(rdata[record->type == RRTYPE_DS ? 2 : 3])) {
		return "an algorithm that cannot be checked (expected one of 5, 7, 8, 10, 13 to "
		       "16)";
	}
	if (record->type == RRTYPE_DS && digest_len(rdata[3]) == 0) {
		return "a digest that cannot be checked (expected type 1, 2 or 4)";
	}
	return NULL;
}

/* A DS that fits no key is safe, for all that is below is bogus while there is no other, but hardly what was meant. */
static void warn_of_length(const struct reading *reading, const struct zonefile_record *record)
{
	uint32_t digest = digest_len(record->rdata[3]);

	if (digest != record->rdata_len - ANCHOR_FIXED_LEN) {
		diag_report(reading->sink, DIAG_WARNING, record->file, record->line, record->column,
			"a digest that is cut or too long and fits no key (expected %" PRIu32
			" octets for type %u)",
			digest, record->rdata[3]);
	}
}

static enum status take_record(void *context, const struct zonefile_record *record)
{
	struct reading *reading = context;
	const struct rrset_rdata rdata = {.octets = record->rdata, .len = record->rdata_len};
	uint8_t ds[KEYSET_DS_LEN];
	const char *wrong = what_is_wrong(record);

	if (wrong == NULL && record->type == RRTYPE_DS) {
		warn_of_length(reading, record);
		return add_ds(reading->anchors, record->owner, rdata.octets, rdata.len);
	}
	if (wrong == NULL && keyset_make_ds(record->owner, &rdata, ds)) {
		return add_ds(reading->anchors, record->owner, ds, sizeof(ds));
	}
	diag_report(reading->sink, DIAG_ERROR, record->file, record->line, record->column, "%s",
		wrong != NULL ? wrong : "a key that has no digest");
	reading->bad_count++;
	return STATUS_OK;
}

enum status anchors_add_text(struct anchors *anchors, const char *path, const char *text,
	size_t len, const struct diag_sink *sink)
{
	const struct name root = {.len = 1};
	struct reading reading = {.anchors = anchors, .sink = sink};
	const struct zonefile_sink zone_sink = {
		.record = take_record, .context = &reading, .ttl = ANCHOR_TTL, .diag = *sink};
	enum status status = zonefile_read_octets(path, text, len, &root, &zone_sink);

	return status == STATUS_OK && reading.bad_count > 0 ? STATUS_REFUSED : status;
}

static void no_complaint(void *context, const struct diag *diag)
{
	(void)context;
	ASSERT(diag->level != DIAG_ERROR); /* a text of ours */
}

enum status anchors_add_builtin(struct anchors *anchors)
{
	const struct diag_sink sink = {.report = no_complaint};

	return anchors_add_text(
		anchors, "built-in trust anchors", builtin, sizeof(builtin) - 1, &sink);
}

enum status anchors_add_negative(struct anchors *anchors, const struct name *name)
{
	if (anchors->negative_count == anchors->negative_cap) {
		uint32_t cap = anchors->negative_cap == 0 ? 4 : 2 * anchors->negative_cap;
		struct name *grown = realloc(anchors->negative, cap * sizeof(grown[0]));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		anchors->negative = grown;
		anchors->negative_cap = cap;
	}
	anchors->negative[anchors->negative_count++] = *name;
	return STATUS_OK;
}

struct anchors *anchors_copy(const struct anchors *anchors)
{
	struct anchors *copy = anchors_new();
	enum status status = copy == NULL ? STATUS_MEMORY : STATUS_OK;

	for (uint32_t i = 0; i < anchors->count && status == STATUS_OK; i++) {
		const struct anchor *anchor = &anchors->items[i];
		for (uint32_t j = 0; j < anchor->count && status == STATUS_OK; j++) {
			status = add_ds(copy, &anchor->zone, anchor->records[j].octets,
				anchor->records[j].len);
		}
	}
	for (uint32_t i = 0; i < anchors->negative_count && status == STATUS_OK; i++) {
		status = anchors_add_negative(copy, &anchors->negative[i]);
	}
	if (status != STATUS_OK) {
		anchors_free(copy);
		return NULL;
	}
	return copy;
}

const struct rrset *anchors_find(const struct anchors *anchors, const struct name *name)
{
	const struct anchor *best = NULL;

	for (uint32_t i = 0; i < anchors->count; i++) {
		const struct anchor *anchor = &anchors->items[i];
		if (anchor->count > 0 && name_is_below(name, &anchor->zone) &&
			(best == NULL || anchor->zone.label_count > best->zone.label_count)) {
			best = anchor;
		}
	}
	for (uint32_t i = 0; best != NULL && i < anchors->negative_count; i++) {
		if (name_is_below(name, &anchors->negative[i]) &&
			anchors->negative[i].label_count >= best->zone.label_count) {
			return NULL;
		}
	}
	return best == NULL ? NULL : best->set;
}
