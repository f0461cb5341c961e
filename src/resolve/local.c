/* local.c - zones and records in two sorted-by-nobody lists: there are some dozens. */
#include "resolve/local.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "resolve/search.h"
#include "wire/rrtype.h"
#include "zonefile/zonefile.h"

#define LOCAL_TTL     10800u /* RFC 6303 sec 3 */
#define RECORDS_A_SET 64u
#define TYPE_ANY      255u

enum zone_kind { ZONE_LOCAL, ZONE_PASS };

struct zone {
	struct name name;
	enum zone_kind kind;
};

struct record {
	struct name owner;
	uint32_t ttl;
	uint16_t type;
	struct rrset_rdata rdata; /* in the arena */
};

struct localdata {
	struct arena arena;
	struct zone *zones; /* owns */
	uint32_t zone_count, zone_cap;
	struct record *records; /* owns */
	uint32_t record_count, record_cap;
};

/* RFC 6761 sec 6 (localhost, invalid; test. is left to RFC 6303's successors), RFC 6762, RFC 7686, RFC 8375 is for the
 * home; RFC 6303 sec 4, RFC 7793, RFC 9462 sec 5 (resolver.arpa).
 */
static const char *const builtin_zones[] = {"localhost.", "invalid.", "test.", "onion.",
	"home.arpa.", "resolver.arpa.", "0.in-addr.arpa.", "127.in-addr.arpa.",
	"254.169.in-addr.arpa.", "2.0.192.in-addr.arpa.", "100.51.198.in-addr.arpa.",
	"113.0.203.in-addr.arpa.", "255.255.255.255.in-addr.arpa.", "10.in-addr.arpa.",
	"168.192.in-addr.arpa.", "d.f.ip6.arpa.", "8.e.f.ip6.arpa.", "9.e.f.ip6.arpa.",
	"a.e.f.ip6.arpa.", "b.e.f.ip6.arpa.", "8.b.d.0.1.0.0.2.ip6.arpa.",
	"0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa.",
	"1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa."};

static const char builtin_records[] =
	"localhost. 10800 IN A 127.0.0.1\nlocalhost. 10800 IN AAAA ::1\n"
	"1.0.0.127.in-addr.arpa. 10800 IN PTR localhost.\n"
	"1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa. 10800 IN PTR "
	"localhost.\n";

struct localdata *local_new(void)
{
	struct localdata *local = calloc(1, sizeof(*local));

	if (local != NULL) {
		arena_init(&local->arena, 0);
	}
	return local;
}

void local_free(struct localdata *local)
{
	if (local != NULL) {
		arena_fini(&local->arena);
		free(local->zones);
		free(local->records);
		free(local);
	}
}

static const struct zone *zone_of(const struct localdata *local, const struct name *name)
{
	const struct zone *best = NULL;

	for (uint32_t i = 0; i < local->zone_count; i++) {
		const struct zone *zone = &local->zones[i];
		/* Of two of one name the later one counts. */
		if (name_is_below(name, &zone->name) &&
			(best == NULL || zone->name.label_count >= best->name.label_count)) {
			best = zone;
		}
	}
	return best;
}

static enum status add_zone(struct localdata *local, const struct name *name, enum zone_kind kind)
{
	if (local->zone_count == local->zone_cap) {
		uint32_t cap = local->zone_cap == 0 ? 32 : 2 * local->zone_cap;
		struct zone *grown = realloc(local->zones, cap * sizeof(grown[0]));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		local->zones = grown;
		local->zone_cap = cap;
	}
	struct zone *zone = &local->zones[local->zone_count++];
	*zone = (struct zone){.name = *name, .kind = kind};
	name_lower(&zone->name);
	return STATUS_OK;
}

enum status local_add_zone(struct localdata *local, const struct name *zone)
{
	return add_zone(local, zone, ZONE_LOCAL);
}

enum status local_add_pass(struct localdata *local, const struct name *name)
{
	return add_zone(local, name, ZONE_PASS);
}

static enum status take_record(void *context, const struct zonefile_record *record)
{
	struct localdata *local = context;
	const struct zone *zone = zone_of(local, record->owner);

	if ((zone == NULL || zone->kind == ZONE_PASS) &&
		local_add_zone(local, record->owner) != STATUS_OK) {
		return STATUS_MEMORY;
	}
	if (local->record_count == local->record_cap) {
		uint32_t cap = local->record_cap == 0 ? 16 : 2 * local->record_cap;
		struct record *grown = realloc(local->records, cap * sizeof(grown[0]));
		if (grown == NULL) {
			return STATUS_MEMORY;
		}
		local->records = grown;
		local->record_cap = cap;
	}
	uint8_t *rdata = arena_copy(&local->arena, record->rdata, record->rdata_len);
	if (rdata == NULL) {
		return STATUS_MEMORY;
	}
	struct record *kept = &local->records[local->record_count++];
	*kept = (struct record){.owner = *record->owner,
		.ttl = record->ttl,
		.type = record->type,
		.rdata = {.octets = rdata, .len = record->rdata_len}};
	name_lower(&kept->owner);
	return STATUS_OK;
}

enum status local_add_text(struct localdata *local, const char *path, const char *text, size_t len,
	const struct diag_sink *sink)
{
	const struct name root = {.len = 1};
	const struct zonefile_sink zone_sink = {
		.record = take_record, .context = local, .ttl = LOCAL_TTL, .diag = *sink};

	return zonefile_read_octets(path, text, len, &root, &zone_sink);
}

static void no_complaint(void *context, const struct diag *diag)
{
	(void)context;
	ASSERT(diag->level != DIAG_ERROR); /* a text of ours */
}

enum status local_add_builtin(struct localdata *local)
{
	const struct diag_sink sink = {.report = no_complaint};
	const struct name root = {.len = 1};
	enum status status = STATUS_OK;

	for (uint32_t i = 0;
		i < sizeof(builtin_zones) / sizeof(builtin_zones[0]) && status == STATUS_OK; i++) {
		struct name name;
		bool good = name_from_text(builtin_zones[i], (uint32_t)strlen(builtin_zones[i]),
				    &root, &name) == WIRE_OK;
		ASSERT(good);
		status = local_add_zone(local, &name);
	}
	/* 16.172.in-addr.arpa to 31.172.in-addr.arpa, and 64.100 to 127.100 (RFC 7793). */
	for (uint32_t i = 16; i < 128 && status == STATUS_OK; i++) {
		char text[32];
		struct name name;
		if (i == 32) {
			i = 64;
		}
		int text_len = snprintf(
			text, sizeof(text), "%u.%u.in-addr.arpa.", i, i < 32 ? 172u : 100u);
		bool good = name_from_text(text, (uint32_t)text_len, &root, &name) == WIRE_OK;
		ASSERT(good);
		status = local_add_zone(local, &name);
	}
	return status != STATUS_OK ? status
				   : local_add_text(local, "built-in local records",
					     builtin_records, sizeof(builtin_records) - 1, &sink);
}

static const struct rrset *make_soa(const struct name *zone, struct arena *arena)
{
	/* nobody.invalid. serves it (RFC 6303 sec 3): MNAME is the zone. */
	static const uint8_t tail[] = {
		6, 'n', 'o', 'b', 'o', 'd', 'y', 7, 'i', 'n', 'v', 'a', 'l', 'i', 'd', 0};
	uint8_t rdata[NAME_LEN_MAX + sizeof(tail) + 20];
	static const uint32_t numbers[5] = {1, 3600, 1200, 604800, LOCAL_TTL};
	uint8_t *at = rdata;

	memcpy(at, zone->octets, zone->len);
	at += zone->len;
	memcpy(at, tail, sizeof(tail));
	at += sizeof(tail);
	for (uint32_t i = 0; i < 5; i++, at += 4) {
		octets_put_u32(at, numbers[i]);
	}
	const struct rrset_rdata record = {.octets = rdata, .len = (uint16_t)(at - rdata)};
	return rrset_make(arena, zone, RRTYPE_SOA, LOCAL_TTL, &record, 1, NULL, 0);
}

/* `name` or one below it stands in a record: it exists. */
static bool exists(const struct localdata *local, const struct name *name)
{
	for (uint32_t i = 0; i < local->record_count; i++) {
		if (name_is_below(&local->records[i].owner, name)) {
			return true;
		}
	}
	return false;
}

/* localhost. and all below it are this host (RFC 6761 sec 6.3). */
static const struct name *source_of(const struct name *name, const struct zone *zone)
{
	static const uint8_t localhost[] = "\x09localhost";

	return zone->name.len == sizeof(localhost) &&
			       memcmp(zone->name.octets, localhost, sizeof(localhost)) == 0
		       ? &zone->name
		       : name;
}

/* A type that the name has; TYPE_ANY: none. One set is enough for who asks for all of them, RFC 8482 sec 4.1. */
static uint16_t some_type(const struct localdata *local, const struct name *source)
{
	for (uint32_t i = 0; i < local->record_count; i++) {
		if (name_equal(&local->records[i].owner, source)) {
			return local->records[i].type;
		}
	}
	return TYPE_ANY;
}

static const struct rrset *make_set(const struct localdata *local, const struct name *name,
	const struct name *source, uint16_t type, struct arena *arena)
{
	struct rrset_rdata rdata[RECORDS_A_SET];
	uint32_t count = 0, ttl = UINT32_MAX;

	for (uint32_t i = 0; i < local->record_count && count < RECORDS_A_SET; i++) {
		const struct record *record = &local->records[i];
		if (record->type == type && name_equal(&record->owner, source)) {
			rdata[count++] = record->rdata;
			ttl = record->ttl < ttl ? record->ttl : ttl;
		}
	}
	return count == 0 ? NULL : rrset_make(arena, name, type, ttl, rdata, count, NULL, 0);
}

bool local_holds(const struct localdata *local, const struct name *name)
{
	const struct zone *zone = zone_of(local, name);

	return zone != NULL && zone->kind == ZONE_LOCAL;
}

bool local_find(const struct localdata *local, const struct name *name, uint16_t type,
	struct arena *arena, struct search_result *out)
{
	const struct zone *zone = zone_of(local, name);

	if (zone == NULL || zone->kind == ZONE_PASS) {
		return false;
	}
	/* DS of a local zone is the parent's business: it says that the zone is not signed, or does not exist. */
	if (type == RRTYPE_DS && name_equal(name, &zone->name)) {
		return false;
	}
	*out = (struct search_result){
		.end = SEARCH_SET, .status = DNSSEC_INSECURE, .ede = EDE_NONE, .set_count = 1};
	const struct name *source = source_of(name, zone);
	type = type == TYPE_ANY ? some_type(local, source) : type;
	out->sets[0] = make_set(local, name, source, type, arena);
	if (out->sets[0] == NULL && type != RRTYPE_CNAME) {
		out->sets[0] = make_set(local, name, source, RRTYPE_CNAME, arena);
		out->end = out->sets[0] != NULL ? SEARCH_ALIAS : out->end;
	}
	if (out->sets[0] == NULL && type == RRTYPE_SOA && name_equal(name, &zone->name)) {
		out->sets[0] = make_soa(&zone->name, arena);
	}
	if (out->sets[0] != NULL) {
		out->answer_count = 1;
	} else {
		bool here = name_equal(source, &zone->name) || exists(local, source);
		out->end = here ? SEARCH_NODATA : SEARCH_NXDOMAIN;
		out->sets[0] = make_soa(&zone->name, arena);
		out->set_count = out->sets[0] != NULL;
	}
	out->ttls[0] = out->set_count > 0 ? out->sets[0]->ttl : 0;
	out->ttl_s = out->ttls[0];
	return true;
}
