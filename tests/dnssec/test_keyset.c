/* test_keyset.c - signatures: the examples of the RFCs, zones that others signed, and what must not hold.
 *
 * The zones in tests/dnssec/zones have every kind of name and type whose canonical form differs from what is written; each
 * record and signature of them is changed in every way that is small, and must not hold any more.
 */
#include "dnssec/keyset.h"

#include <stdlib.h>
#include <string.h>

#include "crypto/signature.h"
#include "dnssec/memo.h"
#include "dnssec/sets_kit.h"
#include "kit/kit.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"

#define PLENTY     1000000u
#define INCEPTION  1767225600 /* of the zones: 2026-01-01 */
#define EXPIRATION 2082758400 /* ditto: 2036-01-01 */
#define MIDDLE     (INCEPTION / 2 + EXPIRATION / 2)
#define CHANGES    40u /* random ones of each set */

static const struct keyset_policy all = {.sha1 = true};
static struct dnssec_budget budget;

static void fill_budget(void)
{
	budget = (struct dnssec_budget){.checks = PLENTY, .failures = PLENTY, .hashes = PLENTY};
}

/* Twice: out of nothing, and with all that was found before at hand. */
static enum dnssec_status check(const struct rrset *set, const struct rrset *keys, int64_t wall_s,
	struct keyset_result *out)
{
	static const uint8_t secret[32] = {1};
	static struct keyset_policy kept = {.sha1 = true};
	struct keyset_result again;

	if (kept.memo == NULL) {
		kept.memo = memo_new(secret);
		kept.ready = signature_keys_new();
		CHECK(kept.memo != NULL && kept.ready != NULL);
	}
	fill_budget();
	enum dnssec_status status = keyset_check_set(set, keys, &all, wall_s, &budget, out);
	CHECK_U(keyset_check_set(set, keys, &kept, wall_s, &budget, &again), status);
	CHECK_U(again.ede, (uint64_t)out->ede);
	if (status == DNSSEC_SECURE) {
		CHECK_U(again.ttl_max, out->ttl_max);
		CHECK_U(again.expanded, out->expanded);
		CHECK_U(again.closest_labels, out->closest_labels);
	}
	return status;
}

/* ---- examples ---- */

static const struct {
	const char *why;
	const char *owner;
	uint16_t type;
	int64_t wall_s;
	uint16_t tag;
	const char *zone, *text;
} examples[] = {
	{"RFC 8080 sec 6.1, first", "example.com.", RRTYPE_MX, 1439000000, 3613, "example.com.",
		"example.com. 3600 IN DNSKEY 257 3 15 "
		"l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=\n"
		"example.com. 3600 IN DS 3613 15 2 "
		"3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b\n"
		"example.com. 3600 IN MX 10 mail.example.com.\n"
		"example.com. 3600 IN RRSIG MX 15 2 3600 1440021600 1438207200 3613 example.com. "
		"oL9krJun7xfBOIWcGHi7mag5/"
		"hdZrKWw15jPGrHpjQeRAvTdszaPD+QLs3fx8A4M3e23mRZ9VrbpMngwcrqNAg==\n"},
	{"RFC 8080 sec 6.1, second", "example.com.", RRTYPE_MX, 1439000000, 35217, "example.com.",
		"example.com. 3600 IN DNSKEY 257 3 15 "
		"zPnZ/QwEe7S8C5SPz2OfS5RR40ATk2/rYnE9xHIEijs=\n"
		"example.com. 3600 IN DS 35217 15 2 "
		"401781b934e392de492ec77ae2e15d70f6575a1c0bc59c5275c04ebe80c6614c\n"
		"example.com. 3600 IN MX 10 mail.example.com.\n"
		"example.com. 3600 IN RRSIG MX 15 2 3600 1440021600 1438207200 35217 example.com. "
		"zXQ0bkYgQTEFyfLyi9QoiY6D8ZdYo4wyUhVioYZXFdT410QPRITQSqJSnzQoSm5poJ7gD7AQR0O7KuI5k2"
		"pcBg==\n"},
	{"RFC 8080 sec 6.2", "example.com.", RRTYPE_MX, 1439000000, 9713, "example.com.",
		"example.com. 3600 IN DNSKEY 257 3 16 "
		"3kgROaDjrh0H2iuixWBrc8g2EpBBLCdGzHmn+G2MpTPhpj/OiBVHHSfPodx1FYYUcJKm1MDpJtIA\n"
		"example.com. 3600 IN DS 9713 16 2 "
		"6ccf18d5bc5d7fc2fceb1d59d17321402f2aa8d368048db93dd811f5cb2b19c7\n"
		"example.com. 3600 IN MX 10 mail.example.com.\n"
		"example.com. 3600 IN RRSIG MX 16 2 3600 1440021600 1438207200 9713 example.com. "
		"3cPAHkmlnxcDHMyg7vFC34l0blBhuG1qpwLmjInI8w1CMB29FkEAIJUA0amxWndkmnBZ6SKiwZSAxGILn/"
		"NBtOXf"
		"t0+Gj7FSvOKxE/07+4RQvE581N3Aj/JtIyaiYVdnYtyMWbSNyGEY2213WKsJlwEA\n"},
	{"RFC 6605 sec 6.1", "www.example.net.", RRTYPE_A, 1283000000, 55648, "example.net.",
		"example.net. 3600 IN DNSKEY 257 3 13 "
		"GojIhhXUN/"
		"u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==\n"
		"example.net. 3600 IN DS 55648 13 2 "
		"b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17\n"
		"www.example.net. 3600 IN A 192.0.2.1\n"
		"www.example.net. 3600 IN RRSIG A 13 3 3600 20100909100439 20100812100439 55648 "
		"example.net. "
		"qx6wLYqmh+l9oCKTN6qIc+bw6ya+KJ8oMz0YP107epXAyGmt+"
		"3SNruPFKG7tZoLBLlUzGGus7ZwmwWep666VCw==\n"},
	{"RFC 6605 sec 6.2", "www.example.net.", RRTYPE_A, 1283000000, 10771, "example.net.",
		"example.net. 3600 IN DNSKEY 257 3 14 "
		"xKYaNhWdGOfJ+nPrL8/arkwf2EY3MDJ+SErKivBVSum1w/"
		"egsXvSADtNJhyem5RCOpgQ6K8X1DRSEkrbYQ+OB+v8"
		"/uX45NBwY8rp65F6Glur8I/mlVNgF6W/qTI37m40\n"
		"example.net. 3600 IN DS 10771 14 4 "
		"72d7b62976ce06438e9c0bf319013cf801f09ecc84b8d7e9495f27e305c6a9b0563a9b5f4d288405c3"
		"008a946df983d6\n"
		"www.example.net. 3600 IN A 192.0.2.1\n"
		"www.example.net. 3600 IN RRSIG A 14 3 3600 20100909102025 20100812102025 10771 "
		"example.net. "
		"/L5hDKIvGDyI1fcARX3z65qrmPsVz73QD1Mr5CEqOiLP95hxQouuroGCeZOvzFaxsT8Glr74hbavRKayJN"
		"uydCuz"
		"WTSSPdz7wnqXL5bdcJzusdnI0RSMROxxwGipWcJm\n"},
	{"RFC 5702 sec 6.1", "www.example.net.", RRTYPE_A, 1600000000, 9033, "example.net.",
		"example.net. 3600 IN DNSKEY 256 3 8 "
		"AwEAAcFcGsaxxdgiuuGmCkVImy4h99CqT7jwY3pexPGcnUFtR2Fh36BponcwtkZ4cAgtvd4Qs8PkxUdp6p"
		"/DlUmObdk=\n"
		"www.example.net. 3600 IN A 192.0.2.91\n"
		"www.example.net. 3600 IN RRSIG A 8 3 3600 20300101000000 20000101000000 9033 "
		"example.net. "
		"kRCOH6u7l0QGy9qpC9l1sLncJcOKFLJ7GhiUOibu4teYp5VE9RncriShZNz85mwlMgNEacFYK/"
		"lPtPiVYP4bwg==\n"},
	{"RFC 5702 sec 6.2", "www.example.net.", RRTYPE_A, 1600000000, 3740, "example.net.",
		"example.net. 3600 IN DNSKEY 256 3 10 "
		"AwEAAdHoNTOW+et86KuJOWRDp1pndvwb6Y83nSVXXyLA3DLroROUkN6X0O6pnWnjJQujX/"
		"AyhqFDxj13tOnD9u/1"
		"kTg7cV6rklMrZDtJCQ5PCl/"
		"D7QNPsgVsMu1J2Q8gpMpztNFLpPBz1bWXjDtaR7ZQBlZ3PFY12ZTSncorffcGmhOL\n"
		"www.example.net. 3600 IN A 192.0.2.91\n"
		"www.example.net. 3600 IN RRSIG A 10 3 3600 20300101000000 20000101000000 3740 "
		"example.net. "
		"tsb4wnjRUDnB1BUi+t6TMTXThjVnG+"
		"eCkWqjvvjhzQL1d0YRoOe0CbxrVDYd0xDtsuJRaeUw1ep94PzEWzr0iGYg"
		"ZBWm/"
		"zpq+9fOuagYJRfDqfReKBzMweOLDiNa8iP5g9vMhpuv6OPlvpXwm9Sa9ZXIbNl1MBGk0fthPgxdDLw="
		"\n"},
};

TEST(examples_of_the_rfcs_hold)
{
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		struct sets_kit sets;
		struct keyset_result result;

		KIT_NOTE(examples[i].why);
		sets_kit_read(examples[i].text, strlen(examples[i].text), &sets);
		const struct rrset *keys = sets_kit_get(&sets, examples[i].zone, RRTYPE_DNSKEY);
		struct rrset_rdata key = rrset_first(keys);
		CHECK_U(keyset_tag(&key), examples[i].tag);
		const struct rrset *set = sets_kit_get(&sets, examples[i].owner, examples[i].type);
		CHECK_U(check(set, keys, examples[i].wall_s, &result), DNSSEC_SECURE);
		CHECK_U(result.ede, (uint64_t)EDE_NONE);
		CHECK(!result.expanded);
		sets_kit_fini(&sets);
	}
}

/* ---- zones ---- */

static const char *const zones[] = {"zones/rsasha1.zone", "zones/rsasha256.zone",
	"zones/rsasha512.zone", "zones/ecdsap256sha256.zone", "zones/ecdsap384sha384.zone",
	"zones/ed25519.zone", "zones/ed448.zone", "zones/ldns.zone"};
#define ZONES (sizeof(zones) / sizeof(zones[0]))

TEST(zones_that_others_signed_hold)
{
	for (size_t z = 0; z < ZONES; z++) {
		struct sets_kit sets;
		struct keyset_result result;
		uint32_t held = 0;

		KIT_NOTE(zones[z]);
		sets_kit_read_file(zones[z], &sets);
		const struct rrset *keys = sets_kit_get(&sets, "example.net.", RRTYPE_DNSKEY);
		const struct rrset *ds = sets_kit_get(&sets, "example.net.", RRTYPE_DS);
		fill_budget();
		CHECK_U(keyset_check_keys(keys, ds, &all, MIDDLE, &budget, &result), DNSSEC_SECURE);
		for (uint32_t i = 0; i < sets.count; i++) {
			const struct rrset *set = sets.sets[i];
			if (set->sig_count == 0) {
				continue;
			}
			CHECK_U(check(set, keys, MIDDLE, &result), DNSSEC_SECURE);
			CHECK(!result.expanded);
			CHECK_U(result.ttl_max, set->ttl);
			held++;
		}
		CHECK(held > 35);
		sets_kit_fini(&sets);
	}
}

/* Where a change counts: not in the letters of names that the canonical form makes small. */
static bool may_change(const struct rrset *set, uint32_t at, uint8_t bit)
{
	uint8_t before = ((const uint8_t *)set)[at];
	uint8_t letter = before | 0x20;

	return bit != 0x20 || letter < 'a' || letter > 'z';
}

/* The offset of octet n of the records' or signatures' RDATA, lengths left out; 0: there is none. */
static uint32_t place_of(const struct rrset *set, uint32_t n, bool sigs)
{
	struct rrset_walk walk = sigs ? rrset_sigs(set) : rrset_records(set);
	struct rrset_rdata rdata;

	while (rrset_next(&walk, &rdata)) {
		if (n < rdata.len) {
			return (uint32_t)(rdata.octets + n - (const uint8_t *)set);
		}
		n -= rdata.len;
	}
	return 0;
}

static uint32_t rdata_len(const struct rrset *set, bool sigs)
{
	struct rrset_walk walk = sigs ? rrset_sigs(set) : rrset_records(set);
	struct rrset_rdata rdata;
	uint32_t len = 0;

	while (rrset_next(&walk, &rdata)) {
		len += rdata.len;
	}
	return len;
}

/* Messages are read so that no other RDATA comes in. */
static bool is_well_formed(const struct rrset *set)
{
	struct rrset_walk walk = rrset_records(set);
	struct rrset_rdata rdata;
	bool good = true;

	while (rrset_next(&walk, &rdata)) {
		good &= rdata_check(set->type, rdata.octets, rdata.len) == WIRE_OK;
	}
	return good;
}

TEST(a_bit_that_changes_breaks_a_signature)
{
	uint32_t broken = 0;

	for (size_t z = 0; z < ZONES; z++) {
		struct sets_kit sets;
		struct keyset_result result;

		KIT_NOTE(zones[z]);
		sets_kit_read_file(zones[z], &sets);
		const struct rrset *keys = sets_kit_get(&sets, "example.net.", RRTYPE_DNSKEY);
		for (uint32_t i = 0; i < sets.count * CHANGES; i++) {
			struct rrset *set = sets.sets[i % sets.count];
			/* Of several signatures one is enough, and keys check themselves. */
			if (set->sig_count != 1 || set == keys) {
				continue;
			}
			bool sigs = kit_random(3) == 0;
			uint32_t at = place_of(set, kit_random(rdata_len(set, sigs)), sigs);
			uint8_t bit = (uint8_t)(1u << kit_random(8));
			if (at == 0 || !may_change(set, at, bit)) {
				continue;
			}
			((uint8_t *)set)[at] ^= bit;
			if (is_well_formed(set)) {
				CHECK_U(check(set, keys, MIDDLE, &result), DNSSEC_BOGUS);
				broken++;
			}
			((uint8_t *)set)[at] ^= bit;
		}
		sets_kit_fini(&sets);
	}
	CHECK(broken > 5000);
}

TEST(time_counts_in_seconds_and_modulo_2_to_32)
{
	static const struct {
		int64_t wall_s;
		enum dnssec_status status;
		enum dnssec_ede ede;
	} times[] = {{INCEPTION - 1, DNSSEC_BOGUS, EDE_SIGNATURE_NOT_YET_VALID},
		{INCEPTION, DNSSEC_SECURE, EDE_NONE}, {EXPIRATION, DNSSEC_SECURE, EDE_NONE},
		{EXPIRATION + 1, DNSSEC_BOGUS, EDE_SIGNATURE_EXPIRED},
		{MIDDLE + (INT64_C(1) << 32), DNSSEC_SECURE, EDE_NONE}};
	struct sets_kit sets;

	sets_kit_read_file("zones/ed25519.zone", &sets);
	const struct rrset *keys = sets_kit_get(&sets, "example.net.", RRTYPE_DNSKEY);
	const struct rrset *set = sets_kit_get(&sets, "mail.example.net.", RRTYPE_A);
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		struct keyset_result result;
		CHECK_U(check(set, keys, times[i].wall_s, &result), times[i].status);
		CHECK_U(result.ede, (uint64_t)times[i].ede);
	}
	/* What is kept ends with the signature. */
	struct keyset_result result;
	CHECK_U(check(set, keys, EXPIRATION - 10, &result), DNSSEC_SECURE);
	CHECK_U(result.ttl_max, 10);
	sets_kit_fini(&sets);
}

/* The same set under another owner. */
static const struct rrset *rename_set(
	struct sets_kit *sets, const struct rrset *set, const char *owner)
{
	struct rrset_rdata records[16], sigs[16];
	struct rrset_walk walk = rrset_records(set);
	struct name name = sets_kit_name(owner);
	uint32_t count = 0, sig_count = 0;

	while (rrset_next(&walk, &records[count])) {
		count++;
	}
	walk = rrset_sigs(set);
	while (rrset_next(&walk, &sigs[sig_count])) {
		sig_count++;
	}
	return rrset_make(
		&sets->arena, &name, set->type, set->ttl, records, count, sigs, sig_count);
}

TEST(a_wildcard_stands_for_names_below_its_encloser_alone)
{
	static const struct {
		const char *owner;
		bool holds;
	} cases[] = {{"x.wild.example.net.", true}, {"a.B.c.wild.example.net.", true},
		{"wild.example.net.", false}, {"x.other.example.net.", false},
		{"example.net.", false}, {"x.wild.example.org.", false}};

	for (size_t z = 0; z < ZONES; z++) {
		struct sets_kit sets;
		sets_kit_read_file(zones[z], &sets);
		const struct rrset *keys = sets_kit_get(&sets, "example.net.", RRTYPE_DNSKEY);
		const struct rrset *star = sets_kit_get(&sets, "*.wild.example.net.", RRTYPE_MX);
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			struct keyset_result result;
			const struct rrset *set = rename_set(&sets, star, cases[i].owner);
			KIT_NOTE(cases[i].owner);
			CHECK_U(check(set, keys, MIDDLE, &result),
				cases[i].holds ? DNSSEC_SECURE : DNSSEC_BOGUS);
			if (cases[i].holds) {
				CHECK(result.expanded);
				CHECK_U(result.closest_labels, 3);
			}
		}
		sets_kit_fini(&sets);
	}
}

TEST(keys_of_another_zone_do_not_sign)
{
	struct sets_kit sets;
	struct keyset_result result;

	sets_kit_read_file("zones/ed25519.zone", &sets);
	const struct rrset *keys = sets_kit_get(&sets, "example.net.", RRTYPE_DNSKEY);
	const struct rrset *set = sets_kit_get(&sets, "mail.example.net.", RRTYPE_A);
	static const char *const others[] = {"net.", ".", "mail.example.net.", "example.org."};
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		CHECK_U(check(set, rename_set(&sets, keys, others[i]), MIDDLE, &result),
			DNSSEC_BOGUS);
	}
	/* A DS of the apex is the parent's: the zone's own signature does not count. */
	const struct rrset *ds = sets_kit_get(&sets, "secure.example.net.", RRTYPE_DS);
	CHECK_U(check(ds, keys, MIDDLE, &result), DNSSEC_SECURE);
	CHECK_U(check(rename_set(&sets, ds, "example.net."), keys, MIDDLE, &result), DNSSEC_BOGUS);
	sets_kit_fini(&sets);
}

TEST(nothing_is_checked_without_a_budget)
{
	struct sets_kit sets;
	struct keyset_result result;

	sets_kit_read_file("zones/ed25519.zone", &sets);
	const struct rrset *keys = sets_kit_get(&sets, "example.net.", RRTYPE_DNSKEY);
	const struct rrset *set = sets_kit_get(&sets, "mail.example.net.", RRTYPE_A);
	budget = (struct dnssec_budget){.checks = 0, .failures = PLENTY};
	CHECK_U(keyset_check_set(set, keys, &all, MIDDLE, &budget, &result), DNSSEC_BOGUS);
	budget = (struct dnssec_budget){.checks = PLENTY, .failures = 0};
	CHECK_U(keyset_check_set(set, keys, &all, MIDDLE, &budget, &result), DNSSEC_BOGUS);
	budget = (struct dnssec_budget){.checks = 1, .failures = 1};
	CHECK_U(keyset_check_set(set, keys, &all, MIDDLE, &budget, &result), DNSSEC_SECURE);
	CHECK_U(budget.checks, 0);
	CHECK_U(budget.failures, 1);
	sets_kit_fini(&sets);
}

/* ---- DS ---- */

static enum dnssec_status check_keys(
	const char *ds_text, const struct rrset *keys, bool sha1, struct keyset_result *result)
{
	const struct keyset_policy policy = {.sha1 = sha1};
	struct sets_kit sets;

	KIT_NOTE(ds_text);
	sets_kit_read(ds_text, strlen(ds_text), &sets);
	fill_budget();
	enum dnssec_status status = keyset_check_keys(keys,
		sets_kit_get(&sets, "example.com.", RRTYPE_DS), &policy, MIDDLE, &budget, result);
	sets_kit_fini(&sets);
	return status;
}

#define DS_SHA256                                                                                  \
	"example.com. DS 3613 15 2 "                                                               \
	"3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b\n"
#define DS_WRONG                                                                                   \
	"example.com. DS 3613 15 2 "                                                               \
	"3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304c\n"

TEST(ds_records_decide_whether_a_zone_has_to_be_signed)
{
	/* The keys are not signed: secure is not to be had, and the rest can be told apart. */
	const char *text = "example.com. 3600 IN DNSKEY 257 3 15 "
			   "l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=\n";
	static const struct {
		const char *ds;
		bool sha1;
		enum dnssec_status status;
		enum dnssec_ede ede;
	} cases[] = {
		{DS_SHA256, true, DNSSEC_BOGUS, EDE_RRSIGS_MISSING},
		{DS_WRONG, true, DNSSEC_BOGUS, EDE_DNSKEY_MISSING},
		{"example.com. DS 3614 15 2 "
		 "3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b\n",
			true, DNSSEC_BOGUS, EDE_DNSKEY_MISSING},
		{"example.com. DS 3613 15 7 3aa5ab37\n", true, DNSSEC_INSECURE,
			EDE_UNSUPPORTED_DS_DIGEST},
		{"example.com. DS 3613 200 2 "
		 "3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b\n",
			true, DNSSEC_INSECURE, EDE_UNSUPPORTED_DNSKEY_ALGORITHM},
		{"example.com. DS 3613 15 1 3aa5ab37efce57f737fc1627013fee07bdf241bd\n", false,
			DNSSEC_INSECURE, EDE_UNSUPPORTED_DS_DIGEST},
		{"example.com. DS 3613 15 1 3aa5ab37efce57f737fc1627013fee07bdf241bd\n", true,
			DNSSEC_BOGUS, EDE_DNSKEY_MISSING},
		{"example.com. DS 3613 5 2 "
		 "3aa5ab37efce57f737fc1627013fee07bdf241bd10f3b1964ab55c78e79a304b\n",
			false, DNSSEC_INSECURE, EDE_UNSUPPORTED_DNSKEY_ALGORITHM},
	};
	struct sets_kit sets;

	sets_kit_read(text, strlen(text), &sets);
	const struct rrset *keys = sets_kit_get(&sets, "example.com.", RRTYPE_DNSKEY);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct keyset_result result;
		CHECK_U(check_keys(cases[i].ds, keys, cases[i].sha1, &result), cases[i].status);
		CHECK_U(result.ede, (uint64_t)cases[i].ede);
	}
	sets_kit_fini(&sets);
}

TEST(ds_of_our_own_is_the_one_of_the_parent)
{
	for (size_t z = 0; z < ZONES; z++) {
		struct sets_kit sets;
		uint8_t ds[KEYSET_DS_LEN];
		bool found = false;

		KIT_NOTE(zones[z]);
		sets_kit_read_file(zones[z], &sets);
		const struct rrset *keys = sets_kit_get(&sets, "example.net.", RRTYPE_DNSKEY);
		struct rrset_rdata want =
			rrset_first(sets_kit_get(&sets, "example.net.", RRTYPE_DS));
		struct rrset_walk walk = rrset_records(keys);
		struct rrset_rdata key;
		struct name zone = sets_kit_name("Example.NET.");
		while (rrset_next(&walk, &key)) {
			CHECK(keyset_make_ds(&zone, &key, ds));
			found |= want.len == sizeof(ds) && memcmp(ds, want.octets, sizeof(ds)) == 0;
		}
		CHECK(found);
		sets_kit_fini(&sets);
	}
}

/* ---- keys that are none ---- */

TEST(keys_that_are_revoked_or_no_zone_keys_do_not_count)
{
	struct sets_kit sets;
	struct keyset_result result;

	sets_kit_read_file("zones/ldns.zone", &sets);
	struct rrset *keys = sets_kit_get(&sets, "example.net.", RRTYPE_DNSKEY);
	const struct rrset *set = sets_kit_get(&sets, "mail.example.net.", RRTYPE_A);
	CHECK_U(keys->count, 1);
	uint32_t at = place_of(keys, 0, false);
	uint8_t *octets = (uint8_t *)keys + at;
	static const struct {
		uint8_t flags[2], protocol, algorithm;
	} wrong[] = {{{0, 1}, 3, 13}, {{1, 0x81}, 3, 13}, {{1, 1}, 2, 13}, {{1, 1}, 3, 14}};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		uint8_t before[4];
		memcpy(before, octets, 4);
		memcpy(octets, &wrong[i], 4);
		CHECK_U(check(set, keys, MIDDLE, &result), DNSSEC_BOGUS);
		CHECK_U(result.ede, EDE_DNSKEY_MISSING);
		memcpy(octets, before, 4);
	}
	CHECK_U(check(set, keys, MIDDLE, &result), DNSSEC_SECURE);
	sets_kit_fini(&sets);
}

TEST(the_signer_is_an_ancestor)
{
	struct sets_kit sets;
	struct name signer, want = sets_kit_name("example.net.");

	sets_kit_read_file("zones/ed25519.zone", &sets);
	const struct rrset *set = sets_kit_get(&sets, "mail.example.net.", RRTYPE_A);
	CHECK(keyset_signer(set, &all, &signer));
	CHECK(name_equal(&signer, &want));
	CHECK(!keyset_signer(rename_set(&sets, set, "mail.example.org."), &all, &signer));
	CHECK(!keyset_signer(rename_set(&sets, set, "net."), &all, &signer));
	CHECK(!keyset_signer(sets_kit_get(&sets, "ns.sub.example.net.", RRTYPE_A), &all, &signer));
	sets_kit_fini(&sets);
}
