/* test_attacks.c - zones that are made to cost a resolver, or others by its hand: what each may cost at most.
 *
 * The attacker has the zone evil. and all servers of it; the victim's is victim. Each test says how many packets go out,
 * to all and to the victim, and how many signatures are checked and names hashed (counted at the calls). Whatever
 * happens, the client has an answer within RESOLVE_TIME_MS, and nothing stays behind.
 *
 * source  NXNSAttack: Afek et al. 2020; TsuNAME: Moura et al. 2021; KeyTrap: Heftrig et al. 2024; CAMP: Duan et al. 2024
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/publish.h"
#include "crypto/sha1.h"
#include "crypto/signature.h"
#include "dnssec/keyset.h"
#include "kit/kit.h"
#include "replay/message_kit.h"
#include "replay/network.h"
#include "replay/signer.h"
#include "resolve/core.h"
#include "resolve/job.h"
#include "wire/rrtype.h"

#define CACHE_SIZE  (4u << 20)
#define ROOT        0x0a000001u /* 10.0.0.1 */
#define EVIL        0x0a000002u
#define VICTIM      0x0a000003u
#define HOUR_S      3600u
#define RTT_US      20000u
#define TTL         300u
#define SILENCE     false
#define CLIENTS     200u
#define NSEC3_OWNER "0p9mhaveqvm6t7vbl5lop2u3t2rp3tom"

/* Calls of what costs: the linker leads them here. */
static uint32_t checks, hashes;

#define CHECK_ARGUMENTS                                                                            \
	struct signature_keys *keys, uint8_t algorithm, const uint8_t *key, size_t key_len,        \
		const uint8_t *data, size_t data_len, const uint8_t *signature,                    \
		size_t signature_len

bool __real_signature_check(CHECK_ARGUMENTS);
bool __wrap_signature_check(CHECK_ARGUMENTS);
bool __wrap_signature_check(CHECK_ARGUMENTS)
{
	checks++;
	return __real_signature_check(
		keys, algorithm, key, key_len, data, data_len, signature, signature_len);
}

void __real_sha1_nsec3(const uint8_t *name, uint32_t name_len, const uint8_t *salt,
	uint32_t salt_len, uint32_t iterations, uint8_t out[SHA1_LEN]);
void __wrap_sha1_nsec3(const uint8_t *name, uint32_t name_len, const uint8_t *salt,
	uint32_t salt_len, uint32_t iterations, uint8_t out[SHA1_LEN]);
void __wrap_sha1_nsec3(const uint8_t *name, uint32_t name_len, const uint8_t *salt,
	uint32_t salt_len, uint32_t iterations, uint8_t out[SHA1_LEN])
{
	hashes += iterations + 1;
	__real_sha1_nsec3(name, name_len, salt, salt_len, iterations, out);
}

struct attack;

/* What a server says, into out; false: nothing. */
typedef bool attack_server(
	struct attack *attack, uint32_t at, const struct message_kit_question *question);

struct attack {
	struct network network;
	attack_server *server;
	uint32_t packets, to_victim, to_evil;
	struct message_kit out;
	uint32_t number;   /* the attack's own count */
	bool stream;       /* of the question that is answered */
	const char *title; /* for the figures */
};

static struct attack attack;

static struct name name_of(const char *text)
{
	static const struct name root = {.len = 1};
	struct name name;

	CHECK(name_from_text(text, (uint32_t)strlen(text), &root, &name) == WIRE_OK);
	return name;
}

static void put_name(
	enum wire_section section, const char *owner, uint16_t type, const char *target)
{
	struct name name = name_of(owner), rdata = name_of(target);

	message_kit_put(&attack.out, section, &name, type, TTL, rdata.octets, rdata.len);
}

static void put_a(enum wire_section section, const char *owner, uint32_t address)
{
	struct name name = name_of(owner);
	uint8_t octets[4];

	octets_put_u32(octets, address);
	message_kit_put(&attack.out, section, &name, RRTYPE_A, TTL, octets, sizeof(octets));
}

static void put_soa(const char *zone)
{
	struct name name = name_of(zone);
	uint8_t rdata[22] = {0};

	rdata[21] = 60;
	message_kit_put(
		&attack.out, SECTION_AUTHORITY, &name, RRTYPE_SOA, TTL, rdata, sizeof(rdata));
}

static void set_flags(uint16_t flags)
{
	octets_put_u16(
		attack.out.octets + 2, (uint16_t)(octets_get_u16(attack.out.octets + 2) | flags));
}

static void nxdomain(const char *zone)
{
	set_flags(WIRE_FLAG_AA | RCODE_NXDOMAIN);
	put_soa(zone);
}

static bool is_below(const struct message_kit_question *question, const char *zone)
{
	struct name name = name_of(zone);

	return name_is_below(&question->name, &name);
}

/* The root: it refers to evil. and victim., and knows nothing else. */
static bool root_says(const struct message_kit_question *question)
{
	static const struct {
		const char *zone, *server;
		uint32_t address;
	} zones[] = {{"evil.", "ns.evil.", EVIL}, {"victim.", "ns.victim.", VICTIM}};

	for (size_t i = 0; i < sizeof(zones) / sizeof(zones[0]); i++) {
		if (is_below(question, zones[i].zone)) {
			put_name(SECTION_AUTHORITY, zones[i].zone, RRTYPE_NS, zones[i].server);
			put_a(SECTION_ADDITIONAL, zones[i].server, zones[i].address);
			return true;
		}
	}
	set_flags(WIRE_FLAG_AA);
	if (question->name.len == 1 && question->type == RRTYPE_NS) {
		put_name(SECTION_ANSWER, ".", RRTYPE_NS, "ns.root.");
		put_a(SECTION_ADDITIONAL, "ns.root.", ROOT);
	} else {
		put_soa(".");
	}
	return true;
}

static void serve(void *context, struct network *network, const struct network_ask *ask)
{
	struct message_kit_question question;
	uint32_t at = octets_get_u32(ask->to.octets);

	CHECK(context == &attack);
	CHECK(message_kit_read_question(ask->octets, ask->len, &question));
	attack.packets++;
	attack.to_victim += at == VICTIM;
	attack.to_evil += at == EVIL;
	attack.stream = ask->stream;
	message_kit_begin(&attack.out, &question, WIRE_FLAG_QR);
	if (attack.server(&attack, at, &question)) {
		message_kit_end(&attack.out, &question, ask->stream);
		network_reply(network, ask, RTT_US, attack.out.octets, attack.out.len);
	}
}

static void begin(const char *title, attack_server *server)
{
	static const struct name root = {.len = 1};
	struct resolve_config config = RESOLVE_CONFIG_DEFAULT;
	const struct addr addr = {.octets = {10, 0, 0, 1}, .port = 53, .family = ADDR_V4};

	attack.server = server;
	attack.title = title;
	attack.packets = attack.to_victim = attack.to_evil = attack.number = 0;
	checks = hashes = 0;
	publish_register();
	config.ipv6 = false;
	network_init(&attack.network, &config, 1, CACHE_SIZE, serve, &attack);
	CHECK(hints_add(attack.network.hints, HINT_ROOT, &root, &addr, 1, false) == STATUS_OK);
}

static void end(void)
{
	const char *why;

	if (!network_settle(&attack.network, &why)) {
		KIT_NOTE(why);
		CHECK(false);
	}
	network_fini(&attack.network);
	publish_unregister();
}

/* One question is put; the number of its client. */
static uint32_t post(const char *name, uint16_t type)
{
	static struct message_kit message;
	const struct message_kit_question question = {.id = 7,
		.flags = WIRE_FLAG_RD,
		.type = type,
		.edns = true,
		.udp_len = 1232,
		.name = name_of(name)};

	KIT_NOTE(attack.title);
	message_kit_ask(&message, &question);
	return network_query(&attack.network, message.octets, message.len, false);
}

static uint16_t rcode_of(uint32_t client)
{
	static struct message_kit_answer answer;
	const struct network_client *got = &attack.network.clients[client];
	const char *why;

	CHECK(message_kit_read(got->octets, got->len, &answer, &why));
	return answer.rcode;
}

/* One question; its RCODE. What it cost is in attack. */
static uint16_t ask(const char *name, uint16_t type)
{
	uint32_t client = post(name, type);

	CHECK(network_run(&attack.network));
	uint16_t rcode = rcode_of(client);
	print_message(
		"# %s: %u packets, %u of them to the victim; %u checks, %u hash rounds, rcode %u\n",
		attack.title, attack.packets, attack.to_victim, checks, hashes, rcode);
	return rcode;
}

/* ---- others' servers ---- */

static bool many_missing_servers(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	char text[40];

	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	if (at == VICTIM) {
		nxdomain("victim.");
		return true;
	}
	for (uint32_t i = 0; i < 13; i++) {
		snprintf(text, sizeof(text), "ns%u-%u.victim.", attack.number, i);
		put_name(SECTION_AUTHORITY, "x.evil.", RRTYPE_NS, text);
	}
	attack.number++;
	return true;
}

TEST(servers_that_do_not_exist_are_asked_for_a_few_times)
{
	begin("NXNS", many_missing_servers);
	CHECK_U(ask("a.x.evil.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(attack.to_victim <= 2 * RESOLVE_MISSING_MAX);
	CHECK(attack.packets <= 2 * RESOLVE_MISSING_MAX + 6);
	end();
}

/* Each name of a server leads to a delegation with more such names. */
static bool nested_missing_servers(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	char text[60], owner[60];

	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	uint32_t level = ++attack.number;
	struct name zone;
	const uint8_t *suffix =
		name_suffix(&question->name, question->name.label_count < 2 ? 1 : 2);
	zone.len = (uint8_t)(question->name.octets + question->name.len - suffix);
	zone.label_count = question->name.label_count < 2 ? 1 : 2;
	memcpy(zone.octets, suffix, zone.len);
	(void)name_octets_to_text(zone.octets, owner);
	for (uint32_t i = 0; i < 13; i++) {
		snprintf(text, sizeof(text), "ns%u.z%u-%u.evil.", i, level, i);
		put_name(SECTION_AUTHORITY, owner, RRTYPE_NS, text);
	}
	return true;
}

TEST(delegations_that_need_delegations_end)
{
	begin("CAMP, delegations", nested_missing_servers);
	CHECK_U(ask("a.x.evil.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(attack.packets <= RESOLVE_PACKETS_MAX);
	end();
}

static bool each_others_servers(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	if (at == EVIL) {
		put_name(SECTION_AUTHORITY, "x.evil.", RRTYPE_NS, "ns.x.victim.");
		put_name(SECTION_AUTHORITY, "x.evil.", RRTYPE_NS, "ns2.x.victim.");
	} else {
		put_name(SECTION_AUTHORITY, "x.victim.", RRTYPE_NS, "ns.x.evil.");
		put_name(SECTION_AUTHORITY, "x.victim.", RRTYPE_NS, "ns2.x.evil.");
	}
	return true;
}

TEST(zones_that_point_at_each_other_are_left)
{
	begin("TsuNAME", each_others_servers);
	CHECK_U(ask("a.x.evil.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(attack.packets <= 20);
	/* And a client that insists gets the failure that is remembered. */
	uint32_t before = attack.packets;
	CHECK_U(ask("a.x.evil.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK_U(attack.packets, before);
	end();
}

static bool glue_of_nobody(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	static const uint32_t addresses[] = {0x7f000001, 0, 0xe0000001, 0xffffffff};
	char text[20];

	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	CHECK(at == EVIL); /* none of the others is ever asked */
	for (uint32_t i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "ns%u.x.evil.", i);
		put_name(SECTION_AUTHORITY, "x.evil.", RRTYPE_NS, text);
	}
	for (uint32_t i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "ns%u.x.evil.", i);
		put_a(SECTION_ADDITIONAL, text, addresses[i]);
	}
	return true;
}

TEST(glue_that_points_at_ourselves_or_nobody_is_not_followed)
{
	begin("self-pointing glue", glue_of_nobody);
	CHECK_U(ask("a.x.evil.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(attack.packets <= 30);
	end();
}

/* ---- no end ---- */

static bool one_label_more(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	char text[NAME_TEXT_MAX];

	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	/* A cut at every label of what was asked. */
	uint32_t labels = 1 + ++attack.number;
	labels = labels > question->name.label_count ? question->name.label_count : labels;
	(void)name_octets_to_text(name_suffix(&question->name, labels), text);
	put_name(SECTION_AUTHORITY, text, RRTYPE_NS, "ns.evil.");
	put_a(SECTION_ADDITIONAL, "ns.evil.", EVIL);
	return true;
}

TEST(referrals_without_end_end)
{
	char name[NAME_TEXT_MAX] = "";

	for (uint32_t i = 0; i < 120; i++) {
		strcat(name, "a.");
	}
	strcat(name, "evil.");
	begin("endless referrals", one_label_more);
	CHECK_U(ask(name, RRTYPE_A), RCODE_SERVFAIL);
	CHECK(attack.packets <= 40);
	end();
}

static bool one_alias_more(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	char text[NAME_TEXT_MAX], target[40];

	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	set_flags(WIRE_FLAG_AA);
	snprintf(target, sizeof(target), "c%u.evil.", ++attack.number);
	put_name(SECTION_ANSWER, name_to_text(&question->name, text), RRTYPE_CNAME, target);
	return true;
}

TEST(aliases_without_end_end)
{
	begin("endless CNAME", one_alias_more);
	CHECK_U(ask("c.evil.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(attack.packets <= 2 * RESOLVE_ALIASES_MAX + 6);
	end();
}

/* Each alias leads to a zone of its own, whose servers take the longest way. */
static bool aliases_over_delegations(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	char zone[NAME_TEXT_MAX], text[NAME_TEXT_MAX], server[NAME_TEXT_MAX + 20];
	uint32_t labels = question->name.label_count;

	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	if (at == EVIL && labels > 2) {
		(void)name_octets_to_text(name_suffix(&question->name, 2), zone);
		for (uint32_t i = 0; i < 13; i++) {
			snprintf(server, sizeof(server), "ns%u.%s", i, zone);
			put_name(SECTION_AUTHORITY, zone, RRTYPE_NS, server);
		}
		for (uint32_t i = 0; i < 13; i++) {
			snprintf(server, sizeof(server), "ns%u.%s", i, zone);
			/* The last one alone lives. */
			put_a(SECTION_ADDITIONAL, server, 0x0a000100u + (i == 12 ? 99 : i));
		}
		return true;
	}
	if (at == 0x0a000100u + 99) {
		set_flags(WIRE_FLAG_AA);
		snprintf(server, sizeof(server), "a.z%u.evil.", ++attack.number);
		put_name(SECTION_ANSWER, name_to_text(&question->name, text), RRTYPE_CNAME, server);
		return true;
	}
	if (at == EVIL) {
		set_flags(WIRE_FLAG_AA);
		put_soa("evil.");
		return true;
	}
	return SILENCE;
}

TEST(aliases_over_dead_delegations_have_one_budget)
{
	begin("CAMP, aliases", aliases_over_delegations);
	CHECK_U(ask("a.z.evil.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(attack.packets <= RESOLVE_PACKETS_MAX);
	end();
}

static bool dname_to_itself(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	set_flags(WIRE_FLAG_AA);
	put_name(SECTION_ANSWER, "evil.", RRTYPE_DNAME, "a.evil.");
	return true;
}

TEST(dname_that_makes_names_longer_ends)
{
	begin("growing DNAME", dname_to_itself);
	uint16_t rcode = ask("x.evil.", RRTYPE_A);
	CHECK(rcode == RCODE_SERVFAIL || rcode == RCODE_YXDOMAIN);
	CHECK(attack.packets <= 2 * RESOLVE_ALIASES_MAX + 6);
	end();
}

static bool silence(struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	(void)a;
	return at == ROOT ? root_says(question) : SILENCE;
}

TEST(servers_that_never_answer_are_left)
{
	begin("silence", silence);
	CHECK_U(ask("a.evil.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(attack.packets <= 12);
	end();
}

static bool silence_of_many(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	char text[40];

	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	if (at != EVIL) {
		return SILENCE;
	}
	for (uint32_t i = 0; i < 13; i++) {
		snprintf(text, sizeof(text), "ns%u.x.evil.", i);
		put_name(SECTION_AUTHORITY, "x.evil.", RRTYPE_NS, text);
	}
	for (uint32_t i = 0; i < 13; i++) {
		snprintf(text, sizeof(text), "ns%u.x.evil.", i);
		for (uint32_t n = 0; n < 5; n++) {
			put_a(SECTION_ADDITIONAL, text, 0x0a000100u + 8 * i + n);
		}
	}
	return true;
}

TEST(many_servers_that_never_answer_have_one_budget)
{
	begin("silence of many", silence_of_many);
	CHECK_U(ask("a.x.evil.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(attack.packets <= 40);
	end();
}

/* ---- too much of it ---- */

static bool huge(struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	char text[NAME_TEXT_MAX];

	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	if (!attack.stream) {
		set_flags(WIRE_FLAG_TC);
		return true;
	}
	set_flags(WIRE_FLAG_AA);
	struct name owner = question->name;
	uint8_t rdata[256] = {255};
	for (uint32_t i = 0; attack.out.len < 64000; i++) {
		octets_put_u32(rdata + 1, i);
		message_kit_put(&attack.out, SECTION_ANSWER, &owner, RRTYPE_TXT, TTL, rdata, 256);
	}
	if (question->type != RRTYPE_TXT) {
		message_kit_begin(&attack.out, question, WIRE_FLAG_QR | WIRE_FLAG_AA);
		put_name(SECTION_ANSWER, name_to_text(&owner, text), RRTYPE_CNAME, "b.evil.");
	}
	return true;
}

TEST(a_set_of_64_kib_is_told_and_no_more_of_them)
{
	begin("huge responses", huge);
	uint16_t rcode = ask("a.evil.", RRTYPE_TXT);
	CHECK(rcode == RCODE_NOERROR);
	CHECK(attack.packets <= 8);
	end();
}

static bool huge_aliases(struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	char text[NAME_TEXT_MAX], target[40];
	static const struct name pad = {.len = 1};
	uint8_t rdata[256] = {255};

	(void)a;
	if (at == ROOT) {
		return root_says(question);
	}
	if (!attack.stream) {
		set_flags(WIRE_FLAG_TC);
		return true;
	}
	set_flags(WIRE_FLAG_AA);
	snprintf(target, sizeof(target), "c%u.evil.", ++attack.number);
	put_name(SECTION_ANSWER, name_to_text(&question->name, text), RRTYPE_CNAME, target);
	for (uint32_t i = 0; attack.out.len < 64000; i++) {
		octets_put_u32(rdata + 1, i);
		message_kit_put(&attack.out, SECTION_ADDITIONAL, &pad, RRTYPE_TXT, TTL, rdata, 256);
	}
	return true;
}

TEST(octets_have_a_budget)
{
	begin("huge responses, one after the other", huge_aliases);
	CHECK_U(ask("a.evil.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(attack.number <= RESOLVE_OCTETS_MAX / 64000 + 1);
	end();
}

TEST(the_longest_name_takes_no_more_steps_than_another)
{
	char name[NAME_TEXT_MAX] = "";

	for (uint32_t i = 0; i < 122; i++) {
		strcat(name, "a.");
	}
	strcat(name, "evil.");
	begin("long names", many_missing_servers);
	attack.server = one_alias_more;
	(void)ask(name, RRTYPE_A);
	CHECK(attack.packets <= 10 + 2 * RESOLVE_ALIASES_MAX + 6);
	end();
}

TEST(clients_of_one_question_cost_as_much_as_one)
{
	static struct message_kit message;
	struct message_kit_question question = {
		.flags = WIRE_FLAG_RD, .type = RRTYPE_A, .name = name_of("a.evil.")};

	begin("one question of many clients", one_alias_more);
	for (uint32_t i = 0; i < CLIENTS; i++) {
		question.id = (uint16_t)i;
		message_kit_ask(&message, &question);
		(void)network_query(&attack.network, message.octets, message.len, false);
	}
	CHECK(network_run(&attack.network));
	for (uint32_t i = 0; i < CLIENTS; i++) {
		CHECK_U(octets_get_u16(attack.network.clients[i].octets), i);
	}
	print_message("# %s: %u packets for %u\n", attack.title, attack.packets, CLIENTS);
	CHECK(attack.packets <= 2 * RESOLVE_ALIASES_MAX + 6);
	end();
}

/* ---- signatures ---- */

#define KEYS_MANY 40u
#define SIGS_MANY 60u

static uint8_t trap_keys[KEYS_MANY][SIGNER_DNSKEY_LEN];

/* Keys that are none, all with one tag; the last one is real, and its DS the anchor. */
static void make_trap_keys(void)
{
	signer_dnskey(0, trap_keys[KEYS_MANY - 1]);
	for (uint32_t i = 0; i + 1 < KEYS_MANY; i++) {
		uint8_t *key = trap_keys[i];
		const struct rrset_rdata rdata = {.octets = key, .len = SIGNER_DNSKEY_LEN};
		const struct rrset_rdata real = {
			.octets = trap_keys[KEYS_MANY - 1], .len = SIGNER_DNSKEY_LEN};
		signer_dnskey(1 + i % (SIGNER_KEYS - 1), key);
		octets_put_u16(key + 10, (uint16_t)i);
		/* The last two octets make the tag what it has to be. */
		for (uint32_t at = 0; at < 65536 && keyset_tag(&rdata) != keyset_tag(&real); at++) {
			octets_put_u16(key + SIGNER_DNSKEY_LEN - 2, (uint16_t)at);
		}
		CHECK_U(keyset_tag(&rdata), keyset_tag(&real));
	}
}

static int compare_keys(const void *a, const void *b)
{
	return memcmp(a, b, SIGNER_DNSKEY_LEN);
}

static void anchor_root(void)
{
	static const struct name root = {.len = 1};
	const struct diag_sink sink = {.report = NULL};
	uint8_t key[SIGNER_DNSKEY_LEN], ds[KEYSET_DS_LEN];
	char text[160];

	signer_dnskey(0, key);
	const struct rrset_rdata rdata = {.octets = key, .len = sizeof(key)};
	CHECK(keyset_make_ds(&root, &rdata, ds));
	int len = snprintf(text, sizeof(text), ". DS %u %u %u ", octets_get_u16(ds), ds[2], ds[3]);
	for (uint32_t i = 4; i < sizeof(ds); i++) {
		len += snprintf(text + len, sizeof(text) - (size_t)len, "%02x", ds[i]);
	}
	CHECK(anchors_add_text(attack.network.anchors, "anchor", text, (size_t)len, &sink) ==
		STATUS_OK);
}

static const struct signer_terms root_terms = {.zone = &(const struct name){.len = 1},
	.key = 0,
	.inception = NETWORK_EPOCH_S - HOUR_S,
	.expiration = NETWORK_EPOCH_S + HOUR_S,
	.ttl = TTL};

/* A set of one record in the root, signed. */
static void put_signed(enum wire_section section, const struct name *owner, uint16_t type,
	const uint8_t *rdata, uint32_t len)
{
	const struct signer_rdata record = {.octets = rdata, .len = len};
	uint8_t sig[SIGNER_SIG_MAX];
	uint32_t sig_len = signer_sign(&root_terms, owner, type, &record, 1, sig);

	message_kit_put(&attack.out, section, owner, type, TTL, rdata, len);
	message_kit_put(&attack.out, section, owner, RRTYPE_RRSIG, TTL, sig, sig_len);
}

static void put_root_key(const struct name *owner)
{
	uint8_t key[SIGNER_DNSKEY_LEN];

	signer_dnskey(0, key);
	put_signed(SECTION_ANSWER, owner, RRTYPE_DNSKEY, key, sizeof(key));
}

static bool key_trap(struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	struct signer_rdata records[KEYS_MANY];
	uint8_t sig[SIGNER_SIG_MAX];
	struct name owner = question->name;

	(void)a;
	CHECK(at == ROOT);
	if (!attack.stream) {
		set_flags(WIRE_FLAG_TC);
		return true;
	}
	set_flags(WIRE_FLAG_AA);
	if (question->type == RRTYPE_DNSKEY) {
		qsort(trap_keys, KEYS_MANY, SIGNER_DNSKEY_LEN, compare_keys);
		for (uint32_t i = 0; i < KEYS_MANY; i++) {
			records[i] = (struct signer_rdata){
				.octets = trap_keys[i], .len = SIGNER_DNSKEY_LEN};
			message_kit_put(&attack.out, SECTION_ANSWER, &owner, RRTYPE_DNSKEY, TTL,
				trap_keys[i], SIGNER_DNSKEY_LEN);
		}
		uint32_t len =
			signer_sign(&root_terms, &owner, RRTYPE_DNSKEY, records, KEYS_MANY, sig);
		message_kit_put(&attack.out, SECTION_ANSWER, &owner, RRTYPE_RRSIG, TTL, sig, len);
		return true;
	}
	uint8_t address[4] = {192, 0, 2, 1};
	message_kit_put(&attack.out, SECTION_ANSWER, &owner, RRTYPE_A, TTL, address, 4);
	const struct signer_rdata record = {.octets = address, .len = 4};
	uint32_t len = signer_sign(&root_terms, &owner, RRTYPE_A, &record, 1, sig);
	for (uint32_t i = 0; i < SIGS_MANY; i++) {
		octets_put_u16(sig + len - 8, (uint16_t)i);
		message_kit_put(&attack.out, SECTION_ANSWER, &owner, RRTYPE_RRSIG, TTL, sig, len);
	}
	return true;
}

TEST(keys_of_one_tag_and_many_signatures_are_tried_a_few_times)
{
	make_trap_keys();
	begin("KeyTrap", key_trap);
	anchor_root();
	CHECK_U(ask("a.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(checks <= RESOLVE_FAILURES_MAX + 8);
	CHECK(attack.packets <= 24);
	end();
}

static bool one_set_trap(struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	(void)a;
	if (question->type == RRTYPE_DNSKEY) {
		set_flags(WIRE_FLAG_AA);
		put_root_key(&question->name);
		return true;
	}
	return key_trap(a, at, question);
}

TEST(many_signatures_of_a_good_key_are_tried_a_few_times)
{
	begin("SigJam", one_set_trap);
	anchor_root();
	CHECK_U(ask("a.", RRTYPE_A), RCODE_SERVFAIL);
	CHECK(checks <= RESOLVE_FAILURES_MAX + 2);
	end();
}

static bool signed_names(struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	static const uint8_t address[4] = {192, 0, 2, 1};

	(void)a;
	CHECK(at == ROOT);
	set_flags(WIRE_FLAG_AA);
	if (question->type == RRTYPE_DNSKEY) {
		put_root_key(&question->name);
	} else {
		put_signed(SECTION_ANSWER, &question->name, RRTYPE_A, address, sizeof(address));
	}
	return true;
}

/* All responses come at one time; who is answered from the cache is not to wait until all of them are checked. */
TEST(checks_are_spread_over_turns)
{
	static struct message_kit message;
	struct message_kit_question question = {
		.flags = WIRE_FLAG_RD, .type = RRTYPE_A, .edns = true, .udp_len = 1232};

	begin("many signed names at once", signed_names);
	anchor_root();
	for (uint32_t i = 0; i < CLIENTS; i++) {
		char name[16];
		snprintf(name, sizeof(name), "n%u.", i);
		question.name = name_of(name);
		message_kit_ask(&message, &question);
		(void)network_query(&attack.network, message.octets, message.len, false);
	}
	CHECK(network_run(&attack.network));
	print_message("# %s: %u checks, at most %" PRIu64 " a turn\n", attack.title, checks,
		attack.network.turn_checks_most);
	CHECK(checks >= CLIENTS);
	CHECK(attack.network.turn_checks_most >= JOB_CHECKS_A_TURN);
	CHECK(attack.network.turn_checks_most < JOB_CHECKS_A_TURN + RESOLVE_CHECKS_MAX);
	end();
}

static const struct name child = {.len = 5, .label_count = 2, .octets = {1, 'c', 1, 'b', 0}};

static const struct signer_terms child_terms = {.zone = &child,
	.key = 1,
	.inception = NETWORK_EPOCH_S - HOUR_S,
	.expiration = NETWORK_EPOCH_S + HOUR_S,
	.ttl = TTL};

static void put_child_signed(
	const struct name *owner, uint16_t type, const uint8_t *rdata, uint32_t len)
{
	const struct signer_rdata record = {.octets = rdata, .len = len};
	uint8_t sig[SIGNER_SIG_MAX];
	uint32_t sig_len = signer_sign(&child_terms, owner, type, &record, 1, sig);

	message_kit_put(&attack.out, SECTION_ANSWER, owner, type, TTL, rdata, len);
	message_kit_put(&attack.out, SECTION_ANSWER, owner, RRTYPE_RRSIG, TTL, sig, sig_len);
}

/* The root and its child c.b. on one server; between them b., an alias whose signature is broken. */
static bool broken_between(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	static const uint8_t address[4] = {192, 0, 2, 1};
	uint8_t key[SIGNER_DNSKEY_LEN], ds[KEYSET_DS_LEN];
	const struct name *owner = &question->name;

	(void)a;
	CHECK(at == ROOT);
	set_flags(WIRE_FLAG_AA);
	signer_dnskey(1, key);
	const struct rrset_rdata rdata = {.octets = key, .len = sizeof(key)};
	CHECK(keyset_make_ds(&child, &rdata, ds));
	if (owner->label_count == 1) { /* b. */
		const struct name target = name_of("elsewhere.");
		put_signed(SECTION_ANSWER, owner, RRTYPE_CNAME, target.octets, target.len);
		attack.out.octets[attack.out.len - 1] ^= 1;
	} else if (question->type == RRTYPE_DNSKEY) {
		if (owner->label_count == 0) {
			put_root_key(owner);
		} else {
			put_child_signed(owner, RRTYPE_DNSKEY, key, sizeof(key));
		}
	} else if (question->type == RRTYPE_DS) {
		put_signed(SECTION_ANSWER, owner, RRTYPE_DS, ds, sizeof(ds));
	} else {
		put_child_signed(owner, RRTYPE_A, address, sizeof(address));
	}
	return true;
}

/* Seed 10097046 of the simulated internet: what is broken beside the chain does not break it. */
TEST(a_broken_name_between_two_zones_is_passed_over)
{
	begin("broken between", broken_between);
	anchor_root();
	CHECK_U(ask("a.c.b.", RRTYPE_A), RCODE_NOERROR);
	CHECK(attack.packets <= 20);
	end();
}

/* A denial with NSEC3 records whose hashes take long. */
static uint16_t trap_iterations;

static bool hash_trap(struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	static const struct name root = {.len = 1};
	uint8_t soa[22] = {0};
	uint8_t rdata[5 + 1 + SHA1_LEN] = {1, 0};
	char owner[40] = NSEC3_OWNER ".";

	(void)a;
	CHECK(at == ROOT);
	set_flags(WIRE_FLAG_AA);
	if (question->type == RRTYPE_DNSKEY) {
		put_root_key(&question->name);
		return true;
	}
	set_flags(RCODE_NXDOMAIN);
	soa[21] = 60;
	put_signed(SECTION_AUTHORITY, &root, RRTYPE_SOA, soa, sizeof(soa));
	octets_put_u16(rdata + 2, trap_iterations);
	rdata[5] = SHA1_LEN;
	for (uint32_t i = 0; i < 3; i++) {
		owner[0] = (char)('0' + i);
		struct name name = name_of(owner);
		put_signed(SECTION_AUTHORITY, &name, RRTYPE_NSEC3, rdata, sizeof(rdata));
	}
	return true;
}

TEST(nsec3_with_many_iterations_is_not_hashed)
{
	char name[NAME_TEXT_MAX] = "";

	for (uint32_t i = 0; i < 122; i++) {
		strcat(name, "a.");
	}
	trap_iterations = 2500;
	begin("NSEC3, 2500 iterations", hash_trap);
	anchor_root();
	CHECK_U(ask(name, RRTYPE_A), RCODE_NXDOMAIN); /* insecure, RFC 9276 sec 3.2 */
	CHECK_U(hashes, 0);
	end();
}

TEST(nsec3_of_long_names_has_a_budget)
{
	char name[NAME_TEXT_MAX] = "";

	for (uint32_t i = 0; i < 122; i++) {
		strcat(name, "a.");
	}
	trap_iterations = 50;
	begin("NSEC3, 122 labels", hash_trap);
	anchor_root();
	CHECK_U(ask(name, RRTYPE_A), RCODE_SERVFAIL);
	CHECK(hashes <= RESOLVE_HASHES_MAX * 51);
	CHECK(checks <= RESOLVE_CHECKS_MAX);
	end();
}

/* One NSEC from the root's own name to zz.: nothing lies between. */
static bool nothing_below_zz(
	struct attack *a, uint32_t at, const struct message_kit_question *question)
{
	static const struct name root = {.len = 1};
	static const uint8_t soa[22] = {[21] = 60};
	/* zz. | NS SOA RRSIG NSEC DNSKEY */
	static const uint8_t nsec[] = {2, 'z', 'z', 0, 0, 7, 0x22, 0, 0, 0, 0, 0x03, 0x80};

	(void)a;
	CHECK(at == ROOT);
	set_flags(WIRE_FLAG_AA);
	if (question->type == RRTYPE_DNSKEY) {
		put_root_key(&question->name);
		return true;
	}
	set_flags(RCODE_NXDOMAIN);
	put_signed(SECTION_AUTHORITY, &root, RRTYPE_SOA, soa, sizeof(soa));
	put_signed(SECTION_AUTHORITY, &root, RRTYPE_NSEC, nsec, sizeof(nsec));
	return true;
}

/* Random names below a zone whose proofs are known cost neither packets nor checks nor a place, so a full core denies them. */
TEST(what_known_proofs_deny_takes_no_place)
{
	begin("random names", nothing_below_zz);
	anchor_root();
	CHECK_U(ask("first.", RRTYPE_A), RCODE_NXDOMAIN);
	uint32_t packets = attack.packets, checked = checks;
	for (uint32_t i = 0; i < CLIENTS; i++) {
		char text[32];
		snprintf(text, sizeof(text), "x%u.y%u.", i, i);
		uint32_t client = post(text, RRTYPE_A);
		CHECK_U(attack.network.core->jobs.count, 0);
		CHECK_U(rcode_of(client), RCODE_NXDOMAIN);
	}
	CHECK_U(attack.packets, packets);
	CHECK_U(checks, checked);
	end();
}
