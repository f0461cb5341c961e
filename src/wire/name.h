/* name.h - domain names in uncompressed wire form.
 *
 * A name is stored the way RFC 1035 sec 3.1 writes it: length octet, label octets, ..., zero octet.
 * Names here are absolute and valid by construction: name_parse() is the only function that may
 * meet untrusted octets, name_from_text() the only one that may meet untrusted text, and everything
 * above the wire floor relies on what they checked.
 *
 * Letter case is kept as received (RFC 4343 sec 4.1); comparison ignores it.
 *
 * terms   RFC 9499 sec 2: label, domain name, fully qualified domain name
 * memory  no function here allocates; a struct name is 257 octets and lives where you put it
 * thread  no shared state
 */
#ifndef SAKER_WIRE_NAME_H
#define SAKER_WIRE_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/check.h"
#include "base/reader.h"
#include "wire/wire.h"

#define NAME_LEN_MAX       255u /* octets, root label included, RFC 1035 sec 2.3.4 */
#define NAME_LABEL_LEN_MAX 63u  /* octets, length octet not included, ditto */
#define NAME_LABELS_MAX    127u /* labels, root not counted: (255 - 1) / 2 */
#define NAME_TEXT_MAX                                                                              \
	1016u /* octets of the longest text with its zero: 253 octets as \DDD, dots, zero */

/* Only octets[0..len) carry meaning; the rest is left unset so that parsing stays cheap. */
struct name {
	uint8_t len;         /* octets used, 1..NAME_LEN_MAX; 1 is the root name */
	uint8_t label_count; /* labels, root not counted, 0..NAME_LABELS_MAX */
	uint8_t octets[NAME_LEN_MAX];
};

/* name_is_valid - the invariant of struct name: labels that end in exactly one root label at len. */
bool name_is_valid(const struct name *name);

/* name_parse - read one possibly compressed name out of a message.
 *
 * shape   msg: cursor over one whole message (not one section), off at the first length octet
 *         out: filled in place
 * effect  WIRE_OK: msg->off stands just after the name as it appears in the message.
 *         Otherwise msg is unchanged and the contents of out are undefined.
 * errors  WIRE_TRUNCATED   the message ends inside the name
 *         WIRE_LABEL_TYPE  label type 01 or 10, RFC 1035 sec 4.1.4, RFC 6891 sec 5
 *         WIRE_POINTER     a pointer that does not point backwards
 *         WIRE_NAME_LEN    more than NAME_LEN_MAX octets after decompression
 * cost    at most NAME_LEN_MAX octets copied and NAME_LABELS_MAX + 1 labels visited
 * source  RFC 1035 sec 4.1.4
 */
MUST_USE enum wire_status name_parse(struct reader *msg, struct name *out);

/* name_measure - check one uncompressed name in octets[0..len) and tell its length.
 *
 * errors  as name_parse(); a pointer is WIRE_LABEL_TYPE
 */
MUST_USE enum wire_status name_measure(const uint8_t *octets, uint32_t len, uint32_t *name_len_out);

/* name_from_text - read a name in presentation form.
 *
 * shape   text: len octets without quotes; `\X` and `\DDD` escapes; `@` alone is the origin
 *         origin: what a name without a final dot is relative to
 * errors  WIRE_EMPTY_LABEL  no text, `..`, a leading dot
 *         WIRE_LABEL_LEN, WIRE_NAME_LEN, WIRE_ESCAPE; out is then undefined
 * source  RFC 1035 sec 5.1, RFC 4343 sec 2.1
 */
MUST_USE enum wire_status name_from_text(
	const char *text, uint32_t len, const struct name *origin, struct name *out);

/* name_to_text - the presentation form with its final dot into text[NAME_TEXT_MAX]; returns text.
 *
 * effect  octets that need it are escaped, so that name_from_text() reads the same name back
 */
const char *name_to_text(const struct name *name, char *text);

/* name_octets_to_text - the same of bare wire octets; returns the text's length without its zero. */
uint32_t name_octets_to_text(const uint8_t *octets, char *text);

/* name_equal - true when a and b are the same name, ASCII case ignored (RFC 4343 sec 3). */
bool name_equal(const struct name *a, const struct name *b);

/* name_compare - canonical order: negative, zero or positive (RFC 4034 sec 6.1). */
int name_compare(const struct name *a, const struct name *b);

/* name_is_below - true when name is ancestor or stands below it. */
bool name_is_below(const struct name *name, const struct name *ancestor);

/* name_suffix - the wire octets of the last label_count labels with the root; label_count <= name->label_count. */
const uint8_t *name_suffix(const struct name *name, uint32_t label_count);

/* name_ancestor - that suffix as a name of its own: the name's ancestor of label_count labels. out may be name itself. */
void name_ancestor(const struct name *name, uint32_t label_count, struct name *out);

/* name_wildcard - `*.` and the name; false: it would be too long. source: RFC 4592 sec 2.1.1 */
MUST_USE bool name_wildcard(const struct name *encloser, struct name *out);

/* name_lower - ASCII letters of the name in lower case. */
void name_lower(struct name *name);

/* name_word_capitals - the top bits of those octets of a word that are ASCII capitals.
 *
 * An octet's low seven bits are compared by addition, so that nothing carries into the next; the octet's own top
 * bit then has to be clear.
 */
static inline uint64_t name_word_capitals(uint64_t word)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t low7 = word & (ones * 0x7f);
	uint64_t from_a = low7 + ones * (0x80 - 'A');     /* top bit: at least 'A' */
	uint64_t past_z = low7 + ones * (0x80 - 'Z' - 1); /* top bit: above 'Z' */

	return (from_a ^ past_z) & ~word & (ones * 0x80);
}

/* name_word_lower - eight octets with ASCII capitals in lower case. */
static inline uint64_t name_word_lower(uint64_t word)
{
	return word | name_word_capitals(word) >>
			      2; /* bit 7 to bit 5, which is what tells the cases apart */
}

/* name_octets_lower - from[0..len) with ASCII letters in lower case, to to[0..len); they may be the same.
 *
 * effect  length octets are below 64 and never letters, so whole wire names may be given
 */
void name_octets_lower(uint8_t *to, const uint8_t *from, uint32_t len);

/* name_join - head (label_count labels of prefix octets without a root) before tail.
 *
 * errors  WIRE_NAME_LEN: out is undefined
 */
MUST_USE enum wire_status name_join(const uint8_t *prefix, uint32_t prefix_len,
	uint32_t prefix_labels, const struct name *tail, struct name *out);

#endif
