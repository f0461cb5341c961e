/* rdata_kit.c - makes random RDATA, letter by letter. */
#include "kit/rdata_kit.h"

#include <string.h>

#include "kit/kit.h"
#include "wire/rrtype.h"

const uint16_t rdata_kit_types[] = {
#define RRTYPE(code, mnemonic, symbol, fields, rfc) (code),
#include "wire/rrtype.def"
#undef RRTYPE
};
const uint32_t rdata_kit_type_count = sizeof(rdata_kit_types) / sizeof(rdata_kit_types[0]);

/* Half of the octets are letters and digits, the others anything: both paths of escaping are met. */
static uint8_t some_octet(void)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (kit_random(2) == 0) {
		return (uint8_t)plain[kit_random(sizeof(plain) - 1)];
	}
	return (uint8_t)kit_random(256);
}

static uint32_t put_octets(uint8_t *out, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		out[i] = some_octet();
	}
	return len;
}

static uint32_t put_counted(uint8_t *out, uint32_t len)
{
	out[0] = (uint8_t)len;
	return 1 + put_octets(out + 1, len);
}

/* Mostly short, now and then as long as it may be. */
static uint32_t some_len(uint32_t len_max)
{
	return kit_random(16) == 0 ? len_max : kit_random(len_max < 12 ? len_max + 1 : 12);
}

uint32_t rdata_kit_name(uint8_t *out)
{
	uint32_t len = 0;
	uint32_t labels = kit_random(8) == 0 ? kit_random(128) : kit_random(5);

	while (labels-- > 0) {
		uint32_t label_len = 1 + some_len(62);
		if (label_len + 1 > 254 - len) {
			break;
		}
		len += put_counted(out + len, label_len);
	}
	out[len] = 0;
	return len + 1;
}

static uint32_t put_tag(uint8_t *out)
{
	uint32_t len = 1 + some_len(254);

	out[0] = (uint8_t)len;
	for (uint32_t i = 1; i <= len; i++) {
		out[i] = (uint8_t)("abzABZ09"[kit_random(8)]);
	}
	return 1 + len;
}

static uint32_t put_bitmap_octets(uint8_t *out, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++) {
		out[i] = (uint8_t)(kit_random(3) == 0 ? kit_random(256) : 0);
	}
	if (out[len - 1] == 0) {
		out[len - 1] = (uint8_t)(1u << kit_random(8));
	}
	return len;
}

static uint32_t put_windows(uint8_t *out)
{
	uint32_t len = 0;
	uint32_t window = kit_random(3);

	for (uint32_t count = kit_random(4); count > 0 && window < 256; count--) {
		uint32_t octets = 1 + kit_random(32);
		out[len] = (uint8_t)window;
		out[len + 1] = (uint8_t)octets;
		len += 2 + put_bitmap_octets(out + len + 2, octets);
		window += 1 + kit_random(100);
	}
	return len;
}

static uint32_t put_apl(uint8_t *out)
{
	uint32_t len = 0;

	for (uint32_t count = kit_random(4); count > 0; count--) {
		uint32_t family = 1 + kit_random(3); /* 3 has no text form */
		uint32_t octets = kit_random(family == 1 ? 5 : 17);
		out[len++] = 0;
		out[len++] = (uint8_t)family;
		out[len++] = (uint8_t)kit_random(family == 1 ? 33 : 129);
		out[len++] = (uint8_t)(octets | (kit_random(2) << 7));
		len += put_octets(out + len, octets);
	}
	return len;
}

static uint32_t put_svcb_value(uint32_t key, uint8_t *out)
{
	uint32_t len = 0;

	switch (key) {
	case 1:
		for (uint32_t ids = 1 + kit_random(3); ids > 0; ids--) {
			len += put_counted(out + len, 1 + some_len(254));
		}
		return len;
	case 2:
	case 8:
		return 0;
	case 3:
		return put_octets(out, 2);
	case 4:
		return put_octets(out, 4 * (1 + kit_random(3)));
	case 6:
		return put_octets(out, 16 * (1 + kit_random(3)));
	case 7:
		return put_octets(out, 1 + some_len(300));
	default:
		return put_octets(out, some_len(300));
	}
}

/* Parameters behind `mandatory`, which then lists some of them. */
static uint32_t put_svcb(uint8_t *out)
{
	uint8_t rest[RDATA_KIT_LEN_MAX];
	uint32_t rest_len = 0;
	uint8_t listed[64];
	uint32_t listed_len = 0;
	uint32_t len = 0;

	for (uint32_t key = 1 + kit_random(3); key < 65536 && listed_len < 16;
		key += 1 + kit_random(kit_random(4) == 0 ? 20000 : 3)) {
		uint32_t value_len = put_svcb_value(key, rest + rest_len + 4);
		rest[rest_len] = (uint8_t)(key >> 8);
		rest[rest_len + 1] = (uint8_t)key;
		rest[rest_len + 2] = (uint8_t)(value_len >> 8);
		rest[rest_len + 3] = (uint8_t)value_len;
		rest_len += 4 + value_len;
		if (kit_random(2) == 0) {
			listed[listed_len++] = (uint8_t)(key >> 8);
			listed[listed_len++] = (uint8_t)key;
		}
		if (kit_random(3) == 0) {
			break;
		}
	}
	if (listed_len > 0 && kit_random(2) == 0) {
		memcpy(out, (const uint8_t[]){0, 0, 0, (uint8_t)listed_len}, 4);
		memcpy(out + 4, listed, listed_len);
		len = 4 + listed_len;
	}
	memcpy(out + len, rest, rest_len);
	return len + rest_len;
}

static uint32_t put_loc(uint8_t *out)
{
	uint32_t good = kit_random(8);

	put_octets(out, 16);
	out[0] = 0;
	for (uint32_t i = 1; i <= 3; i++) {
		out[i] = (uint8_t)(kit_random(10) << 4 | kit_random(10));
	}
	if (good > 0) { /* near the equator, or the octets are beyond the poles and have no text */
		out[4] = out[8] = (uint8_t)(0x70 + kit_random(32));
	}
	return 16;
}

static uint32_t put_gateway(uint32_t kind, uint8_t *out)
{
	switch (kind) {
	case 1:
		return put_octets(out, 4);
	case 2:
		return put_octets(out, 16);
	case 3:
		return rdata_kit_name(out);
	default:
		return 0;
	}
}

static uint32_t put_hip(uint8_t *out)
{
	uint32_t hit_len = 1 + some_len(254);
	uint32_t key_len = 1 + some_len(300);
	uint32_t len = 4;

	out[0] = (uint8_t)hit_len;
	out[1] = some_octet();
	out[2] = (uint8_t)(key_len >> 8);
	out[3] = (uint8_t)key_len;
	len += put_octets(out + len, hit_len + key_len);
	for (uint32_t servers = kit_random(3); servers > 0; servers--) {
		len += rdata_kit_name(out + len);
	}
	return len;
}

static uint32_t put_a6(uint8_t *out)
{
	uint32_t prefix = kit_random(3) == 0 ? 0 : kit_random(129);
	uint32_t len = 1 + put_octets(out + 1, (128 - prefix + 7) / 8);

	out[0] = (uint8_t)prefix;
	if (prefix % 8 != 0 && kit_random(4) != 0) {
		out[1] &= (uint8_t)(0xff >> (prefix % 8));
	}
	return prefix == 0 ? len : len + rdata_kit_name(out + len);
}

static uint32_t put_wks(uint8_t *out)
{
	out[0] = (uint8_t)(kit_random(2) == 0 ? 6 : kit_random(256));
	return 1 + (kit_random(8) == 0 ? 0 : put_bitmap_octets(out + 1, 1 + kit_random(60)));
}

static uint32_t put_nxt_bitmap(uint8_t *out)
{
	uint32_t len = put_bitmap_octets(out, 1 + kit_random(16));

	out[0] &= 0x7f;
	if (out[len - 1] == 0) {
		out[len - 1] = 0x40;
	}
	return len;
}

static uint32_t put_strings(uint8_t *out)
{
	uint32_t len = 0;

	for (uint32_t count = 1 + kit_random(5); count > 0; count--) {
		len += put_counted(out + len, some_len(255));
	}
	return len;
}

static uint32_t put_field(char letter, const uint8_t *rdata, uint8_t *out)
{
	switch (letter) {
	case 'N':
	case 'n':
	case 'd':
		return rdata_kit_name(out);
	case 'B':
	case 'G':
	case 'Y':
		out[0] = (uint8_t)(kit_random(2) == 0 ? kit_random(20) : kit_random(256));
		/* The gateway type of IPSECKEY is its second B; harmless elsewhere. */
		if (out == rdata + 1) {
			out[0] %= 4;
		}
		return 1;
	case 'W':
	case 'T':
	case 'C':
		put_octets(out, 2);
		if (kit_random(2) == 0) {
			out[0] = 0;
		}
		return 2;
	case '4':
	case 'L':
	case 'D':
	case 'E':
		return put_octets(out, 4);
	case '6':
		put_octets(out, 16);
		memset(out + kit_random(16), 0, 1);
		memset(out + 2 * kit_random(6), 0, 4);
		return 16;
	case 'e':
		return put_octets(out, 6);
	case 'Q':
	case 'f':
	case 'g':
		return put_octets(out, 8);
	case 's':
	case 'X':
		return put_counted(out, some_len(255));
	case 'H':
		return put_counted(out, 1 + some_len(254));
	case 'o':
		return kit_random(2) == 0 ? 0 : put_counted(out, some_len(255));
	case 'S':
		return put_strings(out);
	case 't':
		return put_tag(out);
	case 'x':
	case 'b':
	case 'z':
		return put_octets(out, 1 + some_len(600));
	case 'a':
		out[0] = (uint8_t)kit_random(3);
		for (uint32_t i = 1; i < 20; i++) {
			out[i] = out[0] == 1 ? (uint8_t)('0' + kit_random(10)) : some_octet();
		}
		return 2 + kit_random(19);
	case 'c':
	case 'j':
	case 'r':
	case 'u':
		return put_octets(out, some_len(600));
	case 'k':
		return put_octets(
			out, (rdata[0] & 0xc0u) == 0xc0u ? kit_random(20) : 1 + some_len(300));
	case 'M':
		return put_windows(out);
	case 'm':
		return put_nxt_bitmap(out);
	case 'w':
		return put_wks(out);
	case 'p':
		return put_apl(out);
	case 'v':
		return put_svcb(out);
	case 'l':
		return put_loc(out);
	case 'I':
		return put_gateway(rdata[1], out);
	case 'R': {
		uint32_t kind = kit_random(4);
		out[0] = (uint8_t)(kind | kit_random(2) << 7);
		return 1 + put_gateway(kind, out + 1);
	}
	case 'h':
		return put_hip(out);
	case 'y':
		return put_a6(out);
	default:
		kit_check(0, "a letter that rrtype.def explains", __FILE__, __LINE__);
		return 0;
	}
}

uint32_t rdata_kit_make(uint16_t type, uint8_t *out)
{
	uint32_t len = 0;

	for (const char *letter = rrtype_info(type)->fields; *letter != '\0'; letter++) {
		len += put_field(*letter, out, out + len);
	}
	return len;
}
