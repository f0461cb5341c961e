/* rdata.c - walking RDATA by its field letters. */
#include "wire/rdata.h"

#include <string.h>

#include "base/octets.h"
#include "wire/name.h"
#include "wire/rrtype.h"
#include "wire/svcb.h"

#define BITMAP_LEN_MAX     32u     /* octets of one window, RFC 4034 sec 4.1.2 */
#define NXT_LEN_MAX        16u     /* octets: types 1 to 127, RFC 2535 sec 5.2 */
#define WKS_LEN_MAX        8192u   /* octets of a bitmap of 65,536 ports */
#define LOC_LEN            16u     /* version 0, RFC 1876 sec 2 */
#define KEY_NO_KEY         0xc000u /* both top flags: no key follows, RFC 2535 sec 3.1.2 */
#define IPSECKEY_TYPE_OFF  1u      /* the gateway type, RFC 4025 sec 2.1 */
#define APL_FAMILY_V4      1u
#define APL_FAMILY_V6      2u
#define APL_HEAD_LEN       4u    /* family, prefix, length; RFC 3123 sec 4 */
#define APL_LEN_MASK       0x7fu /* the top bit of the length octet is the negation */
#define A6_PREFIX_MAX      128u
#define AMTRELAY_TYPE_MASK 0x7fu /* the top bit is the discovery bit, RFC 8777 sec 4.2 */
#define HIP_HEAD_LEN       4u    /* RFC 8005 sec 5 */

/* Where a gateway is a name, an address, or nothing (RFC 4025 sec 2.3, RFC 8777 sec 4.2.3). */
enum gateway { GATEWAY_NONE = 0, GATEWAY_V4 = 1, GATEWAY_V6 = 2, GATEWAY_NAME = 3 };

/* One field at off of rdata[0..len); its length goes to *out. */
struct field {
	const uint8_t *rdata;
	uint32_t len;
	uint32_t off;
};

static uint32_t field_left(const struct field *field)
{
	return field->len - field->off;
}

static enum wire_status take_fixed(const struct field *field, uint32_t want, uint32_t *out)
{
	if (field_left(field) < want) {
		return WIRE_TRUNCATED;
	}
	*out = want;
	return WIRE_OK;
}

static enum wire_status take_name(const struct field *field, uint32_t *out)
{
	return name_measure(field->rdata + field->off, field_left(field), out);
}

static enum wire_status take_rest(const struct field *field, uint32_t len_min, uint32_t *out)
{
	if (field_left(field) < len_min) {
		return WIRE_TRUNCATED;
	}
	*out = field_left(field);
	return WIRE_OK;
}

/* A length octet and what it counts. */
static enum wire_status take_counted(const struct field *field, uint32_t len_min, uint32_t *out)
{
	if (field_left(field) < 1) {
		return WIRE_TRUNCATED;
	}
	uint32_t len = field->rdata[field->off];
	if (len > field_left(field) - 1) {
		return WIRE_TRUNCATED;
	}
	*out = len + 1;
	return len >= len_min ? WIRE_OK : WIRE_VALUE;
}

static enum wire_status take_strings(const struct field *field, uint32_t *out)
{
	struct field rest = *field;

	do {
		uint32_t len;
		enum wire_status status = take_counted(&rest, 0, &len);
		if (status != WIRE_OK) {
			return status;
		}
		rest.off += len;
	} while (rest.off < rest.len);
	return take_rest(field, 0, out);
}

static bool is_letter_or_digit(uint8_t octet)
{
	return (octet | 0x20u) - 'a' < 26u || octet - 0u - '0' < 10u;
}

/* RFC 8659 sec 4.1: a tag is ASCII letters and digits, and not empty. */
static enum wire_status take_tag(const struct field *field, uint32_t *out)
{
	enum wire_status status = take_counted(field, 1, out);

	for (uint32_t i = 1; status == WIRE_OK && i < *out; i++) {
		if (!is_letter_or_digit(field->rdata[field->off + i])) {
			status = WIRE_VALUE;
		}
	}
	return status;
}

/* RFC 4034 sec 4.1.2: windows ascend, none is empty, none ends in a zero octet. */
static enum wire_status take_bitmap(const struct field *field, uint32_t *out)
{
	uint32_t off = field->off;
	int32_t window_before = -1;

	while (off < field->len) {
		if (field->len - off < 2) {
			return WIRE_TRUNCATED;
		}
		int32_t window = field->rdata[off];
		uint32_t len = field->rdata[off + 1];
		if (window <= window_before || len == 0 || len > BITMAP_LEN_MAX) {
			return WIRE_VALUE;
		}
		if (len > field->len - off - 2) {
			return WIRE_TRUNCATED;
		}
		if (field->rdata[off + 1 + len] == 0) {
			return WIRE_VALUE;
		}
		window_before = window;
		off += 2 + len;
	}
	return take_rest(field, 0, out);
}

/* Bit 0 set means a format that was never defined (RFC 2535 sec 5.2). */
static enum wire_status take_nxt_bitmap(const struct field *field, uint32_t *out)
{
	enum wire_status status = take_rest(field, 1, out);

	if (status == WIRE_OK && (*out > NXT_LEN_MAX || (field->rdata[field->off] & 0x80u) != 0 ||
					 field->rdata[field->len - 1] == 0)) {
		status = WIRE_VALUE;
	}
	return status;
}

static enum wire_status take_wks(const struct field *field, uint32_t *out)
{
	enum wire_status status = take_rest(field, 1, out);

	return status == WIRE_OK && *out > WKS_LEN_MAX + 1 ? WIRE_VALUE : status;
}

static enum wire_status take_key(const struct field *field, uint32_t *out)
{
	bool no_key = field->off >= 2 && (octets_get_u16(field->rdata) & KEY_NO_KEY) == KEY_NO_KEY;

	return take_rest(field, no_key ? 0 : 1, out);
}

static enum wire_status take_apl(const struct field *field, uint32_t *out)
{
	uint32_t off = field->off;

	while (off < field->len) {
		if (field->len - off < APL_HEAD_LEN) {
			return WIRE_TRUNCATED;
		}
		const uint8_t *item = field->rdata + off;
		uint32_t family = octets_get_u16(item);
		uint32_t prefix = item[2];
		uint32_t len = item[3] & APL_LEN_MASK;
		if (len > field->len - off - APL_HEAD_LEN) {
			return WIRE_TRUNCATED;
		}
		if ((family == APL_FAMILY_V4 && (prefix > 32 || len > 4)) ||
			(family == APL_FAMILY_V6 && (prefix > 128 || len > 16))) {
			return WIRE_VALUE;
		}
		off += APL_HEAD_LEN + len;
	}
	return take_rest(field, 0, out);
}

/* Other versions than 0 have a form of their own, which nobody knows (RFC 1876 sec 2). */
static enum wire_status take_loc(const struct field *field, uint32_t *out)
{
	enum wire_status status = take_rest(field, 1, out);

	if (status != WIRE_OK || field->rdata[field->off] != 0) {
		return status;
	}
	status = take_fixed(field, LOC_LEN, out);
	for (uint32_t i = 1; status == WIRE_OK && i <= 3; i++) { /* size and both precisions */
		uint8_t octet = field->rdata[field->off + i];
		if (octet >> 4 > 9 || (octet & 15u) > 9) {
			status = WIRE_VALUE;
		}
	}
	return status;
}

static enum wire_status take_gateway(const struct field *field, uint32_t kind, uint32_t *out)
{
	switch (kind) {
	case GATEWAY_NONE:
		return take_fixed(field, 0, out);
	case GATEWAY_V4:
		return take_fixed(field, 4, out);
	case GATEWAY_V6:
		return take_fixed(field, 16, out);
	case GATEWAY_NAME:
		return take_name(field, out);
	default:
		return WIRE_VALUE;
	}
}

static enum wire_status take_relay(const struct field *field, uint32_t *out)
{
	struct field relay = *field;

	if (field_left(field) < 1) {
		return WIRE_TRUNCATED;
	}
	relay.off++;
	enum wire_status status =
		take_gateway(&relay, field->rdata[field->off] & AMTRELAY_TYPE_MASK, out);
	if (status == WIRE_OK) {
		*out += 1;
	}
	return status;
}

static enum wire_status take_hip(const struct field *field, uint32_t *out)
{
	if (field_left(field) < HIP_HEAD_LEN) {
		return WIRE_TRUNCATED;
	}
	uint32_t hit_len = field->rdata[field->off];
	uint32_t key_len = octets_get_u16(field->rdata + field->off + 2);
	if (hit_len == 0 || key_len == 0) {
		return WIRE_VALUE;
	}
	if (hit_len + key_len > field_left(field) - HIP_HEAD_LEN) {
		return WIRE_TRUNCATED;
	}
	struct field servers = *field;
	servers.off += HIP_HEAD_LEN + hit_len + key_len;
	while (servers.off < servers.len) {
		uint32_t len;
		enum wire_status status = take_name(&servers, &len);
		if (status != WIRE_OK) {
			return status;
		}
		servers.off += len;
	}
	return take_rest(field, 0, out);
}

/* RFC 2874 sec 3.1: prefix length, the octets of the address behind it, and a name unless it is 0. */
static enum wire_status take_a6(const struct field *field, uint32_t *out)
{
	if (field_left(field) < 1) {
		return WIRE_TRUNCATED;
	}
	uint32_t prefix = field->rdata[field->off];
	if (prefix > A6_PREFIX_MAX) {
		return WIRE_VALUE;
	}
	uint32_t head_len = 1 + (A6_PREFIX_MAX - prefix + 7) / 8;
	if (prefix == 0 || field_left(field) < head_len) {
		return take_fixed(field, head_len, out);
	}
	struct field name = *field;
	name.off += head_len;
	enum wire_status status = take_name(&name, out);
	if (status == WIRE_OK) {
		*out += head_len;
	}
	return status;
}

/* The length of the field of that letter; the proof that it is well-formed. */
static enum wire_status measure(char letter, const struct field *field, uint32_t *out)
{
	switch (letter) {
	case 'N':
	case 'n':
	case 'd':
		return take_name(field, out);
	case '4':
	case 'L':
	case 'D':
	case 'E':
		return take_fixed(field, 4, out);
	case '6':
		return take_fixed(field, 16, out);
	case 'W':
	case 'T':
	case 'C':
		return take_fixed(field, 2, out);
	case 'B':
	case 'G':
	case 'Y':
		return take_fixed(field, 1, out);
	case 'e':
		return take_fixed(field, 6, out);
	case 'Q':
	case 'f':
	case 'g':
		return take_fixed(field, 8, out);
	case 's':
	case 'X':
		return take_counted(field, 0, out);
	case 'H':
		return take_counted(field, 1, out);
	case 't':
		return take_tag(field, out);
	case 'o':
		return field_left(field) > 0 ? take_counted(field, 0, out)
					     : take_fixed(field, 0, out);
	case 'S':
		return take_strings(field, out);
	case 'x':
	case 'b':
	case 'z':
		return take_rest(field, 1, out);
	case 'a':
		return take_rest(field, 2, out); /* format and address */
	case 'c':
	case 'j':
	case 'r':
	case 'u':
		return take_rest(field, 0, out);
	case 'k':
		return take_key(field, out);
	case 'M':
		return take_bitmap(field, out);
	case 'm':
		return take_nxt_bitmap(field, out);
	case 'w':
		return take_wks(field, out);
	case 'p':
		return take_apl(field, out);
	case 'v':
		*out = field_left(field);
		return svcb_check(field->rdata + field->off, field_left(field));
	case 'l':
		return take_loc(field, out);
	case 'I':
		return take_gateway(field, field->rdata[IPSECKEY_TYPE_OFF], out);
	case 'R':
		return take_relay(field, out);
	case 'h':
		return take_hip(field, out);
	case 'y':
		return take_a6(field, out);
	default:
		check_failed(__FILE__, __LINE__, "a letter that rrtype.def explains");
	}
}

enum wire_status rdata_check(uint16_t type, const uint8_t *rdata, uint32_t len)
{
	const struct rrtype_info *info = rrtype_info(type);
	struct field field = {.rdata = rdata, .len = len, .off = 0};

	if (len > RDATA_LEN_MAX) {
		return WIRE_VALUE;
	}
	if (info == NULL) {
		return WIRE_OK;
	}
	for (const char *letter = info->fields; *letter != '\0'; letter++) {
		uint32_t field_len;
		enum wire_status status = measure(*letter, &field, &field_len);
		if (status != WIRE_OK) {
			return status;
		}
		field.off += field_len;
	}
	return field.off == len ? WIRE_OK : WIRE_TRAILING;
}

static bool is_name_letter(char letter)
{
	return letter == 'N' || letter == 'n' || letter == 'd';
}

HOT uint32_t rdata_names(
	uint16_t type, const uint8_t *rdata, uint32_t len, struct rdata_name out[RDATA_NAMES_MAX])
{
	const struct rrtype_info *info = rrtype_info(type);
	struct field field = {.rdata = rdata, .len = len, .off = 0};
	uint32_t wanted = 0;
	uint32_t count = 0;

	if (info == NULL) {
		return 0;
	}
	for (const char *letter = info->fields; *letter != '\0'; letter++) {
		wanted += is_name_letter(*letter);
	}
	if (wanted == 1 &&
		info->fields[1] == '\0') { /* NS, CNAME, PTR, DNAME: the RDATA is the name */
		out[0] = (struct rdata_name){.len = (uint8_t)len,
			.compressible = info->fields[0] == 'N',
			.canonical_lower = info->fields[0] != 'd'};
		return 1;
	}
	/* What stands behind the last name need not be measured. */
	for (const char *letter = info->fields; count < wanted; letter++) {
		uint32_t field_len;
		enum wire_status status = measure(*letter, &field, &field_len);

		ASSERT(status == WIRE_OK);
		if (is_name_letter(*letter)) {
			ASSERT(count < RDATA_NAMES_MAX);
			out[count++] = (struct rdata_name){
				.off = (uint16_t)field.off,
				.len = (uint8_t)field_len,
				.compressible = *letter == 'N',
				.canonical_lower = *letter != 'd',
			};
		}
		field.off += field_len;
	}
	return count;
}

void rdata_canonical(uint16_t type, uint8_t *rdata, uint32_t len)
{
	struct rdata_name names[RDATA_NAMES_MAX];
	uint32_t count = rdata_names(type, rdata, len, names);

	for (uint32_t i = 0; i < count; i++) {
		if (names[i].canonical_lower) {
			uint8_t *name = rdata + names[i].off;
			name_octets_lower(name, name, names[i].len);
		}
	}
	if (type == RRTYPE_A6 && rdata[0] > 0) { /* its name stands where the prefix says */
		uint32_t off = 1 + (A6_PREFIX_MAX - rdata[0] + 7) / 8;
		name_octets_lower(rdata + off, rdata + off, len - off);
	}
}

int rdata_compare(const uint8_t *a, uint32_t a_len, const uint8_t *b, uint32_t b_len)
{
	uint32_t len = a_len < b_len ? a_len : b_len;
	int diff = len > 0 ? memcmp(a, b, len) : 0;

	if (diff != 0) {
		return diff;
	}
	return a_len < b_len ? -1 : a_len > b_len;
}

/* One field of a message to out; both cursors move. */
static enum wire_status expand_field(char letter, struct reader *msg, const struct field *field,
	uint8_t *out, uint32_t room, uint32_t *out_len)
{
	/* RFC 3597 sec 4: types of RFC 1035 must be decompressed, and the ones known before it should
	 * be. Their names are letter n, together with a few that nobody may compress (DNAME, KX,
	 * RRSIG): a pointer in those is as harmless, so it is followed, too.
	 */
	if (letter == 'N' || letter == 'n') {
		struct name name;
		enum wire_status status = name_parse(msg, &name);
		if (status != WIRE_OK) {
			return status;
		}
		if (name.len > room) {
			return WIRE_SPACE;
		}
		memcpy(out, name.octets, name.len);
		*out_len = name.len;
		return WIRE_OK;
	}
	uint32_t len;
	enum wire_status status = measure(letter, field, &len);
	if (status != WIRE_OK) {
		return status;
	}
	if (len > room) {
		return WIRE_SPACE;
	}
	memcpy(out, field->rdata + field->off, len);
	msg->off += len;
	*out_len = len;
	return WIRE_OK;
}

enum wire_status rdata_expand(struct reader *msg, uint16_t type, uint16_t rdlength, uint8_t *out,
	uint32_t cap, uint32_t *out_len)
{
	const struct rrtype_info *info = rrtype_info(type);
	const char *letters = info != NULL ? info->fields : "u";
	struct reader at = *msg;
	uint32_t len = 0;

	if (rdlength > reader_left(msg)) {
		return WIRE_TRUNCATED;
	}
	const uint8_t *rdata = msg->octets + msg->off;
	uint32_t end = msg->off + rdlength;
	for (; *letters != '\0'; letters++) {
		struct field field = {rdata, rdlength, at.off - msg->off};
		uint32_t field_len;
		enum wire_status status =
			expand_field(*letters, &at, &field, out + len, cap - len, &field_len);
		if (status != WIRE_OK) {
			return status;
		}
		if (at.off > end) { /* a name that runs on behind its RDATA */
			return WIRE_TRUNCATED;
		}
		len += field_len;
	}
	if (at.off != end) {
		return WIRE_TRAILING;
	}
	if (len > RDATA_LEN_MAX) {
		return WIRE_VALUE;
	}
	msg->off = end;
	*out_len = len;
	return WIRE_OK;
}
