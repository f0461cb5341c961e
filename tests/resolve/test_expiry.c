/* test_expiry.c - what happens when a TTL is over, and shortly before.
 *
 * source  RFC 8767 (what has expired serves where servers fail)
 */
#include "resolve/query.h"
#include "resolve/recall.h"
#include "resolve/resolve.h"

#include "kit/kit.h"
#include "resolve/outside.h"
#include "wire/rrtype.h"
#include "wire/wire.h"

#define STALE_S 86400u

static const char *ask(struct outside *outside, const char *name, uint16_t type)
{
	return outside_text(outside_ask(outside, name, type, NULL), SECTION_ANSWER);
}

/* A client that waits until what has expired serves. */
static const char *ask_patiently(struct outside *outside, const char *name, uint16_t type)
{
	uint32_t before = outside->answered;

	outside_post(outside, name, type, NULL, 1);
	CHECK_U(outside->answered, before);
	outside_pass(outside, QUERY_STALE_AFTER_MS - 1);
	CHECK_U(outside->answered, before);
	outside_pass(outside, 1);
	CHECK_U(outside->answered, before + 1);
	return outside_text(&outside->last, SECTION_ANSWER);
}

static void give_up(struct outside *outside)
{
	outside_pass(outside, RESOLVE_TIME_MS + 6000); /* ... and the failure is forgotten */
}

TEST(what_has_expired_serves_for_a_while)
{
	static struct outside outside;

	outside_open(&outside, "a.example. 300 A 192.0.2.1\n", NULL, NULL);
	(void)ask(&outside, "a.example.", RRTYPE_A);
	outside_pass(&outside, 299000);
	outside.is_silent = true;
	CHECK_S(ask(&outside, "a.example.", RRTYPE_A), "a.example. 1 A 192.0.2.1;");
	outside_pass(&outside, 1000);
	CHECK_S(ask_patiently(&outside, "a.example.", RRTYPE_A), "a.example. 30 A 192.0.2.1;");
	give_up(&outside);
	outside_pass(&outside, (STALE_S - 60) * 1000ull);
	CHECK_S(ask_patiently(&outside, "a.example.", RRTYPE_A), "a.example. 30 A 192.0.2.1;");
	give_up(&outside);
	outside_pass(&outside, 60000);
	uint32_t before = outside.answered;
	outside_post(&outside, "a.example.", RRTYPE_A, NULL, 1);
	give_up(&outside);
	CHECK_U(outside.answered, before + 1);
	CHECK_U(outside.last.rcode, RCODE_SERVFAIL);
	outside_close(&outside);
}

TEST(who_joins_a_query_that_waited_long_does_not_wait)
{
	static struct outside outside;

	outside_open(&outside, "a.example. 1 A 192.0.2.1\n", NULL, NULL);
	(void)ask(&outside, "a.example.", RRTYPE_A);
	outside_pass(&outside, 2000);
	outside.is_silent = true;
	(void)ask_patiently(&outside, "a.example.", RRTYPE_A);
	CHECK_S(ask(&outside, "a.example.", RRTYPE_A), "a.example. 30 A 192.0.2.1;");
	outside_close(&outside);
}

TEST(what_was_not_checked_does_not_displace_what_was)
{
	static struct outside outside;
	const struct outside_how cd = {.flags = WIRE_FLAG_CD};
	struct resolve_config config = RESOLVE_CONFIG_DEFAULT;

	outside_open(&outside, "a.example. 60 A 192.0.2.1\n", &config, NULL);
	(void)ask(&outside, "a.example.", RRTYPE_A);
	outside_pass(&outside, 61000);
	(void)outside_ask(&outside, "a.example.", RRTYPE_A, &cd);
	/* It is kept, for who wants it so. */
	outside.is_silent = true;
	CHECK_S(outside_text(outside_ask(&outside, "a.example.", RRTYPE_A, &cd), SECTION_ANSWER),
		"a.example. 60 A 192.0.2.1;");
	outside_pass(&outside, 61000);
	CHECK_S(ask_patiently(&outside, "a.example.", RRTYPE_A), "a.example. 30 A 192.0.2.1;");
	outside_close(&outside);
}

TEST(of_what_has_expired_the_youngest_serves)
{
	static struct outside outside;

	outside_open(
		&outside, "a.example. 60 A 192.0.2.1\nb.example. 60 A 192.0.2.2\n", NULL, NULL);
	(void)ask(&outside, "a.example.", RRTYPE_A);
	outside_pass(&outside, 61000);
	outside_remove(&outside, "a.example.", RRTYPE_A);
	CHECK_U(outside_ask(&outside, "a.example.", RRTYPE_A, NULL)->rcode, RCODE_NXDOMAIN);
	outside_pass(&outside, 3700000);
	outside.is_silent = true;
	(void)ask_patiently(&outside, "a.example.", RRTYPE_A);
	CHECK_U(outside.last.rcode, RCODE_NXDOMAIN);
	outside_close(&outside);
}

/* Whoever asks in the last tenth of an answer's life has it at once, and the next one finds a new one. */
TEST(what_is_asked_for_is_renewed_before_it_expires)
{
	static struct outside outside;
	struct resolve_hit hit;
	static uint8_t octets[512];

	outside_open(&outside, "a.example. 300 A 192.0.2.1\n", NULL, NULL);
	(void)ask(&outside, "a.example.", RRTYPE_A);
	(void)ask(&outside, "a.example.", RRTYPE_A); /* from the second time on it is kept whole */
	static const uint8_t query[] = "\0\1\1\0\0\1\0\0\0\0\0\0\1a\7example\0\0\1\0\1";
	for (uint32_t at_s = 0; at_s <= 310; at_s += 10) {
		memcpy(octets, query, sizeof(query) - 1);
		hit = (struct resolve_hit){
			.octets = octets, .len = sizeof(query) - 1, .cap = sizeof(octets)};
		uint32_t asked = outside.asked;
		resolve_hits(outside.core, &hit, 1, outside.now);
		CHECK_U(hit.answer_len > 0 || at_s >= 300, true);
		outside_pass(&outside, 1); /* what was noted is looked up */
		CHECK_U(outside.asked > asked, at_s == 280);
		outside_pass(&outside, 9999);
	}
	outside.is_silent = true;
	CHECK_S(ask(&outside, "a.example.", RRTYPE_A), "a.example. 260 A 192.0.2.1;");
	outside_close(&outside);
}
