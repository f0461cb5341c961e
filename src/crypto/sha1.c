/* sha1.c - NSEC3 hashes by libcrypto.
 *
 * The packet path hashes, and may not allocate. libcrypto's EVP calls allocate for every digest; its older SHA1_*
 * functions do not, run the same code (SHA-NI where the processor has it), and are deprecated only for new
 * designs that might choose their digest. NSEC3 has one digest (RFC 5155 sec 11).
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "crypto/sha1.h"

#include <openssl/sha.h>

_Static_assert(SHA1_LEN == SHA_DIGEST_LENGTH, "one digest, one length");

void sha1_nsec3(const uint8_t *name, uint32_t name_len, const uint8_t *salt, uint32_t salt_len,
	uint32_t iterations, uint8_t out[SHA1_LEN])
{
	const uint8_t *input = name;
	size_t input_len = name_len;

	for (uint32_t round = 0; round <= iterations; round++) {
		SHA_CTX context;
		SHA1_Init(&context);
		SHA1_Update(&context, input, input_len);
		SHA1_Update(&context, salt, salt_len);
		SHA1_Final(out, &context);
		input = out;
		input_len = SHA1_LEN;
	}
}
