/* fuzz_validator.c - signed answers with octets changed on the way: what is false is never called secure.
 *
 * The first octets choose a world (tests/replay/world.h) and questions, the others what is changed in what its servers
 * say. An answer with AD has to be the truth; without it, it may be anything that parses.
 *
 * Worlds are kept from input to input, for they are what takes the time: signatures above all, which so stay the same, too.
 */
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
#include "replay/world.h"
#include "wire/rrtype.h"

#define CACHE_SIZE    (2u << 20)
#define QUESTIONS_MAX 4u
#define WORLDS_KEPT   16u /* some 3 MB each */

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

/* A world, and its choices as they were before the first question. */
static struct {
	bool is_made;
	uint64_t seed;
	struct random random;
	struct world world;
} kept[WORLDS_KEPT];

static struct {
	struct world *world;
	struct network network;
	struct message_kit message;
	struct message_kit_answer answer;
	const uint8_t *octets;
	size_t len, at;
} run;

static void must(bool holds)
{
	if (!holds) {
		abort();
	}
}

static uint8_t take(void)
{
	return run.at < run.len ? run.octets[run.at++] : 0;
}

/* A few octets behind the question are others. */
static void change(uint8_t *octets, uint32_t len)
{
	for (uint32_t count = take() % 4; count > 0 && len > WIRE_HEADER_LEN; count--) {
		uint32_t at = (uint32_t)(take() << 8 | take()) % (len - 2) + 2;
		octets[at] ^= take();
	}
}

static void serve(void *context, struct network *network, const struct network_ask *ask)
{
	uint32_t before = network->delivery_count;

	(void)context;
	authority_serve(run.world, network, ask);
	for (uint32_t i = 0; i < network->delivery_count; i++) {
		struct network_delivery *reply = &network->deliveries[i];
		bool fresh = network->delivery_count > before && reply->exchange == ask->exchange;
		if (fresh && !reply->failed) {
			change(reply->octets, reply->len);
		}
	}
}

/* The world of a seed, as it was made. */
static void take_world(uint64_t seed)
{
	uint32_t place = (uint32_t)(seed % WORLDS_KEPT);

	run.world = &kept[place].world;
	if (!kept[place].is_made || kept[place].seed != seed) {
		if (kept[place].is_made) {
			world_fini(run.world);
		}
		world_make(run.world, seed, NETWORK_EPOCH_S);
		kept[place].is_made = true;
		kept[place].seed = seed;
		kept[place].random = run.world->random;
	}
	run.world->random = kept[place].random;
}

static void anchor_root(void)
{
	static const struct name root = {.len = 1};
	const struct diag_sink sink = {.report = NULL};
	uint8_t key[SIGNER_DNSKEY_LEN], ds[KEYSET_DS_LEN];
	char text[160];

	signer_dnskey(run.world->zones[0].key, key);
	const struct rrset_rdata rdata = {.octets = key, .len = sizeof(key)};
	must(keyset_make_ds(&root, &rdata, ds));
	int len = snprintf(text, sizeof(text), ". DS %u %u %u ", octets_get_u16(ds), ds[2], ds[3]);
	for (uint32_t i = 4; i < sizeof(ds); i++) {
		len += snprintf(text + len, sizeof(text) - (size_t)len, "%02x", ds[i]);
	}
	must(anchors_add_text(run.network.anchors, "anchor", text, (size_t)len, &sink) ==
		STATUS_OK);
}

static void choose_question(struct message_kit_question *out)
{
	static const uint16_t types[] = {
		RRTYPE_A, RRTYPE_DS, RRTYPE_TXT, RRTYPE_CNAME, RRTYPE_DNSKEY};
	const struct world_zone *zone = &run.world->zones[take() % run.world->zone_count];
	const struct world_set *set = &zone->sets[take() % zone->set_count];
	uint8_t choice = take();

	*out = (struct message_kit_question){.flags = WIRE_FLAG_RD,
		.type = (choice & 1) != 0 ? set->type : types[choice / 2 % 5],
		.edns = true,
		.dnssec_ok = true,
		.udp_len = 4096,
		.name = set->owner};
	if ((choice & 0x40) != 0) {
		uint8_t label[2] = {1, (uint8_t)('a' + choice % 4)};
		must(name_join(label, 2, 1, &set->owner, &out->name) == WIRE_OK);
	}
}

static void check(const struct message_kit_question *question, uint32_t number)
{
	const struct network_client *client = &run.network.clients[number];
	const struct truth_client how = {.dnssec_ok = true};
	struct truth truth;
	const char *why;

	must(client->answered);
	must(message_kit_read(client->octets, client->len, &run.answer, &why));
	if ((run.answer.question.flags & (WIRE_FLAG_AD | WIRE_FLAG_TC)) != WIRE_FLAG_AD) {
		return;
	}
	truth_find(run.world, &question->name, question->type, &truth);
	why = truth.unclear ? NULL : truth_compare(run.world, &truth, &how, &run.answer);
	/* A SOA may be lost on the way. */
	if (why != NULL && strcmp(why, "no SOA with a denial") != 0) {
		fprintf(stderr, "secure, and false: %s\n", why);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	static const struct name root = {.len = 1};
	static bool registered;
	struct resolve_config config = RESOLVE_CONFIG_DEFAULT;
	struct addr addr = {.port = 53, .family = ADDR_V4};

	if (len < 6) {
		return 0;
	}
	if (!registered) {
		publish_register();
		registered = true;
	}
	run.octets = octets;
	run.len = len;
	run.at = 0;
	uint64_t seed = (uint64_t)take() << 8 | take();
	take_world(seed);
	network_init(&run.network, &config, seed, CACHE_SIZE, serve, NULL);
	world_address(run.world->zones[0].hosts[0], false, addr.octets);
	must(hints_add(run.network.hints, HINT_ROOT, &root, &addr, 1, false) == STATUS_OK);
	if (run.world->zones[0].signing != WORLD_UNSIGNED) {
		anchor_root();
	}
	for (uint32_t count = 1 + take() % QUESTIONS_MAX; count > 0; count--) {
		struct message_kit_question question;
		choose_question(&question);
		message_kit_ask(&run.message, &question);
		uint32_t number =
			network_query(&run.network, run.message.octets, run.message.len, false);
		must(network_run(&run.network));
		check(&question, number);
		network_pass(&run.network, take() * 100u);
	}
	network_fini(&run.network);
	return 0;
}
