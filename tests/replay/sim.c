/* sim.c - many small internets, each with its questions: every answer is held against the truth.
 *
 *     sim [--seed N] [--count N] [--verbose]
 *
 * Scenario N of a run is that of seed N alone: `sim --seed N --count 1 --verbose` shows it again, packet by packet.
 *
 * A resolver may fail while servers do; who asks again a little later, as stubs do, must get the answer. Nothing may hang,
 * and when all is quiet nothing may be left. One scenario in eight ends in the midst of its work instead.
 *
 * In a third of the worlds data change, servers vanish for a while, and hours pass. Whoever was answered once is answered
 * from what has expired then, within the time that a client has (RFC 8767), and not when that is too long ago.
 *
 * Some resolvers forward a zone or all of them, have a stub zone, a negative trust anchor, or DNS64.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/publish.h"
#include "dnssec/keyset.h"
#include "replay/authority.h"
#include "replay/message_kit.h"
#include "replay/network.h"
#include "replay/truth.h"
#include "replay/verifier.h"
#include "replay/world.h"
#include "resolve/query.h"
#include "wire/rrtype.h"

#define CACHE_SIZE    (4u << 20)
#define BURST_MAX     4u
#define AGAIN_MAX     8u
#define AGAIN_MS      6000u /* a failure is remembered for less */
#define COUNT_DEFAULT 1000u
#define TOLD_MOST     20u /* failures that are printed */
#define KNOWN_MAX     8u  /* questions that were answered, of which may be asked again */
#define CHANGES_MAX   12u /* between two bursts */
#define SLACK_MS      2
#define PASS_MAX_MS   (20 * 86400000ll) /* signatures last longer */
/* Of questions that have an answer, those that a client may have to repeat, in a thousand. */
#define AGAIN_PER_MILLE 60u

static const char *const labels[] = {
	"a", "b", "c", "www", "mail", "x", "e", "dn", "ns1", "z1", "q"};

struct asked {
	uint64_t sent; /* packets for it, where it says that none may be */
	struct message_kit_question question;
	struct truth truth;
	uint32_t client;
	bool stream;
};

/* A question that was answered, out of the cache or for it. */
struct known {
	struct name name;
	uint16_t type;
	int64_t at_ms;
};

struct totals {
	uint64_t scenarios, questions, again, hits, secure, failed, packets, checks, denied,
		aliases, cut, stale, due, changes, gone, verified, forwarded, stubs, made, any,
		unrecursive, twice, untrusted;
	uint64_t wrong;
};

struct sim {
	struct world world;
	struct network network;
	struct random random; /* for questions */
	struct message_kit message;
	struct message_kit_answer answer;
	uint64_t seed;
	bool verbose;
	bool is_moving; /* things happen in this world */
	/* Forwarded to resolvers that do not answer, without another way: nothing below can be had. */
	const struct world_zone *lost;
	struct resolve_config config;
	uint32_t known_count;
	struct known known[KNOWN_MAX];
	struct totals totals;
};

static uint32_t below(struct sim *sim, uint32_t bound)
{
	return random_below(&sim->random, bound);
}

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/* ---- telling ---- */

static void tell_question(const struct message_kit_question *question)
{
	char text[NAME_TEXT_MAX], type[RRTYPE_TEXT_MAX];

	printf("%s %s%s%s%s", name_to_text(&question->name, text),
		rrtype_to_text(question->type, type), question->dnssec_ok ? " DO" : "",
		(question->flags & WIRE_FLAG_CD) != 0 ? " CD" : "",
		(question->flags & WIRE_FLAG_AD) != 0 ? " AD" : "");
}

static void tell_message(struct sim *sim, const uint8_t *octets, uint32_t len)
{
	static const char *const sections[] = {"answer", "authority", "additional"};
	const struct message_kit_answer *answer = &sim->answer;
	char text[NAME_TEXT_MAX], type[RRTYPE_TEXT_MAX];
	const char *why;

	if (!message_kit_read(octets, len, &sim->answer, &why)) {
		printf("    unreadable: %s\n", why);
		return;
	}
	printf("    flags %04x rcode %u ede %d len %u\n", answer->question.flags, answer->rcode,
		answer->ede, len);
	for (uint32_t i = 0; i < answer->count; i++) {
		const struct message_kit_record *record = &answer->records[i];
		printf("    %-10s %s %u %s (%u octets)", sections[record->section],
			name_to_text(&record->owner, text), record->ttl,
			rrtype_to_text(record->type, type), record->rdata_len);
		if (record->type == RRTYPE_CNAME || record->type == RRTYPE_NS ||
			record->type == RRTYPE_DNAME || record->type == RRTYPE_NSEC) {
			(void)name_octets_to_text(record->rdata, text);
			printf(" %s", text);
		}
		printf("\n");
	}
}

static void tell_world(const struct world *world)
{
	static const char *const signing[] = {"unsigned", "NSEC", "NSEC3", "opt-out"};
	static const char *const faults[] = {
		"", " expired", " not yet", " corrupt", " stripped", " wrong DS", " unknown DS"};
	static const char *const statuses[] = {"secure", "insecure", "bogus"};
	static const char *const manners[WORLD_MANNERS] = {"good", "slow", "lossy", "spoofed",
		"truncates", "chatty", "liar", "reorders", "formerrs", "refers", "no-edns", "dead",
		"refuses", "fails", "upward", "garbled", "breaks", "no-stream"};
	char text[NAME_TEXT_MAX];

	for (uint32_t i = 0; i < world->zone_count; i++) {
		const struct world_zone *zone = &world->zones[i];
		printf("zone %s %s%s%s, %s%s:", name_to_text(&zone->name, text),
			signing[zone->signing], zone->has_ds ? " with DS" : "", faults[zone->fault],
			statuses[zone->status], zone->unreachable ? ", unreachable" : "");
		for (uint32_t h = 0; h < zone->host_count; h++) {
			const struct world_host *host = &world->hosts[zone->hosts[h]];
			printf(" %s %s", name_to_text(&host->name, text), manners[host->manner]);
		}
		printf("\n");
	}
}

static void serve(void *context, struct network *network, const struct network_ask *ask)
{
	struct sim *sim = context;

	if (sim->verbose) {
		struct message_kit_question question;
		char text[ADDR_TEXT_MAX];
		ASSERT(message_kit_read_question(ask->octets, ask->len, &question));
		printf("  %8.3f to %s%s: ", (double)(network->now.mono_ns / 1000000) / 1000.0,
			addr_to_text(&ask->to, text), ask->stream ? " stream" : "");
		tell_question(&question);
		printf("\n");
	}
	authority_serve(&sim->world, network, ask);
	for (uint32_t i = 0; sim->verbose && i < network->delivery_count; i++) {
		const struct network_delivery *reply = &network->deliveries[i];
		if (reply->exchange == ask->exchange && !reply->failed) {
			tell_message(sim, reply->octets, reply->len);
		}
	}
}

static void tell_wrong(struct sim *sim, const struct asked *asked, const char *why)
{
	const struct network_client *client = &sim->network.clients[asked->client];
	const struct truth *truth = &asked->truth;

	if (sim->totals.wrong++ >= TOLD_MOST) {
		return;
	}
	printf("seed %llu: ", (unsigned long long)sim->seed);
	tell_question(&asked->question);
	printf("%s: %s\n    truth: rcode %u%s%s%s%s, %u parts\n", client->from_hit ? " (hit)" : "",
		why, truth->rcode, truth->secure ? " secure" : "", truth->bogus ? " bogus" : "",
		truth->unreachable ? " unreachable" : "", truth->unclear ? " unclear" : "",
		truth->part_count);
	if (client->answered) {
		tell_message(sim, client->octets, client->len);
	}
}

/* ---- a scenario ---- */

/* 2001:db8:64::/96; addresses in worlds are too private for the well-known prefix. */
static const uint8_t dns64_prefix[12] = {0x20, 0x01, 0x0d, 0xb8, 0, 0x64};

static void add_forwarders(struct sim *sim)
{
	static const enum world_manner manners[] = {
		WORLD_GOOD, WORLD_GOOD, WORLD_SLOW, WORLD_FAILS, WORLD_DEAD};
	struct world *world = &sim->world;
	const struct world_zone *zone =
		&world->zones[below(sim, 2) == 0 ? 0 : below(sim, world->zone_count)];
	struct addr addrs[WORLD_FORWARDERS];
	bool fall_back = below(sim, 2) == 0, lost = !fall_back;

	for (uint32_t i = 0; i < WORLD_FORWARDERS; i++) {
		world->forwarders[i] = manners[below(sim, COUNT(manners))];
		lost &= world->forwarders[i] > WORLD_SLOW;
		addrs[i] = (struct addr){.port = 53, .family = ADDR_V4};
		world_forwarder(i, addrs[i].octets);
	}
	ASSERT(hints_add(sim->network.hints, HINT_FORWARD, &zone->name, addrs, WORLD_FORWARDERS,
		       fall_back) == STATUS_OK);
	sim->lost = lost ? zone : NULL;
	sim->totals.forwarded++;
}

/* The servers of a zone are known beforehand. */
static void add_stub(struct sim *sim)
{
	const struct world_zone *zone = &sim->world.zones[below(sim, sim->world.zone_count)];
	struct addr addrs[WORLD_A_ZONE_MAX];

	if (zone->unreachable || zone->name.len == 1) {
		return;
	}
	for (uint32_t i = 0; i < zone->host_count; i++) {
		addrs[i] = (struct addr){.port = 53, .family = ADDR_V4};
		world_address(zone->hosts[i], false, addrs[i].octets);
	}
	ASSERT(hints_add(sim->network.hints, HINT_STUB, &zone->name, addrs, zone->host_count,
		       false) == STATUS_OK);
	sim->totals.stubs++;
}

/* A negative trust anchor (RFC 7646). */
static void distrust(struct sim *sim)
{
	struct world *world = &sim->world;
	const struct world_zone *zone = &world->zones[below(sim, world->zone_count)];

	if (zone->name.len == 1) {
		return;
	}
	ASSERT(anchors_add_negative(sim->network.anchors, &zone->name) == STATUS_OK);
	for (uint32_t i = 0; i < world->zone_count; i++) {
		if (name_is_below(&world->zones[i].name, &zone->name)) {
			world->zones[i].status = WORLD_INSECURE;
		}
	}
	sim->totals.untrusted++;
}

static void set_up(struct sim *sim)
{
	struct world *world = &sim->world;
	const struct world_zone *root = &world->zones[0];
	static const struct name root_name = {.len = 1};
	struct addr addrs[WORLD_A_ZONE_MAX];
	uint8_t key[SIGNER_DNSKEY_LEN], ds[KEYSET_DS_LEN];
	char text[160];

	world_make(world, sim->seed, NETWORK_EPOCH_S);
	random_init(&sim->random, ~sim->seed);
	struct resolve_config *config = &sim->config;
	*config = RESOLVE_CONFIG_DEFAULT;
	config->minimise = below(sim, 5) != 0;
	config->aggressive = below(sim, 5) != 0;
	config->ipv6 = below(sim, 5) < 3;
	sim->is_moving = below(sim, 3) == 0;
	if (sim->is_moving) {
		static const uint32_t stale_s[] = {0, 600, 86400, 86400};
		config->stale_s = stale_s[below(sim, COUNT(stale_s))];
	}
	sim->known_count = 0;
	config->dns64.len = 0;
	if (!sim->is_moving && below(sim, 6) == 0) {
		memcpy(config->dns64.octets, dns64_prefix, sizeof(dns64_prefix));
		config->dns64.len = 8 * sizeof(dns64_prefix);
	}
	network_init(&sim->network, config, sim->seed, CACHE_SIZE, serve, sim);
	sim->network.use_hits = below(sim, 5) != 0;
	for (uint32_t i = 0; i < root->host_count; i++) {
		addrs[i] = (struct addr){.port = 53, .family = ADDR_V4};
		world_address(root->hosts[i], false, addrs[i].octets);
	}
	ASSERT(hints_add(sim->network.hints, HINT_ROOT, &root_name, addrs, root->host_count,
		       false) == STATUS_OK);
	if (root->signing != WORLD_UNSIGNED) {
		signer_dnskey(root->key, key);
		const struct rrset_rdata rdata = {.octets = key, .len = sizeof(key)};
		ASSERT(keyset_make_ds(&root_name, &rdata, ds));
		int len = snprintf(
			text, sizeof(text), ". DS %u %u %u ", octets_get_u16(ds), ds[2], ds[3]);
		for (uint32_t i = 4; i < sizeof(ds); i++) {
			len += snprintf(text + len, sizeof(text) - (size_t)len, "%02x", ds[i]);
		}
		const struct diag_sink sink = {.report = NULL};
		ASSERT(anchors_add_text(sim->network.anchors, "anchor", text, (size_t)len, &sink) ==
			STATUS_OK);
	}
	sim->lost = NULL;
	if (below(sim, 6) == 0) {
		add_forwarders(sim);
	} else if (below(sim, 6) == 0) {
		add_stub(sim);
	}
	if (below(sim, 6) == 0) {
		distrust(sim);
	}
	if (sim->verbose) {
		tell_world(world);
	}
}

/* Mostly what is there; and names near it. */
static void choose_name(struct sim *sim, struct message_kit_question *question)
{
	const struct world *world = &sim->world;
	const struct world_zone *zone = &world->zones[below(sim, world->zone_count)];
	uint32_t depth = below(sim, 3);
	struct name *out = &question->name;
	uint8_t octets[64];

	*out = zone->name;
	if (below(sim, 10) < 7) {
		const struct world_set *set = &zone->sets[below(sim, zone->set_count)];
		*out = set->owner;
		question->type = below(sim, 2) == 0 && set->type != RRTYPE_CNAME ? set->type
										 : question->type;
		depth = set->type == RRTYPE_DNAME || below(sim, 6) == 0 ? 1 : 0;
	}
	while (depth-- > 0) {
		const char *label = labels[below(sim, COUNT(labels))];
		octets[0] = (uint8_t)strlen(label);
		memcpy(octets + 1, label, octets[0]);
		struct name base = *out;
		ASSERT(name_join(octets, octets[0] + 1u, 1, &base, out) == WIRE_OK);
	}
}

static bool is_below_dname(struct world *world, const struct name *name)
{
	uint32_t zone = world_zone_of(world, name, RRTYPE_A);
	struct world_found found;

	world_find(world, zone, name, RRTYPE_A, &found);
	return found.kind == WORLD_DNAME;
}

static void choose_question(struct sim *sim, struct message_kit_question *out)
{
	static const uint16_t types[] = {RRTYPE_A, RRTYPE_A, RRTYPE_A, RRTYPE_A, RRTYPE_AAAA,
		RRTYPE_AAAA, RRTYPE_TXT, RRTYPE_MX, RRTYPE_NS, RRTYPE_SOA, RRTYPE_DS, RRTYPE_DS,
		RRTYPE_DNSKEY, RRTYPE_CNAME, RRTYPE_DNAME, 65399};
	static const uint16_t sizes[] = {4096, 1232, 1232, 512, 100};

	*out = (struct message_kit_question){.id = (uint16_t)below(sim, 65536),
		.type = types[below(sim, COUNT(types))],
		.edns = below(sim, 6) != 0,
		.udp_len = sizes[below(sim, COUNT(sizes))]};
	choose_name(sim, out);
	uint32_t rare = is_below_dname(&sim->world, &out->name) ? 4 : 25;
	if (!sim->is_moving && below(sim, rare) == 0) {
		out->type = RRTYPE_ANY;
	}
	out->dnssec_ok = out->edns && below(sim, 2) == 0;
	out->flags = (uint16_t)((below(sim, 15) != 0 ? WIRE_FLAG_RD : 0) |
				(below(sim, 7) == 0 ? WIRE_FLAG_CD : 0) |
				(below(sim, 3) == 0 ? WIRE_FLAG_AD : 0));
}

static void ask(struct sim *sim, struct asked *asked)
{
	struct message_kit_question question = asked->question;

	/* Letters are as the client has them. */
	for (uint32_t i = 0; i < question.name.len; i++) {
		if (islower(question.name.octets[i]) && below(sim, 4) == 0) {
			question.name.octets[i] = (uint8_t)toupper(question.name.octets[i]);
		}
	}
	message_kit_ask(&sim->message, &question);
	if (sim->verbose) {
		printf("%10.3f ask ", (double)(sim->network.now.mono_ns / 1000000) / 1000.0);
		tell_question(&asked->question);
		printf("\n");
	}
	const struct resolve_counters before = *resolve_counters(sim->network.core);
	asked->client =
		network_query(&sim->network, sim->message.octets, sim->message.len, asked->stream);
	sim->totals.hits += sim->network.clients[asked->client].from_hit;
	if ((question.flags & WIRE_FLAG_RD) == 0) {
		sim->totals.unrecursive++;
		/* What is about to expire is renewed in the same step. */
		const struct resolve_counters *after = resolve_counters(sim->network.core);
		uint64_t sent = after->sent - before.sent;
		uint64_t prefetched = after->prefetched - before.prefetched;
		asked->sent = sent > prefetched ? sent - prefetched : 0;
	}
}

/* What is right for this question, asked of this resolver. */
static void find_truth(struct sim *sim, struct asked *asked)
{
	const struct message_kit_question *question = &asked->question;
	struct truth *truth = &asked->truth;
	bool checks = (question->flags & WIRE_FLAG_CD) != 0 && question->dnssec_ok;

	truth_find(&sim->world, &question->name, question->type, truth);
	for (uint32_t i = 0; sim->lost != NULL && i < truth->part_count; i++) {
		const struct name *name = &truth->parts[i].name;
		bool above = question->type == RRTYPE_DS && name->len > 1 &&
			     name_equal(name, &sim->lost->name);
		truth->unreachable |= name_is_below(name, &sim->lost->name) && !above;
	}
	/* Who checks for himself gets what is there (RFC 6147 sec 5.5). */
	if (sim->config.dns64.len != 0 && question->type == RRTYPE_AAAA && !checks) {
		truth_make(&sim->world, dns64_prefix, truth);
		sim->totals.made +=
			truth->part_count > 0 && truth->parts[truth->part_count - 1].is_made;
	}
	sim->totals.any += truth->is_any;
}

/* What any answer has to be, whatever it says; NULL: all is well. */
static const char *check_form(const struct asked *asked, const struct network_client *client,
	const struct message_kit_answer *answer)
{
	const struct message_kit_question *question = &asked->question;
	uint16_t flags = answer->question.flags;
	uint16_t same = WIRE_FLAG_RD | WIRE_FLAG_CD | WIRE_OPCODE_MASK;
	uint32_t limit = question->edns && question->udp_len > WIRE_UDP_LEN_MIN ? question->udp_len
										: WIRE_UDP_LEN_MIN;

	if (answer->question.id != question->id || answer->question.type != question->type ||
		!name_equal(&answer->question.name, &question->name)) {
		return "an answer to another question";
	}
	if ((flags & (WIRE_FLAG_QR | WIRE_FLAG_RA | WIRE_FLAG_AA)) !=
			(WIRE_FLAG_QR | WIRE_FLAG_RA) ||
		(flags & same) != (question->flags & same)) {
		return "flags";
	}
	if (answer->edns != question->edns || answer->question.dnssec_ok != question->dnssec_ok) {
		return "EDNS";
	}
	return !asked->stream && client->len > limit ? "longer than the client takes" : NULL;
}

static int64_t ms_of(uint64_t mono_ns)
{
	return (int64_t)(mono_ns / NOW_NS_A_MILLISECOND);
}

static int64_t now_ms(const struct sim *sim)
{
	return ms_of(sim->network.now.mono_ns);
}

/* What the cache must know, though it may have expired. */
static bool is_due(const struct sim *sim, const struct asked *asked)
{
	int64_t asked_ms = ms_of(sim->network.clients[asked->client].asked_ns);

	for (uint32_t i = 0; i < sim->known_count; i++) {
		const struct known *known = &sim->known[i];
		if (known->type == asked->question.type &&
			name_equal(&known->name, &asked->question.name)) {
			return (asked->question.flags & WIRE_FLAG_CD) == 0 &&
			       known->at_ms < asked_ms &&
			       known->at_ms + (sim->config.stale_s - 1) * (int64_t)1000 >
				       now_ms(sim);
		}
	}
	return false;
}

static bool is_spoilt(const struct sim *sim, const struct truth *truth)
{
	for (uint32_t i = 0; i < truth->part_count; i++) {
		if (world_has_manner(&sim->world, &truth->parts[i].name, WORLD_BREAKS)) {
			return true;
		}
	}
	return false;
}

static void forget_known(struct sim *sim, const struct message_kit_question *question)
{
	for (uint32_t i = 0; i < sim->known_count; i++) {
		if (name_equal(&sim->known[i].name, &question->name)) {
			sim->known[i--] = sim->known[--sim->known_count];
		}
	}
}

/* Denials out of other proofs are not kept; aliases of names whose DS is asked for are looked up each time. */
static void remember(struct sim *sim, const struct asked *asked, bool stale)
{
	const struct truth *truth = &asked->truth;
	const struct message_kit_question *question = &asked->question;

	forget_known(sim, question);
	enum world_kind last = truth->parts[truth->part_count - 1].found.kind;
	bool denial = last == WORLD_NODATA || last == WORLD_NXDOMAIN;
	if (sim->is_moving && !stale && !truth->unclear && !truth->unreachable && !truth->bogus &&
		(question->flags & WIRE_FLAG_CD) == 0 && !(denial && sim->config.aggressive) &&
		!(question->type == RRTYPE_DS && truth->part_count > 1) &&
		sim->config.stale_s > 0 && sim->known_count < KNOWN_MAX) {
		sim->known[sim->known_count++] = (struct known){.name = question->name,
			.type = question->type,
			.at_ms = ms_of(sim->network.clients[asked->client].answered_ns)};
	}
}

#define EDE_STALE    3
#define EDE_STALE_NX 19

/* Who has EDNS is told what is stale; for others somebody was given such. */
static bool is_stale(const struct message_kit_answer *answer, bool somebody)
{
	return answer->edns ? answer->ede == EDE_STALE || answer->ede == EDE_STALE_NX : somebody;
}

static const char *judge(struct sim *sim, struct asked *asked, bool stale, bool *cut)
{
	const struct network_client *client = &sim->network.clients[asked->client];
	struct truth_client how = {.stream = asked->stream,
		.cd = (asked->question.flags & WIRE_FLAG_CD) != 0,
		.ad = (asked->question.flags & WIRE_FLAG_AD) != 0,
		.dnssec_ok = asked->question.dnssec_ok,
		.stale_ms = sim->config.stale_s * (int64_t)1000,
		.now_ms = ms_of(client->answered_ns)};
	const char *why;

	*cut = false;
	if (!client->answered) {
		return "no word in time";
	}
	if (!message_kit_read(client->octets, client->len, &sim->answer, &why)) {
		return why;
	}
	why = check_form(asked, client, &sim->answer);
	if (why == NULL && (asked->question.flags & WIRE_FLAG_RD) == 0) {
		if (asked->sent > 0 || client->answered_ns != client->asked_ns) {
			return "servers asked, without RD";
		}
		if (sim->answer.rcode == RCODE_REFUSED || sim->answer.rcode == RCODE_SERVFAIL) {
			return NULL;
		}
	}
	if (why == NULL && (sim->answer.question.flags & WIRE_FLAG_TC) != 0) {
		*cut = true;
		return asked->stream ? "cut, over a stream"
				     : truth_compare_cut(&asked->truth, &sim->answer);
	}
	if (why != NULL) {
		return why;
	}
	how.stale = is_stale(&sim->answer, stale && !how.cd);
	if (how.stale && (sim->config.stale_s == 0 || how.cd)) {
		return "stale, and not wanted";
	}
	why = truth_compare(&sim->world, &asked->truth, &how, &sim->answer);
	/* Where nobody else is there than who spoils signatures, an answer is bogus, and not stale. */
	bool due = is_due(sim, asked) && !is_spoilt(sim, &asked->truth);
	bool whole = world_is_whole(&sim->world) && sim->lost == NULL;
	if (why != NULL && strcmp(why, TRUTH_NO_ANSWER) == 0 && !whole) {
		sim->totals.gone++;
		return due ? "no answer, though it was known" : NULL;
	}
	if (why != NULL) {
		return why;
	}
	if (how.dnssec_ok && !how.cd && !how.stale && !asked->truth.unclear &&
		sim->answer.rcode != RCODE_SERVFAIL) {
		sim->totals.verified++;
		why = verifier_check(&sim->world, &asked->truth, asked->question.type,
			client->octets, client->len, sim->network.now.wall_s);
		if (why != NULL) {
			return why;
		}
	}
	sim->totals.stale += how.stale;
	sim->totals.due += due && how.stale;
	if (due && client->answered_ns - client->asked_ns >
			   (QUERY_STALE_AFTER_MS + SLACK_MS) * NOW_NS_A_MILLISECOND) {
		return "known, and late";
	}
	if (sim->answer.rcode != RCODE_SERVFAIL) {
		remember(sim, asked, how.stale || !whole);
	}
	return NULL;
}

static void count_answer(struct sim *sim, const struct asked *asked)
{
	const struct truth *truth = &asked->truth;
	enum world_kind last = truth->part_count > 0
				       ? truth->parts[truth->part_count - 1].found.kind
				       : WORLD_ANSWER;

	sim->totals.questions++;
	sim->totals.secure += truth->secure && !truth->unreachable;
	sim->totals.failed += truth->unreachable || truth->bogus;
	sim->totals.denied += last == WORLD_NODATA || last == WORLD_NXDOMAIN;
	sim->totals.aliases += truth->part_count > 1;
}

/* One question of those that were asked together has been answered: is it right, now or when it is asked again? */
static void follow_up(struct sim *sim, struct asked *asked, bool stale)
{
	bool cut;
	const char *why = judge(sim, asked, stale, &cut);

	for (uint32_t i = 0;
		i < AGAIN_MAX && (cut || (why != NULL && strcmp(why, TRUTH_NO_ANSWER) == 0)); i++) {
		if (cut) {
			asked->stream = true;
			sim->totals.cut++;
		} else {
			sim->totals.again++;
			network_pass(&sim->network, AGAIN_MS);
		}
		network_forget(&sim->network);
		uint64_t before = resolve_counters(sim->network.core)->stale;
		ask(sim, asked);
		(void)network_run(&sim->network);
		stale = resolve_counters(sim->network.core)->stale != before;
		why = judge(sim, asked, stale, &cut);
	}
	count_answer(sim, asked);
	if (why != NULL) {
		tell_wrong(sim, asked, why);
	} else if (sim->verbose) {
		const struct network_client *client = &sim->network.clients[asked->client];
		tell_message(sim, client->octets, client->len);
	}
}

static void ask_burst(struct sim *sim, struct message_kit_question *before)
{
	struct asked asked[BURST_MAX];
	uint32_t count = 1 + (below(sim, 3) == 0 ? below(sim, BURST_MAX) : 0);
	uint64_t stale_before = resolve_counters(sim->network.core)->stale;

	for (uint32_t i = 0; i < count; i++) {
		asked[i].stream = below(sim, 10) == 0;
		choose_question(sim, &asked[i].question);
		/* What was asked before is asked again: out of the cache, with other flags. */
		if (before->name.len != 0 && below(sim, 3) == 0) {
			asked[i].question.name = before->name;
			asked[i].question.type = before->type;
		}
		if (sim->known_count > 0 && !world_is_whole(&sim->world) && below(sim, 4) > 0) {
			const struct known *known = &sim->known[below(sim, sim->known_count)];
			asked[i].question.name = known->name;
			asked[i].question.type = known->type;
		}
		/* Who has no answer yet asks once more. */
		if (i > 0 && below(sim, 6) == 0) {
			asked[i] = asked[i - 1];
			sim->totals.twice++;
		}
		find_truth(sim, &asked[i]);
		ask(sim, &asked[i]);
		*before = asked[i].question;
	}
	(void)network_run(&sim->network);
	bool stale = resolve_counters(sim->network.core)->stale != stale_before;
	bool again[BURST_MAX];
	for (uint32_t i = 0; i < count; i++) {
		const char *why = judge(sim, &asked[i], stale, &again[i]);
		again[i] |= why != NULL && strcmp(why, TRUTH_NO_ANSWER) == 0;
		if (!again[i]) {
			follow_up(sim, &asked[i], stale);
		}
	}
	/* The first of these forgets all answers. */
	for (uint32_t i = 0; i < count; i++) {
		if (again[i]) {
			network_forget(&sim->network);
			stale_before = resolve_counters(sim->network.core)->stale;
			ask(sim, &asked[i]);
			(void)network_run(&sim->network);
			follow_up(sim, &asked[i],
				resolve_counters(sim->network.core)->stale != stale_before);
		}
	}
	network_forget(&sim->network);
}

/* Data change, servers go and come, hours pass. */
static void move(struct sim *sim, int64_t *passed_ms)
{
	static const uint32_t pauses_min[] = {0, 0, 2, 6, 30, 90, 600, 1500, 2900};
	struct world *world = &sim->world;

	for (uint32_t i = below(sim, CHANGES_MAX); i > 0; i--) {
		sim->totals.changes += world_change(world, now_ms(sim));
	}
	if (!world_is_whole(world)) {
		if (below(sim, 2) == 0) {
			world_mend(world);
		}
	} else if (below(sim, 3) == 0) {
		uint32_t zone = below(sim, 2) == 0 ? below(sim, world->zone_count) : UINT32_MAX;
		world_break(world, zone, now_ms(sim));
	}
	int64_t ms = pauses_min[below(sim, COUNT(pauses_min))] * (int64_t)60000;
	if (*passed_ms + ms < PASS_MAX_MS) {
		*passed_ms += ms;
		network_pass(&sim->network, (uint64_t)ms);
	}
	if (sim->verbose) {
		printf("%10.3f servers are %s\n",
			(double)(sim->network.now.mono_ns / 1000000) / 1000.0,
			world_is_whole(world) ? "there" : "gone");
	}
}

static void run_scenario(struct sim *sim)
{
	int64_t passed_ms = 0;
	static const uint32_t pauses_ms[] = {0, 0, 0, 50, 2000, 7000, 45000, 400000, 4000000};
	struct message_kit_question before = {.name = {.len = 0}};
	uint64_t wrong = sim->totals.wrong;
	const char *why;

	set_up(sim);
	uint32_t bursts = 4 + below(sim, 10);
	for (uint32_t i = 0; i < bursts && sim->totals.wrong == wrong; i++) {
		ask_burst(sim, &before);
		network_pass(&sim->network, pauses_ms[below(sim, COUNT(pauses_ms))]);
		if (sim->is_moving) {
			move(sim, &passed_ms);
		}
	}
	if (sim->seed % 8 == 0 && sim->totals.wrong == wrong) {
		struct asked asked = {.stream = false};
		for (uint32_t i = 0; i < BURST_MAX; i++) {
			choose_question(sim, &asked.question);
			ask(sim, &asked);
		}
		network_pass(&sim->network, below(sim, 300));
	} else if (sim->totals.wrong == wrong && !network_settle(&sim->network, &why)) {
		sim->totals.wrong++;
		printf("seed %llu: %s\n", (unsigned long long)sim->seed, why);
	}
	sim->totals.scenarios++;
	sim->totals.packets += resolve_counters(sim->network.core)->sent;
	sim->totals.checks += resolve_counters(sim->network.core)->checks;
	network_fini(&sim->network);
	world_fini(&sim->world);
}

static void tell_totals(const struct totals *totals)
{
	printf("# %llu questions: %llu aliases, %llu denials, %llu secure, %llu that fail, %llu "
	       "cut; %llu hits, "
	       "%llu asked again\n",
		(unsigned long long)totals->questions, (unsigned long long)totals->aliases,
		(unsigned long long)totals->denied, (unsigned long long)totals->secure,
		(unsigned long long)totals->failed, (unsigned long long)totals->cut,
		(unsigned long long)totals->hits, (unsigned long long)totals->again);
	printf("# %llu changes of data; servers gone: %llu stale answers, %llu of them due, %llu "
	       "failures\n",
		(unsigned long long)totals->changes, (unsigned long long)totals->stale,
		(unsigned long long)totals->due, (unsigned long long)totals->gone);
	printf("# %llu answers verified again; %llu asked twice at once, %llu without RD, %llu for "
	       "ANY, "
	       "%llu made by DNS64\n",
		(unsigned long long)totals->verified, (unsigned long long)totals->twice,
		(unsigned long long)totals->unrecursive, (unsigned long long)totals->any,
		(unsigned long long)totals->made);
	printf("# scenarios with forwarders %llu, stub zones %llu, negative anchors %llu\n",
		(unsigned long long)totals->forwarded, (unsigned long long)totals->stubs,
		(unsigned long long)totals->untrusted);
	printf("# %.2f packets and %.2f signature checks a question\n",
		(double)totals->packets / (double)totals->questions,
		(double)totals->checks / (double)totals->questions);
}

/* A run that no longer reaches some kind of question tests nothing. */
static bool is_wide(const struct totals *totals)
{
	uint64_t n = totals->questions;

	return totals->scenarios < COUNT_DEFAULT ||
	       (totals->aliases > n / 40 && totals->denied > n / 6 && totals->secure > n / 10 &&
		       totals->failed > n / 30 && totals->hits > n / 300 && totals->cut > n / 400 &&
		       totals->due > n / 600 && totals->stale > n / 200 && totals->gone > n / 20 &&
		       totals->verified > n / 10 && totals->made > n / 1000 &&
		       totals->any > n / 100 && totals->unrecursive > n / 50 &&
		       totals->twice > n / 60 && totals->forwarded > totals->scenarios / 10 &&
		       totals->stubs > totals->scenarios / 20 &&
		       totals->untrusted > totals->scenarios / 20);
}

int main(int argc, char **argv)
{
	static struct sim sim;
	uint64_t first = 1, count = COUNT_DEFAULT;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--verbose") == 0) {
			sim.verbose = true;
		} else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc) {
			first = strtoull(argv[++i], NULL, 10);
		} else if (strcmp(argv[i], "--count") == 0 && i + 1 < argc) {
			count = strtoull(argv[++i], NULL, 10);
		} else {
			fprintf(stderr, "usage: sim [--seed N] [--count N] [--verbose]\n");
			return 2;
		}
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..3\n");
	publish_register();
	for (uint64_t i = 0; i < count; i++) {
		sim.seed = first + i;
		run_scenario(&sim);
	}
	publish_unregister();
	signer_fini();
	const struct totals *totals = &sim.totals;
	bool patient = totals->again * 1000 <= totals->questions * AGAIN_PER_MILLE ||
		       count < COUNT_DEFAULT;
	tell_totals(totals);
	printf("%sok 1 - %llu scenarios, %llu wrong\n", totals->wrong == 0 ? "" : "not ",
		(unsigned long long)totals->scenarios, (unsigned long long)totals->wrong);
	printf("%sok 2 - all kinds of questions are asked\n", is_wide(totals) ? "" : "not ");
	printf("%sok 3 - few questions have to be asked again\n", patient ? "" : "not ");
	return totals->wrong != 0 || !is_wide(totals) || !patient;
}
