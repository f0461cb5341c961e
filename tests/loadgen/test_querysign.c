/* test_querysign.c - keys in words, and a signature against one that another implementation made. */
#include "loadgen/querysign.h"

#include <string.h>

#include "kit/kit.h"

#define QUERY     "\x12\x34\1\0\0\1\0\0\0\0\0\0\1a\4test\0\0\1\0\1"
#define QUERY_LEN (sizeof(QUERY) - 1)
#define WALL_S    0x100000002u /* more than 32 bits hold */

TEST(a_signature_is_a_record_at_the_end)
{
	/* The MAC is Python's: hmac.new(b"secret", QUERY + variables, "sha256"). */
	static const char want[] = QUERY
		"\3key\7example\0\0\372\0\377\0\0\0\0\0\x3d\13hmac-sha256\0\0\1\0\0\0\2\1\x2c\0\x20"
		"\x19\x04\x15\xb5\xdc\x6d\x6c\x71\x7e\x0e\x22\xdc\x04\xaa\xca\x9d"
		"\xd0\x0a\x9a\x7c\x13\x0d\x90\x42\xd6\x1a\xbf\x60\x02\x0f\xe5\x41"
		"\x12\x34\0\0\0\0";
	struct querysign_key key;
	const char *why = NULL;

	CHECK(querysign_key_parse("hmac-sha256:KEY.Example:c2VjcmV0", &key, &why));
	struct querysign *sign = querysign_new(&key);
	CHECK(sign != NULL);
	for (int i = 0; i < 2; i++) {
		uint8_t message[QUERY_LEN + QUERYSIGN_LEN_MAX];
		char signed_want[sizeof(want)];
		memcpy(message, QUERY, QUERY_LEN);
		memcpy(signed_want, want, sizeof(want));
		signed_want[11] = 1; /* one additional record */
		uint32_t grown = querysign_append(sign, message, QUERY_LEN, WALL_S);
		CHECK_OCTETS(message, QUERY_LEN + grown, signed_want, sizeof(want) - 1);
	}
	querysign_free(sign);
	querysign_free(NULL);
}

/* A key with a name of labels of one letter, but for the last, and a secret of 85 * 3 and some octets. */
static bool parse_long(const char *label, const char *tail, struct querysign_key *out)
{
	char text[1024] = "hmac-sha512:";
	const char *why;

	for (uint32_t i = 0; i < NAME_LABELS_MAX - 1; i++) {
		strcat(text, "a.");
	}
	strcat(text, label);
	strcat(text, ":");
	for (uint32_t i = 0; i < QUERYSIGN_SECRET_MAX / 3; i++) {
		strcat(text, "AAAA");
	}
	strcat(text, tail);
	return querysign_key_parse(text, out, &why);
}

TEST(the_longest_key_has_room)
{
	static uint8_t message[QUERY_LEN + QUERYSIGN_LEN_MAX];
	struct querysign_key key;

	CHECK(!parse_long("bb", "AA==", &key)); /* a name of 256 octets */
	CHECK(!parse_long("b", "AAA=", &key));  /* a secret of 257 */
	CHECK(parse_long("b", "AA==", &key));
	CHECK_U(key.name.len, NAME_LEN_MAX);
	CHECK_U(key.secret_len, QUERYSIGN_SECRET_MAX);
	struct querysign *sign = querysign_new(&key);
	memcpy(message, QUERY, QUERY_LEN);
	uint8_t *guarded = kit_guarded(message, sizeof(message));
	CHECK(sign != NULL);
	/* Short of the most by what this algorithm's name is shorter than the longest. */
	CHECK_U(querysign_append(sign, guarded, QUERY_LEN, WALL_S), QUERYSIGN_LEN_MAX - 13);
	querysign_free(sign);
}

TEST(keys_in_words)
{
	static const struct {
		const char *text;
		const char *why; /* a word of it; NULL: it is taken */
	} cases[] = {
		{"k:c2VjcmV0", NULL},
		{"hmac-md5:k:c2VjcmV0", NULL},
		{"HMAC-SHA1:k.:c2VjcmV0", NULL},
		{"hmac-sha224:k:c2VjcmV0", NULL},
		{"hmac-sha384:k:c2VjcmV0", NULL},
		{"hmac-sha512:k:c2VjcmV0", NULL},
		{"", "NAME:SECRET"},
		{"k", "NAME:SECRET"},
		{":c2VjcmV0", "domain name"},
		{"a..b:c2VjcmV0", "domain name"},
		{"sha256:k:c2VjcmV0", "hmac-sha256"},
		{"hmac-sha25:k:c2VjcmV0", "hmac-sha256"},
		{"k:", "base64"},
		{"k:c2VjcmV", "base64"},
		{"k:c2Vj_mV0", "base64"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct querysign_key key;
		const char *why = NULL;
		KIT_NOTE(cases[i].text);
		CHECK(querysign_key_parse(cases[i].text, &key, &why) == (cases[i].why == NULL));
		CHECK(cases[i].why == NULL || strstr(why, cases[i].why) != NULL);
		CHECK(cases[i].why != NULL ||
			(key.secret_len == 6 && memcmp(key.secret, "secret", 6) == 0));
	}
}
