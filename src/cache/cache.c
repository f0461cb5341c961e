/* cache.c - shards: an index of slots, and a log of segments that goes round. */
#include "cache/cache.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/publish.h"
#include "base/siphash.h"
#include "os/pages.h"

#define SEGMENT_LEN   (256u << 10)
#define SHARD_LEN_MIN (8u << 20) /* octets that one shard is worth; a smaller cache has one */
#define SHARDS_MAX    64u
#define INDEX_SHARE                                                                                \
	24u /* of the memory goes to the index: a slot of 8 octets for an entry of 200 and more */
#define WAYS           8u  /* slots of a bucket: a cache line */
#define UNIT           8u  /* octets that a slot's reference counts */
#define SPARE_SEGMENTS 2u  /* are kept free or on the way to it, so that nobody waits for one */
#define STEP_ENTRIES   32u /* entries that one put looks at to free a segment */
#define SEGMENTS_MIN   4u

enum touch { TOUCHED_NOW = 1, TOUCHED_EVER = 2 };

/* Followed by the key, zeros up to UNIT, and the value, zeros up to UNIT. */
struct entry {
	uint32_t len; /* of all, a multiple of UNIT; 0 ends a segment */
	uint32_t value_len;
	uint16_t key_len;
	_Atomic uint8_t touched; /* [atomic: relaxed, set by readers: enum touch] */
	uint8_t spare[5];
	uint64_t hash;
	int64_t stored_ms;
	int64_t expires_ms;
};
_Static_assert(sizeof(struct entry) % UNIT == 0, "the key follows");

/* tag << 32 | reference: 1 + place in units; 0: free. [atomic: release in writers, acquire in readers] */
typedef _Atomic uint64_t slot;

struct bucket {
	slot slots[WAYS];
};
_Static_assert(sizeof(struct bucket) == CACHE_LINE, "one probe is one cache line");

enum segment_state { SEGMENT_FREE, SEGMENT_USED, SEGMENT_ENDING };

struct segment {
	struct publish_later later;
	_Atomic uint32_t
		state; /* [atomic: release when a grace period frees it, acquire in writers] */
};

/* [lock] is guarded by the lock; what readers use is read-only or atomic. */
struct shard {
	_Alignas(CACHE_LINE) struct bucket *buckets; /* [ro] in the cache's pages */
	uint8_t *log;                                /* [ro] */
	struct segment *segments;                    /* owns */
	uint32_t bucket_mask;                        /* [ro] */
	uint32_t segment_count;                      /* [ro] */
	pthread_mutex_t lock;
	uint32_t current;  /* [lock] segment that is written */
	uint32_t at;       /* [lock] octets written in it */
	uint32_t oldest;   /* [lock] first segment in use; they are used round and round */
	uint32_t used;     /* [lock] segments from oldest to current */
	uint32_t sweep_at; /* [lock] how far the oldest has been gone through */
	uint64_t entries, puts, dropped; /* [lock] */
};

struct cache {
	uint8_t key[SIPHASH_KEY_LEN];
	uint64_t size;
	uint8_t *pages; /* owns */
	size_t pages_len;
	uint32_t shard_count; /* a power of two */
	struct shard *shards; /* owns */
};

static uint32_t power_below(uint64_t n)
{
	uint32_t power = 1;

	while (power <= n / 2 && power < 1u << 30) {
		power *= 2;
	}
	return power;
}

static bool shard_init(struct shard *shard, uint8_t *memory, uint64_t len)
{
	uint32_t buckets = power_below(len / INDEX_SHARE / sizeof(struct bucket));
	uint64_t index_len = buckets * sizeof(struct bucket);

	shard->buckets = (struct bucket *)(void *)memory;
	shard->bucket_mask = buckets - 1;
	shard->log = memory + index_len;
	shard->segment_count = (uint32_t)((len - index_len) / SEGMENT_LEN);
	if (shard->segment_count < SEGMENTS_MIN) {
		return false;
	}
	shard->segments = calloc(shard->segment_count, sizeof(shard->segments[0]));
	if (shard->segments == NULL || pthread_mutex_init(&shard->lock, NULL) != 0) {
		free(shard->segments);
		shard->segments = NULL;
		return false;
	}
	shard->used = 1;
	atomic_store_explicit(&shard->segments[0].state, SEGMENT_USED, memory_order_relaxed);
	return true;
}

struct cache *cache_new(uint64_t size, const uint8_t key[16])
{
	struct cache *cache = calloc(1, sizeof(*cache));

	if (cache == NULL || size < CACHE_SIZE_MIN) {
		free(cache);
		return NULL;
	}
	memcpy(cache->key, key, sizeof(cache->key));
	cache->size = size;
	uint32_t count = power_below(size / SHARD_LEN_MIN);
	cache->shard_count = count > SHARDS_MAX ? SHARDS_MAX : count;
	uint64_t shard_len = size / cache->shard_count & ~(uint64_t)(SEGMENT_LEN - 1);
	cache->pages_len = shard_len * cache->shard_count;
	cache->pages = pages_reserve(cache->pages_len);
	cache->shards = aligned_alloc(CACHE_LINE, cache->shard_count * sizeof(cache->shards[0]));
	if (cache->shards != NULL) {
		memset(cache->shards, 0, cache->shard_count * sizeof(cache->shards[0]));
	}
	if (cache->pages == NULL || cache->shards == NULL ||
		!pages_commit(cache->pages, cache->pages_len)) {
		cache_free(cache);
		return NULL;
	}
	for (uint32_t i = 0; i < cache->shard_count; i++) {
		if (!shard_init(&cache->shards[i], cache->pages + i * shard_len, shard_len)) {
			cache_free(cache);
			return NULL;
		}
	}
	return cache;
}

void cache_free(struct cache *cache)
{
	if (cache == NULL) {
		return;
	}
	publish_settle();
	for (uint32_t i = 0; cache->shards != NULL && i < cache->shard_count; i++) {
		if (cache->shards[i].segments != NULL) {
			pthread_mutex_destroy(&cache->shards[i].lock);
			free(cache->shards[i].segments);
		}
	}
	free(cache->shards);
	pages_free(cache->pages, cache->pages_len);
	free(cache);
}

HOT uint64_t cache_hash(const struct cache *cache, const uint8_t *key, uint32_t key_len)
{
	return siphash_13(cache->key, key, key_len);
}

static inline struct shard *shard_of(const struct cache *cache, uint64_t hash)
{
	return &cache->shards[(hash >> 40) & (cache->shard_count - 1)];
}

static inline struct bucket *bucket_of(const struct shard *shard, uint64_t hash)
{
	return &shard->buckets[hash & shard->bucket_mask];
}

static inline uint32_t tag_of(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

void cache_prefetch(const struct cache *cache, uint64_t hash)
{
	__builtin_prefetch(bucket_of(shard_of(cache, hash), hash));
}

static inline struct entry *entry_at(const struct shard *shard, uint64_t value)
{
	return (struct entry *)(void *)(shard->log + ((value & UINT32_MAX) - 1) * UNIT);
}

static inline uint64_t slot_value(const struct shard *shard, const struct entry *entry)
{
	uint64_t place = (uint64_t)((const uint8_t *)entry - shard->log) / UNIT + 1;

	return (uint64_t)tag_of(entry->hash) << 32 | place;
}

static inline const uint8_t *key_of(const struct entry *entry)
{
	return (const uint8_t *)(entry + 1);
}

void cache_prefetch_entry(const struct cache *cache, uint64_t hash)
{
	const struct shard *shard = shard_of(cache, hash);
	const struct bucket *bucket = bucket_of(shard, hash);

	for (uint32_t i = 0; i < WAYS; i++) {
		uint64_t value = atomic_load_explicit(&bucket->slots[i], memory_order_relaxed);
		if (value != 0 && value >> 32 == tag_of(hash)) {
			const uint8_t *at = (const uint8_t *)entry_at(shard, value);
			__builtin_prefetch(at);
			__builtin_prefetch(at + CACHE_LINE);
			__builtin_prefetch(at + 2 * (size_t)CACHE_LINE);
			return;
		}
	}
}

static inline uint32_t round_up(uint32_t len)
{
	return (len + UNIT - 1) & ~(UNIT - 1);
}

static inline const uint8_t *value_of(const struct entry *entry)
{
	return key_of(entry) + round_up(entry->key_len);
}

static inline bool is_entry(
	const struct entry *entry, uint64_t hash, const uint8_t *key, uint32_t key_len)
{
	return entry->hash == hash && entry->key_len == key_len &&
	       memcmp(key_of(entry), key, key_len) == 0;
}

/* The slot that holds a key; NULL: none. */
static inline slot *find(
	const struct shard *shard, uint64_t hash, const uint8_t *key, uint32_t key_len)
{
	struct bucket *bucket = bucket_of(shard, hash);

	for (uint32_t i = 0; i < WAYS; i++) {
		uint64_t value = atomic_load_explicit(&bucket->slots[i], memory_order_acquire);
		if (value != 0 && value >> 32 == tag_of(hash) &&
			is_entry(entry_at(shard, value), hash, key, key_len)) {
			return &bucket->slots[i];
		}
	}
	return NULL;
}

static void show(struct entry *entry, uint8_t touched, struct cache_entry *out)
{
	out->value = value_of(entry);
	out->len = entry->value_len;
	out->hits = touched != 0;
	out->stored_ms = entry->stored_ms;
	out->expires_ms = entry->expires_ms;
}

HOT bool cache_get(struct cache *cache, uint64_t hash, const uint8_t *key, uint32_t key_len,
	struct cache_entry *out)
{
	const struct shard *shard = shard_of(cache, hash);
	struct bucket *bucket = bucket_of(shard, hash);

	for (uint32_t i = 0; i < WAYS; i++) {
		uint64_t value = atomic_load_explicit(&bucket->slots[i], memory_order_acquire);
		if (value == 0 || value >> 32 != tag_of(hash)) {
			continue;
		}
		struct entry *entry = entry_at(shard, value);
		if (!is_entry(entry, hash, key, key_len)) {
			continue;
		}
		uint8_t touched = atomic_load_explicit(&entry->touched, memory_order_relaxed);
		/* The line is written once between two sweeps, not at each hit. */
		if ((touched & TOUCHED_NOW) == 0) {
			atomic_store_explicit(
				&entry->touched, TOUCHED_NOW | TOUCHED_EVER, memory_order_relaxed);
		}
		show(entry, touched, out);
		return true;
	}
	return false;
}

static void segment_is_free(struct publish_later *later)
{
	struct segment *segment = (struct segment *)(void *)later;

	atomic_store_explicit(&segment->state, SEGMENT_FREE, memory_order_release);
}

/* Room for len octets at the end of the log; NULL: no segment is free yet. */
static struct entry *append(struct shard *shard, uint32_t len)
{
	/* An entry of length 0 marks the end where room is left. */
	if (SEGMENT_LEN - shard->at < len + sizeof(uint32_t)) {
		uint32_t next = (shard->current + 1) % shard->segment_count;
		if (atomic_load_explicit(&shard->segments[next].state, memory_order_acquire) !=
			SEGMENT_FREE) {
			return NULL;
		}
		atomic_store_explicit(
			&shard->segments[next].state, SEGMENT_USED, memory_order_relaxed);
		shard->current = next;
		shard->at = 0;
		shard->used++;
	}
	uint8_t *at = shard->log + (size_t)shard->current * SEGMENT_LEN + shard->at;
	shard->at += len;
	uint32_t end = 0;
	memcpy(at + len, &end, sizeof(end));
	return (struct entry *)(void *)at;
}

static void unlink_slot(struct shard *shard, slot *at)
{
	atomic_store_explicit(at, 0, memory_order_release);
	shard->entries--;
}

/* An entry of the oldest segment: written again where somebody asked for it, or forgotten. */
static void sweep_entry(struct shard *shard, struct entry *old, int64_t now_ms)
{
	slot *at = find(shard, old->hash, key_of(old), old->key_len);

	if (at == NULL || entry_at(shard, atomic_load_explicit(at, memory_order_relaxed)) != old) {
		return; /* there is a newer one, or it was dropped */
	}
	uint8_t touched = atomic_load_explicit(&old->touched, memory_order_relaxed);
	struct entry *moved = NULL;
	if ((touched & TOUCHED_NOW) != 0 && old->expires_ms > now_ms) {
		moved = append(shard, old->len);
	}
	if (moved == NULL) {
		unlink_slot(shard, at);
		shard->dropped++;
		return;
	}
	memcpy(moved + 1, old + 1, old->len - sizeof(*old));
	moved->len = old->len;
	moved->value_len = old->value_len;
	moved->key_len = old->key_len;
	moved->hash = old->hash;
	moved->stored_ms = old->stored_ms;
	moved->expires_ms = old->expires_ms;
	atomic_store_explicit(&moved->touched, TOUCHED_EVER, memory_order_relaxed);
	atomic_store_explicit(at, slot_value(shard, moved), memory_order_release);
}

/* Goes on giving up the oldest segment while few are free. */
static void sweep(struct shard *shard, int64_t now_ms)
{
	if (shard->segment_count - shard->used >= SPARE_SEGMENTS ||
		shard->oldest == shard->current) {
		return;
	}
	uint8_t *segment = shard->log + (size_t)shard->oldest * SEGMENT_LEN;
	for (uint32_t i = 0; i < STEP_ENTRIES; i++) {
		struct entry *entry = (struct entry *)(void *)(segment + shard->sweep_at);
		bool ended = SEGMENT_LEN - shard->sweep_at < sizeof(*entry);
		if (ended || entry->len == 0) {
			struct segment *done = &shard->segments[shard->oldest];
			atomic_store_explicit(&done->state, SEGMENT_ENDING, memory_order_relaxed);
			done->later.done = segment_is_free;
			publish_later(&done->later);
			shard->oldest = (shard->oldest + 1) % shard->segment_count;
			shard->used--;
			shard->sweep_at = 0;
			return;
		}
		shard->sweep_at += entry->len;
		sweep_entry(shard, entry, now_ms);
	}
}

/* The slot for a new key: a free one, or that of the entry that is worth least. */
static slot *choose_slot(struct shard *shard, uint64_t hash, int64_t now_ms)
{
	struct bucket *bucket = bucket_of(shard, hash);
	slot *best = NULL;
	uint32_t best_worth = UINT32_MAX;

	for (uint32_t i = 0; i < WAYS; i++) {
		uint64_t value = atomic_load_explicit(&bucket->slots[i], memory_order_relaxed);
		if (value == 0) {
			return &bucket->slots[i];
		}
		struct entry *entry = entry_at(shard, value);
		uint32_t worth =
			entry->expires_ms <= now_ms
				? 0
				: 1u + atomic_load_explicit(&entry->touched, memory_order_relaxed);
		if (worth < best_worth) {
			best_worth = worth;
			best = &bucket->slots[i];
		}
	}
	unlink_slot(shard, best);
	shard->dropped++;
	return best;
}

void cache_put(struct cache *cache, uint64_t hash, const uint8_t *key, uint32_t key_len,
	const uint8_t *value, uint32_t len, int64_t now_ms, int64_t expires_ms)
{
	struct shard *shard = shard_of(cache, hash);
	uint32_t entry_len = (uint32_t)sizeof(struct entry) + round_up(key_len) + round_up(len);

	if (key_len > CACHE_KEY_MAX) {
		return;
	}
	if (len > CACHE_VALUE_MAX) {
		cache_drop(cache, hash, key, key_len);
		return;
	}
	pthread_mutex_lock(&shard->lock);
	sweep(shard, now_ms);
	struct entry *entry = append(shard, entry_len);
	shard->puts++;
	if (entry == NULL) {
		/* What it was to replace is no longer true. */
		slot *before = find(shard, hash, key, key_len);
		if (before != NULL) {
			unlink_slot(shard, before);
		}
		shard->dropped++;
		pthread_mutex_unlock(&shard->lock);
		return;
	}
	entry->len = entry_len;
	entry->value_len = len;
	entry->key_len = (uint16_t)key_len;
	entry->hash = hash;
	entry->stored_ms = now_ms;
	entry->expires_ms = expires_ms;
	uint8_t *at = (uint8_t *)(entry + 1);
	memcpy(at, key, key_len);
	memcpy(at + round_up(key_len), value, len);
	slot *place = find(shard, hash, key, key_len);
	uint8_t touched = 0;
	if (place == NULL) {
		place = choose_slot(shard, hash, now_ms);
		shard->entries++;
	} else {
		/* What was asked for before will be asked for again. */
		const struct entry *before =
			entry_at(shard, atomic_load_explicit(place, memory_order_relaxed));
		touched =
			atomic_load_explicit(&before->touched, memory_order_relaxed) & TOUCHED_EVER;
	}
	atomic_store_explicit(&entry->touched, touched, memory_order_relaxed);
	atomic_store_explicit(place, slot_value(shard, entry), memory_order_release);
	pthread_mutex_unlock(&shard->lock);
}

void cache_drop(struct cache *cache, uint64_t hash, const uint8_t *key, uint32_t key_len)
{
	struct shard *shard = shard_of(cache, hash);

	pthread_mutex_lock(&shard->lock);
	slot *place = find(shard, hash, key, key_len);
	if (place != NULL) {
		unlink_slot(shard, place);
	}
	pthread_mutex_unlock(&shard->lock);
}

static void each_of_bucket(struct shard *shard, struct bucket *bucket,
	bool (*see)(void *context, const uint8_t *key, uint32_t key_len,
		const struct cache_entry *entry),
	void *context)
{
	for (uint32_t i = 0; i < WAYS; i++) {
		uint64_t value = atomic_load_explicit(&bucket->slots[i], memory_order_relaxed);
		struct cache_entry shown;
		if (value == 0) {
			continue;
		}
		struct entry *entry = entry_at(shard, value);
		show(entry, atomic_load_explicit(&entry->touched, memory_order_relaxed), &shown);
		if (see(context, key_of(entry), entry->key_len, &shown)) {
			unlink_slot(shard, &bucket->slots[i]);
		}
	}
}

void cache_each(struct cache *cache,
	bool (*see)(void *context, const uint8_t *key, uint32_t key_len,
		const struct cache_entry *entry),
	void *context)
{
	for (uint32_t s = 0; s < cache->shard_count; s++) {
		struct shard *shard = &cache->shards[s];
		for (uint32_t b = 0; b <= shard->bucket_mask; b++) {
			pthread_mutex_lock(&shard->lock);
			each_of_bucket(shard, &shard->buckets[b], see, context);
			pthread_mutex_unlock(&shard->lock);
		}
	}
}

void cache_stats(const struct cache *cache, struct cache_stats *out)
{
	*out = (struct cache_stats){.size = cache->size};
	for (uint32_t s = 0; s < cache->shard_count; s++) {
		struct shard *shard = &cache->shards[s];
		pthread_mutex_lock(&shard->lock);
		out->used += ((uint64_t)shard->bucket_mask + 1) * sizeof(struct bucket) +
			     (uint64_t)shard->used * SEGMENT_LEN;
		out->entries += shard->entries;
		out->puts += shard->puts;
		out->dropped += shard->dropped;
		pthread_mutex_unlock(&shard->lock);
	}
}
