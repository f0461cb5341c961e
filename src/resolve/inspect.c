/* inspect.c - walks over all entries. */
#include "resolve/inspect.h"

#include <inttypes.h>
#include <string.h>

#include "base/octets.h"
#include "cache/cache.h"
#include "dnssec/dnssec.h"
#include "resolve/hit.h"
#include "resolve/store.h"
#include "wire/rrtype.h"

/* A key taken apart. */
struct key {
	uint8_t kind; /* enum store_kind, or HIT_KEY_KIND */
	uint16_t type;
	struct name name;
};

struct walk {
	int64_t now_ms;
	const struct name *name; /* NULL: any */
	uint16_t type;
	bool below;
	FILE *out; /* NULL: what is found is dropped */
	uint64_t count;
};

static bool read_key(const uint8_t *octets, uint32_t len, struct key *out)
{
	uint32_t head = octets[0] == HIT_KEY_KIND ? HIT_KEY_FIXED_LEN : STORE_KEY_FIXED_LEN;
	uint32_t name_len;

	if (len <= head || name_measure(octets + head, len - head, &name_len) != WIRE_OK ||
		name_len != len - head) {
		return false;
	}
	out->kind = octets[0];
	out->type = octets_get_u16(octets + head - 2);
	out->name.len = (uint8_t)name_len;
	memcpy(out->name.octets, octets + head, name_len);
	out->name.label_count = 0;
	for (uint32_t at = 0; octets[head + at] != 0; at += octets[head + at] + 1u) {
		out->name.label_count++;
	}
	return true;
}

/* Is an entry about what is looked for? With a type: nothing about the name as a zone. */
static bool fits(const struct walk *walk, const struct key *key)
{
	if (walk->name == NULL) {
		return true;
	}
	if (walk->below ? !name_is_below(&key->name, walk->name)
			: !name_equal(&key->name, walk->name)) {
		return false;
	}
	if (walk->type == INSPECT_ALL_TYPES || key->type == walk->type) {
		return true;
	}
	return (key->kind == STORE_ABSENT || key->kind == STORE_UNCHECKED_ABSENT) &&
	       key->type == 0; /* the whole name is said not to exist */
}

static const char *status_of(uint8_t status)
{
	switch ((enum dnssec_status)status) {
	case DNSSEC_UNCHECKED:
		break;
	case DNSSEC_SECURE:
		return "secure";
	case DNSSEC_INSECURE:
		return "insecure";
	case DNSSEC_BOGUS:
		return "bogus";
	}
	return "unchecked";
}

static const char *trust_of(uint16_t code)
{
	switch ((enum store_trust)code) {
	case STORE_TRUST_SECURE:
		return "keys";
	case STORE_TRUST_INSECURE:
		return "no-keys";
	case STORE_TRUST_NO_ZONE:
		break;
	}
	return "no-zone";
}

static const char *from_of(const struct key *key, const struct stored *stored)
{
	switch (key->kind) {
	case STORE_SET:
	case STORE_UNCHECKED_SET:
		return "set";
	case STORE_ABSENT:
	case STORE_UNCHECKED_ABSENT:
		return key->type == 0 ? "absent-name" : "absent";
	case STORE_CUT:
		return "cut";
	case STORE_TRUST:
		return trust_of(stored->code);
	case STORE_FAILURE:
		return "failure";
	default:
		return "message";
	}
}

static void print(const struct walk *walk, const struct key *key, const struct cache_entry *entry)
{
	char name[NAME_TEXT_MAX], type[RRTYPE_TEXT_MAX] = "-", ttl[24] = "expired";
	struct stored stored = {.status = DNSSEC_UNCHECKED};
	bool message = key->kind == HIT_KEY_KIND;

	if (!message && !store_read(entry->value, entry->len, &stored)) {
		return;
	}
	if (entry->expires_ms > walk->now_ms) {
		snprintf(ttl, sizeof(ttl), "%" PRId64,
			(entry->expires_ms - walk->now_ms + 999) / 1000);
	}
	if (key->type != 0) {
		rrtype_to_text(key->type, type);
	}
	fprintf(walk->out, "%s %s %s %s %s hits=%u\n", name_to_text(&key->name, name), ttl, type,
		message ? "-" : status_of(stored.status), from_of(key, &stored), entry->hits);
}

static bool see(void *context, const uint8_t *octets, uint32_t len, const struct cache_entry *entry)
{
	struct walk *walk = context;
	struct key key;

	if (!read_key(octets, len, &key)) {
		return false;
	}
	if (walk->out == NULL && key.kind == HIT_KEY_KIND) {
		return true;
	}
	if (!fits(walk, &key)) {
		return false;
	}
	walk->count++;
	if (walk->out != NULL) {
		print(walk, &key, entry);
	}
	return walk->out == NULL;
}

uint64_t inspect_dump(struct cache *cache, int64_t now_ms, FILE *out)
{
	struct walk walk = {.now_ms = now_ms, .out = out};

	cache_each(cache, see, &walk);
	return walk.count;
}

uint64_t inspect_name(
	struct cache *cache, int64_t now_ms, const struct name *name, uint16_t type, FILE *out)
{
	struct walk walk = {.now_ms = now_ms, .name = name, .type = type, .out = out};

	cache_each(cache, see, &walk);
	return walk.count;
}

uint64_t inspect_flush(struct cache *cache, const struct inspect_what *what)
{
	struct walk walk = {.name = what->name,
		.type = what->below ? INSPECT_ALL_TYPES : what->type,
		.below = what->below};

	cache_each(cache, see, &walk);
	return walk.count;
}

struct sift {
	bool (*goes)(const void *context, const struct name *name);
	const void *context;
	uint64_t count;
};

static bool sift(
	void *context, const uint8_t *octets, uint32_t len, const struct cache_entry *entry)
{
	struct sift *what = context;
	struct key key;

	(void)entry;
	if (!read_key(octets, len, &key)) {
		return false;
	}
	if (key.kind == HIT_KEY_KIND) {
		return true;
	}
	bool goes =
		(key.kind == STORE_ABSENT && key.type == 0) || what->goes(what->context, &key.name);
	what->count += goes;
	return goes;
}

uint64_t inspect_sift(struct cache *cache,
	bool (*goes)(const void *context, const struct name *name), const void *context)
{
	struct sift what = {.goes = goes, .context = context};

	cache_each(cache, sift, &what);
	return what.count;
}
