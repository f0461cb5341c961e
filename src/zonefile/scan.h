/* scan.h - the inner loops over zone text: everything that looks at each octet of a plain zone.
 *
 * The text ends in SCAN_PADDING zero octets. A zero octet belongs to no class, so a loop stops there
 * without looking for the end, and a loop may load up to SCAN_PADDING octets at once. A variant with
 * wider registers replaces this file and nothing else.
 *
 * thread  the table is constant
 */
#ifndef SAKER_ZONEFILE_SCAN_H
#define SAKER_ZONEFILE_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "wire/name.h"

#define SCAN_PADDING 64u /* octets: the widest load anybody wants, a cache line */
#define SCAN_COPY    16u /* octets copied at once; most labels are shorter */

enum scan_class {
	SCAN_WORD =
		1, /* goes on an unquoted word: no blank, no line end, none of ; ( ) " \ and zero */
	SCAN_LABEL = 2,  /* the same without the dot */
	SCAN_BLANK = 4,  /* space and tab */
	SCAN_QUOTED = 8, /* goes on a quoted string: not " \ line feed and zero */
	SCAN_LINE = 16,  /* goes on a comment: not line feed and zero */
	SCAN_STOP = 32   /* ends a word: blank, line end, ; ( ) and zero, but not " and \ */
};

extern const uint8_t scan_classes[256];

static inline bool scan_is(uint8_t octet, enum scan_class class)
{
	return (scan_classes[octet] & class) != 0;
}

/* scan_skip - the first octet from at on that is not of the class. */
static inline const uint8_t *scan_skip(const uint8_t *at, enum scan_class class)
{
	/* Four at a time: an addition an octet is a fifth of the loop. What follows an octet of a class is there. */
	for (;; at += 4) {
		if (!scan_is(at[0], class)) {
			return at;
		}
		if (!scan_is(at[1], class)) {
			return at + 1;
		}
		if (!scan_is(at[2], class)) {
			return at + 2;
		}
		if (!scan_is(at[3], class)) {
			return at + 3;
		}
	}
}

/* What scan_name() found. */
struct scan_name {
	uint32_t len;         /* octets written, without a root label */
	uint32_t label_count; /* labels written */
	bool absolute;        /* the text ended in a dot */
};

/* scan_name - a plain name to wire form; NULL where the slow reader has to look at it.
 *
 * shape   at: the first octet of the word; room: octets that may be written, at most NAME_LEN_MAX
 * effect  the octet behind the word. NULL: an escape, a quote, `@`, an empty label, a limit; out is undefined
 */
static inline const uint8_t *scan_name(
	const uint8_t *at, uint8_t *octets, uint32_t room, struct scan_name *out)
{
	uint32_t len = 0;
	uint32_t label_count = 0;

	if (UNLIKELY(*at == '@')) {
		return NULL;
	}
	for (;;) {
		const uint8_t *label = at;
		at = scan_skip(at, SCAN_LABEL);
		size_t label_len = (size_t)(at - label);
		if (UNLIKELY(label_len - 1 >= NAME_LABEL_LEN_MAX || label_len + 1 > room - len)) {
			return NULL;
		}
		octets[len++] = (uint8_t)label_len;
		if (LIKELY(label_len <= SCAN_COPY && room - len >= SCAN_COPY)) {
			memcpy(octets + len, label, SCAN_COPY);
		} else {
			memcpy(octets + len, label, label_len);
		}
		len += (uint32_t)label_len;
		label_count++;
		if (*at != '.') {
			out->absolute = false;
			break;
		}
		at++;
		if (!scan_is(*at, SCAN_LABEL)) {
			out->absolute = true;
			break;
		}
	}
	if (UNLIKELY(!scan_is(*at, SCAN_STOP))) {
		return NULL;
	}
	out->len = len;
	out->label_count = label_count;
	return at;
}

#endif
