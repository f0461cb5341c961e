/* test_order.c - order forms against name_compare(), which counts labels instead. */
#include "zone/order.h"

#include <string.h>

#include "kit/kit.h"
#include "wire/name.h"

static struct name random_name(void)
{
	struct name name = {.len = 0, .label_count = 0};

	for (uint32_t labels = kit_random(5); labels > 0; labels--) {
		uint32_t label = 1 + kit_random(4);
		name.octets[name.len++] = (uint8_t)label;
		for (uint32_t i = 0; i < label; i++) {
			/* Octets 0, 1 and 2 are where escapes could go wrong. */
			name.octets[name.len++] =
				(uint8_t)(kit_random(2) == 0 ? kit_random(3) : 'a' + kit_random(3));
		}
		name.label_count++;
	}
	name.octets[name.len++] = 0;
	return name;
}

static int sign(int64_t value)
{
	return value < 0 ? -1 : value > 0;
}

TEST(order_is_canonical)
{
	uint32_t equal_prefixes = 0;

	for (uint32_t round = 0; round < 300000; round++) {
		struct name a = random_name(), b = random_name();
		int want = sign(name_compare(&a, &b));

		CHECK(sign(order_compare(a.octets, a.len - 1u, b.octets, b.len - 1u)) == want);
		uint64_t a_prefix = order_prefix(a.octets, a.len - 1u);
		uint64_t b_prefix = order_prefix(b.octets, b.len - 1u);
		if (a_prefix != b_prefix) {
			CHECK((a_prefix < b_prefix ? -1 : 1) == want);
		} else {
			uint32_t a_more = order_more(a.octets, a.len - 1u);
			uint32_t b_more = order_more(b.octets, b.len - 1u);
			equal_prefixes++;
			CHECK(a_more < 1u << ORDER_MORE_BITS);
			if (a_more != b_more) {
				CHECK((a_more < b_more ? -1 : 1) == want);
			}
		}
	}
	CHECK(equal_prefixes > 1000);
}

/* Names whose last label has at least the octets of the prefix, which order_more() knows a short way for. */
static struct name long_name(void)
{
	struct name name = {.len = 1};
	uint32_t len = 0, labels = 1 + kit_random(3);

	for (uint32_t i = labels; i > 0; i--) {
		uint32_t label = i == 1 ? 8 + kit_random(5) : 1 + kit_random(4);
		name.octets[len++] = (uint8_t)label;
		for (uint32_t k = 0; k < label; k++) {
			bool same = i == 1 && k < 8;
			name.octets[len++] = same ? 'a' : (uint8_t)kit_random(4);
		}
	}
	name.octets[len] = 0;
	name.len = (uint8_t)(len + 1);
	name.label_count = (uint8_t)labels;
	return name;
}

TEST(more_than_the_prefix_tells_long_names_apart)
{
	uint32_t told = 0;

	for (uint32_t round = 0; round < 300000; round++) {
		struct name a = long_name(), b = long_name();
		uint8_t form[ORDER_LEN_MAX] = {0};
		uint32_t a_more = order_more(a.octets, a.len - 1u);
		uint32_t b_more = order_more(b.octets, b.len - 1u);

		order_form(a.octets, a.len - 1u, form);
		CHECK_U(a_more, (uint32_t)form[8] << 16 | (uint32_t)form[9] << 8 | form[10]);
		CHECK_U(order_prefix(a.octets, a.len - 1u), order_prefix(b.octets, b.len - 1u));
		if (a_more != b_more) {
			CHECK((a_more < b_more ? -1 : 1) == sign(name_compare(&a, &b)));
			told++;
		}
	}
	CHECK(told > 100000);
}

TEST(the_longest_names_fit)
{
	uint8_t name[NAME_LEN_MAX] = {0}, form[ORDER_LEN_MAX];

	for (uint32_t i = 0; i < 254; i += 2) { /* 127 labels of one octet 0 */
		name[i] = 1;
	}
	CHECK_U(order_form(name, 254, form), 127 * 3);
	memset(name, 0, sizeof(name));
	name[0] = name[64] = name[128] = 63;
	name[192] = 61;
	CHECK_U(order_form(name, 254, form), 250 * 2 + 4);
}
