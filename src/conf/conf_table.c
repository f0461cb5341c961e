/* conf_table.c - the rows, values, suggestions and the schema. */
#include "conf/conf_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/addr.h"
#include "base/log.h"
#include "conf/conf.h"
#include "os/udp.h"
#include "wire/name.h"
#include "wire/wire.h"

#define PORT_DEFAULT   53u      /* RFC 1035 sec 4.2 */
#define WORKERS_MAX    256u     /* guess: no machine of ours has more processors */
#define CONNECTION_MAX 1000000u /* a descriptor each; the kernel's own limit is about that */
#define TIMEOUT_S_MAX  3600u    /* an hour is longer than any middlebox remembers */
#define KEY_LEN_MAX    32u      /* octets of a key that is worth a suggestion */
#define SUGGEST_MAX    2u       /* edits between what was written and what was meant */

_Static_assert(LOG_LEVEL_ERROR == 0 && LOG_LEVEL_WARNING == 1 && LOG_LEVEL_INFO == 2 &&
		       LOG_LEVEL_DEBUG == 3,
	"the choices of log.level are in the order of enum log_level");

/* Where a field of the resolver's stands. */
#define R(field) offsetof(struct server_config, resolver.field)

const struct conf_table_row conf_table_rows[CONF_TABLE_ROWS] = {
	{.path = "server.listen",
		.fixed = true,
		.type = CONF_TABLE_ADDRESSES,
		.unset = "[\"127.0.0.1:53\", \"[::1]:53\"]",
		.about = "Addresses to answer on, UDP and TCP; [::1]:53 is IPv6, no port is 53."},
	{.path = "server.workers",
		.fixed = true,
		.type = CONF_TABLE_WORKERS,
		.unset = "\"auto\"",
		.offset = offsetof(struct server_config, workers),
		.min = 1,
		.max = WORKERS_MAX,
		.about = "Threads that answer; auto is one for each usable processor."},
	{.path = "server.udp-payload-max",
		.fixed = true,
		.type = CONF_TABLE_COUNT,
		.unset = "1232",
		.offset = offsetof(struct server_config, udp_payload_max),
		.min = WIRE_UDP_LEN_MIN,
		.max = UDP_SLOT_LEN,
		.about = "Octets of the longest answer by UDP, RFC 9715."},
	{.path = "server.tcp.idle-timeout",
		.fixed = true,
		.type = CONF_TABLE_COUNT,
		.unset = "10",
		.offset = offsetof(struct server_config, tcp_idle_timeout_s),
		.min = 1,
		.max = TIMEOUT_S_MAX,
		.about = "Seconds after which a connection without queries is closed, RFC 7766."},
	{.path = "server.tcp.connections",
		.fixed = true,
		.type = CONF_TABLE_COUNT,
		.unset = "10000",
		.offset = offsetof(struct server_config, tcp_connections),
		.min = 1,
		.max = CONNECTION_MAX,
		.about = "TCP connections in all, spread evenly over the workers; then the longest "
			 "idle is closed for a new one."},
	{.path = "server.state",
		.fixed = true,
		.type = CONF_TABLE_FILE,
		.unset = "",
		.offset = offsetof(struct server_config, state),
		.about = "A folder of its own, in which images of zones are kept for the next "
			 "start; "
			 "made where it is not there."},
	{.path = "zones[].name",
		.type = CONF_TABLE_NAME,
		.offset = offsetof(struct conf_zone, name),
		.about = "The apex, for example example.com; the root is a dot."},
	{.path = "zones[].file",
		.type = CONF_TABLE_FILE,
		.offset = offsetof(struct conf_zone, file),
		.about = "The zone file; a relative path starts at this file's folder."},
	{.path = "resolver.enabled",
		.fixed = true,
		.type = CONF_TABLE_BOOL,
		.unset = "false",
		.offset = R(enabled),
		.about = "Resolve what no zone here holds."},
	{.path = "resolver.allow",
		.type = CONF_TABLE_PREFIXES,
		.unset = "[\"127.0.0.0/8\", \"::1/128\"]",
		.offset = R(allow),
		.about = "Who may ask the resolver: address prefixes."},
	{.path = "resolver.root-hints",
		.type = CONF_TABLE_FILE,
		.unset = "",
		.offset = R(root_hints),
		.about =
			"A file with the root servers and their addresses; built in where absent."},
	{.path = "resolver.trust-anchors",
		.type = CONF_TABLE_FILE,
		.unset = "",
		.offset = R(trust_anchors),
		.about = "A file with DS or DNSKEY records to trust; those of the root are built "
			 "in."},
	{.path = "resolver.anchor-rollover",
		.fixed = true,
		.type = CONF_TABLE_BOOL,
		.unset = "true",
		.offset = R(anchor_rollover),
		.about =
			"Follow the keys of the zones with trust anchors, RFC 5011, where there is "
			"a server.state."},
	{.path = "resolver.negative-trust-anchors",
		.type = CONF_TABLE_NAMES,
		.unset = "[]",
		.offset = R(negative_trust_anchors),
		.about = "Names at and below which nothing is validated, RFC 7646."},
	{.path = "resolver.validate",
		.type = CONF_TABLE_BOOL,
		.unset = "true",
		.offset = R(validate),
		.about = "Validate signatures, RFC 4035."},
	{.path = "resolver.sha1",
		.fixed = true,
		.type = CONF_TABLE_BOOL,
		.unset = "true",
		.offset = R(sha1),
		.about = "Let signatures and digests of SHA-1 count; false treats what has no "
			 "others as not signed, RFC 9905."},
	{.path = "resolver.qname-minimisation",
		.type = CONF_TABLE_BOOL,
		.unset = "true",
		.offset = R(qname_minimisation),
		.about = "Show servers no more of a name than they need, RFC 9156."},
	{.path = "resolver.aggressive-nsec",
		.type = CONF_TABLE_BOOL,
		.unset = "true",
		.offset = R(aggressive_nsec),
		.about = "Answer out of proofs that came for other names, RFC 8198."},
	{.path = "resolver.minimal-any",
		.type = CONF_TABLE_BOOL,
		.unset = "true",
		.offset = R(minimal_any),
		.about = "Tell who asks for all types by UDP of one that is there, RFC 8482."},
	{.path = "resolver.query-localhost",
		.type = CONF_TABLE_BOOL,
		.unset = "false",
		.offset = R(query_localhost),
		.about = "Ask servers at 127.0.0.0/8 and ::1, where a zone names them."},
	{.path = "resolver.special-names",
		.type = CONF_TABLE_BOOL,
		.unset = "true",
		.offset = R(special_names),
		.about = "Answer for localhost, private reverse zones and other special names "
			 "here, RFC 6761 and RFC 6303."},
	{.path = "resolver.resolve-special",
		.type = CONF_TABLE_NAMES,
		.unset = "[]",
		.offset = R(resolve_special),
		.about = "Special names that are resolved like any other."},
	{.path = "resolver.local-zones",
		.type = CONF_TABLE_NAMES,
		.unset = "[]",
		.offset = R(local_zones),
		.about = "Zones that hold nothing but local records."},
	{.path = "resolver.local-records",
		.type = CONF_TABLE_FILE,
		.unset = "",
		.offset = R(local_records),
		.about = "A file of records, in zone file form, that are answered here."},
	{.path = "resolver.private-addresses",
		.type = CONF_TABLE_PREFIXES,
		.unset = "[]",
		.offset = R(private_addresses),
		.about = "Address prefixes that answers from outside must not hold: they are taken "
			 "out (DNS rebinding)."},
	{.path = "resolver.private-names",
		.type = CONF_TABLE_NAMES,
		.unset = "[]",
		.offset = R(private_names),
		.about = "Names at and below which private addresses are good."},
	{.path = "resolver.dns64",
		.type = CONF_TABLE_DNS64,
		.unset = "",
		.offset = R(dns64),
		.about = "The prefix of a NAT64, as 64:ff9b::/96: names without AAAA get such of "
			 "their A records, RFC 6147."},
	{.path = "resolver.source",
		.fixed = true,
		.type = CONF_TABLE_SOURCES,
		.unset = "[]",
		.offset = R(source),
		.about = "Addresses to ask from, one of each family; a family that is absent is "
			 "not used. Empty: any."},
	{.path = "resolver.udp-payload",
		.type = CONF_TABLE_COUNT,
		.unset = "1232",
		.offset = R(udp_payload),
		.min = WIRE_UDP_LEN_MIN,
		.max = 4096,
		.about = "Octets of the longest answer by UDP that servers are offered, RFC 9715."},
	{.path = "resolver.ttl-max",
		.type = CONF_TABLE_COUNT,
		.unset = "86400",
		.offset = R(ttl_max),
		.max = 604800,
		.about = "Seconds that anything is kept at most."},
	{.path = "resolver.negative-ttl-max",
		.type = CONF_TABLE_COUNT,
		.unset = "3600",
		.offset = R(negative_ttl_max),
		.max = 86400,
		.about = "Seconds that a denial is kept at most, RFC 2308."},
	{.path = "resolver.serve-stale",
		.type = CONF_TABLE_COUNT,
		.unset = "86400",
		.offset = R(serve_stale),
		.max = 604800,
		.about = "Seconds after its end that an answer may still serve where servers fail, "
			 "RFC 8767; 0: never."},
	{.path = "resolver.forward[].zone",
		.type = CONF_TABLE_NAME,
		.offset = offsetof(struct conf_upstream, zone),
		.about = "The zone whose names are asked of other resolvers; a dot is all."},
	{.path = "resolver.forward[].to",
		.type = CONF_TABLE_SERVERS,
		.offset = offsetof(struct conf_upstream, to),
		.about = "Addresses of the resolvers."},
	{.path = "resolver.forward[].fall-back",
		.type = CONF_TABLE_BOOL,
		.unset = "false",
		.offset = offsetof(struct conf_upstream, fall_back),
		.about = "Where they fail, resolve here."},
	{.path = "resolver.stub[].zone",
		.type = CONF_TABLE_NAME,
		.offset = offsetof(struct conf_upstream, zone),
		.about = "The zone whose authoritative servers are given here."},
	{.path = "resolver.stub[].to",
		.type = CONF_TABLE_SERVERS,
		.offset = offsetof(struct conf_upstream, to),
		.about = "Addresses of the servers."},
	{.path = "resolver.cache.size",
		.fixed = true,
		.type = CONF_TABLE_SIZE,
		.unset = "\"auto\"",
		.offset = R(cache_size),
		.min = 2,
		.max = 1u << 20,
		.about = "Memory of the cache, all of it, as 512M or 2G; auto is a quarter of the "
			 "machine."},
	{.path = "log.level",
		.fixed = true,
		.type = CONF_TABLE_CHOICE,
		.unset = "\"info\"",
		.choices = "error warning info debug",
		.offset = offsetof(struct server_config, log_level),
		.about = "The least important lines that are logged."},
};

const struct conf_table_row *conf_table_find(
	const char *prefix, const char *key, const char *follow)
{
	size_t prefix_len = strlen(prefix);
	size_t key_len = strlen(key);
	size_t follow_len = strlen(follow);

	for (uint32_t i = 0; i < CONF_TABLE_ROWS; i++) {
		const char *path = conf_table_rows[i].path;
		if (key_len == 0 || strpbrk(key, ".[") != NULL ||
			strncmp(path, prefix, prefix_len) != 0 ||
			strncmp(path + prefix_len, key, key_len) != 0) {
			continue;
		}
		const char *rest = path + prefix_len + key_len;
		if (follow_len == 0 ? rest[0] == '\0' : strncmp(rest, follow, follow_len) == 0) {
			return &conf_table_rows[i];
		}
	}
	return NULL;
}

static bool read_count(const char *value, uint32_t *out)
{
	uint64_t number = 0;
	size_t len = strlen(value);

	if (len == 0 || len > 10 || strspn(value, "0123456789") != len) {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		number = number * 10 + (uint64_t)(value[i] - '0');
	}
	if (number > UINT32_MAX) {
		return false;
	}
	*out = (uint32_t)number;
	return true;
}

static bool store_count(
	const struct conf_table_row *row, const char *value, uint32_t *out, char *why)
{
	uint32_t number;

	if (row->type == CONF_TABLE_WORKERS && strcmp(value, "auto") == 0) {
		*out = CONF_WORKERS_AUTO;
		return true;
	}
	if (read_count(value, &number) && number >= row->min && number <= row->max) {
		*out = number;
		return true;
	}
	snprintf(why, CONF_WHY_MAX, "'%.64s' is no good value (expected %sa number from %u to %u)",
		value, row->type == CONF_TABLE_WORKERS ? "auto or " : "", row->min, row->max);
	return false;
}

static bool store_choice(
	const struct conf_table_row *row, const char *value, uint32_t *out, char *why)
{
	size_t value_len = strlen(value);
	const char *at = row->choices;

	for (uint32_t i = 0; at[0] != '\0'; i++) {
		size_t len = strcspn(at, " ");
		if (len == value_len && memcmp(at, value, len) == 0) {
			*out = i;
			return true;
		}
		at += len + strspn(at + len, " ");
	}
	snprintf(why, CONF_WHY_MAX, "'%.64s' is no good value (expected one of: %s)", value,
		row->choices);
	return false;
}

static bool store_address(struct server_config *config, const char *value, char *why)
{
	struct addr addr;

	if (!addr_parse(value, PORT_DEFAULT, &addr)) {
		snprintf(why, CONF_WHY_MAX,
			"'%.64s' is no address (expected ADDRESS:PORT like 192.0.2.1:53 or "
			"[::1]:53)",
			value);
		return false;
	}
	for (uint32_t i = 0; i < config->listen_count; i++) {
		/* Port 0 is any that is free, another one each time. */
		if (addr.port != 0 && addr_equal(&config->listen[i], &addr)) {
			snprintf(why, CONF_WHY_MAX,
				"'%.64s' is there already (expected each address once)", value);
			return false;
		}
	}
	if (config->listen_count == CONF_LISTEN_MAX) {
		snprintf(why, CONF_WHY_MAX, "'%.64s' is one address too many (expected at most %u)",
			value, CONF_LISTEN_MAX);
		return false;
	}
	config->listen[config->listen_count++] = addr;
	return true;
}

static bool store_name(const char *value, struct name *out, char *why)
{
	const struct name root = {.len = 1};
	enum wire_status status = name_from_text(value, (uint32_t)strlen(value), &root, out);

	if (status != WIRE_OK) {
		snprintf(why, CONF_WHY_MAX,
			"'%.64s' is no domain name: %s (expected one like example.com, or . for "
			"the root)",
			value, wire_status_text(status));
		return false;
	}
	name_lower(out);
	return true;
}

static bool store_bool(const char *value, uint32_t *out, char *why)
{
	if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
		snprintf(why, CONF_WHY_MAX, "'%.64s' is no good value (expected true or false)",
			value);
		return false;
	}
	*out = value[0] == 't';
	return true;
}

static bool store_size(
	const struct conf_table_row *row, const char *value, uint32_t *out, char *why)
{
	char digits[16];
	size_t len = strcspn(value, "MG");
	uint32_t number;

	if (strcmp(value, "auto") == 0) {
		*out = 0;
		return true;
	}
	snprintf(digits, sizeof(digits), "%.*s", (int)(len < 15 ? len : 15), value);
	bool unit = value[len] != '\0' && value[len + 1] == '\0';
	if (unit && read_count(digits, &number) && number <= row->max) {
		uint64_t size = value[len] == 'G' ? (uint64_t)number << 10 : number;
		if (size >= row->min && size <= row->max) {
			*out = (uint32_t)size;
			return true;
		}
	}
	snprintf(why, CONF_WHY_MAX,
		"'%.64s' is no good value (expected auto, or a size from %uM to %uG like 512M)",
		value, row->min, row->max >> 10);
	return false;
}

static bool store_prefix(const char *value, struct acl *acl, char *why)
{
	struct acl_prefix prefix;

	if (!acl_prefix_parse(value, &prefix)) {
		snprintf(why, CONF_WHY_MAX,
			"'%.64s' is no prefix (expected one like 192.0.2.0/24 or 2001:db8::/32, "
			"without "
			"bits behind its length)",
			value);
		return false;
	}
	if (!acl_add(acl, &prefix)) {
		snprintf(why, CONF_WHY_MAX, "'%.64s' is one prefix too many (expected at most %u)",
			value, ACL_PREFIXES_MAX);
		return false;
	}
	return true;
}

static bool store_dns64(const char *value, struct dns64 *out, char *why)
{
	struct acl_prefix prefix;

	if (!acl_prefix_parse(value, &prefix) || prefix.family != ADDR_V6 ||
		!dns64_is_prefix(prefix.octets, prefix.len)) {
		snprintf(why, CONF_WHY_MAX,
			"'%.64s' is no prefix of a NAT64 (expected one like 64:ff9b::/96, of 32, "
			"40, 48, 56, 64 or 96 bits, bits 64 to 71 being zero)",
			value);
		return false;
	}
	memcpy(out->octets, prefix.octets, sizeof(out->octets));
	out->len = prefix.len;
	return true;
}

static bool add_name(const char *value, struct conf_names *names, char *why)
{
	struct name name;

	if (!store_name(value, &name, why)) {
		return false;
	}
	struct name *grown = realloc(names->items, (names->count + 1) * sizeof(grown[0]));
	if (grown == NULL) {
		snprintf(why, CONF_WHY_MAX, "out of memory");
		return false;
	}
	names->items = grown;
	names->items[names->count++] = name;
	return true;
}

static bool add_addr(
	const struct conf_table_row *row, const char *value, struct conf_addrs *addrs, char *why)
{
	bool source = row->type == CONF_TABLE_SOURCES;
	uint32_t most = source ? 2 : CONF_ADDRS_MAX;
	struct addr addr;

	if (!addr_parse(value, source ? 0 : PORT_DEFAULT, &addr) || (source && addr.port != 0) ||
		(!source && addr.port == 0)) {
		snprintf(why, CONF_WHY_MAX, "'%.64s' is no address (expected one like 192.0.2.1%s)",
			value, source ? " or 2001:db8::1" : ", 192.0.2.1:5353 or [2001:db8::1]:53");
		return false;
	}
	if (addrs->count == most ||
		(source && addrs->count == 1 && addrs->items[0].family == addr.family)) {
		snprintf(why, CONF_WHY_MAX, "'%.64s' is one address too many (expected at most %s)",
			value, source ? "one of each family" : "13");
		return false;
	}
	addrs->items[addrs->count++] = addr;
	return true;
}

bool conf_table_is_list(enum conf_table_type type)
{
	return type == CONF_TABLE_ADDRESSES || type == CONF_TABLE_PREFIXES ||
	       type == CONF_TABLE_NAMES || type == CONF_TABLE_SERVERS || type == CONF_TABLE_SOURCES;
}

void conf_table_clear(const struct conf_table_row *row, void *what)
{
	void *field = (char *)what + row->offset;

	if (row->type == CONF_TABLE_ADDRESSES) {
		((struct server_config *)what)->listen_count = 0;
	} else if (row->type == CONF_TABLE_PREFIXES) {
		((struct acl *)field)->count = 0;
	} else if (row->type == CONF_TABLE_NAMES) {
		((struct conf_names *)field)->count = 0;
	} else {
		((struct conf_addrs *)field)->count = 0;
	}
}

bool conf_table_store(const struct conf_table_row *row, const char *value, void *what, char *why)
{
	void *field = (char *)what + row->offset;

	switch (row->type) {
	case CONF_TABLE_ADDRESSES:
		return store_address(what, value, why);
	case CONF_TABLE_COUNT:
	case CONF_TABLE_WORKERS:
		return store_count(row, value, field, why);
	case CONF_TABLE_CHOICE:
		return store_choice(row, value, field, why);
	case CONF_TABLE_NAME:
		return store_name(value, field, why);
	case CONF_TABLE_BOOL:
		return store_bool(value, field, why);
	case CONF_TABLE_SIZE:
		return store_size(row, value, field, why);
	case CONF_TABLE_PREFIXES:
		return store_prefix(value, field, why);
	case CONF_TABLE_DNS64:
		return store_dns64(value, field, why);
	case CONF_TABLE_NAMES:
		return add_name(value, field, why);
	case CONF_TABLE_SERVERS:
	case CONF_TABLE_SOURCES:
		return add_addr(row, value, field, why);
	case CONF_TABLE_FILE:
		break;
	}
	snprintf(why, CONF_WHY_MAX, "'%s' is not one value", row->path);
	return false;
}

static bool same_addrs(
	const struct addr *a, uint32_t a_count, const struct addr *b, uint32_t b_count)
{
	bool same = a_count == b_count;

	for (uint32_t i = 0; same && i < a_count; i++) {
		same = addr_equal(&a[i], &b[i]);
	}
	return same;
}

bool conf_table_same(const struct conf_table_row *row, const void *a, const void *b)
{
	const void *at_a = (const char *)a + row->offset, *at_b = (const char *)b + row->offset;
	const struct server_config *config_a = a, *config_b = b;
	const struct conf_addrs *addrs_a = at_a, *addrs_b = at_b;

	ASSERT(row->fixed);
	if (row->type == CONF_TABLE_ADDRESSES) {
		return same_addrs(config_a->listen, config_a->listen_count, config_b->listen,
			config_b->listen_count);
	}
	if (row->type == CONF_TABLE_SOURCES) {
		return same_addrs(addrs_a->items, addrs_a->count, addrs_b->items, addrs_b->count);
	}
	if (row->type == CONF_TABLE_FILE) {
		const char *file_a = *(char *const *)at_a, *file_b = *(char *const *)at_b;
		return file_a == NULL || file_b == NULL ? file_a == file_b
							: strcmp(file_a, file_b) == 0;
	}
	return memcmp(at_a, at_b, sizeof(uint32_t)) == 0; /* numbers and choices */
}

/* The octets of the component of row->path that begins at from, without `[]`. */
static size_t component_len(const char *from)
{
	return strcspn(from, ".[");
}

/* Edits (insert, remove, replace) that make a[0..a_len) into b[0..b_len); at most KEY_LEN_MAX octets each. */
static uint32_t distance(const char *a, size_t a_len, const char *b, size_t b_len)
{
	uint32_t row[KEY_LEN_MAX + 1];

	for (uint32_t j = 0; j <= b_len; j++) {
		row[j] = j;
	}
	for (size_t i = 0; i < a_len; i++) {
		uint32_t diagonal = row[0]; /* the row above, one to the left */
		row[0] = (uint32_t)i + 1;
		for (size_t j = 0; j < b_len; j++) {
			uint32_t best = diagonal + (a[i] != b[j] ? 1 : 0);
			diagonal = row[j + 1];
			best = best < row[j] + 1 ? best : row[j] + 1;
			row[j + 1] = best < diagonal + 1 ? best : diagonal + 1;
		}
	}
	return row[b_len];
}

/* Walks over what may stand below prefix, each word once; *idx starts at 0. NULL at the end. */
static const char *next_sibling(const char *prefix, uint32_t *idx, size_t *len_out)
{
	size_t prefix_len = strlen(prefix);

	while (*idx < CONF_TABLE_ROWS) {
		uint32_t at = (*idx)++;
		const char *word = conf_table_rows[at].path + prefix_len;
		if (strncmp(conf_table_rows[at].path, prefix, prefix_len) != 0) {
			continue;
		}
		*len_out = component_len(word);
		/* The rows of one mapping stand together: the same word again is the row before. */
		if (at == 0 || strncmp(conf_table_rows[at - 1].path, prefix, prefix_len) != 0 ||
			component_len(conf_table_rows[at - 1].path + prefix_len) != *len_out ||
			memcmp(conf_table_rows[at - 1].path + prefix_len, word, *len_out) != 0) {
			return word;
		}
	}
	return NULL;
}

void conf_table_suggest(const char *prefix, const char *key, char *out, size_t cap)
{
	size_t key_len = strlen(key);
	const char *best = NULL;
	size_t best_len = 0;
	uint32_t best_edits = SUGGEST_MAX + 1;
	size_t len;
	const char *word;

	for (uint32_t i = 0; (word = next_sibling(prefix, &i, &len)) != NULL;) {
		uint32_t edits = key_len > KEY_LEN_MAX || len > KEY_LEN_MAX
					 ? best_edits
					 : distance(key, key_len, word, len);
		if (edits < best_edits && edits < len) {
			best = word;
			best_len = len;
			best_edits = edits;
		}
	}
	if (best != NULL) {
		snprintf(out, cap, "did you mean '%.*s'?", (int)best_len, best);
		return;
	}
	size_t used = (size_t)snprintf(out, cap, "expected one of:");
	for (uint32_t i = 0; (word = next_sibling(prefix, &i, &len)) != NULL && used < cap;) {
		used += (size_t)snprintf(out + used, cap - used, " %.*s", (int)len, word);
	}
}

static void print_choices(const char *choices, FILE *out)
{
	fprintf(out, "\"enum\": [");
	for (const char *at = choices; at[0] != '\0';) {
		size_t len = strcspn(at, " ");
		fprintf(out, "%s\"%.*s\"", at == choices ? "" : ", ", (int)len, at);
		at += len + strspn(at + len, " ");
	}
	fprintf(out, "]");
}

static void print_leaf(const struct conf_table_row *row, FILE *out)
{
	switch (row->type) {
	case CONF_TABLE_ADDRESSES:
		fprintf(out,
			"\"type\": \"array\", \"items\": {\"type\": \"string\"}, \"maxItems\": %u",
			CONF_LISTEN_MAX);
		break;
	case CONF_TABLE_COUNT:
		fprintf(out, "\"type\": \"integer\", \"minimum\": %u, \"maximum\": %u", row->min,
			row->max);
		break;
	case CONF_TABLE_WORKERS:
		fprintf(out,
			"\"oneOf\": [{\"const\": \"auto\"}, "
			"{\"type\": \"integer\", \"minimum\": %u, \"maximum\": %u}]",
			row->min, row->max);
		break;
	case CONF_TABLE_CHOICE:
		print_choices(row->choices, out);
		break;
	case CONF_TABLE_BOOL:
		fprintf(out, "\"type\": \"boolean\"");
		break;
	case CONF_TABLE_SIZE:
		fprintf(out, "\"type\": \"string\", \"pattern\": \"^(auto|[0-9]+[MG])$\"");
		break;
	case CONF_TABLE_PREFIXES:
	case CONF_TABLE_NAMES:
	case CONF_TABLE_SERVERS:
	case CONF_TABLE_SOURCES:
		fprintf(out, "\"type\": \"array\", \"items\": {\"type\": \"string\"}");
		break;
	case CONF_TABLE_NAME:
	case CONF_TABLE_FILE:
	case CONF_TABLE_DNS64:
		fprintf(out, "\"type\": \"string\", \"minLength\": 1");
		break;
	}
	if (row->unset != NULL && row->unset[0] != '\0') {
		fprintf(out, ", \"default\": %s", row->unset);
	}
	fprintf(out, ", \"description\": \"%s\"}", row->about);
}

static void indent(uint32_t depth, FILE *out)
{
	fprintf(out, "%*s", (int)(2 * depth), "");
}

/* The words below prefix as the members of an object. Depth is that of the table: three. */
static void print_object(const char *prefix, uint32_t depth, FILE *out)
{
	size_t prefix_len = strlen(prefix);
	const char *word;
	const char *comma = "";
	size_t len;

	fprintf(out, "\"type\": \"object\", \"additionalProperties\": false,\n");
	indent(depth, out);
	fprintf(out, "\"properties\": {\n");
	for (uint32_t i = 0; (word = next_sibling(prefix, &i, &len)) != NULL;) {
		const struct conf_table_row *row = &conf_table_rows[i - 1];
		char below[CONF_WHY_MAX];
		bool is_list = word[len] == '[';

		fprintf(out, "%s", comma);
		comma = ",\n";
		indent(depth + 1, out);
		fprintf(out, "\"%.*s\": {", (int)len, word);
		if (word[len] == '\0') {
			print_leaf(row, out);
			continue;
		}
		snprintf(below, sizeof(below), "%.*s%s", (int)(prefix_len + len), row->path,
			is_list ? "[]." : ".");
		fprintf(out, "%s", is_list ? "\"type\": \"array\", \"items\": {" : "");
		print_object(below, depth + 2, out);
		fprintf(out, "%s", is_list ? "}}" : "}");
	}
	fprintf(out, "\n");
	indent(depth, out);
	fprintf(out, "}");
	uint32_t required = 0;
	for (uint32_t i = 0; (word = next_sibling(prefix, &i, &len)) != NULL;) {
		if (word[len] == '\0' && conf_table_rows[i - 1].unset == NULL) {
			fprintf(out, "%s\"%.*s\"", required++ == 0 ? ", \"required\": [" : ", ",
				(int)len, word);
		}
	}
	fprintf(out, "%s", required != 0 ? "]" : "");
}

void conf_table_print_schema(FILE *out)
{
	fprintf(out, "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
		     "  \"title\": \"saker configuration\",\n  ");
	print_object("", 1, out);
	fprintf(out, "\n}\n");
}
