/* test_conf_resolver.c - what a configuration says about the resolver: all of it, nothing of it, and what is wrong. */
#include "conf/conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"

static char said[4096]; /* `LINE:COLUMN: text` a line */

static void note(void *context, const struct diag *diag)
{
	size_t len = strlen(said);

	(void)context;
	snprintf(said + len, sizeof(said) - len, "%u:%u: %s\n", diag->line, diag->column,
		diag->text);
}

static enum status load(const char *text, struct server_config *config)
{
	const struct diag_sink sink = {.report = note};

	said[0] = '\0';
	conf_init(config);
	return conf_load(kit_temp_file(text, strlen(text)), &sink, config);
}

static void check_name(const struct name *name, const char *want)
{
	char text[NAME_TEXT_MAX];

	CHECK_S(name_to_text(name, text), want);
}

static void check_addr(const struct addr *addr, const char *want)
{
	char text[ADDR_TEXT_MAX];

	CHECK_S(addr_to_text(addr, text), want);
}

static bool allows(const struct conf_resolver *resolver, const char *text)
{
	struct addr addr;

	CHECK(addr_parse(text, 53, &addr));
	return acl_allows(&resolver->allow, &addr);
}

TEST(nothing_said_is_a_resolver_for_this_host_that_is_off)
{
	struct server_config config;
	const struct conf_resolver *resolver = &config.resolver;

	CHECK_U(load("", &config), STATUS_OK);
	CHECK_U(resolver->enabled, 0);
	CHECK(allows(resolver, "127.0.0.1") && allows(resolver, "127.255.255.255"));
	CHECK(allows(resolver, "::1"));
	CHECK(!allows(resolver, "10.0.0.1") && !allows(resolver, "::2"));
	CHECK(!allows(resolver, "192.168.0.1") && !allows(resolver, "fe80::1"));
	CHECK_U(resolver->validate, 1);
	CHECK_U(resolver->qname_minimisation, 1);
	CHECK_U(resolver->aggressive_nsec, 1);
	CHECK_U(resolver->special_names, 1);
	CHECK_U(resolver->query_localhost, 0);
	CHECK(resolver->root_hints == NULL && resolver->trust_anchors == NULL);
	CHECK_U(resolver->forward.count, 0);
	CHECK_U(resolver->cache_size, 0);
	conf_fini(&config);
}

TEST(all_that_may_be_said_is_taken)
{
	struct server_config config;
	const struct conf_resolver *resolver = &config.resolver;

	CHECK_U(load("resolver:\n"
		     "  enabled: true\n"
		     "  allow: [10.0.0.0/8, '2001:db8::/32', 192.0.2.7]\n"
		     "  root-hints: /hints\n"
		     "  trust-anchors: /anchors\n"
		     "  negative-trust-anchors: [Example.ORG, example.net.]\n"
		     "  validate: false\n"
		     "  sha1: false\n"
		     "  qname-minimisation: false\n"
		     "  aggressive-nsec: false\n"
		     "  source: [192.0.2.7]\n"
		     "  query-localhost: true\n"
		     "  special-names: false\n"
		     "  udp-payload: 512\n"
		     "  ttl-max: 604800\n"
		     "  negative-ttl-max: 1\n"
		     "  serve-stale: 0\n"
		     "  forward:\n"
		     "    - {zone: corp.example, to: [192.0.2.53, '[2001:db8::53]:5353']}\n"
		     "    - {zone: ., to: [192.0.2.54], fall-back: true}\n"
		     "  stub:\n"
		     "    - {zone: stub.example, to: ['192.0.2.55:5300']}\n"
		     "  cache: {size: 2G}\n",
			&config),
		STATUS_OK);
	CHECK_S(said, "");
	CHECK_U(resolver->enabled, 1);
	CHECK(allows(resolver, "10.255.0.1") && allows(resolver, "2001:db8:ffff::1"));
	CHECK(allows(resolver, "192.0.2.7") && !allows(resolver, "192.0.2.8"));
	CHECK(!allows(resolver, "127.0.0.1")); /* what is said takes the place of the default */
	CHECK_S(resolver->root_hints, "/hints");
	CHECK_S(resolver->trust_anchors, "/anchors");
	CHECK_U(resolver->negative_trust_anchors.count, 2);
	check_name(&resolver->negative_trust_anchors.items[0], "example.org.");
	check_name(&resolver->negative_trust_anchors.items[1], "example.net.");
	CHECK_U(resolver->validate | resolver->sha1 | resolver->qname_minimisation, 0);
	CHECK_U(resolver->aggressive_nsec | resolver->special_names, 0);
	CHECK_U(resolver->source.count, 1);
	CHECK_U(resolver->query_localhost, 1);
	CHECK_U(resolver->udp_payload, 512);
	CHECK_U(resolver->ttl_max, 604800);
	CHECK_U(resolver->negative_ttl_max, 1);
	CHECK_U(resolver->serve_stale, 0);
	CHECK_U(resolver->forward.count, 2);
	check_name(&resolver->forward.items[0].zone, "corp.example.");
	CHECK_U(resolver->forward.items[0].to.count, 2);
	check_addr(&resolver->forward.items[0].to.items[0], "192.0.2.53:53");
	check_addr(&resolver->forward.items[0].to.items[1], "[2001:db8::53]:5353");
	CHECK_U(resolver->forward.items[0].fall_back, 0);
	check_name(&resolver->forward.items[1].zone, ".");
	CHECK_U(resolver->forward.items[1].fall_back, 1);
	CHECK_U(resolver->stub.count, 1);
	check_addr(&resolver->stub.items[0].to.items[0], "192.0.2.55:5300");
	CHECK_U(resolver->cache_size, 2048);
	conf_fini(&config);
}

TEST(what_is_wrong_has_a_line_and_a_column)
{
	static const char *const cases[][2] = {
		{"resolver: {allow: [10.0.0.1/8]}",
			"1:20: '10.0.0.1/8' is no prefix (expected one like 192.0.2.0/24 or "
			"2001:db8::/32, without bits behind its length)\n"},
		{"resolver: {allow: 10.0.0.0/8}",
			"1:19: 'allow' is a single value (expected a list of address prefixes)\n"},
		{"resolver: {allow: [10.0.0.0/33]}",
			"1:20: '10.0.0.0/33' is no prefix (expected one like 192.0.2.0/24 or "
			"2001:db8::/32, without bits behind its length)\n"},
		{"resolver: {enabled: maybe}",
			"1:21: 'maybe' is no good value (expected true or false)\n"},
		{"resolver: {enable: true}",
			"1:12: unknown key 'enable' (did you mean 'enabled'?)\n"},
		{"resolver: {negative-trust-anchors: [a..b]}",
			"1:37: 'a..b' is no domain name: empty label (expected one like "
			"example.com, or . for the root)\n"},
		{"resolver: {source: [192.0.2.1, 192.0.2.2]}",
			"1:32: '192.0.2.2' is one address too many (expected at most one of each "
			"family)\n"},
		{"resolver: {udp-payload: 511}",
			"1:25: '511' is no good value (expected a number from 512 to 4096)\n"},
		{"resolver: {udp-payload: 4097}",
			"1:25: '4097' is no good value (expected a number from 512 to 4096)\n"},
		{"resolver: {serve-stale: -1}",
			"1:25: '-1' is no good value (expected a number from 0 to 604800)\n"},
		{"resolver: {forward: [{zone: a, to: [192.0.2.1]},\n {zone: A, to: [192.0.2.2]}]}",
			"2:2: forward zone 'a.' stands in line 1 already (expected each zone "
			"once)\n"},
		{"resolver:\n stub:\n  - {zone: a, to: [192.0.2.1]}\n  - {zone: b, to: "
		 "[192.0.2.1]}\n"
		 "  - {zone: a, to: [192.0.2.1]}\n",
			"5:5: stub zone 'a.' stands in line 3 already (expected each zone once)\n"},
		{"resolver: {forward: [{zone: a}]}", "1:22: no 'to' here (expected one)\n"},
		{"resolver: {forward: [{to: [192.0.2.1]}]}",
			"1:22: no 'zone' here (expected one)\n"},
		{"resolver: {forward: [{zone: a, to: []}]}",
			"1:36: 'to' is empty (expected at least one address)\n"},
		{"resolver: {forward: [{zone: a, to: [a]}]}",
			"1:37: 'a' is no address (expected one like 192.0.2.1, 192.0.2.1:5353 or "
			"[2001:db8::1]:53)\n"},
		{"resolver: {stub: [{zone: a, to: [192.0.2.1], fall-back: true}]}",
			"1:46: unknown key 'fall-back' (expected one of: zone to)\n"},
		{"resolver: {cache: {size: 1M}}", "1:26: '1M' is no good value (expected auto, or "
						  "a size from 2M to 1024G like 512M)\n"},
		{"resolver: {cache: {size: many}}", "1:26: 'many' is no good value (expected auto, "
						    "or a size from 2M to 1024G like 512M)\n"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct server_config config;
		KIT_NOTE(cases[i][0]);
		CHECK_U(load(cases[i][0], &config), STATUS_REFUSED);
		CHECK_S(said, cases[i][1]);
		conf_fini(&config);
	}
}
