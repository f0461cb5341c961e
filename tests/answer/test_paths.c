/* test_paths.c - a million queries, good and broken, through the fast and the full path: the same octets.
 *
 * answer_kit_send() does the comparing. Names are built from the labels of odd zones, so that aliases, wildcards,
 * cuts and denials are all met; then some octets are changed, or the end is cut off.
 */
#include <string.h>

#include "answer/answer_kit.h"
#include "answer/odd_zones.h"
#include "kit/kit.h"
#include "wire/rrtype.h"
#include "wire/wire.h"

#define QUERIES   1000000u
#define QUERY_MAX 600u

static const char *const zones[] = {"z.", odd_plain, ".", odd_root, "nsec.", odd_nsec, "z.test.",
	odd_nsec3, "optout.", odd_optout};

static uint32_t put_label(uint8_t *out, const char *label)
{
	out[0] = (uint8_t)strlen(label);
	memcpy(out + 1, label, out[0]);
	return out[0] + 1u;
}

static uint32_t put_name(uint8_t *out)
{
	static const char *const labels[] = {"a", "b", "w", "*", "v", "d", "e", "f", "g", "kid",
		"x", "y", "wild", "sub", "cn", "alias", "dangle", "old", "new", "ent", "kid2",
		"sec", "nope", "big", "many", "ns1", "svc", "srv", "WWW", "com", "i", "h"};
	static const char *const origins[] = {"z", "nsec", "optout", "test", "com", "elsewhere"};
	uint32_t len = 0;

	for (uint32_t count = kit_random(4); count > 0; count--) {
		len += put_label(out + len, labels[kit_random(sizeof(labels) / sizeof(labels[0]))]);
	}
	uint32_t origin = kit_random(7);
	if (origin == 3) {
		len += put_label(out + len, "z");
	}
	if (origin < 6) {
		len += put_label(out + len, origins[origin]);
	}
	out[len++] = 0;
	return len;
}

static uint32_t put_query(uint8_t *out)
{
	static const uint16_t types[] = {RRTYPE_A, RRTYPE_NS, RRTYPE_CNAME, RRTYPE_SOA, RRTYPE_MX,
		RRTYPE_TXT, RRTYPE_AAAA, RRTYPE_SRV, RRTYPE_DS, RRTYPE_RRSIG, RRTYPE_NSEC,
		RRTYPE_DNAME, RRTYPE_ANY, RRTYPE_AXFR, RRTYPE_SVCB, 999};
	uint32_t len = WIRE_HEADER_LEN;

	memset(out, 0, QUERY_MAX);
	out[5] = 1;
	len += put_name(out + len);
	uint16_t type = types[kit_random(sizeof(types) / sizeof(types[0]))];
	out[len] = (uint8_t)(type >> 8);
	out[len + 1] = (uint8_t)type;
	out[len + 3] = CLASS_IN;
	len += 4;
	if (kit_random(3) != 0) {
		out[11] = 1;
		out[len + 2] = RRTYPE_OPT;
		out[len + 3] = (uint8_t)kit_random(8);
		out[len + 7] = (uint8_t)(kit_random(2) << 7);
		len += 11;
	}
	return len;
}

TEST(both_paths_give_the_same_octets)
{
	static uint8_t answer[WIRE_MESSAGE_LEN_MAX];
	struct answer_kit *kit = answer_kit_new(zones, sizeof(zones) / sizeof(zones[0]) / 2);
	uint32_t answered = 0, dropped = 0, large = 0;

	for (uint32_t i = 0; i < QUERIES; i++) {
		uint8_t query[QUERY_MAX];
		uint32_t len = put_query(query);
		if (kit_random(4) == 0) {
			for (uint32_t changes = 1 + kit_random(3); changes > 0; changes--) {
				query[kit_random(len)] = (uint8_t)kit_random(256);
			}
		}
		len = kit_random(16) == 0 ? kit_random(len + 1) : len;
		enum request_transport transport = kit_random(8) == 0 ? REQUEST_TCP : REQUEST_UDP;
		uint32_t answer_len =
			answer_kit_send(kit, query, len, transport, answer, sizeof(answer));
		answered += answer_len > 0;
		dropped += answer_len == 0;
		large += answer_len > 512;
	}
	answer_kit_free(kit);
	CHECK(answered > QUERIES / 2 && dropped > QUERIES / 200 && large > QUERIES / 1000);
}
