/* link.c - splitting and hashing the names that an answer is about. */
#include "answer/link.h"

#include <string.h>

#include "wire/wire.h"

#define WORD_LEN 8u

/* Eight octets at once: bit 5 goes on where an octet lies between 'A' and 'Z'. No octet of a length or a letter
 * outside that range changes, so whole names may be given.
 */
static inline uint64_t lower_word(uint64_t word)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t low7 = word & (ones * 0x7f);
	uint64_t from_a =
		low7 + ones * (0x80 - 'A'); /* top bit: octet >= 'A' (of its low 7 bits) */
	uint64_t past_z = low7 + ones * (0x80 - 'Z' - 1); /* top bit: octet > 'Z' */
	uint64_t letters = (from_a ^ past_z) & ~word & (ones * 0x80);

	return word | letters >> 2;
}

static void lower_copy(uint8_t *to, const uint8_t *from, uint32_t len)
{
	while (len >= WORD_LEN) {
		uint64_t word;
		memcpy(&word, from, WORD_LEN);
		word = lower_word(word);
		memcpy(to, &word, WORD_LEN);
		to += WORD_LEN;
		from += WORD_LEN;
		len -= WORD_LEN;
	}
	if (len > 0) {
		uint64_t word = 0;
		memcpy(&word, from, len);
		word = lower_word(word);
		memcpy(to, &word, len);
	}
}

static void hash_suffixes(struct image_key *key, const struct hash_key *hash_key)
{
	key->hashes[0] = hash_root(hash_key);
	for (uint32_t k = 1; k <= key->label_count; k++) {
		const uint8_t *label = key->octets + key->label_at[key->label_count - k];
		key->hashes[k] = hash_octets(hash_key, key->hashes[k - 1], label + 1, label[0]);
	}
}

HOT void link_from_question(struct link *link, const struct hash_key *hash_key,
	const uint8_t *octets, const struct message *message)
{
	struct image_key *key = &link->key;

	key->label_count = message->label_count;
	key->len = message->qname_len;
	lower_copy(key->octets, octets + WIRE_HEADER_LEN, message->qname_len);
	for (uint32_t i = 0; i <= message->label_count; i++) {
		key->label_at[i] = message->label_at[i];
		link->label_at[i] = (uint16_t)(WIRE_HEADER_LEN + message->label_at[i]);
	}
	hash_suffixes(key, hash_key);
}

void link_from_name(
	struct link *link, const struct hash_key *hash_key, const uint8_t *octets, uint32_t off)
{
	struct image_key *key = &link->key;
	uint32_t count = 0;
	uint32_t len = 0;

	for (;;) {
		uint32_t head = octets[off];
		if (head >= WIRE_POINTER_TAG >> 8) {
			off = (head << 8 | octets[off + 1]) & WIRE_POINTER_MAX;
			continue;
		}
		DASSERT(head <= NAME_LABEL_LEN_MAX && len + head + 1 <= NAME_LEN_MAX);
		link->label_at[count] = (uint16_t)off;
		key->label_at[count] = (uint8_t)len;
		lower_copy(key->octets + len, octets + off, head + 1);
		len += head + 1;
		off += head + 1;
		if (head == 0) {
			break;
		}
		count++;
	}
	key->label_count = (uint8_t)count;
	key->len = (uint8_t)len;
	hash_suffixes(key, hash_key);
}
