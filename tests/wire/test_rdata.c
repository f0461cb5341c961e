/* test_rdata.c - RDATA by field letters: each status once by hand, then random RDATA of every type.
 *
 * Each input ends at an unreadable page.
 */
#include "wire/rdata.h"

#include <string.h>

#include "kit/kit.h"
#include "kit/rdata_kit.h"
#include "wire/name.h"
#include "wire/rrtype.h"

static enum wire_status check(uint16_t type, const uint8_t *octets, size_t len)
{
	return rdata_check(type, kit_guarded(octets, len), (uint32_t)len);
}

TEST(each_status_has_rdata)
{
	const struct {
		const char *why;
		uint16_t type;
		const uint8_t *octets;
		size_t len;
		enum wire_status status;
	} cases[] = {
		{"A", RRTYPE_A, BYTES(192, 0, 2, 1), WIRE_OK},
		{"A of 3", RRTYPE_A, BYTES(192, 0, 2), WIRE_TRUNCATED},
		{"A of 5", RRTYPE_A, BYTES(192, 0, 2, 1, 0), WIRE_TRAILING},
		{"AAAA of 15", RRTYPE_AAAA, BYTES(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
			WIRE_TRUNCATED},
		{"NS root", RRTYPE_NS, BYTES(0), WIRE_OK},
		{"NS pointer", RRTYPE_NS, BYTES(0xc0, 0), WIRE_LABEL_TYPE},
		{"NS cut", RRTYPE_NS, BYTES(1, 'a'), WIRE_TRUNCATED},
		{"NS and more", RRTYPE_NS, BYTES(0, 0), WIRE_TRAILING},
		{"MX", RRTYPE_MX, BYTES(0, 10, 1, 'a', 0), WIRE_OK},
		{"MX without a name", RRTYPE_MX, BYTES(0, 10), WIRE_TRUNCATED},
		{"TXT", RRTYPE_TXT, BYTES(1, 'a', 0), WIRE_OK},
		{"TXT cut", RRTYPE_TXT, BYTES(1, 'a', 1), WIRE_TRUNCATED},
		{"HINFO", RRTYPE_HINFO, BYTES(0, 0), WIRE_OK},
		{"HINFO of one", RRTYPE_HINFO, BYTES(0), WIRE_TRUNCATED},
		{"HINFO of three", RRTYPE_HINFO, BYTES(0, 0, 0), WIRE_TRAILING},
		{"ISDN of one", RRTYPE_ISDN, BYTES(1, '1'), WIRE_OK},
		{"ISDN of two", RRTYPE_ISDN, BYTES(1, '1', 0), WIRE_OK},
		{"ISDN of three", RRTYPE_ISDN, BYTES(1, '1', 0, 0), WIRE_TRAILING},
		{"DS without digest", RRTYPE_DS, BYTES(0, 1, 8, 2), WIRE_TRUNCATED},
		{"DS", RRTYPE_DS, BYTES(0, 1, 8, 2, 9), WIRE_OK},
		{"KEY without key", RRTYPE_KEY, BYTES(0xc0, 0, 3, 8), WIRE_OK},
		{"KEY that lacks its key", RRTYPE_KEY, BYTES(0x80, 0, 3, 8), WIRE_TRUNCATED},
		{"NSEC", RRTYPE_NSEC, BYTES(0, 0, 1, 0x40), WIRE_OK},
		{"NSEC without types", RRTYPE_NSEC, BYTES(0), WIRE_OK},
		{"NSEC window twice", RRTYPE_NSEC, BYTES(0, 0, 1, 0x40, 0, 1, 0x20), WIRE_VALUE},
		{"NSEC windows fall", RRTYPE_NSEC, BYTES(0, 1, 1, 0x40, 0, 1, 0x20), WIRE_VALUE},
		{"NSEC empty window", RRTYPE_NSEC, BYTES(0, 0, 0), WIRE_VALUE},
		{"NSEC zero at the end", RRTYPE_NSEC, BYTES(0, 0, 2, 0x40, 0), WIRE_VALUE},
		{"NSEC window cut", RRTYPE_NSEC, BYTES(0, 0, 2, 0x40), WIRE_TRUNCATED},
		{"NSEC window head cut", RRTYPE_NSEC, BYTES(0, 0), WIRE_TRUNCATED},
		{"NSEC3", RRTYPE_NSEC3, BYTES(1, 0, 0, 0, 0, 1, 7), WIRE_OK},
		{"NSEC3 without hash", RRTYPE_NSEC3, BYTES(1, 0, 0, 0, 0, 0), WIRE_VALUE},
		{"NXT", RRTYPE_NXT, BYTES(0, 0x40), WIRE_OK},
		{"NXT bit 0", RRTYPE_NXT, BYTES(0, 0xc0), WIRE_VALUE},
		{"APL", RRTYPE_APL, BYTES(0, 1, 8, 1, 10), WIRE_OK},
		{"APL empty", RRTYPE_APL, (const uint8_t *)"", 0, WIRE_OK},
		{"APL prefix 33", RRTYPE_APL, BYTES(0, 1, 33, 1, 10), WIRE_VALUE},
		{"APL of 5 octets", RRTYPE_APL, BYTES(0, 1, 8, 5, 10, 1, 1, 1, 1), WIRE_VALUE},
		{"APL cut", RRTYPE_APL, BYTES(0, 1, 8, 0x82, 10), WIRE_TRUNCATED},
		{"LOC of another version", RRTYPE_LOC, BYTES(1), WIRE_OK},
		{"LOC cut", RRTYPE_LOC, BYTES(0, 0, 0), WIRE_TRUNCATED},
		{"LOC size", RRTYPE_LOC,
			BYTES(0, 0xa0, 0, 0, 0x80, 0, 0, 0, 0x80, 0, 0, 0, 0, 0, 0, 0), WIRE_VALUE},
		{"IPSECKEY none", RRTYPE_IPSECKEY, BYTES(1, 0, 2), WIRE_OK},
		{"IPSECKEY v4", RRTYPE_IPSECKEY, BYTES(1, 1, 2, 1, 2, 3, 4), WIRE_OK},
		{"IPSECKEY v4 cut", RRTYPE_IPSECKEY, BYTES(1, 1, 2, 1, 2, 3), WIRE_TRUNCATED},
		{"IPSECKEY name", RRTYPE_IPSECKEY, BYTES(1, 3, 2, 0, 1), WIRE_OK},
		{"IPSECKEY kind 4", RRTYPE_IPSECKEY, BYTES(1, 4, 2), WIRE_VALUE},
		{"AMTRELAY", RRTYPE_AMTRELAY, BYTES(1, 0x83, 0), WIRE_OK},
		{"AMTRELAY kind 4", RRTYPE_AMTRELAY, BYTES(1, 4), WIRE_VALUE},
		{"AMTRELAY cut", RRTYPE_AMTRELAY, BYTES(1), WIRE_TRUNCATED},
		{"HIP", RRTYPE_HIP, BYTES(1, 2, 0, 1, 7, 8, 0), WIRE_OK},
		{"HIP without key", RRTYPE_HIP, BYTES(1, 2, 0, 0, 7), WIRE_VALUE},
		{"HIP cut", RRTYPE_HIP, BYTES(1, 2, 0, 2, 7, 8), WIRE_TRUNCATED},
		{"HIP bad server", RRTYPE_HIP, BYTES(1, 2, 0, 1, 7, 8, 1), WIRE_TRUNCATED},
		{"A6 whole", RRTYPE_A6, BYTES(128, 0), WIRE_OK},
		{"A6 prefix 129", RRTYPE_A6, BYTES(129, 0), WIRE_VALUE},
		{"A6 without name", RRTYPE_A6, BYTES(120, 1), WIRE_TRUNCATED},
		{"CAA", RRTYPE_CAA, BYTES(0, 1, 'a'), WIRE_OK},
		{"CAA empty tag", RRTYPE_CAA, BYTES(0, 0, 'a'), WIRE_VALUE},
		{"CAA tag", RRTYPE_CAA, BYTES(0, 1, '-'), WIRE_VALUE},
		{"SVCB", RRTYPE_SVCB, BYTES(0, 1, 0), WIRE_OK},
		{"SVCB port", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 3, 0, 2, 1, 1), WIRE_OK},
		{"SVCB port of 1", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 3, 0, 1, 1), WIRE_VALUE},
		{"SVCB key twice", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 9, 0, 0, 0, 9, 0, 0), WIRE_VALUE},
		{"SVCB cut", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 9, 0, 1), WIRE_TRUNCATED},
		{"SVCB head cut", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 9, 0), WIRE_TRUNCATED},
		{"SVCB empty alpn", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 1, 0, 0), WIRE_VALUE},
		{"SVCB empty id", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 1, 0, 1, 0), WIRE_VALUE},
		{"SVCB id cut", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 1, 0, 1, 1), WIRE_VALUE},
		{"SVCB mandatory", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 0, 0, 2, 0, 9, 0, 9, 0, 0),
			WIRE_OK},
		{"SVCB mandatory absent", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 0, 0, 2, 0, 8, 0, 9, 0, 0),
			WIRE_VALUE},
		{"SVCB mandatory itself", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 0, 0, 2, 0, 0),
			WIRE_VALUE},
		{"SVCB mandatory behind the end", RRTYPE_SVCB, BYTES(0, 1, 0, 0, 0, 0, 2, 0, 8),
			WIRE_VALUE},
		{"unknown type", 54321, BYTES(1, 2, 3), WIRE_OK},
		{"unknown type, empty", 54321, (const uint8_t *)"", 0, WIRE_OK},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		KIT_NOTE(cases[i].why);
		CHECK_U(check(cases[i].type, cases[i].octets, cases[i].len), cases[i].status);
	}
}

TEST(rdata_of_65535_octets_is_the_longest)
{
	static uint8_t octets[RDATA_LEN_MAX + 1];

	CHECK_U(check(RRTYPE_NULL, octets, RDATA_LEN_MAX), WIRE_OK);
	CHECK_U(check(RRTYPE_NULL, octets, RDATA_LEN_MAX + 1), WIRE_VALUE);
	CHECK_U(check(54321, octets, RDATA_LEN_MAX + 1), WIRE_VALUE);
}

TEST(random_rdata_of_every_type_is_well_formed)
{
	uint32_t refused = 0;

	for (uint32_t i = 0; i < rdata_kit_type_count; i++) {
		uint16_t type = rdata_kit_types[i];
		KIT_NOTE(rrtype_info(type)->mnemonic);
		for (uint32_t round = 0; round < 2000; round++) {
			uint8_t octets[RDATA_KIT_LEN_MAX];
			uint32_t len = rdata_kit_make(type, octets);

			CHECK_U(check(type, octets, len), WIRE_OK);
			if (len > 0) { /* cut or bent: no promise, but no octet read too far */
				refused += check(type, octets, kit_random(len)) != WIRE_OK;
				octets[kit_random(len)] = (uint8_t)kit_random(256);
				refused += check(type, octets, len) != WIRE_OK;
			}
		}
	}
	CHECK(refused > 50000);
}

/* A second opinion on the plain letters: it gives the length of the front field, 0 where it is bad. */
static uint32_t model_field(char letter, const uint8_t *octets, uint32_t len)
{
	uint32_t at = 0;

	switch (letter) {
	case 'B':
	case 'G':
		return len >= 1 ? 1 : 0;
	case 'W':
		return len >= 2 ? 2 : 0;
	case '4':
	case 'L':
	case 'D':
		return len >= 4 ? 4 : 0;
	case '6':
		return len >= 16 ? 16 : 0;
	case 's':
		return len >= 1 && octets[0] + 1u <= len ? octets[0] + 1u : 0;
	case 'x':
	case 'b':
		return len;
	default:
		break;
	}
	for (uint32_t total = 0; at < len && octets[at] < 64;) {
		total += octets[at] + 1u;
		if (octets[at] == 0) {
			return total <= 255 ? total : 0;
		}
		at += octets[at] + 1u;
	}
	return 0;
}

TEST(agrees_with_the_model_on_random_octets)
{
	static const uint16_t types[] = {RRTYPE_A, RRTYPE_NS, RRTYPE_SOA, RRTYPE_MX, RRTYPE_HINFO,
		RRTYPE_MINFO, RRTYPE_RP, RRTYPE_SRV, RRTYPE_NAPTR, RRTYPE_DS, RRTYPE_DNSKEY,
		RRTYPE_TLSA, RRTYPE_AAAA, RRTYPE_L32, RRTYPE_TALINK};
	uint32_t accepted = 0;
	uint32_t refused = 0;

	for (uint32_t round = 0; round < 300000; round++) {
		uint16_t type = types[kit_random(sizeof(types) / sizeof(types[0]))];
		uint8_t octets[300];
		uint32_t len = kit_random(kit_random(8) == 0 ? sizeof(octets) : 30);
		uint32_t bound = kit_random(20) == 0 ? 70 : 4;
		uint32_t at = 0;
		bool want = true;

		for (uint32_t i = 0; i < len; i++) {
			octets[i] = (uint8_t)kit_random(bound);
		}
		for (const char *letter = rrtype_info(type)->fields; *letter != '\0'; letter++) {
			uint32_t field = model_field(*letter, octets + at, len - at);
			want = want && field > 0;
			at += field;
		}
		want = want && at == len;
		CHECK_U(check(type, octets, len) == WIRE_OK, want);
		accepted += want;
		refused += !want;
	}
	CHECK(accepted > 20000 && refused > 20000);
}

TEST(names_are_found_with_their_manners)
{
	const struct {
		uint16_t type;
		const uint8_t *octets;
		size_t len;
		uint32_t count;
		struct rdata_name names[2];
	} cases[] = {
		{RRTYPE_A, BYTES(1, 2, 3, 4), 0, {{0}}},
		{RRTYPE_NS, BYTES(1, 'A', 0), 1, {{0, 3, true, true}}},
		{RRTYPE_MX, BYTES(0, 1, 1, 'A', 0), 1, {{2, 3, true, true}}},
		{RRTYPE_MINFO, BYTES(1, 'A', 0, 0), 2, {{0, 3, true, true}, {3, 1, true, true}}},
		{RRTYPE_RP, BYTES(0, 1, 'A', 0), 2, {{0, 1, false, true}, {1, 3, false, true}}},
		{RRTYPE_SRV, BYTES(0, 1, 0, 2, 0, 3, 0), 1, {{6, 1, false, true}}},
		{RRTYPE_NSEC, BYTES(1, 'A', 0, 0, 1, 2), 1, {{0, 3, false, false}}},
		{RRTYPE_SVCB, BYTES(0, 1, 1, 'A', 0), 1, {{2, 3, false, false}}},
		{RRTYPE_LP, BYTES(0, 1, 1, 'A', 0), 1, {{2, 3, false, false}}},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rdata_name names[RDATA_NAMES_MAX];

		KIT_NOTE(rrtype_info(cases[i].type)->mnemonic);
		CHECK_U(rdata_names(cases[i].type, cases[i].octets, (uint32_t)cases[i].len, names),
			cases[i].count);
		for (uint32_t k = 0; k < cases[i].count; k++) {
			CHECK_U(names[k].off, cases[i].names[k].off);
			CHECK_U(names[k].len, cases[i].names[k].len);
			CHECK_U(names[k].compressible, cases[i].names[k].compressible);
			CHECK_U(names[k].canonical_lower, cases[i].names[k].canonical_lower);
		}
	}
}

TEST(only_names_that_rfc_4034_lists_go_to_lower_case)
{
	uint8_t mx[] = {'A', 'B', 1, 'C', 0};
	uint8_t nsec[] = {1, 'C', 0, 0, 1, 'B'};
	uint8_t hinfo[] = {1, 'C', 1, 'D'};
	uint8_t a6[] = {120, 'A', 1, 'B', 0};
	uint8_t caa[] = {0, 1, 'I', 'V'};

	rdata_canonical(RRTYPE_MX, mx, sizeof(mx));
	CHECK_OCTETS(mx, sizeof(mx), "AB\1c", 5);
	rdata_canonical(RRTYPE_NSEC, nsec, sizeof(nsec));
	CHECK_OCTETS(nsec, sizeof(nsec), "\1C\0\0\1B", 6);
	rdata_canonical(RRTYPE_HINFO, hinfo, sizeof(hinfo));
	CHECK_OCTETS(hinfo, sizeof(hinfo), "\1C\1D", 4);
	rdata_canonical(RRTYPE_A6, a6, sizeof(a6));
	CHECK_OCTETS(a6, sizeof(a6), "xA\1b", 5);
	rdata_canonical(RRTYPE_CAA, caa, sizeof(caa));
	CHECK_OCTETS(caa, sizeof(caa), "\0\1IV", 4);
}

TEST(rdata_compares_as_left_justified_octets)
{
	CHECK(rdata_compare(BYTES(1, 2), BYTES(1, 2)) == 0);
	CHECK(rdata_compare(BYTES(1, 2), BYTES(1, 3)) < 0);
	CHECK(rdata_compare(BYTES(1), BYTES(1, 0)) < 0);
	CHECK(rdata_compare(BYTES(2), BYTES(1, 0)) > 0);
	CHECK(rdata_compare(BYTES(0x80), BYTES(0x7f)) > 0);
	CHECK(rdata_compare(NULL, 0, BYTES(0)) < 0);
	CHECK(rdata_compare(NULL, 0, NULL, 0) == 0);
}

static enum wire_status expand(const uint8_t *octets, size_t len, uint32_t off, uint16_t type,
	uint16_t rdlength, uint8_t *out, uint32_t cap, uint32_t *out_len)
{
	struct reader msg = {kit_guarded(octets, len), (uint32_t)len, off};
	enum wire_status status = rdata_expand(&msg, type, rdlength, out, cap, out_len);

	CHECK_U(msg.off, status == WIRE_OK ? off + rdlength : off);
	return status;
}

TEST(expanding_follows_pointers_where_they_may_be)
{
	const struct {
		const char *why;
		uint16_t type;
		const uint8_t *octets;
		size_t len;
		uint16_t rdlength;
		enum wire_status status;
		const uint8_t *want;
		size_t want_len;
	} cases[] = {
		/* The name `a.` stands at 0, the RDATA begins at 3. */
		{"NS", RRTYPE_NS, BYTES(1, 'a', 0, 0xc0, 0), 2, WIRE_OK, BYTES(1, 'a', 0)},
		{"MX", RRTYPE_MX, BYTES(1, 'a', 0, 0, 9, 1, 'b', 0xc0, 0), 6, WIRE_OK,
			BYTES(0, 9, 1, 'b', 1, 'a', 0)},
		{"SRV", RRTYPE_SRV, BYTES(1, 'a', 0, 0, 1, 0, 2, 0, 3, 0xc0, 0), 8, WIRE_OK,
			BYTES(0, 1, 0, 2, 0, 3, 1, 'a', 0)},
		{"LP is never compressed", RRTYPE_LP, BYTES(1, 'a', 0, 0, 1, 0xc0, 0), 4,
			WIRE_LABEL_TYPE, BYTES(0)},
		{"unknown types are copied", 54321, BYTES(1, 'a', 0, 0xc0, 0), 2, WIRE_OK,
			BYTES(0xc0, 0)},
		{"runs on", RRTYPE_NS, BYTES(1, 'a', 0, 1, 'b', 0), 2, WIRE_TRUNCATED, BYTES(0)},
		{"octets left", RRTYPE_NS, BYTES(1, 'a', 0, 0, 0), 2, WIRE_TRAILING, BYTES(0)},
		{"longer than the message", RRTYPE_NS, BYTES(1, 'a', 0, 0), 2, WIRE_TRUNCATED,
			BYTES(0)},
		{"forward pointer", RRTYPE_NS, BYTES(1, 'a', 0, 0xc0, 3), 2, WIRE_POINTER,
			BYTES(0)},
		{"A cut", RRTYPE_A, BYTES(1, 'a', 0, 1, 2, 3, 4), 3, WIRE_TRUNCATED, BYTES(0)},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint8_t out[64];
		uint32_t out_len = 0;

		KIT_NOTE(cases[i].why);
		CHECK_U(expand(cases[i].octets, cases[i].len, 3, cases[i].type, cases[i].rdlength,
				out, sizeof(out), &out_len),
			cases[i].status);
		if (cases[i].status == WIRE_OK) {
			CHECK_OCTETS(out, out_len, cases[i].want, cases[i].want_len);
			CHECK_U(expand(cases[i].octets, cases[i].len, 3, cases[i].type,
					cases[i].rdlength, out, out_len - 1, &out_len),
				WIRE_SPACE);
		}
	}
}

TEST(expanding_uncompressed_rdata_is_a_copy)
{
	for (uint32_t round = 0; round < 20000; round++) {
		uint16_t type = rdata_kit_types[kit_random(rdata_kit_type_count)];
		uint8_t octets[RDATA_KIT_LEN_MAX], out[RDATA_KIT_LEN_MAX];
		uint32_t len = rdata_kit_make(type, octets);
		uint32_t out_len;

		KIT_NOTE(rrtype_info(type)->mnemonic);
		CHECK_U(expand(octets, len, 0, type, (uint16_t)len, out, sizeof(out), &out_len),
			WIRE_OK);
		CHECK_OCTETS(out, out_len, octets, len);
	}
}
