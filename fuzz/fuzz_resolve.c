/* fuzz_resolve.c - a resolver among servers that answer anything: the octets decide what each says, and when.
 *
 * Whatever they say, every client has an answer in time that parses, and nothing stays behind. Nothing is signed, but
 * there is an anchor in half of the runs: then no answer may be called secure.
 */
#include <stdlib.h>
#include <string.h>

#include "base/octets.h"
#include "base/publish.h"
#include "replay/message_kit.h"
#include "replay/network.h"
#include "wire/rrtype.h"

#define CACHE_SIZE  (2u << 20)
#define CLIENTS_MAX 4u
#define RECORDS_MAX 8u
#define ASKS_MAX    400u /* then nobody answers any more: four clients of 100 packets each are over */

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len);

struct feed {
	const uint8_t *octets;
	size_t len, at;
	uint32_t asks;
	bool anchored;
	struct message_kit out;
};

static struct feed feed;

static void must(bool holds)
{
	if (!holds) {
		abort();
	}
}

static uint8_t take(void)
{
	return feed.at < feed.len ? feed.octets[feed.at++] : 0;
}

/* A name near the one that was asked for: some of its labels, with others before. */
static void take_name(const struct name *near, struct name *out)
{
	static const char *const labels[] = {"a", "b", "ns", "*", "com", "\3www", "x", "evil"};
	uint8_t choice = take();
	uint32_t keep = choice % 8;
	struct name base;

	keep = keep > near->label_count ? near->label_count : keep;
	const uint8_t *suffix = name_suffix(near, keep);
	base.len = (uint8_t)(near->octets + near->len - suffix);
	base.label_count = (uint8_t)keep;
	memcpy(base.octets, suffix, base.len);
	for (uint32_t i = choice / 8 % 4; i > 0; i--) {
		const char *label = labels[take() % 8];
		uint8_t octets[64];
		struct name longer;
		octets[0] = (uint8_t)strlen(label);
		memcpy(octets + 1, label, octets[0]);
		if (name_join(octets, octets[0] + 1u, 1, &base, &longer) == WIRE_OK) {
			base = longer;
		}
	}
	*out = base;
}

static void put_record(const struct message_kit_question *question, enum wire_section section)
{
	static const uint16_t types[] = {RRTYPE_A, RRTYPE_NS, RRTYPE_CNAME, RRTYPE_SOA,
		RRTYPE_DNAME, RRTYPE_AAAA, RRTYPE_DS, RRTYPE_DNSKEY, RRTYPE_RRSIG, RRTYPE_NSEC,
		RRTYPE_NSEC3, RRTYPE_TXT, RRTYPE_MX};
	struct name owner, target;
	uint8_t rdata[2 * NAME_LEN_MAX + 64] = {0};
	uint32_t len = 0;
	uint8_t choice = take();
	uint16_t type = types[choice % 13];

	take_name(&question->name, &owner);
	take_name(&question->name, &target);
	switch (type) {
	case RRTYPE_A:
		rdata[0] = 10;
		rdata[3] = take() % 8;
		len = 4;
		break;
	case RRTYPE_AAAA:
		rdata[0] = 0xfd;
		rdata[15] = take() % 8;
		len = 16;
		break;
	case RRTYPE_SOA:
		memcpy(rdata, target.octets, target.len);
		len = target.len + 21u;
		rdata[len - 1] = take();
		break;
	case RRTYPE_NS:
	case RRTYPE_CNAME:
	case RRTYPE_DNAME:
		memcpy(rdata, target.octets, target.len);
		len = target.len;
		break;
	case RRTYPE_MX:
		memcpy(rdata + 2, target.octets, target.len);
		len = target.len + 2u;
		break;
	case RRTYPE_NSEC:
		memcpy(rdata, target.octets, target.len);
		len = target.len;
		rdata[len + 1] = 1;
		rdata[len + 2] = (uint8_t)(take() | 1);
		len += 3;
		break;
	case RRTYPE_RRSIG:
		octets_put_u16(rdata, types[take() % 13]);
		rdata[2] = 13;
		rdata[3] = take() % 6;
		octets_put_u32(rdata + 8, UINT32_MAX / 2);
		memcpy(rdata + 18, target.octets, target.len);
		len = 18u + target.len + 64;
		break;
	default:
		len = take() % 70;
		for (uint32_t i = 0; i < len; i++) {
			rdata[i] = take();
		}
		break;
	}
	message_kit_put(&feed.out, section, &owner, type, take() * 4u, rdata, len);
}

/* Records of a small grammar, which get further than noise. */
static void say_records(const struct message_kit_question *question)
{
	uint8_t counts = take();
	uint16_t flags = (uint16_t)(WIRE_FLAG_QR | take() % 8);

	flags |= (counts & 0x80) != 0 ? WIRE_FLAG_AA : 0;
	flags |= (counts & 0xe0) == 0xe0 ? WIRE_FLAG_TC : 0;
	message_kit_begin(&feed.out, question, flags);
	for (uint32_t i = 0; i < (counts & 3); i++) {
		put_record(question, SECTION_ANSWER);
	}
	for (uint32_t i = 0; i < (counts >> 2 & 3); i++) {
		put_record(question, SECTION_AUTHORITY);
	}
	for (uint32_t i = 0; i < (counts >> 4 & 1) * RECORDS_MAX; i++) {
		put_record(question, SECTION_ADDITIONAL);
	}
}

/* Octets of the input behind a true head and question. */
static void say_noise(const struct message_kit_question *question)
{
	uint32_t len = take() * 2u;

	message_kit_begin(&feed.out, question, WIRE_FLAG_QR | WIRE_FLAG_AA);
	for (uint32_t i = 6; i < WIRE_HEADER_LEN; i++) {
		feed.out.octets[i] = i % 2 == 1 ? take() % 8 : 0;
	}
	for (uint32_t i = 0; i < len; i++) {
		feed.out.octets[feed.out.len++] = take();
	}
}

static void serve(void *context, struct network *network, const struct network_ask *ask)
{
	struct message_kit_question question;
	uint8_t choice = take();
	uint64_t delay_us = 1000u + (choice & 0xf0) * 1000u;

	(void)context;
	must(message_kit_read_question(ask->octets, ask->len, &question));
	if (++feed.asks > ASKS_MAX || feed.at >= feed.len) {
		return;
	}
	switch (choice % 8) {
	case 0:
		return;
	case 1:
		network_refuse(network, ask, delay_us);
		return;
	case 2:
		say_noise(&question);
		break;
	case 3: {
		/* Nothing of it is true. */
		uint32_t len = take();
		feed.out.len = len;
		for (uint32_t i = 0; i < len; i++) {
			feed.out.octets[i] = take();
		}
		break;
	}
	default:
		say_records(&question);
		break;
	}
	network_reply(network, ask, delay_us, feed.out.octets, feed.out.len);
	if ((choice & 8) != 0) {
		network_reply(network, ask, delay_us / 2, feed.out.octets, feed.out.len);
	}
}

static void ask_some(struct network *network)
{
	static const uint16_t types[] = {RRTYPE_A, RRTYPE_NS, RRTYPE_DS, RRTYPE_CNAME, RRTYPE_TXT,
		RRTYPE_ANY, RRTYPE_SOA, RRTYPE_DNSKEY, RRTYPE_RRSIG};
	static const struct name base = {.len = 12,
		.label_count = 3,
		.octets = {1, 'a', 4, 'e', 'v', 'i', 'l', 3, 'c', 'o', 'm', 0}};
	static struct message_kit message;
	uint32_t count = 1 + take() % CLIENTS_MAX;

	for (uint32_t i = 0; i < count; i++) {
		const struct name near = base;
		uint8_t flags = take();
		struct message_kit_question question = {
			.id = (uint16_t)i, .flags = WIRE_FLAG_RD, .udp_len = 1232};
		question.flags |= (flags & 1) != 0 ? WIRE_FLAG_CD : 0;
		question.edns = (flags & 2) != 0;
		question.dnssec_ok = (flags & 6) == 6;
		question.type = types[take() % 9];
		take_name(&near, &question.name);
		message_kit_ask(&message, &question);
		(void)network_query(network, message.octets, message.len, (flags & 8) != 0);
	}
}

static void check_answers(const struct network *network)
{
	static struct message_kit_answer answer;

	for (uint32_t i = 0; i < network->client_count; i++) {
		const struct network_client *client = &network->clients[i];
		const char *why;
		must(client->answered);
		must(message_kit_read(client->octets, client->len, &answer, &why));
		must(answer.question.id == i);
		must((answer.question.flags & WIRE_FLAG_AD) == 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *octets, size_t len)
{
	static struct network network;
	static bool registered;
	static const struct name root = {.len = 1};
	static const char anchor[] =
		". DS 20326 8 2 E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D";
	const struct addr addr = {.octets = {10, 0, 0, 1}, .port = 53, .family = ADDR_V4};
	struct resolve_config config = RESOLVE_CONFIG_DEFAULT;
	const char *why;

	if (!registered) {
		publish_register();
		registered = true;
	}
	feed = (struct feed){.octets = octets, .len = len};
	uint8_t options = take();
	config.minimise = (options & 1) != 0;
	config.ipv6 = (options & 2) != 0;
	network_init(&network, &config, options, CACHE_SIZE, serve, NULL);
	network.use_hits = true;
	must(hints_add(network.hints, HINT_ROOT, &root, &addr, 1, false) == STATUS_OK);
	if ((options & 4) != 0) {
		const struct diag_sink sink = {.report = NULL};
		must(anchors_add_text(network.anchors, "anchor", anchor, sizeof(anchor) - 1,
			     &sink) == STATUS_OK);
	}
	for (uint32_t round = 1 + (options >> 4) % 4; round > 0; round--) {
		ask_some(&network);
		if ((options & 8) != 0 && round == 1) {
			network_pass(&network, take()); /* the end comes in the midst of it */
			network_fini(&network);
			return 0;
		}
		must(network_run(&network));
		check_answers(&network);
		network_forget(&network);
		network_pass(&network, take() * 100u);
	}
	must(network_settle(&network, &why));
	network_fini(&network);
	return 0;
}
