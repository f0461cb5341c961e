/* test_traffic.c - queries in packets: every link type and header by hand, fragments and segments in any order. */
#include "capture/capture.h"

#include <stdlib.h>
#include <string.h>

#include "capture/capture_kit.h"
#include "kit/kit.h"

#define ROUNDS   300u
#define MESSAGES 40u

static struct capture_kit_octets file, packet, frame;
static struct capture_kit_found found;

static void read_file(void)
{
	capture_kit_read(&found, file.at, file.len, NULL);
}

/* One UDP query, number 7 of client 9, behind a link header. */
static void make_frame(const uint8_t *head, size_t head_len, int version)
{
	uint8_t query[64];

	frame.len = 0;
	capture_kit_put(&frame, head, head_len);
	capture_kit_udp(&frame, version, 9, 53, query, capture_kit_query(7, query));
}

TEST(each_link_type_leads_to_the_query)
{
	const struct {
		const char *why;
		const uint8_t *head;
		size_t head_len;
		uint32_t link;
		int version;
	} cases[] = {
		{"Ethernet", BYTES(1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 8, 0), 1, 4},
		{"Ethernet, IPv6", BYTES(1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 0x86, 0xdd), 1, 6},
		{"VLAN", BYTES(1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 0x81, 0, 0, 7, 8, 0), 1, 4},
		{"QinQ",
			BYTES(1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 0x88, 0xa8, 0, 7, 0x81, 0, 0, 7,
				0x86, 0xdd),
			1, 6},
		{"raw", NULL, 0, 101, 4},
		{"raw, IPv6", NULL, 0, 101, 6},
		{"raw of BSD", NULL, 0, 12, 4},
		{"raw of OpenBSD", NULL, 0, 14, 4},
		{"IPv4", NULL, 0, 228, 4},
		{"IPv6", NULL, 0, 229, 6},
		{"loopback", BYTES(2, 0, 0, 0), 0, 4},
		{"loopback, big endian, IPv6 of FreeBSD", BYTES(0, 0, 0, 28), 0, 6},
		{"loopback of OpenBSD", BYTES(0, 0, 0, 2), 108, 4},
		{"Linux cooked", BYTES(0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 8, 0), 113, 4},
		{"Linux cooked, VLAN",
			BYTES(0, 0, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0, 0x81, 0, 0, 1, 8, 0), 113,
			4},
		{"Linux cooked 2",
			BYTES(0x86, 0xdd, 0, 0, 0, 0, 0, 2, 0, 1, 0, 6, 1, 2, 3, 4, 5, 6, 0, 0),
			276, 6},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		KIT_NOTE(cases[i].why);
		capture_kit_pcap(&file, cases[i].link);
		make_frame(cases[i].head, cases[i].head_len, cases[i].version);
		capture_kit_record(&file, 1700000000123456789u, frame.at, frame.len);
		read_file();
		CHECK_U(found.status, STATUS_OK);
		CHECK_U(found.count, 1);
		CHECK_U(found.numbers[0], 7);
		CHECK_U(found.times_ns[0], 1700000000123456789u);
		CHECK_U(found.last.client.family, cases[i].version);
		CHECK_U(found.last.client.octets[cases[i].version == 4 ? 3 : 15], 9);
		CHECK_U(found.last.client.port, 40009);
		CHECK_U(found.last.transport, CAPTURE_UDP);
	}
}

TEST(padding_behind_the_datagram_is_not_read)
{
	capture_kit_pcap(&file, 101);
	make_frame(NULL, 0, 4);
	size_t whole = frame.len;
	capture_kit_put(&frame, "\xff\xff\xff\xff\xff\xff", 6);
	capture_kit_record(&file, 0, frame.at, frame.len);
	read_file();
	CHECK_U(found.count, 1);
	CHECK_U(found.last.len, whole - 28);
}

TEST(what_is_no_query_is_counted_for_what_it_is)
{
	uint8_t query[64];
	uint32_t len = capture_kit_query(1, query);
	struct capture_options options = {.port = 53};

	capture_kit_pcap(&file, 101);
	frame.len = 0;
	capture_kit_udp(&frame, 4, 1, 5353, query, len);
	capture_kit_record(&file, 0, frame.at, frame.len); /* elsewhere */
	query[2] |= 0x80;
	frame.len = 0;
	capture_kit_udp(&frame, 4, 1, 53, query, len);
	capture_kit_record(&file, 0, frame.at, frame.len); /* a response */
	query[2] = 0x28;
	frame.len = 0;
	capture_kit_udp(&frame, 4, 1, 53, query, len);
	capture_kit_record(&file, 0, frame.at, frame.len); /* an update: other */
	query[2] = 1;
	frame.len = 0;
	capture_kit_udp(&frame, 4, 1, 53, query, len - 1);
	capture_kit_record(&file, 0, frame.at, frame.len);     /* broken */
	capture_kit_record(&file, 0, frame.at, frame.len - 1); /* cut by a small snaplen */
	frame.at[9] = 1;
	capture_kit_record(&file, 0, frame.at, frame.len); /* ICMP: other */
	capture_kit_record(&file, 0, frame.at, 10);        /* other */
	capture_kit_read(&found, file.at, file.len, &options);
	CHECK_U(found.status, STATUS_REFUSED);
	CHECK_S(found.notes,
		"0:0 no DNS query in it (7 records: 1 responses, 1 to other ports, 1 not "
		"whole, 1 malformed, 3 no DNS);");
	CHECK_U(found.counts.records, 7);
}

TEST(an_unread_link_type_is_told)
{
	capture_kit_pcap(&file, 127);
	make_frame(NULL, 0, 4);
	capture_kit_record(&file, 0, frame.at, frame.len);
	read_file();
	CHECK_U(found.status, STATUS_REFUSED);
	CHECK(strstr(found.notes, "1 packets of link type 127") != NULL);
}

TEST(extension_headers_are_gone_over)
{
	uint8_t query[64];
	uint32_t len = capture_kit_query(3, query);
	static const uint8_t hop[16] = {
		60, 1}; /* hop-by-hop of 16 octets, then destination options */
	static const uint8_t options[8] = {17, 0};

	frame.len = 0;
	capture_kit_udp(&frame, 6, 5, 53, query, len);
	packet.len = 0;
	capture_kit_put(&packet, frame.at, 40);
	packet.at[6] = 0;
	packet.at[5] = (uint8_t)(packet.at[5] + sizeof(hop) + sizeof(options));
	capture_kit_put(&packet, hop, sizeof(hop));
	capture_kit_put(&packet, options, sizeof(options));
	capture_kit_put(&packet, frame.at + 40, frame.len - 40);
	capture_kit_pcap(&file, 101);
	capture_kit_record(&file, 0, packet.at, packet.len);
	read_file();
	CHECK_U(found.status, STATUS_OK);
	CHECK_U(found.numbers[0], 3);
}

/* A query with EDNS padding, so that it can be cut into many pieces. */
static uint32_t long_query(uint32_t number, uint8_t *octets)
{
	uint32_t len = capture_kit_query(number, octets);

	octets[11] = 1;
	memcpy(octets + len, "\0\0\x29\x10\0\0\0\0\0\x04\x04\0\x0c\x04\0", 15);
	memset(octets + len + 15, (int)number, 1024);
	return len + 15 + 1024;
}

TEST(fragments_come_together_in_any_order)
{
	uint8_t query[2048], datagram[2048];

	for (uint32_t round = 0; round < ROUNDS; round++) {
		int version = round % 2 == 0 ? 4 : 6;
		uint32_t len = long_query(round, query);
		uint32_t unit = 8 * (1 + kit_random(40));
		uint32_t piece_count, order[256];

		frame.len = 0;
		capture_kit_udp(&frame, version, 3, 53, query, len);
		uint32_t head = version == 4 ? 20 : 40;
		uint32_t datagram_len = (uint32_t)frame.len - head;
		memcpy(datagram, frame.at + head, datagram_len);
		piece_count = (datagram_len + unit - 1) / unit;
		for (uint32_t i = 0; i < piece_count; i++) {
			uint32_t other = kit_random(i + 1);
			order[i] = order[other];
			order[other] = i;
		}
		capture_kit_pcap(&file, 101);
		for (uint32_t i = 0; i < piece_count; i++) {
			uint32_t off = order[i] * unit;
			bool is_last = order[i] == piece_count - 1;
			packet.len = 0;
			capture_kit_piece(&packet, version, 3, 17, round, off, !is_last,
				datagram + off, is_last ? datagram_len - off : unit);
			capture_kit_record(&file, i, packet.at, packet.len);
			if (kit_random(4) == 0 && i + 1 < piece_count) { /* twice is once */
				capture_kit_record(&file, i, packet.at, packet.len);
			}
		}
		read_file();
		CHECK_U(found.status, STATUS_OK);
		CHECK_U(found.count, 1);
		CHECK_OCTETS(found.last_octets, found.last.len, query, len);
		CHECK_U(found.counts.cut, 0);
	}
}

TEST(pieces_that_contradict_each_other_are_given_up)
{
	uint8_t octets[64] = {0};

	capture_kit_pcap(&file, 101);
	const struct {
		uint32_t offset, len;
		bool has_more;
	} pieces[] = {{0, 16, true}, {32, 8, true}, {16, 8, false}};
	for (size_t i = 0; i < 3; i++) {
		packet.len = 0;
		capture_kit_piece(&packet, 4, 1, 17, 5, pieces[i].offset, pieces[i].has_more,
			octets, pieces[i].len);
		capture_kit_record(&file, 0, packet.at, packet.len);
	}
	read_file();
	CHECK_U(found.count, 0);
	CHECK_U(found.counts.cut, 1);
}

static void put_segment(uint8_t flags, uint32_t sequence, const uint8_t *octets, uint32_t len)
{
	packet.len = 0;
	capture_kit_tcp(&packet, 4, 2, flags, sequence, octets, len);
	capture_kit_record(&file, 1000, packet.at, packet.len);
}

/* MESSAGES queries, each with its length. */
static uint32_t make_stream(uint8_t *octets)
{
	uint32_t len = 0;

	for (uint32_t i = 0; i < MESSAGES; i++) {
		uint32_t query_len = i % 5 == 0 ? long_query(i, octets + len + 2)
						: capture_kit_query(i, octets + len + 2);
		octets[len] = (uint8_t)(query_len >> 8);
		octets[len + 1] = (uint8_t)query_len;
		len += 2 + query_len;
	}
	return len;
}

static void check_all_messages(void)
{
	CHECK_U(found.status, STATUS_OK);
	CHECK_U(found.count, MESSAGES);
	for (uint32_t i = 0; i < MESSAGES && i < found.count; i++) {
		CHECK_U(found.numbers[i], i);
	}
	CHECK_U(found.last.transport, CAPTURE_TCP);
	CHECK_U(found.last.client.port, 40002);
}

TEST(segments_of_any_size_and_order_give_the_messages)
{
	static uint8_t stream[65536];
	uint32_t len = make_stream(stream);
	uint32_t checked = 0;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint32_t start = round % 3 == 0 ? 0u - kit_random(len) : kit_random(UINT32_MAX);
		uint32_t size_max = 1 + kit_random(1500);
		uint32_t starts[65536 / 4], lens[65536 / 4], count = 0;

		for (uint32_t at = 0; at < len; count++) {
			starts[count] = at;
			lens[count] = 1 + kit_random(size_max);
			lens[count] = lens[count] > len - at ? len - at : lens[count];
			if (count + 1 == sizeof(starts) / sizeof(starts[0])) {
				lens[count] = len - at;
			}
			at += lens[count];
		}
		/* A segment moves back by up to six places, and some come twice, longer than before. */
		capture_kit_pcap(&file, 101);
		put_segment(0x02, start - 1, NULL, 0);
		for (uint32_t first = 0; first < count; first += 6) {
			uint32_t in_group = count - first < 6 ? count - first : 6;
			uint32_t turn = kit_random(in_group);
			for (uint32_t i = 0; i < in_group; i++) {
				uint32_t k = first + (i + turn) % in_group;
				uint32_t more = kit_random(3) == 0 ? kit_random(50) : 0;
				more = lens[k] + more > len - starts[k] ? 0 : more;
				put_segment(0x10, start + starts[k], stream + starts[k],
					lens[k] + more);
				if (kit_random(8) == 0) {
					put_segment(0x10, start + starts[k], stream + starts[k],
						lens[k]);
				}
			}
			if (file.len > CAPTURE_KIT_CAP / 2) {
				break;
			}
		}
		if (file.len > CAPTURE_KIT_CAP / 2) {
			continue; /* too many tiny ones for the buffer */
		}
		put_segment(0x11, start + len, NULL, 0);
		read_file();
		check_all_messages();
		checked++;
	}
	CHECK(checked > ROUNDS / 2);
}

TEST(a_connection_is_taken_up_in_the_middle)
{
	static uint8_t stream[65536];
	uint32_t len = make_stream(stream);

	capture_kit_pcap(&file, 101);
	put_segment(0x10, 5000, (const uint8_t *)"the end of a message", 20);
	for (uint32_t at = 0; at < len; at += 1000) {
		put_segment(0x10, 5020 + at, stream + at, len - at < 1000 ? len - at : 1000);
	}
	read_file();
	check_all_messages();
}

TEST(a_hole_that_stays_ends_the_connection_and_is_counted)
{
	uint8_t query[64];
	uint32_t len = capture_kit_query(1, query + 2);

	query[0] = 0;
	query[1] = (uint8_t)len;
	capture_kit_pcap(&file, 101);
	put_segment(0x02, 99, NULL, 0);
	put_segment(0x10, 100, query, len + 2);
	for (uint32_t i = 0; i < 20; i++) {
		put_segment(0x10, 10000 + i * (len + 2), query, len + 2);
	}
	put_segment(0x02, 50000, NULL, 0); /* the port is used again */
	put_segment(0x10, 50001, query, len + 2);
	read_file();
	CHECK_U(found.count, 2);
	CHECK_U(found.counts.cut, 1);
}

TEST(a_file_that_ends_too_soon_gives_what_came_before)
{
	uint8_t query[64];
	uint32_t len = capture_kit_query(1, query);
	struct capture_options strict = {.strict = true};

	frame.len = 0;
	capture_kit_udp(&frame, 4, 1, 53, query, len);
	capture_kit_pcap(&file, 101);
	capture_kit_record(&file, 0, frame.at, frame.len);
	size_t one = file.len;
	capture_kit_record(&file, 0, frame.at, frame.len);
	for (size_t cut = one; cut < file.len; cut++) {
		capture_kit_read(&found, file.at, cut, NULL);
		CHECK_U(found.status, STATUS_OK);
		CHECK_U(found.count, 1);
		CHECK_U(found.counts.is_damaged, cut != one);
		CHECK_U(found.notes[0] != '\0', cut != one);
		capture_kit_read(&found, file.at, cut, &strict);
		CHECK_U(found.status, cut == one ? STATUS_OK : STATUS_REFUSED);
	}
	for (size_t cut = 0; cut < one; cut++) {
		capture_kit_read(&found, file.at, cut, NULL);
		CHECK_U(found.status, STATUS_REFUSED);
		CHECK(found.notes[0] != '\0');
	}
}

TEST(both_byte_orders_and_units_are_read)
{
	uint8_t query[64];

	frame.len = 0;
	capture_kit_udp(&frame, 4, 1, 53, query, capture_kit_query(4, query));
	for (int variant = 0; variant < 4; variant++) {
		bool is_big = variant % 2 == 1, has_ns = variant / 2 == 1;
		void (*put)(struct capture_kit_octets *, uint64_t, uint32_t) =
			is_big ? capture_kit_be : capture_kit_le;
		file.len = 0;
		put(&file, has_ns ? 0xa1b23c4d : 0xa1b2c3d4, 4);
		put(&file, 2, 2);
		put(&file, 4, 2);
		put(&file, 0, 8);
		put(&file, 65535, 4);
		put(&file, 101, 4);
		put(&file, 1700000000, 4);
		put(&file, 999999, 4);
		put(&file, frame.len, 4);
		put(&file, frame.len, 4);
		capture_kit_put(&file, frame.at, frame.len);
		read_file();
		CHECK_U(found.count, 1);
		CHECK_U(found.times_ns[0], 1700000000000000000u + (has_ns ? 999999u : 999999000u));
	}
}
