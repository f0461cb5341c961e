/* test_region.c - regions: they grow in place, are zero, and are zero again after a reset. */
#include "os/region.h"

#include <string.h>

#include "kit/kit.h"

static bool is_zero(const uint8_t *octets, uint64_t len)
{
	for (uint64_t i = 0; i < len; i++) {
		if (octets[i] != 0) {
			return false;
		}
	}
	return true;
}

TEST(a_region_grows_in_place_and_is_zero)
{
	struct region region;

	CHECK_U(region_init(&region), STATUS_OK);
	uint8_t *start = region.start;
	for (uint32_t i = 0; i < 2000; i++) {
		uint64_t len = 1 + kit_random(20000);
		uint64_t at = region.len;
		uint8_t *octets = region_add(&region, len);
		CHECK(octets == start + at);
		CHECK(is_zero(octets, len));
		memset(octets, 0xa5, len);
	}
	region_fini(&region);
}

TEST(a_reset_region_is_zero_whatever_its_size)
{
	static const uint64_t lens[] = {1, 4096, 100000, 3u << 20, 20u << 20};
	struct region region;

	CHECK_U(region_init(&region), STATUS_OK);
	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		for (uint32_t again = 0; again < 2; again++) {
			uint8_t *octets = region_add(&region, lens[i]);
			CHECK(octets != NULL);
			CHECK(is_zero(octets, lens[i]));
			memset(octets, 0xff, lens[i]);
			region_reset(&region);
			CHECK_U(region.len, 0);
		}
	}
	region_fini(&region);
}

TEST(what_no_reservation_holds_is_refused)
{
	struct region region;

	CHECK_U(region_init(&region), STATUS_OK);
	CHECK(region_add(&region, 10) != NULL);
	CHECK(region_add(&region, region.cap) == NULL);
	CHECK(region_add(&region, UINT64_MAX) == NULL);
	CHECK_U(region.len, 10);
	region_fini(&region);
}
