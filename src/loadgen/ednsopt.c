/* ednsopt.c - two options out, one in. */
#include "loadgen/ednsopt.h"

#include <string.h>

#include "base/octets.h"
#include "base/reader.h"
#include "wire/name.h"
#include "wire/rrtype.h"
#include "wire/wire.h"

#define OPTION_COOKIE   10u /* IANA "DNS EDNS0 Option Codes (OPT)" */
#define OPTION_PADDING  12u /* ditto */
#define OPTION_HEAD_LEN 4u  /* octets of code and length, RFC 6891 sec 6.1.2 */
#define LENGTH_LEN      2u

static uint8_t *put_head(uint8_t *to, uint32_t code, uint32_t len)
{
	octets_put_u16(to, (uint16_t)code);
	octets_put_u16(to + 2, (uint16_t)len);
	return to + OPTION_HEAD_LEN;
}

uint32_t ednsopt_write(const struct ednsopt *options, const struct ednsopt_client *client,
	uint32_t len, uint8_t *to)
{
	uint8_t *at = to + LENGTH_LEN;

	if (options->cookie) {
		uint32_t cookie_len = EDNSOPT_CLIENT_LEN + client->server_len;
		at = put_head(at, OPTION_COOKIE, cookie_len);
		memcpy(at, client->cookie, cookie_len);
		at += cookie_len;
	}
	if (options->block != 0) {
		uint32_t used = len + (uint32_t)(at - to) + OPTION_HEAD_LEN;
		uint32_t padding = (options->block - used % options->block) % options->block;
		at = put_head(at, OPTION_PADDING, padding);
		memset(at, 0, padding);
		at += padding;
	}
	octets_put_u16(to, (uint16_t)(at - to - LENGTH_LEN));
	return (uint32_t)(at - to);
}

/* The cookie among options, if it is ours. */
static void take_cookie(struct ednsopt_client *client, struct reader options)
{
	uint16_t code;
	uint16_t len;

	while (reader_u16(&options, &code) && reader_u16(&options, &len)) {
		const uint8_t *data = options.octets + options.off;
		if (!reader_skip(&options, len)) {
			return;
		}
		if (code == OPTION_COOKIE && len >= EDNSOPT_CLIENT_LEN + EDNSOPT_SERVER_LEN_MIN &&
			len <= EDNSOPT_CLIENT_LEN + EDNSOPT_SERVER_LEN_MAX &&
			memcmp(data, client->cookie, EDNSOPT_CLIENT_LEN) == 0) {
			memcpy(client->cookie, data, len);
			client->server_len = len - EDNSOPT_CLIENT_LEN;
		}
	}
}

/* Steps over one record; an OPT record's options are looked at. */
static bool pass_record(struct ednsopt_client *client, struct reader *msg)
{
	struct name owner;
	uint16_t type;
	uint16_t rdata_len;

	if (name_parse(msg, &owner) != WIRE_OK || !reader_u16(msg, &type) || !reader_skip(msg, 6) ||
		!reader_u16(msg, &rdata_len)) {
		return false;
	}
	struct reader options = {.octets = msg->octets + msg->off, .len = rdata_len};
	if (!reader_skip(msg, rdata_len)) {
		return false;
	}
	if (type == RRTYPE_OPT) {
		take_cookie(client, options);
	}
	return true;
}

void ednsopt_learn(struct ednsopt_client *client, const uint8_t *octets, uint32_t len)
{
	struct reader msg = {.octets = octets, .len = len, .off = WIRE_HEADER_LEN};
	struct name name;

	if (len < WIRE_HEADER_LEN) {
		return;
	}
	for (uint32_t left = octets_get_u16(octets + 4); left > 0; left--) {
		if (name_parse(&msg, &name) != WIRE_OK || !reader_skip(&msg, 4)) {
			return;
		}
	}
	uint32_t left = (uint32_t)octets_get_u16(octets + 6) + octets_get_u16(octets + 8) +
			octets_get_u16(octets + 10);
	while (left > 0 && pass_record(client, &msg)) {
		left--;
	}
}
