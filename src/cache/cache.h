/* cache.h - what was learned, by key, for a while: shared by all workers, in memory of a fixed size.
 *
 * The cache knows octets: a key, a value, and when the value ends. What they mean is the resolver's (resolve/store.h).
 *
 *     key ->  shard -> bucket of a set-associative index -> entry in a log of 256 KiB segments
 *
 * A shard's log is written at its end, under the shard's writer lock. When its share of memory is full, the oldest segment
 * is given up: entries in it that were asked for since they were written are written again at the end (CLOCK), the others
 * are forgotten. Readers take no lock; a segment is written anew only when no reader can be in it any more.
 *
 * invariant  the memory of all shards never passes the cap; a reader sees an entry whole or not at all
 * thread     any number of readers (registered, base/publish.h) and writers
 */
#ifndef SAKER_CACHE_CACHE_H
#define SAKER_CACHE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"
#include "base/now.h"
#include "base/status.h"

struct cache;

#define CACHE_KEY_MAX   264u         /* a name and what tells kinds apart */
#define CACHE_VALUE_MAX (128u << 10) /* longer ones are not kept: no message is */
#define CACHE_SIZE_MIN  (2u << 20)   /* octets: less is no cache */

/* cache_new - size: octets that all of it may take, index and entries; key: 128 random bits for the hash.
 *
 * errors  NULL: no memory
 * cost    address space; memory is taken as it fills
 */
MUST_USE struct cache *cache_new(uint64_t size, const uint8_t key[16]);

/* cache_free - nobody uses it any more; accepts NULL. */
void cache_free(struct cache *cache);

struct cache_entry {
	const uint8_t *value; /* aligned to 8; valid until the reader is quiescent */
	uint32_t len;
	uint32_t hits;      /* asked for before, as far as is known: 0, 1 or more */
	int64_t stored_ms;  /* when it was put, by the caller's clock, which never goes back */
	int64_t expires_ms; /* monotonic; past entries are found, too, until they are given up */
};

/* cache_hash - the hash of a key, for the functions below. cost: SipHash-1-3 over the key (no attacker can aim at a bucket) */
uint64_t cache_hash(const struct cache *cache, const uint8_t *key, uint32_t key_len);

/* cache_prefetch - asks memory for the bucket of a hash. */
void cache_prefetch(const struct cache *cache, uint64_t hash);

/* cache_prefetch_entry - asks memory for what most likely stands under a hash, once its bucket is there. */
void cache_prefetch_entry(const struct cache *cache, uint64_t hash);

/* cache_get - finds what was put last under a key.
 *
 * shape   hash: cache_hash() of the key
 * effect  true: *out shows it, and it counts as asked for; it may have expired: the caller decides
 * cost    one bucket and one entry, about three cache lines; no lock
 * thread  a registered reader that is online
 */
MUST_USE bool cache_get(struct cache *cache, uint64_t hash, const uint8_t *key, uint32_t key_len,
	struct cache_entry *out);

/* cache_put - keeps a copy of a value under a key, in place of what was there.
 *
 * shape   key_len <= CACHE_KEY_MAX; len <= CACHE_VALUE_MAX
 * effect  it may be gone at once where memory is short: a cache promises nothing
 * cost    a copy under the shard's lock; now and then the clean-up of part of a segment, of bounded size
 * thread  any; a worker as a registered reader. Never waits for readers
 */
void cache_put(struct cache *cache, uint64_t hash, const uint8_t *key, uint32_t key_len,
	const uint8_t *value, uint32_t len, int64_t now_ms, int64_t expires_ms);

/* cache_drop - forgets a key. */
void cache_drop(struct cache *cache, uint64_t hash, const uint8_t *key, uint32_t key_len);

/* cache_each - shows every entry, in no order; where see says so it is dropped. Others may read and write meanwhile.
 *
 * shape   see: true to drop the entry
 * thread  any; a bucket at a time is locked
 */
void cache_each(struct cache *cache,
	bool (*see)(void *context, const uint8_t *key, uint32_t key_len,
		const struct cache_entry *entry),
	void *context);

struct cache_stats {
	uint64_t size; /* the cap */
	uint64_t used; /* octets of segments and index in use */
	uint64_t entries;
	uint64_t puts, dropped; /* dropped: given up for room */
};

/* cache_stats - summed over the shards; any thread. */
void cache_stats(const struct cache *cache, struct cache_stats *out);

#endif
