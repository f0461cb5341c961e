/* link.h - a name that an answer is about: QNAME first, then each alias target in turn.
 *
 * A link knows the name in both of the forms that answering needs: split and hashed for look-ups, and where its
 * labels stand in the message, so that later names can point to them.
 *
 * thread  an answerer's own
 */
#ifndef SAKER_ANSWER_LINK_H
#define SAKER_ANSWER_LINK_H

#include <stdint.h>

#include "base/check.h"
#include "wire/message.h"
#include "zone/image.h"

struct link {
	struct image_key key;
	uint16_t label_at[NAME_LABELS_MAX +
			  1]; /* offsets in the message, first label first, the root last */
};

/* link_from_question - the QNAME of a parsed message. */
void link_from_question(struct link *link, const struct hash_key *hash_key, const uint8_t *octets,
	const struct message *message);

/* link_from_name - a name that the answer holds at off, compressed or not.
 *
 * shape   octets: an answer being written; the name there is whole, since we wrote it
 */
void link_from_name(
	struct link *link, const struct hash_key *hash_key, const uint8_t *octets, uint32_t off);

/* link_at - the offset in the message of the link's suffix of label_count labels. */
static inline uint32_t link_at(const struct link *link, uint32_t label_count)
{
	DASSERT(label_count <= link->key.label_count);
	return link->label_at[link->key.label_count - label_count];
}

#endif
