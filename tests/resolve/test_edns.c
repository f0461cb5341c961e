/* test_edns.c - servers that do not understand EDNS, or once did not. What it means for signed zones: tests/replay/sim.c.
 *
 * source  RFC 6891 sec 6.2.2 and 7
 */
#include "kit/kit.h"
#include "resolve/outside.h"
#include "resolve/resolve.h"
#include "resolve/servers.h"
#include "wire/rrtype.h"

/* Questions that the server gets for one of a client's. */
static uint32_t cost(struct outside *outside, const char *name, uint16_t rcode)
{
	uint32_t before = outside->asked;

	CHECK_U(outside_ask(outside, name, RRTYPE_A, NULL)->rcode, rcode);
	return outside->asked - before;
}

TEST(a_server_without_edns_is_known_for_a_while)
{
	static struct outside outside;

	outside_open(&outside,
		". 86400 NS ns.\na. 60 A 192.0.2.1\nb. 60 A 192.0.2.2\nc. 60 A 192.0.2.3\n"
		"warm. 60 A 192.0.2.4\n",
		NULL, NULL);
	(void)cost(&outside, "warm.", RCODE_NOERROR); /* and the root's servers */
	outside.is_plain = true;
	CHECK_U(cost(&outside, "a.", RCODE_NOERROR), 2);
	CHECK_U(cost(&outside, "b.", RCODE_NOERROR), 1);
	outside_pass(&outside, SERVERS_NO_EDNS_MS);
	CHECK_U(cost(&outside, "c.", RCODE_NOERROR), 2);
	outside_close(&outside);
}

TEST(one_formerr_makes_no_server_without_edns)
{
	static struct outside outside;

	outside_open(
		&outside, ". 86400 NS ns.\na. 60 A 192.0.2.1\nb. 60 A 192.0.2.2\n", NULL, NULL);
	(void)cost(&outside, "a.", RCODE_NOERROR);
	outside_pass(&outside, 61000);
	/* It fails without EDNS, too: that was not the reason. */
	outside.is_plain = outside.is_failing = true;
	CHECK_U(outside_ask(&outside, "missing.", RRTYPE_A, NULL)->rcode, RCODE_SERVFAIL);
	outside.is_failing = false;
	CHECK_U(cost(&outside, "b.", RCODE_NOERROR), 2);
	outside_close(&outside);
}
