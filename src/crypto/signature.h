/* signature.h - signatures of DNSSEC algorithms, by keys as DNSKEY records hold them; and digests of DS records.
 *
 * memory  libcrypto allocates: not for the packet path
 * thread  no shared state; a struct signature_keys has one owner
 * source  RFC 5702 and 3110 (RSA), RFC 6605 (ECDSA), RFC 8080 (EdDSA), RFC 9905 (SHA-1)
 */
#ifndef SAKER_CRYPTO_SIGNATURE_H
#define SAKER_CRYPTO_SIGNATURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/check.h"

#define SIGNATURE_DIGEST_MAX 48u /* SHA-384 */
/* Limits of RSA keys. Longer moduli or exponents make a check dear for whoever chose them: not supported. */
#define SIGNATURE_RSA_LEN_MAX      512u
#define SIGNATURE_RSA_EXPONENT_MAX 5u /* octets */

/* Algorithm numbers, RFC 8624 sec 3.1. */
enum signature_algorithm {
	SIGNATURE_RSASHA1 = 5,
	SIGNATURE_RSASHA1_NSEC3 = 7,
	SIGNATURE_RSASHA256 = 8,
	SIGNATURE_RSASHA512 = 10,
	SIGNATURE_ECDSAP256 = 13,
	SIGNATURE_ECDSAP384 = 14,
	SIGNATURE_ED25519 = 15,
	SIGNATURE_ED448 = 16
};

/* signature_is_known - can signatures of that algorithm be checked? */
bool signature_is_known(uint8_t algorithm);

/* signature_is_sha1 - is it one of those that RFC 9905 speaks of? */
static inline bool signature_is_sha1(uint8_t algorithm)
{
	return algorithm == SIGNATURE_RSASHA1 || algorithm == SIGNATURE_RSASHA1_NSEC3;
}

/* Keys that were used, made ready for libcrypto: making one costs a third of a check. One owner. */
struct signature_keys;

#define SIGNATURE_KEYS_MAX                                                                         \
	512u /* the keys of the zones that most names hang on; a key pushes out the one in its place */

/* signature_keys_new - none yet; NULL: no memory. signature_keys_free accepts NULL. */
MUST_USE struct signature_keys *signature_keys_new(void);
void signature_keys_free(struct signature_keys *keys);

/* signature_check - true where the signature over data holds.
 *
 * shape   keys: NULL, or where the key is kept; key: the public key field of a DNSKEY; signature: that of an RRSIG
 * effect  false also for keys that are none, or beyond the limits above
 * cost    20 to 300 us, by algorithm (2026-11, 2 GHz-class virtual processor)
 */
MUST_USE bool signature_check(struct signature_keys *keys, uint8_t algorithm, const uint8_t *key,
	size_t key_len, const uint8_t *data, size_t data_len, const uint8_t *signature,
	size_t signature_len);

/* signature_digest - the digest of a DS record's type (1: SHA-1, 2: SHA-256, 4: SHA-384); its length, 0 for other types.
 *
 * source  RFC 3658, RFC 4509, RFC 6605
 */
size_t signature_digest(
	uint8_t digest_type, const uint8_t *data, size_t len, uint8_t out[SIGNATURE_DIGEST_MAX]);

#endif
