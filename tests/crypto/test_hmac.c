/* test_hmac.c - keyed hashes against those that RFC 2202 and RFC 4231 print. */
#include "crypto/hmac.h"

#include <string.h>

#include "kit/kit.h"

#define KEY  "Jefe"
#define DATA "what do ya want for nothing?"

TEST(hashes_are_those_of_the_rfcs)
{
	/* RFC 2202 sec 2 and 3, RFC 4231 sec 4.3: the second test of each. */
	static const struct {
		const char *digest;
		uint32_t len;
		const char *begins;
	} cases[] = {
		{"MD5", 16, "\x75\x0c\x78\x3e\x6a\xb0\xb5\x03"},
		{"SHA1", 20, "\xef\xfc\xdf\x6a\xe5\xeb\x2f\xa2"},
		{"SHA224", 28, "\xa3\x0e\x01\x09\x8b\xc6\xdb\xbf"},
		{"SHA256", 32, "\x5b\xdc\xc1\x46\xbf\x60\x75\x4e"},
		{"SHA384", 48, "\xaf\x45\xd2\xe3\x76\x48\x40\x31"},
		{"SHA512", 64, "\x16\x4b\x7a\x7b\xfc\xf8\x19\xe2"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hmac *hmac = hmac_new(cases[i].digest, (const uint8_t *)KEY, strlen(KEY));
		uint8_t out[HMAC_LEN_MAX];
		KIT_NOTE(cases[i].digest);
		CHECK(hmac != NULL);
		/* A key is used again and again, and data come in parts. */
		for (size_t cut = 0; cut <= strlen(DATA); cut++) {
			hmac_begin(hmac);
			hmac_add(hmac, (const uint8_t *)DATA, cut);
			hmac_add(hmac, (const uint8_t *)DATA + cut, strlen(DATA) - cut);
			CHECK_U(hmac_end(hmac, out), cases[i].len);
			CHECK_OCTETS(out, 8, cases[i].begins, 8);
		}
		hmac_free(hmac);
	}
	CHECK(hmac_new("SHA257", (const uint8_t *)KEY, strlen(KEY)) == NULL);
	hmac_free(NULL);
}
