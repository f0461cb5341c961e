/* signer.h - keys of zones in tests, and signatures by them: ECDSA P-256, always the same keys.
 *
 * source  RFC 4034 sec 3.1.8, RFC 6605
 */
#ifndef SAKER_TESTS_SIGNER_H
#define SAKER_TESTS_SIGNER_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/name.h"

#define SIGNER_KEYS       6u
#define SIGNER_DNSKEY_LEN 68u  /* flags, protocol, algorithm, both coordinates */
#define SIGNER_SIG_MAX    340u /* octets of RRSIG RDATA: fixed, signer's name, r and s */

/* One record of a set. */
struct signer_rdata {
	const uint8_t *octets;
	uint32_t len;
};

/* What a signature says beside its octets. */
struct signer_terms {
	const struct name *zone;
	uint32_t key; /* below SIGNER_KEYS */
	uint32_t inception, expiration;
	uint32_t ttl;
	bool revoked; /* the key stands in its set with REVOKE, which makes another tag of it */
};

/* signer_dnskey - the RDATA of a key with flags 257. */
void signer_dnskey(uint32_t key, uint8_t out[SIGNER_DNSKEY_LEN]);

/* signer_sign - RRSIG RDATA over a set into out; its length.
 *
 * shape   owner: lower case, may begin with `*`; records: canonical, in canonical order
 */
uint32_t signer_sign(const struct signer_terms *terms, const struct name *owner, uint16_t type,
	const struct signer_rdata *records, uint32_t count, uint8_t out[SIGNER_SIG_MAX]);

/* signer_fini - gives the keys back; they come again when they are asked for. */
void signer_fini(void);

#endif
