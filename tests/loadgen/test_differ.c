/* test_differ.c - what is the same answer, and what is not. */
#include "loadgen/differ.h"

#include <string.h>

#include "base/octets.h"
#include "kit/kit.h"
#include "wire/rrtype.h"

/* A message under construction. */
struct message {
	uint8_t octets[4096];
	uint32_t len;
};

static void begin(struct message *message, uint16_t flags)
{
	static const uint8_t question[] = {1, 'a', 0, 0, 1, 0, 1};

	memset(message, 0, sizeof(*message));
	octets_put_u16(message->octets + 2, flags);
	octets_put_u16(message->octets + 4, 1);
	memcpy(message->octets + 12, question, sizeof(question));
	message->len = 12 + sizeof(question);
}

static void add(struct message *message, enum wire_section section, const uint8_t *owner,
	size_t owner_len, uint16_t type, uint32_t ttl, const uint8_t *rdata, size_t rdata_len)
{
	uint8_t *count = message->octets + 6 + 2 * section;
	uint8_t *to = message->octets + message->len;

	octets_put_u16(count, (uint16_t)(octets_get_u16(count) + 1));
	memcpy(to, owner, owner_len);
	to += owner_len;
	octets_put_u16(to, type);
	octets_put_u16(to + 2, CLASS_IN);
	octets_put_u32(to + 4, ttl);
	octets_put_u16(to + 8, (uint16_t)rdata_len);
	memcpy(to + 10, rdata, rdata_len);
	message->len += (uint32_t)(owner_len + 10 + rdata_len);
}

static struct differ_digest digest(const struct message *message)
{
	struct differ_digest out;

	differ_digest(kit_guarded(message->octets, message->len), message->len, &out);
	return out;
}

static uint32_t compare(const struct message *a, const struct message *b)
{
	struct differ_digest want = digest(a);
	struct differ_digest got = digest(b);

	return differ_compare(&want, &got);
}

#define NAME_A    BYTES(1, 'a', 0)
#define POINTER   BYTES(0xc0, 12)
#define ADDRESS_1 BYTES(192, 0, 2, 1)
#define ADDRESS_2 BYTES(192, 0, 2, 2)

TEST(order_repetition_compression_and_case_are_nothing)
{
	struct message a;
	struct message b;

	begin(&a, 0x8400);
	add(&a, SECTION_ANSWER, NAME_A, RRTYPE_A, 5, ADDRESS_1);
	add(&a, SECTION_ANSWER, NAME_A, RRTYPE_A, 5, ADDRESS_2);
	add(&a, SECTION_ANSWER, NAME_A, RRTYPE_NS, 5, BYTES(1, 'n', 1, 'a', 0));
	begin(&b, 0x8400);
	add(&b, SECTION_ANSWER, POINTER, RRTYPE_NS, 5, BYTES(1, 'N', 0xc0, 12));
	add(&b, SECTION_ANSWER, BYTES(1, 'A', 0), RRTYPE_A, 5, ADDRESS_2);
	add(&b, SECTION_ANSWER, POINTER, RRTYPE_A, 5, ADDRESS_1);
	add(&b, SECTION_ANSWER, POINTER, RRTYPE_A, 5, ADDRESS_2);
	CHECK_U(compare(&a, &b), 0);
}

TEST(each_kind_is_found_for_what_it_is)
{
	struct message a;
	struct message b;

	begin(&a, 0x8400);
	add(&a, SECTION_ANSWER, NAME_A, RRTYPE_A, 5, ADDRESS_1);
	b = a;
	octets_put_u16(b.octets + 2, 0x8403);
	CHECK_U(compare(&a, &b), 1u << DIFFER_RCODE);
	octets_put_u16(b.octets + 2, 0x8600);
	CHECK_U(compare(&a, &b), 1u << DIFFER_FLAGS);
	octets_put_u16(b.octets + 2, 0x8510); /* RD and CD are the client's */
	CHECK_U(compare(&a, &b), 0);
	begin(&b, 0x8400);
	add(&b, SECTION_ANSWER, NAME_A, RRTYPE_A, 6, ADDRESS_1);
	CHECK_U(compare(&a, &b), 1u << DIFFER_TTL);
	begin(&b, 0x8400);
	add(&b, SECTION_ANSWER, NAME_A, RRTYPE_A, 6, ADDRESS_2);
	CHECK_U(compare(&a, &b), 1u << DIFFER_ANSWER);
	begin(&b, 0x8400);
	add(&b, SECTION_AUTHORITY, NAME_A, RRTYPE_A, 5, ADDRESS_1);
	CHECK_U(compare(&a, &b), 1u << DIFFER_ANSWER | 1u << DIFFER_AUTHORITY);
	b = a;
	add(&b, SECTION_ADDITIONAL, NAME_A, RRTYPE_A, 5, ADDRESS_1);
	CHECK_U(compare(&a, &b), 1u << DIFFER_ADDITIONAL);
}

TEST(an_opt_record_is_none_but_its_upper_rcode_bits_count)
{
	struct message a;
	struct message b;

	begin(&a, 0x8400);
	b = a;
	add(&b, SECTION_ADDITIONAL, BYTES(0), RRTYPE_OPT, 0x8000, BYTES(0, 10, 0, 2, 7, 7));
	CHECK_U(compare(&a, &b), 0);
	b = a;
	add(&b, SECTION_ADDITIONAL, BYTES(0), RRTYPE_OPT, 0x01000000, ADDRESS_1);
	CHECK_U(compare(&a, &b), 1u << DIFFER_RCODE);
	CHECK_U(digest(&b).rcode, 16);
}

TEST(no_answer_differs_from_any_answer)
{
	struct differ_digest none = {.known = 0};
	struct message a;

	begin(&a, 0x8400);
	struct differ_digest some = digest(&a);
	CHECK_U(differ_compare(&none, &some), 1u << DIFFER_MISSING);
	CHECK_U(differ_compare(&some, &none), 1u << DIFFER_MISSING);
	CHECK_U(differ_compare(&none, &none), 0);
}

TEST(what_the_expected_side_does_not_tell_of_is_not_compared)
{
	struct message a;
	struct message b;

	begin(&a, 0x8400);
	begin(&b, 0x8600);
	add(&b, SECTION_AUTHORITY, NAME_A, RRTYPE_A, 5, ADDRESS_1);
	struct differ_digest want = digest(&a);
	struct differ_digest got = digest(&b);
	want.known = 1u << DIFFER_RCODE | 1u << DIFFER_ANSWER | 1u << DIFFER_MISSING;
	CHECK_U(differ_compare(&want, &got), 0);
}

TEST(octets_that_cannot_be_read_are_equal_to_themselves_alone)
{
	struct message a;
	struct message b;

	begin(&a, 0x8400);
	add(&a, SECTION_ANSWER, BYTES(0xc0, 200), RRTYPE_A, 5, ADDRESS_1); /* forwards */
	b = a;
	CHECK_U(compare(&a, &b), 0);
	begin(&b, 0x8400);
	CHECK(compare(&a, &b) != 0);
	for (uint32_t round = 0; round < 20000; round++) { /* and never read past the end */
		begin(&b, 0x8400);
		add(&b, SECTION_ANSWER, POINTER, RRTYPE_SOA, 5,
			BYTES(0xc0, 12, 0xc0, 12, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0,
				0, 0, 1));
		b.octets[12 + kit_random(b.len - 12)] = (uint8_t)kit_random(256);
		b.len = 12 + kit_random(b.len - 11);
		CHECK_U(compare(&b, &b), 0);
	}
}
