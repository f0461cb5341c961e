/* svcb_read.c - SVCB parameters from text. */
#include "zonefile/svcb_read.h"

#include <string.h>

#include "base/addr.h"
#include "base/octets.h"
#include "wire/svcb.h"
#include "zonefile/encode.h"
#include "zonefile/mnemonic.h"

#define ALPN_ID_MAX   255u /* its length is one octet, RFC 9460 sec 7.1.1 */
#define ORDER_SHIFT   16   /* param_order: key in the upper half, place in the lower */
#define ADDRESS_LEN_6 16u
#define ADDRESS_LEN_4 4u

/* The parameters read so far stand in reader->params[0..len), each with its head. */
struct params {
	uint32_t len;
	uint32_t count;
};

/* One value at work: scratch[0..len) as the first round left it. */
struct value {
	uint32_t key;
	const uint8_t *octets;
	uint32_t len;
	bool given;   /* an equals sign was there */
	bool escaped; /* a backslash was in it */
};

static bool put(
	struct field_reader *reader, struct params *params, const void *octets, uint32_t len)
{
	if (len > RDATA_LEN_MAX - params->len) {
		return field_fail(reader, "the RDATA is longer than %u octets", RDATA_LEN_MAX);
	}
	memcpy(reader->params + params->len, octets, len);
	params->len += len;
	return true;
}

static bool key_from_text(const uint8_t *text, uint32_t len, uint32_t *out)
{
	uint64_t number;

	if (mnemonic_find(MNEMONIC_SVCB_KEY, text, len, out)) {
		return true;
	}
	/* keyNNNNN, without leading zeros (RFC 9460 sec 2.1) */
	if (len < 4 || memcmp(text, "key", 3) != 0 || (text[3] == '0' && len > 4) ||
		!field_decimal(text + 3, len - 3, UINT16_MAX, &number)) {
		return false;
	}
	*out = (uint32_t)number;
	return true;
}

/* The next item of a list: up to a comma; false where none is left. */
static bool next_item(const struct value *value, uint32_t *at, uint32_t *start, uint32_t *len)
{
	if (*at > value->len) {
		return false;
	}
	*start = *at;
	while (*at < value->len && value->octets[*at] != ',') {
		(*at)++;
	}
	*len = *at - *start;
	(*at)++;
	return true;
}

/* Shell sort: nearly nothing to do where the file has them in order, and no worst case of n squared. */
static void sort_order(uint32_t *order, uint32_t count)
{
	for (uint32_t gap = count / 2; gap > 0; gap = gap == 2 ? 1 : gap * 5 / 11) {
		for (uint32_t i = gap; i < count; i++) {
			uint32_t item = order[i];
			uint32_t at = i;
			for (; at >= gap && order[at - gap] > item; at -= gap) {
				order[at] = order[at - gap];
			}
			order[at] = item;
		}
	}
}

static bool read_mandatory(
	struct field_reader *reader, struct params *params, const struct value *value)
{
	/* The room that the order of the parameters does not need yet. */
	uint32_t *keys = reader->param_order + params->count;
	uint32_t cap = FIELD_PARAMS_MAX - params->count;
	uint32_t count = 0;
	uint32_t at = 0;
	uint32_t start, len;

	while (next_item(value, &at, &start, &len)) {
		if (count == cap || !key_from_text(value->octets + start, len, &keys[count])) {
			return field_fail_token(reader, "a list of keys (expected in mandatory)");
		}
		count++;
	}
	sort_order(keys, count);
	for (uint32_t i = 0; i < count; i++) {
		uint8_t octets[2];
		octets_put_u16(octets, (uint16_t)keys[i]);
		if (!put(reader, params, octets, sizeof(octets))) {
			return false;
		}
	}
	return true;
}

/* The second round of RFC 9460 appendix A.1: commas divide, a backslash hides a comma or a backslash.
 * Before another octet it is taken for nothing, as BIND and NSD do.
 */
static bool read_alpn(struct field_reader *reader, struct params *params, const struct value *value)
{
	uint8_t id[1 + ALPN_ID_MAX];
	uint32_t id_len = 0;

	for (uint32_t i = 0; i <= value->len; i++) {
		if (i == value->len || value->octets[i] == ',') {
			if (id_len == 0) {
				return field_fail_token(reader,
					"a list of protocols (expected none of them empty)");
			}
			id[0] = (uint8_t)id_len;
			if (!put(reader, params, id, 1 + id_len)) {
				return false;
			}
			id_len = 0;
			continue;
		}
		if (value->octets[i] == '\\' && ++i == value->len) {
			return field_fail_token(reader,
				"a list of protocols (expected an octet behind the last "
				"backslash)");
		}
		if (id_len == ALPN_ID_MAX) {
			return field_fail_token(
				reader, "a list of protocols (expected at most 255 octets each)");
		}
		id[1 + id_len++] = value->octets[i];
	}
	return true;
}

static bool read_port(struct field_reader *reader, struct params *params, const struct value *value)
{
	uint64_t port;
	uint8_t octets[2];

	if (!field_decimal(value->octets, value->len, UINT16_MAX, &port)) {
		return field_fail_token(reader, "a port (expected 0 to 65535)");
	}
	octets_put_u16(octets, (uint16_t)port);
	return put(reader, params, octets, sizeof(octets));
}

static bool read_addresses(
	struct field_reader *reader, struct params *params, const struct value *value)
{
	uint32_t at = 0;
	uint32_t start, len;

	while (next_item(value, &at, &start, &len)) {
		uint8_t address[ADDRESS_LEN_6];
		const char *text = (const char *)value->octets + start;
		bool is_v4 = value->key == SVCB_IPV4HINT;
		if (is_v4 ? !addr_parse_v4(text, len, address)
			  : !addr_parse_v6(text, len, address)) {
			return field_fail_token(reader,
				is_v4 ? "a list of IPv4 addresses" : "a list of IPv6 addresses");
		}
		if (!put(reader, params, address, is_v4 ? ADDRESS_LEN_4 : ADDRESS_LEN_6)) {
			return false;
		}
	}
	return true;
}

static bool read_ech(struct field_reader *reader, struct params *params, const struct value *value)
{
	struct encode_state state = {0};
	uint32_t len;

	/* Base64 is longer than what it stands for, so it can be undone where it is. */
	if (!encode_read_base64(&state, value->octets, value->len, reader->scratch, &len) ||
		!encode_base64_is_whole(&state)) {
		return field_fail_token(reader, "an ECH configuration (expected base64)");
	}
	return put(reader, params, reader->scratch, len);
}

static bool read_value(
	struct field_reader *reader, struct params *params, const struct value *value)
{
	switch (value->key) {
	case SVCB_MANDATORY:
		return read_mandatory(reader, params, value);
	case SVCB_ALPN:
		return read_alpn(reader, params, value);
	case SVCB_PORT:
		return read_port(reader, params, value);
	case SVCB_IPV4HINT:
	case SVCB_IPV6HINT:
		return read_addresses(reader, params, value);
	case SVCB_ECH:
		return read_ech(reader, params, value);
	default:
		return put(reader, params, value->octets, value->len);
	}
}

/* A key that has a name was written with it: its value is then not raw octets. */
static bool check_form(struct field_reader *reader, const struct value *value, bool by_name)
{
	bool wants_none = value->key == SVCB_NO_DEFAULT_ALPN || value->key == SVCB_OHTTP;
	/* RFC 9460 sec 7.2, 7.3, 8: no escape sequences in these */
	bool is_plain = value->key == SVCB_PORT || value->key == SVCB_IPV4HINT ||
			value->key == SVCB_IPV6HINT || value->key == SVCB_MANDATORY;

	if (by_name && wants_none && value->given) {
		return field_fail_token(reader, "expected here: this key has no value");
	}
	if (by_name && !wants_none && !value->given && value->key != SVCB_ECH) {
		return field_fail(reader, "a key without its value (expected %s=...)",
			mnemonic_word(MNEMONIC_SVCB_KEY, value->key));
	}
	if (by_name && is_plain && value->escaped) {
		return field_fail_token(reader, "good here (expected no escapes in it)");
	}
	return true;
}

/* The value behind `key=`: the rest of the word, or the quoted string that is glued to it. */
static bool take_value(struct field_reader *reader, uint32_t key_len, struct value *value)
{
	struct token *token = &reader->token;

	value->given = key_len < token->len;
	if (value->given && key_len + 1 == token->len && *reader->scanner->at == '"') {
		if (!field_next(reader, "a value")) {
			return false;
		}
	} else {
		uint32_t skip = value->given ? key_len + 1 : key_len;
		token->text += skip;
		token->len -= skip;
		token->column += skip;
	}
	value->escaped = token->escaped;
	value->octets = reader->scratch;
	return field_unescape(reader, reader->scratch, RDATA_LEN_MAX, &value->len);
}

static bool read_param(struct field_reader *reader, struct params *params)
{
	const struct token *token = &reader->token;
	const uint8_t *equals = memchr(token->text, '=', token->len);
	uint32_t key_len = equals != NULL ? (uint32_t)(equals - token->text) : token->len;
	struct value value = {0};
	uint8_t head[SVCB_HEAD_LEN];
	uint32_t start = params->len;

	if (token->kind == TOKEN_QUOTED || !key_from_text(token->text, key_len, &value.key)) {
		return field_fail_token(reader, "an SVCB parameter (expected key=value)");
	}
	bool by_name = mnemonic_find(MNEMONIC_SVCB_KEY, token->text, key_len, &value.key);
	octets_put_u16(head, (uint16_t)value.key);
	if (!take_value(reader, key_len, &value) || !check_form(reader, &value, by_name) ||
		!put(reader, params, head, sizeof(head))) {
		return false;
	}
	if (by_name ? !read_value(reader, params, &value)
		    : !put(reader, params, value.octets, value.len)) {
		return false;
	}
	uint32_t len = params->len - start - SVCB_HEAD_LEN;
	octets_put_u16(reader->params + start + 2, (uint16_t)len);
	if (svcb_check_value((uint16_t)value.key, reader->params + start + SVCB_HEAD_LEN, len) !=
		WIRE_OK) {
		return field_fail(reader, "a value that does not fit the key %u", value.key);
	}
	reader->param_order[params->count++] = value.key << ORDER_SHIFT | start;
	return true;
}

bool svcb_read(struct field_reader *reader)
{
	struct params params = {0};
	uint32_t start = reader->len;
	bool end;

	for (;;) {
		if (!field_peek_end(reader, &end)) {
			return false;
		}
		if (end) {
			break;
		}
		if (!read_param(reader, &params)) {
			return false;
		}
	}
	sort_order(reader->param_order, params.count);
	for (uint32_t i = 0; i < params.count; i++) {
		uint32_t key = reader->param_order[i] >> ORDER_SHIFT;
		const uint8_t *param = reader->params + (reader->param_order[i] & UINT16_MAX);
		if (i > 0 && key == reader->param_order[i - 1] >> ORDER_SHIFT) {
			return field_fail(reader, "the key %u twice", key);
		}
		if (!field_put(reader, param, SVCB_HEAD_LEN + octets_get_u16(param + 2))) {
			return false;
		}
	}
	if (svcb_check(reader->octets + start, reader->len - start) != WIRE_OK) {
		return field_fail(reader, "mandatory lists a key that the record has not");
	}
	return true;
}
