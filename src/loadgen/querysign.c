/* querysign.c - TSIG records. */
#include "loadgen/querysign.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/octets.h"
#include "wire/rrtype.h"
#include "wire/wire.h"
#include "zonefile/encode.h"

#define FUDGE_S       300u /* RFC 8945 sec 10 */
#define ARCOUNT_OFF   10u
#define BASE64_QUAD   4u /* characters that make three octets */
#define BASE64_OCTETS 3u

struct querysign_algorithm {
	const char *name; /* as people write it */
	const char *digest;
	const char *wire;
	uint32_t wire_len;
};

struct querysign {
	const struct querysign_key *key; /* borrows */
	struct hmac *hmac;               /* owns */
};

/* RFC 8945 sec 6. */
static const struct querysign_algorithm algorithms[] = {
	{"hmac-md5", "MD5", "\10hmac-md5\7sig-alg\3reg\3int", 26},
	{"hmac-sha1", "SHA1", "\11hmac-sha1", 11},
	{"hmac-sha224", "SHA224", "\13hmac-sha224", 13},
	{"hmac-sha256", "SHA256", "\13hmac-sha256", 13},
	{"hmac-sha384", "SHA384", "\13hmac-sha384", 13},
	{"hmac-sha512", "SHA512", "\13hmac-sha512", 13},
};

static const struct querysign_algorithm *find_algorithm(const char *text, size_t len)
{
	for (size_t i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++) {
		if (strlen(algorithms[i].name) == len &&
			strncasecmp(algorithms[i].name, text, len) == 0) {
			return &algorithms[i];
		}
	}
	return NULL;
}

static bool parse_secret(const char *text, struct querysign_key *out)
{
	uint8_t octets[QUERYSIGN_SECRET_MAX / BASE64_OCTETS * BASE64_QUAD + BASE64_QUAD];
	struct encode_state state = {0};
	size_t len = strlen(text);

	if (len == 0 || len > sizeof(octets) ||
		!encode_read_base64(
			&state, (const uint8_t *)text, (uint32_t)len, octets, &out->secret_len) ||
		!encode_base64_is_whole(&state) || out->secret_len > sizeof(out->secret)) {
		return false;
	}
	memcpy(out->secret, octets, out->secret_len);
	return true;
}

bool querysign_key_parse(const char *text, struct querysign_key *out, const char **why_out)
{
	static const struct name root = {.len = 1};
	const char *secret = strrchr(text, ':');
	const char *name = strchr(text, ':');

	if (secret == NULL) {
		*why_out = "a key is [ALGORITHM:]NAME:SECRET";
		return false;
	}
	out->algorithm = &algorithms[0];
	if (name != secret) {
		out->algorithm = find_algorithm(text, (size_t)(name - text));
		name++;
	} else {
		name = text;
	}
	if (out->algorithm == NULL) {
		*why_out = "a key's algorithm is hmac-md5, hmac-sha1, hmac-sha224, hmac-sha256, "
			   "hmac-sha384 or hmac-sha512";
		return false;
	}
	if (name_from_text(name, (uint32_t)(secret - name), &root, &out->name) != WIRE_OK) {
		*why_out = "a key's name is a domain name";
		return false;
	}
	name_lower(&out->name);
	if (!parse_secret(secret + 1, out)) {
		*why_out = "a key's secret is base64 of 1 to 256 octets";
		return false;
	}
	return true;
}

struct querysign *querysign_new(const struct querysign_key *key)
{
	struct querysign *sign = calloc(1, sizeof(*sign));

	if (sign == NULL) {
		return NULL;
	}
	sign->key = key;
	sign->hmac = hmac_new(key->algorithm->digest, key->secret, key->secret_len);
	if (sign->hmac == NULL) {
		querysign_free(sign);
		return NULL;
	}
	return sign;
}

void querysign_free(struct querysign *sign)
{
	if (sign != NULL) {
		hmac_free(sign->hmac);
		free(sign);
	}
}

static uint8_t *put(uint8_t *to, const void *octets, uint32_t len)
{
	memcpy(to, octets, len);
	return to + len;
}

static uint8_t *put_u16(uint8_t *to, uint32_t value)
{
	octets_put_u16(to, (uint16_t)value);
	return to + sizeof(uint16_t);
}

/* Time signed and fudge: 48 bits and 16. */
static uint8_t *put_times(uint8_t *to, uint64_t wall_s)
{
	to = put_u16(to, (uint32_t)(wall_s >> 32 & UINT16_MAX));
	octets_put_u32(to, (uint32_t)wall_s);
	return put_u16(to + sizeof(uint32_t), FUDGE_S);
}

/* RFC 8945 sec 4.3: the message without the record, and of the record what is not the MAC's or the ID's. */
static uint32_t make_mac(const struct querysign *sign, const uint8_t *message, uint32_t len,
	uint64_t wall_s, uint8_t mac[HMAC_LEN_MAX])
{
	const struct querysign_key *key = sign->key;
	uint8_t variables[QUERYSIGN_LEN_MAX];
	uint8_t *at = put(variables, key->name.octets, key->name.len);

	at = put_u16(at, CLASS_ANY);
	octets_put_u32(at, 0); /* TTL */
	at = put(at + sizeof(uint32_t), key->algorithm->wire, key->algorithm->wire_len);
	at = put_times(at, wall_s);
	at = put_u16(at, 0); /* error */
	at = put_u16(at, 0); /* other data */
	hmac_begin(sign->hmac);
	hmac_add(sign->hmac, message, len);
	hmac_add(sign->hmac, variables, (size_t)(at - variables));
	return hmac_end(sign->hmac, mac);
}

uint32_t querysign_append(struct querysign *sign, uint8_t *message, uint32_t len, uint64_t wall_s)
{
	const struct querysign_key *key = sign->key;
	uint8_t mac[HMAC_LEN_MAX];
	uint32_t mac_len = make_mac(sign, message, len, wall_s, mac);
	uint8_t *at = put(message + len, key->name.octets, key->name.len);

	at = put_u16(at, RRTYPE_TSIG);
	at = put_u16(at, CLASS_ANY);
	octets_put_u32(at, 0); /* TTL */
	uint8_t *rdata_len_at = at + sizeof(uint32_t);
	uint8_t *rdata = rdata_len_at + sizeof(uint16_t);
	at = put(rdata, key->algorithm->wire, key->algorithm->wire_len);
	at = put_times(at, wall_s);
	at = put_u16(at, mac_len);
	at = put(at, mac, mac_len);
	at = put(at, message, sizeof(uint16_t)); /* the original ID */
	at = put_u16(at, 0);                     /* error */
	at = put_u16(at, 0);                     /* other data */
	octets_put_u16(rdata_len_at, (uint16_t)(at - rdata));
	octets_put_u16(
		message + ARCOUNT_OFF, (uint16_t)(octets_get_u16(message + ARCOUNT_OFF) + 1u));
	return (uint32_t)(at - message - len);
}
