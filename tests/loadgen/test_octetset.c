/* test_octetset.c - against a list that is searched from its start. */
#include "loadgen/octetset.h"

#include <string.h>

#include "kit/kit.h"

#define STRINGS_MAX 3000u
#define LEN_MAX     12u

static struct {
	uint8_t octets[LEN_MAX];
	uint32_t len;
} model[STRINGS_MAX];
static uint32_t model_count;

static uint32_t model_find(const uint8_t *octets, uint32_t len)
{
	for (uint32_t i = 0; i < model_count; i++) {
		if (model[i].len == len && memcmp(model[i].octets, octets, len) == 0) {
			return i;
		}
	}
	return OCTETSET_NONE;
}

TEST(agrees_with_a_list)
{
	struct octetset set;
	uint32_t known = 0, unknown = 0;

	model_count = 0;
	CHECK_U(octetset_init(&set), STATUS_OK);
	for (uint32_t round = 0; round < 20000 && model_count < STRINGS_MAX; round++) {
		uint8_t octets[LEN_MAX];
		uint32_t len = 1 + kit_random(LEN_MAX), number;
		for (uint32_t i = 0; i < len; i++) {
			octets[i] = (uint8_t)kit_random(len < 4 ? 12 : 2);
		}
		uint32_t want = model_find(octets, len);
		CHECK_U(octetset_find(&set, octets, len), want);
		CHECK_U(octetset_add(&set, octets, len, &number), STATUS_OK);
		CHECK_U(number, want == OCTETSET_NONE ? model_count : want);
		if (want == OCTETSET_NONE) {
			memcpy(model[model_count].octets, octets, len);
			model[model_count++].len = len;
			unknown++;
		} else {
			known++;
		}
		CHECK_U(set.count, model_count);
	}
	for (uint32_t i = 0; i < model_count; i++) {
		uint32_t len;
		const uint8_t *octets = octetset_get(&set, i, &len);
		CHECK_OCTETS(octets, len, model[i].octets, model[i].len);
	}
	CHECK(known > 1000 && unknown > 2048); /* the table grew at least once */
	octetset_fini(&set);
}
