/* hints.c - a short list, searched for the longest zone. */
#include "resolve/hints.h"

#include <stdlib.h>
#include <string.h>

#include "wire/rrtype.h"
#include "zonefile/zonefile.h"

#define DNS_PORT 53u
#define HINT_TTL 3600000u /* as IANA's file says; nothing depends on it */

struct hints {
	struct hint *items; /* owns */
	uint32_t count, cap;
};

/* IANA, named.root of 2026. */
static const struct {
	const char *name, *v4, *v6;
} root_servers[] = {
	{"a", "198.41.0.4", "2001:503:ba3e::2:30"},
	{"b", "170.247.170.2", "2801:1b8:10::b"},
	{"c", "192.33.4.12", "2001:500:2::c"},
	{"d", "199.7.91.13", "2001:500:2d::d"},
	{"e", "192.203.230.10", "2001:500:a8::e"},
	{"f", "192.5.5.241", "2001:500:2f::f"},
	{"g", "192.112.36.4", "2001:500:12::d0d"},
	{"h", "198.97.190.53", "2001:500:1::53"},
	{"i", "192.36.148.17", "2001:7fe::53"},
	{"j", "192.58.128.30", "2001:503:c27::2:30"},
	{"k", "193.0.14.129", "2001:7fd::1"},
	{"l", "199.7.83.42", "2001:500:9f::42"},
	{"m", "202.12.27.33", "2001:dc3::35"},
};

struct hints *hints_new(void)
{
	return calloc(1, sizeof(struct hints));
}

void hints_free(struct hints *hints)
{
	if (hints != NULL) {
		free(hints->items);
		free(hints);
	}
}

/* A new hint in place of one for the same zone; NULL: no memory. */
static struct hint *add(struct hints *hints, enum hint_kind kind, const struct name *zone)
{
	struct hint *hint = NULL;

	for (uint32_t i = 0; i < hints->count; i++) {
		/* The root's own servers and a forwarder for all stand side by side. */
		if (name_equal(&hints->items[i].zone, zone) &&
			(hints->items[i].kind == HINT_ROOT) == (kind == HINT_ROOT)) {
			hint = &hints->items[i];
		}
	}
	if (hint == NULL && hints->count == hints->cap) {
		uint32_t cap = hints->cap == 0 ? 8 : 2 * hints->cap;
		struct hint *grown = realloc(hints->items, cap * sizeof(grown[0]));
		if (grown == NULL) {
			return NULL;
		}
		hints->items = grown;
		hints->cap = cap;
	}
	hint = hint != NULL ? hint : &hints->items[hints->count++];
	*hint = (struct hint){.zone = *zone, .kind = kind};
	name_lower(&hint->zone);
	return hint;
}

enum status hints_add_builtin(struct hints *hints)
{
	const struct name root = {.len = 1};
	struct hint *hint = add(hints, HINT_ROOT, &root);

	if (hint == NULL) {
		return STATUS_MEMORY;
	}
	hint->server_count = sizeof(root_servers) / sizeof(root_servers[0]);
	for (uint32_t i = 0; i < hint->server_count; i++) {
		static const uint8_t tail[] = "\x0croot-servers\x03net";
		struct hint_server *server = &hint->servers[i];
		server->name.octets[0] = 1;
		server->name.octets[1] = (uint8_t)root_servers[i].name[0];
		memcpy(server->name.octets + 2, tail, sizeof(tail));
		server->name.len = 2 + sizeof(tail);
		server->name.label_count = 3;
		server->addr_count = 2;
		bool good = addr_parse(root_servers[i].v4, DNS_PORT, &server->addrs[0]) &&
			    addr_parse(root_servers[i].v6, DNS_PORT, &server->addrs[1]);
		ASSERT(good); /* a table of ours */
	}
	return STATUS_OK;
}

enum status hints_add(struct hints *hints, enum hint_kind kind, const struct name *zone,
	const struct addr *addrs, uint32_t count, bool fall_back)
{
	if (count > HINTS_SERVERS_MAX) {
		return STATUS_LIMIT;
	}
	struct hint *hint = add(hints, kind, zone);
	if (hint == NULL) {
		return STATUS_MEMORY;
	}
	hint->fall_back = fall_back;
	hint->server_count = count;
	for (uint32_t i = 0; i < count; i++) {
		hint->servers[i].name = (struct name){.len = 1};
		hint->servers[i].addr_count = 1;
		hint->servers[i].addrs[0] = addrs[i];
	}
	return STATUS_OK;
}

static void add_address(struct hint *hint, const struct zonefile_record *record)
{
	for (uint32_t i = 0; i < hint->server_count; i++) {
		struct hint_server *server = &hint->servers[i];
		if (!name_equal(&server->name, record->owner) ||
			server->addr_count == HINTS_ADDRS_MAX) {
			continue;
		}
		struct addr *addr = &server->addrs[server->addr_count++];
		*addr = (struct addr){
			.port = DNS_PORT, .family = record->type == RRTYPE_A ? ADDR_V4 : ADDR_V6};
		memcpy(addr->octets, record->rdata, record->rdata_len);
	}
}

/* Two passes: addresses may stand before the NS records that name them. */
struct reading {
	struct hint *hint;
	bool addresses;
};

static enum status take_record(void *context, const struct zonefile_record *record)
{
	struct reading *reading = context;
	struct hint *hint = reading->hint;

	if (!reading->addresses && record->type == RRTYPE_NS && record->owner->len == 1 &&
		hint->server_count < HINTS_SERVERS_MAX) {
		struct hint_server *server = &hint->servers[hint->server_count];
		struct reader reader = {.octets = record->rdata, .len = record->rdata_len};
		if (name_parse(&reader, &server->name) == WIRE_OK) {
			hint->server_count++;
		}
	}
	if (reading->addresses && (record->type == RRTYPE_A || record->type == RRTYPE_AAAA)) {
		add_address(hint, record);
	}
	return STATUS_OK;
}

static bool has_address(const struct hint *hint)
{
	for (uint32_t i = 0; i < hint->server_count; i++) {
		if (hint->servers[i].addr_count > 0) {
			return true;
		}
	}
	return false;
}

enum status hints_add_root(struct hints *hints, const char *path, const char *text, size_t len,
	const struct diag_sink *sink)
{
	const struct name root = {.len = 1};
	struct reading reading = {.hint = add(hints, HINT_ROOT, &root)};
	struct zonefile_sink zone_sink = {
		.record = take_record, .context = &reading, .ttl = HINT_TTL, .diag = *sink};

	if (reading.hint == NULL) {
		return STATUS_MEMORY;
	}
	enum status status = zonefile_read_octets(path, text, len, &root, &zone_sink);
	reading.addresses = true;
	if (status == STATUS_OK) {
		status = zonefile_read_octets(path, text, len, &root, &zone_sink);
	}
	if (status == STATUS_OK && !has_address(reading.hint)) {
		diag_report(sink, DIAG_ERROR, path, 0, 0,
			"no root server with an address (expected NS records of the root and A or "
			"AAAA records of their names)");
		status = STATUS_REFUSED;
	}
	return status;
}

static const struct hint *find_closest(
	const struct hints *hints, const struct name *name, bool forwarders)
{
	const struct hint *best = NULL;

	for (uint32_t i = 0; i < hints->count; i++) {
		const struct hint *hint = &hints->items[i];
		if ((forwarders || hint->kind != HINT_FORWARD) &&
			name_is_below(name, &hint->zone) &&
			(best == NULL || hint->zone.label_count > best->zone.label_count ||
				(hint->zone.label_count == best->zone.label_count &&
					best->kind == HINT_ROOT))) {
			best = hint;
		}
	}
	return best;
}

const struct hint *hints_find(const struct hints *hints, const struct name *name)
{
	return find_closest(hints, name, true);
}

const struct hint *hints_find_servers(const struct hints *hints, const struct name *name)
{
	return find_closest(hints, name, false);
}

static bool same_server(const struct hint_server *a, const struct hint_server *b)
{
	bool same = a->addr_count == b->addr_count && name_equal(&a->name, &b->name);

	for (uint32_t i = 0; same && i < a->addr_count; i++) {
		same = addr_equal(&a->addrs[i], &b->addrs[i]);
	}
	return same;
}

bool hints_same(const struct hint *a, const struct hint *b)
{
	bool same = a->kind == b->kind && a->fall_back == b->fall_back &&
		    a->server_count == b->server_count && name_equal(&a->zone, &b->zone);

	for (uint32_t i = 0; same && i < a->server_count; i++) {
		same = same_server(&a->servers[i], &b->servers[i]);
	}
	return same;
}

const struct hint *hints_find_root(const struct hints *hints)
{
	for (uint32_t i = 0; i < hints->count; i++) {
		if (hints->items[i].kind == HINT_ROOT) {
			return &hints->items[i];
		}
	}
	return NULL;
}
