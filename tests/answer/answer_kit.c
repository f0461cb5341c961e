/* answer_kit.c - zones from text, questions from text, answers as text. */
#include "answer/answer_kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer.h"
#include "base/octets.h"
#include "base/publish.h"
#include "kit/kit.h"
#include "wire/name.h"
#include "wire/rdata.h"
#include "wire/rrtype.h"
#include "zone/load.h"
#include "zone/zone.h"
#include "zonefile/rdata_text.h"

#define MESSAGE_MAX 65535u
#define UDP_SLOT    2048u
#define ZONES_MAX   16u

struct answer_kit {
	struct hash_key key;
	struct zone *zones[ZONES_MAX];
	uint32_t count;
	struct zone_set *set;
	struct published published;
	struct answerer *answerer;
	uint8_t fast[MESSAGE_MAX];
	uint8_t full[MESSAGE_MAX];
	uint8_t rdata[MESSAGE_MAX];
	char rdata_text[RDATA_TEXT_MAX];
	char text[ANSWER_KIT_TEXT_MAX];
	uint32_t text_len;
};

static void parse_name(const char *text, struct name *out)
{
	struct name root = {.len = 1, .octets = {0}};

	CHECK_U(name_from_text(text, (uint32_t)strlen(text), &root, out), WIRE_OK);
}

/* Random zones are full of what deserves a warning. */
static void print_error_only(void *context, const struct diag *diag)
{
	if (diag->level == DIAG_ERROR) {
		diag_print(context, diag);
	}
}

struct answer_kit *answer_kit_new(const char *const *zones, uint32_t count)
{
	struct answer_kit *kit = calloc(1, sizeof(*kit));
	const struct diag_sink sink = {.report = print_error_only, .context = stderr};
	const struct answer_config config = ANSWER_CONFIG_DEFAULT;

	struct load *load = load_new();

	CHECK(kit != NULL && load != NULL && count <= ZONES_MAX);
	kit->key = (struct hash_key){{0x0123456789abcdefu, 0xfedcba9876543210u}};
	kit->count = count;
	for (uint32_t i = 0; i < count; i++) {
		struct name name;
		struct image *image;
		const char *text = zones[2 * i + 1];

		parse_name(zones[2 * i], &name);
		kit->zones[i] = zone_new(&name);
		CHECK(kit->zones[i] != NULL);
		if (text != NULL) {
			CHECK_U(load_octets(load, "test zone", text, strlen(text), &name, &kit->key,
					&sink, &image),
				STATUS_OK);
			zone_publish(kit->zones[i], image);
		}
	}
	load_free(load);
	kit->set = zone_set_new(&kit->key, kit->zones, count);
	publish_set(&kit->published, kit->set);
	kit->answerer = answerer_new(&kit->published, &config);
	CHECK(kit->set != NULL && kit->answerer != NULL);
	return kit;
}

void answer_kit_free(struct answer_kit *kit)
{
	answerer_free(kit->answerer);
	zone_set_free(kit->set);
	for (uint32_t i = 0; i < kit->count; i++) {
		zone_free(kit->zones[i]);
	}
	free(kit);
}

uint32_t answer_kit_send(struct answer_kit *kit, const uint8_t *query, uint32_t len,
	enum request_transport transport, uint8_t *out, uint32_t cap)
{
	uint32_t room = transport == REQUEST_UDP ? UDP_SLOT : MESSAGE_MAX;
	struct request fast = {
		.octets = kit->fast, .len = len, .cap = room, .transport = (uint8_t)transport};
	struct request full = fast;
	struct now now = {0};

	full.octets = kit->full;
	memcpy(kit->fast, query, len);
	memcpy(kit->full, query, len);
	answer_batch(kit->answerer, &fast, 1, now);
	answer_full(kit->answerer, &full, now);
	CHECK_OCTETS(kit->fast, fast.answer_len, kit->full, full.answer_len);
	CHECK(fast.answer_len <= room && fast.answer_len <= cap);
	memcpy(out, kit->fast, fast.answer_len);
	return fast.answer_len;
}

uint32_t answer_kit_query(const char *question, uint8_t *out, enum request_transport *transport_out)
{
	char name_text[NAME_TEXT_MAX], type_text[RRTYPE_TEXT_MAX];
	struct name name;
	uint16_t type;
	uint32_t edns = 0;
	bool with_do = strstr(question, "+do") != NULL;
	const char *size = strstr(question, "+edns=");

	CHECK(sscanf(question, "%1000s %15s", name_text, type_text) == 2);
	parse_name(name_text, &name);
	CHECK(rrtype_from_text(type_text, (uint32_t)strlen(type_text), &type));
	*transport_out = strstr(question, "+tcp") != NULL ? REQUEST_TCP : REQUEST_UDP;
	edns = size != NULL ? (uint32_t)atoi(size + 6) : with_do ? 1232 : 0;
	memset(out, 0, WIRE_HEADER_LEN);
	out[0] = 0x47;
	out[1] = 0x11;
	out[5] = 1;
	memcpy(out + WIRE_HEADER_LEN, name.octets, name.len);
	uint32_t at = WIRE_HEADER_LEN + name.len;
	octets_put_u16(out + at, type);
	octets_put_u16(out + at + 2, CLASS_IN);
	at += 4;
	if (edns != 0) {
		out[11] = 1;
		out[at] = 0;
		octets_put_u16(out + at + 1, RRTYPE_OPT);
		octets_put_u16(out + at + 3, (uint16_t)edns);
		octets_put_u32(out + at + 5, with_do ? 0x8000 : 0);
		octets_put_u16(out + at + 9, 0);
		at += 11;
	}
	return at;
}

static void PRINTF(2, 3) say(struct answer_kit *kit, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int len = vsnprintf(
		kit->text + kit->text_len, ANSWER_KIT_TEXT_MAX - kit->text_len, format, args);
	va_end(args);
	CHECK(len >= 0 && kit->text_len + (uint32_t)len < ANSWER_KIT_TEXT_MAX);
	kit->text_len += (uint32_t)len;
}

static void read_record(struct answer_kit *kit, struct reader *msg, const char *section)
{
	struct name owner;
	uint16_t type = 0, class = 0, rdlength = 0;
	uint32_t ttl = 0, len = 0;
	char owner_text[NAME_TEXT_MAX], type_text[RRTYPE_TEXT_MAX];

	CHECK_U(name_parse(msg, &owner), WIRE_OK);
	CHECK(reader_u16(msg, &type) && reader_u16(msg, &class) && reader_u32(msg, &ttl) &&
		reader_u16(msg, &rdlength));
	if (type == RRTYPE_OPT) {
		CHECK(reader_skip(msg, rdlength));
		say(kit, "opt %u%s\n", class, (ttl & 0x8000) != 0 ? " do" : "");
		return;
	}
	CHECK_U(class, CLASS_IN);
	CHECK_U(rdata_expand(msg, type, rdlength, kit->rdata, sizeof(kit->rdata), &len), WIRE_OK);
	CHECK_U(rdata_check(type, kit->rdata, len), WIRE_OK);
	rdata_text_print(type, kit->rdata, len, kit->rdata_text, sizeof(kit->rdata_text));
	say(kit, "%s %s %u %s %s\n", section, name_to_text(&owner, owner_text), ttl,
		rrtype_to_text(type, type_text), kit->rdata_text);
}

const char *answer_kit_read(struct answer_kit *kit, const uint8_t *octets, uint32_t len)
{
	static const char *const rcodes[] = {"NOERROR", "FORMERR", "SERVFAIL", "NXDOMAIN", "NOTIMP",
		"REFUSED", "YXDOMAIN", "?", "?", "NOTAUTH", "?", "?", "?", "?", "?", "?"};
	static const char *const sections[] = {"an", "ns", "ar"};
	struct reader msg = {.octets = octets, .len = len, .off = WIRE_HEADER_LEN};
	struct name qname;

	kit->text_len = 0;
	kit->text[0] = '\0';
	if (len == 0) {
		return "DROPPED";
	}
	CHECK(len >= WIRE_HEADER_LEN);
	uint32_t flags = octets_get_u16(octets + 2);
	CHECK((flags & WIRE_FLAG_QR) != 0);
	say(kit, "%s%s%s\n", rcodes[flags & WIRE_RCODE_MASK],
		(flags & WIRE_FLAG_AA) != 0 ? " aa" : "", (flags & WIRE_FLAG_TC) != 0 ? " tc" : "");
	if (octets_get_u16(octets + 4) == 1) {
		CHECK_U(name_parse(&msg, &qname), WIRE_OK);
		CHECK(reader_skip(&msg, 4));
	}
	for (uint32_t s = 0; s < 3; s++) {
		for (uint32_t i = octets_get_u16(octets + 6 + 2 * s); i > 0; i--) {
			read_record(kit, &msg, sections[s]);
		}
	}
	CHECK_U(msg.off, len);
	return kit->text;
}

const char *answer_kit_ask(struct answer_kit *kit, const char *question)
{
	static uint8_t answer[MESSAGE_MAX];
	uint8_t query[512];
	enum request_transport transport;
	uint32_t len = answer_kit_query(question, query, &transport);

	len = answer_kit_send(kit, query, len, transport, answer, sizeof(answer));
	if (transport == REQUEST_UDP) {
		const char *size = strstr(question, "+edns=");
		uint32_t client = size != NULL                      ? (uint32_t)atoi(size + 6)
				  : strstr(question, "+do") != NULL ? 1232
								    : 512;
		client = client < 512 ? 512 : client > 1232 ? 1232 : client;
		CHECK(len <= client);
	}
	return answer_kit_read(kit, answer, len);
}

void answer_kit_check(struct answer_kit *kit, const struct ask *asks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		KIT_NOTE(asks[i].question);
		CHECK_S(answer_kit_ask(kit, asks[i].question), asks[i].answer);
	}
}
