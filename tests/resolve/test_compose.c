/* test_compose.c - answers written over memory full of what was there before, read back with all strictness.
 *
 * Names repeat themselves and each other as often as they can, for compression is where a writer goes wrong.
 */
#include "resolve/compose.h"

#include <string.h>

#include "base/arena.h"
#include "base/octets.h"
#include "kit/kit.h"
#include "replay/message_kit.h"
#include "wire/rrtype.h"

#define ROUNDS    30000u
#define ARENA_MAX (4u << 20)
#define RECORDS   6u

static struct arena arena;
static struct message_kit_answer answer;

static void random_name(struct name *out)
{
	static const char *const labels[] = {"a", "b", "aa", "www", "example"};

	*out = (struct name){.len = 1};
	for (uint32_t count = kit_random(5); count > 0; count--) {
		const char *label = labels[kit_random(5)];
		uint8_t octets[64];
		struct name longer;
		octets[0] = (uint8_t)strlen(label);
		memcpy(octets + 1, label, octets[0]);
		CHECK_U(name_join(octets, octets[0] + 1u, 1, out, &longer), WIRE_OK);
		*out = longer;
	}
}

static uint32_t random_rdata(uint16_t type, uint8_t *out)
{
	struct name first, second;
	uint32_t len = 0;

	random_name(&first);
	random_name(&second);
	switch (type) {
	case RRTYPE_A:
		octets_put_u32(out, kit_random(UINT32_MAX));
		return 4;
	case RRTYPE_MX:
		octets_put_u16(out, (uint16_t)kit_random(100));
		memcpy(out + 2, first.octets, first.len);
		return first.len + 2u;
	case RRTYPE_SOA:
		memcpy(out, first.octets, first.len);
		memcpy(out + first.len, second.octets, second.len);
		memset(out + first.len + second.len, 3, 20);
		return first.len + second.len + 20u;
	case RRTYPE_TXT:
		len = kit_random(200);
		out[0] = (uint8_t)len;
		memset(out + 1, 'x', len);
		return len + 1;
	default: /* a name: it is compressed where RFC 3597 sec 4 lets it */
		memcpy(out, first.octets, first.len);
		return first.len;
	}
}

static const struct rrset *random_set(void)
{
	static const uint16_t types[] = {RRTYPE_A, RRTYPE_NS, RRTYPE_CNAME, RRTYPE_SOA, RRTYPE_MX,
		RRTYPE_TXT, RRTYPE_PTR, RRTYPE_DNAME};
	static uint8_t rdata[RECORDS][600], sig[100];
	struct rrset_rdata records[RECORDS];
	const struct rrset_rdata sigs = {.octets = sig, .len = sizeof(sig)};
	uint16_t type = types[kit_random(8)];
	uint32_t count = 1 + kit_random(RECORDS - 1);
	struct name owner;

	random_name(&owner);
	memset(sig, (int)kit_random(256), sizeof(sig));
	sig[RRSIG_FIXED_LEN] = 0; /* the signer is the root */
	for (uint32_t i = 0; i < count; i++) {
		records[i].octets = rdata[i];
		records[i].len = (uint16_t)random_rdata(type, rdata[i]);
	}
	const struct rrset *set = rrset_make(
		&arena, &owner, type, kit_random(1000), records, count, &sigs, kit_random(2));
	CHECK(set != NULL);
	return set;
}

static void random_result(struct search_result *out)
{
	*out = (struct search_result){.end = SEARCH_SET, .ttl_s = 1};
	out->answer_count = kit_random(4);
	out->set_count = out->answer_count + kit_random(4);
	for (uint32_t i = 0; i < out->set_count; i++) {
		out->sets[i] = random_set();
		out->ttls[i] = kit_random(1000);
	}
}

/* Reads the records of one set from the answer; false: they are not there, whole and in order. */
static bool read_set(
	const struct rrset *set, uint32_t ttl, bool sigs, enum wire_section section, uint32_t *at)
{
	struct rrset_walk walk = rrset_records(set);
	struct rrset_rdata rdata;
	struct name owner;

	rrset_owner(set, &owner);
	for (uint32_t pass = 0; pass < (sigs ? 2 : 1); pass++) {
		while (rrset_next(&walk, &rdata)) {
			const struct message_kit_record *record = &answer.records[*at];
			if (*at == answer.count || record->section != section ||
				!name_equal(&record->owner, &owner) || record->ttl != ttl ||
				record->type != (pass == 0 ? set->type : RRTYPE_RRSIG) ||
				record->rdata_len != rdata.len ||
				memcmp(record->rdata, rdata.octets, rdata.len) != 0) {
				return false;
			}
			++*at;
		}
		walk = rrset_sigs(set);
	}
	return true;
}

/* Do two parts, or two sets of one, say the same? Then one of them may be left out. */
static bool is_repeated(const struct compose_answer *made)
{
	for (uint32_t p = 0; p < made->part_count; p++) {
		const struct search_result *one = made->parts[p].result;
		for (uint32_t q = 0; q < made->part_count; q++) {
			const struct search_result *other = made->parts[q].result;
			for (uint32_t i = 0; i < one->set_count; i++) {
				for (uint32_t j = 0; j < other->set_count; j++) {
					struct name owner;
					rrset_owner(one->sets[i], &owner);
					if ((p != q || i != j) &&
						one->sets[i]->type == other->sets[j]->type &&
						rrset_is(other->sets[j], &owner,
							other->sets[j]->type)) {
						return true;
					}
				}
			}
		}
	}
	return false;
}

/* All sets in order, up to where the answer was cut; true: all are there. */
static bool check_sets(const struct compose_answer *made, bool dnssec_ok)
{
	uint32_t at = 0;

	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t p = 0; p < made->part_count; p++) {
			const struct search_result *result = made->parts[p].result;
			uint32_t from = pass == 0 ? 0 : result->answer_count;
			uint32_t to = pass == 0 ? result->answer_count : result->set_count;
			for (uint32_t i = from; i < to; i++) {
				bool proof = pass == 1 && result->sets[i]->type != RRTYPE_SOA;
				if (proof && !dnssec_ok) {
					continue;
				}
				if (!read_set(result->sets[i], result->ttls[i], dnssec_ok,
					    pass == 0 ? SECTION_ANSWER : SECTION_AUTHORITY, &at)) {
					CHECK_U(at, answer.count);
					return false;
				}
			}
		}
	}
	CHECK_U(at, answer.count);
	return true;
}

TEST(what_is_written_reads_back)
{
	static uint8_t out[WIRE_MESSAGE_LEN_MAX + 64];
	static struct search_result results[3];
	struct name names[3];
	static struct compose_ttls ttls;
	uint32_t whole = 0, cut = 0;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct compose_answer made = {.rcode = (uint16_t)(kit_random(2) * 3), .ede = -1};
		struct compose_client client = {.id = (uint16_t)round,
			.flags = WIRE_FLAG_RD,
			.qtype = RRTYPE_A,
			.has_edns = kit_random(2) == 0,
			.limit =
				kit_random(3) == 0 ? WIRE_MESSAGE_LEN_MAX : 512 + kit_random(1000)};
		const char *why;
		arena_init(&arena, ARENA_MAX);
		client.dnssec_ok = client.has_edns && kit_random(2) == 0;
		made.ede = (int16_t)(kit_random(3) == 0 ? 22 : EDE_NONE);
		random_name(&client.qname);
		made.part_count = kit_random(4);
		for (uint32_t i = 0; i < made.part_count; i++) {
			random_result(&results[i]);
			random_name(&names[i]);
			made.parts[i] =
				(struct compose_part){.result = &results[i], .name = &names[i]};
		}
		if (is_repeated(&made)) {
			arena_fini(&arena);
			continue;
		}
		/* What stood there before: zeros end names, others begin pointers. */
		memset(out, round % 3 == 0 ? 0 : round % 3 == 1 ? 0xc0 : 1, sizeof(out));
		uint32_t len = compose(&client, &made, out, client.limit, &ttls);
		CHECK(len <= client.limit);
		CHECK(out[client.limit] == out[sizeof(out) - 1]); /* nothing beyond */
		CHECK(message_kit_read(kit_guarded(out, len), len, &answer, &why));
		CHECK_U(answer.question.id, client.id);
		CHECK(name_equal(&answer.question.name, &client.qname));
		CHECK_U(answer.edns, client.has_edns);
		CHECK_U(answer.ede, (uint64_t)(client.has_edns ? made.ede : -1));
		bool all = check_sets(&made, client.dnssec_ok);
		bool tc = (answer.question.flags & WIRE_FLAG_TC) != 0;
		CHECK_U(tc, !all);
		whole += all;
		cut += !all;
		/* Where the TTLs stand is where they are. */
		for (uint32_t i = 0; all && i < ttls.count; i++) {
			CHECK_U(octets_get_u32(out + ttls.offsets[i]), answer.records[i].ttl);
		}
		CHECK(!all || ttls.count == answer.count);
		arena_fini(&arena);
	}
	CHECK(whole > ROUNDS / 4);
	CHECK(cut > ROUNDS / 20);
}
