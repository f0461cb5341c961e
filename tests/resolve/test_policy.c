/* test_policy.c - what this resolver says on its own account: rebinding, ANY, local names. */
#include <string.h>

#include "access/acl.h"
#include "base/diag.h"
#include "kit/kit.h"
#include "resolve/local.h"
#include "resolve/outside.h"
#include "resolve/rebinding.h"
#include "wire/rrtype.h"

#define TYPE_ANY 255u

static const char records[] =
	"evil.example. 300 A 192.168.1.1\n"
	"evil.example. 300 AAAA fd00::1\n"
	"mixed.example. 300 A 192.0.2.1\n"
	"mixed.example. 300 A 10.0.0.1\n"
	"mapped.example. 300 AAAA ::ffff:10.0.0.1\n"
	"good.example. 300 A 192.0.2.2\n"
	"alias.example. 300 CNAME evil.example.\n"
	"host.corp.example. 300 A 10.0.0.2\n"
	"hints.example. 300 HTTPS 1 . alpn=h2 ipv4hint=192.0.2.4,10.0.0.3\n"
	"hints.example. 300 HTTPS 2 good.example. ipv4hint=192.0.2.4\n"
	"hint6.example. 300 SVCB 1 . port=53 ipv4hint=192.0.2.4 ipv6hint=fd00::3\n"
	"plain.example. 300 HTTPS 0 good.example.\n"
	"plain.example. 300 HTTPS 1 . alpn=h2 ipv6hint=2001:db8::4\n"
	"web.corp.example. 300 HTTPS 1 . ipv4hint=10.0.0.2\n"
	"out.example. 300 CNAME www.home.\n"
	"several.example. 300 A 192.0.2.3\n"
	"several.example. 300 AAAA 2001:db8::3\n"
	"several.example. 300 TXT words\n"
	"several.example. 300 MX 10 good.example.\n";

static const char *answers(
	struct outside *outside, const char *name, uint16_t type, const struct outside_how *how)
{
	return outside_text(outside_ask(outside, name, type, how), SECTION_ANSWER);
}

static struct name name_of(const char *text)
{
	const struct name root = {.len = 1};
	struct name name;

	CHECK_U(name_from_text(text, (uint32_t)strlen(text), &root, &name), WIRE_OK);
	return name;
}

static void add_prefix(struct acl *acl, const char *text)
{
	struct acl_prefix prefix;

	CHECK(acl_prefix_parse(text, &prefix) && acl_add(acl, &prefix));
}

TEST(answers_from_outside_lose_private_addresses)
{
	static const struct outside_how checks = {.flags = WIRE_FLAG_CD, .dnssec_ok = true};
	static const struct outside_how unrecursive = {.unrecursive = true};
	static struct outside outside;
	static struct acl prefixes;
	const struct name corp = name_of("corp.example.");
	const struct rebinding rebinding = {
		.prefixes = &prefixes, .exempt = &corp, .exempt_count = 1};
	const struct resolve_shared shared = {.rebinding = &rebinding};

	prefixes.count = 0;
	add_prefix(&prefixes, "10.0.0.0/8");
	add_prefix(&prefixes, "192.168.0.0/16");
	add_prefix(&prefixes, "fd00::/8");
	outside_open(&outside, records, NULL, &shared);
	for (int round = 0; round < 3; round++) { /* fetched, cached, as a message */
		CHECK_S(answers(&outside, "evil.example.", RRTYPE_A, NULL), "");
		CHECK_U(outside.last.rcode, RCODE_NOERROR);
		CHECK_S(answers(&outside, "evil.example.", RRTYPE_AAAA, NULL), "");
		CHECK_S(answers(&outside, "evil.example.", RRTYPE_A, &checks), "");
		CHECK_S(answers(&outside, "mapped.example.", RRTYPE_AAAA, NULL), "");
		CHECK_S(answers(&outside, "mixed.example.", RRTYPE_A, NULL),
			"mixed.example. 300 A 192.0.2.1;");
		CHECK_S(answers(&outside, "alias.example.", RRTYPE_A, NULL),
			"alias.example. 300 CNAME evil.example.;");
		CHECK_S(answers(&outside, "good.example.", RRTYPE_A, NULL),
			"good.example. 300 A 192.0.2.2;");
		CHECK_S(answers(&outside, "host.corp.example.", RRTYPE_A, NULL),
			"host.corp.example. 300 A 10.0.0.2;");
		CHECK_S(answers(&outside, "hints.example.", RRTYPE_HTTPS, NULL),
			"hints.example. 300 HTTPS -;");
		CHECK_S(answers(&outside, "hint6.example.", RRTYPE_SVCB, NULL), "");
		CHECK_S(answers(&outside, "plain.example.", RRTYPE_HTTPS, NULL),
			"plain.example. 300 HTTPS -;plain.example. 300 HTTPS -;");
		CHECK_S(answers(&outside, "web.corp.example.", RRTYPE_HTTPS, NULL),
			"web.corp.example. 300 HTTPS -;");
		CHECK_S(answers(&outside, "evil.example.", RRTYPE_A, &unrecursive), "");
		CHECK_U(outside.last.rcode, RCODE_NOERROR);
	}
	outside_close(&outside);
}

TEST(without_a_filter_any_address_is_good)
{
	static struct outside outside;

	outside_open(&outside, records, NULL, NULL);
	CHECK_S(answers(&outside, "evil.example.", RRTYPE_A, NULL),
		"evil.example. 300 A 192.168.1.1;");
	outside_close(&outside);
}

TEST(any_is_one_set_by_datagram_and_all_by_stream)
{
	static const struct outside_how stream = {.stream = true};
	static struct outside outside;
	struct resolve_config config = RESOLVE_CONFIG_DEFAULT;

	outside_open(&outside, records, NULL, NULL);
	CHECK_S(answers(&outside, "several.example.", TYPE_ANY, NULL),
		"several.example. 300 A 192.0.2.3;");
	CHECK_U(outside.last.flags & WIRE_FLAG_TC, 0);
	CHECK_S(answers(&outside, "several.example.", TYPE_ANY, &stream),
		"several.example. 300 A 192.0.2.3;several.example. 300 AAAA 2001:db8::3;"
		"several.example. 300 TXT -;several.example. 300 MX -;");
	outside_close(&outside);

	config.validate = false;
	config.minimal_any = false;
	outside_open(&outside, records, &config, NULL);
	CHECK(strstr(answers(&outside, "several.example.", TYPE_ANY, NULL), " MX ") != NULL);
	outside_close(&outside);
}

static void no_complaint(void *context, const struct diag *diag)
{
	(void)context;
	KIT_NOTE(diag->text);
	CHECK(diag->level != DIAG_ERROR);
}

TEST(local_names_are_never_asked_elsewhere)
{
	static const char text[] = "www.home. 60 A 192.168.7.1\nftp.home. 60 CNAME www.home.\n"
				   "far.home. 60 CNAME good.example.\n";
	static const struct outside_how unrecursive = {.unrecursive = true};
	const struct diag_sink sink = {.report = no_complaint};
	static struct outside outside;
	struct localdata *local = local_new();
	const struct name home = name_of("home.");
	const struct resolve_shared shared = {.local = local};

	CHECK(local != NULL);
	CHECK_U(local_add_builtin(local), STATUS_OK);
	CHECK_U(local_add_zone(local, &home), STATUS_OK);
	CHECK_U(local_add_text(local, "records", text, strlen(text), &sink), STATUS_OK);
	outside_open(&outside, records, NULL, &shared);
	CHECK_S(answers(&outside, "www.home.", RRTYPE_A, NULL), "www.home. 60 A 192.168.7.1;");
	CHECK_S(answers(&outside, "www.home.", TYPE_ANY, NULL), "www.home. 60 A 192.168.7.1;");
	CHECK_S(answers(&outside, "www.home.", RRTYPE_MX, NULL), "");
	CHECK_U(outside.last.rcode, RCODE_NOERROR);
	CHECK_S(answers(&outside, "nothing.home.", RRTYPE_A, NULL), "");
	CHECK_U(outside.last.rcode, RCODE_NXDOMAIN);
	CHECK_S(answers(&outside, "ftp.home.", RRTYPE_A, NULL),
		"ftp.home. 60 CNAME www.home.;www.home. 60 A 192.168.7.1;");
	CHECK_S(answers(&outside, "far.home.", RRTYPE_A, &unrecursive),
		"far.home. 60 CNAME good.example.;");
	CHECK_S(answers(&outside, "a.localhost.", RRTYPE_A, NULL),
		"a.localhost. 10800 A 127.0.0.1;");
	CHECK_S(answers(&outside, "1.0.0.10.in-addr.arpa.", RRTYPE_PTR, NULL), "");
	CHECK_U(outside.last.rcode, RCODE_NXDOMAIN);
	CHECK_U(outside.asked, 0);
	/* Aliases go in and out. */
	CHECK_S(answers(&outside, "far.home.", RRTYPE_A, NULL),
		"far.home. 60 CNAME good.example.;good.example. 300 A 192.0.2.2;");
	CHECK_S(answers(&outside, "out.example.", RRTYPE_A, NULL),
		"out.example. 300 CNAME www.home.;www.home. 60 A 192.168.7.1;");
	outside_close(&outside);
	local_free(local);
}
