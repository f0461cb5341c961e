/* dns64.c - addresses in addresses. */
#include "resolve/dns64.h"

#include <stdio.h>
#include <string.h>

#include "dnssec/dnssec.h"
#include "resolve/search.h"
#include "wire/rrset.h"
#include "wire/rrtype.h"

#define V4_LEN       4u
#define V6_LEN       16u
#define U_OCTET      8u  /* bits 64 to 71 stay zero, RFC 6052 sec 2.2 */
#define RECORDS_MAX  64u /* of one set; more addresses serve nobody */
#define NIBBLES      32u
#define REVERSE_TEXT 64u /* octets of `255.255.255.255.in-addr.arpa.` and then some */

/* 64:ff9b::/96 must not stand for addresses that only have a meaning inside (RFC 6052 sec 3.1). */
static const uint8_t well_known[V6_LEN] = {0x00, 0x64, 0xff, 0x9b};
#define WELL_KNOWN_LEN 96u

static const struct {
	uint8_t octets[2];
	uint8_t mask[2];
} not_global[] = {
	{{0, 0}, {0xff, 0}}, {{10, 0}, {0xff, 0}}, {{127, 0}, {0xff, 0}},
	{{169, 254}, {0xff, 0xff}}, {{172, 16}, {0xff, 0xf0}}, {{192, 168}, {0xff, 0xff}},
	{{224, 0}, {0xe0, 0}}, /* multicast and what is reserved */
};

bool dns64_is_prefix(const uint8_t octets[16], uint32_t len)
{
	bool known = len == 32 || len == 40 || len == 48 || len == 56 || len == 64 || len == 96;

	return known && octets[U_OCTET] == 0;
}

/* Where the i-th octet of the IPv4 address stands. */
static uint32_t place_of(const struct dns64 *dns64, uint32_t i)
{
	uint32_t first = dns64->len / 8u;
	bool behind = first <= U_OCTET && first + i >= U_OCTET;

	return first + i + (behind ? 1u : 0u);
}

void dns64_embed(const struct dns64 *dns64, const uint8_t v4[4], uint8_t out[16])
{
	memset(out, 0, V6_LEN);
	memcpy(out, dns64->octets, dns64->len / 8u);
	for (uint32_t i = 0; i < V4_LEN; i++) {
		out[place_of(dns64, i)] = v4[i];
	}
}

static bool is_mapped(const struct rrset_rdata *rdata)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};

	return rdata->len == V6_LEN && memcmp(rdata->octets, mapped, sizeof(mapped)) == 0;
}

bool dns64_lacks(const struct search_result *aaaa)
{
	struct rrset_rdata rdata;

	if (aaaa->status == DNSSEC_BOGUS) {
		return false;
	}
	if (aaaa->end == SEARCH_FAILED) {
		return aaaa->ede == EDE_NO_REACHABLE_AUTHORITY || aaaa->ede == EDE_NETWORK_ERROR;
	}
	if (aaaa->end != SEARCH_SET || aaaa->answer_count == 0) {
		return aaaa->end == SEARCH_NODATA;
	}
	struct rrset_walk walk = rrset_records(aaaa->sets[0]);
	while (rrset_next(&walk, &rdata)) {
		if (!is_mapped(&rdata)) {
			return false;
		}
	}
	return true;
}

static bool may_embed(const struct dns64 *dns64, const struct rrset_rdata *rdata)
{
	if (rdata->len != V4_LEN) {
		return false;
	}
	if (dns64->len != WELL_KNOWN_LEN || memcmp(dns64->octets, well_known, V6_LEN) != 0) {
		return true;
	}
	for (uint32_t i = 0; i < sizeof(not_global) / sizeof(not_global[0]); i++) {
		if ((rdata->octets[0] & not_global[i].mask[0]) == not_global[i].octets[0] &&
			(rdata->octets[1] & not_global[i].mask[1]) == not_global[i].octets[1]) {
			return false;
		}
	}
	return true;
}

bool dns64_make(const struct dns64 *dns64, const struct search_result *aaaa,
	const struct search_result *a, struct arena *arena, struct search_result *out)
{
	uint8_t addresses[RECORDS_MAX][V6_LEN];
	struct rrset_rdata records[RECORDS_MAX], rdata;
	struct name owner;
	uint32_t count = 0;

	if (a->end != SEARCH_SET || a->answer_count == 0 || a->status == DNSSEC_BOGUS) {
		return false;
	}
	struct rrset_walk walk = rrset_records(a->sets[0]);
	while (count < RECORDS_MAX && rrset_next(&walk, &rdata)) {
		if (may_embed(dns64, &rdata)) {
			dns64_embed(dns64, rdata.octets, addresses[count]);
			records[count] =
				(struct rrset_rdata){.octets = addresses[count], .len = V6_LEN};
			count++;
		}
	}
	/* RFC 6147 sec 5.1.7: no longer than the denial that the client does not see. */
	bool denied = aaaa->end == SEARCH_NODATA && aaaa->set_count > 0;
	uint32_t ttl_s = denied ? aaaa->ttl_s : DNS64_TTL;
	ttl_s = a->ttls[0] < ttl_s ? a->ttls[0] : ttl_s;
	rrset_owner(a->sets[0], &owner);
	const struct rrset *set =
		count == 0 ? NULL
			   : rrset_make(arena, &owner, RRTYPE_AAAA, ttl_s, records, count, NULL, 0);
	if (set == NULL) {
		return false;
	}
	bool secure = a->status == DNSSEC_SECURE && aaaa->status == DNSSEC_SECURE && denied;
	*out = (struct search_result){.end = SEARCH_SET,
		.status = secure ? DNSSEC_SECURE : DNSSEC_INSECURE,
		.ede = a->ede,
		.stale = a->stale,
		.ttl_s = ttl_s,
		.hits = a->hits < aaaa->hits ? a->hits : aaaa->hits,
		.answer_count = 1,
		.set_count = 1,
		.sets = {set},
		.ttls = {ttl_s}};
	return true;
}

static int nibble_of(uint8_t c)
{
	if (c >= '0' && c <= '9') {
		return c - '0';
	}
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The address that a whole name below ip6.arpa stands for. */
static bool read_reverse(const struct name *name, uint8_t out[V6_LEN])
{
	static const uint8_t tail[] = "\3ip6\4arpa";
	uint8_t end[sizeof(tail)];

	if (name->label_count != NIBBLES + 2 || name->len != 2 * NIBBLES + sizeof(tail)) {
		return false;
	}
	name_octets_lower(end, name->octets + 2 * NIBBLES, sizeof(tail));
	if (memcmp(end, tail, sizeof(tail)) != 0) {
		return false;
	}
	memset(out, 0, V6_LEN);
	for (uint32_t i = 0; i < NIBBLES; i++) {
		int nibble = nibble_of(name->octets[2 * i + 1]);
		if (name->octets[2 * i] != 1 || nibble < 0) {
			return false;
		}
		out[V6_LEN - 1 - i / 2] |= (uint8_t)(i % 2 == 0 ? nibble : nibble << 4);
	}
	return true;
}

bool dns64_reverse(const struct dns64 *dns64, const struct name *name, struct arena *arena,
	struct search_result *out)
{
	const struct name root = {.len = 1};
	uint8_t address[V6_LEN], whole[V6_LEN], v4[V4_LEN];
	char text[REVERSE_TEXT];
	struct name target;

	if (dns64->len == 0 || !read_reverse(name, address)) {
		return false;
	}
	for (uint32_t i = 0; i < V4_LEN; i++) {
		v4[i] = address[place_of(dns64, i)];
	}
	dns64_embed(dns64, v4, whole);
	if (memcmp(whole, address, V6_LEN) != 0) {
		return false;
	}
	int len = snprintf(
		text, sizeof(text), "%u.%u.%u.%u.in-addr.arpa.", v4[3], v4[2], v4[1], v4[0]);
	if (name_from_text(text, (uint32_t)len, &root, &target) != WIRE_OK) {
		return false;
	}
	const struct rrset_rdata record = {.octets = target.octets, .len = target.len};
	const struct rrset *set =
		rrset_make(arena, name, RRTYPE_CNAME, DNS64_TTL, &record, 1, NULL, 0);
	*out = (struct search_result){.end = SEARCH_ALIAS,
		.status = DNSSEC_INSECURE,
		.ede = EDE_NONE,
		.ttl_s = DNS64_TTL,
		.answer_count = 1,
		.set_count = 1,
		.sets = {set},
		.ttls = {DNS64_TTL}};
	return set != NULL;
}
