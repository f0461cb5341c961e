/* test_dnstap.c - frames and fields, whole and cut. */
#include "capture/capture.h"

#include <string.h>

#include "capture/capture_kit.h"
#include "kit/kit.h"

static struct capture_kit_octets file, inner, outer;
static struct capture_kit_found found;

static void put_varint(struct capture_kit_octets *to, uint64_t value)
{
	while (value >= 0x80) {
		capture_kit_be(to, 0x80 | (value & 0x7f), 1);
		value >>= 7;
	}
	capture_kit_be(to, value, 1);
}

static void put_number(struct capture_kit_octets *to, uint32_t field, uint64_t value)
{
	put_varint(to, field << 3);
	put_varint(to, value);
}

static void put_octets(
	struct capture_kit_octets *to, uint32_t field, const void *octets, size_t len)
{
	put_varint(to, field << 3 | 2);
	put_varint(to, len);
	capture_kit_put(to, octets, len);
}

static void put_start(const char *content_type)
{
	capture_kit_be(&file, 0, 4);
	capture_kit_be(&file, 12 + strlen(content_type), 4);
	capture_kit_be(&file, 2, 4);
	capture_kit_be(&file, 1, 4);
	capture_kit_be(&file, strlen(content_type), 4);
	capture_kit_put(&file, content_type, strlen(content_type));
}

static void put_stop(void)
{
	capture_kit_be(&file, 0, 4);
	capture_kit_be(&file, 4, 4);
	capture_kit_be(&file, 3, 4);
}

static void put_event(uint32_t type, uint32_t protocol, uint32_t number)
{
	uint8_t query[64];
	uint32_t len = capture_kit_query(number, query);

	inner.len = 0;
	put_number(&inner, 1, type);
	put_number(&inner, 2, 2);
	put_number(&inner, 3, protocol);
	put_octets(&inner, 4, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x07", 16);
	put_octets(&inner, 5, "\x7f\0\0\1", 4);
	put_number(&inner, 6, 4321);
	put_number(&inner, 7, 53);
	put_number(&inner, 8, 1700000000);
	put_varint(&inner, 9 << 3 | 5); /* a fixed 32-bit number */
	capture_kit_le(&inner, 5, 4);
	put_octets(&inner, type % 2 == 1 ? 10 : 14, query, len);
	outer.len = 0;
	put_octets(&outer, 1, "server", 6);
	put_octets(&outer, 14, inner.at, inner.len);
	put_number(&outer, 15, 1);
	capture_kit_be(&file, outer.len, 4);
	capture_kit_put(&file, outer.at, outer.len);
}

static void read_file(const struct capture_options *options)
{
	capture_kit_read(&found, file.at, file.len, options);
}

TEST(received_queries_are_read)
{
	file.len = 0;
	put_start("protobuf:dnstap.Dnstap");
	put_event(5, 1, 1); /* CLIENT_QUERY */
	put_event(6, 1, 2); /* CLIENT_RESPONSE */
	put_event(3, 1, 3); /* RESOLVER_QUERY */
	put_event(1, 2, 4); /* AUTH_QUERY over TCP */
	put_stop();
	read_file(NULL);
	CHECK_U(found.status, STATUS_OK);
	CHECK_S(found.notes, "");
	CHECK_U(found.count, 2);
	CHECK_U(found.numbers[0], 1);
	CHECK_U(found.numbers[1], 4);
	CHECK_U(found.times_ns[0], 1700000000000000005u);
	CHECK_U(found.last.transport, CAPTURE_TCP);
	CHECK_U(found.last.client.family, ADDR_V6);
	CHECK_U(found.last.client.octets[15], 7);
	CHECK_U(found.last.client.port, 4321);
	CHECK_U(found.counts.responses, 1);
	CHECK_U(found.counts.elsewhere, 1);
}

TEST(sent_queries_are_read_where_they_are_wanted)
{
	struct capture_options upstream = {.upstream = true};

	file.len = 0;
	put_start("protobuf:dnstap.Dnstap");
	put_event(5, 1, 1);
	put_event(3, 1, 3); /* RESOLVER_QUERY */
	put_event(7, 1, 7); /* FORWARDER_QUERY */
	put_stop();
	read_file(&upstream);
	CHECK_U(found.status, STATUS_OK);
	CHECK_U(found.count, 2);
	CHECK_U(found.numbers[0], 3);
	CHECK_U(found.numbers[1], 7);
}

TEST(two_files_in_a_row_are_one)
{
	file.len = 0;
	for (uint32_t i = 0; i < 2; i++) {
		put_start("protobuf:dnstap.Dnstap");
		put_event(5, 1, i);
		put_stop();
	}
	read_file(NULL);
	CHECK_U(found.status, STATUS_OK);
	CHECK_U(found.count, 2);
}

TEST(frames_of_another_kind_are_refused)
{
	file.len = 0;
	put_start("protobuf:other");
	put_event(5, 1, 1);
	read_file(NULL);
	CHECK_U(found.status, STATUS_REFUSED);
	CHECK(strstr(found.notes, "another content type") != NULL);
}

TEST(every_cut_is_survived_and_told)
{
	file.len = 0;
	put_start("protobuf:dnstap.Dnstap");
	put_event(5, 1, 1);
	size_t one = file.len;
	put_event(5, 1, 2);
	for (size_t cut = one; cut < file.len; cut++) {
		capture_kit_read(&found, file.at, cut, NULL);
		CHECK_U(found.status, STATUS_OK);
		CHECK_U(found.count, 1);
		CHECK_U(found.notes[0] != '\0', cut != one);
	}
	for (size_t cut = 0; cut < one; cut++) {
		capture_kit_read(&found, file.at, cut, NULL);
		CHECK_U(found.status, STATUS_REFUSED);
	}
}

/* A frame whose fields are damaged is one bad frame; those around it are read. */
TEST(damage_inside_a_frame_stays_inside)
{
	uint32_t broken = 0, good = 0;

	for (uint32_t round = 0; round < 2000; round++) {
		file.len = 0;
		put_start("protobuf:dnstap.Dnstap");
		put_event(5, 1, 1);
		size_t from = file.len + 4;
		put_event(5, 1, 2);
		size_t to = file.len;
		put_event(5, 1, 3);
		file.at[from + kit_random((uint32_t)(to - from))] = (uint8_t)kit_random(256);
		read_file(NULL);
		CHECK_U(found.status, STATUS_OK);
		CHECK(found.count == 2 || found.count == 3);
		CHECK_U(found.numbers[0], 1);
		CHECK_U(found.numbers[found.count < 3 ? 1 : 2], 3);
		broken += found.count == 2 ? 1 : 0;
		good += found.count == 3 ? 1 : 0;
	}
	CHECK(broken > 200 && good > 200);
}
