/* memo.c - a table by hash. */
#include "dnssec/memo.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/siphash.h"

struct memo {
	uint8_t secret[2 * SIPHASH_KEY_LEN];
	struct memo_entry entries[MEMO_ENTRIES];
};

_Static_assert(offsetof(struct rrset, sigs_off) == 8, "length and TTL stand before what is hashed");

struct memo *memo_new(const uint8_t secret[32])
{
	struct memo *memo = calloc(1, sizeof(*memo));

	if (memo != NULL) {
		memcpy(memo->secret, secret, sizeof(memo->secret));
	}
	return memo;
}

void memo_free(struct memo *memo)
{
	free(memo);
}

/* All of a set but its TTL, which grows smaller on the way and is not signed. */
static void hash_set(const struct memo *memo, const struct rrset *set, uint64_t out[2])
{
	const uint8_t *from = (const uint8_t *)set + offsetof(struct rrset, sigs_off);
	size_t len = set->len - offsetof(struct rrset, sigs_off);

	out[0] = siphash_24(memo->secret, from, len);
	out[1] = siphash_24(memo->secret + SIPHASH_KEY_LEN, from, len);
}

const struct memo_entry *memo_find(const struct memo *memo, const struct rrset *set,
	const struct rrset *keys, uint64_t hash_out[2])
{
	uint64_t parts[4];

	hash_set(memo, set, parts);
	hash_set(memo, keys, parts + 2);
	hash_out[0] = siphash_24(memo->secret, parts, sizeof(parts));
	hash_out[1] = siphash_24(memo->secret + SIPHASH_KEY_LEN, parts, sizeof(parts));
	const struct memo_entry *entry = &memo->entries[hash_out[0] % MEMO_ENTRIES];
	return entry->hash[0] == hash_out[0] && entry->hash[1] == hash_out[1] ? entry : NULL;
}

void memo_put(struct memo *memo, const struct memo_entry *entry)
{
	memo->entries[entry->hash[0] % MEMO_ENTRIES] = *entry;
}
