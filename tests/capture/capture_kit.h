/* capture_kit.h - makes captures, octet by octet, and reads them back into a list of queries.
 *
 * It shares no code with src/capture: what it writes follows the formats' own descriptions.
 */
#ifndef SAKER_TESTS_CAPTURE_KIT_H
#define SAKER_TESTS_CAPTURE_KIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/capture.h"

#define CAPTURE_KIT_CAP   (1u << 20)
#define CAPTURE_KIT_NOTES 4096u

/* Octets that grow; CAPTURE_KIT_CAP are enough for every test. */
struct capture_kit_octets {
	size_t len;
	uint8_t at[CAPTURE_KIT_CAP];
};

void capture_kit_put(struct capture_kit_octets *to, const void *octets, size_t len);
/* width octets of value, network order or little endian. */
void capture_kit_be(struct capture_kit_octets *to, uint64_t value, uint32_t width);
void capture_kit_le(struct capture_kit_octets *to, uint64_t value, uint32_t width);

/* A query for nNUMBER.test A into octets, at least 64; returns its length. */
uint32_t capture_kit_query(uint32_t number, uint8_t *octets);
/* The NUMBER of a query that capture_kit_query() made. */
uint32_t capture_kit_number(const struct capture_query *query);

/* An IP packet with UDP or TCP from client 192.0.2.CLIENT or 2001:db8::CLIENT to port; payload len octets. */
void capture_kit_udp(struct capture_kit_octets *to, int version, uint8_t client, uint16_t port,
	const uint8_t *payload, uint32_t len);
void capture_kit_tcp(struct capture_kit_octets *to, int version, uint8_t client, uint8_t flags,
	uint32_t sequence, const uint8_t *payload, uint32_t len);
/* A piece of what IP carries. */
void capture_kit_piece(struct capture_kit_octets *to, int version, uint8_t client, uint8_t protocol,
	uint32_t id, uint32_t offset, bool has_more, const uint8_t *octets, uint32_t len);

/* A pcap file in the order of this machine, and one record of it. */
void capture_kit_pcap(struct capture_kit_octets *to, uint32_t link);
void capture_kit_record(
	struct capture_kit_octets *to, uint64_t time_ns, const void *octets, size_t len);

/* What a reading found. */
struct capture_kit_found {
	enum status status;
	struct capture_counts counts;
	uint32_t count; /* all; the lists hold the first 4096 */
	uint32_t numbers[4096];
	uint64_t times_ns[4096];
	struct capture_query last; /* its octets are void */
	uint8_t last_octets[65535];
	char notes[CAPTURE_KIT_NOTES]; /* complaints: `LINE:COLUMN text;` */
};

/* Reads octets as a file. */
void capture_kit_read(struct capture_kit_found *found, const void *octets, size_t len,
	const struct capture_options *options);

#endif
