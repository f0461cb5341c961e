/* outside.c - the world around a core. */
#include "resolve/outside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/octets.h"
#include "base/publish.h"
#include "cache/cache.h"
#include "kit/kit.h"
#include "resolve/anchors.h"
#include "resolve/hints.h"
#include "wire/message.h"
#include "wire/rrtype.h"
#include "zonefile/zonefile.h"

#define CACHE_SIZE   (8u << 20)
#define TEXT_MAX     8192u
#define TYPE_ANY     255u
#define START_WALL_S 1700000000

static const char hints_text[] = ". 3600 IN NS ns.\nns. 3600 IN A 192.0.2.53\n";

static void no_complaint(void *context, const struct diag *diag)
{
	(void)context;
	KIT_NOTE(diag->text);
	CHECK(diag->level != DIAG_ERROR);
}

static const struct diag_sink sink = {.report = no_complaint};

static enum status take_record(void *context, const struct zonefile_record *record)
{
	struct outside *outside = context;

	CHECK(outside->record_count < OUTSIDE_RECORDS_MAX);
	struct outside_record *kept = &outside->records[outside->record_count++];
	*kept = (struct outside_record){.owner = *record->owner,
		.type = record->type,
		.ttl = record->ttl,
		.len = record->rdata_len,
		.octets = arena_copy(&outside->texts, record->rdata, record->rdata_len)};
	name_lower(&kept->owner);
	return STATUS_OK;
}

static void read_records(struct outside *outside, const char *text)
{
	const struct name root = {.len = 1};
	const struct zonefile_sink zone_sink = {
		.record = take_record, .context = outside, .ttl = 3600, .diag = sink};

	CHECK_U(zonefile_read_octets("records", text, strlen(text), &root, &zone_sink), STATUS_OK);
}

static struct name name_of(const char *text)
{
	const struct name root = {.len = 1};
	struct name name;

	CHECK_U(name_from_text(text, (uint32_t)strlen(text), &root, &name), WIRE_OK);
	return name;
}

void outside_add(struct outside *outside, const char *name, uint16_t type, uint32_t ttl,
	const uint8_t *rdata, uint32_t len)
{
	CHECK(outside->record_count < OUTSIDE_RECORDS_MAX);
	outside->records[outside->record_count++] = (struct outside_record){.owner = name_of(name),
		.type = type,
		.ttl = ttl,
		.len = (uint16_t)len,
		.octets = arena_copy(&outside->texts, rdata, len)};
}

void outside_remove(struct outside *outside, const char *name, uint16_t type)
{
	const struct name owner = name_of(name);
	uint32_t kept = 0;

	for (uint32_t i = 0; i < outside->record_count; i++) {
		const struct outside_record *record = &outside->records[i];
		if (record->type != type || !name_equal(&record->owner, &owner)) {
			outside->records[kept++] = *record;
		}
	}
	outside->record_count = kept;
}

void outside_open(struct outside *outside, const char *records, const struct resolve_config *config,
	const struct resolve_shared *shared)
{
	static const uint8_t secret[32] = {7, 1, 8, 2};
	static const uint8_t key[16] = {2, 8, 1, 8};
	struct resolve_config plain = RESOLVE_CONFIG_DEFAULT;

	plain.validate = false;
	publish_register();
	*outside = (struct outside){
		.now = {.mono_ns = 1000 * NOW_NS_A_SECOND, .wall_s = START_WALL_S}};
	arena_init(&outside->texts, 0);
	arena_init(&outside->arena, 0);
	read_records(outside, ". 3600 IN SOA ns. host. 1 7200 900 1209600 300\n");
	read_records(outside, hints_text);
	read_records(outside, records);
	outside->hints = hints_new();
	CHECK(outside->hints != NULL);
	CHECK_U(hints_add_root(outside->hints, "hints", hints_text, sizeof(hints_text) - 1, &sink),
		STATUS_OK);
	if (shared != NULL) {
		outside->shared = *shared;
	}
	outside->shared.hints = outside->hints;
	outside->shared.cache = cache_new(CACHE_SIZE, key);
	if (outside->shared.anchors == NULL) {
		outside->shared.anchors = outside->anchors = anchors_new();
	}
	CHECK(outside->shared.cache != NULL && outside->shared.anchors != NULL);
	outside->core = resolve_new(config != NULL ? config : &plain, &outside->shared, secret);
	CHECK(outside->core != NULL);
}

void outside_close(struct outside *outside)
{
	resolve_free(outside->core);
	publish_offline();
	publish_settle();
	publish_online();
	cache_free(outside->shared.cache);
	anchors_free(outside->anchors);
	hints_free(outside->hints);
	arena_fini(&outside->texts);
	arena_fini(&outside->arena);
	publish_unregister();
}

struct written {
	uint8_t octets[WIRE_MESSAGE_LEN_MAX];
	uint32_t len;
};

static void put_record(
	struct written *to, const struct outside_record *record, const struct name *owner)
{
	uint8_t *at = to->octets + to->len;

	memcpy(at, owner->octets, owner->len);
	at += owner->len;
	octets_put_u16(at, record->type);
	octets_put_u16(at + 2, 1);
	octets_put_u32(at + 4, record->ttl);
	octets_put_u16(at + 8, record->len);
	memcpy(at + 10, record->octets, record->len);
	to->len = (uint32_t)(at + 10 + record->len - to->octets);
}

static bool covers(const struct outside_record *sig, uint16_t type)
{
	return octets_get_u16(sig->octets) == type;
}

/* What the server says to a question. */
static void serve(struct outside *outside, const uint8_t *query, uint32_t len, struct written *to)
{
	struct message message;
	struct name name;
	uint16_t answers = 0, rcode = RCODE_NXDOMAIN;

	CHECK_U(message_parse(query, len, &message), MESSAGE_OK);
	name.len = message.qname_len;
	name.label_count = message.label_count;
	memcpy(name.octets, query + WIRE_HEADER_LEN, name.len);
	memcpy(to->octets, query, message.question_end);
	to->len = message.question_end;
	for (uint32_t i = 0; i < outside->record_count; i++) {
		const struct outside_record *record = &outside->records[i];
		if (name_is_below(&record->owner, &name)) {
			rcode = RCODE_NOERROR;
		}
		if (name_equal(&record->owner, &name) &&
			(record->type == message.qtype || message.qtype == TYPE_ANY ||
				record->type == RRTYPE_CNAME ||
				(record->type == RRTYPE_RRSIG && covers(record, message.qtype)))) {
			put_record(to, record, &name);
			answers++;
		}
	}
	if (answers == 0) {
		put_record(to, &outside->records[0], &outside->records[0].owner);
	}
	rcode = outside->is_failing ? RCODE_SERVFAIL : rcode;
	rcode = outside->is_plain && message.has_edns ? RCODE_FORMERR : rcode;
	octets_put_u16(to->octets + 2, (uint16_t)(WIRE_FLAG_QR | WIRE_FLAG_AA | rcode));
	octets_put_u16(to->octets + 6, answers);
	octets_put_u16(to->octets + 8, answers == 0);
	octets_put_u16(to->octets + 10, 0);
}

static void take_answer(struct outside *outside, const struct resolve_action *action)
{
	outside->answered++;
	outside->client = action->client;
	outside->last_len = action->len;
	arena_reset(&outside->arena);
	if (action->len > 0) {
		CHECK_U(response_parse(kit_guarded(action->octets, action->len), action->len,
				&outside->arena, &outside->last),
			WIRE_OK);
	}
}

static void run(struct outside *outside)
{
	static struct written answer;
	struct resolve_action action;

	while (resolve_action(outside->core, &action)) {
		if (action.kind == RESOLVE_ANSWER) {
			take_answer(outside, &action);
			continue;
		}
		if (action.kind == RESOLVE_CLOSE) {
			continue;
		}
		outside->asked++;
		if (outside->is_silent) {
			continue;
		}
		serve(outside, action.octets, action.len, &answer);
		const struct resolve_event event = {.kind = action.kind == RESOLVE_SEND_DATAGRAM
								    ? RESOLVE_DATAGRAM
								    : RESOLVE_STREAM,
			.now = outside->now,
			.exchange = action.exchange,
			.octets = answer.octets,
			.len = answer.len};
		resolve_step(outside->core, &event);
	}
	publish_quiescent();
}

void outside_post(struct outside *outside, const char *name, uint16_t type,
	const struct outside_how *how, uint64_t client)
{
	static const struct outside_how plain;
	uint8_t query[WIRE_UDP_LEN_MIN] = {0};
	const struct name qname = name_of(name);

	how = how != NULL ? how : &plain;
	octets_put_u16(query, 0x1234);
	octets_put_u16(query + 2, (uint16_t)(how->flags | (how->unrecursive ? 0 : WIRE_FLAG_RD)));
	octets_put_u16(query + 4, 1);
	octets_put_u16(query + 10, how->dnssec_ok);
	memcpy(query + WIRE_HEADER_LEN, qname.octets, qname.len);
	uint8_t *at = query + WIRE_HEADER_LEN + qname.len;
	octets_put_u16(at, type);
	octets_put_u16(at + 2, 1);
	at += 4;
	if (how->dnssec_ok) {
		octets_put_u16(at + 1, RRTYPE_OPT);
		octets_put_u16(at + 3, 1232);
		at[7] = 0x80;
		at += MESSAGE_OPT_LEN;
	}
	struct resolve_event event = {.kind = RESOLVE_QUERY,
		.now = outside->now,
		.client = client,
		.octets = query,
		.len = (uint32_t)(at - query),
		.over_stream = how->stream};
	CHECK(addr_parse(how->peer != NULL ? how->peer : "198.51.100.1", 1024, &event.peer));
	resolve_step(outside->core, &event);
	run(outside);
}

const struct response *outside_ask(
	struct outside *outside, const char *name, uint16_t type, const struct outside_how *how)
{
	uint32_t before = outside->answered;

	outside_post(outside, name, type, how, 1);
	CHECK_U(outside->answered, before + 1);
	return &outside->last;
}

void outside_pass(struct outside *outside, uint64_t ms)
{
	uint64_t end_ns = outside->now.mono_ns + ms * NOW_NS_A_MILLISECOND;
	uint64_t start_ns = outside->now.mono_ns;
	int64_t start_s = outside->now.wall_s;

	for (;;) {
		uint64_t next_ns = resolve_deadline(outside->core);
		next_ns = next_ns < outside->now.mono_ns ? outside->now.mono_ns : next_ns;
		bool due = next_ns <= end_ns;
		outside->now.mono_ns = due ? next_ns : end_ns;
		outside->now.wall_s =
			start_s + (int64_t)((outside->now.mono_ns - start_ns) / NOW_NS_A_SECOND);
		if (!due) {
			return;
		}
		const struct resolve_event event = {.kind = RESOLVE_TIME, .now = outside->now};
		resolve_step(outside->core, &event);
		run(outside);
	}
}

const char *outside_text(const struct response *response, enum wire_section section)
{
	static char text[TEXT_MAX];
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < response->set_count; i++) {
		const struct rrset *set = response->sets[i].set;
		struct rrset_walk walk = rrset_records(set);
		struct rrset_rdata rdata;
		char owner[NAME_TEXT_MAX], value[NAME_TEXT_MAX], type[RRTYPE_TEXT_MAX];
		struct name name;
		if (response->sets[i].section != section) {
			continue;
		}
		rrset_owner(set, &name);
		while (rrset_next(&walk, &rdata)) {
			snprintf(value, sizeof(value), "-");
			if (set->type == RRTYPE_A) {
				addr_v4_to_text(rdata.octets, value);
			} else if (set->type == RRTYPE_AAAA) {
				addr_v6_to_text(rdata.octets, value);
			} else if (set->type == RRTYPE_CNAME || set->type == RRTYPE_PTR) {
				name_octets_to_text(rdata.octets, value);
			}
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s %u %s %s;",
				name_to_text(&name, owner), set->ttl,
				rrtype_to_text(set->type, type), value);
			CHECK(used < sizeof(text));
		}
	}
	return text;
}
