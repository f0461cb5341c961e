/* link.c - splitting and hashing the names that an answer is about. */
#include "answer/link.h"

#include <string.h>

#include "wire/wire.h"

#define WORD_LEN      8u
#define LABELS_A_STEP 16u

/* A step's worth of labels: compilers make a few instructions of the whole. */
typedef uint8_t octets_vector __attribute__((vector_size(LABELS_A_STEP)));
typedef uint16_t offsets_vector __attribute__((vector_size(2 * LABELS_A_STEP)));

_Static_assert(
	(NAME_LABELS_MAX + 1) % LABELS_A_STEP == 0, "steps do not pass the end of the arrays");

/* Whole words: both sides may be read and written up to WORD_LEN - 1 octets behind len. */
static inline void lower_copy(uint8_t *to, const uint8_t *from, uint32_t len)
{
	for (uint32_t at = 0; at < len; at += WORD_LEN) {
		uint64_t word;
		memcpy(&word, from + at, WORD_LEN);
		word = name_word_lower(word);
		memcpy(to + at, &word, WORD_LEN);
	}
}

static inline void hash_suffixes(struct image_key *key, const struct hash_key *hash_key)
{
	uint64_t hash = hash_root(hash_key);

	key->hashes[0] = hash;
	for (uint32_t k = 1; k <= key->label_count; k++) {
		const uint8_t *label = key->octets + key->label_at[key->label_count - k];
		hash = hash_padded(hash_key, hash, label + 1, label[0]);
		key->hashes[k] = hash;
	}
}

/* A question is below 12 + 255 octets, and the slots that it comes in have at least 512. */
_Static_assert(
	WIRE_HEADER_LEN + NAME_LEN_MAX + WORD_LEN <= WIRE_UDP_LEN_MIN, "room to read whole words");

HOT void link_from_question(struct link *link, const struct hash_key *hash_key,
	const uint8_t *octets, const struct message *message)
{
	struct image_key *key = &link->key;

	key->label_count = message->label_count;
	key->len = message->qname_len;
	lower_copy(key->octets, octets + WIRE_HEADER_LEN, message->qname_len);
	/* Names of more labels than one step holds are rare. */
	for (uint32_t start = 0; start <= message->label_count; start += LABELS_A_STEP) {
		memcpy(key->label_at + start, message->label_at + start, LABELS_A_STEP);
		octets_vector octets_in;
		memcpy(&octets_in, message->label_at + start, sizeof(octets_in));
		offsets_vector out =
			__builtin_convertvector(octets_in, offsets_vector) + WIRE_HEADER_LEN;
		memcpy(link->label_at + start, &out, sizeof(out));
	}
	hash_suffixes(key, hash_key);
}

/* Label by label, octet by octet: they need not stand together, nor have room behind them. */
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
		name_octets_lower(key->octets + len, octets + off, head + 1);
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
