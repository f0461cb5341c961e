/* store.c - values in and out of the cache. */
#include "resolve/store.h"

#include <string.h>

#include "base/octets.h"
#include "cache/cache.h"
#include "resolve/core.h"

/* In front of the sets; a multiple of RRSET_ALIGNMENT. */
struct head {
	uint16_t code;
	int16_t ede;
	uint8_t status;
	uint8_t spare;
	uint16_t set_count;
};
_Static_assert(sizeof(struct head) % RRSET_ALIGNMENT == 0, "sets follow");

bool store_read(const uint8_t *value, uint32_t len, struct stored *out)
{
	struct head head;

	if (len < sizeof(head)) {
		return false;
	}
	memcpy(&head, value, sizeof(head));
	out->status = head.status;
	out->code = head.code;
	out->ede = head.ede;
	out->set_count = 0;
	const uint8_t *at = value + sizeof(head);
	for (uint32_t i = 0; i < head.set_count && out->set_count < STORE_SETS_MAX; i++) {
		const struct rrset *set = (const struct rrset *)(const void *)at;
		at += set->len;
		out->sets[out->set_count++] = set;
	}
	return true;
}

uint32_t store_key(enum store_kind kind, const struct name *name, uint16_t type, uint8_t *out)
{
	out[0] = (uint8_t)kind;
	octets_put_u16(out + 1, type);
	name_octets_lower(out + STORE_KEY_FIXED_LEN, name->octets, name->len);
	return STORE_KEY_FIXED_LEN + name->len;
}

bool store_get(struct resolve *core, enum store_kind kind, const struct name *name, uint16_t type,
	bool stale_ok, struct stored *out)
{
	uint8_t key[CACHE_KEY_MAX];
	uint32_t key_len = store_key(kind, name, type, key);
	uint64_t hash = cache_hash(core->shared.cache, key, key_len);
	int64_t now_ms = core_now_ms(core);
	struct cache_entry entry;
	struct head head;

	if (!cache_get(core->shared.cache, hash, key, key_len, &entry)) {
		return false;
	}
	out->expired = entry.expires_ms <= now_ms;
	if (entry.len < sizeof(head) ||
		(out->expired && (!stale_ok || now_ms - entry.expires_ms >
						       core->config.stale_s * (int64_t)1000))) {
		return false;
	}
	memcpy(&head, entry.value, sizeof(head));
	out->status = head.status;
	out->code = head.code;
	out->ede = head.ede;
	out->hits = entry.hits;
	out->age_s = (uint32_t)((now_ms - entry.stored_ms) / 1000);
	out->ttl_s = out->expired ? 0 : (uint32_t)((entry.expires_ms - now_ms + 999) / 1000);
	out->set_count = 0;
	const uint8_t *at = entry.value + sizeof(head);
	for (uint32_t i = 0; i < head.set_count && out->set_count < STORE_SETS_MAX; i++) {
		const struct rrset *set = (const struct rrset *)(const void *)at;
		at += set->len;
		/* Parts of a cut have times of their own: glue and DS may end before the delegation. */
		if (kind != STORE_CUT || i == 0 || set->ttl > out->age_s) {
			out->sets[out->set_count++] = set;
		}
	}
	return true;
}

void store_put_ms(struct resolve *core, enum store_kind kind, const struct name *name,
	uint16_t type, const struct stored *what, int64_t keep_ms)
{
	uint8_t key[CACHE_KEY_MAX];
	uint32_t key_len = store_key(kind, name, type, key);
	const struct head head = {.code = what->code,
		.ede = what->ede,
		.status = what->status,
		.set_count = (uint16_t)what->set_count};
	uint64_t len = sizeof(head);

	for (uint32_t i = 0; i < what->set_count; i++) {
		len += what->sets[i]->len;
	}
	if (len > CACHE_VALUE_MAX) {
		return;
	}
	/* One piece, for the cache copies it: in the arena of this step's answers. */
	uint8_t *value = arena_alloc(&core->answers, len);
	if (value == NULL) {
		return;
	}
	memcpy(value, &head, sizeof(head));
	uint8_t *at = value + sizeof(head);
	for (uint32_t i = 0; i < what->set_count; i++) {
		memcpy(at, what->sets[i], what->sets[i]->len);
		at += what->sets[i]->len;
	}
	cache_put(core->shared.cache, cache_hash(core->shared.cache, key, key_len), key, key_len,
		value, (uint32_t)len, core_now_ms(core), core_now_ms(core) + keep_ms);
}

void store_put(struct resolve *core, enum store_kind kind, const struct name *name, uint16_t type,
	const struct stored *what, uint32_t ttl_s)
{
	uint32_t most =
		kind == STORE_ABSENT ? core->config.negative_ttl_max_s : core->config.ttl_max_s;
	int64_t keep_ms = (int64_t)(ttl_s < most ? ttl_s : most) * 1000;

	store_put_ms(core, kind, name, type, what, keep_ms == 0 ? STORE_TTL_ZERO_MS : keep_ms);
}

void store_drop(struct resolve *core, enum store_kind kind, const struct name *name, uint16_t type)
{
	uint8_t key[CACHE_KEY_MAX];
	uint32_t key_len = store_key(kind, name, type, key);

	cache_drop(core->shared.cache, cache_hash(core->shared.cache, key, key_len), key, key_len);
}
