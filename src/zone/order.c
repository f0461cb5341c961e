/* order.c - canonical order by memcmp(). */
#include "zone/order.h"

#include <stdbool.h>
#include <string.h>

#include "base/octets.h"
#include "wire/name.h"

#define PREFIX_LEN 8u
#define MORE_LEN   (ORDER_MORE_BITS / 8u)

/* Writes at most cap octets; stops early when they are full. */
static uint32_t form(const uint8_t *labels, uint32_t len, uint8_t *out, uint32_t cap)
{
	uint8_t label_at[NAME_LABELS_MAX + 1];
	uint32_t count = 0;
	uint32_t used = 0;

	for (uint32_t at = 0; at < len; at += labels[at] + 1u) {
		label_at[count++] = (uint8_t)at;
	}
	while (count > 0) {
		const uint8_t *label = labels + label_at[--count];
		for (uint32_t i = 1; i <= label[0]; i++) {
			if (used + 2 > cap) {
				return used;
			}
			if (label[i] > 1) {
				out[used++] = label[i];
			} else {
				out[used++] = 1;
				out[used++] = (uint8_t)(label[i] + 1);
			}
		}
		if (used == cap) {
			return used;
		}
		out[used++] = 0;
	}
	return used;
}

uint32_t order_form(const uint8_t *labels, uint32_t len, uint8_t out[ORDER_LEN_MAX])
{
	return form(labels, len, out, ORDER_LEN_MAX);
}

/* Where the last label of a relative name begins. */
static uint32_t last_label(const uint8_t *labels, uint32_t len)
{
	uint32_t at = 0;

	while (at + labels[at] + 1u < len) {
		at += labels[at] + 1u;
	}
	return at;
}

static bool has_low_octet(const uint8_t *octets)
{
	const uint64_t ones = 0x0101010101010101u;
	uint64_t word;

	memcpy(&word, octets, sizeof(word));
	return ((word - ones * 2) & ~word & (ones * 0x80)) !=
	       0; /* some octet is 0 or 1, or may be */
}

uint64_t order_prefix(const uint8_t *labels, uint32_t len)
{
	uint8_t out[PREFIX_LEN + 1] = {0};

	if (len == 0) {
		return 0;
	}
	const uint8_t *label = labels + last_label(labels, len);
	if (label[0] >= PREFIX_LEN && !has_low_octet(label + 1)) {
		return (uint64_t)octets_get_u32(label + 1) << 32 | octets_get_u32(label + 5);
	}
	form(labels, len, out, sizeof(out));
	return (uint64_t)octets_get_u32(out) << 32 | octets_get_u32(out + 4);
}

static uint32_t more_slowly(const uint8_t *labels, uint32_t len)
{
	uint8_t out[PREFIX_LEN + MORE_LEN + 1] = {0};

	form(labels, len, out, sizeof(out));
	return (uint32_t)out[PREFIX_LEN] << 16 | (uint32_t)out[PREFIX_LEN + 1] << 8 |
	       out[PREFIX_LEN + 2];
}

/* Adds octets of a label to the number, up to MORE_LEN in all; false: one of them has to be escaped. */
static bool add_octets(const uint8_t *octets, uint32_t count, uint32_t *used, uint32_t *more)
{
	for (uint32_t i = 0; i < count && *used < MORE_LEN; i++) {
		if (octets[i] <= 1) {
			return false;
		}
		*more = *more << 8 | octets[i];
		++*used;
	}
	return true;
}

/* Nearly always the prefix ends inside the last label or with it, and then one label more is all there is to see. */
uint32_t order_more(const uint8_t *labels, uint32_t len)
{
	uint32_t at = 0, before = 0; /* the last label, and the one before it */
	uint32_t used = 0, more = 0;

	if (len == 0) {
		return 0;
	}
	while (at + labels[at] + 1u < len) {
		before = at;
		at += labels[at] + 1u;
	}
	const uint8_t *label = labels + at;
	if (label[0] < PREFIX_LEN || has_low_octet(label + 1) ||
		!add_octets(label + 1 + PREFIX_LEN, label[0] - PREFIX_LEN, &used, &more)) {
		return more_slowly(labels, len);
	}
	if (used < MORE_LEN) { /* the zero behind the label */
		more <<= 8;
		used++;
	}
	if (at != 0 && used < MORE_LEN) {
		label = labels + before;
		if (label[0] < MORE_LEN || !add_octets(label + 1, label[0], &used, &more)) {
			return more_slowly(labels, len);
		}
	}
	return more << 8 * (MORE_LEN - used);
}

/* Offsets of the labels, first label first; returns how many. */
static uint32_t split(const uint8_t *labels, uint32_t len, uint8_t label_at[NAME_LABELS_MAX + 1])
{
	uint32_t count = 0;

	for (uint32_t at = 0; at < len; at += labels[at] + 1u) {
		label_at[count++] = (uint8_t)at;
	}
	return count;
}

int order_compare(const uint8_t *a, uint32_t a_len, const uint8_t *b, uint32_t b_len)
{
	uint8_t a_at[NAME_LABELS_MAX + 1], b_at[NAME_LABELS_MAX + 1];
	uint32_t a_count = split(a, a_len, a_at);
	uint32_t b_count = split(b, b_len, b_at);

	while (a_count > 0 && b_count > 0) {
		const uint8_t *left = a + a_at[--a_count], *right = b + b_at[--b_count];
		uint32_t common = left[0] < right[0] ? left[0] : right[0];
		int diff = memcmp(left + 1, right + 1, common);
		if (diff == 0) {
			diff = left[0] - right[0];
		}
		if (diff != 0) {
			return diff;
		}
	}
	return (int)a_count - (int)b_count;
}
