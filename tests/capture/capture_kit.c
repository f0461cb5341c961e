/* capture_kit.c - packets and files. */
#include "capture/capture_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

#define PORT_CLIENT 40000u

void capture_kit_put(struct capture_kit_octets *to, const void *octets, size_t len)
{
	if (len > sizeof(to->at) - to->len) {
		abort();
	}
	memcpy(to->at + to->len, octets, len);
	to->len += len;
}

void capture_kit_be(struct capture_kit_octets *to, uint64_t value, uint32_t width)
{
	for (uint32_t i = width; i-- > 0;) {
		uint8_t octet = (uint8_t)(value >> (8 * i));
		capture_kit_put(to, &octet, 1);
	}
}

void capture_kit_le(struct capture_kit_octets *to, uint64_t value, uint32_t width)
{
	for (uint32_t i = 0; i < width; i++) {
		uint8_t octet = (uint8_t)(value >> (8 * i));
		capture_kit_put(to, &octet, 1);
	}
}

uint32_t capture_kit_query(uint32_t number, uint8_t *octets)
{
	static const uint8_t head[] = {0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0};
	char label[16];
	int len = snprintf(label, sizeof(label), "n%u", number);
	uint8_t *at = octets;

	memcpy(at, head, sizeof(head));
	at += sizeof(head);
	*at++ = (uint8_t)len;
	memcpy(at, label, (size_t)len);
	at += len;
	memcpy(at, "\x04test\x00\x00\x01\x00\x01", 10);
	return (uint32_t)(at + 10 - octets);
}

uint32_t capture_kit_number(const struct capture_query *query)
{
	uint32_t number = 0;

	for (uint32_t i = 0; i + 1 < query->octets[12]; i++) {
		number = number * 10 + query->octets[14 + i] - '0';
	}
	return number;
}

void capture_kit_piece(struct capture_kit_octets *to, int version, uint8_t client, uint8_t protocol,
	uint32_t id, uint32_t offset, bool has_more, const uint8_t *octets, uint32_t len)
{
	bool is_piece = offset != 0 || has_more;

	if (version == 4) {
		capture_kit_be(to, 0x4500, 2);
		capture_kit_be(to, 20 + len, 2);
		capture_kit_be(to, id, 2);
		capture_kit_be(to, offset / 8 | (has_more ? 0x2000 : 0), 2);
		capture_kit_be(to, 64, 1);
		capture_kit_be(to, protocol, 1);
		capture_kit_be(to, 0, 2);
		capture_kit_be(to, 0xc0000200u + client, 4);
		capture_kit_be(to, 0xc0000235u, 4);
	} else {
		capture_kit_be(to, 0x60000000u, 4);
		capture_kit_be(to, len + (is_piece ? 8 : 0), 2);
		capture_kit_be(to, is_piece ? 44 : protocol, 1);
		capture_kit_be(to, 64, 1);
		capture_kit_put(to, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0", 15);
		capture_kit_be(to, client, 1);
		capture_kit_put(to, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x35", 16);
		if (is_piece) {
			capture_kit_be(to, protocol, 1);
			capture_kit_be(to, 0, 1);
			capture_kit_be(to, offset | (has_more ? 1 : 0), 2);
			capture_kit_be(to, id, 4);
		}
	}
	capture_kit_put(to, octets, len);
}

void capture_kit_udp(struct capture_kit_octets *to, int version, uint8_t client, uint16_t port,
	const uint8_t *payload, uint32_t len)
{
	static struct capture_kit_octets datagram;

	datagram.len = 0;
	capture_kit_be(&datagram, PORT_CLIENT + client, 2);
	capture_kit_be(&datagram, port, 2);
	capture_kit_be(&datagram, 8 + len, 2);
	capture_kit_be(&datagram, 0, 2);
	capture_kit_put(&datagram, payload, len);
	capture_kit_piece(
		to, version, client, 17, 0, 0, false, datagram.at, (uint32_t)datagram.len);
}

void capture_kit_tcp(struct capture_kit_octets *to, int version, uint8_t client, uint8_t flags,
	uint32_t sequence, const uint8_t *payload, uint32_t len)
{
	static struct capture_kit_octets segment;

	segment.len = 0;
	capture_kit_be(&segment, PORT_CLIENT + client, 2);
	capture_kit_be(&segment, 53, 2);
	capture_kit_be(&segment, sequence, 4);
	capture_kit_be(&segment, 0, 4);
	capture_kit_be(&segment, 0x60, 1); /* 24 octets: an option of four */
	capture_kit_be(&segment, flags, 1);
	capture_kit_be(&segment, 0, 6);
	capture_kit_be(&segment, 0x01010101, 4);
	capture_kit_put(&segment, payload, len);
	capture_kit_piece(to, version, client, 6, 0, 0, false, segment.at, (uint32_t)segment.len);
}

void capture_kit_pcap(struct capture_kit_octets *to, uint32_t link)
{
	to->len = 0;
	capture_kit_le(to, 0xa1b23c4d, 4);
	capture_kit_le(to, 2, 2);
	capture_kit_le(to, 4, 2);
	capture_kit_le(to, 0, 8);
	capture_kit_le(to, 262144, 4);
	capture_kit_le(to, link, 4);
}

void capture_kit_record(
	struct capture_kit_octets *to, uint64_t time_ns, const void *octets, size_t len)
{
	capture_kit_le(to, time_ns / 1000000000u, 4);
	capture_kit_le(to, time_ns % 1000000000u, 4);
	capture_kit_le(to, len, 4);
	capture_kit_le(to, len, 4);
	capture_kit_put(to, octets, len);
}

static enum status found(void *context, const struct capture_query *query)
{
	struct capture_kit_found *found = context;

	if (found->count < sizeof(found->numbers) / sizeof(found->numbers[0])) {
		found->numbers[found->count] = capture_kit_number(query);
		found->times_ns[found->count] = query->time_ns;
	}
	found->count++;
	found->last = *query;
	found->last.octets = NULL;
	memcpy(found->last_octets, query->octets, query->len);
	return STATUS_OK;
}

static void note(void *context, const struct diag *diag)
{
	struct capture_kit_found *found = context;
	size_t used = strlen(found->notes);

	snprintf(found->notes + used, sizeof(found->notes) - used, "%u:%u %s;", diag->line,
		diag->column, diag->text);
}

void capture_kit_read(struct capture_kit_found *out, const void *octets, size_t len,
	const struct capture_options *options)
{
	struct capture_sink sink = {
		.query = found, .context = out, .diag = {.report = note, .context = out}};
	uint8_t *copy = malloc(len + 1);

	memset(out, 0, sizeof(*out));
	memcpy(copy, octets, len);
	FILE *file = fmemopen(copy, len == 0 ? 1 : len, "r");
	if (file == NULL) {
		abort();
	}
	if (len == 0) {
		fgetc(file); /* fmemopen() knows no empty file */
	}
	out->status = capture_read_stream(file, "test", options, &sink, &out->counts);
	fclose(file);
	free(copy);
}
