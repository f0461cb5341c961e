/* order.c - canonical order by memcmp(). */
#include "zone/order.h"

#include <string.h>

#include "base/octets.h"
#include "wire/name.h"

#define PREFIX_LEN 8u

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

uint64_t order_prefix(const uint8_t *labels, uint32_t len)
{
	uint8_t out[PREFIX_LEN + 1] = {0};

	form(labels, len, out, sizeof(out));
	return (uint64_t)octets_get_u32(out) << 32 | octets_get_u32(out + 4);
}

int order_compare(const uint8_t *a, uint32_t a_len, const uint8_t *b, uint32_t b_len)
{
	uint8_t a_form[ORDER_LEN_MAX], b_form[ORDER_LEN_MAX];
	uint32_t a_used = order_form(a, a_len, a_form);
	uint32_t b_used = order_form(b, b_len, b_form);
	int diff = memcmp(a_form, b_form, a_used < b_used ? a_used : b_used);

	return diff != 0 ? diff : (int)a_used - (int)b_used;
}
