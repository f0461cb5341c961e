/* querylog.c - lines to messages. */
#include "capture/querylog.h"

#include <string.h>

#include "base/octets.h"
#include "capture/intake.h"
#include "capture/logtime.h"
#include "capture/offer.h"
#include "wire/message.h"
#include "wire/name.h"
#include "wire/rrtype.h"
#include "wire/wire.h"

#define CLIENT     "client "
#define QUERY      ": query: "
#define UDP_LEN    1232u   /* what the OPT offers: the log does not tell, RFC 9715 sec 3.2 */
#define OPT_DO     0x8000u /* RFC 3225 sec 3 */
#define LEN_MAX    (WIRE_HEADER_LEN + NAME_LEN_MAX + 4u + MESSAGE_OPT_LEN)
#define ADDR_CHARS 63u

struct flags {
	bool rd, cd, has_edns, edns_do, is_tcp;
	uint8_t edns_version;
};

/* Where the line is not as it should be. */
struct fault {
	const char *at;
	const char *what;
};

/* The first place of a word in text, behind it; NULL: it is not there. */
static const char *behind(const char *text, const char *end, const char *word)
{
	size_t len = strlen(word);
	const char *at = memmem(text, (size_t)(end - text), word, len);

	return at == NULL ? NULL : at + len;
}

static const char *word_end(const char *at, const char *end)
{
	while (at < end && *at != ' ') {
		at++;
	}
	return at;
}

static bool is_query_line(const char *line, size_t len)
{
	const char *end = line + len;
	const char *client = behind(line, end, CLIENT);

	return client != NULL && behind(client, end, QUERY) != NULL;
}

bool querylog_is(const char *text, size_t len)
{
	const char *end = text + len;

	while (text < end) {
		const char *line_end = memchr(text, '\n', (size_t)(end - text));
		size_t line_len = (size_t)((line_end == NULL ? end : line_end) - text);
		if (is_query_line(text, line_len)) {
			return true;
		}
		text += line_len + (line_end == NULL ? 0 : 1);
	}
	return false;
}

/* `192.0.2.1#1234`, perhaps with `@0x7f0c ` before it. */
static bool read_client(const char *at, const char *end, struct addr *out)
{
	char text[ADDR_CHARS + 1];
	uint32_t port = 0;

	if (at < end && *at == '@') {
		at = word_end(at, end);
		at += at < end ? 1 : 0;
	}
	const char *hash = memchr(at, '#', (size_t)(end - at));
	if (hash == NULL || (size_t)(hash - at) > ADDR_CHARS) {
		return false;
	}
	const char *digit = hash + 1;
	for (; digit < end && *digit >= '0' && *digit <= '9' && port <= UINT16_MAX; digit++) {
		port = port * 10 + (uint32_t)(*digit - '0');
	}
	memcpy(text, at, (size_t)(hash - at));
	text[hash - at] = '\0';
	if (digit == hash + 1 || port > UINT16_MAX) {
		return false;
	}
	/* A scope has no meaning elsewhere, and is written by name. */
	text[strcspn(text, "%")] = '\0';
	*out = (struct addr){.port = (uint16_t)port};
	if (addr_parse_v4(text, (uint32_t)strlen(text), out->octets)) {
		out->family = ADDR_V4;
		return true;
	}
	out->family = ADDR_V6;
	return addr_parse_v6(text, (uint32_t)strlen(text), out->octets);
}

/* `+E(0)TDCV`: `-` where recursion was not desired. */
static bool read_flags(const char *at, const char *end, struct flags *out)
{
	*out = (struct flags){.rd = at < end && *at == '+'};
	if (at == end || (*at != '+' && *at != '-')) {
		return false;
	}
	for (at++; at < end && *at != ' '; at++) {
		switch (*at) {
		case 'E':
			out->has_edns = true;
			if (end - at >= 4 && at[1] == '(' && at[2] >= '0' && at[2] <= '9' &&
				at[3] == ')') {
				out->edns_version = (uint8_t)(at[2] - '0');
				at += 3;
			}
			break;
		case 'T':
			out->is_tcp = true;
			break;
		case 'D':
			out->edns_do = true;
			break;
		case 'C':
			out->cd = true;
			break;
		default:
			break; /* S, V, K: signatures and cookies that the log does not keep */
		}
	}
	return true;
}

static uint32_t build(uint8_t *octets, const struct name *name, uint16_t qtype, uint16_t qclass,
	const struct flags *flags)
{
	bool has_edns = flags->has_edns || flags->edns_do;
	uint8_t *at = octets + WIRE_HEADER_LEN;

	memset(octets, 0, WIRE_HEADER_LEN);
	octets_put_u16(octets + 2,
		(uint16_t)((flags->rd ? WIRE_FLAG_RD : 0) | (flags->cd ? WIRE_FLAG_CD : 0)));
	octets_put_u16(octets + 4, 1);
	octets_put_u16(octets + 10, has_edns ? 1 : 0);
	memcpy(at, name->octets, name->len);
	at += name->len;
	octets_put_u16(at, qtype);
	octets_put_u16(at + 2, qclass);
	at += 4;
	if (has_edns) {
		memset(at, 0, MESSAGE_OPT_LEN);
		octets_put_u16(at + 1, RRTYPE_OPT);
		octets_put_u16(at + 3, UDP_LEN);
		at[6] = flags->edns_version;
		octets_put_u16(at + 7, flags->edns_do ? OPT_DO : 0);
		at += MESSAGE_OPT_LEN;
	}
	return (uint32_t)(at - octets);
}

static bool read_class(const char *text, size_t len, uint16_t *out)
{
	static const struct {
		const char *text;
		uint16_t code;
	} classes[] = {{"IN", CLASS_IN}, {"CH", CLASS_CH}, {"HS", CLASS_HS}, {"ANY", CLASS_ANY},
		{"NONE", CLASS_NONE}, {"CHAOS", CLASS_CH}};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (strlen(classes[i].text) == len && memcmp(classes[i].text, text, len) == 0) {
			*out = classes[i].code;
			return true;
		}
	}
	return false;
}

/* `NAME CLASS TYPE FLAGS ...`; false with the fault. */
static bool read_question(const char *at, const char *end, uint8_t *octets,
	struct capture_query *query, struct fault *fault)
{
	static const struct name root = {.len = 1};
	struct name name;
	struct flags flags;
	uint16_t qtype, qclass;
	const char *name_end = word_end(at, end);
	const char *class_at = name_end + (name_end < end ? 1 : 0);
	const char *class_end = word_end(class_at, end);
	const char *type_at = class_end + (class_end < end ? 1 : 0);
	const char *type_end = word_end(type_at, end);
	const char *flags_at = type_end + (type_end < end ? 1 : 0);

	*fault = (struct fault){.at = at, .what = "not a domain name behind `query:`"};
	if (name_end == at ||
		name_from_text(at, (uint32_t)(name_end - at), &root, &name) != WIRE_OK) {
		return false;
	}
	*fault = (struct fault){.at = class_at, .what = "not a class (expected NAME CLASS TYPE)"};
	if (!read_class(class_at, (size_t)(class_end - class_at), &qclass)) {
		return false;
	}
	*fault = (struct fault){.at = type_at, .what = "not an RR type (expected NAME CLASS TYPE)"};
	if (!rrtype_from_text(type_at, (uint32_t)(type_end - type_at), &qtype)) {
		return false;
	}
	*fault = (struct fault){
		.at = flags_at, .what = "no flags behind the type (expected `+` or `-` first)"};
	if (!read_flags(flags_at, end, &flags)) {
		return false;
	}
	query->transport = flags.is_tcp ? CAPTURE_TCP : CAPTURE_UDP;
	query->octets = octets;
	query->len = build(octets, &name, qtype, qclass, &flags);
	return true;
}

static enum status take_line(struct offer *offer, uint32_t line, const char *text, size_t len)
{
	uint8_t octets[LEN_MAX];
	struct capture_query query = {.time_ns = 0};
	struct fault fault = {.what = "not an address behind `client` (expected ADDRESS#PORT)"};
	const char *end = text + len;

	while (end > text && end[-1] == '\r') {
		end--;
	}
	const char *client = behind(text, end, CLIENT);
	const char *question = client == NULL ? NULL : behind(client, end, QUERY);
	if (question == NULL) {
		offer->counts->other++;
		return STATUS_OK;
	}
	fault.at = client;
	if (!read_client(client, end, &query.client) ||
		!read_question(question, end, octets, &query, &fault)) {
		offer->counts->broken++;
		offer_damage(offer, line, (uint32_t)(fault.at - text) + 1, fault.what);
		return STATUS_OK;
	}
	if (!logtime_read(text, (size_t)(client - text), &query.time_ns)) {
		query.time_ns = 0;
	}
	return offer_message(offer, &query);
}

enum status querylog_read(struct offer *offer)
{
	enum status status = STATUS_OK;
	uint32_t line = 0;
	const char *text;
	size_t len;

	while (status == STATUS_OK && intake_line(offer->intake, QUERYLOG_LINE_MAX, &text, &len)) {
		offer->counts->records++;
		line++;
		if (len > QUERYLOG_LINE_MAX) {
			offer->counts->broken++;
			offer_damage(offer, line, 0, "the line is too long");
		} else {
			status = take_line(offer, line, text, len);
		}
	}
	return status;
}
