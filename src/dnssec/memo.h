/* memo.h - sets that were found to be signed, so that the same octets are not checked again: the NSEC3 record of a TLD's apex
 * comes with the proof of every delegation that is not signed.
 *
 * Known by two keyed hashes, 128 bits in all, over the set with its signatures and the keys: nobody without the key finds other
 * octets with the same. Only what held is remembered, with the time for which it holds.
 *
 * memory  fixed: MEMO_ENTRIES; a newer one takes the place of an older
 * thread  one owner
 */
#ifndef SAKER_DNSSEC_MEMO_H
#define SAKER_DNSSEC_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "wire/rrset.h"

#define MEMO_ENTRIES 8192u /* some 320 KiB */

struct memo;

/* What was found, and between which times (modulo 2^32, as in the signature). */
struct memo_entry {
	uint64_t hash[2];
	uint32_t inception, expiration, original_ttl;
	uint8_t closest_labels;
	bool expanded;
};

/* memo_new - secret: 32 unpredictable octets. errors: NULL, no memory */
MUST_USE struct memo *memo_new(const uint8_t secret[32]);

/* memo_free - accepts NULL. */
void memo_free(struct memo *memo);

/* memo_find - the entry of a set under keys; NULL: it is not known. hash_out: for memo_put() */
const struct memo_entry *memo_find(const struct memo *memo, const struct rrset *set,
	const struct rrset *keys, uint64_t hash_out[2]);

/* memo_put - remembers; entry->hash is set. */
void memo_put(struct memo *memo, const struct memo_entry *entry);

#endif
