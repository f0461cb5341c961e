/* test_cache.c - the cache against a slow model, against exact LRU, and with threads.
 *
 * Values tell what key and version they belong to, all along their length: a value that is torn, stale or another key's is
 * seen at once.
 */
#include "cache/cache.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/publish.h"
#include "base/random.h"
#include "kit/kit.h"

#define KEYS       6000u
#define OPS        400000u
#define SIZE       (4u << 20)
#define HOUR_MS    3600000
#define THREADS    4u
#define THREAD_OPS 60000u
#define PAUSE_OPS  2500u
#define ZIPF_KEYS  60000u
#define ZIPF_ASKS  1500000u
/* Of the hits of exact LRU in as many entries, in a hundred. */
#define LRU_SHARE 95u

static const uint8_t secret[16] = {7};

static uint32_t make_key(uint32_t number, uint8_t *key)
{
	uint32_t len = 5 + number % 40;

	memset(key, (int)number, len);
	octets_put_u32(key, number);
	return len;
}

static uint32_t make_value(uint32_t number, uint32_t version, uint8_t *value)
{
	uint32_t len = 12 + (number * 7919u + version * 104729u) % 500;

	if (number % 200 == 0) {
		len *= 40;
	}
	octets_put_u32(value, number);
	octets_put_u32(value + 4, version);
	memset(value + 8, (int)(number ^ version), len - 8);
	return len;
}

#define VALUE_ROOM 32768u

static void put(
	struct cache *cache, uint32_t number, uint32_t version, int64_t now_ms, int64_t end_ms)
{
	uint8_t key[CACHE_KEY_MAX], value[VALUE_ROOM];
	uint32_t key_len = make_key(number, key);
	uint32_t len = make_value(number, version, value);

	cache_put(cache, cache_hash(cache, key, key_len), key, key_len, value, len, now_ms, end_ms);
}

static bool get(struct cache *cache, uint32_t number, struct cache_entry *out)
{
	uint8_t key[CACHE_KEY_MAX];
	uint32_t key_len = make_key(number, key);

	return cache_get(cache, cache_hash(cache, key, key_len), key, key_len, out);
}

static void drop(struct cache *cache, uint32_t number)
{
	uint8_t key[CACHE_KEY_MAX];
	uint32_t key_len = make_key(number, key);

	cache_drop(cache, cache_hash(cache, key, key_len), key, key_len);
}

/* Is the value whole, and of that key? Its version. */
static bool is_whole(const struct cache_entry *entry, uint32_t number, uint32_t *version)
{
	uint8_t value[VALUE_ROOM];

	*version = octets_get_u32(entry->value + 4);
	uint32_t len = make_value(number, *version, value);
	return entry->len == len && memcmp(entry->value, value, len) == 0;
}

static void begin(void)
{
	publish_register();
}

/* Every so many operations, that is before a segment has been filled, segments that nobody reads any more are free again:
 * on a busy machine the thread that says so may come late, and meanwhile nothing new is kept.
 */
static void pause_at(uint32_t op)
{
	publish_quiescent();
	if (op % PAUSE_OPS == 0) {
		publish_offline();
		publish_settle();
		publish_online();
	}
}

static void end(struct cache *cache)
{
	publish_offline();
	cache_free(cache);
	publish_online();
	publish_unregister();
}

TEST(what_is_found_was_put_last)
{
	static uint32_t versions[KEYS]; /* 0: not there */
	struct cache *cache = cache_new(SIZE, secret);
	uint64_t found = 0, gone = 0;

	begin();
	CHECK(cache != NULL);
	for (uint32_t i = 1; i <= OPS; i++) {
		uint32_t number = kit_random(KEYS), version;
		struct cache_entry entry;
		struct cache_stats stats;
		switch (kit_random(8)) {
		case 0:
			drop(cache, number);
			versions[number] = 0;
			CHECK(!get(cache, number, &entry));
			break;
		case 1:
		case 2:
			put(cache, number, i, i, i + HOUR_MS);
			versions[number] = i;
			break;
		default:
			if (get(cache, number, &entry)) {
				CHECK(is_whole(&entry, number, &version));
				CHECK_U(version, versions[number]);
				CHECK_U(entry.stored_ms, version);
				CHECK_U(entry.expires_ms, version + HOUR_MS);
				found++;
			} else {
				gone += versions[number] != 0;
			}
			break;
		}
		pause_at(i);
		if (i % 5000 == 0) {
			cache_stats(cache, &stats);
			CHECK_U(stats.size, SIZE);
			CHECK(stats.used <= SIZE);
		}
	}
	/* It is smaller than all that was put, or it would give nothing up. */
	CHECK(found > OPS / 20);
	CHECK(gone > 0);
	end(cache);
}

TEST(sizes_have_limits)
{
	static uint8_t value[CACHE_VALUE_MAX + 1];
	static uint8_t key[CACHE_KEY_MAX + 1];
	struct cache *cache = cache_new(SIZE, secret);
	struct cache_entry entry;

	begin();
	CHECK(cache_new(CACHE_SIZE_MIN - 1, secret) == NULL);
	uint64_t hash = cache_hash(cache, key, CACHE_KEY_MAX);
	cache_put(cache, hash, key, CACHE_KEY_MAX, value, CACHE_VALUE_MAX, 1, 2);
	CHECK(cache_get(cache, hash, key, CACHE_KEY_MAX, &entry));
	CHECK_U(entry.len, CACHE_VALUE_MAX);
	CHECK_U((uintptr_t)entry.value % 8, 0);
	cache_put(cache, cache_hash(cache, key, 3), key, 3, value, CACHE_VALUE_MAX + 1, 1, 2);
	CHECK(!cache_get(cache, cache_hash(cache, key, 3), key, 3, &entry));
	hash = cache_hash(cache, key, CACHE_KEY_MAX + 1);
	cache_put(cache, hash, key, CACHE_KEY_MAX + 1, value, 1, 1, 2);
	CHECK(!cache_get(cache, hash, key, CACHE_KEY_MAX + 1, &entry));
	/* The smallest cache still takes the largest value. */
	struct cache *small = cache_new(CACHE_SIZE_MIN, secret);
	CHECK(small != NULL);
	for (uint32_t i = 0; i < 100; i++) {
		struct cache_stats stats;
		octets_put_u32(key, i);
		cache_put(small, cache_hash(small, key, 9), key, 9, value, CACHE_VALUE_MAX, 1, 2);
		cache_stats(small, &stats);
		CHECK(stats.used <= CACHE_SIZE_MIN);
		publish_quiescent();
	}
	publish_offline();
	cache_free(small);
	publish_online();
	end(cache);
}

struct seen {
	uint32_t count, dropped;
};

static bool see(
	void *context, const uint8_t *key, uint32_t key_len, const struct cache_entry *entry)
{
	struct seen *seen = context;
	uint32_t number = octets_get_u32(key), version;

	CHECK_U(key_len, 5 + number % 40);
	CHECK(is_whole(entry, number, &version));
	seen->count++;
	seen->dropped += number % 3 == 0;
	return number % 3 == 0;
}

TEST(each_shows_every_entry_and_drops_what_it_is_told)
{
	struct cache *cache = cache_new(SIZE, secret);
	struct seen seen = {0};
	struct cache_stats stats;
	struct cache_entry entry;

	begin();
	for (uint32_t i = 0; i < 1000; i++) {
		put(cache, i, 1, 1, HOUR_MS);
	}
	cache_stats(cache, &stats);
	cache_each(cache, see, &seen);
	CHECK_U(seen.count, stats.entries);
	CHECK(seen.count > 900);
	for (uint32_t i = 0; i < 1000; i += 3) {
		CHECK(!get(cache, i, &entry));
	}
	cache_stats(cache, &stats);
	CHECK_U(stats.entries, seen.count - seen.dropped);
	end(cache);
}

/* ---- beside exact LRU ---- */

struct lru {
	uint32_t before[ZIPF_KEYS + 1],
		after[ZIPF_KEYS + 1]; /* a ring; the last place is its head */
	bool there[ZIPF_KEYS];
	uint32_t count, cap;
};

static void lru_unlink(struct lru *lru, uint32_t key)
{
	lru->after[lru->before[key]] = lru->after[key];
	lru->before[lru->after[key]] = lru->before[key];
}

static bool lru_ask(struct lru *lru, uint32_t key)
{
	uint32_t head = ZIPF_KEYS;
	bool hit = lru->there[key];

	if (hit) {
		lru_unlink(lru, key);
	} else if (lru->count == lru->cap) {
		uint32_t oldest = lru->before[head];
		lru_unlink(lru, oldest);
		lru->there[oldest] = false;
	} else {
		lru->count++;
	}
	lru->there[key] = true;
	lru->after[key] = lru->after[head];
	lru->before[key] = head;
	lru->before[lru->after[head]] = key;
	lru->after[head] = key;
	return hit;
}

static double sums[ZIPF_KEYS];

static uint32_t zipf(struct random *random)
{
	double at = (double)(random_u64(random) >> 11) / (double)(UINT64_C(1) << 53) *
		    sums[ZIPF_KEYS - 1];
	uint32_t low = 0, high = ZIPF_KEYS - 1;

	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (sums[middle] < at) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

static uint64_t ask_cache(struct cache *cache, uint32_t asks)
{
	struct random random;
	uint64_t hits = 0;

	random_init(&random, 1);
	for (uint32_t i = 0; i < asks; i++) {
		struct cache_entry entry;
		uint32_t number = zipf(&random);
		if (get(cache, number, &entry)) {
			hits += i >= asks / 2;
		} else {
			put(cache, number, 1, i, HOUR_MS);
		}
		pause_at(i);
	}
	return hits;
}

TEST(what_is_asked_for_stays)
{
	static struct lru lru;
	struct cache *cache = cache_new(SIZE, secret);
	struct cache_stats stats;
	struct random random;
	double sum = 0;
	uint64_t lru_hits = 0;

	begin();
	for (uint32_t i = 0; i < ZIPF_KEYS; i++) {
		sum += 1.0 / (i + 1.0);
		sums[i] = sum;
	}
	uint64_t hits = ask_cache(cache, ZIPF_ASKS);
	cache_stats(cache, &stats);
	lru.cap = (uint32_t)stats.entries;
	lru.before[ZIPF_KEYS] = lru.after[ZIPF_KEYS] = ZIPF_KEYS;
	random_init(&random, 1);
	for (uint32_t i = 0; i < ZIPF_ASKS; i++) {
		bool hit = lru_ask(&lru, zipf(&random));
		lru_hits += hit && i >= ZIPF_ASKS / 2;
	}
	print_message("# %u keys, %u entries: %.2f %% hits, exact LRU %.2f %%\n", ZIPF_KEYS,
		lru.cap, 200.0 * (double)hits / ZIPF_ASKS, 200.0 * (double)lru_hits / ZIPF_ASKS);
	CHECK(lru.cap < ZIPF_KEYS / 2);
	CHECK(hits * 100 >= lru_hits * LRU_SHARE);
	end(cache);
}

/* ---- threads ---- */

static struct cache *shared;
static _Atomic uint32_t torn, seen_by_threads;

static void *run(void *argument)
{
	struct random random;

	publish_register();
	random_init(&random, (uint64_t)(uintptr_t)argument);
	for (uint32_t i = 1; i <= THREAD_OPS; i++) {
		uint32_t number = random_below(&random, KEYS), version;
		struct cache_entry entry;
		switch (random_below(&random, 8)) {
		case 0:
			drop(shared, number);
			break;
		case 1:
		case 2:
			put(shared, number, i, i, HOUR_MS);
			break;
		default:
			if (get(shared, number, &entry)) {
				torn += !is_whole(&entry, number, &version);
				seen_by_threads++;
			}
			break;
		}
		publish_quiescent();
	}
	publish_unregister();
	return NULL;
}

TEST(threads_see_entries_whole)
{
	pthread_t threads[THREADS];
	struct cache_stats stats;

	begin();
	shared = cache_new(SIZE, secret);
	publish_offline();
	for (uint32_t i = 0; i < THREADS; i++) {
		CHECK(pthread_create(&threads[i], NULL, run, (void *)(uintptr_t)(i + 1)) == 0);
	}
	for (uint32_t i = 0; i < THREADS; i++) {
		CHECK(pthread_join(threads[i], NULL) == 0);
	}
	publish_online();
	CHECK_U(torn, 0);
	CHECK(seen_by_threads > THREAD_OPS / 4);
	cache_stats(shared, &stats);
	CHECK(stats.used <= SIZE);
	end(shared);
}
