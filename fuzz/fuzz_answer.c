/* fuzz_answer.c - any octets as a query to odd zones: both paths give the same answer, and it can be read.
 *
 * The first octet chooses the transport; the rest is the query.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer.h"
#include "answer/odd_zones.h"
#include "base/octets.h"
#include "base/publish.h"
#include "wire/name.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zone/load.h"
#include "zone/zone.h"

#define UDP_SLOT 2048u
#define ZONES    5u

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

static void must(bool holds)
{
	if (!holds) {
		abort();
	}
}

static void ignore(void *context, const struct diag *diag)
{
	(void)context;
	if (diag->level == DIAG_ERROR) {
		diag_print(stderr, diag);
	}
}

static struct answerer *make_answerer(void)
{
	static const char *const zones[ZONES][2] = {{"z.", odd_plain}, {".", odd_root},
		{"nsec", odd_nsec}, {"nsec3", odd_nsec3}, {"optout", odd_optout}};
	/* The chains' hashes are of names below z.test. */
	static const char *const origins[ZONES] = {"z.", ".", "nsec.", "z.test.", "optout."};
	static struct published published;
	static struct zone *made[ZONES];
	const struct hash_key key = {{1, 2}};
	const struct diag_sink sink = {.report = ignore};
	const struct answer_config config = ANSWER_CONFIG_DEFAULT;
	struct name root = {.len = 1, .octets = {0}};
	struct load *load = load_new();

	must(load != NULL);
	for (uint32_t i = 0; i < ZONES; i++) {
		struct name origin;
		struct image *image;
		must(name_from_text(origins[i], (uint32_t)strlen(origins[i]), &root, &origin) ==
			WIRE_OK);
		must(load_octets(load, zones[i][0], zones[i][1], strlen(zones[i][1]), &origin, &key,
			     &sink, &image) == STATUS_OK);
		made[i] = zone_new(&origin);
		must(made[i] != NULL);
		zone_publish(made[i], image);
	}
	load_free(load);
	publish_set(&published, zone_set_new(&key, made, ZONES));
	return answerer_new(&published, &config);
}

/* Walks the whole answer: names, RDATA, nothing behind. */
static void check_answer(const uint8_t *octets, uint32_t len)
{
	static uint8_t rdata[RDATA_LEN_MAX];
	struct reader msg = {.octets = octets, .len = len, .off = WIRE_HEADER_LEN};
	struct name name;

	must(len >= WIRE_HEADER_LEN && (octets[2] & 0x80) != 0);
	uint32_t questions = octets_get_u16(octets + 4);
	must(questions <= 1);
	if (questions == 1) {
		must(name_parse(&msg, &name) == WIRE_OK && reader_skip(&msg, 4));
	}
	uint32_t records = (uint32_t)octets_get_u16(octets + 6) + octets_get_u16(octets + 8) +
			   octets_get_u16(octets + 10);
	for (; records > 0; records--) {
		uint16_t type = 0, rdlength = 0;
		uint32_t rdata_len;
		must(name_parse(&msg, &name) == WIRE_OK && reader_u16(&msg, &type) &&
			reader_skip(&msg, 6) && reader_u16(&msg, &rdlength));
		if (type == RRTYPE_OPT || type == RRTYPE_TSIG) {
			must(reader_skip(&msg, rdlength));
			continue;
		}
		must(rdata_expand(&msg, type, rdlength, rdata, sizeof(rdata), &rdata_len) ==
			WIRE_OK);
		must(rdata_check(type, rdata, rdata_len) == WIRE_OK);
	}
	must(msg.off == len);
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	static struct answerer *answerer;
	static uint8_t fast_octets[WIRE_MESSAGE_LEN_MAX], full_octets[WIRE_MESSAGE_LEN_MAX];

	if (answerer == NULL) {
		answerer = make_answerer();
		must(answerer != NULL);
	}
	if (len < 1) {
		return 0;
	}
	bool udp = octets[0] % 2 == 0;
	octets++;
	len--;
	if (len > (udp ? UDP_SLOT : WIRE_MESSAGE_LEN_MAX)) {
		return 0;
	}
	struct request fast = {.octets = fast_octets,
		.len = (uint32_t)len,
		.cap = udp ? UDP_SLOT : WIRE_MESSAGE_LEN_MAX,
		.transport = udp ? REQUEST_UDP : REQUEST_TCP};
	struct request full = fast;
	full.octets = full_octets;
	if (len > 0) {
		memcpy(fast_octets, octets, len);
		memcpy(full_octets, octets, len);
	}
	answer_batch(answerer, &fast, 1, (struct now){0});
	answer_full(answerer, &full, (struct now){0});
	must(fast.answer_len == full.answer_len &&
		memcmp(fast_octets, full_octets, fast.answer_len) == 0);
	if (fast.answer_len > 0) {
		must(fast.answer_len <= (udp ? 1232u : WIRE_MESSAGE_LEN_MAX));
		check_answer(fast_octets, fast.answer_len);
	}
	return 0;
}
