/* flood.c - sends datagrams that no sane client would send, and as many.
 *
 * usage: flood ADDRESS PORT COUNT SEED NAME
 *
 * A third are random octets, a third good queries for something below NAME with a few octets changed, a third
 * are built of the pieces that parsers stumble over: pointers, counts, label lengths, options. Every 64 it
 * waits until the server has answered a good query, or a tenth of a second has passed: what the kernel drops
 * tests nothing. Prints `sent N answered M good K`.
 */
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/addr.h"
#include "base/octets.h"
#include "base/random.h"
#include "os/socket.h"
#include "wire/name.h"

#define LEN_MAX  1500u
#define BURST    64u
#define PAUSE_MS 100

static struct random generator;

static uint32_t below(uint32_t bound)
{
	return random_below(&generator, bound);
}

static uint32_t put_good(uint8_t *out, const struct name *name, uint16_t id)
{
	static const uint8_t opt[] = {
		0, 0, 41, 0x04, 0xd0, 0, 0, 0x80, 0, 0, 12, 0, 10, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8};
	static const uint16_t types[] = {1, 2, 5, 6, 12, 15, 16, 28, 43, 46, 47, 48, 255, 252, 65};
	uint32_t len = 12;

	memset(out, 0, 12);
	octets_put_u16(out, id);
	out[5] = 1;
	if (below(2) == 0) { /* something below the zone */
		uint32_t label = 1 + below(20);
		out[len++] = (uint8_t)label;
		for (uint32_t i = 0; i < label; i++) {
			out[len++] = (uint8_t)('a' + below(26));
		}
	}
	memcpy(out + len, name->octets, name->len);
	len += name->len;
	octets_put_u16(out + len, types[below(sizeof(types) / sizeof(types[0]))]);
	octets_put_u16(out + len + 2, 1);
	len += 4;
	if (below(2) == 0) {
		out[11] = 1;
		memcpy(out + len, opt, sizeof(opt));
		len += sizeof(opt);
	}
	return len;
}

static uint32_t put_random(uint8_t *out)
{
	uint32_t len = below(4) == 0 ? below(LEN_MAX + 1) : below(64);

	for (uint32_t i = 0; i < len; i++) {
		out[i] = (uint8_t)below(256);
	}
	if (len > 2) {
		out[2] &= 0x7f; /* an answer would be thrown away at once */
	}
	return len;
}

static uint32_t put_mutated(uint8_t *out, const struct name *name)
{
	uint32_t len = put_good(out, name, (uint16_t)below(65536));

	for (uint32_t edits = 1 + below(4); edits > 0; edits--) {
		out[below(len)] = (uint8_t)below(256);
	}
	switch (below(4)) {
	case 0:
		return below(len + 1); /* cut short */
	case 1:
		for (uint32_t more = below(40); more > 0; more--) {
			out[len++] = (uint8_t)below(256);
		}
		break;
	default:
		break;
	}
	return len;
}

static uint32_t put_pieces(uint8_t *out)
{
	static const uint8_t octets[] = {
		0, 0, 0, 1, 2, 3, 11, 12, 41, 63, 64, 127, 128, 191, 192, 192, 193, 250, 255};
	uint32_t len = 12 + below(300);

	for (uint32_t i = 0; i < len; i++) {
		out[i] = octets[below(sizeof(octets))];
	}
	out[2] &= below(8) == 0 ? 0x7f : 0x01; /* mostly opcode QUERY */
	out[4] = 0;
	out[5] = (uint8_t)(below(8) == 0 ? below(3) : 1);
	return len;
}

/* Reads answers until the one with the ID, or nothing comes. */
static uint32_t hear(int fd, uint16_t id, uint32_t *answered)
{
	struct pollfd wait = {.fd = fd, .events = POLLIN};
	uint8_t answer[4096];

	for (;;) {
		ssize_t len = socket_read(fd, answer, sizeof(answer));
		if (len < 0) {
			if (poll(&wait, 1, PAUSE_MS) <= 0) {
				return 0;
			}
			continue;
		}
		++*answered;
		if (len >= 12 && octets_get_u16(answer) == id && (answer[3] & 0x0f) == 0) {
			return 1;
		}
	}
}

int main(int argc, char **argv)
{
	const struct name root = {.len = 1};
	struct name name;
	struct addr addr;
	uint8_t octets[LEN_MAX + 64];
	uint32_t answered = 0, good = 0, asked = 0;

	if (argc != 6 || !addr_parse(argv[1], (uint16_t)atoi(argv[2]), &addr) ||
		name_from_text(argv[5], (uint32_t)strlen(argv[5]), &root, &name) != WIRE_OK) {
		fprintf(stderr, "usage: flood ADDRESS PORT COUNT SEED NAME\n");
		return 2;
	}
	uint32_t count = (uint32_t)atol(argv[3]);
	random_init(&generator, (uint64_t)atoll(argv[4]));
	int fd = socket_udp_connect(&addr, NULL);
	if (fd < 0) {
		perror("flood");
		return 1;
	}
	socket_buffers(fd, 4 << 20, 4 << 20);
	for (uint32_t sent = 0; sent < count; sent++) {
		uint32_t kind = below(3);
		uint32_t len = kind == 0   ? put_random(octets)
			       : kind == 1 ? put_mutated(octets, &name)
					   : put_pieces(octets);
		(void)!socket_write(fd, octets, len);
		if (sent % BURST == BURST - 1) {
			/* ID 0xa5a5 with SOA: the question that always has an answer. */
			uint8_t *ask = octets;
			memset(ask, 0, 12);
			octets_put_u16(ask, 0xa5a5);
			ask[5] = 1;
			memcpy(ask + 12, name.octets, name.len);
			octets_put_u16(ask + 12 + name.len, 6);
			octets_put_u16(ask + 14 + name.len, 1);
			(void)!socket_write(fd, ask, 16u + name.len);
			asked++;
			good += hear(fd, 0xa5a5, &answered);
		}
	}
	printf("sent %u answered %u good %u of %u\n", count, answered, good, asked);
	return 0;
}
