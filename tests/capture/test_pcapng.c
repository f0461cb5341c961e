/* test_pcapng.c - blocks: kinds, byte orders, clocks of interfaces, and what cannot be. */
#include "capture/capture.h"

#include <string.h>

#include "capture/capture_kit.h"
#include "kit/kit.h"

static struct capture_kit_octets file, frame, body;
static struct capture_kit_found found;
static bool is_big;

static void put(struct capture_kit_octets *to, uint64_t value, uint32_t width)
{
	if (is_big) {
		capture_kit_be(to, value, width);
	} else {
		capture_kit_le(to, value, width);
	}
}

/* A block with what body holds. */
static void put_block(uint32_t type)
{
	while (body.len % 4 != 0) {
		capture_kit_be(&body, 0, 1);
	}
	put(&file, type, 4);
	put(&file, 12 + body.len, 4);
	capture_kit_put(&file, body.at, body.len);
	put(&file, 12 + body.len, 4);
	body.len = 0;
}

static void put_section(void)
{
	put(&body, 0x1a2b3c4d, 4);
	put(&body, 1, 2);
	put(&body, 0, 2);
	put(&body, UINT64_MAX, 8);
	put_block(0x0a0d0d0a);
}

/* resolution 0: none is told. */
static void put_interface(uint16_t link, uint8_t resolution, uint64_t offset_s)
{
	put(&body, link, 2);
	put(&body, 0, 2);
	put(&body, 0, 4);
	if (resolution != 0) {
		put(&body, 2, 2); /* a name, of no interest */
		put(&body, 3, 2);
		capture_kit_put(&body, "lo\0\0", 4);
		put(&body, 9, 2);
		put(&body, 1, 2);
		capture_kit_be(&body, resolution, 1);
		capture_kit_be(&body, 0, 3);
	}
	if (offset_s != 0) {
		put(&body, 14, 2);
		put(&body, 8, 2);
		put(&body, offset_s, 8);
	}
	put(&body, 0, 4);
	put_block(1);
}

static void put_packet(uint32_t interface, uint64_t ticks, uint32_t number)
{
	uint8_t query[64];

	frame.len = 0;
	capture_kit_udp(&frame, 4, 1, 53, query, capture_kit_query(number, query));
	put(&body, interface, 4);
	put(&body, ticks >> 32, 4);
	put(&body, ticks & UINT32_MAX, 4);
	put(&body, frame.len, 4);
	put(&body, frame.len, 4);
	capture_kit_put(&body, frame.at, frame.len);
	put_block(6);
}

static void read_file(void)
{
	capture_kit_read(&found, file.at, file.len, NULL);
}

TEST(sections_of_both_orders_follow_each_other)
{
	file.len = 0;
	for (int order = 0; order < 2; order++) {
		is_big = order == 1;
		put_section();
		put_interface(101, 0, 0);
		put_interface(101, 9, 0);
		put_interface(101, 0x80 | 10, 1000);
		put_packet(0, 1700000000000001u, 1);
		put_packet(1, 1700000000000000002u, 2);
		put_packet(2, (uint64_t)1700000000 * 1024 + 512, 3);
	}
	is_big = false;
	read_file();
	CHECK_U(found.status, STATUS_OK);
	CHECK_U(found.count, 6);
	for (uint32_t i = 0; i < 6; i += 3) {
		CHECK_U(found.numbers[i], 1);
		CHECK_U(found.times_ns[i], 1700000000000001000u);
		CHECK_U(found.times_ns[i + 1], 1700000000000000002u);
		CHECK_U(found.times_ns[i + 2], 1700001000500000000u);
	}
}

TEST(simple_and_obsolete_packets_are_read_and_others_passed_over)
{
	uint8_t query[64];

	file.len = 0;
	put_section();
	put_interface(101, 0, 0);
	put_packet(0, 5, 1);
	put(&body, 4711, 4); /* a name resolution block */
	put_block(4);
	frame.len = 0;
	capture_kit_udp(&frame, 4, 1, 53, query, capture_kit_query(2, query));
	put(&body, frame.len, 4);
	capture_kit_put(&body, frame.at, frame.len);
	put_block(3);
	put(&body, 0, 4); /* interface and drops */
	put(&body, 0, 4);
	put(&body, 7, 4);
	put(&body, frame.len, 4);
	put(&body, frame.len, 4);
	capture_kit_put(&body, frame.at, frame.len);
	put_block(2);
	read_file();
	CHECK_U(found.status, STATUS_OK);
	CHECK_U(found.count, 3);
	CHECK_U(found.numbers[1], 2);
	CHECK_U(found.times_ns[1], 5000);
	CHECK_U(found.times_ns[2], 7000);
}

TEST(what_cannot_be_is_told)
{
	const struct {
		const char *why;
		uint32_t at; /* of a word to overwrite, from the interface block on */
		uint32_t value;
	} cases[] = {
		{"a block of an impossible length", 4, 8},
		{"a block of an impossible length", 4, 21},
		{"an option that is longer than its block", 16, 9 | 60 << 16},
		{"a packet from an interface that was not described", 24 + 8, 1},
		{"a packet that is longer than its block", 24 + 20, 500},
		{"a packet of more than 262144 octets", 24 + 4, 400000},
		{"the file ends inside a block", 24 + 4, 400},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		KIT_NOTE(cases[i].why);
		file.len = 0;
		put_section();
		size_t start = file.len;
		put_interface(101, 0, 0);
		put_packet(0, 0, 1);
		size_t end = file.len;
		file.len = start + cases[i].at;
		put(&file, cases[i].value, 4);
		file.len = end;
		read_file();
		CHECK_U(found.status, STATUS_REFUSED);
		CHECK(strstr(found.notes, cases[i].why) != NULL);
	}
}
