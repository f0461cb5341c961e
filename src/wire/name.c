/* name.c - reading, writing and comparing domain names. */
#include "wire/name.h"

#include <stddef.h>
#include <string.h>

#define POINTER_TAG 0xc0u /* top two bits set, RFC 1035 sec 4.1.4 */

bool name_is_valid(const struct name *name)
{
	uint32_t pos = 0;
	uint32_t label_count = 0;

	while (pos < name->len && name->octets[pos] != 0) {
		if (name->octets[pos] > NAME_LABEL_LEN_MAX) {
			return false;
		}
		pos += name->octets[pos] + 1u;
		label_count++;
	}
	return pos + 1 == name->len && label_count == name->label_count;
}

HOT enum wire_status name_parse(struct reader *msg, struct name *out)
{
	DASSERT(reader_is_valid(msg));

	uint32_t pos = msg->off;
	uint32_t run_start = msg->off; /* first octet of the run of labels being read */
	uint32_t resume = 0;           /* offset after the name; 0: no pointer met yet */
	uint32_t name_len = 0;
	uint32_t label_count = 0;

	for (;;) {
		if (pos >= msg->len) {
			return WIRE_TRUNCATED;
		}
		uint32_t head = msg->octets[pos];

		if (head <= NAME_LABEL_LEN_MAX) {
			uint32_t take = head + 1; /* length octet and label; 1 for root */
			if (take > NAME_LEN_MAX - name_len) {
				return WIRE_NAME_LEN;
			}
			if (take > msg->len - pos) {
				return WIRE_TRUNCATED;
			}
			memcpy(out->octets + name_len, msg->octets + pos, take);
			name_len += take;
			pos += take;
			if (head == 0) {
				break;
			}
			label_count++;
			continue;
		}

		if (head < POINTER_TAG) {
			return WIRE_LABEL_TYPE;
		}
		if (msg->len - pos < 2) {
			return WIRE_TRUNCATED;
		}
		uint32_t target = (head - POINTER_TAG) << 8 | msg->octets[pos + 1];

		/* "Prior occurrence" (RFC 1035 sec 4.1.4) is the whole loop guard: run_start falls
		 * with every pointer taken, so no hop counter is needed and a loop cannot form.
		 */
		if (target >= run_start) {
			return WIRE_POINTER;
		}
		if (resume == 0) {
			resume = pos + 2;
		}
		run_start = target;
		pos = target;
	}

	DASSERT(name_len >= 1 && name_len <= NAME_LEN_MAX);
	DASSERT(label_count <= NAME_LABELS_MAX);
	out->len = (uint8_t)name_len;
	out->label_count = (uint8_t)label_count;
	msg->off = resume != 0 ? resume : pos;
	return WIRE_OK;
}

enum wire_status name_measure(const uint8_t *octets, uint32_t len, uint32_t *name_len_out)
{
	uint32_t pos = 0;

	for (;;) {
		if (pos >= len) {
			return WIRE_TRUNCATED;
		}
		uint32_t head = octets[pos];
		if (head > NAME_LABEL_LEN_MAX) {
			return WIRE_LABEL_TYPE;
		}
		if (head + 1 > NAME_LEN_MAX - pos) {
			return WIRE_NAME_LEN;
		}
		if (head + 1 > len - pos) {
			return WIRE_TRUNCATED;
		}
		pos += head + 1;
		if (head == 0) {
			*name_len_out = pos;
			return WIRE_OK;
		}
	}
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* One escaped octet behind the backslash at text[at]; the number of characters used, 0 where it is bad. */
static uint32_t unescape(const char *text, uint32_t len, uint32_t at, uint8_t *out)
{
	if (len - at < 2) {
		return 0;
	}
	if (!is_digit(text[at + 1])) {
		*out = (uint8_t)text[at + 1];
		return 2;
	}
	if (len - at < 4 || !is_digit(text[at + 2]) || !is_digit(text[at + 3])) {
		return 0;
	}
	uint32_t value = (uint32_t)(text[at + 1] - '0') * 100 +
			 (uint32_t)(text[at + 2] - '0') * 10 + (uint32_t)(text[at + 3] - '0');
	if (value > 255) {
		return 0;
	}
	*out = (uint8_t)value;
	return 4;
}

enum wire_status name_from_text(
	const char *text, uint32_t len, const struct name *origin, struct name *out)
{
	uint32_t label_at = 0; /* where the length octet of the open label stands */
	uint32_t end = 1;      /* octets written */
	uint32_t label_count = 0;
	uint32_t at = 0;

	if (len == 1 && text[0] == '@') {
		memcpy(out, origin, offsetof(struct name, octets) + origin->len);
		return WIRE_OK;
	}
	if (len == 1 && text[0] == '.') {
		out->len = 1;
		out->label_count = 0;
		out->octets[0] = 0;
		return WIRE_OK;
	}
	if (len == 0) {
		return WIRE_EMPTY_LABEL;
	}
	while (at < len) {
		uint8_t octet = (uint8_t)text[at];

		if (octet == '.') {
			if (end - label_at == 1) {
				return WIRE_EMPTY_LABEL;
			}
			out->octets[label_at] = (uint8_t)(end - label_at - 1);
			label_count++;
			label_at = end++;
			at++;
			if (end > NAME_LEN_MAX) {
				return WIRE_NAME_LEN;
			}
			continue;
		}
		if (octet == '\\') {
			uint32_t used = unescape(text, len, at, &octet);
			if (used == 0) {
				return WIRE_ESCAPE;
			}
			at += used;
		} else {
			at++;
		}
		if (end - label_at > NAME_LABEL_LEN_MAX) {
			return WIRE_LABEL_LEN;
		}
		if (end >= NAME_LEN_MAX) {
			return WIRE_NAME_LEN;
		}
		out->octets[end++] = octet;
	}
	if (end - label_at == 1) { /* the text ended in a dot: the open label is the root */
		out->octets[label_at] = 0;
		out->len = (uint8_t)end;
		out->label_count = (uint8_t)label_count;
		return WIRE_OK;
	}
	out->octets[label_at] = (uint8_t)(end - label_at - 1);
	label_count++;
	if (origin->len > NAME_LEN_MAX - end) {
		return WIRE_NAME_LEN;
	}
	memcpy(out->octets + end, origin->octets, origin->len);
	out->len = (uint8_t)(end + origin->len);
	out->label_count = (uint8_t)(label_count + origin->label_count);
	return WIRE_OK;
}

static bool needs_backslash(uint8_t octet)
{
	return octet == '.' || octet == '\\' || octet == '"' || octet == ';' || octet == '(' ||
	       octet == ')' || octet == '@' || octet == '$';
}

uint32_t name_octets_to_text(const uint8_t *octets, char *text)
{
	uint32_t len = 0;

	if (octets[0] == 0) {
		text[0] = '.';
		text[1] = '\0';
		return 1;
	}
	for (uint32_t pos = 0; octets[pos] != 0; pos += octets[pos] + 1u) {
		for (uint32_t i = 1; i <= octets[pos]; i++) {
			uint8_t octet = octets[pos + i];
			if (octet <= ' ' || octet >= 0x7f) {
				text[len++] = '\\';
				text[len++] = (char)('0' + octet / 100);
				text[len++] = (char)('0' + octet / 10 % 10);
				text[len++] = (char)('0' + octet % 10);
			} else {
				if (needs_backslash(octet)) {
					text[len++] = '\\';
				}
				text[len++] = (char)octet;
			}
		}
		text[len++] = '.';
	}
	text[len] = '\0';
	return len;
}

const char *name_to_text(const struct name *name, char *text)
{
	name_octets_to_text(name->octets, text);
	return text;
}

static uint8_t lower(uint8_t octet)
{
	return (uint8_t)(octet - 0u - 'A' < 26u ? octet | 0x20u : octet);
}

void name_octets_lower(uint8_t *to, const uint8_t *from, uint32_t len)
{
	uint64_t word = 0;

	if (len < sizeof(word)) {
		for (uint32_t i = 0; i < len; i++) {
			to[i] = lower(from[i]);
		}
		return;
	}
	/* The last word may overlap the one before; what is in lower case stays so. */
	uint64_t last;
	memcpy(&last, from + len - sizeof(last), sizeof(last));
	for (; len >= sizeof(word); len -= (uint32_t)sizeof(word)) {
		memcpy(&word, from, sizeof(word));
		word = name_word_lower(word);
		memcpy(to, &word, sizeof(word));
		from += sizeof(word);
		to += sizeof(word);
	}
	last = name_word_lower(last);
	memcpy(to + len - sizeof(last), &last, sizeof(last));
}

void name_lower(struct name *name)
{
	name_octets_lower(name->octets, name->octets, name->len);
}

static bool octets_equal(const uint8_t *a, const uint8_t *b, uint32_t len)
{
	if (memcmp(a, b, len) == 0) { /* as good as always */
		return true;
	}
	for (uint32_t i = 0; i < len; i++) {
		if (lower(a[i]) != lower(b[i])) {
			return false;
		}
	}
	return true;
}

bool name_equal(const struct name *a, const struct name *b)
{
	return a->len == b->len && octets_equal(a->octets, b->octets, a->len);
}

const uint8_t *name_suffix(const struct name *name, uint32_t label_count)
{
	const uint8_t *at = name->octets;

	DASSERT(label_count <= name->label_count);
	for (uint32_t i = name->label_count; i > label_count; i--) {
		at += *at + 1u;
	}
	return at;
}

void name_ancestor(const struct name *name, uint32_t label_count, struct name *out)
{
	const uint8_t *suffix = name_suffix(name, label_count);
	uint8_t len = (uint8_t)(name->octets + name->len - suffix);

	memmove(out->octets, suffix, len);
	out->len = len;
	out->label_count = (uint8_t)label_count;
}

bool name_wildcard(const struct name *encloser, struct name *out)
{
	static const uint8_t star[2] = {1, '*'};

	return name_join(star, sizeof(star), 1, encloser, out) == WIRE_OK;
}

bool name_is_below(const struct name *name, const struct name *ancestor)
{
	if (name->label_count < ancestor->label_count || name->len < ancestor->len) {
		return false;
	}
	const uint8_t *suffix = name_suffix(name, ancestor->label_count);
	return suffix == name->octets + name->len - ancestor->len &&
	       octets_equal(suffix, ancestor->octets, ancestor->len);
}

/* Offsets of the length octets, first label first. */
static uint32_t label_offsets(const struct name *name, uint8_t offsets[NAME_LABELS_MAX])
{
	uint32_t count = 0;

	for (uint32_t pos = 0; name->octets[pos] != 0; pos += name->octets[pos] + 1u) {
		offsets[count++] = (uint8_t)pos;
	}
	return count;
}

static int label_compare(const uint8_t *a, const uint8_t *b)
{
	uint32_t len = a[0] < b[0] ? a[0] : b[0];

	for (uint32_t i = 1; i <= len; i++) {
		int diff = lower(a[i]) - lower(b[i]);
		if (diff != 0) {
			return diff;
		}
	}
	return a[0] - b[0];
}

int name_compare(const struct name *a, const struct name *b)
{
	uint8_t offsets_a[NAME_LABELS_MAX], offsets_b[NAME_LABELS_MAX];
	uint32_t count_a = label_offsets(a, offsets_a);
	uint32_t count_b = label_offsets(b, offsets_b);

	while (count_a > 0 && count_b > 0) {
		int diff = label_compare(
			a->octets + offsets_a[--count_a], b->octets + offsets_b[--count_b]);
		if (diff != 0) {
			return diff;
		}
	}
	return (int)count_a - (int)count_b;
}

enum wire_status name_join(const uint8_t *prefix, uint32_t prefix_len, uint32_t prefix_labels,
	const struct name *tail, struct name *out)
{
	if (prefix_len > NAME_LEN_MAX - (uint32_t)tail->len) {
		return WIRE_NAME_LEN;
	}
	memmove(out->octets + prefix_len, tail->octets, tail->len);
	memcpy(out->octets, prefix, prefix_len);
	out->label_count = (uint8_t)(prefix_labels + tail->label_count);
	out->len = (uint8_t)(prefix_len + tail->len);
	return WIRE_OK;
}
